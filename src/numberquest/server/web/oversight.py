"""What no library bounds: whoever connects must ask in a short head, read what is said, and go when told to.

aiohttp itself ends a connection that asks nothing for `ASK_WITHIN` seconds, and bounds lines, bodies and frames. It
waits for ever for somebody who does not read, closes a connection only when the other side has taken everything,
answers any number of pings, and lets one address open any number of connections.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any, Final, cast

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from numberquest.core.sentences import Said
from numberquest.server.limits import Gate, place_of
from numberquest.server.listening import notify
from numberquest.server.log import LAG, Log, Metrics
from numberquest.server.refusal import Refusal
from numberquest.server.web.http import SECURITY, problem

LARGEST_HEAD: Final = 16 * 1024
"""The first line and the headers of a request may have so many bytes together."""
MOST_HEADERS: Final = 100
ASK_WITHIN: Final = 20.0
"""Seconds from the connection, or the last answer, to the end of a request's head; and from there to its last byte."""
READ_WITHIN: Final = 20.0
"""Seconds in which somebody must read some of what waits for them."""
LET_GO_WITHIN: Final = 10.0
"""Seconds that a closed connection may take to send what is left."""
COLLECT_EVERY: Final = 3600.0
"""Seconds between two searches for forgotten cycles: with 10,000 connections one takes half a second of everybody's."""
NEVER: Final = float("inf")


class Watched:
    """A connection whose time can be up."""

    oversight: Oversight
    line: asyncio.Transport
    _stalled: float
    """Something must have been read by then."""
    _closed: float
    """It must be gone by then."""

    @property
    def stalled(self) -> bool:
        """Whether more waits than they have read."""
        return self._stalled < NEVER

    def check(self, now: float) -> bool:
        """About once a second: end it if its time is up; whether it ends, or has ended."""
        if self.line.is_closing():
            if self._closed == NEVER:
                self._closed = now + LET_GO_WITHIN
            elif now > self._closed:
                self.line.abort()
            return True
        if now > self._stalled:
            self.end("slow")
            return True
        return False

    def end(self, why: str) -> None:
        self.oversight.log.event("closed", reason=why, address=_place(self.line))
        self.line.abort()


class HardenedHandler(Watched, web.RequestHandler):
    """A connection on which requests come."""

    __slots__ = ("_closed", "_counted", "_end", "_head", "_stalled", "left", "line", "oversight")

    def __init__(self, oversight: Oversight, **wishes: Any) -> None:
        super().__init__(oversight.server, loop=asyncio.get_running_loop(), **wishes)
        self.oversight = oversight
        self._counted = ""
        self._head: int | None = 0
        """How many bytes of a head have come; None while a request is answered."""
        self._end = b""
        """The last bytes of them."""
        self._stalled = self._closed = NEVER
        self.left: Callable[[], None] | None = None
        """Called when the other side is gone."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let somebody in, if there are not too many from there."""
        self.line = cast("asyncio.Transport", transport)
        oversight = self.oversight
        if oversight.stopping:
            # Let in a moment before the door was shut, and not among those who were told that it is: as if it were.
            transport.close()
            return
        # Behind a proxy, everybody seems to come from there.
        if not oversight.proxied:
            address = _place(self.line)
            if not oversight.gate.paged.allows(address):
                # So many come from there that there is not even an answer.
                self._note("too-many")
                self.line.abort()
                return
            if not oversight.gate.arrive(address):
                self.refuse("too-many", Said("much-open"))
                return
            self._counted = address
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget it, and tell who uses it."""
        if self._counted:
            self.oversight.gate.depart(self._counted)
            self._counted = ""
        super().connection_lost(exc)
        if self.left is not None:
            self.left()

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._read_head(data)
        if not self.line.is_closing():
            super().data_received(data)

    def _read_head(self, data: bytes) -> None:
        recent = self._end + data
        end = recent.find(b"\r\n\r\n")
        head = (self._head or 0) + (len(data) if end < 0 else end)
        if head > LARGEST_HEAD and not self.line.is_closing():
            self.refuse("too-long", Said("head-long", {"largest": LARGEST_HEAD}))
        self._head, self._end = (head, recent[-3:]) if end < 0 else (None, b"")

    def pause_writing(self) -> None:
        self._stalled = self.oversight.now() + READ_WITHIN
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stalled = NEVER
        super().resume_writing()

    def asked(self) -> None:
        """A request is being answered: what comes now is its body."""
        self._head = None

    def answered(self) -> None:
        """A request is answered: the next may come."""
        self._head, self._end = 0, b""

    def hand_over(self, live: asyncio.BaseProtocol) -> None:
        """From now on somebody else uses the line; to aiohttp, it is as if it had ended."""
        self.line.set_protocol(live)
        self.transport = None
        self.connection_lost(None)

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """What came is no request: say so, in the same words and with the same headers as everywhere."""
        if status == 500:
            return super().handle_error(request, status, exc, message)
        if message == "Too many headers received":
            self.refuse("too-long", Said("headers-many", {"most": MOST_HEADERS}))
        elif isinstance(exc, LineTooLong):
            self.refuse("too-long", Said("head-long", {"largest": LARGEST_HEAD}))
        else:
            self.refuse("bad-request", Said("not-http"))
        # Nobody gets this one: the connection has ended. An exception would stand in the log as a mistake of ours.
        return web.Response(status=status)

    def refuse(self, code: str, said: Said) -> None:
        """Say why, and end the connection."""
        reply = problem(Refusal(code, said))
        self.oversight.metrics.asked(reply.status)
        self._note(code)
        headers = {**SECURITY, "Content-Type": reply.kind, "Content-Length": str(len(reply.body))}
        headers |= {**reply.headers, "Connection": "close"}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.line.write(f"HTTP/1.1 {reply.status} Refused\r\n{head}\r\n".encode() + reply.body)
        self.line.close()

    def _note(self, code: str) -> None:
        self.oversight.metrics.refused(code)
        self.oversight.log.refused(code, _place(self.line), None)


class Oversight:
    """All connections of a server."""

    def __init__(self, server: web.Server, gate: Gate, log: Log, metrics: Metrics, proxied: bool) -> None:
        self.server, self.gate, self.log, self.metrics, self.proxied = server, gate, log, metrics, proxied
        self.stopping = False
        self.live: set[Watched] = set()
        """The connections that stay open for frames."""
        self.empty = asyncio.Event()
        """Set when the last of them has gone."""
        self.now: Callable[[], float] = asyncio.get_running_loop().time

    def connection(self) -> HardenedHandler:
        return HardenedHandler(
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
            connections = self.connections
            # Not all at once: with thousands of them, whoever moves meanwhile would be held up.
            for part in range(10):
                meant = self.now() + 0.1
                await asyncio.sleep(0.1)
                now = self.now()
                self.metrics.took(max(0.0, now - meant), LAG)
                for connection in connections[part::10]:
                    connection.check(now)
            self.log.sum_up()
            notify("WATCHDOG=1")
            if self.now() - looked > COLLECT_EVERY:
                gc.collect()
                looked = self.now()

    def stop(self) -> None:
        """Nobody new; and whoever does not read would keep everybody waiting."""
        self.stopping = True
        for connection in self.connections:
            if connection.stalled:
                connection.line.abort()

    @property
    def connections(self) -> list[Watched]:
        return [*cast("list[HardenedHandler]", self.server.connections), *self.live]


def _place(line: asyncio.Transport) -> str:
    return place_of(str(line.get_extra_info("peername", ("",))[0]))
