"""Showdown as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from numberquest.games.showdown.rules import Position, Showdown
from numberquest.server import wire
from numberquest.server.boards.shown import Shown, so

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.server.boards.shown import Ends

KEPT: Final = 1500
"""How many lists of moves are kept for one rule set; the classic game needs about a thousand."""


class ShownShowdown(Shown[Showdown, Position]):
    """The sequence, who added what, the predictions, and the numbers left."""

    def __init__(self, game: Showdown) -> None:
        super().__init__(game)
        self._predicting = {
            move: wire.Option(move, f"predict {_guess(move)}") for move in game.actions if game.binding(move)
        }
        self._adding: dict[tuple[str, int, Ends | None], wire.Option] = {}
        self._lists: dict[tuple[tuple[int, ...], int], list[wire.Option]] = {}

    def board(self, positions: Sequence[Position], history: Sequence[str]) -> wire.ShowdownBoard:
        game, p = self.game, positions[-1]
        sequence, players = [], []
        for before, entry in zip(positions, history, strict=False):
            if not game.binding(entry):
                sequence.append(int(entry))
                players.append(game.player(before) + 1)
        one, two = p.predictions
        predictions = (one or None, two or None)
        first = p.first + 1 or None
        return wire.ShowdownBoard(
            game.high, game.picks, sequence, players, game.total(p), list(p.pool), predictions, first
        )

    def options(self, p: Position) -> list[wire.Option]:
        moves = self.game.moves(p)
        key = p.pool, len(moves)
        found = self._lists.get(key)
        if found is None:
            found = [self._predicting[move] if self.game.binding(move) else self._add(p, move) for move in moves]
            # Where the game ends with a number, the predictions decide how: that comes once a game, and is not kept.
            if len(self._lists) < KEPT and not any(option.ends for option in found):
                self._lists[key] = found
        return found

    def told(self, before: Position, entry: str, after: Position) -> str:
        if self.game.binding(entry):
            return f"predicts {_guess(entry)}"
        return f"adds {entry} to the sequence: the sum is {self.game.total(after)}"

    def _add(self, p: Position, move: str) -> wire.Option:
        after = self.game.play(p, move)
        total, ending = self.game.total(after), self.ends(after, self.game.player(p))
        key = move, total, ending
        option = self._adding.get(key)
        if option is None:
            option = self._adding[key] = wire.Option(move, f"add {move} to the sequence{so(ending)}", total, ending)
        return option


def _guess(move: str) -> str:
    return move.rpartition(" ")[2]
