"""Solves `fifty` on a CUDA card: the kernels are in `gpu.cu`, and what they know of the rules is asked of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from numberquest.core.progress import Progress
from numberquest.games.fifty.rules import Fifty
from numberquest.games.fifty.solver import FiftyPools, FiftySolution, table_bytes, words_for
from numberquest.solver.device import Start, in_batches
from numberquest.solver.gpu import AT_ONCE, Card, CardTable, Program, at_once, check_card, layers_on
from numberquest.solver.pool_recurrence import Pools

Words: TypeAlias = NDArray[np.uint32]

LANES: Final = 32
WARPS: Final = 8
"""How many groups of 32 threads a block has; pools share one where theirs are fewer."""
LARGEST: Final = 200
"""The largest target. The kernels hold the score that a move leads to, a win and a loss in a byte."""
CLASSIC: Final = Fifty()
"""The kernels know the numbers and the operations of the classic game; other settings leave some out."""


def solution(game: Fifty, device: Card, progress: Progress) -> FiftySolution:
    """Every position, in the form that the solver on the processor gives it, left on the card."""
    pools, xp = Pools(game.high, game.copies), device.xp
    needed = table_bytes(game) + 2 * layers_on(device, pools).most * _seen_bytes(game.target)
    check_card(needed, game, device)
    table = xp.empty(pools.number * game.target * words_for(game), dtype=np.uint64)
    table[: game.target * words_for(game)] = xp.asarray(_end(game.target, game.longest % 2).reshape(-1))
    batch = _Batch([game], device)
    for size in range(1, pools.size + 1):
        batch.solve(size, table)
        if needed > AT_ONCE or size == pools.size:
            # Otherwise what is told is how much was asked for, not how much is done.
            device.wait()
        progress(size, pools.size)
    return FiftySolution(game, CardTable(table, device))


def starts(every: Iterable[Fifty], device: Card) -> Iterator[Start]:
    """What the starts are worth; settings with the same pools are solved together."""

    def alike(game: Fifty) -> tuple[int, int, int]:
        return game.high, game.copies, _words(game.target)

    def at_most(game: Fifty) -> int:
        most = layers_on(device, Pools(game.high, game.copies)).most
        return at_once(2 * most * _seen_bytes(game.target), game, device)

    for games in in_batches(every, alike, at_most):
        batch = _Batch(games, device)
        pools = batch.pools
        for size in range(1, pools.size):
            batch.solve(size, None)
        for game, wins in zip(games, batch.first_moves(), strict=True):
            best = tuple(move for move in game.actions if wins[int(move[:-1]) - 1, CLASSIC.ops.index(move[-1])])
            positions = pools.number * game.target**2
            yield Start(game, int(bool(best)), best or game.actions, positions)


class _Batch:
    """Games with the same pools and as many words to a row, layer by layer; two layers are in memory."""

    def __init__(self, games: Sequence[Fifty], device: Card) -> None:
        xp, words = device.xp, _words(games[0].target)
        self._games, self._device, self._words = games, device, words
        self.pools = Pools(games[0].high, games[0].copies)
        self._layers = layers_on(device, self.pools)
        self._program = Program(
            str(Path(__file__).with_suffix(".cu")), (("WORDS", words), ("COPIES", self.pools.copies))
        )
        targets = sorted({game.target for game in games})
        self._effects = xp.asarray(np.stack([_effects(target) for target in targets]))
        masks = [sum(1 << CLASSIC.ops.index(op) for op in game.ops) for game in games]
        rows = [[game.target, mask, targets.index(game.target)] for game, mask in zip(games, masks, strict=True)]
        self._settings = xp.asarray(np.array(rows, dtype=np.int32))
        seen = words * LANES * words
        shape = len(games), self._layers.most * seen
        self._below, self._here = (xp.empty(shape, dtype=np.uint32) for _ in range(2))
        ends = np.stack([_seen_at_the_end(game.target, game.longest % 2) for game in games])
        self._below[:, :seen] = xp.asarray(ends)

    def solve(self, size: int, table: Any) -> None:
        """The pools of this size, after those of the size below."""
        layers = self._layers
        first, pools = layers.bounds[size], layers.bounds[size + 1] - layers.bounds[size]
        together = max(WARPS // self._words, 1)
        self._device.run(
            self._program,
            "layer",
            (-(-pools // together), len(self._games), 1),
            (LANES, self._words, together),
            self._below,
            self._here,
            table,
            layers.order,
            layers.place,
            self._effects,
            self._settings,
            np.int32(first),
            np.int32(pools),
            np.int32(self.pools.high),
            np.int32(layers.most),
        )
        self._below, self._here = self._here, self._below

    def first_moves(self) -> NDArray[np.uint8]:
        """For each game, number and classic operation whether that first move wins, after all layers but the last."""
        wins = self._device.xp.zeros((len(self._games), CLASSIC.high, len(CLASSIC.ops)), dtype=np.uint8)
        self._device.run(
            self._program,
            "first_moves",
            (1, len(self._games), 1),
            (LANES, 1, 1),
            self._below,
            wins,
            self._layers.place,
            self._effects,
            self._settings,
            np.int32(self.pools.number - 1),
            np.int32(self.pools.high),
            np.int32(self._layers.most),
        )
        return self._device.read(wins)


def _words(target: int) -> int:
    """How many words of 32 bits hold a bit for each score."""
    return -(-target // LANES)


def _seen_bytes(target: int) -> int:
    words = _words(target)
    return words * LANES * words * 4


@cache
def _effects(target: int) -> Words:
    """For each number and score, the score that each operation leads to, a byte each: as the game itself plays it."""
    # What a number does does not depend on which others there are, nor how often.
    effects = np.array(FiftyPools(Fifty(target=target)).rows[1:], dtype=np.uint32)
    packed = np.zeros((CLASSIC.high, LANES * _words(target)), dtype=np.uint32)
    for at in range(len(CLASSIC.ops)):
        packed[:, :target] |= effects[:, at] << np.uint32(8 * at)
    return packed


@cache
def _won_at_the_end(odd: int) -> NDArray[np.uint8]:
    """By own score and the opponent's, whether the next player has won when the pool is empty; for the largest target.

    It depends on the pool only by who took the last number, and not at all on a target above both scores.
    """
    return np.array(FiftyPools(Fifty(target=LARGEST, high=2 + odd, copies=1)).ends, dtype=np.uint8)


@cache
def _end(target: int, odd: int) -> NDArray[np.uint64]:
    """The rows of the empty pool, as the solver on the processor has them."""
    won = np.zeros((target, -(-target // 64) * 64), dtype=np.uint8)
    won[:, :target] = _won_at_the_end(odd)[:target, :target]
    return np.packbits(won, axis=1, bitorder="little").view(np.uint64)


@cache
def _seen_at_the_end(target: int, odd: int) -> Words:
    """The same as the kernels have it: seen by the one who moved, the words for the same opponent's scores together."""
    side = LANES * _words(target)
    seen = np.zeros((side, side), dtype=np.uint8)
    seen[:target, :target] = 1 - _won_at_the_end(odd)[:target, :target].T
    words = np.packbits(seen, axis=1, bitorder="little").view(np.uint32)
    return np.ascontiguousarray(words.T).reshape(-1)
