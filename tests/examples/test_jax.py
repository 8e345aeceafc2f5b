"""The learner of the examples becomes perfect under small rules, on whatever JAX runs on."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import numberquest as nq
from tests.adapters.environment import needed

needed("jax", "jax")

FILE = Path(__file__).parent.parent.parent / "examples" / "device_learner.py"


def loaded() -> Any:
    spec = spec_from_file_location(FILE.stem, FILE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LEARNING = loaded()
SMALL = [nq.game("fifty", target=12, high=3), nq.game("mystic", target=8, high=3)]


@pytest.fixture(scope="module", params=SMALL, ids=repr)
def learner(request: pytest.FixtureRequest) -> Any:
    found = LEARNING.Learner(request.param, 512)
    for part in range(60):
        found.learn(part / 60)
    return found


def decisions(game: nq.Game[Any], games: int) -> list[Any]:
    """The positions of random games in which somebody chooses."""
    dice, found = Random(1), []
    for _ in range(games):
        p = game.start()
        while game.outcome(p) is None:
            if game.player(p) == nq.CHANCE:
                p = game.play(p, dice.choices(game.moves(p), game.weights(p))[0])
            else:
                found.append(p)
                p = game.play(p, dice.choice(game.moves(p)))
    return found


def test_it_learns_from_nothing_to_give_nothing_away(learner: Any) -> None:
    game = learner.game
    solution = nq.solve(game)

    def given_away(chances: Any) -> float:
        player, lost = LEARNING.Learned(game, chances), 0.0
        for p in decisions(game, 200):
            worth = solution.moves(p)
            lost += max(worth.values()) - sum(worth[move] * odds for move, odds in player.odds(game, p).items())
        return lost

    before = given_away(np.asarray(LEARNING.Learner(game, 1).chances))
    assert before > 10
    # Without luck nothing at all; with it, what a rare position has not been met often enough for.
    assert given_away(np.asarray(learner.chances)) <= (0.001 * before if game.chance else 1e-9)
    assert learner.played > 100_000


def test_the_player_looks_where_the_device_has_written(learner: Any) -> None:
    game, core = learner.game, learner.core
    player = LEARNING.Learned(game, np.asarray(learner.chances))
    state = learner._carried[2]
    for i in range(50):
        # What stands there has a number drawn in some games: as it was before, it is what somebody left.
        seen = core.position(state, i)
        if game.chance:
            seen = seen._replace(unseen=(*seen.unseen, seen.drawn), drawn=0)
        assert player.place(seen) == int(learner._carried[3][i])


def test_the_picture_shows_every_look_of_both_games() -> None:
    points = [(part, 100 * part) for part in LEARNING.LOOKS]
    drawn = LEARNING.curves({"one": points, "two": points}, "Title")
    assert drawn.count("<circle") == drawn.count("<rect x") == len(LEARNING.LOOKS)
