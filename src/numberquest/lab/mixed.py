"""What the recurrences share: pairs of levels, and how a level mixes any move with a best one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest.contract import CHANCE
from numberquest.players import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game

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


class Everywhere(ABC):
    """For one pair of levels, Player 1's share of the points from every position on, not from the start alone."""

    def __init__(self, game: Game[Any], pair: Pair) -> None:
        self.game, self.pair = game, pair

    @abstractmethod
    def known(self, p: Any) -> float | None:
        """The share, where it is stored; None where it follows from the next ones."""

    def first(self, p: Any) -> float:
        """How much of the points Player 1 makes on average, once the game has come to this position."""
        game = self.game
        outcome = game.outcome(p)
        if outcome is not None:
            return outcome.worth(0)
        known = self.known(p)
        if known is not None:
            return known
        player = game.player(p)
        if player == CHANCE:
            odds = dict(zip(game.moves(p), game.odds(p), strict=True))
        else:
            odds = PLAYERS[self.pair[player]].odds(game, p)
        return sum(float(likely) * self.first(game.play(p, move)) for move, likely in odds.items() if likely)


def shares(pairs: Sequence[Pair]) -> Shares:
    """For Player 1 and Player 2, and each pair: how often the move is any move, from 0 to 1."""
    import numpy as np

    return np.array([[PLAYERS[pair[seat]].any_move / 100 for pair in pairs] for seat in (0, 1)])
