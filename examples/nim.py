"""Nim: take as many as you like from one heap; who takes the last one wins."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    heaps: tuple[int, ...]
    player: int


class Nim(nq.Game[Position]):
    slug = "nim"
    title = "Nim"
    summary = "Take any number from one heap; who takes the last one wins."
    rules = """\
There are three heaps, of 3, 4 and 5.
On your turn choose a heap and take as many from it as you like, at least one: 2:3 takes three from heap 2.
Who takes the very last one wins."""
    endings = {"last": "{winner} took the last one", "misere": "{loser} had to take the last one"}
    view = (nq.Cells("heaps", "Heaps", wide="number", most=7),)

    number: int = nq.whole(3, 1, 5, "how many heaps there are", "the first holds 3, and each other one more")
    misere: bool = nq.yes_no(False, "who takes the last one loses")

    @property
    def actions(self) -> tuple[str, ...]:
        return self.moves(self.start())

    @property
    def longest(self) -> int:
        return sum(self.start().heaps)

    def start(self) -> Position:
        return Position(tuple(range(3, self.number + 3)), 0)

    def player(self, p: Position) -> int:
        return p.player

    def moves(self, p: Position) -> tuple[str, ...]:
        return tuple(f"{heap}:{take}" for heap, left in enumerate(p.heaps, 1) for take in range(1, left + 1))

    def play(self, p: Position, move: str) -> Position:
        heap, take = (int(number) for number in move.split(":"))
        left = p.heaps[heap - 1] - take
        return Position((*p.heaps[: heap - 1], left, *p.heaps[heap:]), 1 - p.player)

    def outcome(self, p: Position) -> nq.Outcome | None:
        if any(p.heaps):
            return None
        return nq.Outcome(p.player, "misere") if self.misere else nq.Outcome(1 - p.player, "last")
