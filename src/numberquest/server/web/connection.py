"""One live connection of a page: frames come in one after the other, states and answers go out.

aiohttp shakes hands, and reads frames; everything else that it keeps for a request is let go of, and nothing runs
while nothing comes.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from aiohttp import WebSocketError, WSMsgType, web
from aiohttp._websocket.reader import WebSocketDataQueue  # its reader of frames takes nothing else
from aiohttp.http import WebSocketReader

from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.limits import rate_name
from numberquest.server.log import where
from numberquest.server.match.entries import FRIEND
from numberquest.server.refusal import Refusal
from numberquest.server.web.http import check_depth
from numberquest.server.web.oversight import NEVER, Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp.http import WSMessage

    from numberquest.server.hub import Hub
    from numberquest.server.room import Room
    from numberquest.server.web.oversight import Overseen, Oversight

RESTARTING, TOO_MUCH, NOT_UNDERSTOOD, TRY_LATER = 1012, 4008, 4007, 1013
GONE, NO_TEXT, FLOOD, TOO_LONG, BROKEN = 1000, 1007, 1008, 1009, 1011
"""Why we close a connection."""
HELLO_WITHIN: Final = 20.0
"""Seconds in which somebody must say who they are."""
CLOSE_WITHIN: Final = 5.0
"""Seconds in which the other side must agree to the end."""
PING_EVERY: Final = 30.0
"""Seconds between two pings; a connection that is silent from one to the next is ended."""
MOST_CONTROL: Final = 200
"""So many pings and pongs may come between two of our own pings."""
MOST_UNHEARD: Final = 2 * wire.LARGEST_FRAME
"""So many bytes may come without a whole message among them."""
READ_AHEAD: Final = 16
"""So many messages may wait; then no more is read until they are done."""
MOST_WAITING: Final = 200
"""So many may have come before that was noticed."""
SIGN_EVERY: Final = 1.5
"""Seconds from one sign to the next."""
FIRST: Final = Refusal("bad-request", Said("hello-first"))

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a frame can do wrong."""

_frame = msgspec.json.Decoder(wire.ToServer)
_encode = msgspec.json.Encoder().encode


def frame_of(body: bytes, kind: int = WSMsgType.TEXT) -> bytes:
    """A whole message, as it goes over the line."""
    length = len(body)
    if length < 126:
        return bytes((0x80 | kind, length)) + body
    if length < 65536:
        return bytes((0x80 | kind, 126, length >> 8, length & 255)) + body
    return bytes((0x80 | kind, 127)) + length.to_bytes(8, "big") + body


PING: Final = frame_of(b"", WSMsgType.PING)


async def shake_hands(request: web.Request) -> None:
    """Answer a request for a live connection; refused where it is none."""
    if request.can_read_body:
        raise Refusal("bad-request", Said("live-long"))
    try:
        await web.WebSocketResponse(compress=False).prepare(request)
    except web.HTTPBadRequest:
        raise Refusal("bad-request", Said("not-live")) from None


