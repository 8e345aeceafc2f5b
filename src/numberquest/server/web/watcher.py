"""Somebody who looks at a match through an open connection, and what is still to be sent to them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import msgspec

from numberquest.server import wire

if TYPE_CHECKING:
    from numberquest.server.match.state import Refusal

MOST_WAITING: Final = 32
"""Answers that may wait for a slow reader; with one more the connection is closed."""

_encode = msgspec.json.Encoder().encode


class Watcher:
    """A mailbox of bounded size. Of the states of a match only the newest waits: a slow reader misses some between."""

    __slots__ = ("_awaited", "_done", "_fresh", "_refused", "sending")

    def __init__(self) -> None:
        self._awaited: asyncio.Future[None] | None = None
        self._done: list[str] = []
        self._refused: list[bytes] = []
        self._fresh = False
        self.sending = False
        """Whether something is under way that has not been taken yet."""

    def wake(self) -> None:
        """There is a new state."""
        self._fresh = True
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    def done(self, key: str) -> None:
        """A request is done; told with the state."""
        self._done.append(key)
        self._fresh = True

    def refused(self, key: str, why: Refusal, shown: bytes) -> None:
        """A request is refused."""
        frame = wire.Refused(key, why.code, str(why), wire.Said(*why.said), msgspec.Raw(shown))
        self._refused.append(_encode(frame))

    @property
    def overfull(self) -> bool:
        """Whether too much waits for this reader."""
        return len(self._done) + len(self._refused) > MOST_WAITING

    async def waiting(self) -> None:
        """Return when there is something to send."""
        if not self._fresh:
            # Not an asyncio.Event: this is waited for once or twice with every move.
            self._awaited = asyncio.get_running_loop().create_future()
            await self._awaited

    def take(self, shown: bytes) -> list[bytes]:
        """The frames to send now."""
        frames, self._refused = self._refused, []
        if self._fresh:
            self._fresh = False
            done, self._done = self._done, []
            frames.append(_encode(wire.Update(msgspec.Raw(shown), done)))
        return frames
