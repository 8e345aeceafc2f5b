"""Random bits for many games at once, and how NumPy looks things up fastest: the one file that is about NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

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
