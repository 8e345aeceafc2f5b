"""One line of JSON for each event. No token, no name, no seed, no address line ever comes here."""

from __future__ import annotations

import logging
import os
import threading
import time
import traceback
from collections import deque
from typing import TYPE_CHECKING, Final, TextIO

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_WAITING: Final = 50_000
"""If whoever reads the log is slower than this, lines are dropped and counted rather than matches held up."""

_encode = msgspec.json.Encoder().encode


class Log:
    """Writes lines in a thread of its own, so that a slow disk or pipe never holds a move up."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._waiting: deque[bytes] = deque()
        self._stream = stream
        self._ended = threading.Event()
        self.dropped = 0
        self._writer: threading.Thread | None = None
        if stream is not None:
            self._writer = threading.Thread(target=self._write_forever, args=(stream,), name="log", daemon=True)
            self._writer.start()

    def event(self, event: str, /, **facts: str | int | float | None) -> None:
        """Note that something happened."""
        if self._stream is None:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.dropped += 1
            return
        self._waiting.append(_encode({"at": round(self._clock(), 3), "event": event, **facts}))

    def close(self) -> None:
        """Write what waits."""
        self._ended.set()
        if self._writer is not None:
            self._writer.join(timeout=5)

    def _write_forever(self, stream: TextIO) -> None:
        # A look every tenth of a second costs less than being woken for each line.
        while not self._ended.wait(0.1):
            self._write(stream)
        self._write(stream)

    def _write(self, stream: TextIO) -> None:
        lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            if lines:
                stream.write("".join(f"{line.decode()}\n" for line in lines))
                stream.flush()
        except (OSError, ValueError):
            # Nobody reads the log any more, or its disk is full: the games go on.
            self.dropped += len(lines)


def overheard(name: str, log: Log) -> None:
    """Put what the parts that we use complain about into our log too: what and where, and no values."""
    logger = logging.getLogger(name)
    logger.handlers = [_Overheard(log)]
    logger.propagate = False


class _Overheard(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            # The words alone: what is filled in may be anything that somebody has sent.
            self._log.event("error", what=str(record.msg).strip())
        else:
            self._log.event("error", what=type(error).__name__, where=where(error))


def where(error: BaseException) -> str:
    """The file and line in which it happened."""
    at = traceback.extract_tb(error.__traceback__)
    return f"{os.path.basename(at[-1].filename)}:{at[-1].lineno}" if at else ""
