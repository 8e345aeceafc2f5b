"""What no library bounds: whoever connects must ask in a short head, read what is said, and go when told to.

aiohttp itself ends a connection that asks nothing for `ASK_WITHIN` seconds, and bounds lines, bodies and frames. It
waits for ever for somebody who does not read, closes a connection only when the other side has taken everything,
answers any number of pings, and lets one address open any number of connections.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from numberquest.sentences import Said
from numberquest.server import garbage
from numberquest.server.limits import place_of
from numberquest.server.refusal import Refusal
from numberquest.server.web.http import SECURITY, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.server.limits import Gate
    from numberquest.server.log import Log

LARGEST_HEAD: Final = 16 * 1024
"""The first line and the headers of a request may have so many bytes together."""
MOST_HEADERS: Final = 100
ASK_WITHIN: Final = 20.0
"""Seconds from the connection, or the last answer, to the end of a request's head; and from there to its last byte."""
READ_WITHIN: Final = 20.0
"""Seconds in which somebody must read some of what waits for them."""
LET_GO_WITHIN: Final = 10.0
"""Seconds that a closed connection may take to send what is left."""
PING_EVERY: Final = 30.0
"""Seconds between two pings on a live connection; one that is silent from one to the next is ended."""
MOST_UNHEARD: Final = 1024 * 1024
"""So many bytes may come on a live connection without a whole message among them."""

PING: Final = b"\x89\x00"
"""A frame of a live connection that asks whether somebody is there."""
NEVER: Final = float("inf")


class Live(Protocol):
    """What a connection tells those who use it for longer than for one answer."""

    def resumed(self) -> None:
        """What waited has been read."""

    def left(self) -> None:
        """The other side is gone."""


