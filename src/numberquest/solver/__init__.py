"""The exact value of every position. `solve(game)` picks the solver and keeps what took long on disk."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numberquest.core.contract import Game, P
from numberquest.core.progress import Progress, silently
from numberquest.core.registry import part
from numberquest.solver import budget
from numberquest.solver.budget import NoDevice, Size, TooLarge, impatient
from numberquest.solver.device import CPU, DEVICES, check_device
from numberquest.solver.device import solution as solution_on
from numberquest.solver.solution import Solution

__all__ = ["NoDevice", "Solution", "TooLarge", "solve"]

_solved: dict[tuple[Game[Any], str], Solution[Any]] = {}


def solve(
    game: Game[P],
    *,
    device: str = CPU,
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> Solution[P]:
    """The value of every position; kept on disk after the first time where that took long.

    `device="cuda"` solves on a CUDA card, and leaves the values there. `progress` is told how many layers of how many
    are done, `warn` what is wrong with a kept file. `TooLarge` where it does not fit into memory; `NoDevice` where
    there is no such device, or the game cannot be solved there.
    """
    check_device(device)
    if (game, device) not in _solved:
        from numberquest.solver.table import Table

        started, before = time.perf_counter(), Table.times_read
        bounded = impatient(game, "values", progress or silently)
        on_card = device != CPU
        solution = solution_on(game, device, bounded) if on_card else _solution(game, bounded, warn or silently)
        solution.seconds, solution.kept = time.perf_counter() - started, Table.times_read > before
        _solved[game, device] = solution
    return _solved[game, device]


@contextmanager
def in_passing(game: Game[P], most: float = float("inf")) -> Iterator[None]:
    """Meanwhile nothing that is solved is written to disk, and afterwards nothing of this game is left in memory.

    A rule set of more positions than `most` is too large.
    """
    from numberquest.solver import graph, table

    before = table.keeping, budget.most_positions
    table.keeping, budget.most_positions = False, min(most, budget.most_positions)
    try:
        yield
    finally:
        table.keeping, budget.most_positions = before
        for device in DEVICES:
            _solved.pop((game, device), None)
        graph.forget(game)


def how_large(game: Game[Any]) -> Size | None:
    """How large a rule set is, where a solver of its own knows without solving it."""
    own = part(type(game), "solver")
    known: Callable[[Game[Any]], Size | None] | None = getattr(own, "how_large", None)
    return None if known is None else known(game)


def _solution(game: Game[Any], progress: Progress, warn: Callable[[str], None]) -> Solution[Any]:
    # A solver that lies beside the rules may still leave some settings to the search.
    own = part(type(game), "solver")
    found: Solution[Any] | None = own.solution(game, progress, warn) if own else None
    if found is not None:
        return found
    if game.has_secrets:
        from numberquest.solver.secrets.solution import SecretSolution

        return SecretSolution(game, progress)
    from numberquest.solver.graph import graph_of
    from numberquest.solver.listed import best_play

    return best_play(graph_of(game, progress=progress), progress)
