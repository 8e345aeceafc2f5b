"""Tables about pools of numbers, numbered as the solvers number them (`solve.pools`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Pooled:
    """What can be looked up about every pool."""

    def __init__(self, high: int, copies: int) -> None:
        self.pools = Pools(high, copies)
        self.weights = self.pools.weights()
        self.full = self.pools.number - 1
        self.counts = np.stack([counts.astype(np.uint8) for counts in self.pools.counts()], axis=1)
        """For each pool a row: how many there are of each number."""
        self.sizes = self.counts.sum(axis=1, dtype=np.int32)

    def kinds(self) -> NDArray[np.int16]:
        """Which numbers are there at all: a bit for each, the lowest for 1."""
        there = np.zeros(len(self.sizes), np.int16)
        for number in range(self.pools.high):
            there |= (self.counts[:, number] > 0).astype(np.int16) << number
        return there

    def nth(self) -> NDArray[np.uint8]:
        """Each pool as a row of its numbers in ascending order; 0 stands after the last."""
        columns = np.arange(self.pools.size, dtype=np.uint8)
        numbers = np.ones((len(self.sizes), self.pools.size), np.uint8)
        before = np.zeros(len(self.sizes), np.uint8)
        for number in range(self.pools.high):
            before += self.counts[:, number]
            numbers += columns >= before[:, None]
        numbers[columns >= before[:, None]] = 0
        return numbers

    def tuple_of(self, pool: int) -> tuple[int, ...]:
        """The numbers of a pool, in ascending order."""
        row: list[Any] = self.counts[pool].tolist()
        return tuple(number for number, count in enumerate(row, start=1) for _ in range(count))
