"""Noughts and crosses: a test game that is drawn with best play, and whose positions are frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from numberquest.contract import Game, Outcome

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class Position:
    """The nine cells: 0 is empty, 1 and 2 belong to the players."""

    cells: tuple[int, ...]


class Noughts(Game[Position]):
    """Noughts and crosses."""

    slug = "noughts_3x3"
    title = "Noughts and crosses"
    summary = "Three in a row wins."
    rules = "In turns put your mark into an empty cell. Three in a row win; a full board is a draw."

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return tuple("123456789")

    def start(self) -> Position:
        return Position((0,) * 9)

    def player(self, p: Position) -> int:
        return sum(map(bool, p.cells)) % 2

    def moves(self, p: Position) -> tuple[str, ...]:
        if self.outcome(p) is not None:
            return ()
        return tuple(move for move, cell in zip(self.actions, p.cells, strict=True) if not cell)

    def play(self, p: Position, move: str) -> Position:
        at = int(move) - 1
        return Position((*p.cells[:at], self.player(p) + 1, *p.cells[at + 1 :]))

    def outcome(self, p: Position) -> Outcome | None:
        for a, b, c in ROWS:
            if p.cells[a] and p.cells[a] == p.cells[b] == p.cells[c]:
                return Outcome(p.cells[a] - 1, "has three in a row")
        return None if 0 in p.cells else Outcome(None, "the board is full")
