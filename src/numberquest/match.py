"""One game being played: its history, undo and redo. Legality is checked here, and only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from numberquest import dealer as dealers
from numberquest.contract import CHANCE, Game, IllegalMove, Outcome, P
from numberquest.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numberquest.dealer import Dealer


class Match(Generic[P]):
    """A game being played, always at a decision or over: what is to be revealed is revealed at once.

    >>> match = Match(nq.game("fifty"))
    >>> match.play("5+").scores
    (5, 0)
    """

    def __init__(
        self,
        game: Game[P],
        *,
        seed: int | str | None = None,
        deal: Iterable[int | str] | None = None,
        dealer: Dealer | None = None,
    ) -> None:
        """`seed` fixes the shuffle, `deal` fixes every reveal; without either the deal is secret and sealed."""
        if dealer is not None and not (seed is None and deal is None):
            raise ValueError("a dealer has a deal already: name a dealer, or a seed and a deal, but not both")
        if dealer is None:
            if deal is not None:
                dealer = dealers.given(game, deal, seed)
            elif seed is not None:
                dealer = dealers.seeded(game, seed)
            else:
                dealer = dealers.fresh(game)
        self.game = game
        self.dealer = dealer
        self._positions = [game.start()]
        self._history: list[str] = []
        self._undone: list[str] = []
        self._resigned: int | None = None
        self._moves: tuple[str, ...] = ()
        self._reveals = 0
        # A game that need not end by itself is a draw after a bound that is known beforehand.
        self._bound = game.bound if game.longest is None else None
        self._reveal()

    @property
    def position(self) -> P:
        """Where the game stands."""
        return self._positions[-1]

    @property
    def history(self) -> tuple[str, ...]:
        """All moves and reveals so far."""
        return tuple(self._history)

    @property
    def positions(self) -> tuple[P, ...]:
        """The start and the position after each entry of `history`."""
        return tuple(self._positions)

    @property
    def player(self) -> int:
        """Whose turn it is, 0 or 1; whose it would be, once the game is over."""
        return self.game.turn(self.position)

    @property
    def moves(self) -> tuple[str, ...]:
        """What the player may do now; empty when the game is over."""
        return () if self._resigned is not None else self._moves

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        if self._resigned is not None:
            return Outcome(1 - self._resigned, "resigned")
        outcome = self.game.outcome(self.position)
        return Outcome(None, "endless") if outcome is None and self._is_endless else outcome

    @property
    def _is_endless(self) -> bool:
        return self._bound is not None and len(self._history) >= self._bound

    @property
    def resigned(self) -> int | None:
        """The player who gave up, if one did."""
        return self._resigned

    def play(self, move: str) -> P:
        """Make a move, reveal what it uncovers, and return the new position."""
        allowed = self.moves
        if move not in allowed:
            code = "not-allowed" if allowed else "not-allowed-over"
            raise IllegalMove(Said(code, {"move": move, "allowed": allowed}))
        self._advance(move)
        self._undone.clear()
        return self.position

    def resign(self, player: int | None = None) -> None:
        """Give the game up: the player whose turn it is, unless another is named."""
        if self.outcome is not None:
            raise IllegalMove(Said("resign-over"))
        if player not in (None, 0, 1):
            raise IllegalMove(Said("resign-nobody", {"player": player}))
        self._resigned = self.player if player is None else player
        self._undone.clear()

    @property
    def last_player(self) -> int | None:
        """Who made the last entry of `history`: 0, 1 or `CHANCE`; None at the start."""
        return self.game.player(self._positions[-2]) if self._history else None

    @property
    def undo_refusal(self) -> Said | None:
        """Why the last move cannot be taken back, or None where it can."""
        if self._resigned is not None:
            return Said("resigned-is-final")
        if not self._history:
            return Said("no-move-yet")
        return self._final(len(self._history) - 1)

    def take_back_refusal(self, player: int) -> Said | None:
        """Why this player's last move cannot be taken back, with what came after it; None where it can."""
        if self._resigned is not None:
            return Said("resigned-is-final")
        for at in range(len(self._history) - 1, -1, -1):
            why = self._final(at)
            if why is not None:
                return why
            if self.game.player(self._positions[at]) == player:
                return None
        return Said("no-move-yet")

    def take_back(self, player: int) -> None:
        """Take this player's last move back, with what came after it: then it is that player's turn again."""
        why = self.take_back_refusal(player)
        if why is not None:
            raise IllegalMove(why)
        while self.last_player != player:
            self.undo()
        self.undo()

    def _final(self, at: int) -> Said | None:
        """Why this entry of the history stands for good, or None where it does not."""
        if self.game.player(self._positions[at]) == CHANCE:
            return Said("revealed-since" if self.game.deck else "drawn-since")
        if self.game.binding(self._history[at]):
            return Said("binding-move", {"move": self._history[at]})
        return None

    def undo(self) -> str:
        """Take the last move back and return it; never past a reveal or a binding move."""
        why = self.undo_refusal
        if why is not None:
            raise IllegalMove(why)
        move = self._history.pop()
        self._positions.pop()
        self._moves = self.game.moves(self.position)
        self._undone.append(move)
        return move

    def redo(self) -> str:
        """Play the move that was taken back last again, and return it."""
        if not self._undone:
            raise IllegalMove(Said("nothing-undone"))
        move = self._undone.pop()
        self._advance(move)
        return move

    def _advance(self, move: str) -> None:
        before, reveals = len(self._history), self._reveals
        self._step(move)
        try:
            self._reveal()
        except dealers.BadDeal:
            # A given draw that cannot be: then nothing has happened.
            del self._positions[before + 1 :], self._history[before:]
            self._reveals = reveals
            raise

    def _reveal(self) -> None:
        moves = self.game.moves(self.position)
        while moves and self.game.player(self.position) == CHANCE and not self._is_endless:
            self._step(self.dealer.reveal(self.game, self.position, self._reveals))
            self._reveals += 1
            moves = self.game.moves(self.position)
        self._moves = () if self._is_endless else moves

    def _step(self, move: str) -> None:
        self._positions.append(self.game.play(self.position, move))
        self._history.append(move)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # it changes with every move

    def _identity(self) -> tuple[Any, ...]:
        return self.game, self.dealer, self._history, self._resigned

    def __repr__(self) -> str:
        return f"<Match {self.game!r} after {' '.join(self._history) or 'no move'}>"
