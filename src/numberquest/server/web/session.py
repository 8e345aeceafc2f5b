"""What a page asks over its live connection, and what it is told, whatever carries the words."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.limits import rate_name
from numberquest.server.match.entries import FRIEND, PATIENCE
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.tokens import seats_of

FIRST = Refusal("bad-request", Said("hello-first"))
decoded = msgspec.json.Decoder(wire.ToServer).decode


@dataclass(slots=True, eq=False)
class Session(ABC):
    """Somebody who looks at a match, and may play in it: one message after the other."""

    _hub: Hub
    _address: str
    _start: str
    """The match in its address."""
    _note: Callable[[str, str, str | None], None]
    """Counts and logs what is refused: why, whom, in which match."""
    _room: Room | None = field(default=None, init=False)
    seats: list[int] = field(default_factory=list, init=False)
    _wrong: bool = field(default=False, init=False)
    """Whether they have a token that opens nothing here."""
    _name: str = field(default="", init=False)
    _token: str | None = field(default=None, init=False)

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news."""
        self._write(update)

    def passed(self, frame: bytes) -> None:
        """Something that is no part of how the match stands; a slow reader is told the sum of it too."""
        self.told(frame)

    @abstractmethod
    def _write(self, body: bytes) -> None:
        """The one place in which something is said."""

    @abstractmethod
    def _is_over(self) -> bool:
        """Whether nobody listens any more."""

    def _sat_down(self) -> None:  # noqa: B027  # most need not know
        """They have said who they are."""

    async def obey(self, frame: wire.ToServer) -> bool:
        """Do what they ask; false where it is something that no page of ours sends."""
        room = self._room
        if isinstance(frame, wire.Hello):
            await self._sit(frame, self._start if room is None else room.name)
            return True
        if room is None:
            raise FIRST
        try:
            if room.state.header.classroom:
                # There another device may have been given the seat.
                self.seats = seats_of(self._token, room.state.tokens)
            if self._wrong:
                raise Refusal("no-seat", Said("token-wrong"))
            if isinstance(frame, wire.SendSign):
                self._sign(room, frame.sign)
            else:
                await self._hub.do(room, self.seats, frame, self, self._address)
        except Refusal as refusal:
            self._refused(room, frame, refusal)
            return refusal.code != "bad-request"
        return True

    async def _sit(self, hello: wire.Hello, match: str) -> None:
        """Look at a match from now on, and leave the one before."""
        if hello.token is not None and re.fullmatch(wire.OPENER, hello.token) is None:
            raise Refusal("bad-request", Said("token-none"))
        room = await self._hub.room(hello.match or match)
        seats = await self._hub.seated(room, hello.token)
        if self._is_over():
            return
        self.leave()
        self._room, self.seats, self._token = room, seats, hello.token
        self._sat_down()
        self._wrong = hello.token is not None and not seats
        self._name = rate_name(room.name, self._address, seats)
        away = self._hub.presence.away(room.name)
        seats = [seat + 1 for seat in self.seats]
        waited = self._hub.waited(room)
        welcome = wire.Welcome(seats, msgspec.Raw(room.whole(self.seats)), away, waited, PATIENCE)
        room.watchers.add(self)
        self._write(wire.encode(welcome))
        self._hub.presence.came(room, self.seats)

    def leave(self) -> None:
        """Look at no match any more."""
        if self._room is not None:
            self._room.watchers.discard(self)
            self._hub.presence.went(self._room, self.seats)

    def _sign(self, room: Room, sign: str) -> None:
        seat = room.state.seat_for(None, self.seats)
        if room.state.opponent != FRIEND or not all(room.state.joined):
            raise Refusal("not-allowed", Said("sign-alone"))
        self._hub.presence.sign(room, seat, sign, self)

    def _refused(self, room: Room, frame: wire.Move | wire.Act | wire.SendSign, refusal: Refusal) -> None:
        self._note(refusal.code, self._address, room.name)
        why, state = wire.Said(*refusal.said), msgspec.Raw(room.whole(self.seats))
        key = "" if isinstance(frame, wire.SendSign) else frame.key or ""
        self._write(wire.encode(wire.Refused(key, refusal.code, str(refusal), why, state)))
