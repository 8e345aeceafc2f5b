"""How an array module keeps tables, looks things up in them, and goes on until nothing is left to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberquest.envs.bits import taker
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Arrays:
    """As NumPy does it, and every module that follows the array API standard. Another way is told by `ARRAYS`."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp
        self.take = taker(xp)
        """Takes the entries, or the rows, of a table at some places, all of which are there."""

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
        self,
        state: Any,
        waits: Callable[[Any], Any],
        settle: Callable[[Any, Any, Callable[[], Any]], Any],
        bits: Any,
        rounds: int | None,
    ) -> Any:
        """The state when nothing waits any more: it is settled where something does, again and again.

        `rounds` is how often that can be at most, where it is known.
        """
        while True:
            waiting = waits(state)
            if not bool(self.xp.any(waiting)):
                return state
            state = settle(state, waiting, bits.where(waiting))


def arrays_for(xp: Any) -> Arrays:
    """The way of this array module."""
    way: type[Arrays] = getattr(xp, "ARRAYS", Arrays)
    return way(xp)
