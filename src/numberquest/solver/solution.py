"""What is true of a game: the value of every position under best play."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from numberquest.core.contract import CHANCE, Game, Outcome, P

if TYPE_CHECKING:
    from fractions import Fraction

Value: TypeAlias = "int | float | Fraction"

ALIKE = 1e-12
"""Values closer than this differ only by rounding."""


def worth(outcome: Outcome | None, player: int) -> Value:
    """What an end is worth to a player, exactly: 1 to the winner, 0 to the loser, one half of it where nobody won."""
    if outcome is None or outcome.winner is None:
        from fractions import Fraction

        return Fraction(1, 2)
    return int(outcome.winner == player)


def wins(value: Value) -> bool:
    """Without chance: whether a value is a win."""
    return value >= 1 - ALIKE


def loses(value: Value) -> bool:
    """Without chance: whether a value is a loss; what is neither a win nor a loss is a draw."""
    return value <= ALIKE


class Solution(ABC, Generic[P]):
    """The exact value of every position of one game.

    A value is the chance that the player whose turn it is wins if both play as well as possible; where nobody wins,
    in a draw or in play that never ends, it is one half.
    """

    positions: int
    """How many positions were solved."""
    seconds: float = 0.0
    """How long solving, or reading what had been solved, took."""
    kept: bool = False
    """Whether it was read from disk, where it was kept when the game was solved before."""
    error: float = 0.0
    """How far a value may be from the truth; 0.0 where it is exact, but for the rounding of the last digits."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @abstractmethod
    def known(self, p: P) -> Value | None:
        """The value of a position that is not over, where it is stored; None where it follows from the next ones."""

    def solved(self) -> Iterable[P]:
        """Every position that was solved, in canonical form; none where they are too many to be listed."""
        return ()

    def value(self, p: P) -> Value:
        """The chance that the player whose turn it is wins; also before a reveal and when the game is over."""
        outcome = self.game.outcome(p)
        if outcome is not None:
            return worth(outcome, self.game.turn(p))
        known = self.known(p)
        if known is not None:
            return known
        player = self.game.turn(p)
        values = [self.value_for(player, self.game.play(p, move)) for move in self.game.moves(p)]
        if self.game.player(p) != CHANCE:
            return max(values)
        weights = self.game.weights(p)
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    def values(self, batch: Any) -> Any:
        """The value of every game of a batch (`envs.batch`), all at once: an array of its own kind."""
        if batch.game != self.game:
            raise ValueError(f"this is what is true of {self.game!r}, and the batch plays {batch.game!r}")
        return batch.values()

    def value_for(self, player: int, p: P) -> Value:
        """The chance that this player wins, whoever's turn it is."""
        value = self.value(p)
        return value if self.game.turn(p) == player else 1 - value

    def moves(self, p: P) -> dict[str, Value]:
        """Every move with its value for the player who makes it, best first. Empty before a reveal and at the end."""
        if self.game.player(p) == CHANCE:
            return {}
        player = self.game.turn(p)
        values = {move: self.value_for(player, self.game.play(p, move)) for move in self.game.moves(p)}
        return dict(sorted(values.items(), key=lambda item: -item[1]))

    def best(self, p: P) -> list[str]:
        """The moves that nothing is better than, in the order of the game's actions."""
        values = self.moves(p)
        top = next(iter(values.values()), 0)
        return [move for move, value in values.items() if value >= top - ALIKE]


class Distances(ABC, Generic[P]):
    """How far every position of one game is from its end."""

    @abstractmethod
    def plies(self, p: P) -> int:
        """How many moves the game still takes; 0 when it is over, and where nobody can force a win."""
