"""How much memory and time solving may take, and how far it is."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import Unable
from numberquest.core.progress import Progress


class TooLarge(Unable, ValueError):
    """Rules that take more memory, or more time, than there is; the message says how much."""


class NoRoom(TooLarge):
    """Rules that take more memory than is free just now: when others have let go of theirs, it may be enough."""


class NoDevice(Unable, ValueError):
    """A device that is not there, or that a game cannot be solved on; the message says why."""


class Size(NamedTuple):
    """How large a rule set is: how many positions its solution has, and how many bytes it takes to work out."""

    positions: int
    memory: int


LOOK: Final = 1 << 14
"""After so many positions one looks at the clock and at the memory."""
MOST_POSITIONS: Final = 8_000_000
"""More than these are not looked at one by one."""
MOST_FOLLOWED = 250_000
"""Nor more than these where it is followed what players make of them."""
LEAST_FREE: Final = 100_000_000
"""So many bytes of memory are left alone."""

patience = float("inf")
"""How many seconds of work a solver may take before it gives up: a server cannot let one game keep all others waiting.

Work, not time: on a busy machine a game must not seem larger than it is.
"""
most_positions: float = MOST_POSITIONS
"""As many of them as are looked at one by one; fewer for somebody who goes through many rule sets."""
only_tried = False
"""Whether the patience is that of a first try: that it ran out then is no reason not to try in earnest."""

_given_up: dict[tuple[Game[Any], str], float] = {}


def impatient(game: Game[Any], what: str, progress: Progress) -> Progress:
    """The same progress, which says `TooLarge` when patience runs out; at the first step, where it did so before.

    Not before the first step: what another process has worked out meanwhile is read, and takes no step at all.
    """
    in_vain = patience <= _given_up.get((game, what), 0)
    started = time.process_time()

    def unless_too_late(done: int, layers: int) -> None:
        if done < layers and (in_vain or time.process_time() - started > patience):
            if not only_tried:
                _given_up[game, what] = max(patience, _given_up.get((game, what), 0))
            raise TooLarge(f"to solve {rules_of(game)} takes longer than {patience:g} seconds")
        progress(done, layers)

    return unless_too_late


def rules_of(game: Game[Any]) -> str:
    """A game with its settings, as a message names it."""
    return f"{game.slug} with {game.settings_text}" if game.fields else game.slug


@contextmanager
def patient_for(seconds: float, *, at_first: bool = False) -> Iterator[None]:
    """Meanwhile a game is given up that takes longer than so many seconds to solve; `at_first`: and only tried."""
    global patience, only_tried
    before = patience, only_tried
    patience, only_tried = min(patience, seconds), only_tried or at_first
    try:
        yield
    finally:
        patience, only_tried = before


def check_memory(needed: int, game: Game[Any]) -> None:
    """Refuse before starting what does not fit."""
    free = free_memory()
    if needed > 0.8 * free:
        raise NoRoom(
            f"to solve {rules_of(game)} takes about {in_words(needed)} of memory, and {in_words(free)} are free here"
        )


def check_growth(game: Game[Any], positions: int, most: float = MOST_POSITIONS) -> None:
    """Give up in time where nobody could know beforehand how many positions there are."""
    most = min(most, most_positions)
    if positions > most or free_memory() < LEAST_FREE:
        kind = TooLarge if positions > most else NoRoom
        most = min(positions, most)
        raise kind(f"{rules_of(game)} has more than {most:,} positions, which is too many to look at one by one")


def free_memory() -> float:
    """How many bytes of memory this machine has to spare, or lets this program have."""
    free: float = float("inf")
    if hasattr(os, "sysconf"):
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
    try:
        import resource
    except ModuleNotFoundError:
        # Only POSIX systems have it.
        return float("inf")
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
