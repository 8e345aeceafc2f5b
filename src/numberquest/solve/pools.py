"""What the fast solvers share: pools of numbers as indices, layer by layer by their size.

A pool is a count for each number, written as one index in the base copies + 1. To take a number out
is to subtract its weight, and the pools of one size need only those of the size below.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.game import Game

    Indices = NDArray[np.intp]
    Progress = Callable[[int, int], None]


class TooLarge(ValueError):
    """Rules that take more memory, or more time, than there is; the message says how much."""


class Pools(NamedTuple):
    """How the pools of a game are numbered."""

    high: int
    copies: int

    @property
    def number(self) -> int:
        """How many pools there are."""
        return int((self.copies + 1) ** self.high)

    @property
    def size(self) -> int:
        """How many numbers the full pool holds."""
        return self.high * self.copies

    def weights(self) -> list[int]:
        """What each number adds to a pool's index; the first entry is for no number."""
        return [0, *((self.copies + 1) ** at for at in range(self.high))]

    def counts(self) -> list[Indices]:
        """For each number, how many of it every pool holds."""
        import numpy as np

        indices = np.arange(self.number)
        return [(indices // weight) % (self.copies + 1) for weight in self.weights()[1:]]

    def layers(self) -> Iterator[tuple[int, Indices, list[tuple[int, Indices, Indices]]]]:
        """For each size from 1 up: the pools of that size, and for each number which of them hold it, and how often."""
        import numpy as np

        counts = self.counts()
        sizes = np.sum(counts, axis=0)
        order = np.argsort(sizes, kind="stable")
        bounds = np.searchsorted(sizes[order], np.arange(self.size + 2))
        for size in range(1, self.size + 1):
            pools = order[bounds[size] : bounds[size + 1]]
            holders = []
            for number, count in enumerate(counts, start=1):
                of_these = count[pools]
                having = np.flatnonzero(of_these)
                if len(having):
                    holders.append((number, having, of_these[having]))
            yield size, pools, holders


patience = float("inf")
"""How many seconds a solver may take before it gives up: a server cannot let one game keep all others waiting."""

_given_up: dict[tuple[Game[Any], str], float] = {}


def impatient(game: Game[Any], what: str, progress: Progress) -> Progress:
    """The same progress, which says `TooLarge` when patience runs out; at once, where it has done so before."""
    if patience <= _given_up.get((game, what), 0):
        raise TooLarge(_too_long(game))
    started = time.perf_counter()

    def told(done: int, layers: int) -> None:
        if done < layers and time.perf_counter() - started > patience:
            _given_up[game, what] = patience
            raise TooLarge(_too_long(game))
        progress(done, layers)

    return told


def _too_long(game: Game[Any]) -> str:
    return f"to solve {game.slug} with {game.settings_text} takes longer than {patience:g} seconds"


def silently(*_: object) -> None:
    """Progress and warnings for somebody who does not want to know."""


def check_memory(needed: int, game: Game[Any]) -> None:
    """Refuse before starting what does not fit."""
    free = free_memory()
    if needed > 0.8 * free:
        what = f"{game.slug} with {game.settings_text}"
        raise TooLarge(f"to solve {what} takes about {in_words(needed)} of memory, and {in_words(free)} are free here")


def free_memory() -> float:
    """How many bytes of memory this machine has to spare, or lets this program have."""
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if os.path.exists("/proc/meminfo"):
        with open("/proc/meminfo") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    free = 1024 * int(line.split()[1])
    # In a container the limit stands here.
    if os.path.exists("/sys/fs/cgroup/memory.max"):
        with open("/sys/fs/cgroup/memory.max") as file:
            limit = file.read().strip()
        if limit.isdecimal():
            free = min(free, int(limit))
    return min(free, _allowed_still())


def _allowed_still() -> float:
    """How much more address space this program may take: a server limits those that think for it."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return float("inf") if limit == resource.RLIM_INFINITY else max(limit - used_memory(), 0)


def used_memory() -> int:
    """How many bytes of address space this program has; 0 where the system does not tell."""
    if not os.path.exists("/proc/self/statm"):
        return 0
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def in_words(size: float) -> str:
    """A number of bytes as people say it."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(size, 0) / 1e6:.0f} MB"
