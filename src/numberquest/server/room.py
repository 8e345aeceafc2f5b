"""A live match with those who look at it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numberquest.server.match.state import LiveMatch
    from numberquest.server.web.watcher import Watcher


class Room:
    """One thing happens at it at a time."""

    __slots__ = ("behind", "live", "lock", "over", "shown", "thinking", "watchers")

    def __init__(self, live: LiveMatch) -> None:
        self.live = live
        """Under the lock only: while an entry is being written down, it is here already."""
        self.shown = live.shown()
        """The state on disk, as JSON."""
        self.over = live.over
        """Whether the game is over in it."""
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.thinking = False
        self.behind = False
        """Whether another process has changed the match, and it has not been read here yet."""

    @property
    def idle(self) -> bool:
        """Whether nobody looks, and nothing happens."""
        return not (self.watchers or self.thinking or self.lock.locked())

    def publish(self, by: Watcher | None = None) -> None:
        """Show how the match stands now, and tell everybody who looks but the one who brought it about."""
        self.shown = self.live.shown()
        self.over = self.live.over
        for watcher in self.watchers:
            if watcher is not by:
                watcher.wake()
