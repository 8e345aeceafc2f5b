"""What the server has done so far, as the text that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Seconds."""

HELP: Final[Mapping[str, str]] = {
    "numberquest_moves_total": "Entries written to the log of a match and acknowledged.",
    "numberquest_commits_total": "Commits to the database.",
    "numberquest_commit_entries_total": "Entries written in all commits together.",
    "numberquest_commit_seconds_total": "Seconds that all commits took together.",
    "numberquest_matches_created_total": "Matches created.",
    "numberquest_matches_over_total": "Matches that came to an end.",
    "numberquest_requests_total": "HTTP requests, by status; streams count when they begin, live connections as 101.",
    "numberquest_refused_total": "Requests and frames refused, by reason.",
    "numberquest_connections": "Open WebSocket connections and event streams.",
    "numberquest_live_matches": "Matches in memory.",
    "numberquest_thinking_waiting": "Computer moves, hints, reviews and puzzles waiting for their turn, by size.",
    "numberquest_thinking_seconds_total": "Seconds that workers have thought, by size.",
    "numberquest_thinking_tasks_total": (
        "Computer moves, hints, reviews and puzzles that workers have thought about, by size; a first try in vain too."
    ),
    "numberquest_weaker_moves_total": "Moves of the computer that were weaker than its level: there should be none.",
    "numberquest_looked_ahead_moves_total": "Moves of the computer by looking ahead, with rules too large to work out.",
    "numberquest_errors_total": "Things that went wrong here, by kind; the log says what.",
    "numberquest_log_dropped_total": "Log lines dropped because nobody read them fast enough.",
}
COUNTED: Final = (
    "numberquest_moves_total",
    "numberquest_matches_created_total",
    "numberquest_matches_over_total",
    "numberquest_weaker_moves_total",
    "numberquest_looked_ahead_moves_total",
)
"""What is counted here as a whole, and not by status or reason."""


class Metrics:
    """Counters, and how long writing a move down took."""

    def __init__(self) -> None:
        # There from the start, so that whoever watches them sees 0, and not nothing.
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTED, 0))
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def count(self, name: str) -> None:
        """Something of that name has happened once more."""
        self.counts[name] += 1

    def asked(self, status: int) -> None:
        """A request was answered with this status."""
        self.counts[f'numberquest_requests_total{{status="{status}"}}'] += 1

    def refused(self, reason: str) -> None:
        """A request or a frame was refused."""
        self.counts[f'numberquest_refused_total{{reason="{reason}"}}'] += 1

    def took(self, seconds: float) -> None:
        """How long it took until a move was on disk."""
        self._seconds += seconds
        for at, bound in enumerate(BUCKETS):
            if seconds <= bound:
                self._buckets[at] += 1
                return
        self._buckets[-1] += 1

    def text(self, gauges: Mapping[str, float]) -> str:
        """Everything, in Prometheus' text format."""
        lines: list[str] = []
        said: set[str] = set()
        values = {**{name: float(value) for name, value in sorted(self.counts.items())}, **gauges}
        for name, value in values.items():
            family = name.partition("{")[0]
            if family not in said:
                said.add(family)
                kind = "counter" if family.endswith("_total") else "gauge"
                lines += [f"# HELP {family} {HELP[family]}", f"# TYPE {family} {kind}"]
            lines.append(f"{name} {value:g}")
        family = "numberquest_write_seconds"
        lines += [f"# HELP {family} From a move's arrival until it is on disk.", f"# TYPE {family} histogram"]
        total = 0
        for bound, count in zip((*BUCKETS, "+Inf"), self._buckets, strict=True):
            total += count
            lines.append(f'{family}_bucket{{le="{bound}"}} {total}')
        lines += [f"{family}_sum {self._seconds:g}", f"{family}_count {total}"]
        return "\n".join(lines) + "\n"
