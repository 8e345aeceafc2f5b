"""Solves `mystic` on a CUDA card: the kernel is in `cuda.cu`, and what it knows of the rules is asked of the game."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from numberquest.games.mystic.rules import Mystic
from numberquest.games.mystic.solver import MysticSolution, at_the_end, effects_of, table_bytes
from numberquest.solver.card import AT_ONCE, CardTable, Program, at_once, check_card, layers_on
from numberquest.solver.device import Start, in_batches
from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.solver.budget import Progress
    from numberquest.solver.card import Card

THREADS: Final = 256
"""How many threads a block has; piles share one where theirs are fewer."""
TOTALS: Final = 64
"""The kernel has room for the effects on so many totals."""
NUMBERS: Final = 9
ALIKE: Final = 15
"""Settings whose targets lie within so many are solved together: all get the room of the largest."""


def solution(game: Mystic, device: Card, progress: Progress) -> MysticSolution:
    """Every position, in the form that the solver on the processor gives it, left on the card."""
    import numpy as np

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
    return MysticSolution(game, CardTable(table, device))


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
        import numpy as np

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
        from numpy import int32

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
            int32(first),
            int32(pools),
            int32(self.pools.high),
            # Player 1 draws from the full pile.
            int32((self.pools.size - size) % 2),
            int32(self._below.shape[1]),
        )
        self._below, self._here = self._here, self._below

    def chances(self) -> NDArray[np.float64]:
        """What each game's start is worth, after all layers."""
        return self._device.read(self._chances)


@cache
def _effects(target: int) -> NDArray[np.uint32]:
    """For each number and total, what each action leads to, a byte each: two on the own total, one on the other."""
    import numpy as np

    wins, nothing = target, target + 1
    # What a number does does not depend on which others there are, nor how often.
    game = Mystic(target=target)
    packed = np.zeros((NUMBERS, TOTALS), dtype=np.uint32)
    for number in range(1, NUMBERS + 1):
        effects = effects_of(game, number)
        own = [effect for effect in effects if effect.on_own]
        others = [effect for effect in effects if not effect.on_own and effect.runs]
        for at, effect in enumerate([*own, *[None] * (2 - len(own)), *others]):
            to = np.full(target, nothing, dtype=np.uint32)
            for start, stop, shift, end in effect.runs if effect else ():
                to[start:stop] = np.arange(start, stop) + shift if end is None else wins if end else nothing
            packed[number - 1, :target] |= to << np.uint32(8 * at)
    return packed


@cache
def _end(target: int, odd: int) -> NDArray[np.float64]:
    """The chances with a used-up pile, which depend on the pile only by who drew last."""
    return at_the_end(Mystic(target=target, high=2 + odd, copies=1))
