"""How much one address, and one match, may ask of the server; and how much there may be of everything."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from time import monotonic
from typing import Final, NamedTuple

from numberquest.server.store.base import Share

REMEMBERED: Final = 50_000
"""Addresses or matches whose rates are remembered; the least recent are forgotten."""
OWNER: Final = "owner "
"""Prefix of an owner (`Tokens.owner`) in place of an address, whose networks then count by their keyed hashes."""


class Limits(NamedTuple):
    """The bounds of one server process."""

    rate: float = 200.0
    """Requests and frames a second from one address, which a class may share; in one match, a quarter of that."""
    connections: int = 500
    """Open connections from one address: a school may share one."""
    matches: int = 20_000
    """Matches that are not over."""
    created: float = 5.0
    """New matches a second from one address: a class of thirty in a hurry takes four."""
    pages: float = 500.0
    """Connections, pages, files and addresses at which there is nothing, a second: a class may open a page at once."""
    thought: float = 1.0
    """Seconds of a worker's time a second from one address, for reviews, puzzles and hints."""
    stored: int = 64 * 1024 * 1024
    """Bytes that the matches of one address may take up in the store: some 40,000 games of the usual length."""
    classes: int = 500
    """Classes that are not removed yet."""


class Rate:
    """A rate for each name, with some saved up for a start; for each wider network twice as much."""

    def __init__(self, a_second: float, saved: float, clock: Callable[[], float] = monotonic) -> None:
        self._a_second, self._saved, self._clock = a_second, saved, clock
        self._left: OrderedDict[str, list[float]] = OrderedDict()

    def allows(self, name: str, much: float = 1.0) -> bool:
        """Whether this amount is allowed now; it is counted if so."""
        every = [self._now(place, 2**wider) for wider, place in enumerate(places_of(name))]
        if any(left[0] < much for left in every):
            return False
        for left in every:
            left[0] -= much
        return True

    def uses(self, name: str, much: float) -> None:
        """Count this amount, allowed or not: a debt is at most what can be saved up."""
        for wider, place in enumerate(places_of(name)):
            left, most = self._now(place, 2**wider), 2**wider * self._saved
            left[0] = max(-most, min(most, left[0] - much))

    def _now(self, place: str, times: int) -> list[float]:
        """The amount that is left to a place now."""
        now, most = self._clock(), times * self._saved
        left = self._left.get(place)
        if left is None:
            left = self._left[place] = [most, now]
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        else:
            self._left.move_to_end(place)
            left[0], left[1] = min(most, left[0] + (now - left[1]) * times * self._a_second), now
        return left


