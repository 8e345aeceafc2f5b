"""Who of two friends is away, and the signs they send each other. Nothing of it is kept, and no move waits for it.

A seat is away when its last connection has been gone for some seconds. Several servers at one database tell each other
who comes and goes: `ask` of somebody who comes and wants to know who else is here, `here` as the answer, `gone` of a
seat whose last connection has ended, which whoever still has one denies. Silence is an answer only as long as word
gets through: where it may have been lost, nothing is said of anybody.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec

from numberquest.server import wire
from numberquest.server.match.entries import FRIEND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numberquest.server.room import Room, Watcher
    from numberquest.server.store.contract import Store

AWAY_AFTER: Final = 6.0
"""Seconds without a connection after which somebody is away: a page that only lost its line is back before."""
ASK, HERE, GONE, SIGN = "ask", "here", "gone", "sign"

_encode = msgspec.json.Encoder().encode


class Presence:
    """Who is at the matches of this process."""

    def __init__(self, store: Store, room_of: Callable[[str], Room | None]) -> None:
        """`room_of` finds a match that is in memory."""
        self._store = store
        self._room_of = room_of
        self._away: dict[str, set[int]] = {}
        self._doubts: dict[tuple[str, int], asyncio.TimerHandle] = {}
        """Seats of which nobody knows yet whether somebody is there."""

    def away(self, match: str) -> list[int]:
        """The seats, 1 or 2, of those who are away from a match."""
        return sorted(seat + 1 for seat in self._away.get(match, ()))

    def came(self, room: Room, seats: Sequence[int]) -> None:
        """Somebody looks at a match from now on, with these seats or none."""
        if room.state.opponent != FRIEND:
            return
        for seat in seats:
            self._is_here(room, seat)
        self._store.pass_on(room.name, _word(ASK, seats))
        for seat in (0, 1):
            if room.state.joined[seat]:
                self._doubt(room, seat)

    def went(self, room: Room, seats: Sequence[int]) -> None:
        """Somebody with these seats looks at it no longer."""
        if room.state.opponent != FRIEND:
            return
        gone = [seat for seat in seats if not _sits(room, seat)]
        if gone:
            self._store.pass_on(room.name, _word(GONE, gone))
        if not room.watchers:
            self._forget(room.name)
        for seat in gone:
            self._doubt(room, seat)

    def sign(self, room: Room, seat: int, sign: str, by: Watcher) -> None:
        """Show a sign of this seat to everybody who looks, but not to the one who sends it."""
        room.pass_on(_encode(wire.Sign(seat + 1, sign)), by)  # type: ignore[arg-type]  # one of those
        self._store.pass_on(room.name, f"{SIGN} {seat} {sign}")

    def heard(self, match: str, word: str) -> None:
        """Another process says something about a match."""
        what, *rest = word.split()
        room = self._room_of(match)
        if room is None or not room.watchers or what not in (ASK, HERE, GONE, SIGN):
            return
        if what == SIGN:
            room.pass_on(_encode(wire.Sign(int(rest[0]) + 1, rest[1])))  # type: ignore[arg-type]
            return
        for seat in map(int, rest):
            if what != GONE:
                self._is_here(room, seat)
            else:
                self._doubt(room, seat)
        ours = [seat for seat in (0, 1) if _sits(room, seat) and (what == ASK or str(seat) in rest)]
        if ours and what != HERE:
            self._store.pass_on(match, _word(HERE, ours))

    def begin_anew(self, rooms: Iterable[Room]) -> None:
        """Word from others may have been lost: nothing is known any more; of these matches it is asked again."""
        for match in [*self._away]:
            room = self._room_of(match)
            self._forget(match)
            if room is not None:
                self._tell(room)
        for doubt in self._doubts.values():
            doubt.cancel()
        self._doubts.clear()
        if self._store.hears:
            for room in rooms:
                self.came(room, [seat for seat in (0, 1) if _sits(room, seat)])

    def close(self) -> None:
        """Let go of everything."""
        for doubt in self._doubts.values():
            doubt.cancel()
        self._doubts.clear()

    def _is_here(self, room: Room, seat: int) -> None:
        doubt = self._doubts.pop((room.name, seat), None)
        if doubt is not None:
            doubt.cancel()
        away = self._away.get(room.name, set())
        if seat in away:
            away.discard(seat)
            self._tell(room)
            if not away:
                del self._away[room.name]

    def _doubt(self, room: Room, seat: int) -> None:
        """Whoever has this seat is away, unless somebody says otherwise in time."""
        known = (room.name, seat) in self._doubts or seat in self._away.get(room.name, ())
        if room.watchers and not known and not _sits(room, seat):
            later = asyncio.get_running_loop().call_later(AWAY_AFTER, self._missed, room.name, seat)
            self._doubts[room.name, seat] = later

    def _missed(self, match: str, seat: int) -> None:
        self._doubts.pop((match, seat), None)
        room = self._room_of(match)
        if room is not None and room.watchers and self._store.hears and not _sits(room, seat):
            self._away.setdefault(match, set()).add(seat)
            self._tell(room)

    def _tell(self, room: Room) -> None:
        room.pass_on(_encode(wire.Presence(self.away(room.name))))

    def _forget(self, match: str) -> None:
        self._away.pop(match, None)
        for seat in (0, 1):
            doubt = self._doubts.pop((match, seat), None)
            if doubt is not None:
                doubt.cancel()


def _sits(room: Room, seat: int) -> bool:
    """Whether somebody with this seat looks at the match here."""
    return any(seat in watcher.seats for watcher in room.watchers)


def _word(what: str, seats: Iterable[int]) -> str:
    return " ".join([what, *map(str, seats)])
