"""What the fast solvers share: pools of numbers as indices, layer by layer by their size.

A pool is a count for each number, written as one index in the base copies + 1. To take a number out
is to subtract its weight, and the pools of one size need only those of the size below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]


class Pools(NamedTuple):
    """How the pools of a game are numbered."""

    high: int
    copies: int

    @property
    def number(self) -> int:
        """How many pools there are."""
        return int((self.copies + 1) ** self.high)

    @property
    def size(self) -> int:
        """How many numbers the full pool holds."""
        return self.high * self.copies

    def weights(self) -> list[int]:
        """What each number adds to a pool's index; the first entry is for no number."""
        return [0, *((self.copies + 1) ** at for at in range(self.high))]

    def counts(self) -> list[Indices]:
        """For each number, how many of it every pool holds."""
        import numpy as np

        indices = np.arange(self.number)
        return [(indices // weight) % (self.copies + 1) for weight in self.weights()[1:]]

    def layers(self) -> Iterator[tuple[int, Indices, list[tuple[int, Indices, Indices]]]]:
        """For each size from 1 up: the pools of that size, and for each number which of them hold it, and how often."""
        import numpy as np

        counts = self.counts()
        sizes = np.sum(counts, axis=0)
        order = np.argsort(sizes, kind="stable")
        bounds = np.searchsorted(sizes[order], np.arange(self.size + 2))
        for size in range(1, self.size + 1):
            pools = order[bounds[size] : bounds[size + 1]]
            holders = []
            for number, count in enumerate(counts, start=1):
                of_these = count[pools]
                having = np.flatnonzero(of_these)
                if len(having):
                    holders.append((number, having, of_these[having]))
            yield size, pools, holders

    def by_size(self) -> tuple[NDArray[np.int32], NDArray[np.int32], list[int]]:
        """The pools in the order of their size, where each is among those of its size, and where each size begins."""
        import numpy as np

        sizes = np.zeros(1, dtype=np.uint8)
        for _ in range(self.high):
            sizes = np.add.outer(np.arange(self.copies + 1, dtype=np.uint8), sizes).reshape(-1)
        order = np.argsort(sizes, kind="stable").astype(np.int32)
        bounds = np.concatenate([[0], np.cumsum(np.bincount(sizes))])
        place = np.empty_like(order)
        place[order] = np.arange(self.number) - np.repeat(bounds[:-1], np.diff(bounds))
        return order, place, bounds.tolist()
