"""The exact value of every position. `solve(game)` picks the solver and keeps what took long on disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from numberquest.games import part
from numberquest.solver.budget import TooLarge, impatient, silently
from numberquest.solver.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.contract import Game, P
    from numberquest.solver.budget import Progress

__all__ = ["Solution", "TooLarge", "solve"]

_solved: dict[Game[Any], Solution[Any]] = {}


def solve(game: Game[P], *, progress: Progress | None = None, warn: Callable[[str], None] | None = None) -> Solution[P]:
    """The value of every position; kept on disk after the first time where that took long.

    `progress` is told how many layers of how many are done, `warn` what is wrong with a kept file.
    `TooLarge` where it does not fit into memory.
    """
    if game not in _solved:
        started = time.perf_counter()
        solution = _solution(game, impatient(game, "values", progress or silently), warn or silently)
        solution.seconds = time.perf_counter() - started
        _solved[game] = solution
    return _solved[game]


def _solution(game: Game[Any], progress: Progress, warn: Callable[[str], None]) -> Solution[Any]:
    # A solver that lies beside the rules may still leave some settings to the search.
    own = part(type(game), "solver")
    found: Solution[Any] | None = own.solution(game, progress, warn) if own else None
    if found is not None:
        return found
    from numberquest.solver.search import Circular, Search

    try:
        return Search(game, progress)
    except Circular:
        if game.chance:
            from numberquest.solver.endless import Endless

            return Endless(game, progress)
        from numberquest.solver.retrograde import Retrograde

        return Retrograde(game, progress)
