"""Where the server listens, and the addresses by which people find it there."""

import contextlib
import errno
import ipaddress
import os
import socket
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from numberquest.core.errors import FAILURE, UsageError

EVERYWHERE: Final = "::"
"""Everybody on the network, by IPv6 and by IPv4; --host 127.0.0.1 is for this computer alone."""
MISSING: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""Why an address cannot be listened at although nobody else does."""
BACKLOG: Final = 4096
"""So many may wait to be let in."""


class Listening(contextlib.ExitStack):
    """The open sockets of a server, closed when left; `UsageError` where they cannot be opened."""

    def __init__(self, host: str, port: int) -> None:
        """A name such as localhost may stand for several addresses; port 0 is any free one, the same for all."""
        super().__init__()
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE) if host else []
        except (OSError, UnicodeError):
            found = []
        if host == EVERYWHERE and not can_speak_ipv6():
            found = socket.getaddrinfo("0.0.0.0", port, type=socket.SOCK_STREAM)  # noqa: S104
        if not found:
            raise _unknown(host)
        self.sockets: list[socket.socket] = []
        try:
            for family, *_, address in dict.fromkeys(found):
                taken = (address[0], self.port, *address[2:]) if self.sockets else address
                # Only the address of all addresses is for IPv4 too.
                both = address[0] == EVERYWHERE and socket.has_dualstack_ipv6()
                try:
                    opened = socket.create_server(taken, family=family, backlog=BACKLOG, dualstack_ipv6=both)
                    self.sockets.append(self.enter_context(opened))
                except OSError as error:
                    # A name may also stand for an address of IPv6 where there is none.
                    if error.errno not in MISSING or len(found) == 1:
                        raise
        except OSError as error:
            self.close()
            why = "is in use already: choose another" if error.errno == errno.EADDRINUSE else ""
            if isinstance(error, PermissionError):
                why = "is not open to you: choose one above 1023"
            raise (UsageError(f"port {port} {why} with --port", FAILURE) if why else _unknown(host)) from None
        if not self.sockets:
            raise _unknown(host)

    @property
    def port(self) -> int:
        return int(self.sockets[0].getsockname()[1])

    def addresses(self, prefix: str = "", hosts: Sequence[str] = (), proxied: bool = False) -> list[str]:
        """Where the page can be opened: on this computer first, then from others on the network.

        Of a server that answers to some names alone no other is told; behind a proxy it has no port of its own.
        """
        found = [each.getsockname()[0] for each in self.sockets]
        if len(found) > 1:
            names = ["localhost"]
        elif found[0] in ("0.0.0.0", "::"):  # noqa: S104
            names = ["localhost", *filter(None, [_own_address()])]
        else:
            names = [f"[{found[0]}]" if ":" in found[0] else found[0]]
        places = [f"{name}:{self.port}" for name in names]
        if hosts:
            seen = proxied or not all(_is_loopback(address) for address in found)
            ours = [name if proxied else f"{name}:{self.port}" for name in hosts if not _is_loopback(name)][:seen]
            # Asked for on this computer, it answers to these in any case.
            here = [place for name, place in zip(names, places, strict=True) if _is_loopback(name) or name in hosts]
            places = list(dict.fromkeys([*here, *ours])) or places
        return [f"http://{place}{prefix}/" for place in places]

    def outside(self, prefix: str = "", hosts: Sequence[str] = (), proxied: bool = False) -> str | None:
        """Where others on the network open the page; None where only this computer can, or only a proxy knows."""
        *_, last = self.addresses(prefix, hosts, proxied)
        nobody_knows = proxied and not hosts
        return None if nobody_knows or _is_loopback(urlsplit(last).hostname or "") else last.rstrip("/")


def _is_loopback(name: str) -> bool:
    """Whether it is only ever this computer."""
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name in ("localhost", "")


def can_speak_ipv6() -> bool:
    """Whether this computer has IPv6 at all."""
    if not socket.has_dualstack_ipv6():
        return False
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return True
    return False


def _unknown(host: str) -> UsageError:
    return UsageError(f"--host {host[:60]!r} is no address of this computer, such as 127.0.0.1")


def _own_address() -> str:
    """The address that others on the network reach this computer at; empty where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Nothing is sent: this only asks which way a packet would go.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def notify(state: str) -> None:
    """Tell systemd how it goes, where it has asked for that."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(state.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
