"""What is true of thousands of positions at once: their values, what moves lose, and which are perfect.

All of it is read from the solver's own tables, or asked of the solver once and kept in tables. A game's folder may
hold `truth.py`, which names the class `TRUTH`; other games are listed (`listed.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from numberquest.envs.bits import below_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from numberquest.envs.batches.tables import Tables

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

    def table(self, values: NDArray[Any]) -> Any:
        """A table that was filled."""
        return self.tables.arrays.table(values)

    def chances(self, values: NDArray[Any]) -> Any:
        """A table of chances, or of what is lost of them, of as many digits as the module has."""
        return self.tables.arrays.chances(values)

    def any_of(self, good: Sequence[Any], bits: Callable[[], Any]) -> Any:
        """One of the few actions for which it is True in each game, each alike: there is an array for each action."""
        xp, ones = self.xp, self.tables.arrays.ones
        so_far = [ones(good[0])]
        for each in good[1:]:
            so_far.append(so_far[-1] + ones(each))
        chosen = xp.astype(self._below(bits(), xp.astype(so_far[-1], self.tables.index)), xp.uint8)
        # As many stand before it as have not counted up to it.
        before = ones(so_far[0] <= chosen)
        for each in so_far[1:]:
            before = before + ones(each <= chosen)
        return xp.astype(before, self.tables.index)


class Sets:
    """Sets of actions, numbered, of which one is drawn: as in `Legal`, for those that are perfect."""

    def __init__(self, truth: Truth[Any], sets: Sequence[Sequence[int]]) -> None:
        self._truth = truth
        counts = np.array([len(actions) for actions in sets], np.int32)
        starts = np.cumsum(counts) - counts
        self._counts, self._starts = truth.table(counts), truth.table(starts.astype(np.int32))
        self._actions = truth.table(np.array([action for actions in sets for action in actions], np.int32))

    def any_of(self, numbers: Any, bits: Callable[[], Any]) -> Any:
        """One action of each of these sets, each alike."""
        take, truth = self._truth.take, self._truth
        chosen = truth._below(bits(), take(self._counts, numbers))
        actions = take(self._actions, take(self._starts, numbers) + chosen)
        return truth.xp.astype(actions, truth.tables.index)
