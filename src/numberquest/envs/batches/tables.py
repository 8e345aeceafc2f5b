"""What the tables of every game have in common, and the table of what is allowed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from numberquest.envs.action_ids import action_ids
from numberquest.envs.batches.arrays import Arrays, arrays_for
from numberquest.envs.observation import Observer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from numberquest.contract import Game

G = TypeVar("G", bound="Game[Any]")
S = TypeVar("S", bound="tuple[Any, ...]")
"""The positions of all games: a NamedTuple of arrays."""


class Legal:
    """Which actions are allowed, for each of the few cases that a game distinguishes."""

    def __init__(self, game: Game[Any], cases: Sequence[tuple[str, ...]], arrays: Arrays) -> None:
        ids = action_ids(game)
        actions = len(ids)
        masks = np.zeros((len(cases), handy(actions)), bool)
        lists = np.zeros((len(cases), actions), np.uint8 if actions <= 256 else np.int32)
        for case, moves in enumerate(cases):
            allowed = [ids[move] for move in moves]
            masks[case, allowed] = True
            lists[case, : len(allowed)] = allowed
        self.masks = arrays.xp.asarray(masks)
        self.lists = arrays.table(lists.reshape(-1))
        self.counts = arrays.table(np.array([len(moves) for moves in cases], np.int32))


def handy(width: int) -> int:
    """As many bytes as this or a few more: rows of these widths are copied several times as fast as others."""
    return next((handy for handy in (4, 8, 16, 32) if width <= handy), width)


class Tables(ABC, Generic[G, S]):
    """The rules of one game with its settings. All methods are pure functions of arrays."""

    legal: Legal
    start: S
    """The first position, before anything is revealed: a number for each array."""
    reveals = False
    """Whether something is revealed after a move or at the start, before the next player can choose."""
    draws = False
    """Whether a game can end with nobody as its winner."""
    bounded = True
    """Whether every game comes to an end by the rules; otherwise some are truncated."""

    def __init__(self, game: G, xp: Any) -> None:
        self.game = game
        self.xp = xp
        self.actions = len(game.actions)
        self.arrays = arrays_for(xp)
        self.take = self.arrays.take
        self.observer = Observer(game)
        # The kind of number in the rows that are shown, large enough for all of an observation.
        self._kind: type[np.generic] = np.uint8 if self.observer.high.max() <= 255 else np.int16
        self.index = self.full(1, 0).dtype
        """The kind of whole number that this array module looks things up with."""
        self.known: dict[str, Any] = {}
        """What is true of the game, once somebody has asked (`truth.py`)."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # All follows from the game: a copy shares the tables, and where one was pickled they are made again.
        return _made_again, (type(self), self.game, self.xp.__name__)

    @classmethod
    @abstractmethod
    def bytes_for(cls, game: G) -> int:
        """About how large the tables are, known before they are made."""

    @abstractmethod
    def fresh(self, size: int | tuple[int, ...]) -> S:
        """So many games at the start, before anything is revealed; in an array of this shape."""

    @abstractmethod
    def move(self, state: S, actions: Any, bits: Callable[[], Any]) -> tuple[S, Any]:
        """The positions after these actions, and what came of it for whoever moved: one of the results below.

        `bits` gives random bits for every game, whenever it is called.
        """

    @abstractmethod
    def restart(self, state: S, ended: Any) -> S:
        """The same, with the games that are over begun anew."""

    def anew(self, ended: Any, arrays: Iterable[Any], starts: Iterable[int]) -> list[Any]:
        """These arrays, with the number of the start where a game is over."""
        # All bits of `over` are set where a game is over. Which games those are is never twice the same, and a
        # processor that guesses wrong loses more time than these few steps without a branch take.
        over = -self.xp.astype(ended, self.index)
        keep = ~over
        return [
            array & keep | over & start if start else array & keep for array, start in zip(arrays, starts, strict=True)
        ]

    def where(self, condition: Any, number: int) -> Any:
        """The number for every game where the condition holds, and 0 elsewhere."""
        return self.xp.astype(condition, self.index) * number

    def reveal(self, state: S, bits: Callable[[], Any]) -> S:
        """Settle what chance decides before the next move; most games have nothing of the kind."""
        return state

    @abstractmethod
    def cases(self, state: S) -> Any:
        """Which case of `legal` each game is in."""

    @abstractmethod
    def players(self, state: S) -> Any:
        """Whose turn it is in each game."""

    @abstractmethod
    def observe(self, state: S, players: Any) -> Any:
        """What these players see, as `Observer.see` says it."""

    @abstractmethod
    def position(self, state: S, i: int) -> Any:
        """The position of one game, as the game itself has it."""

    def table(self, values: Any, dtype: Any = np.int32) -> Any:
        """A table that was filled, as an array of the module in use."""
        return self.arrays.table(np.asarray(values, dtype))

    def full(self, size: int | tuple[int, ...], value: int) -> Any:
        """The same number for every game."""
        return self.xp.asarray(np.full(size, value, np.int32))

    def shows(self, **parts: Any) -> Any:
        """A table of rows with these parts of the observation at their places: rows of several kinds add up."""
        return self.arrays.rows(self.shown(**parts))

    def shown(self, **parts: Any) -> NDArray[Any]:
        """The same before it is a table; where no part stands, there is 0."""
        kind = self._kind
        columns = handy(self.observer.size * kind().itemsize) // kind().itemsize
        rows = np.zeros((len(next(iter(parts.values()))), columns), kind)
        for name, values in parts.items():
            at = self.observer.at(name)
            rows[:, at] = np.reshape(values, (len(rows), at.stop - at.start))
        return rows

    def seen(self, rows: Any) -> Any:
        """Rows that have been added up, as observations."""
        return self.arrays.numbers(rows, self._kind, self.observer.size)


WON, LOST, GOES_ON, DRAWN, TRUNCATED = 1, -1, 0, 2, 3
"""What a move came to. A draw has a number of its own, because its reward is the same as where a game goes on."""


def result_of(game: Game[Any], position: Any, mover: int) -> int:
    """What came of a move that led there, for the one who made it."""
    outcome = game.outcome(position)
    if outcome is None:
        return GOES_ON
    return DRAWN if outcome.winner is None else WON if outcome.winner == mover else LOST


@lru_cache(maxsize=16)
def made(kind: type[Tables[G, Any]], game: G, xp: Any) -> Tables[G, Any]:
    """Tables of this kind, made once."""
    return kind(game, xp)


def _made_again(kind: type[Tables[Any, Any]], game: Game[Any], module: str) -> Tables[Any, Any]:
    return made(kind, game, import_module(module))


def for_both(first: Any, second: Any) -> NDArray[Any]:
    """What is shown to Player 1 and what to Player 2, in turns: entry 2 * i + player."""
    return np.stack([first, second], axis=1).reshape(-1)


def turn_for_both(turns: NDArray[Any]) -> NDArray[Any]:
    """How each of the two is shown whose turn it is: 1 their own, 2 the other's."""
    return for_both(turns + 1, 2 - turns)
