"""A class in memory: who reads about it, who of the pupils is here, and what its games have come to."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from numberquest.core.contract import Game
from numberquest.server import wire
from numberquest.server.classroom.events import COMPUTER
from numberquest.server.classroom.state import ClassState, PupilState, TableState
from numberquest.server.match.state import game_of
from numberquest.server.room import Room
from numberquest.server.think import tasks

AWAY_AFTER: Final = 6.0
"""Seconds without a reader after which a pupil is away: a page that only lost its line is back before."""
IDLE_AFTER: Final = 300.0
"""So many seconds a class of which nobody reads stays in memory; it is kept on disk all the same."""


class Reader(Protocol):
    """Somebody who reads what happens."""

    @property
    def pupil(self) -> int | None:
        """Who they are; None: the teacher."""

    def wake(self) -> None:
        """There is news."""


class Seen(NamedTuple):
    """A decision of a pupil in a game that is over."""

    pupil: int
    decision: tasks.Decision
    after: tuple[str, ...]
    """The moves and reveals that led there."""


@dataclass(slots=True, eq=False)
class LiveClass:
    """A class in memory. `lock` is held while an event is checked and written down: one thing happens at a time."""

    state: ClassState
    """As it is on disk."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    settling: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the matches are brought to where the class has them."""
    unsettled: bool = False
    """Whether that is about to be done."""
    again: bool = False
    """Whether it could not be done, because the store was away."""
    forgotten: bool = False
    """Whether it is no more in memory: it is erased, or nobody has looked at it for long."""
    phase: str = ""
    """As it was at the last tick."""
    readers: set[Reader] = field(default_factory=set)
    behind: bool = False
    """Whether it may have changed on disk, and has not been read here yet."""
    asked: float = 0.0
    """When somebody has asked for it last."""
    rooms: dict[str, Room] = field(default_factory=dict)
    """The games that are shown."""
    watched: dict[str, "TableWatcher"] = field(default_factory=dict)
    until: dict[int, float] = field(default_factory=dict)
    """Until when each pupil counts as being here."""
    gone: dict[int, float] = field(default_factory=dict)
    """Since when each pupil who is away is."""
    told: float = 0.0
    """When other processes were told last who is here."""
    decisions: dict[str, list[Seen]] = field(default_factory=dict)
    """Of each game that was looked through."""
    values: dict[str, list[wire.Worth]] = field(default_factory=dict)
    """Of each position that somebody got wrong, what its moves are worth, by its name."""
    looking: bool = False
    failed: set[str] = field(default_factory=set)
    """Games that could not be looked through, because their rules are too large."""
    moments: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """Of each pupil, key moments without a mistake, and all of them."""

    @property
    def name(self) -> str:
        return self.state.header.classroom

    @property
    def game(self) -> Game[Any]:
        return game_of(self.state.header.game, self.state.header.settings)

    def changed(self, teacher_only: bool = False) -> None:
        """There is news for those who read."""
        for reader in self.readers:
            if reader.pupil is None or not teacher_only:
                reader.wake()

    def here(self, now: float) -> set[int]:
        """The pupils who are here."""
        reading = {reader.pupil for reader in self.readers}
        return {
            one.number for one in self.state.present if one.number in reading or self.until.get(one.number, 0) > now
        }

    def note_presence(self, now: float) -> list[int]:
        """Take down who reads here; returns them. Also who sits at a game, whatever their page does besides."""
        reading = {reader.pupil for reader in self.readers if reader.pupil is not None}
        for match, room in self.rooms.items():
            table = self.state.tables.get(match)
            if table is not None and not table.over:
                seats = {seat for watcher in room.watchers for seat in watcher.seats}
                reading |= {table.seating.pupils[seat] for seat in seats} - {COMPUTER}
        self.stay(reading, now)
        here = self.here(now)
        for one in self.state.present:
            if one.number in here:
                self.gone.pop(one.number, None)
            elif self.gone.setdefault(one.number, now) == now:
                self.changed(teacher_only=True)
        return sorted(reading)

    def stay(self, pupils: Iterable[int], now: float) -> None:
        """These are here."""
        for number in pupils:
            if self.until.get(number, 0) <= now:
                self.changed(teacher_only=True)
            self.until[number] = now + AWAY_AFTER

    @property
    def shown(self) -> list[TableState]:
        """The games that are shown: of each pupil the one that they play, or have just played."""
        current = {one.match for one in self.state.present if one.match}
        return [table for match, table in self.state.tables.items() if match in current or not table.over]

    def looked_through(self, table: TableState, found: tasks.Decisions, history: tuple[str, ...]) -> None:
        """Count what a game has come to."""
        seating = table.seating
        mine = [
            Seen(number, one, history[: one.at])
            for one in found.decisions
            if (number := seating.pupils[one.seat]) != COMPUTER
        ]
        self.decisions[seating.match] = mine
        self.values.update(found.values)
        for number, one, _ in mine:
            if one.key:
                self.moments[number][0] += not one.wrong
                self.moments[number][1] += 1

    @property
    def to_look_through(self) -> list[TableState]:
        """Games that are over, and have not been looked through yet."""
        known = self.decisions.keys() | self.failed
        tables = self.state.tables.values()
        return [one for one in tables if one.result and one.result.counts and one.seating.match not in known]

    def most_missed(self, most: int) -> list[tuple[str, list[Seen]]]:
        """The positions in which most mistakes were made, and what was decided there."""
        everything = [seen for found in self.decisions.values() for seen in found]
        wrong = Counter(seen.decision.position for seen in everything if seen.decision.wrong)
        places = [name for name, _ in wrong.most_common(most)]
        return [(name, [seen for seen in everything if seen.decision.position == name]) for name in places]

    def slip(self, pupil: int) -> Sequence[Seen]:
        """The mistake that a pupil made most often: each time that they made it."""
        made: dict[tuple[str, str], list[Seen]] = defaultdict(list)
        for found in self.decisions.values():
            for seen in found:
                if seen.pupil == pupil and seen.decision.wrong:
                    made[seen.decision.position, seen.decision.move].append(seen)
        return max(made.values(), key=len, default=[])

    def moments_of(self, one: PupilState) -> tuple[int, int]:
        found, of = self.moments.get(one.number, (0, 0))
        return found, of


class TableWatcher:
    """Looks at a game for the class."""

    seats: tuple[int, ...] = ()

    def __init__(self, live: LiveClass, room: Room, over: Callable[[LiveClass], None]) -> None:
        """`over` is told of the class when the game is over."""
        self._live, self.room, self._over = live, room, over
        room.watchers.add(self)

    def told(self, update: bytes, done: str | None = None) -> None:
        self._live.changed(teacher_only=True)
        if self.room.state.over:
            self._over(self._live)

    def passed(self, frame: bytes) -> None:
        """Who is there at a game, the class knows by itself."""

    def leave(self) -> None:
        self.room.watchers.discard(self)
