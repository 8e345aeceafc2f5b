"""What is true of `fifty` in thousands of games at once: the solver's rows of bits, and its scores of how soon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from numberquest.envs.batches.tables import GOES_ON, LOST, WON
from numberquest.envs.batches.truth import Truth
from numberquest.games.fifty.batch import FiftyTables
from numberquest.games.fifty.distances import MOST_BYTES
from numberquest.games.fifty.solver import always_won, table_bytes
from numberquest.solver import solve
from numberquest.solver.distance import distances

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.games.fifty.batch import State
    from numberquest.games.fifty.distances import FiftyDistances
    from numberquest.games.fifty.solver import FiftySolution

WORD: Final = 32
"""Not every array module has whole numbers of 64 bits."""
BEYOND: Final = 1 << 30
"""Farther than any table is long; and twice as far still fits into 32 bits."""
SETTLED: Final = 127
"""The score of whoever has won, and below zero of whoever has lost; as in `solver.distance`."""


class FiftyTruth(Truth[FiftyTables]):
    """Who wins is a bit by pool and both scores; a move is as good as what it leads to is bad."""

    def __init__(self, tables: FiftyTables) -> None:
        super().__init__(tables)
        game, target = tables.game, tables.game.target
        solution = cast("FiftySolution", solve(game))
        words = np.frombuffer(solution.rows(), np.uint64)
        # In the order of the bits, whatever the order of the bytes of this machine.
        self._won = self.xp.asarray(_halves(words))
        rows = words.reshape(tables.pools, target, -1)
        self._always = self.xp.asarray(_halves(always_won(game, rows).reshape(-1)))
        self._row = rows.shape[-1] * 64 // WORD
        # By scores and turn, as whoever is to move sees them: which word of a pool, which bit of it.
        turns, first, second = tables.scores
        mine, yours = np.where(turns, second, first), np.where(turns, first, second)
        # The end of a game is never asked for.
        mine, yours = np.minimum(mine, target - 1), np.minimum(yours, target - 1)
        self._word = self.table((mine * self._row + yours // WORD).astype(np.int32))
        self._bit = self.xp.asarray((yours % WORD).astype(np.uint32))
        self._pool = target * self._row
        self._sides = (mine * target + yours).astype(np.int32)
        self._ranked: _Ranked | None = None

    @classmethod
    def bytes_for(cls, tables: FiftyTables) -> int:
        # Who wins, where every move wins, and how soon.
        return 2 * table_bytes(tables.game) + min(tables.pools * tables.game.target**2, MOST_BYTES)

    def _look(self, rows: Any, state: State) -> Any:
        """The bit of each position."""
        word = self.take(rows, state.pool * self._pool + self.take(self._word, state.scores))
        return word >> self.take(self._bit, state.scores) & 1

    def values(self, state: State) -> Any:
        return self.xp.astype(self._look(self._won, state), self.tables.arrays.digits)

    def regret(self, state: State, actions: Any) -> Any:
        return self._lost(state, actions, self._look(self._won, state))

    def mattered(self, state: State) -> Any:
        return self._look(self._won, state) != self._look(self._always, state)

    def judged(self, state: State, actions: Any) -> tuple[Any, Any, Any]:
        won = self._look(self._won, state)
        value = self.xp.astype(won, self.tables.arrays.digits)
        return self._lost(state, actions, won), value, won != self._look(self._always, state)

    def _lost(self, state: State, actions: Any, won: Any) -> Any:
        xp = self.xp
        after, results = self.tables.move(state, actions, _no_bits)
        # Where the game goes on, a move wins that leaves the other in a lost position.
        kept = xp.where(results == GOES_ON, self._look(self._won, after) == 0, results == WON)
        return xp.astype((won == 1) & ~kept, self.tables.arrays.digits)

    def ready(self) -> None:
        self._ranks()

    def _ranks(self) -> _Ranked:
        if self._ranked is None:
            self._ranked = _Ranked(self, self._sides)
        return self._ranked

    def perfect(self, state: State, bits: Callable[[], Any]) -> Any:
        return self.any_of(self._ranks().best(state), bits)


class _Ranked:
    """Which actions win as soon, or lose as late, as the score of a position says that it can be done."""

    def __init__(self, truth: FiftyTruth, sides: Any) -> None:
        tables = truth.tables
        found = cast("FiftyDistances", distances(tables.game))
        self._truth = truth
        # One at either end for the other's score where a move ends the game: what is far beyond the table leads there.
        scores = np.frombuffer(found.scores(), np.int8)
        self._scores = truth.xp.asarray(np.concatenate([[np.int8(SETTLED)], scores, [np.int8(-SETTLED)]]))
        self._last = len(scores) + 1
        self._pool = tables.game.target**2
        self._sides = truth.table(sides + 1)
        leads = tables.leads.reshape(-1, tables.actions)
        results = tables.results[leads]
        places = np.where(results == WON, BEYOND, np.where(results == LOST, -BEYOND, sides[leads] + 1))
        # For each action, by scores, how the one who is next sees them.
        self._leads = [truth.table(np.ascontiguousarray(column, np.int32)) for column in places.T]

    def best(self, state: State) -> list[Any]:
        """For each action, True in the games in which none is better."""
        tables, xp, take = self._truth.tables, self._truth.xp, self._truth.take
        pool = state.pool * self._pool
        score = take(self._scores, pool + take(self._sides, state.scores))
        # One move further from the end a score is one step closer to zero, and it is the other's.
        wanted = -score - xp.astype(score > 0, score.dtype) + xp.astype(score < 0, score.dtype)
        masks = tables.legal.masks
        cases = tables.cases(state)
        good = []
        holding: dict[int, tuple[Any, Any]] = {}
        for action, taken in enumerate(tables.taken):
            if taken not in holding:
                allowed = take(masks[:, action], cases)
                # Without that number in the pool, any other place will do.
                holding[taken] = allowed, xp.where(allowed, pool - taken * self._pool, xp.zeros_like(pool))
            allowed, left = holding[taken]
            places = xp.clip(left + take(self._leads[action], state.scores), 0, self._last)
            good.append((take(self._scores, places) == wanted) & allowed)
        return good


def _halves(words: Any) -> Any:
    """Words of 64 bits as twice as many of 32, the lower half first."""
    return np.stack([words & 0xFFFFFFFF, words >> np.uint64(WORD)], axis=-1).astype(np.uint32).reshape(-1)


def _no_bits() -> Any:
    raise AssertionError("nothing is left to chance here")


TRUTH = FiftyTruth
