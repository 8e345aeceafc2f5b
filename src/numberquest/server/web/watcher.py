"""Somebody who looks at a match through an open connection, and what is still to be sent to them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec

from numberquest.server import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.server.refusal import Refusal

MOST_WAITING: Final = 32
"""Answers that may wait for a slow reader; with one more the connection is closed."""
MOST_NEWS: Final = 4
"""So many changes may wait for a slow reader; with one more, only how the match stands in the end is told."""

_encode = msgspec.json.Encoder().encode


class Mailbox:
    """Of bounded size: of what a slow reader misses only the sum is kept."""

    __slots__ = ("_awaited", "_done", "_news", "_refused", "_stale", "sending")

    def __init__(self, stale: bool = False) -> None:
        """`stale`: whoever looks knows nothing yet."""
        self._awaited: asyncio.Future[None] | None = None
        self._news: list[bytes] = []
        self._done: list[str] = []
        self._refused: list[bytes] = []
        self._stale = stale
        self.sending = False
        """Whether something is under way that has not been taken yet."""

    def told(self, update: bytes, done: str | None = None) -> None:
        """There is news."""
        if len(self._news) >= MOST_NEWS:
            self._stale, self._news = True, []
        if not self._stale:
            self._news.append(update)
        if done is not None:
            self._done.append(done)
        self.wake()

    def wake(self) -> None:
        """Look whether there is something to send."""
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    def refused(self, key: str | None, why: Refusal, whole: bytes) -> None:
        """A request is refused."""
        frame = wire.Refused(key or "", why.code, str(why), wire.Said(*why.said), msgspec.Raw(whole))
        self._refused.append(_encode(frame))

    @property
    def overfull(self) -> bool:
        """Whether too much waits for this reader."""
        return len(self._done) + len(self._refused) > MOST_WAITING

    async def waiting(self) -> None:
        """Return when there is something to send."""
        if not (self._news or self._stale):
            # Not an asyncio.Event: this is waited for once or twice with every move.
            self._awaited = asyncio.get_running_loop().create_future()
            await self._awaited

    def take(self, whole: Callable[[], bytes]) -> list[bytes]:
        """The frames to send now."""
        frames = [*self._refused, *self._news]
        if self._stale:
            frames = [*self._refused, _encode(wire.Update(state=msgspec.Raw(whole()), done=self._done))]
        self._refused, self._news, self._done, self._stale = [], [], [], False
        return frames
