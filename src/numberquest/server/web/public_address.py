"""Where the server is to be found, and where its visitors come from."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final, NamedTuple

from numberquest.server.limits import place_of

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
        found = request.transport.get_extra_info("peername") if request.transport is not None else None
        address = str(found[0]) if found else ""
        if self.proxies is not None:
            said = ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")
            # From the right: what stands there was written by those whom we believe. What is no address says nothing.
            while said and self._is_proxy(address) and _plain(last := said.pop().strip()) is not None:
                address = last
        return place_of(address) or "local"

    def home(self, request: web.Request) -> str | None:
        """Where others open the page, by https where somebody whom we believe says so; never what a request claims."""
        found = request.transport.get_extra_info("peername") if request.transport is not None else None
        safe = request.headers.get("X-Forwarded-Proto", "").lower() == "https"
        if self.outside is not None and safe and found and self._is_proxy(str(found[0])):
            return self.outside.replace("http://", "https://", 1)
        return self.outside

    def _is_proxy(self, address: str) -> bool:
        found = _plain(address)
        return found is not None and any(found in network for network in self.proxies or ())


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks in a list such as `127.0.0.1,10.0.0.0/8`; `*` is all there are."""
    parts = [part.strip() for part in text.split(",")]
    return tuple(
        ip_network(network, strict=False)
        for part in parts
        for network in (("0.0.0.0/0", "::/0") if part == "*" else (part,))
    )


def is_here(request: web.Request) -> bool:
    """Whether somebody on this computer asks, and nobody passes the request on for somebody else."""
    found = request.transport.get_extra_info("peername") if request.transport is not None else None
    address = _plain(str(found[0])) if found else None
    passed_on = any(name in request.headers for name in PASSED_ON)
    return address is not None and address.is_loopback and not passed_on


def _plain(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
