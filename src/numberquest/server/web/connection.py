"""One live connection of a page: frames come in one after the other, states and answers go out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

import msgspec

from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.limits import rate_name
from numberquest.server.match.state import Refusal, refusal_of
from numberquest.server.store.contract import StoreError
from numberquest.server.web.http import check_depth
from numberquest.server.web.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.server.hub import Hub
    from numberquest.server.room import Room
    from numberquest.server.web.http import Receive, Send

TOO_MUCH, NOT_UNDERSTOOD, TRY_LATER = 4008, 4007, 1013
"""Why we close a connection."""
HELLO_WITHIN: Final = 20.0
"""Seconds in which somebody must say who they are."""
FIRST: Final = Refusal("bad-request", Said("hello-first"))

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a frame can do wrong."""

_frame = msgspec.json.Decoder(wire.ToServer)
_encode = msgspec.json.Encoder().encode


class Connection:
    """A WebSocket, and the match it looks at."""

    __slots__ = ("_address", "_hub", "_name", "_note", "_receive", "_room", "_seats", "_send", "_watcher")

    def __init__(
        self, hub: Hub, address: str, note: Callable[[str, str, str | None], None], receive: Receive, send: Send
    ) -> None:
        """`note` counts and logs what is refused: why, whom, in which match."""
        self._hub, self._address, self._note = hub, address, note
        self._receive, self._send = receive, send
        self._watcher = Watcher()
        self._room: Room | None = None
        self._seats: list[int] = []
        self._name = ""

    async def run(self, match: str) -> None:
        """Receive and send frames about a match until the connection is closed."""
        await self._send({"type": "websocket.accept"})
        sender: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                first = await self._received()
            if first is None:
                return
            check_depth(first)
            hello = _frame.decode(first)
            if not isinstance(hello, wire.Hello):
                raise FIRST
            await self._sit(hello, match)
            sender = asyncio.create_task(self._send_news())
            await self._listen()
        except (*UNREADABLE, TimeoutError):
            await self._sent_away(FIRST)
        except (Refusal, StoreError) as error:
            await self._sent_away(refusal_of(error))
        except asyncio.CancelledError:
            # Ended by ourselves: the server stops, and could not wait any longer.
            self._hub.log.event("closed", reason="stop", address=self._address)
        finally:
            if self._room is not None:
                self._room.watchers.discard(self._watcher)
            if sender is not None:
                sender.cancel()
                await asyncio.gather(sender, return_exceptions=True)

    async def _received(self) -> str | bytes | None:
        """The next frame, or None when the connection has ended."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | None = message.get("text")
        return text if text is not None else bytes(message["bytes"])

    async def _sit(self, hello: wire.Hello, match: str) -> None:
        """Look at a match from now on, and leave the one before."""
        room = await self._hub.room(hello.match or match)
        seats = await self._hub.seated(room, hello.token)
        if self._room is not None:
            self._room.watchers.discard(self._watcher)
        self._room, self._seats = room, seats
        self._name = rate_name(room.live.kept.match, seats)
        welcome = wire.Welcome([seat + 1 for seat in self._seats], msgspec.Raw(room.shown))
        room.watchers.add(self._watcher)
        await self._send({"type": "websocket.send", "text": _encode(welcome).decode()})

    async def _sent_away(self, refusal: Refusal) -> None:
        self._note(refusal.code, self._address, None)
        # The other side may be gone by now.
        with contextlib.suppress(RuntimeError, OSError):
            await self._send({"type": "websocket.send", "text": _encode(refusal.problem()).decode()})
        await self._close(TRY_LATER if refusal.code == "not-stored" else NOT_UNDERSTOOD)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, OSError):
            await self._send({"type": "websocket.close", "code": code})

    async def _send_news(self) -> None:
        """Send what others bring about."""
        while True:
            await self._watcher.waiting()
            await self._send_waiting()

    async def _send_waiting(self) -> None:
        watcher, room = self._watcher, self._room
        if room is None:
            return
        for frame in watcher.take(room.shown):
            await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _listen(self) -> None:
        """Take frames until the connection ends."""
        gate = self._hub.gate
        while (message := await self._received()) is not None:
            room = self._room
            if room is None:
                return
            match = room.live.kept.match
            if not (gate.asked.allows(self._address) and gate.in_match.allows(self._name)) or self._watcher.overfull:
                self._note("too-many", self._address, match)
                await self._close(TOO_MUCH)
                return
            try:
                check_depth(message)
                frame = _frame.decode(message)
            except (*UNREADABLE, Refusal):
                self._note("bad-request", self._address, match)
                await self._close(NOT_UNDERSTOOD)
                return
            if isinstance(frame, wire.Hello):
                await self._sit(frame, match)
            else:
                await self._do(room, frame)

    async def _do(self, room: Room, frame: wire.DoMove | wire.DoAct) -> None:
        hub, watcher = self._hub, self._watcher
        try:
            if isinstance(frame, wire.DoMove):
                if frame.move.startswith("!"):
                    raise Refusal("not-allowed", Said("no-move", {"move": frame.move}))
                await hub.do(room, self._seats, frame.ply, frame.move, frame.key, by=watcher, address=self._address)
            else:
                seat = None if frame.seat is None else frame.seat - 1
                await hub.do(
                    room, self._seats, frame.ply, f"!{frame.do}", frame.key, seat, by=watcher, address=self._address
                )
        except (Refusal, StoreError) as error:
            refusal = refusal_of(error)
            self._note(refusal.code, self._address, room.live.kept.match)
            watcher.refused(frame.key, refusal, room.shown)
        else:
            watcher.done(frame.key)
        # Sent from here rather than by the other task: it need not be woken for that, and who does not read what
        # comes of it is not listened to any further.
        await self._send_waiting()
