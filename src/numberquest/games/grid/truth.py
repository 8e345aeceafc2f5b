"""What is true of `grid` in thousands of games at once.

The cells are all alike, so there are two things to do at most: to open one, or to stand. What they are worth depends
on which numbers are unseen, on the own total, and on whether the other stands; the other's total follows from these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from numberquest.envs.batches.truth import Truth
from numberquest.games.grid.batch import GridTables
from numberquest.games.grid.rules import NO_CELL, Position
from numberquest.games.grid.solver import GridSolution, both_stand, effects_of
from numberquest.solver import solve
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from numberquest.games.grid.batch import State
    from numberquest.games.grid.rules import Grid

OPEN, STAND, BOTH = 0, 1, 2
KINDS: Final = 2
"""To open a cell, and to stand."""


class GridTruth(Truth[GridTables]):
    """By what is unseen and the own total, with both at the board and alone: what is best, and what is lost."""

    def __init__(self, tables: GridTables) -> None:
        super().__init__(tables)
        game = tables.game
        self._totals = game.target
        values, lost, perfect = _read(game) if isinstance(solve(game), GridSolution) else _searched(game)
        self._values, self._lost = self.chances(values), self.chances(lost.reshape(-1))
        self._mattered = self.table(np.asarray((lost > 0).any(axis=-1)))
        self._perfect = self.table(perfect)
        sets = 2 ** len(game.deck)
        places = []
        for p in tables.sides:
            turn = game.turn(p)
            # The end of a game is never asked for.
            places.append((sets if p.stood[1 - turn] else 0) * self._totals + min(p.totals[turn], self._totals - 1))
        self._sides = self.table(np.array(places, np.int32))
        self._stands = self.table(np.array([move == "stand" for move in game.actions], np.int32))

    @classmethod
    def bytes_for(cls, tables: GridTables) -> int:
        # By what is unseen, twice, and the own total: the value, what is lost by either, what matters, what is perfect.
        return (2 << len(tables.game.deck)) * tables.game.target * (8 + KINDS * 8 + 2)

    def _place(self, state: State) -> Any:
        return self.take(self._sides, state.sides) + self.tables.unseen(state) * self._totals

    def values(self, state: State) -> Any:
        return self.take(self._values, self._place(state))

    def regret(self, state: State, actions: Any) -> Any:
        return self.take(self._lost, self._place(state) * KINDS + self.take(self._stands, actions))

    def mattered(self, state: State) -> Any:
        return self.take(self._mattered, self._place(state))

    def perfect(self, state: State, bits: Callable[[], Any]) -> Any:
        xp, legal = self.xp, self.tables.legal
        cases = self.tables.cases(state)
        counts = self.take(legal.counts, cases)
        which = xp.astype(self.take(self._perfect, self._place(state)), self.tables.index)
        # To stand comes last among what is allowed.
        last = counts - 1
        if not self.tables.game.stand:
            chosen = self._below(bits(), counts)
        else:
            chosen = self._below(bits(), counts - xp.astype(which == OPEN, counts.dtype))
            chosen = xp.where(which == STAND, last, chosen)
        return xp.astype(self.take(legal.lists, cases * self.actions + chosen), self.tables.index)


def _searched(game: Grid) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """What the search says of a small board, which is exact: it is asked about every position."""
    numbers, target = game.deck, game.target
    solution = solve(game)
    shape = 2, 2 ** len(numbers), target
    values, lost, worth = np.zeros(shape), np.zeros((*shape, KINDS)), np.zeros((*shape, KINDS))
    for unseen in range(1, shape[1]):
        opened = tuple(number for number in numbers if not unseen >> number - 1 & 1)
        cells = (*opened, *(0,) * (len(numbers) - len(opened)))
        for mine in range(max(0, sum(opened) - target + 1), min(sum(opened), target - 1) + 1):
            for alone in range(1 + game.stand):
                # Player 1 is to move; the other has played last, or stands.
                totals = mine, sum(opened) - mine
                p = Position(cells, totals, 0 if alone else 1, NO_CELL, (False, bool(alone)))
                best = solution.value(p)
                values[alone, unseen, mine] = float(best)
                for kind, move in enumerate((game.moves(p)[0], "stand")[: 1 + game.stand]):
                    after = solution.value_for(0, game.play(p, move))
                    worth[alone, unseen, mine, kind] = float(after)
                    lost[alone, unseen, mine, kind] = float(best - after)
    return values.reshape(-1), _told(lost), _perfect(game, values, worth)


def _read(game: Grid) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The same of a large board, from the solver's table; every sum in the order in which `Solution` makes it."""
    solution = cast("GridSolution", solve(game))
    numbers, target = game.deck, game.target
    known = np.frombuffer(solution.chances()).reshape(1 + game.stand, -1, target)
    sets = np.arange(known.shape[1])
    held = np.array([sets >> at & 1 for at in range(len(numbers))], bool)
    opened = sum(numbers) - sum(number * there for number, there in zip(numbers, held, strict=True))
    size = np.maximum(held.sum(axis=0), 1)
    # Where the other's total cannot be, nobody ever asks.
    yours = np.clip(opened[:, None] - np.arange(target), 0, target - 1)
    worth = np.zeros((2, len(sets), target, KINDS))
    for alone in range(1 + game.stand):
        opening = worth[alone, ..., OPEN]
        for at, effect in enumerate(effects_of(game)):
            rest = sets[held[at]] - (1 << at)
            if alone:
                padded = np.pad(known[1][rest], ((0, 0), (0, 2)))
                padded[:, target] = 1
                opening[held[at]] += padded[:, effect]
            else:
                following = 1 - np.take_along_axis(known[0][rest], yours[held[at]], axis=1)
                opening[held[at]] += np.where(effect >= target, effect == target, following)
        opening /= size[:, None]
        if alone:
            worth[alone, ..., STAND] = both_stand(game)[np.arange(target), yours]
        elif game.stand:
            worth[alone, ..., STAND] = 1 - np.take_along_axis(known[1], yours, axis=1)
    values = np.concatenate([known, np.zeros_like(known)])[:2]
    lost = values[..., None] - worth
    lost[..., STAND] *= game.stand
    return values.reshape(-1), _told(lost), _perfect(game, values, worth)


def _perfect(game: Grid, values: NDArray[Any], worth: NDArray[Any]) -> NDArray[np.uint8]:
    """Which of the two is as good as can be; among equals, a win at once comes first, and a loss at once last."""
    perfect = np.full(values.shape, OPEN, np.uint8)
    if game.stand:
        best = worth >= worth.max(axis=-1)[..., None] - ALIKE
        perfect = np.where(best.all(axis=-1), BOTH, np.where(best[..., STAND], STAND, OPEN)).astype(np.uint8)
        # Only where the other stands already does it end the game.
        equal = perfect[1] == BOTH
        perfect[1][equal & (worth[1, ..., STAND] == 1)] = STAND
        perfect[1][equal & (values[1] <= ALIKE)] = OPEN
    return perfect.reshape(-1)


def _told(lost: NDArray[Any]) -> NDArray[Any]:
    """What is lost by either, without what is only rounding."""
    return np.where(lost > ALIKE, lost, 0.0).reshape(-1, KINDS)


TRUTH = GridTruth
