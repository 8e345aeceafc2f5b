"""Batches on another array module beside those on NumPy: `python -m tests.envs.other_arrays jax.numpy`."""

import importlib
import sys
from typing import Any

import numpy as np

from numberquest.core.contract import Game
from numberquest.core.registry import GAMES, game
from numberquest.envs.batch import Batch
from tests.own.kinds import OWN

RULES = [*map(game, GAMES.own), game("grid", side=4, stand=True), *OWN]


def check_same_games(rules: Game[Any], xp: Any) -> None:
    """Everything that a batch says is the same, and an array of that module."""
    theirs, ours = Batch(rules, 50, 1, xp=xp), Batch(rules, 50, 1)

    def same(found: Any, expected: Any) -> bool:
        assert isinstance(found, type(xp.asarray([1])))
        return bool(np.array_equal(np.asarray(found), expected))

    some = np.arange(50) % 3 > 0
    for step in range(6):
        actions = ours.sample()
        assert same(theirs.sample(), actions)
        assert same(theirs.allowed(xp.asarray(actions)), ours.allowed(actions))
        only = (xp.asarray(some), some) if step % 2 else (None, None)
        theirs.step(xp.asarray(actions), only[0])
        ours.step(actions, only[1])
        assert same(theirs.rewards, ours.rewards)
        assert same(theirs.ended, ours.ended)
        assert same(theirs.truncated, ours.truncated)
        assert same(theirs.masks, ours.masks)
        assert same(theirs.players, ours.players)
        assert same(theirs.winners, ours.winners)
        assert same(theirs.observe(), ours.observe())
        assert same(theirs.observe_final(theirs.movers), ours.observe_final(ours.movers))
        assert theirs.position(3) == ours.position(3)
    theirs.restart(xp.asarray(some))
    ours.restart(some)
    assert same(theirs.observe(), ours.observe())


if __name__ == "__main__":
    for each in RULES:
        check_same_games(each, importlib.import_module(sys.argv[1]))
    print(len(RULES), "games are the same")
