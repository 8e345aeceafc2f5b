"""What the recurrences share: pairs of levels, and how a level mixes any move with a best one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberquest.players import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Shares = NDArray[np.float64]


class Pair(NamedTuple):
    """The levels of Player 1 and Player 2."""

    first: str
    second: str


class Chance(NamedTuple):
    """How often Player 1 wins, and how often nobody does."""

    first: float
    draw: float = 0.0

    @property
    def share(self) -> float:
        """Player 1's share of the points: a draw is half a win."""
        return self.first + self.draw / 2


def shares(pairs: Sequence[Pair]) -> Shares:
    """For Player 1 and Player 2, and each pair: how often the move is any move, from 0 to 1."""
    import numpy as np

    return np.array([[PLAYERS[pair[seat]].any_move / 100 for pair in pairs] for seat in (0, 1)])
