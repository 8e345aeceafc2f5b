"""Pig: roll as often as you dare, or hold; a 1 loses what the turn has brought. A test game that need not end."""

from functools import cached_property
from typing import NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.settings import whole


class Position(NamedTuple):
    """Both scores, what this turn has brought, whose turn it is, and whether the die is rolling."""

    scores: tuple[int, int]
    brought: int
    mover: int
    rolling: bool


class Pig(Game[Position]):
    """Pig."""

    slug = "test_pig"
    title = "Pig"
    summary = "Roll as often as you dare, or hold; who has 100 first wins."
    rules = "Roll: a 1 loses what the turn has brought, any other number is added to it. Hold: it is yours."

    target: int = whole(100, 2, 200, "the score to reach")
    faces: int = whole(6, 2, 6, "how many sides the die has")

    actions = ("roll", "hold")

    @cached_property
    def sides(self) -> tuple[str, ...]:
        return tuple(str(face) for face in range(1, self.faces + 1))

    def start(self) -> Position:
        return Position((0, 0), 0, 0, False)

    def player(self, p: Position) -> int:
        return CHANCE if p.rolling else p.mover

    def turn(self, p: Position) -> int:
        return p.mover

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.rolling:
            return self.sides
        if max(p.scores) >= self.target:
            return ()
        return self.actions if p.brought else self.actions[:1]

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * self.faces

    def play(self, p: Position, move: str) -> Position:
        scores, brought, mover, _ = p
        if move == "roll":
            return Position(scores, brought, mover, True)
        if move == "1":
            return Position(scores, 0, 1 - mover, False)
        if move != "hold":
            brought += int(move)
            if scores[mover] + brought < self.target:
                return Position(scores, brought, mover, False)
        mine = scores[mover] + brought
        return Position((mine, scores[1]) if mover == 0 else (scores[0], mine), 0, 1 - mover, False)

    def outcome(self, p: Position) -> Outcome | None:
        if max(p.scores) < self.target:
            return None
        return Outcome(int(p.scores[1] >= self.target), "reached the target")
