"""One live connection of a page: frames come in one after the other, states and answers go out.

aiohttp shakes hands, and `websockets` reads frames, without a task or a queue of its own: what aiohttp keeps for a
request is let go of, and nothing runs while nothing comes.
"""

import asyncio
from collections import deque
from dataclasses import InitVar, dataclass, field
from typing import Any, Final, cast

import msgspec
from aiohttp import web
from websockets.frames import Frame, Opcode
from websockets.protocol import SEND_EOF, Protocol, Side, State

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.log import where
from numberquest.server.refusal import Refusal
from numberquest.server.web.oversight import NEVER, READ_WITHIN, HardenedHandler, Oversight, Watched
from numberquest.server.web.session import FIRST, Session, decoded

TEXT, CLOSE, PING, PONG = Opcode.TEXT, Opcode.CLOSE, Opcode.PING, Opcode.PONG
RESTARTING, TOO_MUCH, NOT_UNDERSTOOD, TRY_LATER = 1012, 4008, 4007, 1013
NO_TEXT, FLOOD, TOO_LONG, BROKEN = 1007, 1008, 1009, 1011
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
MOST_PIECES: Final = 100
"""A message may come in so many."""
PARSED_AT_ONCE: Final = 2048
"""So many bytes are taken apart before it is looked at what came: they may be hundreds of empty frames."""
READ_AHEAD: Final = 16
"""So many messages may wait; then no more is read until they are done."""
MOST_WAITING: Final = 200
"""So many may have come before that was noticed."""


def frame_of(body: bytes) -> bytes:
    """A whole message, as it goes over the line: what `Frame.serialize` makes, in a quarter of its time."""
    length = len(body)
    if length < 126:
        return bytes((0x81, length)) + body
    if length < 65536:
        return bytes((0x81, 126, length >> 8, length & 255)) + body
    return b"\x81\x7f" + length.to_bytes(8, "big") + body


