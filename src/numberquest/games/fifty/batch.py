"""`fifty` in tables: the pool as one number, and both scores with whose turn it is as another."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

import numpy as np

from numberquest.envs.batches.tables import GOES_ON, LOST, WON, Legal, Pooled, Tables, Truth, no_bits, result_of
from numberquest.games.fifty.rules import Fifty, Position
from numberquest.games.fifty.solver import MOST_BYTES, FiftySolution, always_won, table_bytes
from numberquest.solver import solve
from numberquest.solver.distance import distances
from numberquest.solver.pool_recurrence import PoolDistances, Pools


class FiftyState(NamedTuple):
    """The pool of each game, numbered as in `solve.pools`, and its scores with whose turn it is in one number."""

    pool: Any
    scores: Any


class FiftyTables(Tables[Fifty, FiftyState]):
    """A move takes a number out of the pool, and leads from scores to scores."""

    def __init__(self, game: Fifty, xp: Any) -> None:
        super().__init__(game, xp)
        self._pooled = Pooled(game.high, game.copies)
        self.pools = self._pooled.pools.number
        self.start = FiftyState(self._pooled.full, 0)
        self._list_scores()
        self._pools_shown = self.shows(pool=self._pooled.counts)
        # Which numbers are there at all: a bit for each, the lowest for 1. And every such set, by its bits.
        self._cases = self.table((self._pooled.counts > 0) @ (1 << np.arange(game.high)))
        numbers = range(1, game.high + 1)
        kinds = [tuple(n for n in numbers if kind >> n - 1 & 1) for kind in range(2**game.high)]
        self.legal = Legal(game, [game.moves(Position(pool, (0, 0))) for pool in kinds], self.arrays)
        # What a move takes out of the pool is asked of the game, as everything is.
        whole = game.start()
        left = [game.play(whole, move).pool for move in game.actions]
        self.taken = [self._pooled.full - sum(self._pooled.weights[n] for n in pool) for pool in left]
        """What each action takes from the number of the pool."""
        self._taken = self.table(self.taken)

    def _list_scores(self) -> None:
        """Number the scores and turns, and say where each action leads."""
        game, target = self.game, self.game.target
        pool = game.start().pool
        played = [
            [game.play(Position(pool, (score, 0)), move).scores[0] for move in game.actions] for score in range(target)
        ]
        ends = sorted({score for row in played for score in row if score >= target})
        after = np.searchsorted([*range(target), *ends], played)[:, None, :]
        # First all from which the game goes on: turn by score of Player 1 by score of Player 2. Then those at
        # which it is over: who has just moved, by their score, which is one of `ends`, by the other's score.
        self._open = 2 * target**2
        other = np.arange(target)[None, :, None]
        leads = []
        for mover in (0, 1):
            first, second = (other, after) if mover else (after, other)
            on = ((1 - mover) * target + first) * target + second
            over = self._open + (mover * len(ends) + after - target) * target + other
            lead = np.where(after < target, on, over)
            leads.append(lead.swapaxes(0, 1) if mover else lead)
        self.leads = np.stack(leads).reshape(-1)
        """Where each action leads from each of the scores that the game goes on from."""
        self._after = self.table(self.leads)
        scores = range(target)
        listed = [(turn, one, two) for turn in (0, 1) for one in scores for two in scores]
        listed += [(1, past, two) for past in ends for two in scores]
        listed += [(0, one, past) for past in ends for one in scores]
        turns, firsts, seconds = np.array(listed).T
        self._turns = self.table(turns)
        self.scores = turns, firsts, seconds
        """Whose turn it is and both scores, by their number."""
        self._scores_shown = self.shows_sides(turns, firsts, seconds)
        # And once more for an empty pool.
        self._size = len(listed)
        last = game.turn(Position((), (0, 0)))
        won = [0] * self._open
        won += [result_of(game, Position(pool, (one, two)), 1 - turn) for turn, one, two in listed[self._open :]]
        won_last = [
            result_of(game, Position((), (one, two)), 1 - turn) if turn == last else 0
            for turn, one, two in listed[: self._open]
        ]
        self.results = np.array(won + won_last + won[self._open :], np.int8)
        """What it means to arrive at scores; and once more, with no number left."""
        self._results = self.table(self.results, np.int8)

    @classmethod
    def bytes_for(cls, game: Fifty) -> int:
        # By pool: its numbers, and which are there; by scores: where each action leads, and what is shown.
        return Pools(game.high, game.copies).number * 36 + 2 * game.target**2 * (len(game.actions) * 4 + 250)

    def move(self, state: FiftyState, actions: Any, bits: Callable[[], Any]) -> tuple[FiftyState, Any]:
        pool = state.pool - self.take(self._taken, actions)
        scores = self.take(self._after, state.scores * self.actions + actions)
        return FiftyState(pool, scores), self.take(self._results, scores + self.where(pool == 0, self._size))

    def cases(self, state: FiftyState) -> Any:
        return self.take(self._cases, state.pool)

    def players(self, state: FiftyState) -> Any:
        return self.take(self._turns, state.scores)

    def observe(self, state: FiftyState, players: Any) -> Any:
        scores = self.take(self._scores_shown, 2 * state.scores + players)
        return self.seen(scores + self.take(self._pools_shown, state.pool))

    def position(self, state: FiftyState, i: int) -> Position:
        first, second = (int(of[int(state.scores[i])]) for of in self.scores[1:])
        return Position(self._pooled.tuple_of(int(state.pool[i])), (first, second))


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
        words = np.frombuffer(solution.table.whole(), np.uint64)
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
        """Both scores in one number, by scores and turn, as whoever is to move sees them."""
        self._leads: list[Any] = []

    @classmethod
    def bytes_for(cls, tables: FiftyTables) -> int:
        # Who wins, where every move wins, and how soon.
        return 2 * table_bytes(tables.game) + min(tables.pools * tables.game.target**2, MOST_BYTES)

    def _look(self, rows: Any, state: FiftyState) -> Any:
        """The bit of each position."""
        word = self.take(rows, state.pool * self._pool + self.take(self._word, state.scores))
        return word >> self.take(self._bit, state.scores) & 1

    def values(self, state: FiftyState) -> Any:
        return self.xp.astype(self._look(self._won, state), self.tables.arrays.digits)

    def regret(self, state: FiftyState, actions: Any) -> Any:
        return self._lost(state, actions, self._look(self._won, state))

    def mattered(self, state: FiftyState) -> Any:
        return self._look(self._won, state) != self._look(self._always, state)

    def judged(self, state: FiftyState, actions: Any) -> tuple[Any, Any, Any]:
        won = self._look(self._won, state)
        value = self.xp.astype(won, self.tables.arrays.digits)
        return self._lost(state, actions, won), value, won != self._look(self._always, state)

    def _lost(self, state: FiftyState, actions: Any, won: Any) -> Any:
        xp = self.xp
        after, results = self.tables.move(state, actions, no_bits)
        # Where the game goes on, a move wins that leaves the other in a lost position.
        kept = xp.where(results == GOES_ON, self._look(self._won, after) == 0, results == WON)
        return xp.astype((won == 1) & ~kept, self.tables.arrays.digits)

    def ready(self) -> None:
        if self._leads:
            return
        tables, found = self.tables, cast("PoolDistances[Any]", distances(self.tables.game))
        # One at either end for the other's score where a move ends the game: what is far beyond the table leads there.
        scores = np.frombuffer(found.table.whole(), np.int8)
        self._scores = self.xp.asarray(np.concatenate([[np.int8(SETTLED)], scores, [np.int8(-SETTLED)]]))
        self._last = len(scores) + 1
        self._places = self.table(self._sides + 1)
        leads = tables.leads.reshape(-1, tables.actions)
        results = tables.results[leads]
        places = np.where(results == WON, BEYOND, np.where(results == LOST, -BEYOND, self._sides[leads] + 1))
        # For each action, by scores, how the one who is next sees them.
        self._leads = [self.table(np.ascontiguousarray(column, np.int32)) for column in places.T]

    def perfect(self, state: FiftyState, bits: Callable[[], Any]) -> Any:
        self.ready()
        return self.any_of(self._best(state), bits)

    def _best(self, state: FiftyState) -> list[Any]:
        """For each action, where it wins as soon, or loses as late, as the score of a position says that it can be."""
        tables, xp, take, sides = self.tables, self.xp, self.take, self.tables.game.target**2
        pool = state.pool * sides
        score = take(self._scores, pool + take(self._places, state.scores))
        # One move further from the end a score is one step closer to zero, and it is the other's.
        wanted = -score - xp.astype(score > 0, score.dtype) + xp.astype(score < 0, score.dtype)
        masks, cases = tables.legal.masks, tables.cases(state)
        good = []
        holding: dict[int, tuple[Any, Any]] = {}
        for action, taken in enumerate(tables.taken):
            if taken not in holding:
                allowed = take(masks[:, action], cases)
                # Without that number in the pool, any other place will do.
                holding[taken] = allowed, xp.where(allowed, pool - taken * sides, xp.zeros_like(pool))
            allowed, left = holding[taken]
            places = xp.clip(left + take(self._leads[action], state.scores), 0, self._last)
            good.append((take(self._scores, places) == wanted) & allowed)
        return good


def _halves(words: Any) -> Any:
    """Words of 64 bits as twice as many of 32, the lower half first."""
    return np.stack([words & 0xFFFFFFFF, words >> np.uint64(WORD)], axis=-1).astype(np.uint32).reshape(-1)


TABLES = FiftyTables
TRUTH = FiftyTruth
