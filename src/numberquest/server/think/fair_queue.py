"""Who is next: the order in which the workers take what waits, and which rules are large. Pure: no clock, no worker.

Jobs wait by network (of IPv6 the 48 bits of a site), within it by address, and within that by match. Next is a job of
the network that has used the workers least, of that the address, and of that the match; what was used counts for about
a minute, and a network or an address never seen before ranks at the average. Jobs that are known to be small, new ones
and large ones wait apart, so that a small one never has to wait for all of the others.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from math import exp
from typing import Final, Generic, TypeVar

from numberquest.server.limits import places_of

W = TypeVar("W")
Name = tuple[str, ...]
"""A network, one of its addresses, or a match of that."""

SMALL: Final = "small"
NEW: Final = "new"
"""Nobody knows yet whether it is small or large: it is tried."""
LARGE: Final = "large"
SIZES: Final = (SMALL, NEW, LARGE)
FORGOTTEN: Final = 60.0
"""Of what was used so many seconds ago a little more than a third still counts."""
REMEMBERED: Final = 50_000
"""Of so many networks, addresses and matches each it is known what they used; the ones not heard of longest go."""
AVERAGED: Final = 64
"""The average is that of so many who have asked last."""
LOOKED_AT: Final = 256
"""Of so many, those who wait longest, the one who is next is looked for: however many wait, that takes no longer."""
MUCH: Final = 5.0
"""A network that has used more seconds than this has nothing new tried where others wait for something small."""
RECENT: Final = 2.0
"""Seconds after the last small job of a network in which its next one is expected, and should not wait."""
QUICK: Final = 0.3
"""What takes no more seconds of a worker than this is small."""
MOST_KNOWN: Final = 10_000
"""Of so many rules it is known that they are large, and of so many that they are small."""
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
        # By size, network, address, then whether it can wait and match: the jobs in the order in which they came.
        self._waiting: dict[str, dict[str, dict[str, _OfAddress[W]]]] = {size: {} for size in SIZES}
        self._running: set[Job[W]] = set()
        # Of networks, addresses and matches.
        self._used: tuple[OrderedDict[Name, _Used], ...] = (OrderedDict(), OrderedDict(), OrderedDict())
        self._turns = 0
        self._small: OrderedDict[str, float] = OrderedDict()
        """The time at which each network last asked for something small, or was answered."""

    def put(self, job: Job[W], now: float) -> None:
        """Let a job wait; after those of its match that wait already."""
        network, address, _ = _names(job)
        for name in (network, address):
            if name not in self._used[len(name) - 1]:
                last = [one.seconds(now) for one in islice(reversed(self._used[len(name) - 1].values()), AVERAGED)]
                self._of(name).add(sum(last) / max(1, len(last)), now)
                self._of(name).turn = self._turns
        self._note_small(job, now)
        addresses = self._waiting[job.size].setdefault(network[0], {})
        addresses.setdefault(job.address, {}).setdefault((not job.urgent, job.match), deque()).append(job)

    def take(self, now: float, *sizes: str, spares: bool = False) -> Job[W] | None:
        """The job that is next, of the first of these sizes of which any waits; `done` when it is done.

        `spares`: nothing new of a network that has used much, while others ask for what is small.
        """
        for size in sizes:
            if networks := self._waiting[size]:
                network = min(islice(networks, LOOKED_AT), key=lambda one: self._rank((one,), now))
                if spares and size == NEW and self._is_in_the_way(network, now):
                    continue
                addresses = networks[network]
                address = min(islice(addresses, LOOKED_AT), key=lambda one: self._rank((network, one), now))
                places = islice(addresses[address], LOOKED_AT)
                place = min(places, key=lambda one: (one[0], self._rank((network, address, one[1]), now)))
                job = addresses[address][place][0]
                self.remove(job)
                self._turns += 1
                job.began = now
                self._running.add(job)
                for name in _names(job):
                    self._of(name).turn = self._turns
                return job
        return None

    def _is_in_the_way(self, network: str, now: float) -> bool:
        others = (at for other, at in self._small.items() if other != network)
        return self._rank((network,), now)[0] > MUCH and max(others, default=float("-inf")) > now - RECENT

    def done(self, job: Job[W], now: float) -> None:
        """Count the time that a job took a worker."""
        self._running.discard(job)
        # From the answer on, however long the job waited: only then the next one can come.
        self._note_small(job, now)
        for name in _names(job):
            self._of(name).add(now - job.began, now)

    def _note_small(self, job: Job[W], now: float) -> None:
        if job.size == SMALL:
            network = network_of(job.address)
            self._small[network] = now
            self._small.move_to_end(network)
            if len(self._small) > AVERAGED:
                self._small.popitem(last=False)

    def remove(self, job: Job[W]) -> None:
        networks, network = self._waiting[job.size], network_of(job.address)
        addresses = networks.get(network, {})
        matches, place = addresses.get(job.address, {}), (not job.urgent, job.match)
        jobs = matches.get(place)
        if jobs is None or job not in jobs:
            return
        jobs.remove(job)
        if not jobs:
            del matches[place]
        if not matches:
            del addresses[job.address]
        if not addresses:
            del networks[network]

    def used(self, address: str, now: float) -> float:
        """The seconds that an address has used, those of long ago counted less, and those going on counted too."""
        return self._rank((network_of(address), address), now)[0]

    def waiting(self, size: str, address: str | None = None) -> int:
        """How many wait of that size; with an address, of its own that are not urgent."""
        if address is None:
            return sum(map(len, self._lines(size)))
        matches = self._waiting[size].get(network_of(address), {}).get(address, {})
        return sum(len(jobs) for (late, _), jobs in matches.items() if late)

    def clear(self) -> list[Job[W]]:
        """All that wait, who do so no longer."""
        every = [job for size in SIZES for jobs in self._lines(size) for job in jobs]
        for networks in self._waiting.values():
            networks.clear()
        return every

    def _lines(self, size: str) -> Iterator[deque[Job[W]]]:
        matches = chain.from_iterable(addresses.values() for addresses in self._waiting[size].values())
        return chain.from_iterable(lines.values() for lines in matches)

    def _rank(self, name: Name, now: float) -> tuple[float, int]:
        used = self._used[len(name) - 1].get(name)
        going_on = sum(now - job.began for job in self._running if name in _names(job))
        return (going_on, 0) if used is None else (used.seconds(now) + going_on, used.turn)

    def _of(self, name: Name) -> _Used:
        known = self._used[len(name) - 1]
        used = known.setdefault(name, _Used())
        known.move_to_end(name)
        if len(known) > REMEMBERED:
            known.popitem(last=False)
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


_OfAddress = dict[tuple[bool, str], deque[Job[W]]]


def network_of(address: str) -> str:
    """The widest network that an address is counted in."""
    return places_of(address)[-1]


def _names(job: Job[W]) -> tuple[Name, Name, Name]:
    """Whose time it takes: the network's, the address's and the match's."""
    network = network_of(job.address)
    return (network,), (network, job.address), (network, job.address, job.match)


