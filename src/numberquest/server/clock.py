"""The store's own time, by which matches grow old: a match that is removed because it is old is gone for good.

It begins with the clock's when the database is made, and goes on with what passes in truth, whatever the clock is set
to: while a server runs, and between two servers on a computer that was not switched off. What cannot be known is not
counted, so a match is never taken for older than it is; at most it stays longer.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

NOTED: Final = 300.0
"""Seconds between two notes of how far it has come: a power cut takes no more than that away from it."""


def steady_time() -> float:
    """Seconds that pass whatever the clock is set to; where the system can tell, also while the computer sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def boot_name() -> str:
    """What the computer called itself when it was switched on, each time anew; empty where it does not say."""
    with contextlib.suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()
    return ""


class Lived(Struct, frozen=True):
    """How far the store's own time had come when it was noted last."""

    time: float
    boot: str
    """The name that the computer gave itself when it was switched on; empty where it is not known."""
    steady: float
    """How long it had been on then."""


class StoreClock:
    """Tells the store's own time."""

    def __init__(self, lived: Lived, steady: Callable[[], float] = steady_time, boot: str | None = None) -> None:
        self._steady, self._boot = steady, boot_name() if boot is None else boot
        now = steady()
        same = self._boot != "" and self._boot == lived.boot
        self._ahead = lived.time - (min(lived.steady, now) if same else now)

    def now(self) -> float:
        return self._ahead + self._steady()

    def lived(self) -> Lived:
        """As it is noted in the store."""
        steady = self._steady()
        return Lived(self._ahead + steady, self._boot, steady)

    def catch_up(self, lived: Lived) -> None:
        """Another server may have been there longer, and know of more."""
        self._ahead += max(0.0, lived.time - self.now())
