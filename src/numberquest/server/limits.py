"""How much one address, and one match, may ask of the server; and how much there may be of everything."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REMEMBERED: Final = 50_000
"""Of so many addresses or matches the rates are remembered; the ones not heard of longest are forgotten."""


class Limits(NamedTuple):
    """The bounds of one server process."""

    rate: float = 50.0
    """Requests and frames a second from one address, and as many for one match."""
    connections: int = 500
    """Open connections from one address: a school may share one."""
    matches: int = 20_000
    """Matches that are not over."""
    created: float = 1.0
    """New matches a second from one address."""
    thought: float = 2.0
    """Reviews, puzzles and hints a second from one address."""
    thinking: int = 16
    """Of those, so many at once from one address: the line of all who wait is longer than that."""


class Rate:
    """So many a second for each name, with some saved up for a start."""

    def __init__(self, a_second: float, saved: float, clock: Callable[[], float] = monotonic) -> None:
        self._a_second, self._saved, self._clock = a_second, saved, clock
        self._left: OrderedDict[str, list[float]] = OrderedDict()

    def allows(self, name: str) -> bool:
        """Whether one more is allowed now; it is counted if it is."""
        now = self._clock()
        left = self._left.get(name)
        if left is not None:
            self._left.move_to_end(name)
        else:
            left = self._left[name] = [self._saved, now]
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        have = min(self._saved, left[0] + (now - left[1]) * self._a_second)
        left[1] = now
        if have < 1:
            left[0] = have
            return False
        left[0] = have - 1
        return True


@lru_cache(maxsize=REMEMBERED)
def place_of(address: str) -> str:
    """What is counted as one place: an address, or of IPv6 the 64 bits that one home or school is given."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False))


def rate_name(match: str, seats: Sequence[int]) -> str:
    """What requests in a match are counted under: no spectator can use up what the players may ask."""
    return f"{match} {seats}" if seats else match


class Count:
    """How many of something each address has at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._have: dict[str, int] = {}

    def more(self, address: str) -> bool:
        """Count one more; False where the address has too many."""
        count = self._have.get(address, 0)
        if count >= self._most:
            return False
        self._have[address] = count + 1
        return True

    def less(self, address: str) -> None:
        """The address has let go of one."""
        count = self._have.get(address, 0) - 1
        if count > 0:
            self._have[address] = count
        else:
            self._have.pop(address, None)

    @property
    def total(self) -> int:
        """How many all have together."""
        return sum(self._have.values())


class Gate:
    """All rates of a server."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self.asked = Rate(limits.rate, 4 * limits.rate, clock)
        self.in_match = Rate(limits.rate, 2 * limits.rate, clock)
        self.created = Rate(limits.created, 60 * limits.created, clock)
        self.thought = Rate(limits.thought, 15 * limits.thought, clock)
        self._open = Count(limits.connections)
        self.enter, self.leave = self._open.more, self._open.less
        # A browser has some connections that ask besides the one that stays open.
        self._asking = Count(2 * limits.connections)
        self.arrive, self.depart = self._asking.more, self._asking.less
        self._thinking = Count(limits.thinking)
        self.think, self.thought_out = self._thinking.more, self._thinking.less

    @property
    def open_connections(self) -> int:
        """How many live connections and streams there are."""
        return self._open.total
