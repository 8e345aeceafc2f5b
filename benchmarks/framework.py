"""What a web framework would cost: one request for the state of a match, by our own routes and by Starlette's.

Both are called as a server calls them, in one process and without sockets, and both send the same bytes: only the way
from the request to the answer differs. Ours checks the address's rate, the origin and the parameters on that way;
Starlette's does not.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.row import Row

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

ROUNDS = 7
REQUESTS = 3000


def measure() -> list[Row]:
    """Requests a second of ours and of Starlette."""
    return asyncio.run(_measure())


async def _measure() -> list[Row]:
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    from numberquest.server import wire
    from numberquest.server.hub import Hub
    from numberquest.server.limits import Gate, Limits
    from numberquest.server.log import Log
    from numberquest.server.store.stores import open_store
    from numberquest.server.think.pool import Thinking
    from numberquest.server.web.app import App

    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(str(Path(folder) / "games.db"))
        hub = Hub(store, Thinking(), Gate(Limits(rate=1e9)), Log(None))
        match = (await hub.create(wire.NewMatch(game="fifty"))).match

        async def look(request: Request) -> Response:
            room = await hub.room(request.path_params["match"])
            return Response(room.shown, media_type="application/json")

        theirs = Starlette(routes=[Route("/api/matches/{match}", look)])
        apps: dict[str, Any] = {"ours": App(hub), "starlette": theirs}
        rates: dict[str, list[float]] = {name: [] for name in apps}
        for _ in range(ROUNDS):
            for name, app in apps.items():
                rates[name].append(await _rate(app, f"/api/matches/{match}"))
        await store.close()
    medians = {name: statistics.median(found) for name, found in rates.items()}
    return [
        Row("a request, without sockets", medians["ours"], medians["starlette"], "Starlette, same answer", "/s", 1.0)
    ]


async def _rate(app: Callable[[Any, Any, Any], Awaitable[None]], path: str) -> float:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"accept", b"*/*")],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }
    answered = 0

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal answered
        answered += message["type"] == "http.response.body"

    began = time.process_time()
    for _ in range(REQUESTS):
        await app(dict(scope), receive, send)
    if answered != REQUESTS:
        raise RuntimeError("some requests were not answered")
    return REQUESTS / (time.process_time() - began)
