"""What the recurrences over pools of numbers share, for the games that have such."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from numberquest.lab.mixed import Everywhere
from numberquest.solver.budget import TooLarge, check_memory, free_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress
    from numberquest.solver.pools import Pools

MOST_POSITIONS = 60_000_000
"""With more than this it would take many minutes. The classic games have fewer."""
ROOM: Final = 0.4
"""The share of the free memory that two layers may take."""
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


def largest_layers(pools: Pools) -> tuple[int, int]:
    """The most pools that a layer of an even size holds, and one of an odd size."""
    layers = [1, *(len(layer) for _, layer, _ in pools.layers())]
    return max(layers[::2]), max(layers[1::2])


def side_by_side(work: Callable[[int], None], number: int) -> None:
    """Do the work for each number below this one, on as many cores as there are: NumPy lets other threads go on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores == 1 or number < cores:
        for at in range(number):
            work(at)
        return
    with ThreadPoolExecutor(cores) as threads:
        for done in [threads.submit(_each_of, work, range(at, number, cores)) for at in range(cores)]:
            done.result()


def _each_of(work: Callable[[int], None], these: Iterable[int]) -> None:
    for one in these:
        work(one)


def in_parts(
    pairs: Sequence[Pair],
    each: int,
    progress: Progress,
    solve: Callable[[Sequence[Pair], Progress], list[float]],
) -> list[float]:
    """As many pairs at a time as there is room for, at so many chances for each; with the progress of the whole."""
    together = max(1, int(ROOM * free_memory() / (8 * each)))
    number = -(-len(pairs) // together)
    answers: list[float] = []
    for at in range(number):
        part = pairs[at * len(pairs) // number : (at + 1) * len(pairs) // number]
        answers += solve(part, lambda done, total, at=at: progress(at * total + done, number * total))  # type: ignore[misc]
    return answers
