"""Mystic Numbers as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.mystic.rules import Mystic, Position
from numberquest.server import wire
from numberquest.server.boards.shown import Shown, past

if TYPE_CHECKING:
    from collections.abc import Sequence


class ShownMystic(Shown[Mystic, Position]):
    """The pile, the number drawn, the totals, and what can be done. The order of the pile is not known here."""

    def board(self, positions: Sequence[Position], history: Sequence[str]) -> wire.MysticBoard:
        game, (unseen, totals, drawn) = self.game, positions[-1]
        return wire.MysticBoard(game.target, game.high, game.copies, totals, drawn or None, len(unseen), list(unseen))

    def options(self, p: Position) -> list[wire.Option]:
        return [self._option(p, move) for move in self.game.moves(p)]

    def told(self, before: Position, entry: str, after: Position) -> str:
        if not before.drawn:
            return f"{entry} is drawn"
        verb = "passes" if entry == "pass" else f"{entry}s"
        return f"{verb} {self._rest(before, entry, after)}"

    def _option(self, p: Position, move: str) -> wire.Option:
        seat, after = self.game.player(p), self.game.play(p, move)
        ending = self.ends(after, seat)
        words = f"{move} {self._rest(p, move, after)}"
        return wire.Option(move, f"{words}, that {ending}" if ending else words, after.totals[seat], ending)

    def _rest(self, before: Position, move: str, after: Position) -> str:
        """What follows the verb: the number, and what it makes of whose total."""
        seat = self.game.player(before)
        total = after.totals[1 - seat if move == "pass" else seat]
        too_much = past(total, self.game.target)
        if move == "pass":
            return f"{before.drawn} to the other, who then has {total}{too_much}"
        return f"{before.drawn}: total {total}{too_much}"
