"""Streams of events: lines of JSON, one each time that something has happened, for as long as somebody reads."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from typing import Final

import msgspec

from numberquest.server import wire
from numberquest.server.room import Room

PAUSE: Final = 15.0
"""Seconds without an event after which a stream says that it is still there."""


class Stream(ABC):
    """Somebody who reads."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.news.set()
        self.wake = self.news.set
        self._ping_at = 0.0
        self.until = inf
        """By the loop's clock: when it ends at the latest."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether nothing more comes after the line that was said last."""

    @abstractmethod
    def come(self) -> None:
        """From now on they hear of what happens."""

    @abstractmethod
    def leave(self) -> None:
        """They do not any more."""

    @abstractmethod
    def line(self) -> bytes:
        """How everything stands now; empty where there is nothing new for this reader."""

    async def next_line(self) -> bytes:
        """How it stands when something has happened, empty where that is nothing to this reader; or a sign of life."""
        loop = asyncio.get_running_loop()
        self._ping_at = self._ping_at or loop.time() + PAUSE
        try:
            async with asyncio.timeout_at(min(self._ping_at, self.until)):
                await self.news.wait()
            self.news.clear()
            line = self.line()
        except TimeoutError:
            line = wire.encode(wire.Ping())
        if line:
            self._ping_at = loop.time() + PAUSE
        return line


class MatchStream(Stream):
    """A match: for programs that want to know how it stands, all of it each time."""

    seats: tuple[int, ...] = ()

    def __init__(self, room: Room, sees_as: Sequence[int]) -> None:
        """`sees_as` are the seats of whoever reads; by reading alone nobody sits there."""
        super().__init__()
        self._room, self._sees_as = room, sees_as

    @property
    def over(self) -> bool:
        return self._room.state.over

    def come(self) -> None:
        self._room.watchers.add(self)

    def leave(self) -> None:
        self._room.watchers.discard(self)

    def told(self, update: bytes, done: str | None = None) -> None:
        self.wake()

    def passed(self, frame: bytes) -> None:
        """Of these only the page hears."""

    def line(self) -> bytes:
        return wire.encode(wire.Update(state=msgspec.Raw(self._room.whole(self._sees_as))))
