"""Solves `mystic` on a CUDA card: the kernel is in `gpu.cu`, and what it knows of the rules is asked of the game."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from numberquest.core.progress import Progress
from numberquest.games.mystic.rules import Mystic, Position
from numberquest.games.mystic.solver import MysticPools, table_bytes
from numberquest.solver.device import Start, in_batches
from numberquest.solver.gpu import Batch, Card, CardTable, Program, at_once, check_card, two_layers
from numberquest.solver.pool_recurrence import PoolChances

THREADS: Final = 256
"""How many threads a block has; piles share one where theirs are fewer."""
TOTALS: Final = 64
"""The kernel has room for the effects on so many totals."""
NUMBERS: Final = 9
ALIKE: Final = 15
"""Settings whose targets lie within so many are solved together: all get the room of the largest."""


def solution(game: Mystic, device: Card, progress: Progress) -> PoolChances[Position]:
    """Every position, in the form that the solver on the processor gives it, left on the card."""
    cells = game.target**2
    needed = table_bytes(game) + two_layers(device, game, 8 * cells)
    check_card(needed, game, device)
    table = device.xp.empty(table_bytes(game) // 8, dtype=np.float64)
    table[:cells] = device.xp.asarray(_end(game.target, game.pile % 2).reshape(-1))
    _Batch([game], device).solve_all(table, needed, progress)
    return PoolChances(MysticPools(game), CardTable(table, device))


def starts(every: Iterable[Mystic], device: Card) -> Iterator[Start]:
    """What the starts are worth; settings with the same piles are solved together."""

    def alike(game: Mystic) -> tuple[int, int, int]:
        return game.high, game.copies, -(-game.target // ALIKE)

    def at_most(game: Mystic) -> int:
        largest = -(-game.target // ALIKE) * ALIKE
        return at_once(two_layers(device, game, 8 * largest**2), game, device)

    for games in in_batches(every, alike, at_most):
        batch = _Batch(games, device)
        for size in range(1, batch.pools.size + 1):
            batch.solve(size)
        for game, value in zip(games, device.read(batch.chances).tolist(), strict=True):
            yield Start(game, value, (), batch.pools.number * game.target**2)


class _Batch(Batch):
    """Games with piles of the same numbers."""

    def __init__(self, games: Sequence[Mystic], device: Card) -> None:
        most = max(game.target for game in games) ** 2
        # A used-up pile comes after the last draw, made by the one who does not draw next: as it lies, or turned.
        ends = np.zeros((len(games), most))
        for at, game in enumerate(games):
            worth = 1 - _end(game.target, game.pile % 2)
            ends[at, : game.target**2] = (worth.T if game.pile % 2 else worth).reshape(-1)
        super().__init__(
            games,
            device,
            Program(str(Path(__file__).with_suffix(".cu")), (("COPIES", games[0].copies),)),
            ends,
            np.stack([_effects(game.target) for game in games]),
            [[game.target, at] for at, game in enumerate(games)],
        )
        threads = min(THREADS, -(-most // 32) * 32)
        self.threads = threads, 1, THREADS // threads
        # How likely a number is, by how many of it there are, for each size of the pile.
        sizes = np.arange(1, self.pools.size + 1)
        self._shares = device.xp.asarray(np.arange(self.pools.copies + 1) / sizes[:, None])
        self.chances = device.xp.zeros(len(games), dtype=np.float64)
        """What each game's start is worth, after all layers."""

    def further(self, size: int) -> tuple[Any, ...]:
        left = self.pools.size - size
        # Player 1 draws from the full pile.
        numbers = np.int32(left % 2), np.int32(self.below.shape[1])
        return *numbers, self._shares[size - 1], None if left else self.chances


@cache
def _effects(target: int) -> NDArray[np.uint32]:
    """For each number and total, what each action leads to, a byte each: two on the own total, one on the other."""
    # What a number does does not depend on which others there are, nor how often.
    rules = MysticPools(Mystic(target=target))
    packed = np.zeros((NUMBERS, TOTALS), dtype=np.uint32)
    for number, effects in enumerate(rules.effects[1:]):
        # Those on the own total come first.
        for at, effect in enumerate(sorted(effects, key=lambda effect: not effect.on_own)):
            packed[number, :target] |= np.array(effect.to, dtype=np.uint32) << np.uint32(8 * at)
    return packed


@cache
def _end(target: int, odd: int) -> NDArray[np.float64]:
    """The chances with a used-up pile, which depend on the pile only by who drew last."""
    return np.array(MysticPools(Mystic(target=target, high=2 + odd, copies=1)).ends, dtype=np.float64)
