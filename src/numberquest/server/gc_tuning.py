"""Python's search for forgotten cycles of objects, kept out of the players' way.

Matches and messages hold no cycles: looking for some after every few hundred objects is wasted time. Only what is new
is looked at, once. Everything is looked at once an hour: with 10,000 connections that takes half a second, in which
nobody can move.
"""

from __future__ import annotations

import gc
from typing import Final

SECONDS_BETWEEN: Final = 3600


def spare() -> None:
    """From now on, look seldom; what is there already stays for good, and is never looked at."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 1_000_000, 1_000_000)


def look() -> None:
    """Look for forgotten cycles everywhere, now."""
    gc.collect()
