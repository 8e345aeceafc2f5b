"""How an array module keeps tables and looks things up in them; and random bits for many games at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from numberquest.solver.solution import ALIKE


class Arrays:
    """As NumPy does it, and every module that follows the array API standard. Another way is told by `ARRAYS`."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp
        # On NumPy a fifth faster than np.take, because nothing is checked: what is out of range begins again at 0.
        # Some other modules look things up only by whole numbers of 32 bits or more.
        self.take: Callable[[Any, Any], Any] = (
            (lambda table, indices: table.take(indices, 0, None, "wrap"))
            if xp is np
            else (lambda table, indices: xp.take(table, xp.astype(indices, xp.int32), axis=0))
        )
        """Takes the entries, or the rows, of a table at some places, all of which are there."""
        self.index = xp.asarray(np.zeros(1, np.int32)).dtype
        """The kind of whole number that this array module looks things up with."""

    def table(self, values: NDArray[Any]) -> Any:
        """A table that was filled, as it is looked up."""
        return self.xp.asarray(values)

    @property
    def digits(self) -> Any:
        """The kind of number that chances have here, with as many digits as there can be."""
        return self.xp.float64

    @property
    def alike(self) -> float:
        """Chances closer than this differ only by rounding."""
        return ALIKE

    def chances(self, values: NDArray[Any]) -> Any:
        """A table of chances, with so many digits."""
        return self.xp.asarray(values, dtype=self.digits)

    def ones(self, truths: Any) -> Any:
        """1 where it is True and 0 elsewhere, as small numbers."""
        return truths.view(np.uint8) if self.xp is np else self.xp.astype(truths, self.xp.uint8)

    def rows(self, rows: NDArray[Any]) -> Any:
        """A table of rows of small numbers that are added up, a row of one and a row of another."""
        return self.xp.asarray(rows)

    def numbers(self, rows: Any, kind: type[np.generic], width: int) -> Any:
        """Rows that have been added up, as an array of floats that has so many columns."""
        return self.xp.astype(rows[..., :width], self.xp.float32)

    def settled(
        self, state: Any, waits: Callable[[Any], Any], settle: Callable[..., Any], bits: Any, rounds: int | None
    ) -> Any:
        """The state when nothing waits any more. `rounds` is how often it is settled at most, where that is known."""
        while True:
            waiting = waits(state)
            if not bool(self.xp.any(waiting)):
                return state
            state = settle(state, waiting, bits.where(waiting))


BITS: Final = 24
"""So few that they times a few choices fit into 32 bits, so many that no choice is favoured."""
FEW: Final = 127
"""The most choices for which that holds, a bit being the sign."""


class Bits:
    """Each call gives a random number below 2**24 for every game. The same seed gives the same, on every machine."""

    def __init__(self, seed: np.random.SeedSequence, size: int, xp: Any) -> None:
        # Generator's methods may change with NumPy's version; what a bit generator gives may not.
        self._source = np.random.SFC64(seed)
        self._size = size
        self._words = (size + 1) // 2
        # Not the module itself, which could not be copied.
        self._as_array = xp.asarray

    def __call__(self) -> Any:
        """As many whole numbers as there are games."""
        words = self._source.random_raw(self._words).astype("<u8", copy=False).view("<u4")
        # Below 2**24 signed and unsigned are the same.
        numbers = (words >> (32 - BITS)).view("<i4")[: self._size]
        return self._as_array(numbers)

    def where(self, only: Any) -> Bits:
        """For some of the games alone; the others' bits are thrown away, as nobody can tell them apart."""
        return self


class BitsOfEach:
    """The same, where each game has a seed of its own: what it is given does not depend on the other games."""

    def __init__(self, seeds: Sequence[np.random.SeedSequence]) -> None:
        self._keys = np.array([seed.generate_state(1, np.uint64)[0] for seed in seeds], np.uint64)
        self._calls = np.zeros(len(seeds), np.uint64)
        self._only = np.ones(len(seeds), bool)

    def __call__(self) -> Any:
        """As many whole numbers as there are games; only those of some are used up."""
        # Steele, Lea and Flood's SplitMix: a good hash of the key and how many there have been.
        with np.errstate(over="ignore"):
            mixed = self._keys + (self._calls + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        self._calls += self._only
        return ((mixed ^ mixed >> np.uint64(31)) >> np.uint64(64 - BITS)).astype(np.int32)

    def where(self, only: Any) -> BitsOfEach:
        """For some of the games alone: those of the others are still to come."""
        # What has been drawn is counted in one array, here and there.
        some = copy(self)
        some._only = self._only & np.asarray(only)
        return some

    def again(self, where: NDArray[np.bool_], other: BitsOfEach) -> None:
        """From here on, some games have the seeds that others have."""
        self._keys[where], self._calls[where] = other._keys[where], 0


def below(bits: Any, count: Any) -> Any:
    """A whole number from 0 to count - 1, each alike, for every game; of few choices."""
    return bits * count >> BITS


def below_many(bits: Any, count: Any) -> Any:
    """The same number, worked out in two halves that fit into 32 bits each: of up to half a million choices."""
    half = BITS // 2
    return (bits >> half) * count + ((bits & (1 << half) - 1) * count >> half) >> half


def below_for(most: int) -> Callable[[Any, Any], Any]:
    """The faster of the two that can choose among so many."""
    return below if most <= FEW else below_many
