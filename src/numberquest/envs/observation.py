"""What a player sees, as a row of numbers: everything that bears on the game and may be known, and nothing else.

Seen from the player who looks: their own score comes before the other's. `Observer.parts` says what stands where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from numberquest.contract import Game


class Part(NamedTuple):
    """Some numbers of an observation that belong together."""

    name: str
    size: int
    high: int
    """Each is a whole number from 0 to this."""
    meaning: str


class Observer:
    """Turns positions of one game into observations."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        parts, self._numbers = _SEEN[game.slug](game)
        self.parts = (Part("turn", 1, 2, "whose turn it is: 1 this player's, 2 the other's"), *parts)
        self.size = sum(part.size for part in self.parts)
        self.high = np.concatenate([np.full(part.size, part.high, np.float32) for part in self.parts])

    def __reduce__(self) -> tuple[type[Observer], tuple[Game[Any]]]:
        # What reads the numbers cannot be copied, and need not be: it follows from the game.
        return Observer, (self.game,)

    def see(self, position: Any, player: int) -> NDArray[np.float32]:
        """What this player sees there."""
        turn = 1 if self.game.turn(position) == player else 2
        return np.array([turn, *self._numbers(position, player)], np.float32)

    def at(self, name: str) -> slice:
        """Where a part stands in the observation."""
        start = 0
        for part in self.parts:
            if part.name == name:
                return slice(start, start + part.size)
            start += part.size
        raise KeyError(name)


def _fifty(game: Any) -> tuple[tuple[Part, ...], Callable[[Any, int], list[int]]]:
    # One step past the target at most: the largest score multiplied by the largest number, or increased by it.
    most = max((game.target - 1) * game.high, game.target - 1 + game.high)
    parts = (
        Part("mine", 1, most, "this player's score"),
        Part("other", 1, most, "the other player's score"),
        Part("pool", game.high, game.copies, "how many of the numbers 1, 2, 3, … are left"),
    )

    def seen(p: Any, player: int) -> list[int]:
        pool, scores = p
        return [scores[player], scores[1 - player], *_counts(pool, game.high)]

    return parts, seen


def _grid(game: Any) -> tuple[tuple[Part, ...], Callable[[Any, int], list[int]]]:
    cells = game.side * game.side
    most = game.target + cells
    parts = (
        Part("mine", 1, most, "this player's total"),
        Part("other", 1, most, "the other player's total"),
        Part("stands", 2, 1, "1 where this player, and the other, opens no more cells"),
        Part("cells", cells, cells, "the open numbers row by row; 0 is covered"),
    )

    def seen(p: Any, player: int) -> list[int]:
        totals, stood = p.totals, p.stood
        return [totals[player], totals[1 - player], stood[player], stood[1 - player], *p.cells]

    return parts, seen


def _sumquest(game: Any) -> tuple[tuple[Part, ...], Callable[[Any, int], list[int]]]:
    parts = (
        Part("sum", 1, game.target + game.high, "the shared sum"),
        Part("barred", 1, game.high, "the number that may not be used now; 0 is none"),
    )

    def seen(p: Any, _: int) -> list[int]:
        return [p.total, p.barred]

    return parts, seen


def _mystic(game: Any) -> tuple[tuple[Part, ...], Callable[[Any, int], list[int]]]:
    most = game.target + game.high
    parts = (
        Part("mine", 1, most, "this player's total"),
        Part("other", 1, most, "the other player's total"),
        Part("drawn", 1, game.high, "the number drawn; 0 is none"),
        Part("unseen", game.high, game.copies, "how many of the numbers 1, 2, 3, … lie in the pile"),
    )

    def seen(p: Any, player: int) -> list[int]:
        unseen, totals, drawn = p
        return [totals[player], totals[1 - player], drawn, *_counts(unseen, game.high)]

    return parts, seen


def _showdown(game: Any) -> tuple[tuple[Part, ...], Callable[[Any, int], list[int]]]:
    parts = (
        Part("mine", 1, 99, "this player's prediction; 0 is none"),
        Part("other", 1, 99, "the other player's prediction; 0 is none"),
        Part("first", 1, 2, "who predicted first: 0 nobody, 1 this player, 2 the other"),
        Part("pool", game.high, 1, "1 for each of the numbers 1, 2, 3, … that is left"),
    )

    def seen(p: Any, player: int) -> list[int]:
        said = p.predictions
        first = 0 if not any(said) else 1 if p.first == player else 2
        return [said[player], said[1 - player], first, *_counts(p.pool, game.high)]

    return parts, seen


def _counts(numbers: tuple[int, ...], high: int) -> list[int]:
    """How many there are of 1, 2, 3, … up to `high`."""
    counts = [0] * high
    for number in numbers:
        counts[number - 1] += 1
    return counts


_SEEN: dict[str, Callable[[Any], tuple[tuple[Part, ...], Callable[[Any, int], list[int]]]]] = {
    "showdown": _showdown,
    "fifty": _fifty,
    "grid": _grid,
    "sumquest": _sumquest,
    "mystic": _mystic,
}
