"""Who is next: the order in which the workers take what waits, and which rules are large. Pure: no clock, no worker.

Jobs wait by address, and within an address by match. Next is a job of the address that has used the workers least, and
of that address a job of the match that has; what was used counts for about a minute. Small jobs and large ones wait
apart, so that a worker kept for the small ones never has to go through the large ones.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from math import exp
from typing import Final, Generic, TypeVar

W = TypeVar("W")
Name = tuple[str, "str | None"]
"""An address, or one of its matches."""

SMALL: Final = "small"
LARGE: Final = "large"
FORGOTTEN: Final = 60.0
"""Of what was used so many seconds ago a little more than a third still counts."""
REMEMBERED: Final = 50_000
"""Of so many addresses and matches it is known what they used; the ones not heard of longest are forgotten."""
QUICK: Final = 0.3
"""What takes no more seconds of a worker than this is small."""
MOST_LARGE: Final = 10_000
"""Of so many rules it is known that they are large."""
MOST_DOUBTS: Final = 6


@dataclass(slots=True, eq=False)
class Job(Generic[W]):
    """Something to be thought about, and for whom."""

    what: W
    address: str
    match: str = ""
    urgent: bool = True
    """Whether somebody sits at a board and waits for it: of one address, these go first."""
    size: str = SMALL
    began: float = 0.0
    """When a worker took it."""


class FairQueue(Generic[W]):
    """The jobs that wait, and what everybody has used so far. Times are seconds of any clock that only goes on."""

    def __init__(self) -> None:
        # By size, then address, then whether it can wait and match: the jobs in the order in which they came.
        self._waiting: dict[str, dict[str, dict[tuple[bool, str], deque[Job[W]]]]] = {SMALL: {}, LARGE: {}}
        self._running: set[Job[W]] = set()
        self._used: OrderedDict[Name, _Used] = OrderedDict()
        self._turns = 0

    def put(self, job: Job[W]) -> None:
        """Let a job wait; after those of its match that wait already."""
        self._waiting[job.size].setdefault(job.address, {}).setdefault((not job.urgent, job.match), deque()).append(job)

    def take(self, now: float, *sizes: str) -> Job[W] | None:
        """The job that is next, of the first of these sizes of which any waits; `done` when it is done."""
        for size in sizes:
            if addresses := self._waiting[size]:
                address = min(addresses, key=lambda one: self._rank(one, None, now))
                matches = addresses[address]
                place = min(matches, key=lambda one: (one[0], self._rank(address, one[1], now)))
                job = matches[place][0]
                self.remove(job)
                self._turns += 1
                job.began = now
                self._running.add(job)
                for name in _names(job):
                    self._of(name).turn = self._turns
                return job
        return None

    def done(self, job: Job[W], now: float) -> None:
        """A worker is through with it: the time that took is counted."""
        self._running.discard(job)
        for name in _names(job):
            self._of(name).add(now - job.began, now)

    def remove(self, job: Job[W]) -> None:
        """Nobody waits for this one any more."""
        addresses = self._waiting[job.size]
        matches, place = addresses.get(job.address, {}), (not job.urgent, job.match)
        jobs = matches.get(place)
        if jobs is None or job not in jobs:
            return
        jobs.remove(job)
        if not jobs:
            del matches[place]
        if not matches:
            del addresses[job.address]

    def used(self, address: str, now: float) -> float:
        """The seconds that an address has used, those of long ago counted less, and those going on counted too."""
        return self._rank(address, None, now)[0]

    def waiting(self, size: str, address: str | None = None) -> int:
        """How many wait of that size; with an address, of its own that are not urgent."""
        addresses = self._waiting[size]
        if address is not None:
            return sum(len(jobs) for (late, _), jobs in addresses.get(address, {}).items() if late)
        return sum(len(jobs) for matches in addresses.values() for jobs in matches.values())

    def clear(self) -> list[Job[W]]:
        """All that wait, who do so no longer."""
        every: list[Job[W]] = []
        for addresses in self._waiting.values():
            every += (job for matches in addresses.values() for jobs in matches.values() for job in jobs)
            addresses.clear()
        return every

    def _rank(self, address: str, match: str | None, now: float) -> tuple[float, int]:
        used = self._used.get((address, match))
        going_on = sum(now - job.began for job in self._running if (address, match) in _names(job))
        return (going_on, 0) if used is None else (used.seconds(now) + going_on, used.turn)

    def _of(self, name: Name) -> _Used:
        used = self._used.setdefault(name, _Used())
        self._used.move_to_end(name)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)
        return used


@dataclass(slots=True)
class _Used:
    """What one of them has used, as it stood at some time, and which turn was its last."""

    had: float = 0.0
    at: float = 0.0
    turn: int = 0

    def seconds(self, now: float) -> float:
        return self.had * exp((self.at - now) / FORGOTTEN)

    def add(self, seconds: float, now: float) -> None:
        self.had, self.at = self.seconds(now) + seconds, now


def _names(job: Job[W]) -> tuple[Name, Name]:
    """Whose time it takes: the address's and the match's."""
    return (job.address, None), (job.address, job.match)


class CostModel:
    """Which rules are large, learnt from how long they took. Of rules without a name nothing is learnt.

    Whatever is not known to be large is tried as a small one. What was large may be small later, since what was worked
    out is kept: so after an answer for which it was worked out it is tried once more; each time that was in vain, after
    twice as many such answers.
    """

    def __init__(self) -> None:
        self._large: OrderedDict[str, list[int]] = OrderedDict()

    def size(self, rules: str) -> str:
        """What these rules are to be taken for."""
        known = self._large.get(rules)
        return SMALL if known is None or known[1] >= 2 ** known[0] else LARGE

    def too_long(self, rules: str) -> None:
        """They were tried as small ones, and are not."""
        if not rules:
            return
        doubts = self._large.pop(rules, [-1, 0])[0]
        self._large[rules] = [min(doubts + 1, MOST_DOUBTS), 0]
        if len(self._large) > MOST_LARGE:
            self._large.popitem(last=False)

    def answered(self, rules: str, size: str, *, solved: bool) -> None:
        """There is an answer: from the rules worked out, or only by looking ahead."""
        if size == SMALL:
            self._large.pop(rules, None)
        elif solved and rules in self._large:
            self._large[rules][1] += 1
