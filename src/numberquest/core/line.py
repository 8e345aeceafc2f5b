"""A line of play: moves and reveals in a row. It never changes: what is played on it makes a new one.

Legality is checked here, and only here.
"""

from __future__ import annotations

from typing import Any, Generic

from numberquest.core.contract import CHANCE, Game, IllegalMove, Outcome, P
from numberquest.core.dealer import Dealer
from numberquest.core.sentences import Said


class Line(Generic[P]):
    """An immutable game history: it stands at a decision of a player, or at the end of the game."""

    __slots__ = ("_bound", "_moves", "before", "dealer", "entry", "game", "length", "position", "resigned", "reveals")

    def __init__(
        self, game: Game[P], dealer: Dealer, position: P, before: Line[P] | None, entry: str, reveals: int
    ) -> None:
        """Made by `started` and `play`."""
        self.game, self.dealer, self.position, self.before = game, dealer, position, before
        """The line without its last entry; None at the start."""
        self.entry = entry
        """The last move or reveal; empty at the start."""
        self.reveals = reveals
        """How many reveals there are in it."""
        self.resigned: int | None = None
        """The player who gave up, if one did."""
        if before is None:
            self.length = 0
            # A game that need not end by itself is a draw after a bound that is known beforehand.
            self._bound = game.bound if game.longest is None else None
        else:
            self.length = before.length + 1
            self._bound = before._bound
        # Looked up when it is asked for, and kept only while nothing has been played on it.
        self._moves: tuple[str, ...] | None = None

    @property
    def history(self) -> tuple[str, ...]:
        """All moves and reveals so far."""
        return tuple([line.entry for line in self.since(0)])

    @property
    def positions(self) -> tuple[P, ...]:
        """The start and the position after each entry of `history`."""
        line, found = self, [self.position]
        while line.before is not None:
            line = line.before
            found.append(line.position)
        return tuple(found[::-1])

    def since(self, length: int) -> list[Line[P]]:
        """How it went on from that length: the line after each further entry."""
        line, found = self, []
        while line.length > length and line.before is not None:
            found.append(line)
            line = line.before
        return found[::-1]

    @property
    def player(self) -> int:
        """Player to move, 0 or 1; after the end, the player whose turn would come."""
        return self.game.turn(self.position)

    @property
    def moves(self) -> tuple[str, ...]:
        """Legal moves of the player to move; empty when the game is over."""
        if self.resigned is not None:
            return ()
        if self._moves is None:
            self._moves = () if self._is_endless else self.game.moves(self.position)
        return self._moves

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game; None while the game goes on."""
        if self.resigned is not None:
            return Outcome(1 - self.resigned, "resigned")
        outcome = self.game.outcome(self.position)
        return Outcome(None, "endless") if outcome is None and self._is_endless else outcome

    @property
    def _is_endless(self) -> bool:
        return self._bound is not None and self.length >= self._bound

    def known(self, who: int | None) -> Any:
        """Return the infostate of player `who`, 0 or 1, or with None that of a spectator: all observations, in order.

        In a game without secrets the infostate is the position itself.
        """
        if not self.game.has_secrets:
            return self.position
        from numberquest.core.knowledge import knowledge

        lines = self.since(0)
        before = [line.before.position for line in lines if line.before is not None]
        return knowledge(self.game, zip(before, [line.entry for line in lines], strict=True), self.position, who)

    def play(self, move: str) -> Line[P]:
        """The line with this move, and with what it uncovers."""
        allowed = self.moves
        if move not in allowed:
            code = "not-allowed" if allowed else "not-allowed-over"
            raise IllegalMove(Said(code, {"move": move, "allowed": allowed}))
        after = Line(self.game, self.dealer, self.game.play(self.position, move), self, move, self.reveals)._revealed()
        self._moves = None
        return after

    def _revealed(self) -> Line[P]:
        """The line with all that is to be revealed now."""
        game, line = self.game, self
        if not game.chance:
            return self
        while game.player(line.position) == CHANCE and line.moves:
            entry = line.dealer.reveal(game, line.position, line.reveals)
            after = Line(game, line.dealer, game.play(line.position, entry), line, entry, line.reveals + 1)
            line._moves = None
            line = after
        return line

    def resign(self, player: int | None = None) -> Line[P]:
        """The line given up: by the player whose turn it is, unless another is named."""
        if self.outcome is not None:
            raise IllegalMove(Said("resign-over"))
        if player not in (None, 0, 1):
            raise IllegalMove(Said("resign-nobody", {"player": player}))
        given_up = Line(self.game, self.dealer, self.position, self.before, self.entry, self.reveals)
        given_up.resigned = self.player if player is None else player
        return given_up

    @property
    def last_player(self) -> int | None:
        """Player of the last entry of `history`: 0, 1 or `CHANCE`; None at the start."""
        return None if self.before is None else self.game.player(self.before.position)

    @property
    def undo_refusal(self) -> Said | None:
        """Say why the last move cannot be taken back, or None where it can."""
        if self.resigned is not None:
            return Said("resigned-is-final")
        if self.length == self.reveals:
            return Said("no-move-yet")
        if self.game.has_secrets:
            # What the other has concluded from it cannot be taken back either.
            return Said("secrets-stay")
        if self.last_player == CHANCE:
            return Said("revealed-since" if self.game.deck else "drawn-since")
        return Said("binding-move", {"move": self.entry}) if self.game.binding(self.entry) else None

    def undone(self) -> Line[P]:
        """The line without its last move; never past a reveal or a binding move."""
        why = self.undo_refusal
        if why is not None or self.before is None:
            raise IllegalMove(why or Said("no-move-yet"))
        return self.before

    def take_back_refusal(self, player: int) -> Said | None:
        """Say why this player's last move cannot be taken back, with what came after it; None where it can."""
        line, why = self, self.undo_refusal
        while line.before is not None and line.last_player != player:
            line = line.before
            why = why or line.undo_refusal
        return why if line.before is not None or self.resigned is not None else Said("no-move-yet")

    def taken_back(self, player: int) -> Line[P]:
        """The line without this player's last move and what came after it: then it is that player's turn again."""
        line = self
        while line.last_player != player:
            line = line.undone()
        return line.undone()

    def taken_with(self, player: int) -> list[Line[P]]:
        """Return the lines that a take-back of this player's last move removes; empty where the move stays."""
        return [] if self.take_back_refusal(player) else self.since(self.taken_back(player).length)

    def __repr__(self) -> str:
        return f"<Line {self.game!r} after {' '.join(self.history) or 'no move'}>"


def started(game: Game[P], dealer: Dealer) -> Line[P]:
    """The line before the first move, with what lies open from the start."""
    return Line(game, dealer, game.start(), None, "", 0)._revealed()
