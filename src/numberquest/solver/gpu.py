"""A CUDA card through CuPy: its memory, the kernels that run on it, and tables that stay there until they are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import to_install
from numberquest.core.progress import Progress
from numberquest.solver.budget import NoDevice, TooLarge, in_words, rules_of
from numberquest.solver.numbers import NDArray, np
from numberquest.solver.pool_recurrence import Pools
from numberquest.solver.table import BLOCK, Table

Three = tuple[int, int, int]

OPTIONS: Final = ("--std=c++17", "--fmad=false")
"""Nothing is fused: chances are then equal to the processor's to the last digit."""
LEFT_ALONE: Final = 0.1
"""This share of the free memory of a card is not asked for."""
AT_ONCE: Final = 4_000_000_000
"""Settings are solved together as long as they take no more bytes than this: more of them make nothing faster."""


class Program(NamedTuple):
    """A file of kernels, and the numbers that are fixed when it is compiled."""

    file: str
    numbers: tuple[tuple[str, int], ...]

    def source(self) -> str:
        """The text to compile."""
        shared = files("numberquest.solver").joinpath("kernel.h").read_text()
        return f"{shared}\n{Path(self.file).read_text()}"

    def defines(self) -> list[str]:
        """The numbers as a compiler takes them."""
        return [f"-D{name}={number}" for name, number in self.numbers]


class Card:
    """The card that CuPy uses."""

    xp: Any
    """The module of its arrays."""

    def __init__(self, cupy: Any) -> None:
        self.xp = cupy
        self._kernels: dict[tuple[Program, str], Any] = {}
        self._nothing = cupy.uint64(0)

    @property
    def name(self) -> str:
        """What it is called by who made it."""
        runtime = self.xp.cuda.runtime
        name: bytes = runtime.getDeviceProperties(runtime.getDevice())["name"]
        return name.decode()

    def free(self) -> int:
        """How many bytes of memory can be had."""
        # What CuPy holds back for later is free for us.
        free: int = self.xp.cuda.runtime.memGetInfo()[0] + self.xp.get_default_memory_pool().free_bytes()
        return free

    def run(self, program: Program, kernel: str, blocks: Three, threads: Three, *arguments: Any) -> None:
        """Start a kernel; those started before are done first."""
        if (program, kernel) not in self._kernels:
            module = self.xp.RawModule(code=program.source(), options=(*OPTIONS, *program.defines()))
            self._kernels[program, kernel] = module.get_function(kernel)
        # A pointer to nothing is written as a number of its size.
        given = tuple(self._nothing if argument is None else argument for argument in arguments)
        self._kernels[program, kernel](blocks, threads, given)

    def wait(self) -> None:
        """Until everything that was started is done."""
        self.xp.cuda.get_current_stream().synchronize()

    def read(self, array: Any) -> NDArray[Any]:
        """An array of the card as one of NumPy's."""
        read: NDArray[Any] = self.xp.asnumpy(array)
        return read


@cache
def card() -> Card:
    """The card of this machine; `NoDevice` where there is none, or no CuPy."""
    try:
        import cupy
    except ImportError as error:
        if error.name == "cupy":
            raise NoDevice(f"solving on cuda needs CuPy: {to_install('cuda')}") from None
        # CuPy frames its message with lines of signs.
        lines = [line for line in str(error).splitlines() if any(map(str.isalpha, line))]
        raise NoDevice(f"CuPy is installed, but cannot be used: {' '.join(lines[:1])}") from None
    try:
        cards = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoDevice(f"there is no CUDA card here that can be used: {error}") from None
    if not cards:
        raise NoDevice("there is no CUDA card here")
    return Card(cupy)


def check_card(needed: int, game: Game[Any], device: Card) -> None:
    """Refuse before starting what does not fit on the card."""
    free = device.free()
    if needed > (1 - LEFT_ALONE) * free:
        raise TooLarge(
            f"to solve {rules_of(game)} takes about {in_words(needed)} of the card's memory, and {in_words(free)} are "
            "free there"
        )


