"""The log, a line of JSON for each event, and the metrics, which Prometheus reads.

Tokens, names and seeds are never logged; addresses are.
"""

import contextlib
import logging
import os
import secrets
import threading
import time
import traceback
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Final, Literal, TextIO, get_args

import msgspec

from numberquest import __version__

MOST_WAITING: Final = 50_000
"""Lines that may wait to be written: further lines are dropped and counted, and no match is held up."""

ErrorKind = Literal["request", "frame", "task", "class", "computer", "store", "library"]
"""The kinds of errors: a request or frame without an answer, a background task, the upkeep of a class, a computer's
move, the database, and complaints of libraries."""
ERRORS: Final[tuple[ErrorKind, ...]] = get_args(ErrorKind)

Facts = dict[str, str | int | float | None]

_encode = msgspec.json.Encoder().encode


class Log(logging.Handler):
    """Writes lines in a thread of its own, so that a slow disk or pipe never holds a move up."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.time, hides: bool = False) -> None:
        """Without a stream, nothing is written anywhere. `hides`: addresses are left out."""
        super().__init__(logging.WARNING)
        self._hides, self._day, self._key = hides, -1, b""
        self._stream, self._clock = stream, clock
        self.errors: dict[ErrorKind, int] = dict.fromkeys(ERRORS, 0)
        """How many things went wrong, by kind."""
        self.dropped = 0
        """Lines that were dropped."""
        self._waiting: deque[Facts] = deque()
        self._refused: dict[tuple[str, str], Facts] = {}
        self._failed: dict[str, Facts] = {}
        self._closing = threading.Event()
        self._writer = threading.Thread(target=self._write_forever, daemon=True)
        if stream is None:
            self._closing.set()
        else:
            self._writer.start()

    def event(self, event: str, /, **facts: str | int | float | None) -> None:
        if self._closing.is_set():
            return
        if self._hides and "address" in facts:
            facts["address"] = self._hidden(str(facts["address"]))
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append({"at": round(self._clock(), 3), "event": event, **facts})
        else:
            self.dropped += 1

    def _hidden(self, address: str) -> str:
        """A pseudonym of an address, the same for a day; its key is never stored."""
        day = int(self._clock() // 86_400)
        if day != self._day:
            self._day, self._key = day, secrets.token_bytes(16)
        return blake2b(address.encode(), key=self._key, digest_size=8).hexdigest()

    def refused(self, reason: str, address: str, match: str | None) -> None:
        """Note a refusal: of the same address and reason there is one line a second, with their number."""
        facts = self._refused.setdefault((reason, address), {"match": match, "times": 0})
        facts["times"] = int(facts["times"] or 0) + 1
        facts["match"] = match if match == facts["match"] else None

    def failed(self, cause: str, what: str) -> None:
        """Note why the store could not write: of the same cause there is one line a second, with their number."""
        facts = self._failed.setdefault(cause, {"what": what, "cause": cause, "times": 0})
        facts["times"] = int(facts["times"] or 0) + 1

    def sum_up(self) -> None:
        """Write down what was refused, and what failed, since the last time: once a second."""
        failed, self._failed = self._failed, {}
        for facts in failed.values():
            self.error("store", **facts)
        refused, self._refused = self._refused, {}
        for (reason, address), facts in refused.items():
            self.event("refused", reason=reason, address=address, **facts)

    def error(self, kind: ErrorKind, /, **facts: str | int | float | None) -> None:
        """Count and log an error."""
        self.errors[kind] += 1
        self.event("error", kind=kind, **facts)

    def overhear(self, name: str) -> None:
        """Write down what the parts that we use complain about, too: what and where, and no values."""
        logger = logging.getLogger(name)
        logger.setLevel(logging.WARNING)
        logger.handlers = [self]
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        # The words alone: what is filled in may be anything that somebody has sent.
        if error is None:
            self.error("library", what=str(record.msg).strip())
        else:
            self.error("library", what=type(error).__name__, where=where(error))

    def close(self) -> None:
        """Write what waits."""
        self.sum_up()
        if not self._closing.is_set():
            self._closing.set()
            # Whoever reads the log may have stopped reading: not for ever.
            self._writer.join(timeout=5)
        super().close()

    def _write_forever(self) -> None:
        closing = False
        while not closing:
            # A look every tenth of a second costs less than being woken for each line.
            closing = self._closing.wait(0.1)
            lines = [_encode(self._waiting.popleft()).decode() + "\n" for _ in range(len(self._waiting))]
            try:
                if lines and self._stream is not None:
                    self._stream.write("".join(lines))
                    self._stream.flush()
            except (OSError, ValueError):
                # Nobody reads the log any more, or its disk is full: the games go on.
                self.dropped += len(lines)


def where(error: BaseException) -> str:
    """The file and line in which it happened."""
    at = traceback.extract_tb(error.__traceback__)
    return f"{os.path.basename(at[-1].filename)}:{at[-1].lineno}" if at else ""


BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Seconds."""

