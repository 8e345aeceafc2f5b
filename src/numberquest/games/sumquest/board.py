"""Sum Quest as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.sumquest.rules import Position, SumQuest
from numberquest.server import wire
from numberquest.server.boards.shown import Remembered, Shown, past, so

if TYPE_CHECKING:
    from collections.abc import Sequence


class ShownSumQuest(Shown[SumQuest, Position]):
    """The shared sum, what is barred, and the sum that every other number makes."""

    def __init__(self, game: SumQuest) -> None:
        super().__init__(game)
        # By the sum and the move: nothing else counts, nor who makes it.
        self._remembered = Remembered()

    def board(self, positions: Sequence[Position], history: Sequence[str]) -> wire.SumquestBoard:
        game, p = self.game, positions[-1]
        return wire.SumquestBoard(game.target, game.high, p.total, p.barred or None)

    def options(self, p: Position) -> list[wire.Option]:
        return self._remembered.options(p.total, self.game.moves(p), lambda move: self._option(p, move))

    def told(self, before: Position, entry: str, after: Position) -> str:
        return f"adds {entry}: {self._sum(before, entry, after)}"

    def _option(self, p: Position, move: str) -> wire.Option:
        after = self.game.play(p, move)
        ending = self.ends(after, p.player)
        stuck = ", for the other has no number left" if ending and after.total < self.game.target else ""
        return wire.Option(move, f"{self._sum(p, move, after)}{so(ending)}{stuck}", after.total, ending)

    def _sum(self, before: Position, move: str, after: Position) -> str:
        return f"{before.total} + {move} = {after.total}{past(after.total, self.game.target)}"
