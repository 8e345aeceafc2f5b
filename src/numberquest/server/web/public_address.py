"""Where the server is to be found, and where its visitors come from."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING, Final, NamedTuple

from numberquest.server.limits import ip_of, place_of

if TYPE_CHECKING:
    from aiohttp import web

EVERYBODY, LOCAL, NOBODY = "all", "local", "none"
THIS_COMPUTER: Final = ("localhost", "127.0.0.1", "[::1]")
"""The names by which everybody finds the computer they sit at."""
PASSED_ON: Final = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via")
"""Headers by which a proxy says that it asks for somebody else."""


class PublicAddress(NamedTuple):
    """One server as others see it."""

    outside: str | None = None
    """Where others on the network open the page, if they can."""
    prefix: str = ""
    """What stands before all addresses: `/games`, or nothing."""
    hosts: tuple[str, ...] = ()
    """The names that it answers to, the one to be told first; none: any."""
    proxies: tuple[IPv4Network | IPv6Network, ...] | None = None
    """Who is believed about where requests come from; None: nobody."""
    metrics: str = EVERYBODY
    """Who may read them: everybody, this computer alone, or nobody."""

    def answers_to(self, request: web.Request) -> bool:
        """Whether it is asked by one of our names; what stands behind the colon is left to whoever passed it on."""
        if not self.hosts:
            return True
        host = request.headers.get("Host", "").lower()
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        # Nobody elsewhere can give these another meaning.
        return name in self.hosts or (name in THIS_COMPUTER and is_here(request))

    def visitor(self, request: web.Request) -> str:
        """Where a request comes from, as it is counted and logged."""
        address = _peer(request)
        if self.proxies is not None:
            said = ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")
            # From the right: what stands there was written by those whom we believe. What is no address says nothing.
            while said and self._is_proxy(address) and ip_of(last := said.pop().strip()) is not None:
                address = last
        return place_of(address) or "local"

    def home(self, request: web.Request) -> str | None:
        """Where others open the page, by https where somebody whom we believe says so; never what a request claims."""
        safe = request.headers.get("X-Forwarded-Proto", "").lower() == "https"
        if self.outside is not None and safe and self._is_proxy(_peer(request)):
            return self.outside.replace("http://", "https://", 1)
        return self.outside

    def _is_proxy(self, address: str) -> bool:
        found = ip_of(address)
        return found is not None and any(found in network for network in self.proxies or ())


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks in a list such as `127.0.0.1,10.0.0.0/8`; `*` is all there are."""
    parts = [part.strip() for part in text.split(",")]
    named = [network for part in parts for network in (("0.0.0.0/0", "::/0") if part == "*" else (part,))]
    return tuple(ip_network(network, strict=False) for network in named)


def is_here(request: web.Request) -> bool:
    """Whether somebody on this computer asks, and nobody passes the request on for somebody else."""
    address = ip_of(_peer(request))
    return address is not None and address.is_loopback and not any(name in request.headers for name in PASSED_ON)


def _peer(request: web.Request) -> str:
    """The address at the other end of the line; empty where it is not known."""
    found = request.transport.get_extra_info("peername") if request.transport is not None else None
    return str(found[0]) if found else ""
