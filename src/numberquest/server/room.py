"""A match in memory with those who look at it; and who of two friends is away, and the signs they send each other.

Of who is there nothing is kept, and no move waits for it. A seat is away when its last connection has been gone for
some seconds. Several servers at one database tell each other who comes and goes: `ask` of somebody who comes and wants
to know who else is here, `here` as the answer, `gone` of a seat whose last connection has ended, which whoever still
has one denies. Silence is an answer only as long as word gets through: where it may have been lost, nothing is said of
anybody.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, cast

import msgspec

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.boards import Showing, Viewer, viewer
from numberquest.server.match.entries import FRIEND
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import Store

LOOKS: Final = 20.0
"""So many seconds after a request about a match its answer is waited for, also without a connection that stays."""
SIGN_EVERY: Final = 1.5
"""Seconds from one sign of a seat to the next, however many connections it has."""
AWAY_AFTER: Final = 6.0
"""Seconds without a connection after which somebody is away: a page that only lost its line is back before."""
ASK, HERE, GONE, SIGN = "ask", "here", "gone", "sign"


class Watcher(Protocol):
    """Somebody who looks at a match."""

    @property
    def seats(self) -> Sequence[int]:
        """The seats they have, 0 and 1; none: they watch."""

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news: an `Update`, as JSON. `done` is the key of the watcher's own request that brought it about."""

    def passed(self, frame: bytes) -> None:
        """Something else has come that is no part of how the match stands: a `Presence` or a `Sign`, as JSON."""


@dataclass(slots=True, eq=False)
class Room:
    """One thing happens at it at a time."""

    state: MatchState
    """As it is on disk."""
    _showing: Showing
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    looked: float = float("-inf")
    """When somebody has asked for it last, by the loop's clock."""
    signed: dict[int, float] = field(default_factory=dict)
    """When each seat has shown a sign last."""
    address: str = ""
    """Where the person is who made the match or moved last: the computer's moves are counted there."""
    thinking: bool = False
    ahead: bool = False
    """Whether the computer looks ahead here, because the rules are too large to be worked out."""
    delay: str = ""
    """What is to be told about the computer's move that does not come: the code of a sentence."""
    stuck_at: int = -1
    failed: int = 0
    too_long: int = 0
    """How often the computer could not choose at this ply, and how often of these for want of time."""
    behind: bool = False
    """Whether the match may have changed on disk, and has not been read here yet."""
    removed: bool = False
    """Whether the match is gone: nothing happens in it any more."""
    being_read: bool = False
    """Whether that is being done just now: until then nobody is to be shown how it was."""
    _whole: dict[Viewer, bytes] = field(default_factory=dict)
    """How it stands, as JSON, for each who sees it another way."""
    _told: wire.Said | None = None
    """What was told last about how the computer chooses."""

    def __post_init__(self) -> None:
        self.ahead = any(self.state.looked_ahead)

    @property
    def name(self) -> str:
        return self.state.header.match

    @property
    def is_looked_at(self) -> bool:
        """Whether anybody waits for what happens here next."""
        if self.removed:
            return False
        return bool(self.watchers) or asyncio.get_running_loop().time() - self.looked < LOOKS

    @property
    def length(self) -> int:
        """How much there is to remember of it: moves, reveals and actions."""
        return self.state.line.length + self.state.ply

    @property
    def idle(self) -> bool:
        """Whether nobody looks, and nothing happens."""
        return not (self.watchers or self.thinking or self.lock.locked())

    def whole(self, seats: Sequence[int] = ()) -> bytes:
        """How the match stands, as JSON, for somebody with these seats; worked out when first asked for."""
        who = viewer(self.state, seats)
        if who not in self._whole:
            self._whole[who] = wire.encode(self._showing.whole(self.state, self.computer, seats))
        return self._whole[who]

    @property
    def computer(self) -> wire.Said | None:
        """What there is to know about how the computer chooses, if anything."""
        if self.delay and self.stuck_at == self.state.ply and self.state.computer_to_move:
            return wire.Said(self.delay, {})
        return wire.Said("computer-looks-ahead", {}) if self.ahead and not self.state.over else None

    def say(self, code: str) -> None:
        """Tell everybody who looks why the computer's move does not come. Under the lock only."""
        self.delay = code
        if self.computer != self._told:
            self._told = self.computer
            self._whole.clear()
            for watcher in self.watchers:
                watcher.told(wire.encode(wire.Update(state=msgspec.Raw(self.whole(watcher.seats)))))

    def pass_on(self, frame: bytes, but: Watcher | None = None) -> None:
        """Tell everybody who looks something that is no part of how the match stands."""
        for watcher in self.watchers:
            if watcher is not but:
                watcher.passed(frame)

    def shown(self, state: MatchState, seats: Sequence[int] = ()) -> bytes:
        """How this match stands or stood, as JSON, for somebody with these seats."""
        return wire.encode(self._showing.whole(state, seats=seats))

    def publish(self, state: MatchState, by: Watcher | None = None, key: str = "") -> None:
        """What is on disk now: tell everybody who looks what has changed; `by` asked for it, under this key."""
        self.state = state
        self._whole.clear()
        before, self._told = self._told, self.computer
        if not self.watchers:
            return
        if state.line.game.has_secrets:
            # To each something else, and all of it: what it was before depends on who looks too.
            for watcher in self.watchers:
                mine = [key] if watcher is by and key else []
                whole = msgspec.Raw(self.whole(watcher.seats))
                watcher.told(wire.encode(wire.Update(state=whole, done=mine)), *mine)
            return
        changed = self._showing.change(state)
        if self._told != before:
            changed.computer = self._told
        # Encoded once for all who look; who asked for it is told so besides.
        ready = cast("wire.Change", msgspec.Raw(wire.encode(changed)))
        update = wire.encode(wire.Update(ready))
        for watcher in self.watchers:
            if watcher is by and key:
                watcher.told(wire.encode(wire.Update(ready, done=[key])), key)
            else:
                watcher.told(update)


