"""Where a state of OpenSpiel stands: a position, whose turn it is there, and what may be chosen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyspiel

from numberquest.contract import CHANCE
from numberquest.envs.action_ids import action_ids

if TYPE_CHECKING:
    from numberquest.contract import Game

REVEAL: Final = int(pyspiel.PlayerId.CHANCE)
OVER: Final = int(pyspiel.PlayerId.TERMINAL)


class Book:
    """One game by numbers: action ids are places in `actions`, outcome ids of a reveal are places in `reveals`."""

    __slots__ = ("_action_ids", "_actions_of", "_reveal_ids", "_reveals_of", "actions", "game", "reveals", "start")

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.actions = game.actions
        self.reveals = tuple(str(number) for number in sorted(set(game.deck)))
        self._action_ids = action_ids(game)
        self._reveal_ids = {move: number for number, move in enumerate(self.reveals)}
        # The same moves are allowed in many positions; how many such sets there are is bounded by the pool.
        self._actions_of: dict[tuple[str, ...], list[int]] = {}
        self._reveals_of: dict[tuple[str, ...], list[int]] = {}
        self.start = self.at(game.start())

    def at(self, position: Any) -> Place:
        """The place of a position."""
        game = self.game
        moves = game.moves(position)
        if not moves:
            return Place(self, position, OVER, [])
        player = game.player(position)
        if player == CHANCE:
            known, ids, player = self._reveals_of, self._reveal_ids, REVEAL
        else:
            known, ids = self._actions_of, self._action_ids
        chosen = known.get(moves)
        if chosen is None:
            chosen = known[moves] = [ids[move] for move in moves]
        return Place(self, position, player, chosen)

    def after(self, place: Place, action: int) -> Place:
        """The place after an action or a reveal."""
        move = (self.reveals if place.player == REVEAL else self.actions)[action]
        return self.at(self.game.play(place.position, move))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return book, (self.game,)


class Place:
    """Never changes, so that a copy of a state can share it: OpenSpiel copies at every step of a search."""

    __slots__ = ("book", "choices", "player", "position")

    def __init__(self, book: Book, position: Any, player: int, choices: list[int]) -> None:
        self.book = book
        self.position = position
        self.player = player
        self.choices = choices
        """Ids in ascending order. Shared, and not to be written to."""

    def __deepcopy__(self, memo: dict[int, object]) -> Place:
        return self

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _place, (self.book, self.position)


@lru_cache(maxsize=64)
def book(game: Game[Any]) -> Book:
    """The book of this game; the last few are kept."""
    return Book(game)


def _place(of: Book, position: Any) -> Place:
    return of.at(position)
