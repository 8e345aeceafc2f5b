"""`fifty` in tables: the pool as one number, and both scores with whose turn it is as another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from numberquest.envs.batches.pooled import Pooled
from numberquest.envs.batches.tables import Legal, Tables, for_both, result_of, turn_for_both
from numberquest.games.fifty.rules import Fifty, Position
from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Callable


class State(NamedTuple):
    """The pool of each game, numbered as in `solve.pools`, and its scores with whose turn it is in one number."""

    pool: Any
    scores: Any


class FiftyTables(Tables[Fifty, State]):
    """A move takes a number out of the pool, and leads from scores to scores."""

    def __init__(self, game: Fifty, xp: Any) -> None:
        super().__init__(game, xp)
        self._pooled = Pooled(game.high, game.copies)
        self.pools = self._pooled.pools.number
        self.start = State(self._pooled.full, 0)
        self._list_scores()
        self._pools_shown = self.shows(pool=self._pooled.counts)
        self._cases = self.table(self._pooled.kinds())
        numbers = [self._pooled.tuple_of(sum(self._pooled.weights[n] for n in kind)) for kind in _kinds(game.high)]
        self.legal = Legal(game, [game.moves(Position(pool, (0, 0))) for pool in numbers], self.arrays)
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
        self._scores_shown = self.shows(
            turn=turn_for_both(turns), mine=for_both(firsts, seconds), other=for_both(seconds, firsts)
        )
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

    def fresh(self, size: int | tuple[int, ...]) -> State:
        return State(self.full(size, self.start.pool), self.full(size, self.start.scores))

    def move(self, state: State, actions: Any, bits: Callable[[], Any]) -> tuple[State, Any]:
        pool = state.pool - self.take(self._taken, actions)
        scores = self.take(self._after, state.scores * self.actions + actions)
        return State(pool, scores), self.take(self._results, scores + self.where(pool == 0, self._size))

    def restart(self, state: State, ended: Any) -> State:
        return State(*self.anew(ended, state, self.start))

    def cases(self, state: State) -> Any:
        return self.take(self._cases, state.pool)

    def players(self, state: State) -> Any:
        return self.take(self._turns, state.scores)

    def observe(self, state: State, players: Any) -> Any:
        scores = self.take(self._scores_shown, 2 * state.scores + players)
        return self.seen(scores + self.take(self._pools_shown, state.pool))

    def position(self, state: State, i: int) -> Position:
        first, second = (int(of[int(state.scores[i])]) for of in self.scores[1:])
        return Position(self._pooled.tuple_of(int(state.pool[i])), (first, second))


def _kinds(high: int) -> list[tuple[int, ...]]:
    """Every set of the numbers from 1 to this, in the order of its bits."""
    return [tuple(n for n in range(1, high + 1) if kind >> n - 1 & 1) for kind in range(2**high)]


TABLES = FiftyTables
