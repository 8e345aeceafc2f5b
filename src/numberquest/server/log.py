"""One line of JSON for each event. No token, no name, no seed, no address line ever comes here."""

from __future__ import annotations

import logging
import os
import threading
import time
import traceback
from logging.handlers import QueueHandler, QueueListener
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, TextIO

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_WAITING: Final = 50_000
"""If whoever reads the log is slower than this, lines are dropped and counted rather than matches held up."""

ERRORS: Final = ("request", "frame", "task", "computer", "store", "library")
"""What can go wrong: a request or a frame that we could not answer, something that goes on beside them, a computer's
move, the database, and what the parts that we use complain about."""

_encode = msgspec.json.Encoder().encode


class Log:
    """Writes lines in a thread of its own, so that a slow disk or pipe never holds a move up."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.time) -> None:
        """Without a stream, nothing is written anywhere."""
        self._clock = clock
        self.errors = dict.fromkeys(ERRORS, 0)
        """How many things went wrong, by kind."""
        self._writer = None if stream is None else _Writer(stream)

    def event(self, event: str, /, **facts: str | int | float | None) -> None:
        """Note that something happened."""
        if self._writer is not None:
            self._writer.waiting.enqueue(_Event({"at": round(self._clock(), 3), "event": event, **facts}))

    def error(self, kind: str, /, **facts: str | int | float | None) -> None:
        """Note that something went wrong: `kind` is one of `ERRORS`."""
        self.errors[kind] += 1
        self.event("error", kind=kind, **facts)

    def overhear(self, name: str) -> None:
        """Write down what the parts that we use complain about, too: what and where, and no values."""
        logger = logging.getLogger(name)
        logger.setLevel(logging.WARNING)
        logger.filters = [self._overheard]
        logger.handlers = [logging.NullHandler() if self._writer is None else self._writer.waiting]
        logger.propagate = False

    def _overheard(self, _: logging.LogRecord) -> bool:
        self.errors["library"] += 1
        return True

    @property
    def dropped(self) -> int:
        """So many lines were dropped."""
        return 0 if self._writer is None else self._writer.waiting.dropped + self._writer.lines.dropped

    def close(self) -> None:
        """Write what waits."""
        if self._writer is not None:
            # Whoever reads the log may have stopped reading: not for ever.
            ending = threading.Thread(target=self._writer.stop, daemon=True)
            ending.start()
            ending.join(timeout=5)
            self._writer = None


class _Event(logging.LogRecord):
    """Something that happened here; where in the program and in which thread is left out, for there are many."""

    def __init__(self, said: dict[str, str | int | float | None]) -> None:
        self.msg: object = said


class _Queue(QueueHandler):
    """The line of what waits to be written, of bounded length."""

    def __init__(self, waiting: SimpleQueue[logging.LogRecord | None]) -> None:
        super().__init__(waiting)
        self.waiting = waiting
        self.setLevel(logging.WARNING)
        self.dropped = 0

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        # Made into a line by the thread that writes it.
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        if self.waiting.qsize() < MOST_WAITING:
            self.waiting.put(record)
        else:
            self.dropped += 1


class _Writer(QueueListener):
    """The thread that writes."""

    def __init__(self, stream: TextIO) -> None:
        self.waiting, self.lines = _Queue(SimpleQueue()), _Lines(stream)
        super().__init__(self.waiting.waiting)
        self.start()

    def dequeue(self, block: bool) -> logging.LogRecord:
        # A look every tenth of a second costs less than being woken for each line.
        while self.waiting.waiting.empty():
            self.lines.flush()
            time.sleep(0.1)
        return super().dequeue(block)

    def handle(self, record: logging.LogRecord) -> None:
        self.lines.emit(record)

    def stop(self) -> None:
        super().stop()
        self.lines.flush()


class _Lines(logging.Handler):
    """What is written, line by line."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: list[str] = []
        self.dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        said = record.msg if isinstance(record.msg, dict) else _overheard(record)
        self._lines.append(_encode(said).decode() + "\n")

    def flush(self) -> None:
        lines, self._lines = self._lines, []
        try:
            if lines:
                self._stream.write("".join(lines))
                self._stream.flush()
        except (OSError, ValueError):
            # Nobody reads the log any more, or its disk is full: the games go on.
            self.dropped += len(lines)


def _overheard(record: logging.LogRecord) -> dict[str, str | float]:
    error = record.exc_info[1] if record.exc_info else None
    at: dict[str, str | float] = {"at": round(record.created, 3), "event": "error", "kind": "library"}
    if error is None:
        # The words alone: what is filled in may be anything that somebody has sent.
        return {**at, "what": str(record.msg).strip()}
    return {**at, "what": type(error).__name__, "where": where(error)}


def where(error: BaseException) -> str:
    """The file and line in which it happened."""
    at = traceback.extract_tb(error.__traceback__)
    return f"{os.path.basename(at[-1].filename)}:{at[-1].lineno}" if at else ""
