"""The server runs until a signal, and then ends so that no match notices."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Final

from aiohttp import web

from numberquest.server.listening import BACKLOG
from numberquest.server.web.connection import part
from numberquest.server.web.oversight import Oversight

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from socket import socket

    from numberquest.server.web.app import App

ANSWER_WITHIN: Final = 5.0
"""Seconds that a request under way has when the server stops."""


async def serve(app: App, sockets: Sequence[socket], ready: Callable[[], None]) -> int:
    """Run until a signal asks for the end, and return it; `ready` is called when visitors can come."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[int] = loop.create_future()

    def stop(signal_number: int) -> None:
        if not stopped.done():
            stopped.set_result(signal_number)

    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop, each)
    runner = web.AppRunner(app.web, shutdown_timeout=ANSWER_WITHIN)
    try:
        await runner.setup()
        assert runner.server is not None  # noqa: S101  # it is set up
        oversight = Oversight(runner.server, app.hub.gate, app.hub.log, app.hub.metrics, app.place.proxies is not None)
        doors = [await loop.create_server(oversight.connection, sock=each, backlog=BACKLOG) for each in sockets]
        going_round = asyncio.create_task(oversight.go_round())
        ready()
        signal_number = await stopped
        for door in doors:
            door.close()
        oversight.stop()
        going_round.cancel()
        # A review may take a minute: those who wait for one are told to ask again.
        await app.hub.thinking.close()
        app.stop()
        await part(oversight)
        return signal_number
    finally:
        await runner.cleanup()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)
