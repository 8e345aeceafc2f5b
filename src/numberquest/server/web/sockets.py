"""The two kinds of connections that uvicorn serves, HTTP and WebSocket, with bounds that it does not have itself.

Whoever connects must ask within a time, in a head of bounded length, and read what is said. uvicorn by itself waits
for ever for the rest of a request, keeps a head of any length in memory, answers pings that nobody reads, and closes
a connection only when the other side has taken everything.
"""

from __future__ import annotations

from asyncio import Protocol
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.exceptions import InvalidState
from websockets.http11 import Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from numberquest.sentences import Said
from numberquest.server.limits import place_of
from numberquest.server.refusal import Refusal
from numberquest.server.web.http import SECURITY, problem

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Transport

    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
    from websockets.frames import Frame
    from websockets.typing import StatusLike

    from numberquest.server.limits import Gate

LARGEST_HEAD: Final = 16 * 1024
"""The first line and the headers of a request may have so many bytes together."""
LONGEST_LINE: Final = 4 * 1024
MOST_HEADERS: Final = 100
"""Of a request for a live connection: each line of its head may be so long, and there may be so many."""
ASK_WITHIN: Final = 20.0
"""Seconds from the first byte of a request, or from the connection, to the request's last byte."""
READ_WITHIN: Final = 20.0
"""Seconds in which somebody must read some of what waits for them."""
LET_GO_WITHIN: Final = 10.0
"""Seconds that a closed connection may take to send what is left."""
MOST_IN_LINE: Final = 16
"""So many requests may wait on one connection for their turn."""
MOST_PIECES: Final = 64
"""One message may come in so many fragments."""
MOST_CONTROL: Final = 200
"""So many pings and pongs may come between two of our own pings."""

READ_AHEAD: Final = 4
"""So many frames of one connection may wait; for one alone, reading would be stopped and begun again each time."""
TEXT_FRAME: Final = 0x81
"""The first byte of a whole message of text."""

NEVER: Final = float("inf")


class _Overseen(Protocol):
    """When a connection is to be ended, whatever it is doing. `check` is called about once a second."""

    transport: Transport
    loop: AbstractEventLoop
    client: tuple[str, int] | None
    due = NEVER
    """Something must have happened by then."""
    stalled = NEVER
    """Somebody must have read something by then."""
    closed = NEVER
    """It must be gone by then."""

    @property
    def place(self) -> str:
        """Where it comes from, as it is counted and logged."""
        return place_of(self.client[0]) if self.client else ""

    def check(self, now: float) -> bool:
        """End the connection if its time is up; True where it was open until now."""
        closing = self.transport.is_closing()
        if closing and self.closed == NEVER:
            self.closed = now + LET_GO_WITHIN
        if now <= min(self.due, self.stalled, self.closed):
            return False
        self.transport.abort()
        return not closing

    def pause_writing(self) -> None:
        self.stalled = self.loop.time() + READ_WITHIN
        super().pause_writing()

    def resume_writing(self) -> None:
        self.stalled = NEVER
        super().resume_writing()


