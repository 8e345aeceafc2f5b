"""One live connection of a page: frames come in one after the other, states and answers go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec
from aiohttp import WSMsgType, web

from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.limits import rate_name
from numberquest.server.refusal import Refusal
from numberquest.server.web.http import check_depth, problem_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp.abc import AbstractStreamWriter
    from aiohttp.http import WSMessageNoDecodeText

    from numberquest.server.hub import Hub
    from numberquest.server.room import Room
    from numberquest.server.web.oversight import Overseen

RESTARTING, TOO_MUCH, NOT_UNDERSTOOD, TRY_LATER = 1012, 4008, 4007, 1013
NO_TEXT, FLOOD = 1007, 1008
"""Why we close a connection."""
HELLO_WITHIN: Final = 20.0
"""Seconds in which somebody must say who they are."""
MOST_CONTROL: Final = 200
"""So many pings and pongs may come between two of our own pings."""
CLOSE_WITHIN: Final = 5.0
"""Seconds in which the other side must agree to the end."""
FIRST: Final = Refusal("bad-request", Said("hello-first"))

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a frame can do wrong."""

_frame = msgspec.json.Decoder(wire.ToServer)
_encode = msgspec.json.Encoder().encode


def text_frame(body: bytes) -> bytes:
    """A whole message of text, as it goes over the line."""
    length = len(body)
    if length < 126:
        return bytes((0x81, length)) + body
    if length < 65536:
        return bytes((0x81, 126, length >> 8, length & 255)) + body
    return bytes((0x81, 127)) + length.to_bytes(8, "big") + body


