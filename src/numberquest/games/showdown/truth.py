"""What is true of `showdown` in thousands of games at once: who wins, and how soon, by the pool and what was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from numberquest.envs.batches.tables import GOES_ON, WON
from numberquest.envs.batches.truth import Sets, Truth
from numberquest.games.showdown.batch import SAID, TURNS, ShowdownTables, State
from numberquest.games.showdown.rules import NOBODY, PREDICTIONS
from numberquest.solver import solve
from numberquest.solver.distance import WON as MOST
from numberquest.solver.distance import distances

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from numberquest.games.showdown.distances import ShowdownDistances
    from numberquest.games.showdown.rules import Showdown
    from numberquest.games.showdown.solver import Predictions

SINGLE: Final = 2 * SAID
"""So many things can have been said while one player is silent: nothing, or a prediction by one of the two."""
CHUNK: Final = 1 << 14
"""How many places are looked at together."""


class ShowdownTruth(Truth[ShowdownTables]):
    """A place is a pool and what was said in it: nothing, one prediction, or a pair of some kind.

    By place there is a score for Player 1: above zero if that player wins, and the higher the sooner.
    """

    def __init__(self, tables: ShowdownTables) -> None:
        super().__init__(tables)
        solution = cast("Predictions", solve(tables.game))
        found = cast("ShowdownDistances", distances(tables.game))
        kinds = solution.kinds()
        self._width = SINGLE + int(kinds.max()) + 1
        self._slots = self.table(_slots(kinds))
        scores = _scores(tables, solution, found, self._width)
        self._scores = self.xp.asarray(scores.reshape(-1))
        mattered, perfect, sets = _Judging(tables, scores, _slots(kinds), self._width).judged()
        self._mattered = self.table(mattered)
        self._perfect, self._sets = self.table(perfect), Sets(self, sets)

    @classmethod
    def bytes_for(cls, tables: ShowdownTables) -> int:
        # By place: a score, whether it matters, which set is perfect. There are about as many kinds as sums, thrice.
        game: Showdown = tables.game
        places: int = 2**game.high * (SINGLE + 3 * (sum(game.start().pool) + SAID))
        return places * 6

    def _place(self, state: State) -> Any:
        return state.pool * self._width + self.take(self._slots, state.turn * SAID**2 + state.said)

    def _wins(self, state: State, player: Any) -> Any:
        """Whether this player does."""
        return (self.take(self._scores, self._place(state)) > 0) == (player == 0)

    def values(self, state: State) -> Any:
        return self.xp.astype(self._wins(state, self.tables.players(state)), self.tables.arrays.digits)

    def regret(self, state: State, actions: Any) -> Any:
        xp, mover = self.xp, self.tables.players(state)
        after, results = self.tables.move(state, actions, _no_bits)
        kept = xp.where(results == GOES_ON, self._wins(after, mover), results == WON)
        return xp.astype(self._wins(state, mover) & ~kept, self.tables.arrays.digits)

    def mattered(self, state: State) -> Any:
        return self.take(self._mattered, self._place(state))

    def perfect(self, state: State, bits: Callable[[], Any]) -> Any:
        return self._sets.any_of(self.take(self._perfect, self._place(state)), bits)


def _slots(kinds: NDArray[np.intp]) -> NDArray[np.int32]:
    """For each turn and all that can have been said, where that stands among what a pool has."""
    slots = np.zeros((len(TURNS), SAID * SAID), np.int32)
    second, first = np.divmod(np.arange(SAID * SAID), SAID)
    for at, turn in enumerate(TURNS):
        if turn.first == NOBODY:
            continue
        slots[at] = (
            SINGLE + kinds[turn.first, first, second] if all(turn.spoken) else turn.first * SAID + first + second
        )
    return slots.reshape(-1)


def _scores(tables: ShowdownTables, solution: Predictions, found: ShowdownDistances, width: int) -> NDArray[np.int8]:
    """For each pool and all that can have been said, the score of Player 1."""
    game = tables.game
    scores = np.zeros((2**game.high, width), np.int8)
    for bits in range(2**game.high):
        pool = tables.numbers(bits)
        left = found.left(pool)
        if left < 0:
            continue
        none, one, both = solution.bits(pool)
        lone, silent = found.scores(game.canonical(game.start()._replace(pool=pool)).pool)
        scores[bits, 0] = abs(silent) if none else -abs(silent)
        for first in (0, 1):
            for guess in PREDICTIONS:
                score = abs(int(lone[first, guess]))
                scores[bits, first * SAID + guess] = score if one[first] >> guess & 1 else -score
        # Once both have predicted, there is nothing left but picks.
        wins = np.frombuffer(both.to_bytes(-(-width // 8), "little"), np.uint8)
        won = np.unpackbits(wins, bitorder="little")[: width - SINGLE].astype(np.int8)
        scores[bits, SINGLE:] = (2 * won - 1) * (MOST - left)
    return scores


class _Judging:
    """Tries every action in every place, many places at once."""

    def __init__(self, tables: ShowdownTables, scores: NDArray[np.int8], slots: NDArray[np.int32], width: int) -> None:
        from numberquest.envs.batch import tables_for

        # With NumPy, whatever the arrays are that the truth is for.
        self._tables = cast("ShowdownTables", tables_for(tables.game, np))
        self._scores, self._slots, self._width = scores.reshape(-1), slots, width
        self._mattered = np.zeros(len(self._scores), bool)
        self._perfect = np.zeros(len(self._scores), np.int32)
        self._sets: dict[bytes, int] = {}

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.int32], list[list[int]]]:
        """Whether the choice matters in each place, which set is perfect there, and those sets."""
        game = self._tables.game
        numbers = list(range(game.high))
        every = list(range(self._tables.actions))
        pools = np.arange(2**game.high)
        sizes = np.array([int(pool).bit_count() for pool in pools])
        going_on = pools[game.high - sizes < game.picks]
        for at, turn in enumerate(TURNS):
            # One thing to have been said for each place in which it can be this turn.
            second, first = np.divmod(np.arange(SAID * SAID), SAID)
            real = np.flatnonzero(((first > 0) == turn.spoken[0]) & ((second > 0) == turn.spoken[1]))
            said = real[np.unique(self._slots[at * SAID**2 + real], return_index=True)[1]]
            theirs = going_on[(game.high - sizes[going_on]) % 2 == turn.player]
            pool, code = (grid.reshape(-1) for grid in np.meshgrid(theirs, said, indexing="ij"))
            for start in range(0, len(pool), CHUNK):
                part = slice(start, start + CHUNK)
                state = State(pool[part], np.full_like(pool[part], at), code[part])
                self._judge(state, turn.player, numbers if turn.spoken[turn.player] else every)
        sets = [np.flatnonzero(np.unpackbits(np.frombuffer(row, np.uint8))).tolist() for row in self._sets]
        return self._mattered, self._perfect, sets or [[0]]

    def _judge(self, state: State, player: int, actions: list[int]) -> None:
        tables = self._tables
        allowed = tables.legal.masks[tables.cases(state)]
        ranks = np.full((len(state.pool), tables.actions), -128, np.int16)
        for action in actions:
            here = np.flatnonzero(allowed[:, action])
            before = State(*(part[here] for part in state))
            after, results = tables.move(before, np.full(len(here), action), _no_bits)
            scores = self._scores[self._place(after)].astype(np.int16)
            at_the_end = results != GOES_ON
            ranks[here, action] = np.where(at_the_end, results * np.int16(MOST), scores * (-1 if player else 1))
        top = ranks.max(axis=1)
        bottom = np.where(ranks == -128, 128, ranks).min(axis=1)
        place = self._place(state)
        self._mattered[place] = (top > 0) & (bottom < 0)
        # A row of bits is compared with others as one thing.
        rows = np.packbits(ranks == top[:, None], axis=1)
        found, which = np.unique(rows.view(f"V{rows.shape[1]}").reshape(-1), return_inverse=True)
        numbers = np.array([self._sets.setdefault(row.tobytes(), len(self._sets)) for row in found], np.int32)
        self._perfect[place] = numbers[which]

    def _place(self, state: State) -> Any:
        return state.pool * self._width + self._slots[state.turn * SAID**2 + state.said]


def _no_bits() -> Any:
    raise AssertionError("nothing is left to chance here")


TRUTH = ShowdownTruth
