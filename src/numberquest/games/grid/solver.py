"""Solves large boards of `grid`: the winning chance for every set of covered numbers and every own total.

The opponent's total needs no place in the table: it is what lies open and is not one's own. There are
two tables, for two players at the board and for one who goes on alone because the other stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.grid.rules import NO_CELL, Grid, Position
from numberquest.solver.budget import Size, check_memory
from numberquest.solver.solution import Solution
from numberquest.solver.table import kept_or_made

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.solver.budget import Progress
    from numberquest.solver.table import Table

    Chances = NDArray[np.float64]


LARGEST_SEARCHED_SIDE = 3
"""Boards up to this size are searched, which is exact; larger ones have too many positions for that."""


def solution(game: Grid, progress: Progress, warn: Callable[[str], None]) -> GridSolution | None:
    """Solved, or read from disk; None for boards that are better searched."""
    if game.side <= LARGEST_SEARCHED_SIDE:
        return None
    return GridSolution(game, kept_or_made(game, "d", lambda: solve(game, progress).reshape(-1).data, warn))


class GridSolution(Solution[Position]):
    """Reads the chances before a cell is chosen; while one is being opened, they follow from these."""

    def __init__(self, game: Grid, table: Table) -> None:
        super().__init__(game)
        self._table = table
        self._target = game.target
        self._sets = 2 ** len(game.deck)
        self.positions = table_bytes(game) // 8

    def known(self, p: Position) -> float | None:
        """The chance before a choice."""
        if p.opening != NO_CELL:
            return None
        turn = self.game.turn(p)
        covered = self._sets - 1 - sum([1 << number >> 1 for number in p.cells if number])
        row = covered + (self._sets if p.stood[1 - turn] else 0)
        chance: float = self._table[row * self._target + p.totals[turn]]
        return chance

    def chances(self) -> memoryview:
        """The whole table: with both at the board and then alone, covered numbers by own total."""
        return self._table.whole()


def how_large(game: Grid) -> Size | None:
    """Known beforehand for boards that are not searched."""
    return None if game.side <= LARGEST_SEARCHED_SIDE else Size(table_bytes(game) // 8, 3 * table_bytes(game))


def table_bytes(game: Grid) -> int:
    """How large the finished table is."""
    return (2 if game.stand else 1) * (1 << len(game.deck)) * game.target * 8


def solve(game: Grid, progress: Progress) -> Chances:
    """The table: one or two times the sets of covered numbers by own total."""
    check_memory(3 * table_bytes(game), game)
    import numpy as np

    numbers, target = game.deck, game.target
    sets = np.arange(2 ** len(numbers))
    holds = np.array([sets >> at & 1 for at in range(len(numbers))], dtype=bool)
    opened = sum(numbers) - np.sum([number * held for number, held in zip(numbers, holds, strict=True)], axis=0)
    sizes = np.sum(holds, axis=0)
    effects = effects_of(game)
    together = np.zeros((len(sets), target))
    alone = np.zeros((len(sets) if game.stand else 0, target))
    together[0], lone_end = _at_the_end(game)
    if game.stand:
        alone[0] = lone_end
        standing = both_stand(game)
    for size in range(1, len(numbers) + 1):
        layer = np.flatnonzero(sizes == size)
        # The opponent's total; where it cannot be, the entry is never asked for.
        yours = np.clip(opened[layer, None] - np.arange(target), 0, target - 1)
        chances = np.zeros((len(layer), target))
        lone = np.zeros_like(chances)
        for at, effect in enumerate(effects):
            held = np.flatnonzero(holds[at, layer])
            rest = layer[held] - (1 << at)
            worth = 1 - np.take_along_axis(together[rest], yours[held], axis=1)
            chances[held] += np.where(effect >= target, effect == target, worth)
            if game.stand:
                padded = np.pad(alone[rest], ((0, 0), (0, 2)))
                padded[:, target] = 1
                lone[held] += padded[:, effect]
        chances /= size
        if game.stand:
            lone /= size
            alone[layer] = np.maximum(lone, standing[np.arange(target), yours])
            chances = np.maximum(chances, 1 - np.take_along_axis(alone[layer], yours, axis=1))
        together[layer] = chances
        progress(size, len(numbers))
    return np.concatenate([together, alone])


def effects_of(game: Grid) -> list[NDArray[np.intp]]:
    """For each number, the total that each total leads to, as the game itself plays it; beyond: won, then lost."""
    import numpy as np

    start = game.start()
    effects = []
    for number in game.deck:
        totals = []
        for total in range(game.target):
            after = game.play(start._replace(totals=(total, 0), opening=0), str(number))
            outcome = game.outcome(after)
            totals.append(after.totals[0] if outcome is None else game.target + (outcome.winner != 0))
        effects.append(np.array(totals))
    return effects


def _at_the_end(game: Grid) -> tuple[Chances, Chances]:
    """Every cell open: for the player who would be next, and for one who has gone on alone."""
    import numpy as np

    together, alone = np.zeros(game.target), np.zeros(game.target)
    for mine in range(game.target):
        yours = sum(game.deck) - mine
        if 0 <= yours < game.target:
            end = Position(game.deck, (mine, yours), 1, NO_CELL, (False, False))
            together[mine] = _first_wins(game, end)
            alone[mine] = _first_wins(game, end._replace(last=0, stood=(False, True)))
    return together, alone


def both_stand(game: Grid) -> Chances:
    """Who wins when the second player stands too, by that player's total and the other's."""
    import numpy as np

    end = game.start()._replace(last=0, stood=(True, True))
    rows = [[_first_wins(game, end._replace(totals=(a, b))) for b in range(game.target)] for a in range(game.target)]
    return np.array(rows, dtype=np.float64)


def _first_wins(game: Grid, p: Position) -> bool:
    outcome = game.outcome(p)
    return outcome is not None and outcome.winner == 0