class Connection:
    """A WebSocket, and the match it looks at."""

    __slots__ = (
        "_address",
        "_done",
        "_hub",
        "_name",
        "_note",
        "_overseen",
        "_room",
        "_seats",
        "_socket",
        "_stale",
        "_writer",
    )

    def __init__(self, hub: Hub, address: str, note: Callable[[str, str, str | None], None]) -> None:
        """`note` counts and logs what is refused: why, whom, in which match."""
        self._hub, self._address, self._note = hub, address, note
        self._room: Room | None = None
        self._seats: list[int] = []
        self._name = ""
        self._stale = False
        """Whether news was not sent because they had not read what came before."""
        self._done: list[str] = []
        """The keys of their requests that were done since."""
        self._socket: web.WebSocketResponse[Literal[False]]
        self._writer: AbstractStreamWriter
        self._overseen: Overseen

    async def opened(self, request: web.Request, overseen: Overseen) -> web.WebSocketResponse[Literal[False]]:
        """Open it; refused where that is not what was asked for."""
        self._overseen = overseen
        # One byte more: that many would be too many. Texts are checked when they are read as JSON.
        self._socket = web.WebSocketResponse(
            compress=False,
            max_msg_size=wire.LARGEST_FRAME + 1,
            autoping=False,
            timeout=CLOSE_WITHIN,
            decode_text=False,
        )
        if request.can_read_body:
            raise Refusal("bad-request", Said("live-long"))
        try:
            self._writer = await self._socket.prepare(request)
        except web.HTTPBadRequest:
            raise Refusal("bad-request", Said("not-live")) from None
        overseen.stays(self, frames=True)
        # They are sent, and would be kept for as long as the connection lasts.
        self._socket.headers.clear()
        return self._socket

    async def run(self, match: str) -> None:
        """Receive and send frames about a match until the connection is closed."""
        try:
            first = await self._received(HELLO_WITHIN)
            if first is None:
                return
            check_depth(first.data)
            hello = _frame.decode(first.data)
            if not isinstance(hello, wire.Hello):
                raise FIRST
            await self._sit(hello, match)
            await self._listen()
        except (*UNREADABLE, TimeoutError):
            await self._sent_away(FIRST)
        except Refusal as refusal:
            await self._sent_away(refusal)
        except ConnectionError:
            return
        finally:
            if self._room is not None:
                self._room.watchers.discard(self)

    async def _received(self, within: float | None = None) -> WSMessageNoDecodeText | None:
        """The next message, or None when the connection has ended."""
        overseen = self._overseen
        while True:
            message = await self._socket.receive(within)
            overseen.unheard = 0
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                return message
            if message.type not in (WSMsgType.PING, WSMsgType.PONG):
                return None
            overseen.control += 1
            if overseen.control > MOST_CONTROL:
                await self.close(FLOOD)
                return None
            if message.type is WSMsgType.PING:
                await self._socket.pong(message.data)

    async def _sit(self, hello: wire.Hello, match: str) -> None:
        """Look at a match from now on, and leave the one before."""
        room = await self._hub.room(hello.match or match)
        seats = await self._hub.seated(room, hello.token)
        if self._room is not None:
            self._room.watchers.discard(self)
        self._room, self._seats = room, seats
        self._name = rate_name(room.name, self._address, seats)
        welcome = wire.Welcome([seat + 1 for seat in self._seats], msgspec.Raw(room.whole()))
        room.watchers.add(self)
        self._write(_encode(welcome))

    async def _sent_away(self, refusal: Refusal) -> None:
        self._note(refusal.code, self._address, None)
        self._write(_encode(problem_of(refusal)))
        await self.close(TRY_LATER if refusal.code == "not-stored" else NOT_UNDERSTOOD)

    async def close(self, code: int) -> None:
        """End it, and say why."""
        await self._socket.close(code=code)

    # ---- what goes out

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news: say it now, or, to a slow reader, the sum of it when what waits has been read."""
        if not self._overseen.writing_paused:
            self._write(update)
            return
        self._stale = True
        if done is not None:
            self._done.append(done)

    def resumed(self) -> None:
        """What waited has been read."""
        if self._stale and self._room is not None:
            self._write(_encode(wire.Update(state=msgspec.Raw(self._room.whole()), done=self._done)))
            self._stale, self._done = False, []

    def left(self) -> None:
        """The other side is gone: the one who listens is told so by aiohttp."""

    def _write(self, body: bytes) -> None:
        """The one place in which something is said."""
        line = self._overseen.line
        # The other side may be gone by now.
        if not (self._socket.closed or line.is_closing()):
            line.write(text_frame(body))

    # ---- what comes in

    async def _listen(self) -> None:
        """Take frames until the connection ends."""
        gate = self._hub.gate
        while (message := await self._received()) is not None:
            room = self._room
            if room is None:
                return
            match = room.name
            if not (gate.asked.allows(self._address) and gate.in_match.allows(self._name)):
                self._note("too-many", self._address, match)
                await self.close(TOO_MUCH)
                return
            try:
                check_depth(message.data)
                frame = _frame.decode(message.data)
            except (*UNREADABLE, Refusal):
                self._note("bad-request", self._address, match)
                await self.close(NOT_UNDERSTOOD if _is_what_it_says(message) else NO_TEXT)
                return
            if isinstance(frame, wire.Hello):
                await self._sit(frame, match)
            else:
                await self._do(room, frame)
            # Who does not read what comes of it is not listened to any further.
            if self._overseen.writing_paused:
                await self._writer.drain()

    async def _do(self, room: Room, frame: wire.Move | wire.Act) -> None:
        try:
            await self._hub.do(room, self._seats, frame, self)
        except Refusal as refusal:
            self._note(refusal.code, self._address, room.name)
            why, state = wire.Said(*refusal.said), msgspec.Raw(room.whole())
            self._write(_encode(wire.Refused(frame.key or "", refusal.code, str(refusal), why, state)))


def _is_what_it_says(message: WSMessageNoDecodeText) -> bool:
    """Whether what is sent as text is text."""
    if message.type is WSMsgType.TEXT:
        try:
            message.data.decode()
        except UnicodeDecodeError:
            return False
    return True
