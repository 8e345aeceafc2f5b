"""What is true of a game: the value of every position under best play."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic

from numberquest.contract import CHANCE, Game, P

if TYPE_CHECKING:
    from fractions import Fraction

    Value = int | float | Fraction


ALIKE = 1e-12
"""Values closer than this differ only by rounding."""


class Solution(ABC, Generic[P]):
    """The exact value of every position of one game.

    A value is the chance that the player whose turn it is wins if both play as well as possible.
    """

    positions: int
    """How many positions were solved."""
    seconds: float = 0.0
    """How long solving, or reading what had been solved, took."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @abstractmethod
    def known(self, p: P) -> Value | None:
        """The value of a position that is not over, where it is stored; None where it follows from the next ones."""

    def value(self, p: P) -> Value:
        """The chance that the player whose turn it is wins; also before a reveal and when the game is over."""
        outcome = self.game.outcome(p)
        if outcome is not None:
            return int(outcome.winner == self.game.turn(p))
        known = self.known(p)
        if known is not None:
            return known
        player = self.game.turn(p)
        values = [self.value_for(player, self.game.play(p, move)) for move in self.game.moves(p)]
        if self.game.player(p) != CHANCE:
            return max(values)
        weights = self.game.weights(p)
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

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
