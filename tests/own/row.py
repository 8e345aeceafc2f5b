"""Three in a row: drawn with best play, and its positions are frozen dataclasses."""

from dataclasses import dataclass

import numberquest as nq

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class Position:
    cells: tuple[int, ...]


class Row(nq.Game[Position]):
    slug = "row"
    title = "Three in a row"
    summary = "Three in a row win"
    rules = "In turns mark a cell. Three in a row win; a full board is a draw."
    actions = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    view = (nq.Cells("cells", "Board", wide=3, most=2),)
    longest = 9

    def start(self):
        return Position((0,) * 9)

    def player(self, p):
        return sum(map(bool, p.cells)) % 2

    def moves(self, p):
        return () if self.outcome(p) else tuple(m for m, cell in zip(self.actions, p.cells, strict=True) if not cell)

    def play(self, p, move):
        at = self.actions.index(move)
        return Position((*p.cells[:at], self.player(p) + 1, *p.cells[at + 1 :]))

    def outcome(self, p):
        for line in LINES:
            if {p.cells[at] for at in line} in ({1}, {2}):
                return nq.Outcome(p.cells[line[0]] - 1, "has three in a row", {"line": line})
        return nq.Outcome(None, "the board is full") if all(p.cells) else None