class Thought:
    """The seconds of a worker's time that each address may use.

    Not requests are counted but what they cost: a puzzle of a small game takes a thousandth of a second, a review of a
    large one a minute. What that will be is known only afterwards, so something is set aside meanwhile.
    """

    ASIDE: Final = 1.0
    """Seconds set aside for each thing that is being thought about."""

    def __init__(self, a_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._seconds = Rate(a_second, 60 * a_second, clock)
        self.used = self._seconds.uses

    def begins(self, address: str) -> bool:
        """Whether something may be thought about for this address; `ends` afterwards, if so."""
        return self._seconds.allows(address, self.ASIDE)

    def ends(self, address: str) -> None:
        """Give back what was set aside; `used` has counted the real cost."""
        self._seconds.uses(address, -self.ASIDE)


def ip_of(address: str) -> IPv4Address | IPv6Address | None:
    """The address without its zone, an IPv4 one also where it is written as IPv6; None where it is no address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


@lru_cache(maxsize=REMEMBERED)
def place_of(address: str) -> str:
    """The place that is counted: an address, or of IPv6 the 64 bits that one home or school is given."""
    found = ip_of(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, 64), strict=False))
    return address if found is None else str(found)


@lru_cache(maxsize=REMEMBERED)
def places_of(place: str) -> tuple[str, ...]:
    """Return all networks in which an address or an owner counts, narrowest first: of IPv6 64, 56 and 48 bits."""
    if place.startswith(OWNER):
        return tuple(reversed(place.removeprefix(OWNER).split(".")))
    if not place.endswith("/64"):
        return (place,)
    network = IPv6Network(place)
    return place, str(network.supernet(new_prefix=56)), str(network.supernet(new_prefix=48))


def payer(owner: str) -> str:
    """Return the name under which a worker's time is counted for an owner; empty where none was noted."""
    return owner and f"{OWNER}{owner}"


def rate_name(match: str, address: str, seats: Sequence[int] = (), invited: bool = False) -> str:
    """The name under which requests in a match are counted: players, invited and spectators apart."""
    return f"{match} {seats}" if seats else f"{match} {address} {'invited' if invited else ''}"


class Count:
    """How many of something each address has at once; a wider network may have twice as many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._have: Counter[str] = Counter()
        self.total = 0

    def more(self, address: str) -> bool:
        """Count one more; False where the address has too many."""
        if any(self._have[place] >= self._most * 2**wider for wider, place in enumerate(places_of(address))):
            return False
        self._have.update(places_of(address))
        self.total += 1
        return True

    def less(self, address: str) -> None:
        """The address has let go of one."""
        self.total -= 1
        for place in places_of(address):
            _less(self._have, place)


def _less(counts: Counter[str], name: str) -> None:
    """One less, and of whom there are none nothing is remembered."""
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]


class Shares:
    """The open matches and the bytes of every owner in the store, by keyed hashes of their address.

    Of IPv6 an owner is three hashes, the widest network first, and each is counted. An owner may have a quarter as many
    open matches as there is still room for, and one in any case. So one alone gets 4,000 of 20,000, which is enough for
    a school, each further one gets less, and the last places are left for those who have few. A fixed share would let a
    handful of addresses fill everything. All of a network have no more open matches together than one address alone;
    stored they may have four times as much, and all of a site sixteen times.
    """

    PART: Final = 4

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()

    def begin(self, shares: Mapping[str, Share]) -> None:
        """Replace the counts by those of the store."""
        self._open, self._bytes = Counter(), Counter()
        for owner, share in shares.items():
            for place in owner.split("."):
                self._open[place] += share.open
                self._bytes[place] += share.bytes

    def room_for(self, owner: str, free: int) -> bool:
        """Whether the owner may have another match or class, if `free` more have room in all."""
        if not owner:
            return True
        most, places = max(1, free // self.PART), enumerate(reversed(owner.split(".")))
        return all(
            self._open[place] < most and self._bytes[place] < self._limits.stored * 4**wider for wider, place in places
        )

    def opened(self, owner: str, size: int) -> None:
        """Count another match of the owner, of this size."""
        self._open.update(owner.split("."))
        self.wrote(owner, size)

    def wrote(self, owner: str, size: int) -> None:
        """Something was added to a match of the owner's."""
        for place in owner.split("."):
            self._bytes[place] += size

    def closed(self, owner: str) -> None:
        """A match of the owner's is over."""
        for place in owner.split("."):
            _less(self._open, place)


class Gate:
    """All limits of a server."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self.asked = Rate(limits.rate, 4 * limits.rate, clock)
        self.paged = Rate(limits.pages, 8 * limits.pages, clock)
        self.in_match = Rate(limits.rate / 4, limits.rate / 2, clock)
        self.created = Rate(limits.created, 40 * limits.created, clock)
        self.thought = Thought(limits.thought, clock)
        self.shares = Shares(limits)
        self.open = Count(limits.connections)
        """The live connections and streams there are."""
        self.enter, self.leave = self.open.more, self.open.less
        # A browser has some connections that ask besides the one that stays open.
        self._asking = Count(2 * limits.connections)
        self.arrive, self.depart = self._asking.more, self._asking.less
