"""Background tasks that run for as long as the server does."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

RESTART_AFTER: Final = 1.0
"""Seconds from the failure of a background task to its restart, and from there until the task counts as running."""


class Background:
    """The background tasks of one part of the server: each that fails is started again."""

    def __init__(self) -> None:
        self.stopped: set[str] = set()
        """The tasks that are not running; while there are any, the server is not ready."""
        self.failed: Callable[[str, Exception], None] = lambda _task, _error: None
        """Called with each task that fails, and its error."""

    async def keep_running(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run a background task until it returns, which it does at the end of the server; restart it if it fails."""
        while True:
            runs = asyncio.get_running_loop().call_later(RESTART_AFTER, self.stopped.discard, name)
            try:
                return await work()
            except Exception as error:
                self.stopped.add(name)
                self.failed(name, error)
            finally:
                runs.cancel()
            await asyncio.sleep(RESTART_AFTER)
