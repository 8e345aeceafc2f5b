"""Numbers for what lies on the table besides the pool: whose turn it is, both totals, and the like.

A game lists what it goes on from; that at which it is over is found by playing, and gets the numbers after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


class Numbering:
    """A number for each thing, in the order in which they are first met."""

    def __init__(self, going_on: Iterable[Hashable]) -> None:
        self.all: list[Any] = list(going_on)
        self._numbers = {thing: number for number, thing in enumerate(self.all)}
        self.open = len(self.all)
        """How many there are from which the game goes on."""

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, thing: Hashable) -> int:
        number = self._numbers.setdefault(thing, len(self.all))
        if number == len(self.all):
            self.all.append(thing)
        return number
