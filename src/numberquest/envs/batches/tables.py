"""What the tables of every game have in common: what is allowed, where moves lead, and what is true of positions.

What is true (values, what moves lose, which are perfect) is read from the solver's own tables, or asked of the solver
once and kept in tables. A game's `batch.py` may name a class `TRUTH`; other games are listed (`general.py`).
"""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from importlib import import_module
from itertools import accumulate
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import Game
from numberquest.envs.batches.arrays import Arrays, below_for
from numberquest.envs.observation import Observer, action_ids
from numberquest.solver.pool_recurrence import Pools

G = TypeVar("G", bound="Game[Any]")
S = TypeVar("S", bound="tuple[Any, ...]")
"""The positions of all games: a NamedTuple of arrays."""


class Sets:
    """Sets of actions, numbered, of which one is drawn."""

    def __init__(self, sets: Sequence[Sequence[int]], actions: int, arrays: Arrays) -> None:
        self._arrays, self._actions, self._below = arrays, actions, below_for(actions)
        lists = np.zeros((len(sets), actions), np.uint8 if actions <= 256 else np.int32)
        for number, chosen in enumerate(sets):
            lists[number, : len(chosen)] = chosen
        self.lists = arrays.table(lists.reshape(-1))
        self.counts = arrays.table(np.array([len(chosen) for chosen in sets], np.int32))

    def any_of(self, numbers: Any, bits: Callable[[], Any]) -> Any:
        """One action of each of these sets, each alike."""
        return self.at(numbers, self._below(bits(), self._arrays.take(self.counts, numbers)))

    def at(self, numbers: Any, places: Any) -> Any:
        """The actions at these places of these sets."""
        actions = self._arrays.take(self.lists, numbers * self._actions + places)
        return self._arrays.xp.astype(actions, self._arrays.index)


