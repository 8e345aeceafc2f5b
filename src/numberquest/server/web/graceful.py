"""uvicorn, stopped so that no match notices: streams end, connections are told to come back, then it is over."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from numberquest.server import garbage
from numberquest.server.web.sockets import HttpConnection, WebSocketConnection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numberquest.server.web.app import App

EVERY: Final = 10 * garbage.SECONDS_BETWEEN
"""In ticks; there are ten a second."""


class Graceful(uvicorn.Server):
    """Ends by itself after a signal, instead of letting the signal end it a second time."""

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self._app = app
        self.stopped_by: int | None = None
        self._to_check: list[object] = []

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that stop a server, for as long as it runs."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """The first signal asks for the end; uvicorn looks for that ten times a second."""
        self.stopped_by = sig
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; each time, see whether the time of a tenth of the connections is up."""
        if counter % EVERY == EVERY - 1:
            garbage.look()
        # Not all at once: with thousands of them, whoever moves meanwhile would be held up.
        if counter % 10 == 0:
            self._to_check = list(self.server_state.connections)
        now = asyncio.get_running_loop().time()
        for connection in self._to_check[counter % 10 :: 10]:
            if isinstance(connection, HttpConnection | WebSocketConnection) and connection.check(now):
                self._app.hub.log.event("closed", reason="slow", address=connection.place)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Streams of events would never end by themselves, and a review may take a minute: ask again, they are told."""
        self._app.end_streams()
        await self._app.hub.thinking.close()
        await super().shutdown(sockets)
