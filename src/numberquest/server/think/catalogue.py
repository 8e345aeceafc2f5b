"""The games on offer, with what to expect of them and what is proved about them, as a message."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from numberquest.games import GAMES
from numberquest.lab.glance import glance
from numberquest.players import PLAYERS
from numberquest.server import wire
from numberquest.server.offered import offer
from numberquest.server.think.reviews import chance
from numberquest.solver import TooLarge, budget, solve
from numberquest.solver.proved import proved

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.solver import Solution

PATIENCE: Final = 8.0
TOGETHER: Final = 40.0
"""So many seconds a game may take to solve here, and all of them: of one that takes longer nothing is told."""


def catalogue() -> wire.Games:
    """All games, and the computer players, weakest first."""
    levels = [wire.Level(name) for name in PLAYERS]
    until = time.monotonic() + TOGETHER
    games = []
    for kind in GAMES.values():
        budget.patience = max(0.0, min(PATIENCE, until - time.monotonic()))
        games.append(_info(kind()))
    return wire.Games(games, levels)


def _info(game: Game[Any]) -> wire.GameInfo:
    solution = _solved(game)
    look = glance(game, solution)
    info = offer(game)
    info.turns, info.luck = look
    if solution is not None:
        info.proved = wire.Said(*proved(solution))
        info.value = chance(solution.value_for(0, game.start()))
    return info


def _solved(game: Game[Any]) -> Solution[Any] | None:
    try:
        return solve(game)
    except TooLarge:
        return None