class Overseen(web.RequestHandler):
    """One connection."""

    __slots__ = (
        "_closed",
        "_counted",
        "_end",
        "_head",
        "_oversight",
        "_ping_at",
        "_silent",
        "_stalled",
        "control",
        "line",
        "live",
        "unheard",
    )

    line: asyncio.Transport

    def __init__(self, oversight: Oversight, **wishes: Any) -> None:
        super().__init__(oversight.server, loop=asyncio.get_running_loop(), **wishes)
        self._oversight = oversight
        self._counted = ""
        self._head: int | None = 0
        """How many bytes of a head have come; None while a request is answered."""
        self._end = b""
        """The last bytes of them."""
        self._stalled = self._closed = self._ping_at = NEVER
        self._silent = False
        self.live: Live | None = None
        self.unheard = 0
        """So many bytes have come without a whole message among them."""
        self.control = 0
        """So many pings and pongs have come since our own last ping."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let somebody in, if there are not too many from there."""
        self.line = cast("asyncio.Transport", transport)
        oversight = self._oversight
        if oversight.stopping:
            # Let in a moment before the door was shut, and not among those who were told that it is: as if it were.
            transport.close()
            return
        # Behind a proxy, everybody seems to come from there.
        if not oversight.proxied:
            address = place_of(str(transport.get_extra_info("peername", ("",))[0]))
            if not oversight.gate.arrive(address):
                self.refuse(Refusal("too-many", Said("much-open")))
                return
            self._counted = address
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget it, and tell who uses it."""
        self._count_off()
        super().connection_lost(exc)
        if self.live is not None:
            self.live.left()
            self.live = None

    def data_received(self, data: bytes) -> None:
        """Some bytes, of a head, a body or a frame."""
        if self.line.is_closing():
            return
        if self._head is not None:
            self._read_head(data)
            if self.line.is_closing():
                return
        elif self._ping_at < NEVER:
            self._silent = False
            self.unheard += len(data)
            if self.unheard > MOST_UNHEARD:
                self.abort("endless")
                return
        super().data_received(data)

    def _read_head(self, data: bytes) -> None:
        recent = self._end + data
        end = recent.find(b"\r\n\r\n")
        head = (self._head or 0) + (len(data) if end < 0 else end)
        if head > LARGEST_HEAD:
            self.refuse(Refusal("too-long", Said("head-long", {"largest": LARGEST_HEAD})))
        self._head, self._end = (head, recent[-3:]) if end < 0 else (None, b"")

    def pause_writing(self) -> None:
        """More waits than they have read."""
        self._stalled = self._oversight.now() + READ_WITHIN
        super().pause_writing()

    def resume_writing(self) -> None:
        """They have read."""
        self._stalled = NEVER
        super().resume_writing()
        if self.live is not None:
            self.live.resumed()

    def asked(self) -> None:
        """A request is being answered: what comes now is its body."""
        self._head = None

    def answered(self) -> None:
        """A request is answered: the next may come."""
        self._head, self._end = 0, b""

    def stays(self, live: Live, frames: bool) -> None:
        """It stays open for more than one answer: with frames, or without anything that is listened to."""
        self.live = live
        self._head = None
        if frames:
            self._count_off()
            self._ping_at = self._oversight.now() + PING_EVERY
        else:
            self.close()

    def check(self, now: float) -> None:
        """About once a second: end the connection if its time is up."""
        if self.line.is_closing():
            if self._closed == NEVER:
                self._closed = now + LET_GO_WITHIN
            elif now > self._closed:
                self.line.abort()
        elif now > self._stalled:
            self.abort("slow")
        elif now > self._ping_at:
            if self._silent:
                self.abort("silent")
            else:
                self._silent, self._ping_at, self.control = True, now + PING_EVERY, 0
                self.line.write(PING)

    def abort(self, why: str) -> None:
        """End it at once."""
        address = self.line.get_extra_info("peername", ("",))[0]
        self._oversight.log.event("closed", reason=why, address=place_of(str(address)))
        self.line.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """What came is no request: say so, in the same words and with the same headers as everywhere."""
        if status == 500:
            return super().handle_error(request, status, exc, message)
        if isinstance(exc, LineTooLong) or message == "Too many headers received":
            self.refuse(Refusal("too-long", Said("head-long", {"largest": LARGEST_HEAD})))
        else:
            self.refuse(Refusal("bad-request", Said("not-http")))
        # Nobody gets this one: the connection has ended. An exception would stand in the log as a mistake of ours.
        return web.Response(status=status)

    def refuse(self, refusal: Refusal) -> None:
        """Say why, and end the connection."""
        reply = problem(refusal)
        headers = {**SECURITY, "Content-Type": reply.kind, "Content-Length": str(len(reply.body))}
        headers |= {"Cache-Control": "no-store", "Connection": "close"}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.line.write(f"HTTP/1.1 {reply.status} Refused\r\n{head}\r\n".encode() + reply.body)
        self.line.close()

    def _count_off(self) -> None:
        if self._counted:
            self._oversight.gate.depart(self._counted)
            self._counted = ""


class Oversight:
    """All connections of a server."""

    def __init__(self, server: web.Server, gate: Gate, log: Log, proxied: bool) -> None:
        self.server, self.gate, self.log, self.proxied = server, gate, log, proxied
        self.stopping = False
        self.now: Callable[[], float] = asyncio.get_running_loop().time

    def connection(self) -> Overseen:
        """A new one."""
        return Overseen(
            self,
            keepalive_timeout=ASK_WITHIN,
            lingering_time=LET_GO_WITHIN,
            max_line_size=LARGEST_HEAD,
            max_field_size=LARGEST_HEAD,
            max_headers=MOST_HEADERS,
            auto_decompress=False,
            access_log=None,
        )

    async def go_round(self) -> None:
        """Look after all of them once a second, and for forgotten cycles once an hour."""
        looked = self.now()
        while True:
            connections = cast("list[Overseen]", self.server.connections)
            # Not all at once: with thousands of them, whoever moves meanwhile would be held up.
            for part in range(10):
                await asyncio.sleep(0.1)
                now = self.now()
                for connection in connections[part::10]:
                    connection.check(now)
            if self.now() - looked > garbage.SECONDS_BETWEEN:
                garbage.look()
                looked = self.now()

    def stop(self) -> None:
        """Nobody new; and whoever does not read would keep everybody waiting."""
        self.stopping = True
        for connection in cast("list[Overseen]", self.server.connections):
            if connection.writing_paused:
                connection.line.abort()