class Presence:
    """Who is at the matches of this process."""

    def __init__(self, store: Store, room_of: Callable[[str], Room | None]) -> None:
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
        now = asyncio.get_running_loop().time()
        if now < room.signed.get(seat, float("-inf")) + SIGN_EVERY:
            raise Refusal("too-many", Said("much-signed"))
        room.signed[seat] = now
        room.pass_on(wire.encode(wire.Sign(seat + 1, sign)), by)  # type: ignore[arg-type]  # one of those
        self._store.pass_on(room.name, f"{SIGN} {seat} {sign}")

    def heard(self, match: str, word: str) -> None:
        """Another process says something about a match."""
        what, *rest = word.split()
        room = self._room_of(match)
        if room is None or not room.watchers or what not in (ASK, HERE, GONE, SIGN):
            return
        if what == SIGN:
            room.signed[int(rest[0])] = asyncio.get_running_loop().time()
            room.pass_on(wire.encode(wire.Sign(int(rest[0]) + 1, rest[1])))  # type: ignore[arg-type]
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
        self.close()
        if self._store.hears:
            for room in rooms:
                self.came(room, [seat for seat in (0, 1) if _sits(room, seat)])

    def close(self) -> None:
        for doubt in self._doubts.values():
            doubt.cancel()
        self._doubts.clear()

    def _is_here(self, room: Room, seat: int) -> None:
        self._settle(room.name, seat)
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
        room.pass_on(wire.encode(wire.Presence(self.away(room.name))))

    def _forget(self, match: str) -> None:
        self._away.pop(match, None)
        for seat in (0, 1):
            self._settle(match, seat)

    def _settle(self, match: str, seat: int) -> None:
        doubt = self._doubts.pop((match, seat), None)
        if doubt is not None:
            doubt.cancel()


def _sits(room: Room, seat: int) -> bool:
    """Whether somebody with this seat looks at the match here."""
    return any(seat in watcher.seats for watcher in room.watchers)


def _word(what: str, seats: Iterable[int]) -> str:
    return " ".join([what, *map(str, seats)])
