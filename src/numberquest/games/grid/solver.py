"""Solves large boards of `grid`: the winning chance for every set of covered numbers and every own total.

The opponent's total needs no place in the table: it is what lies open and is not one's own. There are
two tables, for two players at the board and for one who goes on alone because the other stands.
"""

from __future__ import annotations

from collections.abc import Callable

from numberquest.core.progress import Progress
from numberquest.games.grid.rules import NO_CELL, Grid, Position
from numberquest.solver.budget import Size, check_memory
from numberquest.solver.numbers import Indices, Numbers, np
from numberquest.solver.solution import Solution
from numberquest.solver.table import Table, kept_or_made

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
        self.table = table
        """With both at the board and then alone, covered numbers by own total."""
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
        chance: float = self.table[row * self._target + p.totals[turn]]
        return chance


def how_large(game: Grid) -> Size | None:
    """Known beforehand for boards that are not searched."""
    return None if game.side <= LARGEST_SEARCHED_SIDE else Size(table_bytes(game) // 8, 3 * table_bytes(game))


def table_bytes(game: Grid) -> int:
    """How large the finished table is."""
    return (2 if game.stand else 1) * (1 << len(game.deck)) * game.target * 8


def solve(game: Grid, progress: Progress) -> Numbers:
    """The table: one or two times the sets of covered numbers by own total."""
    check_memory(3 * table_bytes(game), game)
    target, openings = game.target, Openings(game)
    together = np.zeros((len(openings.sizes), target))
    alone = np.zeros((len(together) if game.stand else 0, target))
    together[0], lone_end = _at_the_end(game)
    if game.stand:
        alone[0] = lone_end
        standing = both_stand(game)
    for size in range(1, len(game.deck) + 1):
        layer = np.flatnonzero(openings.sizes == size)
        yours = openings.yours(layer)
        chances = openings.worth(together, layer, yours, alone=False)
        if game.stand:
            lone = openings.worth(alone, layer, yours, alone=True)
            alone[layer] = np.maximum(lone, standing[np.arange(target), yours])
            chances = np.maximum(chances, 1 - np.take_along_axis(alone[layer], yours, axis=1))
        together[layer] = chances
        progress(size, len(game.deck))
    return np.concatenate([together, alone])


class Openings:
    """What it is worth to open a cell, for sets of covered numbers by own total, from the table of smaller sets."""

    def __init__(self, game: Grid) -> None:
        numbers, self._target = game.deck, game.target
        sets = np.arange(2 ** len(numbers))
        self._holds = np.array([sets >> at & 1 for at in range(len(numbers))], dtype=bool)
        self.sizes = np.sum(self._holds, axis=0)
        self._opened = sum(numbers) - np.sum([n * held for n, held in zip(numbers, self._holds, strict=True)], axis=0)
        self._effects = effects_of(game)

    def yours(self, sets: Indices) -> Indices:
        """The opponent's total; where it cannot be, the entry is never asked for."""
        totals: Indices = np.clip(self._opened[sets, None] - np.arange(self._target), 0, self._target - 1)
        return totals

    def worth(self, known: Numbers, sets: Indices, yours: Indices, *, alone: bool) -> Numbers:
        """The mean over what may lie there; the opponent goes on, or stands."""
        target = self._target
        total = np.zeros((len(sets), target))
        for at, effect in enumerate(self._effects):
            held = np.flatnonzero(self._holds[at, sets])
            after = known[sets[held] - (1 << at)]
            if alone:
                padded = np.pad(after, ((0, 0), (0, 2)))
                padded[:, target] = 1
                total[held] += padded[:, effect]
            else:
                following = 1 - np.take_along_axis(after, yours[held], axis=1)
                total[held] += np.where(effect >= target, effect == target, following)
        total /= np.maximum(self.sizes[sets], 1)[:, None]
        return total


def effects_of(game: Grid) -> list[Indices]:
    """For each number, the total that each total leads to, as the game itself plays it; beyond: won, then lost."""
    opening = game.start()._replace(opening=0)

    def led_to(total: int, number: int) -> int:
        after = game.play(opening._replace(totals=(total, 0)), str(number))
        outcome = game.outcome(after)
        return after.totals[0] if outcome is None else game.target + (outcome.winner != 0)

    return [np.array([led_to(total, number) for total in range(game.target)]) for number in game.deck]


def _at_the_end(game: Grid) -> tuple[Numbers, Numbers]:
    """Every cell open: for the player who would be next, and for one who has gone on alone."""
    together, alone = np.zeros(game.target), np.zeros(game.target)
    for mine in range(game.target):
        yours = sum(game.deck) - mine
        if 0 <= yours < game.target:
            end = Position(game.deck, (mine, yours), 1, NO_CELL, (False, False))
            together[mine] = _first_wins(game, end)
            alone[mine] = _first_wins(game, end._replace(last=0, stood=(False, True)))
    return together, alone


def both_stand(game: Grid) -> Numbers:
    """Who wins when the second player stands too, by that player's total and the other's."""
    end = game.start()._replace(last=0, stood=(True, True))
    rows = [[_first_wins(game, end._replace(totals=(a, b))) for b in range(game.target)] for a in range(game.target)]
    return np.array(rows, dtype=np.float64)


def _first_wins(game: Grid, p: Position) -> bool:
    outcome = game.outcome(p)
    return outcome is not None and outcome.winner == 0
