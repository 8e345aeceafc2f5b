"""Fifty as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from numberquest.games.fifty.rules import Fifty, Position, calculated
from numberquest.server import wire
from numberquest.server.boards.shown import Remembered, Shown, past, so
from numberquest.telling.signs import SIGNS

if TYPE_CHECKING:
    from collections.abc import Sequence

DONE: Final = {"+": "adds", "-": "subtracts", "*": "multiplies by", "/": "divides by"}


class ShownFifty(Shown[Fifty, Position]):
    """The pool, the scores, and every number with every operation."""

    def __init__(self, game: Fifty) -> None:
        super().__init__(game)
        # By score and move: while numbers are left, what a move comes to depends on nothing else.
        self._remembered = Remembered()

    def board(self, positions: Sequence[Position], history: Sequence[str]) -> wire.FiftyBoard:
        game, (pool, scores) = self.game, positions[-1]
        return wire.FiftyBoard(game.target, game.high, game.copies, game.ops, list(pool), scores)

    def options(self, p: Position) -> list[wire.Option]:
        moves = self.game.moves(p)
        if len(p.pool) <= 1:
            # With the last number the game is over, and then the other score counts too.
            return [self._option(p, move) for move in moves]
        had = p.scores[self.game.player(p)]
        return self._remembered.options(had, moves, lambda move: self._option(p, move))

    def told(self, before: Position, entry: str, after: Position) -> str:
        return f"{DONE[entry[-1]]} {entry[:-1]}: {self._sum(before, entry, after)}"

    def _option(self, p: Position, move: str) -> wire.Option:
        seat, after = self.game.player(p), self.game.play(p, move)
        ending = self.ends(after, seat)
        return wire.Option(move, self._sum(p, move, after) + so(ending), after.scores[seat], ending)

    def _sum(self, before: Position, move: str, after: Position) -> str:
        seat, number, op = self.game.player(before), int(move[:-1]), move[-1]
        had, has = before.scores[seat], after.scores[seat]
        if calculated(had, op, number) != has:
            return f"{had} {SIGNS[op]} {number} would go below 0, so the turn is lost"
        return f"{had} {SIGNS[op]} {number} = {has}{past(has, self.game.target)}"
