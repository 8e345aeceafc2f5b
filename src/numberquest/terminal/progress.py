"""Says how far a long piece of work is, once it has taken a second, and how long one waits for it."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


PATIENCE: Final = 60.0
"""Whoever plays waits no longer than so many seconds until a game is solved: then the computer looks ahead instead."""


class Progress:
    """Call it with how much of how much is done. Says nothing about what is done within a second."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = self._said = time.monotonic()
        self._share = -1
        self._line = False

    def __call__(self, done: int, total: int) -> None:
        """So much of so much is done."""
        now, share = time.monotonic(), 100 * done // total
        lasting = now - self._started > 1
        if lasting and share != self._share and (now - self._said > 1 or (done == total and self._line)):
            self._said, self._share = now, share
            self._say(f"{self._what}: {share} %", last=done == total)

    def _say(self, text: str, last: bool) -> None:
        if sys.stderr is None:
            return
        if sys.stderr.isatty():
            # One line that is written over, and left behind when it is done.
            self._line = not last
            print(f"\r{text}", end="\n" if last else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


@contextmanager
def patient_for(seconds: float) -> Iterator[None]:
    """Meanwhile a game is given up that takes longer than so many seconds to solve."""
    from numberquest.solver import budget

    before, budget.patience = budget.patience, min(budget.patience, seconds)
    try:
        yield
    finally:
        budget.patience = before