class HttpConnection(_Overseen, HttpToolsProtocol):
    """Somebody who asks over HTTP."""

    _counted = ""
    _head = 0
    """How many bytes of a head have come."""
    _heads = 0
    """How many heads have come."""
    _reading_head = True
    _answering = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.due = self.loop.time() + ASK_WITHIN
        if getattr(self.config.app, "stopping", False):
            # Let in a moment before the door was shut, and not among those who were told that it is: as if it were.
            transport.close()
            return
        gate = self._gate
        address = self.place
        # Behind a proxy, everybody seems to come from there.
        if gate is not None and address and not self.config.proxy_headers:
            if gate.arrive(address):
                self._counted = address
            else:
                self._refuse(Refusal("too-many", Said("much-open")))

    def connection_lost(self, exc: Exception | None) -> None:
        self._count_off()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self._answering and self.due == NEVER:
            self.due = self.loop.time() + ASK_WITHIN
        # What comes together with a head may be a body: only a head that is still open after so much is too long.
        room = LARGEST_HEAD - self._head if self._reading_head else len(data)
        heads = self._heads
        self._head += min(room, len(data)) if self._reading_head else 0
        super().data_received(data[:room])
        if len(data) > room and not self.transport.is_closing() and self.transport.get_protocol() is self:
            if self._heads == heads:
                self._refuse(Refusal("too-long", Said("head-long", {"largest": LARGEST_HEAD})))
            else:
                self.data_received(data[room:])

    def on_message_begin(self) -> None:
        self._reading_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_IN_LINE:
            raise ValueError("so many requests behind each other are no longer requests")
        self._reading_head, self._head, self._heads = False, 0, self._heads + 1
        super().on_headers_complete()
        if self.parser.should_upgrade() and self._should_upgrade():
            lines = [len(self.url), *(len(name) + len(value) for name, value in self.headers)]
            body = any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers)
            if body or len(lines) > MOST_HEADERS or max(lines) > LONGEST_LINE:
                self._refuse(Refusal("bad-request", Said("live-long")))

    def on_message_complete(self) -> None:
        """All of it is there: now it is our turn."""
        # Where it was refused already, before all of it was there, the next one may begin.
        self.due, self._answering = NEVER, self._under_way
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._answering = False
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        if not self.transport.is_closing():
            self._count_off()
            super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        self._refuse(Refusal("bad-request", Said("not-http")))

    @property
    def _gate(self) -> Gate | None:
        hub = getattr(self.config.app, "hub", None)
        return None if hub is None else hub.gate

    @property
    def _under_way(self) -> bool:
        """Whether a request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _count_off(self) -> None:
        if self._counted and self._gate is not None:
            self._gate.depart(self._counted)
            self._counted = ""

    def _refuse(self, refusal: Refusal) -> None:
        """Say why, and end the connection. Nothing if an answer is under way: it must not be taken for a part of it."""
        if self._under_way and not self.cycle.response_started and not self.pipeline:
            # It would have been answered, but what came of it since shows that it is none.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not self._under_way or self.cycle.disconnected:
            status, headers, body = _refused(refusal)
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.raw_items())
            self.transport.write(f"HTTP/1.1 {status} Refused\r\n{head}\r\n".encode() + body)
        self.transport.close()


class WebSocketConnection(_Overseen, WebSocketsSansIOProtocol):
    """Somebody with a live connection."""

    _control = 0

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.conn = _Handshake(max_size=self.config.ws_max_size, logger=self.logger)

    def data_received(self, data: bytes) -> None:
        """Frames; first of all, from `HttpConnection`, the request for the connection itself, whole."""
        try:
            super().data_received(data)
        except InvalidState:
            # Something was wrong in the same piece of data as the end, which is answered already.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        if not self.handshake_initiated and not self.transport.is_closing():
            # One that passed there and is not understood here would wait for ever.
            self.conn.send_response(self.conn.reject(400, ""))
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def shutdown(self) -> None:
        """The server stops: the other side is told to come back, unless it has just said goodbye itself."""
        if self.handshake_complete and not self.close_sent and self.conn.state is not OPEN:
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()

    async def send(self, message: Any) -> None:
        """Say something: a frame of text on an open connection straight away, everything else by uvicorn's long way."""
        text = message.get("text")
        if text is None or not self.handshake_complete or self.close_sent or self.disconnected:
            await super().send(message)
            return
        if not self.writable.is_set():
            await self.writable.wait()
        if self.conn.state is not OPEN or self.transport.is_closing():
            raise ClientDisconnected
        body = text.encode()
        length = len(body)
        if length < 126:
            head = bytes((TEXT_FRAME, length))
        elif length < 65536:
            head = bytes((TEXT_FRAME, 126, length >> 8, length & 255))
        else:
            head = bytes((TEXT_FRAME, 127)) + length.to_bytes(8, "big")
        self.transport.write(head + body)

    def send_receive_event_to_app(self) -> None:
        """A frame is there; only if some wait already is no more read from the network."""
        if self.read_paused or self.queue.qsize() >= READ_AHEAD:
            super().send_receive_event_to_app()
            return
        self.read_paused = True
        try:
            super().send_receive_event_to_app()
        finally:
            self.read_paused = False

    def handle_cont(self, event: Frame) -> None:
        """A fragment: a bounded number, for an empty one takes room too."""
        if len(self.frames) >= MOST_PIECES:
            self._fail(1009)
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """A ping, answered if the answers are read and if there are not too many."""
        self._count_control()
        if not self.transport.is_closing():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._count_control()
        super().handle_pong(event)

    def send_keepalive_ping(self) -> None:
        self._control = 0
        super().send_keepalive_ping()

    def handle_parser_exception(self) -> None:
        """It is closed because of what came."""
        super().handle_parser_exception()
        # Whoever is about to say something is told that nobody is there, and does not take it for a mistake of ours.
        self.disconnected = True

    def keepalive_timeout(self) -> None:
        """It is closed because nothing came."""
        super().keepalive_timeout()
        self.disconnected = True

    def _count_control(self) -> None:
        self._control += 1
        if self._control > MOST_CONTROL or not self.writable.is_set():
            self._fail(1008)

    def _fail(self, code: int) -> None:
        if not self.transport.is_closing() and not self.close_sent:
            self.conn.send_close(code)
            self.handle_parser_exception()


class _Handshake(ServerProtocol):
    """Refuses live connections in the same words and with the same headers as every other request."""

    def reject(self, status: StatusLike, text: str) -> Response:
        """What is answered where the request for a live connection is not as it should be."""
        _, headers, body = _refused(Refusal("bad-request", Said("not-live")))
        return Response(int(status), "Refused", headers, body)


def _refused(refusal: Refusal) -> tuple[int, Headers, bytes]:
    reply = problem(refusal)
    headers = Headers((name.decode(), value.decode()) for name, value in SECURITY)
    headers["Content-Type"] = reply.kind.decode()
    headers["Content-Length"] = str(len(reply.body))
    headers["Cache-Control"] = "no-store"
    headers["Connection"] = "close"
    return reply.status, headers, reply.body
