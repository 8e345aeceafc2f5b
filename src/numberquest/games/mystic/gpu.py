"""Solves `mystic` on a CUDA card: the kernel is in `gpu.cu`, and what it knows of the rules is asked of the game."""

from __future__ import annotations

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
from numberquest.solver.gpu import AT_ONCE, Card, CardTable, Program, at_once, check_card, layers_on
from numberquest.solver.pool_recurrence import PoolChances, Pools

THREADS: Final = 256
"""How many threads a block has; piles share one where theirs are fewer."""
TOTALS: Final = 64
"""The kernel has room for the effects on so many totals."""
NUMBERS: Final = 9
ALIKE: Final = 15
"""Settings whose targets lie within so many are solved together: all get the room of the largest."""


def solution(game: Mystic, device: Card, progress: Progress) -> PoolChances[Position]:
    """Every position, in the form that the solver on the processor gives it, left on the card."""
    pools, xp, cells = Pools(game.high, game.copies), device.xp, game.target**2
    needed = table_bytes(game) + 2 * layers_on(device, pools).most * cells * 8
    check_card(needed, game, device)
    table = xp.empty(pools.number * cells, dtype=np.float64)
    table[:cells] = xp.asarray(_end(game.target, game.pile % 2).reshape(-1))
    batch = _Batch([game], device)
    for size in range(1, pools.size + 1):
        batch.solve(size, table)
        if needed > AT_ONCE or size == pools.size:
            # Otherwise what is told is how much was asked for, not how much is done.
            device.wait()
        progress(size, pools.size)
    return PoolChances(MysticPools(game), CardTable(table, device))


def starts(every: Iterable[Mystic], device: Card) -> Iterator[Start]:
    """What the starts are worth; settings with the same piles are solved together."""

    def alike(game: Mystic) -> tuple[int, int, int]:
        return game.high, game.copies, -(-game.target // ALIKE)

    def at_most(game: Mystic) -> int:
        largest = -(-game.target // ALIKE) * ALIKE
        return at_once(2 * layers_on(device, Pools(game.high, game.copies)).most * largest**2 * 8, game, device)

    for games in in_batches(every, alike, at_most):
        batch = _Batch(games, device)
        pools = batch.pools
        for size in range(1, pools.size + 1):
            batch.solve(size, None)
        for game, value in zip(games, batch.chances().tolist(), strict=True):
            yield Start(game, value, (), pools.number * game.target**2)


class _Batch:
    """Games with the same piles, layer by layer; two layers are in memory."""

    def __init__(self, games: Sequence[Mystic], device: Card) -> None:
        xp = device.xp
        self._games, self._device = games, device
        self.pools = Pools(games[0].high, games[0].copies)
        self._layers = layers_on(device, self.pools)
        self._program = Program(str(Path(__file__).with_suffix(".cu")), (("COPIES", self.pools.copies),))
        self._effects = xp.asarray(np.stack([_effects(game.target) for game in games]))
        rows = [[game.target, at] for at, game in enumerate(games)]
        self._settings = xp.asarray(np.array(rows, dtype=np.int32))
        # How likely a number is, by how many of it there are, for each size of the pile.
        sizes = np.arange(1, self.pools.size + 1)
        self._shares = xp.asarray(np.arange(self.pools.copies + 1) / sizes[:, None])
        self._most = max(game.target for game in games) ** 2
        shape = len(games), self._layers.most * self._most
        self._below, self._here = (xp.empty(shape, dtype=np.float64) for _ in range(2))
        self._chances = xp.zeros(len(games), dtype=np.float64)
        # A used-up pile comes after the last draw, made by the one who does not draw next: as it lies, or turned.
        ends = np.zeros((len(games), self._most))
        for at, game in enumerate(games):
            worth = 1 - _end(game.target, game.pile % 2)
            ends[at, : game.target**2] = (worth.T if game.pile % 2 else worth).reshape(-1)
        self._below[:, : self._most] = xp.asarray(ends)

    def solve(self, size: int, table: Any) -> None:
        """The piles of this size, after those of the size below."""
        layers = self._layers
        first, pools = layers.bounds[size], layers.bounds[size + 1] - layers.bounds[size]
        threads = min(THREADS, -(-self._most // 32) * 32)
        together = THREADS // threads
        whole = size == self.pools.size
        self._device.run(
            self._program,
            "layer",
            (-(-pools // together), len(self._games), 1),
            (threads, 1, together),
            self._below,
            self._here,
            table,
            self._chances if whole else None,
            layers.order,
            layers.place,
            self._effects,
            self._settings,
            self._shares[size - 1],
            np.int32(first),
            np.int32(pools),
            np.int32(self.pools.high),
            # Player 1 draws from the full pile.
            np.int32((self.pools.size - size) % 2),
            np.int32(self._below.shape[1]),
        )
        self._below, self._here = self._here, self._below

    def chances(self) -> NDArray[np.float64]:
        """What each game's start is worth, after all layers."""
        return self._device.read(self._chances)


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