def text_in(data: bytes) -> bytes | None:
    """What a frame says that came whole and alone, as nearly all do; None of others, which the protocol reads."""
    if len(data) < 6 or data[0] != 0x81:
        return None
    length, at = data[1] - 0x80, 2
    if length == 126:
        length, at = int.from_bytes(data[2:4], "big"), 4
    body = data[at + 4 :]
    if len(body) != length or length > wire.LARGEST_FRAME:
        return None
    mask = (data[at : at + 4] * (length // 4 + 1))[:length]
    return (int.from_bytes(body, "big") ^ int.from_bytes(mask, "big")).to_bytes(length, "big")


async def shake_hands(request: web.Request) -> None:
    """Answer a request for a live connection; refused where it is none."""
    if request.can_read_body:
        raise Refusal("bad-request", Said("live-long"))
    try:
        await web.WebSocketResponse(compress=False).prepare(request)
    except web.HTTPBadRequest:
        raise Refusal("bad-request", Said("not-live")) from None


@dataclass(slots=True, eq=False)
class Connection(Session, Watched, asyncio.Protocol):
    """A WebSocket, and the match it looks at."""

    handler: InitVar[HardenedHandler]
    oversight: Oversight = field(init=False)
    line: asyncio.Transport = field(init=False)
    _protocol: Protocol = field(init=False)
    _stale: bool = False
    """Whether news was not sent because they had not read what came before."""
    _done: list[str] = field(default_factory=list)
    """The keys of their requests that were done since."""
    _waiting: deque[tuple[Opcode, bytes]] | None = None
    _pieces: list[Frame] = field(default_factory=list)
    """Of a message that is not whole yet."""
    _said_goodbye: bool = False
    _silent: bool = False
    _ended: bool = False
    task: asyncio.Task[None] | None = None
    """Does what they have asked, while there is something."""
    _control: int = 0
    """Pings and pongs since our last ping."""
    _unheard: int = 0
    """Bytes since the last message."""
    _unread: int = 0
    """Bytes that are no whole frame yet."""
    _stalled: float = NEVER
    _closed: float = NEVER
    _due: float = NEVER
    _ping_at: float = NEVER

    def __post_init__(self, handler: HardenedHandler) -> None:
        self.oversight, self.line = handler.oversight, handler.line
        now = self.oversight.now()
        self._due, self._ping_at = now + HELLO_WITHIN, now + PING_EVERY
        # Whether a text is one is checked when it is read as JSON.
        self._protocol = Protocol(Side.SERVER, state=State.OPEN, max_size=wire.LARGEST_FRAME)
        self.oversight.live.add(self)
        handler.hand_over(self)

    # ---- the line

    def connection_lost(self, exc: Exception | None) -> None:
        self._said_goodbye = True
        self._waiting = None
        self.leave()
        self.oversight.live.discard(self)
        if not self.oversight.live:
            self.oversight.empty.set()
        self._hub.gate.leave(self._address)

    def pause_writing(self) -> None:
        self._stalled = self.oversight.now() + READ_WITHIN

    def resume_writing(self) -> None:
        """They have read: the sum of what has happened since, and then what they have asked."""
        self._stalled = NEVER
        if self._stale and self._room is not None:
            self._write(wire.encode(wire.Update(state=msgspec.Raw(self._room.whole(self.seats)), done=self._done)))
            self._write(wire.encode(wire.Presence(self._hub.presence.away(self._room.name))))
            self._stale, self._done = False, []
        self._work_on()

    def data_received(self, data: bytes) -> None:
        if self._ended:
            # They were told that it ends, and go on.
            self.line.close()
            return
        self._silent = False
        if not (self._unread or self._pieces or self._said_goodbye):
            # In a tenth of the time that the protocol takes.
            text = text_in(data)
            if text is not None:
                self._unheard = 0
                self._ask(TEXT, text)
                return
        told, protocol = self._said_goodbye, self._protocol
        for at in range(0, len(data), PARSED_AT_ONCE):
            some = data[at : at + PARSED_AT_ONCE]
            self._unheard += len(some)
            self._unread += len(some)
            protocol.receive_data(some)
            for frame in cast("list[Frame]", protocol.events_received()):  # once hands were shaken, nothing else
                size = len(frame.data)
                self._unread -= size + (6 if size < 126 else 8 if size < 65536 else 14)
                self._heard(frame)
            if self._unheard > MOST_UNHEARD or len(self._pieces) > MOST_PIECES:
                self._unheard = 0
                self.close(TOO_LONG)
                if told:
                    self.line.close()
            self._send()
            if self._said_goodbye and not told:
                return

    def _send(self) -> None:
        """Pass on what the protocol has to say: pongs, and the end."""
        writes = self._protocol.data_to_send()
        if not writes:
            return
        for data in writes:
            if data == SEND_EOF:
                self._ended = True
            elif not self.line.is_closing():
                self.line.write(data)
        if not self._said_goodbye and self._protocol.close_expected():
            self._said_goodbye = True
            self._due = self.oversight.now() + CLOSE_WITHIN

    def check(self, now: float) -> bool:
        """About once a second: end it if its time is up, and ask whether somebody is there."""
        if Watched.check(self, now):
            return True
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
                self._protocol.send_ping(b"")
                self._send()
        return False

    # ---- what goes out

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news: say it now, or, to a slow reader, the sum of it when what waits has been read."""
        if not self.stalled:
            self._write(update)
            return
        self._stale = True
        if done is not None:
            self._done.append(done)

    def _write(self, body: bytes) -> None:
        """The one place in which something is said."""
        # The other side may be gone by now.
        if not (self._said_goodbye or self.line.is_closing()):
            self.line.write(frame_of(body))

    def close(self, code: int) -> None:
        """Say that it ends, and why; it does when the other side agrees."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code)
            self._send()

    def _send_away(self, refusal: Refusal) -> None:
        self._note(refusal.code, self._address, None)
        self._write(wire.encode(wire.Refused("", refusal.code, str(refusal), wire.Said(*refusal.said))))
        self.close(TRY_LATER if refusal.code == "not-stored" else NOT_UNDERSTOOD)

    # ---- what comes in

    def _heard(self, frame: Frame) -> None:
        """A frame has come, which keeps the protocol."""
        if frame.opcode is CLOSE:
            self._send()
            self.line.close()
        if self._said_goodbye:
            return
        if frame.opcode is PING or frame.opcode is PONG:
            self._unheard = 0
            self._control += 1
            if self._control > MOST_CONTROL or self.stalled:
                # They get no answers any more.
                self._protocol.data_to_send()
                self.close(FLOOD)
            return
        kind: Opcode = frame.opcode
        data = bytes(frame.data)
        if not frame.fin or self._pieces:
            self._pieces.append(frame)
            if not frame.fin:
                return
            kind, data = self._pieces[0].opcode, b"".join(piece.data for piece in self._pieces)
            self._pieces = []
        self._unheard = 0
        self._ask(kind, data)

    def _ask(self, kind: Opcode, data: bytes) -> None:
        """A whole message: it is done when those before it are."""
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append((kind, data))
        if len(self._waiting) > MOST_WAITING:
            self._flooded()
        elif len(self._waiting) == READ_AHEAD:
            self.line.pause_reading()
        self._work_on()

    def _work_on(self) -> None:
        if self._waiting and self.task is None:
            self.task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        """Do what they have asked, one thing after the other; nothing while they do not read what comes of it."""
        try:
            while self._waiting and not self.stalled and not self._said_goodbye:
                if len(self._waiting) == READ_AHEAD:
                    self.line.resume_reading()
                await self._take(*self._waiting.popleft())
        except Refusal as refusal:
            self._send_away(refusal)
        except Exception as error:
            self._hub.log.error("frame", what=type(error).__name__, where=where(error))
            self.close(BROKEN)
        finally:
            self.task = None
            if not self._waiting:
                self._waiting = None

    async def _take(self, kind: Opcode, data: bytes) -> None:
        room, gate = self._room, self._hub.gate
        if room is not None and not (gate.asked.allows(self._address) and gate.in_match.allows(self._name)):
            self._flooded()
            return
        try:
            frame = decoded(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            if room is None:
                raise FIRST from None
            self._note("bad-request", self._address, room.name)
            is_utf8 = data.decode(errors="ignore").encode() == data
            self.close(NOT_UNDERSTOOD if kind is not TEXT or is_utf8 else NO_TEXT)
            return
        if not await self.obey(frame):
            # No page of ours sends such a thing.
            self.close(NOT_UNDERSTOOD)

    def _flooded(self) -> None:
        self._note("too-many", self._address, None if self._room is None else self._room.name)
        self.close(TOO_MUCH)

    def _is_over(self) -> bool:
        return self._said_goodbye

    def _sat_down(self) -> None:
        self._due = NEVER


async def part(oversight: Oversight) -> None:
    """The server stops: tell everybody to come back, and wait until they are gone and what they asked is done."""
    live = cast("list[Connection]", [*oversight.live])
    for connection in live:
        connection.close(RESTARTING)
    tasks: list[asyncio.Task[Any]] = [connection.task for connection in live if connection.task is not None]
    if oversight.live:
        oversight.empty.clear()
        tasks.append(asyncio.create_task(oversight.empty.wait()))
    if tasks:
        await asyncio.wait(tasks, timeout=CLOSE_WITHIN)
    for watched in oversight.live:
        watched.line.abort()
