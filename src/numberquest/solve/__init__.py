"""The exact value of every position. `solve(game)` picks the solver and keeps what took long on disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest.games.fifty import Fifty
from numberquest.games.grid import Grid
from numberquest.games.mystic import Mystic
from numberquest.games.showdown import Showdown
from numberquest.solve.pools import TooLarge, impatient, silently
from numberquest.solve.solution import Solution
from numberquest.solve.table import kept_or_made

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from numberquest.game import Game, P
    from numberquest.solve.pools import Progress
    from numberquest.solve.table import Table

__all__ = ["Solution", "TooLarge", "solve"]

LARGEST_SEARCHED_SIDE = 3
"""Boards up to this size are searched, which is exact; larger ones have too many positions for that."""

_solved: dict[Game[Any], Solution[Any]] = {}


class _Solver(NamedTuple):
    """A solver that fills a table: the file it is in, what reads its table, and how an item is stored."""

    module: ModuleType
    reader: Callable[[Any, Table], Solution[Any]]
    item: str


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
    if isinstance(game, Showdown):
        from numberquest.solve.predictions import Predictions

        return Predictions(game)
    solver = _solver_for(game)
    if solver is None:
        from numberquest.solve.search import Search

        return Search(game)

    def make() -> memoryview:
        values: memoryview = solver.module.solve(game, progress).reshape(-1).data
        return values

    return solver.reader(game, kept_or_made(game, solver.item, make, warn))


def _solver_for(game: Game[Any]) -> _Solver | None:
    if isinstance(game, Fifty):
        from numberquest.solve import fifty

        return _Solver(fifty, fifty.FiftySolution, "Q")
    if isinstance(game, Mystic):
        from numberquest.solve import mystic

        return _Solver(mystic, mystic.MysticSolution, "d")
    if isinstance(game, Grid) and game.side > LARGEST_SEARCHED_SIDE:
        from numberquest.solve import grid

        return _Solver(grid, grid.GridSolution, "d")
    return None