class CostModel:
    """Which rules are large, learnt from how long they took. Of rules without a name nothing is learnt.

    What is not known is new: it is tried as a small one. What was large may be small later, since what was worked
    out is kept: so after an answer for which it was worked out it is tried once more; each time that was in vain, after
    twice as many such answers.
    """

    def __init__(self) -> None:
        self._large: OrderedDict[str, list[int]] = OrderedDict()
        self._small: OrderedDict[str, None] = OrderedDict()

    def size(self, rules: str) -> str:
        """What these rules are to be taken for."""
        known = self._large.get(rules)
        if known is not None and known[1] < 2 ** known[0]:
            return LARGE
        return SMALL if rules in self._small else NEW

    def too_long(self, rules: str) -> None:
        """They were tried as small ones, and are not."""
        if not rules:
            return
        doubts = self._large.pop(rules, [-1, 0])[0]
        self._large[rules] = [min(doubts + 1, MOST_DOUBTS), 0]
        self._small.pop(rules, None)
        if len(self._large) > MOST_KNOWN:
            self._large.popitem(last=False)

    def answered(self, rules: str, size: str, *, solved: bool) -> None:
        """There is an answer: from the rules worked out, or only by looking ahead."""
        if size != LARGE:
            self._large.pop(rules, None)
            if rules:
                self._small[rules] = None
                self._small.move_to_end(rules)
            if len(self._small) > MOST_KNOWN:
                self._small.popitem(last=False)
        elif solved and rules in self._large:
            self._large[rules][1] += 1
