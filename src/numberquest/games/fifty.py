"""Fifty: take a number, choose an operation, reach exactly 50."""

from __future__ import annotations

from typing import NamedTuple

from numberquest.game import Game, Outcome, player_name
from numberquest.settings import Signs, Whole


class Position(NamedTuple):
    """The numbers left, in ascending order, and both scores. Each turn takes one number."""

    pool: tuple[int, ...]
    scores: tuple[int, int]


class Fifty(Game[Position]):
    """Number Quest: Fifty."""

    slug = "fifty"
    title = "Number Quest: Fifty"
    summary = "Take numbers; add, subtract, multiply or divide: hit exactly 50."
    rules = """\
The pool holds the numbers 1 to 9, each twice. Both players start with 0 points.
On your turn take a number out of the pool and choose an operation: + - * or /. It is applied to \
your own score. Division drops the fraction.
Reach exactly 50 points and you win. Go past 50 and you lose at once.
A subtraction that would go below 0 loses your turn: the score stays and the number is gone."""
    rulings = {
        "F1": "A number leaves the pool when it is selected, whatever becomes of the turn.",
        "F2": "Division drops the fraction and is always valid: 7 / 2 = 3.",
        "F3": "A subtraction that would go below 0 is accepted and loses the turn: "
        "the score stays, the number is gone.",
        "F4": "Adding or multiplying is possible whenever the pool has a number, so nobody is ever without a move.",
        "F5": "If the pool runs out with nobody at 50 and nobody above it, the score closer to 50 wins. "
        "On equal scores the player who was last to play loses (18 numbers: Player 2).",
    }
    meanings = {
        "target": "the score to reach",
        "high": "the largest number in the pool",
        "copies": "how often each number is in the pool",
        "ops": "the operations that may be used",
    }
    ranges = {
        "target": Whole(2, 200),
        "high": Whole(2, 9),
        "copies": Whole(1, 4),
        "ops": Signs("+-*/", needed="+"),
    }

    target: int
    high: int
    copies: int
    ops: str

    def __init__(self, target: int = 50, high: int = 9, copies: int = 2, ops: str = "+-*/") -> None:
        self._settle(target=target, high=high, copies=copies, ops=ops)
        numbers = range(1, high + 1)
        self._fix(
            actions=tuple(f"{number}{op}" for number in numbers for op in self.ops),
            deck=(),
            longest=high * copies,
            _pool=tuple(number for number in numbers for _ in range(copies)),
            _moves_from={},
        )

    _pool: tuple[int, ...]
    _moves_from: dict[tuple[int, ...], tuple[str, ...]]

    def start(self) -> Position:
        return Position(self._pool, (0, 0))

    def player(self, p: Position) -> int:
        return (self.longest - len(p.pool)) % 2

    def moves(self, p: Position) -> tuple[str, ...]:
        mine, yours = p.scores
        if mine >= self.target or yours >= self.target:
            return ()
        moves = self._moves_from.get(p.pool)
        if moves is None:
            moves = tuple(action for action in self.actions if int(action[0]) in p.pool)
            self._moves_from[p.pool] = moves
        return moves

    def play(self, p: Position, move: str) -> Position:
        number, op = int(move[0]), move[1]
        pool, (first, second) = p
        at = pool.index(number)
        pool = pool[:at] + pool[at + 1 :]
        if (self.longest - len(pool)) % 2:
            return Position(pool, (applied(first, op, number), second))
        return Position(pool, (first, applied(second, op, number)))

    def outcome(self, p: Position) -> Outcome | None:
        for player, score in enumerate(p.scores):
            if score == self.target:
                return Outcome(player, f"{player_name(player)} reached {self.target}")
            if score > self.target:
                return Outcome(1 - player, f"{player_name(player)} passed {self.target} with {score}")
        if p.pool:
            return None
        first, second = p.scores
        if first == second:
            last = (self.longest - 1) % 2
            return Outcome(
                1 - last,
                f"the pool is empty, both have {first}, and {player_name(last)}, last to play, loses the tie",
            )
        winner = 0 if first > second else 1
        return Outcome(
            winner,
            f"the pool is empty, and {player_name(winner)} with {p.scores[winner]} is closer to {self.target} "
            f"than {player_name(1 - winner)} with {p.scores[1 - winner]}",
        )


def calculated(score: int, op: str, number: int) -> int:
    """What the operation comes to; it may be negative."""
    if op == "+":
        return score + number
    if op == "-":
        return score - number
    if op == "*":
        return score * number
    return score // number


def applied(score: int, op: str, number: int) -> int:
    """The score after an operation; a subtraction below 0 leaves it as it was (F3)."""
    result = calculated(score, op, number)
    return result if result >= 0 else score
