"""The games of marks in cells: who has so many in a line wins, or loses."""

from functools import cached_property
from typing import NamedTuple

from numberquest.core.contract import Outcome
from numberquest.core.recipe.game import RecipeGame, from_recipe
from numberquest.core.recipe.rules import NOBODY, won_by


class Position(NamedTuple):
    """The cells row by row: 0, or the player who has marked it, 1 or 2; whose turn it is; how the game ended."""

    cells: tuple[int, ...]
    mover: int
    over: str = ""
    winner: int = NOBODY


class LineGame(RecipeGame[Position]):
    """A game of marks in cells."""

    _falling: bool = from_recipe("cells.falling")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        columns = range(1, self.row_width + 1)
        if self._falling:
            return tuple(map(str, columns))
        return tuple(f"{row},{column}" for row in range(1, self.at("cells.rows") + 1) for column in columns)

    @cached_property
    def longest(self) -> int:
        return int(self.at("cells.rows")) * self.row_width

    @cached_property
    def _lines(self) -> list[list[tuple[int, ...]]]:
        """For each cell the lines that go through it."""
        rows, wide, length = self.at("cells.rows"), self.row_width, self.at("cells.line")
        found: list[list[tuple[int, ...]]] = [[] for _ in range(rows * wide)]
        for row in range(rows):
            for column in range(wide):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end = row + down * (length - 1), column + right * (length - 1)
                    if end[0] < rows and 0 <= end[1] < wide:
                        line = tuple((row + down * at) * wide + column + right * at for at in range(length))
                        for cell in line:
                            found[cell].append(line)
        return found

    def start(self) -> Position:
        return Position((0,) * self.longest, 0)

    def player(self, p: Position) -> int:
        return p.mover

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.over:
            return ()
        # Of a column the highest cell is free as long as any is.
        return tuple(move for move, cell in zip(self.actions, p.cells, strict=False) if not cell)

    def play(self, p: Position, move: str) -> Position:
        at = self.actions.index(move)
        if self._falling:
            at = max(range(at, len(p.cells), self.row_width), key=lambda cell: (not p.cells[cell], cell))
        mark = p.mover + 1
        cells = (*p.cells[:at], mark, *p.cells[at + 1 :])
        if any(all(cells[one] == mark for one in line) for line in self._lines[at]):
            wins = self.at("end.exactly") == "wins"
            return Position(cells, 1 - p.mover, "line" if wins else "line lost", p.mover if wins else 1 - p.mover)
        if 0 in cells:
            return Position(cells, 1 - p.mover)
        how = self.at("end.nothing_left") or "draw"
        return Position(cells, 1 - p.mover, f"nothing left {how}", won_by(how, p.mover))

    def outcome(self, p: Position) -> Outcome | None:
        if not p.over:
            return None
        return Outcome(
            None if p.winner == NOBODY else p.winner,
            p.over,
            {"line": self.at("cells.line"), "why": "the board is full"},
        )
