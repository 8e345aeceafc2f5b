"""The recipes for frameworks: each runs where its package is there, and what they are measured with is right."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numberquest as nq
from numberquest.envs.observation import Observer
from numberquest.games.sumquest.rules import Position

ROOT = Path(__file__).parent.parent.parent
RECIPES = ROOT / "examples" / "recipes"
NEEDS = {
    "maskable_ppo": ("sb3_contrib",),
    "tianshou_dqn": ("tianshou",),
    "rllib_ppo": ("ray", "torch"),
    "jax_ppo": ("jax",),
}
"""The packages of each recipe. No extra of ours brings them, but for JAX: where they are, the recipe is run."""


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(RECIPES))
    return importlib.import_module("measured")


def test_every_recipe_is_known_here_and_shown_on_the_page() -> None:
    page = (ROOT / "docs" / "frameworks.md").read_text()
    found = {path.stem for path in RECIPES.glob("*.py")} - {"measured", "trl_grpo"}
    assert found == set(NEEDS)
    for name in found:
        assert f"(../examples/recipes/{name}.py)" in page


@pytest.mark.parametrize("name", NEEDS)
@pytest.mark.timeout(300)
def test_a_recipe_runs_and_says_what_it_reached(name: str) -> None:
    missing = [package for package in NEEDS[name] if importlib.util.find_spec(package) is None]
    if missing:
        pytest.skip(f"SKIPPED: {', '.join(missing)} is not on this machine")
    asked = [sys.executable, str(RECIPES / f"{name}.py"), "--steps", "1000", "--deals", "2"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = re.findall(r"([\d,]+) steps +\d+ s  exam +(-?[\d.]+)  regret +([\d.]+) %", done.stdout)
    assert len(said) == 5
    assert said[0][0] == "0"
    assert all(float(score) <= 100 for _, score, _ in said)


def test_what_plays_perfectly_has_100_in_the_exam_and_no_regret(measured: Any) -> None:
    game = nq.game(measured.GAME)
    solution, observer = nq.solve(game), Observer(game)

    def perfect(row: Any, mask: Any) -> int:
        total, barred = (int(row[observer.at(name)][0]) for name in ("sum", "barred"))
        move = game.actions.index(solution.best(Position(total, barred, 0))[0])
        assert mask[move]
        return move

    assert measured.measured(perfect, deals=3) == (100, 0)
    score, regret = measured.measured(lambda _, mask: int(mask.argmax()), deals=3)
    assert score < 50
    assert regret > 0.1


def test_an_encoded_observation_has_one_place_for_each_number(measured: Any) -> None:
    for slug in ("sumquest", "mystic"):
        game = nq.game(slug)
        observer = Observer(game)
        encode = measured.Encoder(observer)
        batch = np.stack([observer.low, observer.high])
        assert encode(batch).shape == (2, encode.size)
        assert encode(batch).sum(axis=1).tolist() == [observer.size, observer.size]
        assert (encode(observer.low) != encode(observer.high)).any()
