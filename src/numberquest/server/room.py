"""A live match with those who look at it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from numberquest.server import wire

if TYPE_CHECKING:
    from numberquest.server.match.state import LiveMatch
    from numberquest.server.web.watcher import Watcher


class Room:
    """One thing happens at it at a time."""

    __slots__ = (
        "address",
        "ahead",
        "behind",
        "delay",
        "failed",
        "live",
        "lock",
        "over",
        "shown",
        "stuck_at",
        "thinking",
        "too_long",
        "watchers",
    )

    def __init__(self, live: LiveMatch) -> None:
        self.live = live
        """Under the lock only: while an entry is being written down, it is here already."""
        self.shown = live.shown()
        """The state on disk, as JSON."""
        self.over = live.over
        """Whether the game is over in it."""
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.address = ""
        """Where the person is who made the match or moved last: the computer's moves are counted there."""
        self.thinking = False
        self.ahead = False
        """Whether the computer looks ahead here, because the rules are too large to be worked out."""
        self.delay = ""
        """What is to be told about the computer's move that does not come: the code of a sentence."""
        self.stuck_at, self.failed, self.too_long = -1, 0, 0
        """How often the computer could not choose with so many entries in the log, and how often for want of time."""
        self.behind = False
        """Whether another process has changed the match, and it has not been read here yet."""

    @property
    def idle(self) -> bool:
        """Whether nobody looks, and nothing happens."""
        return not (self.watchers or self.thinking or self.lock.locked())

    @property
    def computer(self) -> wire.Said | None:
        """What there is to know about how the computer chooses, if anything."""
        if self.delay and self.stuck_at == len(self.live.log) and self.live.computer_to_move:
            return wire.Said(self.delay, {})
        return wire.Said("computer-looks-ahead", {}) if self.ahead and not self.live.over else None

    def publish(self, by: Watcher | None = None) -> None:
        """Show how the match stands now, and tell everybody who looks but the one who brought it about."""
        self.shown = self.live.shown(self.computer)
        self.over = self.live.over
        for watcher in self.watchers:
            if watcher is not by:
                watcher.wake()
