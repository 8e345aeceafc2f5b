"""A whole game in one file, with nothing but what is required."""

from functools import cached_property
from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    left: int
    player: int


class Last(nq.Game[Position]):
    slug = "last"
    title = "Who takes the last"
    summary = "Take one to three; who takes the last one wins."
    rules = "There is a heap. In turns take 1, 2 or 3 from it. Who takes the last one wins."

    heap: int = nq.whole(10, 1, 99, "how many there are at the start")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return ("1", "2", "3")

    def start(self) -> Position:
        return Position(self.heap, 0)

    def player(self, p: Position) -> int:
        return p.player

    def moves(self, p: Position) -> tuple[str, ...]:
        return tuple(move for move in self.actions if int(move) <= p.left)

    def play(self, p: Position, move: str) -> Position:
        return Position(p.left - int(move), 1 - p.player)

    def outcome(self, p: Position) -> nq.Outcome | None:
        return None if p.left else nq.Outcome(1 - p.player, "took the last one")
