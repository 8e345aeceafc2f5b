"""Solves `fifty` on a CUDA card: the kernels are in `gpu.cu`, and what they know of the rules is asked of the game."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from numberquest.core.progress import Progress
from numberquest.games.fifty.rules import Fifty
from numberquest.games.fifty.solver import FiftyPools, FiftySolution, at_the_end, table_bytes
from numberquest.solver.device import Start, in_batches
from numberquest.solver.gpu import Batch, Card, CardTable, Program, at_once, check_card, two_layers

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
    needed = table_bytes(game) + two_layers(device, game, _seen_bytes(game.target))
    check_card(needed, game, device)
    table = device.xp.empty(table_bytes(game) // 8, dtype=np.uint64)
    ends = at_the_end(FiftyPools(game)).reshape(-1)
    table[: len(ends)] = device.xp.asarray(ends)
    _Batch([game], device).solve_all(table, needed, progress)
    return FiftySolution(game, CardTable(table, device))


def starts(every: Iterable[Fifty], device: Card) -> Iterator[Start]:
    """What the starts are worth; settings with the same pools are solved together."""

    def alike(game: Fifty) -> tuple[int, int, int]:
        return game.high, game.copies, _words(game.target)

    def at_most(game: Fifty) -> int:
        return at_once(two_layers(device, game, _seen_bytes(game.target)), game, device)

    for games in in_batches(every, alike, at_most):
        batch = _Batch(games, device)
        for size in range(1, batch.pools.size):
            batch.solve(size)
        for game, wins in zip(games, batch.first_moves(), strict=True):
            best = tuple(move for move in game.actions if wins[int(move[:-1]) - 1, CLASSIC.ops.index(move[-1])])
            yield Start(game, int(bool(best)), best or game.actions, batch.pools.number * game.target**2)


class _Batch(Batch):
    """Games with as many words to a row."""

    def __init__(self, games: Sequence[Fifty], device: Card) -> None:
        words, copies = _words(games[0].target), games[0].copies
        targets = sorted({game.target for game in games})
        masks = [sum(1 << CLASSIC.ops.index(op) for op in game.ops) for game in games]
        super().__init__(
            games,
            device,
            Program(str(Path(__file__).with_suffix(".cu")), (("WORDS", words), ("COPIES", copies))),
            np.stack([_seen_at_the_end(game.target, game.longest % 2) for game in games]),
            np.stack([_effects(target) for target in targets]),
            [[game.target, mask, targets.index(game.target)] for game, mask in zip(games, masks, strict=True)],
        )
        self.threads = LANES, words, max(WARPS // words, 1)

    def further(self, size: int) -> tuple[Any, ...]:
        return (np.int32(self.layers.most),)

    def first_moves(self) -> NDArray[np.uint8]:
        """For each game, number and classic operation whether that first move wins, after all layers but the last."""
        wins = self.device.xp.zeros((len(self.games), CLASSIC.high, len(CLASSIC.ops)), dtype=np.uint8)
        blocks, threads = (1, len(self.games), 1), (LANES, 1, 1)
        given = (self.below, wins, self.layers.place, self.effects, self.settings)
        numbers = map(np.int32, (self.pools.number - 1, self.pools.high, self.layers.most))
        self.device.run(self.program, "first_moves", blocks, threads, *given, *numbers)
        return self.device.read(wins)


def _words(target: int) -> int:
    """How many words of 32 bits hold a bit for each score."""
    return -(-target // LANES)


def _seen_bytes(target: int) -> int:
    return _words(target) ** 2 * LANES * 4


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
def _seen_at_the_end(target: int, odd: int) -> Words:
    """As the kernels have it: seen by the one who moved, the words for the same opponent's scores together."""
    side = LANES * _words(target)
    seen = np.zeros((side, side), dtype=np.uint8)
    seen[:target, :target] = 1 - _won_at_the_end(odd)[:target, :target].T
    words = np.packbits(seen, axis=1, bitorder="little").view(np.uint32)
    return np.ascontiguousarray(words.T).reshape(-1)
