"""Fifty: take a number, choose an operation, reach exactly 50."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import NamedTuple

from numberquest.core.contract import Game, Outcome
from numberquest.core.settings import signs, whole
from numberquest.core.view import Pool, Scores


class Position(NamedTuple):
    """The numbers left, in ascending order, and both scores. Each turn takes one number."""

    pool: tuple[int, ...]
    scores: tuple[int, int]


class Fifty(Game[Position]):
    """Number Quest: Fifty."""

    slug = "fifty"
    title = "Number Quest: Fifty"
    short_title = "Fifty"
    summary = "Take numbers; add, subtract, multiply or divide: hit exactly 50."
    how_to_win = "Reach exactly {target} to win; past {target} you lose."
    rules = """\
The pool holds the numbers 1 to {high}, each {copies:times}. Both players start with 0 points.
On your turn take a number out of the pool and choose an operation: {operations}. It is applied to \
your own score.{divides? Division drops the remainder.}
Reach exactly {target} points and you win. Go past {target} and you lose at once.
{subtracts?A subtraction that would go below 0 loses your turn: the score stays and the number is gone.}"""
    rulings = {
        "F1": "A number leaves the pool when it is selected, whatever becomes of the turn.",
        "F2": "{divides?Division drops the remainder and is always valid: 7 / 2 = 3, remainder dropped. The document "
        "says that fractions are discarded, and elsewhere that a fractional result loses the turn. By the first no "
        "result ever is a fraction, so the second never comes about.}",
        "F3": "{subtracts?A subtraction that would go below 0 is accepted and loses the turn: "
        "the score stays, the number is gone.}",
        "F4": "Adding{multiplies? or multiplying} is possible whenever the pool has a number, "
        "so nobody is ever without a move.",
        "F5": "If the pool runs out with nobody at {target} and nobody above it, the score closer to {target} wins. "
        "On equal scores the player who was last to play loses ({longest} numbers: Player {last}).",
    }
    common = ("G1", "G2", "G3")
    endings = {
        "reached": "{winner} reached {target}",
        "passed": "{loser} passed {target} with {score}",
        "tie": "the pool is empty, both have {score}, and {loser}, last to play, loses the tie",
        "closer": "the pool is empty, and {winner} with {score} is closer to {target} than {loser} with {other}",
    }
    order = 2
    exam_settings = ({}, {"copies": 1}, {"target": 30}, {"ops": "+-"})
    view = (
        Scores("scores", "Score", most="highest", target="target"),
        Pool("pool", "Available Numbers", copies="copies"),
    )

    target: int = whole(50, 2, 200, "the score to reach")
    high: int = whole(9, 2, 9, "the largest number in the pool")
    copies: int = whole(2, 1, 4, "how often each number is in the pool")
    ops: str = signs("+-*/", needed="+", meaning="the operations that may be used")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return tuple(f"{number}{op}" for number in range(1, self.high + 1) for op in self.ops)

    @cached_property
    def longest(self) -> int:
        return self.high * self.copies

    @property
    def last(self) -> int:
        """Player who takes the last number of the pool, 1 or 2."""
        return 2 - self.longest % 2

    @property
    def operations(self) -> str:
        """The operations to choose from, in words: `+ - * or /`."""
        *others, last = tuple(self.ops)
        return f"{' '.join(others)} or {last}" if others else f"{last}, the only one"

    @property
    def subtracts(self) -> bool:
        return "-" in self.ops

    @property
    def multiplies(self) -> bool:
        return "*" in self.ops

    @property
    def divides(self) -> bool:
        return "/" in self.ops

    @cached_property
    def highest(self) -> int:
        """The largest score there can be: one step past the target, from the largest score below it."""
        return max((self.target - 1) * self.high, self.target - 1 + self.high)

    @cached_property
    def _moves_from(self) -> Callable[[tuple[int, ...]], tuple[str, ...]]:
        actions = self.actions
        return cache(lambda pool: tuple(action for action in actions if int(action[0]) in pool))

    @cached_property
    def _pool(self) -> tuple[int, ...]:
        return tuple(number for number in range(1, self.high + 1) for _ in range(self.copies))

    def start(self) -> Position:
        return Position(self._pool, (0, 0))

    def player(self, p: Position) -> int:
        return (self.high * self.copies - len(p.pool)) % 2

    def moves(self, p: Position) -> tuple[str, ...]:
        mine, yours = p.scores
        if mine >= self.target or yours >= self.target:
            return ()
        return self._moves_from(p.pool)

    def play(self, p: Position, move: str) -> Position:
        number, op = int(move[0]), move[1]
        pool, (first, second) = p
        at = pool.index(number)
        pool = pool[:at] + pool[at + 1 :]
        if (self.high * self.copies - len(pool)) % 2:
            return Position(pool, (applied(first, op, number), second))
        return Position(pool, (first, applied(second, op, number)))

    def comes_to(self, p: Position, move: str) -> str:
        score, number, op = p.scores[self.player(p)], int(move[0]), move[1]
        result = calculated(score, op, number)
        below = ", below 0, so the turn is lost" if result < 0 else ""
        return f"{score} {op} {number} = {result}{below}{remainder(score, op, number)}"

    def outcome(self, p: Position) -> Outcome | None:
        for player, score in enumerate(p.scores):
            if score == self.target:
                return Outcome(player, "reached")
            if score > self.target:
                return Outcome(1 - player, "passed", {"score": score})
        if p.pool:
            return None
        first, second = p.scores
        if first == second:
            return Outcome(self.longest % 2, "tie", {"score": first})
        winner = 0 if first > second else 1
        return Outcome(winner, "closer", {"score": p.scores[winner], "other": p.scores[1 - winner]})


def calculated(score: int, op: str, number: int) -> int:
    """Return the result of the operation, which may be negative."""
    if op == "+":
        return score + number
    if op == "-":
        return score - number
    if op == "*":
        return score * number
    return score // number


def remainder(score: int, op: str, number: int) -> str:
    """Return the words behind a division with a remainder: without them the equation would be false (F2)."""
    return ", remainder dropped" if op == "/" and score % number else ""


def applied(score: int, op: str, number: int) -> int:
    """The score after an operation; a subtraction below 0 leaves it as it was (F3)."""
    result = calculated(score, op, number)
    return result if result >= 0 else score
