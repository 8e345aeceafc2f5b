"""A match in memory with those who look at it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from numberquest.server import wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.server.match.state import MatchState
    from numberquest.server.showing import Showing

_encode = msgspec.json.Encoder().encode


class Watcher(Protocol):
    """Somebody who looks at a match."""

    @property
    def seats(self) -> Sequence[int]:
        """The seats they have, 0 and 1; none: they watch."""

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news: an `Update`, as JSON. `done` is the key of the watcher's own request that brought it about."""

    def passed(self, frame: bytes) -> None:
        """Something else has come that is no part of how the match stands: a `Presence` or a `Sign`, as JSON."""


class Room:
    """One thing happens at it at a time."""

    __slots__ = (
        "_showing",
        "_told",
        "_whole",
        "address",
        "ahead",
        "behind",
        "being_read",
        "delay",
        "failed",
        "lock",
        "state",
        "stuck_at",
        "thinking",
        "too_long",
        "watchers",
    )

    def __init__(self, state: MatchState, showing: Showing) -> None:
        self._showing = showing
        self._whole: bytes | None = None
        self._told: wire.Said | None = None
        """What was told last about how the computer chooses."""
        self.state = state
        """As it is on disk."""
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.address = ""
        """Where the person is who made the match or moved last: the computer's moves are counted there."""
        self.thinking = False
        self.ahead = any(state.looked_ahead)
        """Whether the computer looks ahead here, because the rules are too large to be worked out."""
        self.delay = ""
        """What is to be told about the computer's move that does not come: the code of a sentence."""
        self.stuck_at, self.failed, self.too_long = -1, 0, 0
        """How often the computer could not choose at this ply, and how often of these for want of time."""
        self.behind = False
        """Whether the match may have changed on disk, and has not been read here yet."""
        self.being_read = False
        """Whether that is being done just now: until then nobody is to be shown how it was."""

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
            self._whole = _encode(self._showing.whole(self.state, self.computer))
        return self._whole

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
            self._told, self._whole = self.computer, None
            update = _encode(wire.Update(state=msgspec.Raw(self.whole())))
            for watcher in self.watchers:
                watcher.told(update)

    def pass_on(self, frame: bytes, but: Watcher | None = None) -> None:
        """Tell everybody who looks something that is no part of how the match stands."""
        for watcher in self.watchers:
            if watcher is not but:
                watcher.passed(frame)

    def shown(self, state: MatchState) -> bytes:
        """How this match stands or stood, as JSON."""
        return _encode(self._showing.whole(state))

    def publish(self, state: MatchState, by: Watcher | None = None, key: str = "") -> None:
        """What is on disk now: tell everybody who looks what has changed; `by` asked for it, under this key."""
        self.state = state
        self._whole = None
        before, self._told = self._told, self.computer
        if not self.watchers:
            return
        changed = self._showing.change(state)
        if self._told != before:
            changed.computer = self._told
        # Encoded once for all who look; who asked for it is told so besides.
        ready = cast("wire.Change", msgspec.Raw(_encode(changed)))
        update = _encode(wire.Update(ready))
        for watcher in self.watchers:
            if watcher is by and key:
                watcher.told(_encode(wire.Update(ready, done=[key])), key)
            else:
                watcher.told(update)
