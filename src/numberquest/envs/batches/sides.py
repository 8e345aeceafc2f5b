"""What lies on the two sides of the table, as one number: whose turn it is, both totals, and the like.

A game lists the sides from which it goes on; those at which it is over are found by playing, and get the
numbers after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


class Sides:
    """Numbers for sides, in the order in which they are first met."""

    def __init__(self, going_on: Iterable[Hashable]) -> None:
        self.all: list[Any] = list(going_on)
        self._numbers = {sides: number for number, sides in enumerate(self.all)}
        self.open = len(self.all)
        """How many there are from which the game goes on."""

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, sides: Hashable) -> int:
        number = self._numbers.setdefault(sides, len(self.all))
        if number == len(self.all):
            self.all.append(sides)
        return number
