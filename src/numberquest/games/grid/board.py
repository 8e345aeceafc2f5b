"""Grid as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from numberquest.games.grid.rules import NO_CELL, Grid, Position
from numberquest.server import wire
from numberquest.server.boards.shown import Shown, so

if TYPE_CHECKING:
    from collections.abc import Sequence

STAND: Final = "stand"


class ShownGrid(Shown[Grid, Position]):
    """The cells, open and covered, and the totals. What a covered cell hides is not known here."""

    def __init__(self, game: Grid) -> None:
        super().__init__(game)
        self._opening = {cell: wire.Option(cell, f"open {_place(cell)}") for cell in game.actions if cell != STAND}

    def board(self, positions: Sequence[Position], history: Sequence[str]) -> wire.GridBoard:
        game, p = self.game, positions[-1]
        unseen = [number for number in game.deck if number not in p.cells]
        cells = [number or None for number in p.cells]
        return wire.GridBoard(game.target, game.side, cells, p.totals, p.stood, unseen)

    def options(self, p: Position) -> list[wire.Option]:
        return [self._stand(p) if move == STAND else self._opening[move] for move in self.game.moves(p)]

    def told(self, before: Position, entry: str, after: Position) -> str:
        if before.opening != NO_CELL:
            return f"{_place(self.game.actions[before.opening])} hides {entry}"
        if entry == STAND:
            return f"stands at {after.totals[self.game.turn(before)]}"
        return f"opens {_place(entry)}"

    def _stand(self, p: Position) -> wire.Option:
        seat, after = self.game.player(p), self.game.play(p, STAND)
        ending, total = self.ends(after, seat), after.totals[seat]
        return wire.Option(STAND, f"stand at {total}{so(ending)}", total, ending)


def _place(cell: str) -> str:
    row, _, column = cell.partition(",")
    return f"row {row}, column {column}"
