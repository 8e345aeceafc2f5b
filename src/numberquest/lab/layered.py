"""What the recurrences over pools of numbers share, for the games that have such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.lab.mixed import Everywhere
from numberquest.solver.budget import TooLarge, check_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress
    from numberquest.solver.pools import Pools

MOST_POSITIONS = 60_000_000
"""With more than this it would take many minutes. The classic games have fewer."""
CHUNK = 256
"""So many pools are written down at a time, so that no large copy is made."""


def check_size(game: Game[Any], target: int, pools: Pools) -> None:
    """`TooLarge` where it would take too long."""
    positions = pools.number * target**2
    if positions > MOST_POSITIONS:
        raise TooLarge(f"{game!r} has {positions:,} positions, and more than {MOST_POSITIONS:,} would take too long")


FULL: Final = 65535
"""A chance of 1 in a small table: two bytes hold five digits of it."""


class Table(Everywhere):
    """Of all pools, by the score of whoever's turn it is and the other's: in two bytes each.

    Five digits do: what is taken out with such chances leaves the mean as it is, whatever they are.
    """

    def __init__(self, game: Game[Any], pair: Pair, pools: Pools, target: int) -> None:
        import numpy as np

        check_memory(2 * pools.number * target**2, game)
        super().__init__(game, pair)
        self._weights = pools.weights()
        self._table = np.zeros((pools.number, target, target), dtype=np.uint16)

    def keep(self, layer: NDArray[np.intp], chances: NDArray[np.floating]) -> None:
        """The chances of the pools of a layer."""
        import numpy as np

        for start in range(0, len(layer), CHUNK):
            part = slice(start, start + CHUNK)
            self._table[layer[part]] = np.rint(chances[part] * FULL)

    def at(self, pool: Sequence[int], scores: tuple[int, int], turn: int) -> float:
        """Player 1's chance."""
        weights = self._weights
        row = sum([weights[number] for number in pool])
        chance = int(self._table[row, scores[turn], scores[1 - turn]]) / FULL
        return 1 - chance if turn else chance


def in_parts(
    pairs: Sequence[Pair],
    together: int,
    progress: Progress,
    solve: Callable[[Sequence[Pair], Progress], list[float]],
) -> list[float]:
    """A few pairs at a time, for the sake of memory, with the progress of the whole."""
    parts = [pairs[at : at + together] for at in range(0, len(pairs), together)]
    answers: list[float] = []
    for at, part in enumerate(parts):
        answers += solve(part, lambda done, total, at=at: progress(at * total + done, len(parts) * total))  # type: ignore[misc]
    return answers