class Connection(Watched, asyncio.Protocol):
    """A WebSocket, and the match it looks at."""

    __slots__ = (
        "_address",
        "_closed",
        "_control",
        "_done",
        "_due",
        "_hub",
        "_name",
        "_note",
        "_ping_at",
        "_reader",
        "_room",
        "_said_goodbye",
        "_signed",
        "_silent",
        "_stale",
        "_stalled",
        "_start",
        "_unheard",
        "_waiting",
        "_wrong",
        "line",
        "oversight",
        "seats",
        "task",
    )

    def __init__(
        self, hub: Hub, address: str, match: str, note: Callable[[str, str, str | None], None], overseen: Overseen
    ) -> None:
        """`note` counts and logs what is refused: why, whom, in which match."""
        self._hub, self._address, self._start, self._note = hub, address, match, note
        self.oversight = overseen.oversight
        self.line = overseen.line
        self._room: Room | None = None
        self.seats: list[int] = []
        self._wrong = False
        """Whether they have a token that opens nothing here."""
        self._name = ""
        self._stale = False
        """Whether news was not sent because they had not read what came before."""
        self._done: list[str] = []
        """The keys of their requests that were done since."""
        self._waiting: deque[WSMessage] | None = None
        self._said_goodbye = self._silent = False
        self._signed = -SIGN_EVERY
        """When they have shown a sign last."""
        self.task: asyncio.Task[None] | None = None
        """Does what they have asked, while there is something."""
        self._control = self._unheard = 0
        self._stalled = self._closed = NEVER
        now = self.oversight.now()
        self._due, self._ping_at = now + HELLO_WITHIN, now + PING_EVERY
        # One byte more: that many would be too many. Texts are checked when they are read as JSON.
        self._reader = WebSocketReader(_Inbox(self), wire.LARGEST_FRAME + 1, compress=False, decode_text=False)
        self.oversight.live.add(self)
        overseen.hand_over(self)

    # ---- the line

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._said_goodbye = True
        self._waiting = None
        self._leave()
        self.oversight.live.discard(self)
        if not self.oversight.live:
            self.oversight.empty.set()
        self._hub.gate.leave(self._address)

    def pause_writing(self) -> None:
        """More waits than they have read."""
        self._stalled = self.oversight.reading_due()

    def resume_writing(self) -> None:
        """They have read: the sum of what has happened since, and then what they have asked."""
        self._stalled = NEVER
        if self._stale and self._room is not None:
            self._write(_encode(wire.Update(state=msgspec.Raw(self._room.whole()), done=self._done)))
            self._write(_encode(wire.Presence(self._hub.presence.away(self._room.name))))
            self._stale, self._done = False, []
        self._work_on()

    def data_received(self, data: bytes) -> None:
        """Some bytes: frames, or pieces of one."""
        self._silent = False
        self._unheard += len(data)
        told = self._said_goodbye
        broken, _ = self._reader.feed_data(data)
        if told and (broken or self._unheard > MOST_UNHEARD):
            # They were told that it ends, and go on.
            self.line.close()
        elif self._unheard > MOST_UNHEARD:
            self._unheard = 0
            self.close(TOO_LONG)

    def check(self, now: float) -> None:
        """About once a second: end it if its time is up, and ask whether somebody is there."""
        if self._is_over(now):
            return
        if now > self._due:
            if self._said_goodbye:
                self.line.close()
            else:
                self._send_away(FIRST)
        elif now > self._ping_at and not self._said_goodbye:
            if self._silent:
                self.end("silent")
            else:
                self._silent, self._ping_at, self._control = True, now + PING_EVERY, 0
                self.line.write(PING)

    # ---- what goes out

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news: say it now, or, to a slow reader, the sum of it when what waits has been read."""
        if not self.stalled:
            self._write(update)
            return
        self._stale = True
        if done is not None:
            self._done.append(done)

    def passed(self, frame: bytes) -> None:
        """Something that is no part of how the match stands; a slow reader is told the sum of it too."""
        if self.stalled:
            self._stale = True
        else:
            self._write(frame)

    def _write(self, body: bytes) -> None:
        """The one place in which something is said."""
        # The other side may be gone by now.
        if not (self._said_goodbye or self.line.is_closing()):
            self.line.write(frame_of(body))

    def close(self, code: int) -> None:
        """Say that it ends, and why; it does when the other side agrees."""
        if not (self._said_goodbye or self.line.is_closing()):
            self.line.write(frame_of(code.to_bytes(2, "big"), WSMsgType.CLOSE))
            self._due = self.oversight.now() + CLOSE_WITHIN
        self._said_goodbye = True

    def _send_away(self, refusal: Refusal) -> None:
        self._note(refusal.code, self._address, None)
        self._write(_encode(wire.Refused("", refusal.code, str(refusal), wire.Said(*refusal.said))))
        self.close(TRY_LATER if refusal.code == "not-stored" else NOT_UNDERSTOOD)

    # ---- what comes in

    def heard(self, message: WSMessage) -> None:
        """A whole message has come."""
        if message.type is WSMsgType.CLOSE:
            self.close(message.data or GONE)
            self.line.close()
        if self._said_goodbye:
            return
        self._unheard = 0
        if message.type in (WSMsgType.PING, WSMsgType.PONG):
            self._control += 1
            if self._control > MOST_CONTROL or self.stalled:
                self.close(FLOOD)
            elif message.type is WSMsgType.PING:
                self.line.write(frame_of(bytes(message.data), WSMsgType.PONG))
        else:
            if self._waiting is None:
                self._waiting = deque()
            self._waiting.append(message)
            if len(self._waiting) > MOST_WAITING:
                self._flooded()
            elif len(self._waiting) == READ_AHEAD:
                self.line.pause_reading()
            self._work_on()

    def broken(self, error: BaseException) -> None:
        """What has come is no frame."""
        self.close(error.code if isinstance(error, WebSocketError) else BROKEN)

    def _work_on(self) -> None:
        if self._waiting and self.task is None:
            self.task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        """Do what they have asked, one thing after the other; nothing while they do not read what comes of it."""
        try:
            while self._waiting and not self.stalled and not self._said_goodbye:
                if len(self._waiting) == READ_AHEAD:
                    self.line.resume_reading()
                await self._take(self._waiting.popleft())
        except Refusal as refusal:
            self._send_away(refusal)
        except Exception as error:
            self._hub.log.error("frame", what=type(error).__name__, where=where(error))
            self.close(BROKEN)
        finally:
            self.task = None
            if not self._waiting:
                self._waiting = None

    async def _take(self, message: WSMessage) -> None:
        room, gate = self._room, self._hub.gate
        if room is not None and not (gate.asked.allows(self._address) and gate.in_match.allows(self._name)):
            self._flooded()
            return
        try:
            check_depth(message.data)
            frame = _frame.decode(message.data)
        except (*UNREADABLE, Refusal):
            if room is None:
                raise FIRST from None
            self._note("bad-request", self._address, room.name)
            self.close(NOT_UNDERSTOOD if _is_what_it_says(message) else NO_TEXT)
            return
        if isinstance(frame, wire.Hello):
            await self._sit(frame, self._start if room is None else room.name)
        elif room is None:
            raise FIRST
        else:
            try:
                if self._wrong:
                    raise Refusal("no-seat", Said("token-wrong"))
                if isinstance(frame, wire.SendSign):
                    self._sign(room, frame.sign)
                    return
                await self._hub.do(room, self.seats, frame, self, self._address)
            except Refusal as refusal:
                self._refused(room, frame, refusal)
                if refusal.code == "bad-request":
                    # No page of ours sends such a thing.
                    self.close(NOT_UNDERSTOOD)

    def _flooded(self) -> None:
        self._note("too-many", self._address, None if self._room is None else self._room.name)
        self.close(TOO_MUCH)

    async def _sit(self, hello: wire.Hello, match: str) -> None:
        """Look at a match from now on, and leave the one before."""
        if hello.token is not None and re.fullmatch(wire.OPENER, hello.token) is None:
            raise Refusal("bad-request", Said("token-none"))
        room = await self._hub.room(hello.match or match)
        seats = await self._hub.seated(room, hello.token)
        if self._said_goodbye:
            return
        self._leave()
        self._room, self.seats, self._due = room, seats, NEVER
        self._wrong = hello.token is not None and not seats
        self._name = rate_name(room.name, self._address, seats)
        away = self._hub.presence.away(room.name)
        welcome = wire.Welcome([seat + 1 for seat in self.seats], msgspec.Raw(room.whole()), away)
        room.watchers.add(self)
        self._write(_encode(welcome))
        self._hub.presence.came(room, self.seats)

    def _leave(self) -> None:
        """Look at the match no longer."""
        if self._room is not None:
            self._room.watchers.discard(self)
            self._hub.presence.went(self._room, self.seats)

    def _sign(self, room: Room, sign: str) -> None:
        """Show a sign of theirs to the others."""
        seat = room.state.seat_for(None, self.seats)
        if room.state.opponent != FRIEND or not all(room.state.joined):
            raise Refusal("not-allowed", Said("sign-alone"))
        now = self.oversight.now()
        if now < self._signed + SIGN_EVERY:
            raise Refusal("too-many", Said("much-signed"))
        self._signed = now
        self._hub.presence.sign(room, seat, sign, self)

    def _refused(self, room: Room, frame: wire.Move | wire.Act | wire.SendSign, refusal: Refusal) -> None:
        self._note(refusal.code, self._address, room.name)
        why, state = wire.Said(*refusal.said), msgspec.Raw(room.whole())
        key = "" if isinstance(frame, wire.SendSign) else frame.key or ""
        self._write(_encode(wire.Refused(key, refusal.code, str(refusal), why, state)))


async def part(oversight: Oversight) -> None:
    """The server stops: tell everybody to come back, and wait until they are gone and what they asked is done."""
    live = cast("list[Connection]", [*oversight.live])
    for connection in live:
        connection.close(RESTARTING)
    tasks = [connection.task for connection in live if connection.task is not None]
    if oversight.live:
        oversight.empty.clear()
        tasks.append(asyncio.create_task(_set(oversight.empty)))
    if tasks:
        await asyncio.wait(tasks, timeout=CLOSE_WITHIN)
    for watched in oversight.live:
        watched.line.abort()


async def _set(event: asyncio.Event) -> None:
    await event.wait()


class _Inbox(WebSocketDataQueue):
    """Where aiohttp's reader of frames puts messages: straight into the hands of the connection."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(cast("Any", connection), 0, loop=asyncio.get_running_loop())
        self._connection = connection

    def feed_data(self, data: Any, size: int) -> None:
        self._connection.heard(data)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        self._connection.broken(exc)


def _is_what_it_says(message: WSMessage) -> bool:
    """Whether what is sent as text is text."""
    if message.type is WSMsgType.TEXT:
        try:
            message.data.decode()
        except UnicodeDecodeError:
            return False
    return True
