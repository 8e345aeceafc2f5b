"""A match in memory with those who look at it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from numberquest.server.match.state import MatchState
    from numberquest.server.showing import Showing

_encode = msgspec.json.Encoder().encode


class Watcher(Protocol):
    """Somebody who looks at a match."""

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news: an `Update`, as JSON. `done` is the key of the watcher's own request that brought it about."""


class Room:
    """One thing happens at it at a time."""

    __slots__ = ("_showing", "_whole", "behind", "lock", "state", "thinking", "watchers")

    def __init__(self, state: MatchState, showing: Showing) -> None:
        self._showing = showing
        self._whole: bytes | None = None
        self.state = state
        """As it is on disk."""
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.thinking = False
        self.behind = False
        """Whether the match may have changed on disk, and has not been read here yet."""

    @property
    def name(self) -> str:
        """What the match is called."""
        return self.state.kept.match

    @property
    def length(self) -> int:
        """How much there is to remember of it: moves, reveals and deeds."""
        return self.state.line.length + self.state.ply

    @property
    def idle(self) -> bool:
        """Whether nobody looks, and nothing happens."""
        return not (self.watchers or self.thinking or self.lock.locked())

    def whole(self) -> bytes:
        """How the match stands, as JSON, the same for everybody; worked out when first asked for after a change."""
        if self._whole is None:
            self._whole = self.shown(self.state)
        return self._whole

    def shown(self, state: MatchState) -> bytes:
        """How this match stands or stood, as JSON."""
        return _encode(self._showing.whole(state))

    def publish(self, state: MatchState, by: Watcher | None = None, key: str = "") -> None:
        """What is on disk now: tell everybody who looks what has changed; `by` asked for it, under this key."""
        self.state = state
        self._whole = None
        if not self.watchers:
            return
        change = _encode(self._showing.change(state))
        update = b'{"type":"update","change":%b}' % change
        for watcher in self.watchers:
            if watcher is by and key:
                watcher.told(b'{"type":"update","done":[%b],"change":%b}' % (_encode(key), change), key)
            else:
                watcher.told(update)
