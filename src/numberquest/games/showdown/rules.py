"""Showdown: predict the final sum of the numbers that both players add."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import NamedTuple

from numberquest.core.contract import Game, Outcome
from numberquest.core.settings import up_to, whole, yes_no
from numberquest.core.view import Pool, Scores, Who

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
    short_title = "Showdown"
    summary = "Add the numbers 1 to 9 in turns, and predict their final sum."
    how_to_win = "Predict the final sum: exact wins, otherwise whoever is closer."
    rules = """\
The pool holds the numbers 1 to {high}, each once. The shared sequence starts empty.
{secret?Before the first number both players write down a prediction of the final sum, at the same time and in \
secret. Then they take turns to take a number out of the pool and add it to the sequence.}
{aloud?On your turn you may first predict the final sum, once in the game, for your opponent to hear. Then \
take a number out of the pool and add it to the sequence.}
The game ends when {enough} in the sequence.{secret? Now the predictions are uncovered.} \
A player who predicted its sum exactly wins{aloud?; if \
both did, the one who said it first}. If nobody was exact, the closer prediction wins; if both are \
equally far{aloud?, the one who predicted earlier loses}\
{secret? or both exact, the player who added the last number loses}."""
    rulings = {
        "S1": "A prediction is a whole number from 1 to 99.",
        "S2": "{aloud?A prediction is made before the pick of the same turn, once per game, and never taken back.}",
        "S3": "{aloud?A player who never predicted is farther away than any player who did: "
        "if only one predicted, that one wins.}",
        "S4": "{aloud?If neither predicted, the player who added the last number loses.}",
        "S5": "{aloud?Both wrong and equally far: the one who declared earlier loses. "
        "Both exact: the one who declared earlier wins.}",
        "S6": "{secret?Both write a prediction down at the same time, before the first number; they are "
        "uncovered at the end. Nobody declared earlier, so both exact, or equally far: the player who added the last "
        "number loses. Nobody predicts later.}",
    }
    common = ("G1", "G2", "G3")
    endings = {
        "nobody predicted": "nobody predicted, and {loser}, who added the last number, loses",
        "only one": "only {winner} made a prediction",
        "both exact": "both predicted {total}, and {winner} said it first",
        "both right": "both predicted {total}, and {loser}, who added the last number, loses",
        "as far": "both predictions are {off} away from {total}, and {loser}, who added the last number, loses",
        "equally far": "both predictions are {off} away from {total}, and {loser} said theirs earlier",
        "exact": "{winner} predicted {total} exactly",
        "closer": "{winner}'s prediction {guess} is {off} away from {total}, "
        "{loser}'s {other_guess} is {other_off} away",
    }
    order = 1
    declaring = "saying"
    puzzle_settings = {"picks": 5}
    puzzle_note = "The classic showdown is won by saying 45, so this puzzle ends after 5 numbers."
    exam_settings = ({"picks": 5}, {"picks": 6}, {"high": 7, "picks": 4}, {"high": 11, "picks": 7})
    view = (
        Scores("predictions", "Prediction", most=PREDICTIONS[-1], none="none"),
        Who("first", "Who predicted first"),
        Pool("pool", "Available Numbers"),
    )

    high: int = whole(9, 2, 13, "the largest number", "the pool holds 1 up to it")
    picks: int = up_to("high", "how many numbers are played", "the rest stay out of the sum")

    secret: bool = yes_no(False, "both predict at once, in secret, before the first number", later=True)

    @property
    def aloud(self) -> bool:
        """Whether predictions are said aloud, on any turn."""
        return not self.secret

    @cached_property
    def actions(self) -> tuple[str, ...]:
        numbers = tuple(str(number) for number in range(1, self.high + 1))
        return numbers + tuple(f"predict {guess}" for guess in PREDICTIONS)

    @property
    def enough(self) -> str:
        """How many numbers make the sequence, in words."""
        if self.picks == self.high:
            return "all numbers are"
        return "1 number is" if self.picks == 1 else f"{self.picks} numbers are"

    @cached_property
    def longest(self) -> int:
        return self.picks + 2

    @cached_property
    def _moves_from(self) -> Callable[[tuple[int, ...], bool], tuple[str, ...]]:
        predictions = self.actions[self.high :]
        return cache(lambda pool, silent: (*map(str, pool), *(predictions if silent else ())))

    def start(self) -> Position:
        return Position(tuple(range(1, self.high + 1)), (0, 0), NOBODY)

    def player(self, p: Position) -> int:
        if self._writing(p):
            return p.predictions.index(0)
        return (self.high - len(p.pool)) % 2

    def _writing(self, p: Position) -> bool:
        """Whether a prediction is still to be written down: none is, once there is a number."""
        return self.secret and len(p.pool) == self.high and 0 in p.predictions

    def moves(self, p: Position) -> tuple[str, ...]:
        picked = self.high - len(p.pool)
        if picked == self.picks:
            return ()
        if self.secret:
            return self.actions[self.high :] if self._writing(p) else self._moves_from(p.pool, False)
        return self._moves_from(p.pool, not p.predictions[picked % 2])

    def sees(self, p: Position, who: int | None) -> Position:
        if not self.secret or self.high - len(p.pool) == self.picks:
            return p
        one, two = p.predictions
        return p._replace(predictions=(one if who == 0 else 0, two if who == 1 else 0))

    def canonical(self, p: Position) -> Position:
        if self.secret:
            return p
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

    def alike(self, p: Position) -> Position:
        if self.secret:
            return p
        # How good the answers to a single prediction are matters to who answers at random: it stays as it is.
        canonical = self.canonical(p)
        return p._replace(pool=canonical.pool) if 0 in p.predictions else canonical

    def _sums(self, p: Position, left: int) -> tuple[int, int]:
        """Return the smallest and the largest final sum that can still come, with `left` numbers to pick."""
        total = self.total(p)
        return total + sum(p.pool[:left]), total + sum(p.pool[len(p.pool) - left :])

    def binding(self, move: str) -> bool:
        return move.startswith("predict ")

    def declared(self, move: str) -> str:
        return move[8:]

    def play(self, p: Position, move: str) -> Position:
        pool, (one, two), first = p
        if self.binding(move):
            guess = int(move[8:])
            player = self.player(p)
            said = player if first == NOBODY and not self.secret else first
            return Position(pool, (one, guess) if player else (guess, two), said)
        at = pool.index(int(move))
        return Position(pool[:at] + pool[at + 1 :], p.predictions, first)

    def total(self, p: Position) -> int:
        """The sum of the sequence so far."""
        return sum(range(1, self.high + 1)) - sum(p.pool)

    def comes_to(self, p: Position, move: str) -> str:
        if not self.binding(move):
            return f"{self.total(p)} + {move} = {self.total(p) + int(move)}"
        guess = int(self.declared(move))
        if guess in p.predictions and not self.secret:
            return f"both are equally far away then, and whoever said {guess} first loses, unless the sum is {guess}"
        sums = self._sums(p, self.picks - (self.high - len(p.pool)))
        return f"the numbers come to {guess} in the end, however they are picked" if sums == (guess, guess) else ""

    def outcome(self, p: Position) -> Outcome | None:
        if self.high - len(p.pool) < self.picks:
            return None
        if p.first == NOBODY and not self.secret:
            return Outcome(self.picks % 2, "nobody predicted")
        # In secret nobody is earlier: as if it was the one who added the last number, who loses where both are as far.
        early, late = ((self.picks - 1) % 2, self.picks % 2) if self.secret else (p.first, 1 - p.first)
        if not p.predictions[late]:
            return Outcome(early, "only one")
        total = self.total(p)
        early_off, late_off = abs(p.predictions[early] - total), abs(p.predictions[late] - total)
        if early_off == late_off:
            if self.secret:
                reason = "as far" if early_off else "both right"
                return Outcome(late, reason, {"total": total, "off": early_off} if early_off else {"total": total})
            if early_off == 0:
                return Outcome(early, "both exact", {"total": total})
            return Outcome(late, "equally far", {"total": total, "off": early_off})
        winner = early if early_off < late_off else late
        off, other_off = sorted((early_off, late_off))
        if off == 0:
            return Outcome(winner, "exact", {"total": total})
        guesses = {"guess": p.predictions[winner], "other_guess": p.predictions[1 - winner]}
        return Outcome(winner, "closer", {"total": total, "off": off, "other_off": other_off, **guesses})


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