class Legal(Sets):
    """Which actions are allowed, for each of the few cases that a game distinguishes."""

    def __init__(self, game: Game[Any], cases: Sequence[tuple[str, ...]], arrays: Arrays) -> None:
        ids = action_ids(game)
        allowed = [[ids[move] for move in moves] for moves in cases]
        super().__init__(allowed, len(ids), arrays)
        masks = np.zeros((len(cases), handy(len(ids))), bool)
        for case, actions in enumerate(allowed):
            masks[case, actions] = True
        self.masks = arrays.xp.asarray(masks)


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
        self.arrays: Arrays = getattr(xp, "ARRAYS", Arrays)(xp)
        self.take = self.arrays.take
        self.index = self.arrays.index
        self.observer = Observer(game)
        # The kind of number in the rows that are shown, large enough for all of an observation.
        self._kind: type[np.generic] = np.uint8 if self.observer.high.max() <= 255 else np.int16
        self.known: dict[str, Truth[Any]] = {}
        """What is true of the game, once somebody has asked."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # All follows from the game: a copy shares the tables, and where one was pickled they are made again.
        return _made_again, (type(self), self.game, self.xp.__name__)

    @classmethod
    @abstractmethod
    def bytes_for(cls, game: G) -> int:
        """About how large the tables are, known before they are made."""

    def fresh(self, size: int | tuple[int, ...]) -> S:
        """So many games at the start, before anything is revealed; in an array of this shape."""
        return type(self.start)(*(self.full(size, value) for value in self.start))

    @abstractmethod
    def move(self, state: S, actions: Any, bits: Callable[[], Any]) -> tuple[S, Any]:
        """The positions after these actions, and what came of it for whoever moved: one of the results below.

        `bits` gives random bits for every game, whenever it is called.
        """

    def restart(self, state: S, ended: Any) -> S:
        """The same, with the games that are over begun anew."""
        return type(state)(*self.anew(ended, state, self.start))

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

    def shows_sides(self, turns: NDArray[Any], first: Any, second: Any, **parts: Any) -> Any:
        """Rows for both players of each side, at 2 * side + player: whose turn it is (1 their own), and both scores."""
        mine, other = for_both(first, second), for_both(second, first)
        return self.shows(turn=for_both(turns + 1, 2 - turns), mine=mine, other=other, **parts)

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


def no_bits() -> Any:
    """The random bits of a game that leaves nothing to chance."""
    raise AssertionError("nothing is left to chance here")


def for_both(first: Any, second: Any) -> NDArray[Any]:
    """What is shown to Player 1 and what to Player 2, in turns: entry 2 * i + player."""
    return np.stack([first, second], axis=1).reshape(-1)


def ascending(counts: NDArray[Any]) -> NDArray[np.uint8]:
    """Each row of counts as a row of its numbers, from 1 on, in ascending order; 0 stands after the last."""
    sizes = counts.sum(axis=1, dtype=np.int32)
    each = np.tile(np.arange(1, counts.shape[1] + 1, dtype=np.uint8), len(counts))
    numbers = np.zeros((len(counts), sizes.max()), np.uint8)
    numbers[np.arange(sizes.max()) < sizes[:, None]] = np.repeat(each, counts.reshape(-1))
    return numbers


class Pooled:
    """What can be looked up about every pool."""

    def __init__(self, high: int, copies: int) -> None:
        self.pools = Pools(high, copies)
        self.weights = self.pools.weights()
        self.full = self.pools.number - 1
        self.counts = np.stack([counts.astype(np.uint8) for counts in self.pools.counts()], axis=1)
        """For each pool a row: how many there are of each number."""
        self.sizes = self.counts.sum(axis=1, dtype=np.int32)

    def tuple_of(self, pool: int) -> tuple[int, ...]:
        """The numbers of a pool, in ascending order."""
        row: list[Any] = self.counts[pool].tolist()
        return tuple(number for number, count in enumerate(row, start=1) for _ in range(count))


T = TypeVar("T", bound="Tables[Any, Any]")


class Truth(ABC, Generic[T]):
    """The values of one game with its settings. All methods are pure functions of arrays, as those of `Tables` are.

    What is found is what `solver.Solution` says of each position, to the last digit, where numbers have 64 bits.
    """

    def __init__(self, tables: T) -> None:
        self.tables = tables
        self.xp = tables.xp
        self.take = tables.take
        self.actions = tables.actions
        self.table, self.chances = tables.arrays.table, tables.arrays.chances
        self._below = below_for(tables.actions)

    @classmethod
    @abstractmethod
    def bytes_for(cls, tables: T) -> int:
        """About how large the tables are, known before they are made."""

    @abstractmethod
    def values(self, state: Any) -> Any:
        """The chance of whoever's turn it is to win, with best play from there on."""

    @abstractmethod
    def regret(self, state: Any, actions: Any) -> Any:
        """How much of that chance each of these actions, which are allowed, loses."""

    @abstractmethod
    def mattered(self, state: Any) -> Any:
        """True where the moves differ in what they are worth."""

    def judged(self, state: Any, actions: Any) -> tuple[Any, Any, Any]:
        """The regret of these actions, the values before them, and whether the choice mattered, all together."""
        return self.regret(state, actions), self.values(state), self.mattered(state)

    def ready(self) -> None:
        """Make what only `perfect` needs. `TooLarge` where that cannot be had, although the values can."""

    @abstractmethod
    def perfect(self, state: Any, bits: Callable[[], Any]) -> Any:
        """One of the moves between which `perfect` varies, each alike."""

    def any_of(self, good: Sequence[Any], bits: Callable[[], Any]) -> Any:
        """One of the few actions for which it is True in each game, each alike: there is an array for each action."""
        xp, ones = self.xp, self.tables.arrays.ones
        so_far = list(accumulate(map(ones, good)))
        chosen = xp.astype(self._below(bits(), xp.astype(so_far[-1], self.tables.index)), xp.uint8)
        # As many stand before it as have not counted up to it.
        before = reduce(operator.add, (ones(each <= chosen) for each in so_far))
        return xp.astype(before, self.tables.index)