def at_once(needed: int, game: Game[Any], device: Card) -> int:
    """How many settings that need so many bytes each are best solved together; `TooLarge` where not one fits."""
    check_card(needed, game, device)
    return max(int(min((1 - LEFT_ALONE) * device.free(), AT_ONCE)) // needed, 1)


class Layers(NamedTuple):
    """The pools of a game in the order of their size, and where each lies among those of its size."""

    order: Any
    place: Any
    bounds: list[int]

    @property
    def most(self) -> int:
        """How many pools the largest layer has."""
        return max(after - before for before, after in zip(self.bounds, self.bounds[1:], strict=False))


@cache
def layers_on(device: Card, pools: Pools) -> Layers:
    """The layers of these pools on the device; remembered."""
    order, place, bounds = pools.by_size()
    return Layers(device.xp.asarray(order), device.xp.asarray(place), bounds)


def two_layers(device: Card, game: Any, each: int) -> int:
    """How many bytes two layers take, with so many for each pool."""
    return 2 * layers_on(device, Pools(game.high, game.copies)).most * each


class Batch(ABC):
    """Games with the same pools, solved together layer by layer; two layers are in memory."""

    threads: Three
    """How many threads a block has; the last figure is how many pools share it."""

    def __init__(
        self,
        games: Sequence[Any],
        device: Card,
        program: Program,
        ends: NDArray[Any],
        effects: NDArray[Any],
        settings: list[list[int]],
    ) -> None:
        """For each game `ends` has what the empty pool is worth to the one who moved, and `settings` a few numbers."""
        self.games, self.device, self.program = games, device, program
        self.pools = Pools(games[0].high, games[0].copies)
        self.layers = layers_on(device, self.pools)
        self.effects = device.xp.asarray(effects)
        self.settings = device.xp.asarray(np.array(settings, dtype=np.int32))
        width = ends.shape[1]
        shape = len(games), self.layers.most * width
        self.below, self._here = (device.xp.empty(shape, dtype=ends.dtype) for _ in range(2))
        self.below[:, :width] = device.xp.asarray(ends)

    @abstractmethod
    def further(self, size: int) -> tuple[Any, ...]:
        """What the game's kernel takes for the pools of this size, behind what every kernel takes."""

    def solve(self, size: int, table: Any = None) -> None:
        """The pools of this size, after those of the size below; into a table, if there is one."""
        layers, threads = self.layers, self.threads
        first, pools = layers.bounds[size], layers.bounds[size + 1] - layers.bounds[size]
        blocks = -(-pools // threads[2]), len(self.games), 1
        given = (self.below, self._here, table, layers.order, layers.place, self.effects, self.settings)
        numbers = (np.int32(first), np.int32(pools), np.int32(self.pools.high))
        self.device.run(self.program, "layer", blocks, threads, *given, *numbers, *self.further(size))
        self.below, self._here = self._here, self.below

    def solve_all(self, table: Any, needed: int, progress: Progress) -> None:
        """Every pool, into a table; so many bytes are needed for it."""
        for size in range(1, self.pools.size + 1):
            self.solve(size, table)
            if needed > AT_ONCE or size == self.pools.size:
                # Otherwise what is told is how much was asked for, not how much is done.
                self.device.wait()
            progress(size, self.pools.size)


class CardTable(Table):
    """A table that stays on the card; blocks of it are copied from there when they are first read."""

    def __init__(self, values: Any, device: Card) -> None:
        super().__init__(memoryview(b""))
        self.on_card = values
        """The array of the card, for whoever goes on working there."""
        self._device = device
        self._blocks: dict[int, memoryview] = {}

    def __getitem__(self, index: int) -> Any:
        block = index // BLOCK
        if block not in self._blocks:
            self._blocks[block] = self._device.read(self.on_card[block * BLOCK : (block + 1) * BLOCK]).data
        return self._blocks[block][index % BLOCK]
