"""What every game's messages are made by."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from numberquest.contract import Game, P
from numberquest.server import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

G = TypeVar("G", bound=Game[Any])
Ends = Literal["wins", "loses"]


class Remembered:
    """The options of moves whose words depend on little of a position, each made once."""

    def __init__(self) -> None:
        self._known: dict[int, dict[str, wire.Option]] = {}

    def options(self, at: int, moves: Sequence[str], make: Callable[[str], wire.Option]) -> list[wire.Option]:
        """The options of these moves; `at` is all of the position that they depend on."""
        known = self._known.setdefault(at, {})
        try:
            return [known[move] for move in moves]
        except KeyError:
            known.update({move: make(move) for move in moves if move not in known})
            return [known[move] for move in moves]


class Shown(ABC, Generic[G, P]):
    """One rule set as messages: `Shown[Fifty, Position]`."""

    def __init__(self, game: G) -> None:
        self.game = game

    @abstractmethod
    def board(self, positions: Sequence[P], history: Sequence[str]) -> wire.Board:
        """The table at the last of these positions; the history is what led there."""

    @abstractmethod
    def options(self, p: P) -> list[wire.Option]:
        """The moves allowed there, where a player decides."""

    @abstractmethod
    def told(self, before: P, entry: str, after: P) -> str:
        """What somebody did there, or what was revealed, without a name in front."""

    def ends(self, after: P, player: int) -> Ends | None:
        """What a position is for a player, where the game is over there."""
        outcome = self.game.outcome(after)
        if outcome is None:
            return None
        return "wins" if outcome.winner == player else "loses"


def so(ending: Ends | None) -> str:
    """What is added to a move's words where the game ends with it: `: that wins`."""
    return f": that {ending}" if ending else ""


def past(number: int, target: int) -> str:
    """What is added to a number that is too large."""
    return f", past {target}" if number > target else ""


def unjudged(option: wire.Option) -> wire.Option:
    """The same move without a word about winning, for somebody who is to find that out."""
    return wire.Option(option.move, re.split("[:,] that (?:wins|loses)", option.words)[0], option.result)
