"""Says how far a long piece of work is, once it has taken a second, and how long one waits for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from numberquest.terminal.prompt.console import columns, silenced, tell

PATIENCE: Final = 60.0
"""Seconds that a player waits for a solution at most; then the computer looks ahead instead."""

PIPED_STEP: Final = 10  # per cent from one line to the next where lines are not written over


class Progress:
    """Call it with how much of how much is done. Says nothing about what is done within a second.

    `with Progress("Solving") as progress`: at its end the line is gone, and nothing else stands on it meanwhile.
    """

    def __init__(self, what: str, *, estimate: bool = False) -> None:
        """`estimate`: of work that goes on evenly, say as well how long it still takes."""
        self._what, self._estimate = what, estimate
        self._from: int | None = None
        self._started = self._said = time.monotonic()
        self._share = -1
        self._line = ""
        self._loud: Callable[[], None] | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._wipe()
        if self._loud is not None:
            self._loud()

    def __call__(self, done: int, total: int) -> None:
        now, share = time.monotonic(), 100 * done // total
        # In a pipe or a file every line stays.
        lasting = sys.stderr is None or not sys.stderr.isatty()
        step = PIPED_STEP if lasting else 1
        if self._from is None:
            # What had been done before says nothing about how fast it is.
            self._from, self._began = done, now
        # A share that takes minutes to change is said again meanwhile, with how long it still takes.
        news = share // step != self._share // step or (self._estimate and not lasting and now - self._said > 10)
        if now - self._started > 1 and news and now - self._said > 1:
            self._said, self._share = now, share
            left, fresh = "", done - self._from
            if self._estimate and fresh:
                left = f", {in_minutes((now - self._began) / fresh * (total - done))} left"
            self._say(f"{self._what}: {share} %{left}")

    def tell(self, sentence: str) -> None:
        """A message to the person, on a line of its own."""
        self._wipe()
        tell(sentence)

    def _say(self, text: str) -> None:
        if sys.stderr is None:
            return
        if not sys.stderr.isatty():
            print(text, file=sys.stderr, flush=True)
            return
        if self._loud is None:
            # What is typed now is for the next question, and would stand in the middle of this line.
            self._loud = silenced()
        # One line that is written over; one that is folded could not be.
        text = text[: (columns(sys.stderr) or len(text) + 1) - 1]
        print(f"\r{text:<{len(self._line)}}", end="", file=sys.stderr, flush=True)
        self._line = text

    def _wipe(self) -> None:
        if self._line:
            print(f"\r{'':<{len(self._line)}}\r", end="", file=sys.stderr, flush=True)
            self._line = ""


def in_minutes(seconds: float) -> str:
    """About how long something takes, as people say it."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h" if seconds < 2 * 86400 else f"about {seconds / 86400:,.0f} days"


@contextmanager
def told_what_is_kept(what: str, total: int, missing: Callable[[], int], path: str | None) -> Iterator[None]:
    """Tell after an interruption how many of the results are kept in the file."""
    try:
        yield
    except KeyboardInterrupt:
        if path is not None:
            tell(
                f"\n{total - missing():,} of {total:,} {what} are kept in {path}: the same command goes on from there."
            )
        raise


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Say at a terminal, after a second, that work of unknown length goes on."""
    from threading import Timer

    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    with Progress(what) as progress:
        timer = Timer(1, progress._say, [f"{what} …"])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
