"""One game being played: a line of play that grows, with undo and redo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic

from numberquest.core import dealer as dealers
from numberquest.core.contract import CHANCE, Game, IllegalMove, Outcome, P
from numberquest.core.dealer import Dealer
from numberquest.core.line import Line, started
from numberquest.core.sentences import Said


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
                dealer = dealers.sealed(game) if dealers.is_sealed(game) else Dealer(())
        self._go_on(started(game, dealer))

    @classmethod
    def at(cls, line: Line[P]) -> Match[P]:
        """The match that has come so far."""
        match = cls.__new__(cls)
        match._go_on(line)
        return match

    def _go_on(self, line: Line[P]) -> None:
        self.game = line.game
        self.dealer = line.dealer
        self.line = line
        """How it has gone so far; it never changes, and each move makes a new one."""
        self._undone: list[str] = []

    @property
    def position(self) -> P:
        """Where the game stands."""
        return self.line.position

    @property
    def history(self) -> tuple[str, ...]:
        """All moves and reveals so far."""
        return self.line.history

    @property
    def positions(self) -> tuple[P, ...]:
        """The start and the position after each entry of `history`."""
        return self.line.positions

    @property
    def player(self) -> int:
        """Whose turn it is, 0 or 1; whose it would be, once the game is over."""
        return self.line.player

    @property
    def moves(self) -> tuple[str, ...]:
        """What the player may do now; empty when the game is over."""
        return self.line.moves

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        return self.line.outcome

    def known(self, who: int | None) -> Any:
        """What player `who` knows, 0 or 1, or with None somebody who watches: all they have seen and done, in order.

        In a game without secrets that is the position itself.
        """
        return self.line.known(who)

    @property
    def resigned(self) -> int | None:
        """The player who gave up, if one did."""
        return self.line.resigned

    def play(self, move: str) -> P:
        """Make a move, reveal what it uncovers, and return the new position."""
        self.line = self.line.play(move)
        self._undone.clear()
        return self.line.position

    def resign(self, player: int | None = None) -> None:
        """Give the game up: the player whose turn it is, unless another is named."""
        self.line = self.line.resign(player)
        self._undone.clear()

    @property
    def last_player(self) -> int | None:
        """Who made the last entry of `history`: 0, 1 or `CHANCE`; None at the start."""
        return self.line.last_player

    @property
    def undo_refusal(self) -> Said | None:
        """Why the last move cannot be taken back, or None where it can."""
        return self.line.undo_refusal

    def take_back_refusal(self, player: int) -> Said | None:
        """Why this player's last move cannot be taken back, with what came after it; None where it can."""
        return self.line.take_back_refusal(player)

    def take_back(self, player: int) -> None:
        """Take this player's last move back, with what came after it: then it is that player's turn again."""
        back = self.line.taken_back(player)
        while self.line is not back:
            self.undo()

    def undo(self) -> str:
        """Take the last move back and return it; never past a reveal or a binding move."""
        move, self.line = self.line.entry, self.line.undone()
        self._undone.append(move)
        return move

    def redo(self) -> str:
        """Play the move that was taken back last again, and return it."""
        if not self._undone:
            raise IllegalMove(Said("nothing-undone"))
        self.line = self.line.play(self._undone[-1])
        return self._undone.pop()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        same_start = (self.game, self.dealer) == (other.game, other.dealer)
        return same_start and (self.history, self.resigned) == (other.history, other.resigned)

    __hash__ = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        return f"<Match {self.game!r} after {' '.join(self.history) or 'no move'}>"


def led_to(game: Game[P], history: Iterable[str], seed: str | None = None) -> Match[P]:
    """A match that these moves and reveals have led to; what nobody has seen yet is shuffled.

    Trusts its caller that they are possible.
    """
    p = game.start()
    seen: dict[int, str] = {}
    moves = []
    for entry in history:
        if game.player(p) == CHANCE:
            seen[dealers.place_of(game, p, len(seen))] = entry
        else:
            moves.append(entry)
        p = game.play(p, entry)
    match = Match(game, dealer=dealers.completed(game, seen, seed)) if game.chance else Match(game, seed=seed)
    for move in moves:
        match.play(move)
    return match
