"""What lies on the table, what may be done, and what was done: positions as messages, made from the game's own view.

Nothing here decides anything: what a move comes to is looked up in the game. All of it runs in the event loop for
every move, so what comes again and again is kept. The lists and messages handed out are shared: nobody changes them.

A game whose drawn board needs more than the view gives has a `board.py` beside its rules, with any of these:

    more(game, positions, history)      further fields of the board
    facts(game, before, entry, after)   what the words of a move need besides
    depends(game, position)             all of a position that counts for what its moves come to
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from numberquest.contract import CHANCE
from numberquest.games import part
from numberquest.server import wire
from numberquest.view import Number, Scores, looks, view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numberquest.contract import Game, Outcome
    from numberquest.dealer import Dealer
    from numberquest.line import Line

MOST_KEPT: Final = 400
"""For so many of those that a game's moves depend on, what they come to is kept; then it begins anew."""

_encode = msgspec.json.Encoder().encode


def view(game: Game[Any]) -> list[wire.ViewField]:
    """What the fields of the board are."""
    return shown(game).view


def board(game: Game[Any], positions: Sequence[Any], history: Sequence[str]) -> wire.Board:
    """The table at the last of these positions; the history is what led there."""
    return shown(game).board(positions, history)


def options(game: Game[Any], position: Any) -> list[wire.Option]:
    """The moves of the player who decides there, in the game's own order; none before a reveal and at the end."""
    return shown(game).options(position) if game.player(position) != CHANCE else []


def lines(game: Game[Any], positions: Sequence[Any], history: Sequence[str]) -> list[wire.Line]:
    """A whole history as messages, a line for each move and reveal."""
    line = shown(game).line
    return [line(positions[at], entry, positions[at + 1]) for at, entry in enumerate(history)]


def end(game: Game[Any], outcome: Outcome | None, resigned: bool) -> wire.End | None:
    """How a game ended, if it did."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner + 1
    return wire.End(winner, outcome.reason, {"bound": game.bound, **outcome.facts}, resigned)


def sealed(dealer: Dealer, game: Game[Any], over: bool) -> wire.Seal | None:
    """The promise about what is hidden; what was promised is told when the game is over."""
    if dealer.commitment is None:
        return None
    return wire.Seal(dealer.commitment, dealer.seed if over else None, list(game.deck) if over else [])


def unjudged(option: wire.Option) -> wire.Option:
    """The same move without a word about winning, for somebody who is to find that out."""
    return wire.Option(option.move, option.result, facts=option.facts)


class Shown:
    """One rule set as messages."""

    def __init__(self, game: Game[Any]) -> None:
        own = part(type(game), "board")
        self.game = game
        self.settings = game.settings
        self.view = msgspec.convert(looks(game), list[wire.ViewField])
        self._fields = view_of(game)
        self._more: Callable[..., wire.Board] | None = getattr(own, "more", None)
        self._facts: Callable[..., wire.Facts] | None = getattr(own, "facts", None)
        self._depends: Callable[..., Hashable] | None = getattr(own, "depends", None)
        self._score = _score(game)
        self._known: dict[Hashable, dict[str, bytes]] = {}

    def board(self, positions: Sequence[Any], history: Sequence[str]) -> wire.Board:
        """The table at the last of these positions."""
        found = self._seen(positions[-1])
        if self._more is not None:
            found.update(self._more(self.game, positions, history))
        return found

    def board_at(self, line: Line[Any]) -> wire.Board:
        """The table at the end of this line; how it came there is looked up only where that is needed."""
        return self._seen(line.position) if self._more is None else self.board(line.positions, line.history)

    def _seen(self, p: Any) -> wire.Board:
        game = self.game
        return {field.name: field.shown(game, p) for field in self._fields}

    def options(self, p: Any) -> list[wire.Option]:
        """The moves of the player who decides there."""
        game = self.game
        player = game.player(p)
        return [self._option(p, player, move) for move in game.moves(p)]

    def options_json(self, p: Any, moves: Sequence[str]) -> msgspec.Raw:
        """The same, for these moves, as JSON."""
        game = self.game
        if self._depends is None:
            player = game.player(p)
            return msgspec.Raw(_encode([self._option(p, player, move) for move in moves]))
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        known = self._known.setdefault(self._depends(game, p), {})
        try:
            parts = [known[move] for move in moves]
        except KeyError:
            player = game.player(p)
            known.update({move: _encode(self._option(p, player, move)) for move in moves if move not in known})
            parts = [known[move] for move in moves]
        return msgspec.Raw(b"[%b]" % b",".join(parts))

    def _option(self, p: Any, player: int, move: str) -> wire.Option:
        game, score = self.game, self._score
        after = game.play(p, move)
        outcome = game.outcome(after)
        result = None
        if score is not None:
            result = score(after, player)
            # While something is to be revealed first, nobody knows yet.
            if outcome is None and result == score(p, player) and game.player(after) == CHANCE:
                result = None
        facts = {} if self._facts is None else self._facts(game, p, move, after)
        return wire.Option(move, result, None if outcome is None else _ends(outcome, player), facts)

    def line(self, before: Any, entry: str, after: Any) -> wire.Line:
        """One entry of the history, a move or a reveal."""
        game, score = self.game, self._score
        player = game.player(before)
        facts = {} if self._facts is None else self._facts(game, before, entry, after)
        if player == CHANCE:
            if game.deck:
                return wire.Line(0, entry, facts, game.slot(before))
            return wire.Line(0, entry, facts, None, list(game.moves(before)), list(game.weights(before)))
        if score is not None:
            facts = {**facts, "had": score(before, player), "has": score(after, player)}
        return wire.Line(player + 1, entry, facts)


def _score(game: Game[Any]) -> Callable[[Any, int], int] | None:
    """What looks up a player's score, or the shared number that is on its way to a target; None where there is none."""
    for field in view_of(game):
        if isinstance(field, Scores) and not field.none:
            pair = attrgetter(field.name)
            return lambda p, player: int(pair(p)[player])
        if isinstance(field, Number) and field.target is not None:
            number = attrgetter(field.name)
            return lambda p, _: int(number(p))
    return None


def _ends(outcome: Outcome, player: int) -> Literal["wins", "loses", "draws"]:
    if outcome.winner is None:
        return "draws"
    return "wins" if outcome.winner == player else "loses"


# Each keeps a megabyte at most, and most of them far less.
@lru_cache(maxsize=128)
def shown(game: Game[Any]) -> Shown:
    """The rule set as messages, made once."""
    return Shown(game)