HELP: Final[Mapping[str, str]] = {
    "numberquest_moves_total": "Entries written to the log of a match and acknowledged.",
    "numberquest_commits_total": "Commits to the database.",
    "numberquest_commit_entries_total": "Entries written in all commits together.",
    "numberquest_commit_seconds_total": "Seconds that all commits took together.",
    "numberquest_store_failures_total": "Times that the database could not write, by its own code for why.",
    "numberquest_matches_created_total": "Matches created.",
    "numberquest_matches_over_total": "Matches that came to an end.",
    "numberquest_requests_total": "HTTP requests, by status; streams count when they begin, live connections as 101.",
    "numberquest_refused_total": "Requests and frames refused, by reason.",
    "numberquest_connections": "Open WebSocket connections and event streams.",
    "numberquest_live_matches": "Matches in memory.",
    "numberquest_open_matches": "Matches that are not over.",
    "numberquest_open_matches_limit": "So many matches may be open; `numberquest db prune` makes room.",
    "numberquest_thinking_waiting": "Computer moves, hints, reviews and puzzles waiting for their turn, by size.",
    "numberquest_thinking_seconds_total": "Seconds that workers have thought, by size.",
    "numberquest_thinking_tasks_total": (
        "Computer moves, hints, reviews and puzzles that workers have thought about, by size; a first try in vain too."
    ),
    "numberquest_weaker_moves_total": "Moves of the computer that were weaker than its level: there should be none.",
    "numberquest_looked_ahead_moves_total": "Moves of the computer by looking ahead, with rules too large to work out.",
    "numberquest_memory_bytes": "Memory of the server itself, without its workers.",
    "numberquest_open_files": "Files and connections that the server has open.",
    "numberquest_info": "1, with the version that runs.",
    "numberquest_errors_total": "Things that went wrong here, by kind; the log says what.",
    "numberquest_task_restarts_total": "Times that a background task failed and was started again, by task.",
    "numberquest_log_dropped_total": "Log lines dropped because nobody read them fast enough.",
}
COUNTED: Final = (
    "numberquest_moves_total",
    "numberquest_matches_created_total",
    "numberquest_matches_over_total",
    "numberquest_weaker_moves_total",
    "numberquest_looked_ahead_moves_total",
)
"""Counters without labels."""


WRITE, REQUEST, LAG = "numberquest_write_seconds", "numberquest_request_seconds", "numberquest_loop_lag_seconds"
TIMES: Final[Mapping[str, str]] = {
    WRITE: "From a move's arrival until it is on disk.",
    REQUEST: "From a request's head until it is answered; streams and live connections do not count.",
    LAG: "How much later than meant the event loop comes to what it does every tenth of a second.",
}


class Metrics:
    """Counters, and how long things took."""

    def __init__(self) -> None:
        # There from the start, so that whoever watches them sees 0, and not nothing.
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTED, 0))
        self._buckets = {family: [0] * (len(BUCKETS) + 1) for family in TIMES}
        self._seconds = dict.fromkeys(TIMES, 0.0)

    def count(self, name: str) -> None:
        self.counts[name] += 1

    def asked(self, status: int) -> None:
        self.counts[f'numberquest_requests_total{{status="{status}"}}'] += 1

    def refused(self, reason: str) -> None:
        self.counts[f'numberquest_refused_total{{reason="{reason}"}}'] += 1

    def took(self, seconds: float, family: str = WRITE) -> None:
        """How long it took until a move was on disk, or another of `TIMES`."""
        self._seconds[family] += seconds
        self._buckets[family][bisect_left(BUCKETS, seconds)] += 1

    def text(self, gauges: Mapping[str, float]) -> str:
        """Everything, in Prometheus' text format."""
        lines: list[str] = []
        families: set[str] = set()
        values = {**{name: float(value) for name, value in sorted(self.counts.items())}, **gauges}
        for name, value in values.items():
            family = name.partition("{")[0]
            if family not in families:
                families.add(family)
                kind = "counter" if family.endswith("_total") else "gauge"
                lines += [f"# HELP {family} {HELP[family]}", f"# TYPE {family} {kind}"]
            lines.append(f"{name} {value:g}")
        for family, counts in self._buckets.items():
            lines += [f"# HELP {family} {TIMES[family]}", f"# TYPE {family} histogram"]
            total = 0
            for bound, count in zip((*BUCKETS, "+Inf"), counts, strict=True):
                total += count
                lines.append(f'{family}_bucket{{le="{bound}"}} {total}')
            lines += [f"{family}_sum {self._seconds[family]:g}", f"{family}_count {total}"]
        return "\n".join(lines) + "\n"


def process_figures() -> dict[str, float]:
    """Figures of the operating system about this process, where the system has them."""
    figures = {f'numberquest_info{{version="{__version__}"}}': 1.0}
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        figures["numberquest_memory_bytes"] = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        figures["numberquest_open_files"] = len(os.listdir("/proc/self/fd"))
    return figures
