"""Random numbers that a seed gives again on any machine, in any version.

The derivation is fixed for good (docs/seeds.md says it in words, and a test pins it):
block number k of a stream is the SHA-256 of the text `numberquest/1/LABEL/SEED/k`, read as
four whole numbers of 64 bits, most significant byte first.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

_T = TypeVar("_T")

WORDS = 2**64


def weighted(things: Sequence[_T], weights: Sequence[int], at: int) -> _T:
    """The thing that a random number below the sum of the weights stands for: each as often as its weight says."""
    for thing, weight in zip(things, weights, strict=True):
        at -= weight
        if at < 0:
            return thing
    raise LookupError("the weights do not add up")


class Dice(Protocol):
    """What computer players draw chance from; a `Stream` is one."""

    def choose(self, things: Sequence[str]) -> str:
        """One of the things, each alike."""

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each alike."""


class Stream:
    """An endless stream of random numbers. Each label gives a stream of its own from one seed."""

    def __init__(self, seed: str, label: str) -> None:
        self._text = f"numberquest/1/{label}/{seed}/"
        self._block = 0
        self._words: list[int] = []

    @property
    def state(self) -> tuple[int, tuple[int, ...]]:
        """How far it has been read; set back to it, it goes on as it did then."""
        return self._block, tuple(self._words)

    @state.setter
    def state(self, state: tuple[int, tuple[int, ...]]) -> None:
        self._block, self._words = state[0], list(state[1])

    def _word(self) -> int:
        if not self._words:
            from hashlib import sha256

            digest = sha256(f"{self._text}{self._block}".encode()).digest()
            self._block += 1
            self._words = [int.from_bytes(digest[at : at + 8], "big") for at in (24, 16, 8, 0)]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each alike."""
        fair = WORDS - WORDS % bound
        while (word := self._word()) >= fair:
            continue
        return word % bound

    def choose(self, things: Sequence[_T]) -> _T:
        """One of the things, each alike."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[_T]) -> tuple[_T, ...]:
        """The things in random order: from the last place down, each swaps with one at or before it."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)
