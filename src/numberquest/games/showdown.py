"""Showdown: predict the final sum of the numbers that both players add."""

from __future__ import annotations

from typing import NamedTuple

from numberquest.game import Game, Outcome, player_name
from numberquest.settings import UpTo, Whole

NOBODY = -1
PREDICTIONS = range(1, 100)


class Position(NamedTuple):
    """The numbers left, in ascending order; both predictions (0: none); who predicted first."""

    pool: tuple[int, ...]
    predictions: tuple[int, int]
    first: int


class Showdown(Game[Position]):
    """Number Quest: Showdown."""

    slug = "showdown"
    title = "Number Quest: Showdown"
    summary = "Add the numbers 1 to 9 in turns, and predict their final sum."
    rules = """\
The pool holds the numbers 1 to 9, each once. The shared sequence starts empty.
On your turn you may first predict the final sum, once in the game, for your opponent to hear. Then \
take a number out of the pool and add it to the sequence.
The game ends when all numbers are in the sequence. A player who predicted its sum exactly wins; if \
both did, the one who said it first. If nobody was exact, the closer prediction wins; if both are \
equally far, the one who predicted earlier loses."""
    rulings = {
        "S1": "A prediction is a whole number from 1 to 99.",
        "S2": "A prediction is made before the pick of the same turn, once per game, and never taken back.",
        "S3": "A player who never predicted is farther away than any player who did: "
        "if only one predicted, that one wins.",
        "S4": "If neither predicted, the player who added the last number loses.",
        "S5": "Both wrong and equally far: the one who declared earlier loses. "
        "Both exact: the one who declared earlier wins.",
    }
    meanings = {
        "high": "the largest number; the pool holds 1 up to it",
        "picks": "how many numbers are played; the rest stay out of the sum",
    }
    ranges = {"high": Whole(2, 13), "picks": UpTo("high")}

    high: int
    picks: int

    def __init__(self, high: int = 9, picks: int | None = None) -> None:
        """`picks` is how many numbers are played; without it all of them are."""
        self._settle(high=high, picks=high if picks is None else picks)
        numbers = tuple(str(number) for number in range(1, high + 1))
        self._fix(
            actions=numbers + tuple(f"predict {guess}" for guess in PREDICTIONS),
            deck=(),
            longest=self.picks + 2,
            _moves_from={},
        )

    _moves_from: dict[tuple[tuple[int, ...], bool], tuple[str, ...]]

    def start(self) -> Position:
        return Position(tuple(range(1, self.high + 1)), (0, 0), NOBODY)

    def player(self, p: Position) -> int:
        return (self.high - len(p.pool)) % 2

    def moves(self, p: Position) -> tuple[str, ...]:
        picked = self.high - len(p.pool)
        if picked == self.picks:
            return ()
        silent = not p.predictions[picked % 2]
        moves = self._moves_from.get((p.pool, silent))
        if moves is None:
            allowed = {str(number) for number in p.pool}
            moves = tuple(move for move in self.actions if (silent if self.binding(move) else move in allowed))
            self._moves_from[p.pool, silent] = moves
        return moves

    def canonical(self, p: Position) -> Position:
        # The final sum is all that counts, and where every number is played it is the same whatever was picked.
        left = self.picks - (self.high - len(p.pool))
        pool = tuple(range(1, left + 1)) if left == len(p.pool) else p.pool
        low, high = self._sums(p, left)
        if p.first == NOBODY:
            return p._replace(pool=pool)
        early, late = p.predictions[p.first], p.predictions[1 - p.first]
        if late:
            early, late = _telling(early, late, low, high)
        else:
            # Beyond the sums that can still come, one wrong prediction is as good as another.
            early = min(max(early, low - 1), high + 1)
        return Position(pool, (early, late) if p.first == 0 else (late, early), p.first)

    def _sums(self, p: Position, left: int) -> tuple[int, int]:
        """The smallest and the largest final sum that can still come, with so many numbers left to pick."""
        total = self.total(p)
        return total + sum(p.pool[:left]), total + sum(p.pool[len(p.pool) - left :])

    def binding(self, move: str) -> bool:
        return move.startswith("predict ")

    def play(self, p: Position, move: str) -> Position:
        pool, (one, two), first = p
        if self.binding(move):
            guess = int(move[8:])
            player = self.player(p)
            return Position(pool, (one, guess) if player else (guess, two), player if first == NOBODY else first)
        at = pool.index(int(move))
        return Position(pool[:at] + pool[at + 1 :], p.predictions, first)

    def total(self, p: Position) -> int:
        """The sum of the sequence so far."""
        return sum(range(1, self.high + 1)) - sum(p.pool)

    def outcome(self, p: Position) -> Outcome | None:
        if self.high - len(p.pool) < self.picks:
            return None
        if p.first == NOBODY:
            last = (self.picks - 1) % 2
            return Outcome(1 - last, f"nobody predicted, and {player_name(last)}, who added the last number, loses")
        early, late = p.first, 1 - p.first
        if not p.predictions[late]:
            return Outcome(early, f"only {player_name(early)} made a prediction")
        total = self.total(p)
        early_off, late_off = abs(p.predictions[early] - total), abs(p.predictions[late] - total)
        if early_off == late_off == 0:
            return Outcome(early, f"both predicted {total}, and {player_name(early)} said it first")
        if early_off == late_off:
            return Outcome(
                late,
                f"both predictions are {early_off} away from {total}, and {player_name(early)} said theirs earlier",
            )
        winner, off = (early, early_off) if early_off < late_off else (late, late_off)
        if off == 0:
            return Outcome(winner, f"{player_name(winner)} predicted {total} exactly")
        return Outcome(
            winner,
            f"{player_name(winner)}'s prediction {p.predictions[winner]} is {off} away from {total}, "
            f"{player_name(1 - winner)}'s {p.predictions[1 - winner]} is {abs(p.predictions[1 - winner] - total)} away",
        )


def _telling(early: int, late: int, low: int, high: int) -> tuple[int, int]:
    """Two predictions that win for the same final sums from `low` to `high` as these two: one pair for all such."""
    never, always = (high + 2, high + 1), (high, high + 1)
    if early == late:
        if not low <= early <= high:
            return never
        return always if low == high else (early, late)
    if early < late:
        # The earlier one is closer up to this sum; half-way between the two it loses.
        last = (early + late - 1) // 2
        return never if last < low else always if last >= high else (last, last + 1)
    first = (early + late) // 2 + 1
    return never if first > high else always if first <= low else (first, first - 1)
