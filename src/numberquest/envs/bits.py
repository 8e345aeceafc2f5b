"""Random bits for many games at once, and how NumPy looks things up fastest: the one file that is about NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

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

    def __call__(self) -> Any:
        """As many whole numbers as there are games."""
        return self._drawn(np.ones(len(self._keys), bool))

    def where(self, only: Any) -> BitsOfSome:
        """For some of the games alone: those of the others are still to come."""
        return BitsOfSome(self, np.asarray(only))

    def again(self, where: NDArray[np.bool_], other: BitsOfEach) -> None:
        """From here on, some games have the seeds that others have."""
        self._keys = np.where(where, other._keys, self._keys)
        self._calls = np.where(where, np.uint64(0), self._calls)

    def _drawn(self, only: NDArray[np.bool_]) -> Any:
        # Steele, Lea and Flood's SplitMix: a good hash of the key and how many there have been.
        with np.errstate(over="ignore"):
            mixed = self._keys + (self._calls + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        self._calls = self._calls + only.astype(np.uint64)
        return ((mixed ^ mixed >> np.uint64(31)) >> np.uint64(64 - BITS)).astype(np.int32)


class BitsOfSome:
    """The bits of some games, each of which has a seed of its own."""

    def __init__(self, every: BitsOfEach, only: NDArray[np.bool_]) -> None:
        self._every, self._only = every, only

    def __call__(self) -> Any:
        """As many whole numbers as there are games; only those of some are used up."""
        return self._every._drawn(self._only)

    def where(self, only: Any) -> BitsOfSome:
        """For still fewer."""
        return BitsOfSome(self._every, self._only & np.asarray(only))


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


def taker(xp: Any) -> Callable[[Any, Any], Any]:
    """What takes the entries, or the rows, of a table at some places, all of which are there."""
    if xp is np:
        # A fifth faster than np.take, because nothing is checked; whatever is out of range begins again at 0.
        return lambda table, indices: table.take(indices, 0, None, "wrap")
    # Some modules look things up only by whole numbers of 32 bits or more.
    return lambda table, indices: xp.take(table, xp.astype(indices, xp.int32), axis=0)
