"""What language models are trained in, without the packages that train them: tests/adapters runs those."""

import importlib
import inspect
from pathlib import Path
from random import Random
from typing import Any

import pytest

import numberquest as nq

RECIPES = Path(__file__).parent.parent.parent / "examples" / "recipes"


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(RECIPES))
    return importlib.import_module("trl_grpo")


def test_the_environment_has_what_trl_asks_for(recipe: Any) -> None:
    public = {name for name, _ in inspect.getmembers(recipe.QuestEnvironment, inspect.isfunction) if name[0] != "_"}
    # Everything else that is public would be a tool.
    assert public == {"reset", "play", "get_reward"}
    assert "Args:\n            move: " in recipe.QuestEnvironment.play.__doc__
    assert inspect.signature(recipe.QuestEnvironment.play).parameters["move"].annotation == "str"


def test_the_reward_is_one_less_the_regret_of_the_moves(recipe: Any) -> None:
    env = recipe.QuestEnvironment()
    assert "Sum: 0 of 10" in env.reset(**recipe.rows()[0])
    # Nothing was played: as much as an answer that cannot be read.
    assert env.get_reward() == -1
    game = nq.game(recipe.GAME, **recipe.SETTINGS)
    solution = nq.solve(game)
    for row in recipe.rows():
        for move in game.actions:
            env.reset(**row)
            p = env._episode.match.position
            values = solution.moves(p)
            env.play(move)
            worth = 1 - float(max(values.values()) - values[move]) if move in values else -0.5
            assert env.get_reward() == worth


def test_whole_games_go_on_until_they_are_over(recipe: Any) -> None:
    env, random = recipe.QuestEnvironment(), Random(1)
    for seed in range(20):
        told = env.reset(game="fifty", settings={"target": 30}, opponent="easy", seed=seed)
        while told != "The game is over.":
            told = env.play(random.choice(env._episode.match.moves))
        assert env.play("1+") == told
        assert 0 <= env.get_reward() <= 1
