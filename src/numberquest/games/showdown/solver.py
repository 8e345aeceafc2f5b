"""Solves `showdown` at once for every setting: all predictions of a pool in a few whole numbers.

What a pair of predictions is worth depends only on which final sums it wins with, so there are few
kinds of pairs. For each pool, one whole number holds a bit for each kind (does Player 1 win from
here?), and one for each single prediction; a pick combines them with AND or OR. What a pair wins
with is asked of the game itself.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown
from numberquest.solver.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.solver.budget import Progress

Pool = tuple[int, ...]
EVERY = sum(1 << guess for guess in PREDICTIONS)


def solution(game: Showdown, progress: Progress, warn: Callable[[str], None]) -> Predictions:
    """Solved: this takes about a second at most, and is not kept."""
    return Predictions(game)


class Predictions(Solution[Position]):
    """Who wins each position of a showdown; a bit is 1 where Player 1 does."""

    def __init__(self, game: Showdown) -> None:
        super().__init__(game)
        self._showdown = game
        self._start = game.start().pool
        self._kinds: dict[Position, int] = {}
        self._pairs = {first: self._replies(first) for first in (0, 1)}
        self._both: dict[Pool, int] = {}
        self._one: dict[Pool, tuple[int, int]] = {}
        self._none: dict[Pool, bool] = {}
        self._ends: dict[int, tuple[int, tuple[int, int], bool]] = {}
        for picked in range(game.picks, -1, -1):
            for pool in combinations(self._start, game.high - picked):
                self._solve_pool(pool)
        self.positions = len(self._none) * (1 + 2 * len(PREDICTIONS) + len(self._kinds))

    def known(self, p: Position) -> int:
        """The value, for whoever's turn it is."""
        if p.first == NOBODY:
            first_wins = self._none[p.pool]
        elif 0 in p.predictions:
            first_wins = bool(self._one[p.pool][p.first] >> p.predictions[p.first] & 1)
        else:
            first_wins = bool(self._both[p.pool] >> self._kind(p.predictions, p.first) & 1)
        return int(first_wins == (self.game.turn(p) == 0))

    def kinds(self) -> NDArray[np.intp]:
        """The number of the kind by who spoke first and both predictions; 0 also where one of them said nothing."""
        import numpy as np

        kinds = np.zeros((2, PREDICTIONS.stop, PREDICTIONS.stop), np.intp)
        for first in (0, 1):
            for one in PREDICTIONS:
                for two in PREDICTIONS:
                    kinds[first, one, two] = self._kind((one, two), first)
        return kinds

    def bits(self, pool: Pool) -> tuple[bool, tuple[int, int], int]:
        """Where Player 1 wins with this pool: nobody having spoken; by who did and the prediction; by kind of pair."""
        return self._none[pool], self._one[pool], self._both[pool]

    def _kind(self, predictions: tuple[int, int], first: int) -> int:
        """The number of the kind that two predictions are of."""
        shown = self.game.canonical(Position(self._start, predictions, first))
        return self._kinds.setdefault(shown, len(self._kinds))

    def _replies(self, first: int) -> list[int]:
        """For each prediction of the one who speaks first, the kinds that the other can make of it."""
        return [
            _bits(self._kind((guess, reply) if first == 0 else (reply, guess), first) for reply in PREDICTIONS)
            if guess in PREDICTIONS
            else 0
            for guess in range(PREDICTIONS[-1] + 1)
        ]

    def _solve_pool(self, pool: Pool) -> None:
        game = self._showdown
        mover = game.player(Position(pool, (0, 0), NOBODY))
        left = game.picks - (game.high - len(pool))
        if left == 0:
            self._both[pool], self._one[pool], self._none[pool] = self._end(pool)
            return
        after = [pool[:at] + pool[at + 1 :] for at in range(len(pool))]
        both = _combined((self._both[rest] for rest in after), mover)
        self._both[pool] = both
        one = [_combined((self._one[rest][first] for rest in after), mover) for first in (0, 1)]
        # The one who has not spoken may answer now.
        other = 1 - mover
        for guess in PREDICTIONS:
            kinds = self._pairs[other][guess]
            if mover == 0 and both & kinds:
                one[other] |= 1 << guess
            elif mover == 1 and both & kinds != kinds:
                one[other] &= ~(1 << guess)
        self._one[pool] = (one[0], one[1])
        silent = [self._none[rest] for rest in after]
        if mover == 0:
            self._none[pool] = any(silent) or one[0] != 0
        else:
            self._none[pool] = all(silent) and one[1] == EVERY

    def _end(self, pool: Pool) -> tuple[int, tuple[int, int], bool]:
        """Who wins when the last number is picked: the same for all pools that leave the same sum."""
        total = sum(pool)
        if total not in self._ends:
            both = (number for kind, number in self._kinds.items() if self._first_wins(kind._replace(pool=pool)))
            one = [
                _bits(
                    guess
                    for guess in PREDICTIONS
                    if self._first_wins(Position(pool, (guess, 0) if first == 0 else (0, guess), first))
                )
                for first in (0, 1)
            ]
            self._ends[total] = _bits(both), (one[0], one[1]), self._first_wins(Position(pool, (0, 0), NOBODY))
        return self._ends[total]

    def _first_wins(self, p: Position) -> bool:
        outcome = self.game.outcome(p)
        return outcome is not None and outcome.winner == 0


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def _combined(masks: Iterable[int], mover: int) -> int:
    """Player 1 needs one way to win; against Player 2, all of them."""
    first, *rest = masks
    for mask in rest:
        first = first & mask if mover else first | mask
    return first
