"""What somebody who does not know a game yet wants to know of it: how long it takes, and how much luck is in it."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.contract import CHANCE
from numberquest.players import PLAYERS

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.solver import Solution

GAMES: Final = 200
"""So many are played, always the same ones; fewer where they take long."""
PATIENCE: Final = 2.0
"""After so many seconds those that were played must do."""
MIDDLE: Final = (0.1, 0.9)
"""The shortest and the longest tenth of all games are not what somebody should expect."""
SLIPS: Final = PLAYERS["medium"].any_move / 100
"""How often people are taken to make any move."""


class Glance(NamedTuple):
    """How many turns most games have, and how much luck is in them: 0 none, 1 nothing else."""

    turns: tuple[int, int]
    luck: float | None
    """The share of chance, not of moves, in the swings of who is winning; None where nobody knows who is."""


class _Played(NamedTuple):
    turns: int
    by_chance: float
    by_moves: float
    """The squares of how far Player 1's chance to win swung."""


def glance(game: Game[Any], solution: Solution[Any] | None) -> Glance:
    """Look at some games of this rule set, played by people who err at times."""
    dice = Random("glance")  # noqa: S311  # the same games every time
    until = time.monotonic() + PATIENCE
    played = [_played(game, solution, dice)]
    while len(played) < GAMES and time.monotonic() < until:
        played.append(_played(game, solution, dice))
    lengths = sorted(one.turns for one in played)
    low, high = (lengths[round(part * (len(lengths) - 1))] for part in MIDDLE)
    return Glance((low, high), _luck(game, solution, played))


def _luck(game: Game[Any], solution: Solution[Any] | None, played: list[_Played]) -> float | None:
    if not game.chance:
        return 0.0
    by_chance, by_moves = sum(one.by_chance for one in played), sum(one.by_moves for one in played)
    return None if solution is None or not by_chance else by_chance / (by_chance + by_moves)


def _played(game: Game[Any], solution: Solution[Any] | None, dice: Random) -> _Played:
    p, turns, last, swings = game.start(), 0, CHANCE, [0.0, 0.0]
    for _ in range(game.bound):
        if game.outcome(p) is not None:
            break
        mover, moves = game.player(p), game.moves(p)
        if mover == CHANCE:
            after = game.play(p, dice.choices(moves, game.weights(p))[0])
        else:
            turns, last = turns + (mover != last), mover
            best = moves if solution is None or dice.random() < SLIPS else solution.best(p)
            after = game.play(p, dice.choice(best))
        if game.chance and solution is not None:
            swing = float(solution.value_for(0, after)) - float(solution.value_for(0, p))
            swings[mover != CHANCE] += swing * swing
        p = after
    return _Played(turns, *swings)
