"""Whether the computer's clock can be believed: a match that is removed because it is old is gone for good."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

JUMP: Final = 3600.0
"""Seconds by which a clock may be set without being doubted."""
LONG_ENOUGH: Final = 24 * 3600.0
"""A clock that has gone on so long without a jump is believed, whatever it says."""


def steady_time() -> float:
    """Seconds that pass whatever the clock is set to; where the system can tell, also while the computer sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class SaneClock:
    """Compares the clock with what passes steadily, and at the start with the newest match in the store.

    What is written later proves nothing: it has its time from the same clock.
    """

    def __init__(self, clock: Callable[[], float], steady: Callable[[], float], newest: float | None) -> None:
        """`newest` is the time of the last match in the store, if there is any."""
        self._clock, self._steady = clock, steady
        self._since = steady()
        """Since when the clock has gone without a jump."""
        self._ahead = clock() - self._since
        self.sane = newest is None or abs(clock() - newest) <= JUMP
        """Whether it was believed when it was looked at last."""

    def look(self) -> bool:
        """Whether the clock can be believed now."""
        steady = self._steady()
        ahead = self._clock() - steady
        if abs(ahead - self._ahead) > JUMP:
            self._ahead, self._since, self.sane = ahead, steady, False
        elif steady - self._since >= LONG_ENOUGH:
            self.sane = True
        return self.sane
