"""The ASGI application: pages and files, the API, live connections and streams of events.

It is written straight to ASGI: the routes are a table that also makes the API document, and what a framework would
add on top of that was measured to cost more than it gives (docs/measurements.md).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import msgspec

from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.limits import rate_name
from numberquest.server.log import where
from numberquest.server.match.state import Refusal, refusal_of
from numberquest.server.store.contract import StoreError
from numberquest.server.tokens import seats_of
from numberquest.server.web import openapi
from numberquest.server.web.api import DOCUMENT, Route, checked_query, methods_at, route_for
from numberquest.server.web.connection import Connection
from numberquest.server.web.http import (
    JSON,
    SECURITY,
    Call,
    Reply,
    address_of,
    body_of,
    decoded,
    headers_of,
    problem,
    query_in,
    reply_with,
    same_origin,
    token_in,
)
from numberquest.server.web.pages import Pages
from numberquest.server.web.watcher import Watcher

if TYPE_CHECKING:
    from numberquest.server.hub import Hub
    from numberquest.server.room import Room
    from numberquest.server.web.http import Receive, Scope, Send

PAUSE: Final = 15.0
"""Seconds without an event after which a stream says that it is still there."""

_encode = msgspec.json.Encoder().encode


class App:
    """What uvicorn runs."""

    def __init__(self, hub: Hub, outside: str | None = None) -> None:
        """`outside` is where others on the network open the page, if they can."""
        self.hub = hub
        self.outside = outside
        self.pages = Pages()
        self.document = openapi.document_json()
        self._streams: dict[asyncio.Task[None], Watcher] = {}
        self.stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, one connection, or the life of the server."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._live(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.hub.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def end_streams(self) -> None:
        """End the streams of events, as a stream ends and not in the middle of a line: the server stops."""
        self.stopping = True
        for task, watcher in self._streams.items():
            if watcher.sending:
                # This one does not read, and would keep everybody waiting.
                task.cancel()
            else:
                watcher.wake()

    # ---- plain requests

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        method, path = scope["method"], scope["path"]
        bodiless = method == "HEAD"
        address = address_of(scope)
        try:
            reply = await self._reply(scope, receive, send, "GET" if bodiless else method, path, address)
        except (Refusal, StoreError) as error:
            refusal = refusal_of(error)
            self._refused(refusal.code, address)
            reply = problem(refusal)
            if refusal.code == "too-long":
                # The rest of what is being sent will not be read.
                reply = reply._replace(headers=((b"connection", b"close"),))
            elif refusal.code == "not-there":
                reply = reply._replace(headers=((b"allow", ", ".join(methods_at(path)).encode()),))
        except ConnectionError:
            return
        except Exception as error:
            # Whatever it was, nobody outside is told more than this; the log has what and where, and no values.
            self.hub.log.event("error", what=type(error).__name__, where=where(error))
            reply = problem(Refusal("internal", Said("went-wrong-noted")))
        if reply is not None:
            self.hub.metrics.count(f'numberquest_requests_total{{status="{reply.status}"}}')
            await reply_with(send, reply, bodiless)

    def _refused(self, code: str, address: str, match: str | None = None) -> None:
        self.hub.metrics.count(f'numberquest_refused_total{{reason="{code}"}}')
        self.hub.log.event("refused", reason=code, address=address, match=match)

    async def _reply(
        self, scope: Scope, receive: Receive, send: Send, method: str, path: str, address: str
    ) -> Reply | None:
        """The answer; None where it has been sent already."""
        if not path.startswith("/api/"):
            return await self._other(scope, method, path, address)
        headers = headers_of(scope)
        if not self.hub.gate.asked.allows(address):
            raise Refusal("too-many", Said("much-at-once"))
        if path == DOCUMENT and method == "GET":
            return Reply(self.document)
        route, match = route_for(method, path)
        if not same_origin(headers):
            raise Refusal("wrong-origin", Said("wrong-origin"))
        token = token_in(headers)
        if route.seat and token is None:
            raise Refusal("no-seat", Said("seat-needed"))
        query = checked_query(route, query_in(scope, frozenset(parameter.name for parameter in route.parameters)))
        body = await self._body(scope, receive, headers, route)
        gate = self.hub.gate
        costs = {"created": gate.created, "thought": gate.thought}.get(route.costs)
        if costs is not None and not costs.allows(address):
            raise Refusal("too-many", Said("much-in-a-minute"))
        if match:
            room = await self.hub.room(match)
            if not gate.in_match.allows(rate_name(match, seats_of(token, room.live.tokens))):
                raise Refusal("too-many", Said("much-in-match"))
        handler = route.handler
        if handler is None:
            # Only the stream of a match's events has none.
            await self._stream(await self.hub.room(match), address, receive, send)
            return None
        call = Call(match, token, query, body, self.outside, address)
        if route.costs != "thought":
            return await handler(self.hub, call)
        if not gate.think(address):
            raise Refusal("too-many", Said("much-thought"))
        try:
            return await handler(self.hub, call)
        finally:
            gate.thought_out(address)

    async def _body(self, scope: Scope, receive: Receive, headers: dict[bytes, bytes], route: Route) -> Any:
        if route.body is None:
            return None
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if kind != JSON:
            raise Refusal("not-json", Said("not-json"))
        return decoded(await body_of(scope, receive, route.largest), route.body)

    async def _other(self, scope: Scope, method: str, path: str, address: str) -> Reply:
        if method != "GET":
            raise Refusal("not-there", Said("address-looked-at"))
        if path in ("/healthz", "/metrics") and not self.hub.gate.asked.allows(address):
            raise Refusal("too-many", Said("much-at-once"))
        if path == "/healthz":
            await self.hub.store.unfinished()
            return Reply(b'{"ok":true}')
        if path == "/metrics":
            return Reply(self._metrics().encode(), kind=b"text/plain; version=0.0.4; charset=utf-8")
        headers = headers_of(scope)
        page = self.pages.find(path, headers.get(b"accept-encoding", b""), headers.get(b"if-none-match"))
        if page is not None:
            return page
        index = self.pages.find("/", headers.get(b"accept-encoding", b""), None)
        if index is None or b"text/html" not in headers.get(b"accept", b""):
            raise Refusal("not-found", Said("address-unknown"))
        # Somebody typed it into a browser: the page says so, with a way home.
        self._refused("not-found", address)
        return index._replace(status=404)

    def _metrics(self) -> str:
        return self.hub.metrics.text(
            {
                "numberquest_connections": self.hub.gate.open_connections,
                "numberquest_live_matches": self.hub.in_memory,
                **self.hub.thinking.measured(),
                "numberquest_log_dropped_total": self.hub.log.dropped,
            }
        )

    # ---- streams of events

    async def _stream(self, room: Room, address: str, receive: Receive, send: Send) -> None:
        if not self.hub.gate.enter(address):
            raise Refusal("too-many", Said("much-open"))
        watcher = Watcher()
        watcher.wake()
        room.watchers.add(watcher)
        sender = asyncio.create_task(self._send_events(room, watcher, send))
        self._streams[sender] = watcher
        gone = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait((sender, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sender, gone):
                task.cancel()
            await asyncio.gather(sender, gone, return_exceptions=True)
            self._streams.pop(sender, None)
            room.watchers.discard(watcher)
            self.hub.gate.leave(address)

    async def _send_events(self, room: Room, watcher: Watcher, send: Send) -> None:
        headers = [(b"content-type", b"application/x-ndjson"), *SECURITY, (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while True:
            try:
                async with asyncio.timeout(PAUSE):
                    await watcher.waiting()
                lines = watcher.take(room.shown)
            except TimeoutError:
                lines = [_encode(wire.Ping())]
            over = self.stopping or room.over
            watcher.sending = True
            body = b"".join(line + b"\n" for line in lines)
            await send({"type": "http.response.body", "body": body, "more_body": not over})
            watcher.sending = False
            if over:
                return

    # ---- live connections

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        address = address_of(scope)
        headers = headers_of(scope)
        path = scope["path"]
        gate = self.hub.gate
        refusal = None
        if not path.startswith("/ws/"):
            refusal = Refusal("not-found", Said("address-not-live"))
        elif not same_origin(headers):
            refusal = Refusal("wrong-origin", Said("wrong-origin"))
        elif not gate.asked.allows(address) or not gate.enter(address):
            refusal = Refusal("too-many", Said("much-from-address"))
        if refusal is not None:
            self._refused(refusal.code, address)
            await reply_with(send, problem(refusal), kind="websocket.http.response")
            return
        connection = Connection(self.hub, address, self._refused, receive, send)
        try:
            await connection.run(path.removeprefix("/ws/"))
        finally:
            gate.leave(address)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
