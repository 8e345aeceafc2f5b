"""The application: pages and files, the API, live connections and streams of events; run until a signal ends it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from socket import socket
from typing import TYPE_CHECKING, Any, Final, cast

from aiohttp import web

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.classroom.classes import Classes
from numberquest.server.classroom.wire import JoinClass, NewClass
from numberquest.server.hub import Hub
from numberquest.server.limits import Count, rate_name
from numberquest.server.listening import BACKLOG
from numberquest.server.log import REQUEST, process_figures, where
from numberquest.server.refusal import Refusal
from numberquest.server.tokens import hashed, opens, seats_of
from numberquest.server.web import http, openapi, oversight
from numberquest.server.web.api import DOCUMENT, MATCH, Route, checked_query
from numberquest.server.web.classes import ALL_ROUTES, ClassStream
from numberquest.server.web.connection import Connection, part, shake_hands
from numberquest.server.web.http import JSON, POLICY, RUNS_PYTHON, SECURITY, UNCACHED, Call, Reply
from numberquest.server.web.oversight import HardenedHandler, Oversight
from numberquest.server.web.pages import PAGES, Pages, introduced, previewed, shown
from numberquest.server.web.public_address import LOCAL, NOBODY, PublicAddress, is_here
from numberquest.server.web.sandbox import FRAME, allowing
from numberquest.server.web.stream import MatchStream, Stream

if TYPE_CHECKING:
    from aiohttp.typedefs import Handler

ANSWER_WITHIN: Final = 5.0
"""Seconds that a request under way has when the server stops."""
HELD: Final = 1.0
"""Seconds that a client with too many requests waits for the refusal."""
HELD_AT_ONCE: Final = 50
"""Requests of one address that wait for a refusal at once; a further one ends the connection."""
COUNTS_AS_ONE: Final = 32 * 1024
"""Bytes of an answer that count as one more request."""
VISITOR: Final = web.RequestKey("visitor", str)
"""The address of the client, as it is counted."""
HEALTH: Final = ("/healthz", "/readyz")
OK: Final = b'{"ok":true}'


class App:
    """The application: it answers every request."""

    def __init__(
        self,
        hub: Hub,
        place: PublicAddress = PublicAddress(),  # noqa: B008  # it never changes
        python: tuple[Mapping[str, Any], Mapping[str, bytes]] | None = None,
    ) -> None:
        """`python`: what the page needs to go on without us, and where it lies."""
        self.hub, self.classes = hub, Classes(hub)
        self.place = place
        self.pages = Pages(place.prefix, *(python or ()))
        self._headers = {**SECURITY, **(RUNS_PYTHON if python else {})}
        if python and FRAME in python[1]:
            self._headers[POLICY] = allowing(self._headers[POLICY], python[1][FRAME])
        self._streams: set[Stream] = set()
        self._held = Count(HELD_AT_ONCE)
        self.stopping = False
        self.web = web.Application(middlewares=[self._answered], client_max_size=wire.LARGEST_FRAME)
        self.web.on_response_prepare.append(self._secure)
        self.web.cleanup_ctx.append(self._life)
        self._add_routes()

    async def _life(self, _: web.Application) -> AsyncIterator[None]:
        await self.hub.start()
        await self.classes.start()
        yield
        await self.hub.close()

    def _add_routes(self) -> None:
        prefix, router = self.place.prefix, self.web.router
        # Whoever looks after the server need not know where its pages are.
        health = dict.fromkeys((*HEALTH, *(prefix + path for path in HEALTH)))
        self._at_any_host, self._api = frozenset(health), f"{prefix}/api/"
        # Everything else is a page, or nothing: a whole class may open them at once.
        self._counted = (self._api, f"{prefix}/ws/", f"{prefix}/metrics", *health)
        for route in ALL_ROUTES:
            path = prefix + re.sub(r"{(\w+)}", rf"{{\1:{MATCH}}}", route.path)
            for method in (route.method, "HEAD") if route.method == "GET" else (route.method,):
                router.add_route(method, path, partial(self._asked, route))
        others: dict[str, Handler] = {
            DOCUMENT: partial(self._json, wire.encode(openapi.document(prefix))),
            "/metrics": self._metrics,
            **{path: partial(self._page, file) for path, file in self.pages.files.items()},
            **dict.fromkeys(PAGES, partial(self._introduced, prefix)),
            "/m/{match}": self._match_page,
        }
        for path, handler in others.items():
            router.add_get(prefix + path, handler)
        for path in health:
            router.add_get(path, partial(self._json, OK) if path.endswith("/healthz") else self._readyz)
        if prefix:
            router.add_get(prefix, others["/"])
        router.add_get(prefix + "/ws/{match:.*}", self._connect, allow_head=False)

    async def _secure(self, _: web.Request, response: web.StreamResponse) -> None:
        """Put the headers on that every answer has; of what the server is made of, nothing is said."""
        response.headers.update(self._headers)
        response.headers.pop("Server", None)

    # ---- start and stop

    def stop(self) -> None:
        """End streams after a whole line, and refuse new connections that stay open."""
        self.stopping = True
        for stream in self._streams:
            stream.wake()

    # ---- every request

    @web.middleware
    async def _answered(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        connection = cast("HardenedHandler", request.protocol)
        connection.asked()
        visitor, began = self.place.visitor(request), time.perf_counter()
        request[VISITOR] = visitor
        try:
            await self._check(request, visitor)
            return await handler(request)
        except Refusal as refusal:
            if refusal.code == "wrong-host" and _in_browser(request):
                self._note(refusal.code, visitor)
                return self._response(http.plain_page(refusal))
            return self._refusal(refusal, visitor)
        except web.HTTPNotFound:
            return self._nothing_there(request, visitor)
        except web.HTTPMethodNotAllowed as error:
            return self._not_there(visitor, request.method, sorted(error.allowed_methods))
        except (web.HTTPException, web.RequestPayloadError):
            return self._refusal(Refusal("bad-request", Said("not-http")), visitor, close=True)
        except ConnectionError:
            # Nobody is there any more to be answered.
            return web.Response(status=400)
        except Exception as error:
            # Whatever it was, nobody outside is told more than this; the log has what and where, and no values.
            self.hub.log.error("request", what=type(error).__name__, where=where(error))
            return self._response(http.problem(Refusal("internal", Said("went-wrong-noted"))))
        finally:
            if connection.left is None:
                self.hub.metrics.took(time.perf_counter() - began, REQUEST)
            connection.answered()

    async def _check(self, request: web.Request, visitor: str) -> None:
        path, gate = request.path, self.hub.gate
        if not (gate.asked if path.startswith(self._counted) else gate.paged).allows(visitor):
            await self._hold(request, visitor)
            raise Refusal("too-many", Said("much-at-once"))
        if request.method == "CONNECT":
            raise web.HTTPBadRequest
        if path not in self._at_any_host and not self.place.answers_to(request):
            raise Refusal("wrong-host", Said("wrong-host"))

    async def _hold(self, request: web.Request, visitor: str) -> None:
        """Delay the refusal of too many requests: an immediate one would be asked again sooner."""
        if not self._held.more(visitor):
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionError
        try:
            await asyncio.sleep(HELD)
        finally:
            self._held.less(visitor)

    def _response(self, reply: Reply) -> web.Response:
        self.hub.metrics.asked(reply.status)
        return web.Response(body=reply.body, status=reply.status, headers={"Content-Type": reply.kind, **reply.headers})

    def _refusal(self, refusal: Refusal, visitor: str, close: bool = False) -> web.Response:
        self._note(refusal.code, visitor)
        response = self._response(http.problem(refusal))
        # The rest of what is being sent will not be read.
        if close or refusal.code == "too-long":
            response.force_close()
        return response

    def _note(self, code: str, visitor: str, match: str | None = None) -> None:
        self.hub.metrics.refused(code)
        self.hub.log.refused(code, visitor, match)

    def _nothing_there(self, request: web.Request, visitor: str) -> web.Response:
        if not request.path.startswith(self._api):
            if request.method not in ("GET", "HEAD"):
                return self._not_there(visitor, request.method, ["GET", "HEAD"])
            if _in_browser(request):
                # Somebody typed it into a browser: the page says so, with a way home.
                self._note("not-found", visitor)
                return self._response(shown(self.pages.index, request.headers, 404))
        return self._refusal(Refusal("not-found", Said("address-unknown")), visitor)

    def _not_there(self, visitor: str, method: str, allowed: list[str]) -> web.Response:
        response = self._refusal(Refusal("not-there", Said("address-does-not", {"method": method})), visitor)
        response.headers["Allow"] = ", ".join(allowed)
        return response

    # ---- the API

    async def _asked(self, route: Route, request: web.Request) -> web.StreamResponse:
        headers, visitor, gate = request.headers, request[VISITOR], self.hub.gate
        if not http.same_origin(headers):
            raise Refusal("wrong-origin", Said("wrong-origin"))
        token = http.token_in(headers)
        if route.seat and token is None:
            raise Refusal("no-seat", Said("seat-needed"))
        known = frozenset(parameter.name for parameter in route.parameters)
        query = checked_query(route, http.query_in(request.rel_url.raw_query_string, known))
        body = None if route.body is None else await self._body(request, route)
        key = body.key if isinstance(body, wire.NewMatch | wire.Join | NewClass | JoinClass) else None
        if key is not None and re.fullmatch(wire.SEAT_KEY, key) is None:
            raise Refusal("bad-request", Said("seat-key-none"))
        if route.creates and not gate.created.allows(visitor):
            raise Refusal("too-many", Said("much-in-a-minute"))
        match = request.match_info.get("match", "")
        if match:
            state = (await self.hub.room(match)).state
            invited = isinstance(body, wire.Join) and opens(body.invite, state.header.invite)
            if not gate.in_match.allows(rate_name(match, visitor, seats_of(token, state.tokens), invited)):
                raise Refusal("too-many", Said("much-in-match"))
        classroom = request.match_info.get("classroom", "")
        if classroom and not gate.in_match.allows(f"class {classroom} {hashed(token or '').hex()[:16]}"):
            raise Refusal("too-many", Said("class-much"))
        handler = route.handler
        if handler is None:
            # Only streams of events have none.
            if classroom:
                return await self._stream(await ClassStream.of(self.classes, classroom, token or ""), request)
            room = await self.hub.room(match)
            return await self._stream(MatchStream(room, await self.hub.seated(room, token)), request)
        waits = partial(_waits, request)
        call = Call(match, token, query, body, self.place.outside, visitor, waits, classroom, self.classes)
        reply, ready = await handler(self.hub, call), None
        if len(reply.body) > COUNTS_AS_ONE and "ETag" in reply.headers:
            ready = await asyncio.to_thread(http.packed, reply.body)
        reply = http.lighter(reply, headers, ready)
        gate.asked.uses(visitor, len(reply.body) // COUNTS_AS_ONE)
        return self._response(reply)

    async def _body(self, request: web.Request, route: Route) -> Any:
        if request.content_type != JSON:
            raise Refusal("not-json", Said("not-json"))
        too_long = Refusal("too-long", Said("too-long", {"largest": route.largest}))
        if (request.content_length or 0) > route.largest:
            raise too_long
        try:
            async with asyncio.timeout(oversight.ASK_WITHIN):
                body = await request.clone(client_max_size=route.largest).read()
        except web.HTTPRequestEntityTooLarge:
            raise too_long from None
        except TimeoutError:
            cast("HardenedHandler", request.protocol).end("slow")
            raise ConnectionError from None
        except RuntimeError:
            # aiohttp's word for a connection that has ended before the body came.
            raise ConnectionError from None
        return http.decoded(body, route.body)

    # ---- what is not the API

    async def _match_page(self, request: web.Request) -> web.Response:
        """The page of a match, with what a link to it shows where it is pasted."""
        match, home = request.match_info["match"], self.place.home(request)
        file = introduced(self.pages, "/", home)
        # Pages are for everybody; but who asks for very many is not looked up in the store for each.
        if re.fullmatch(MATCH, match) and self.hub.gate.asked.allows(request[VISITOR]):
            with contextlib.suppress(Refusal):
                file = previewed(self.pages, (await self.hub.room(match)).state, home)
        return await self._page(file, request)

    async def _introduced(self, prefix: str, request: web.Request) -> web.Response:
        path = request.path.removeprefix(prefix) or "/"
        return await self._page(introduced(self.pages, path, self.place.home(request)), request)

    async def _page(self, file: Any, request: web.Request) -> web.Response:
        reply = shown(file, request.headers, version=request.query.get("v", ""))
        self.hub.gate.paged.uses(request[VISITOR], len(reply.body) // COUNTS_AS_ONE)
        return self._response(reply)

    async def _json(self, body: bytes, _: web.Request) -> web.Response:
        return self._response(Reply(body))

    async def _readyz(self, request: web.Request) -> web.Response:
        await self.hub.store.ready()
        if self.hub.stopped_tasks:
            raise Refusal("busy", Said("task-stopped", {"tasks": sorted(self.hub.stopped_tasks)}))
        return await self._json(OK, request)

    async def _metrics(self, request: web.Request) -> web.Response:
        if self.place.metrics == NOBODY or (self.place.metrics == LOCAL and not is_here(request)):
            raise web.HTTPNotFound
        figures = self.hub.store.figures
        text = self.hub.metrics.text(
            {
                "numberquest_commits_total": figures.commits,
                "numberquest_commit_entries_total": figures.entries,
                "numberquest_commit_seconds_total": figures.seconds,
                "numberquest_connections": self.hub.gate.open.total,
                "numberquest_live_matches": self.hub.in_memory,
                "numberquest_open_matches": self.hub.open_matches,
                "numberquest_open_matches_limit": self.hub.gate.limits.matches,
                **self.hub.thinking.measured(),
                **{f'numberquest_errors_total{{kind="{kind}"}}': many for kind, many in self.hub.log.errors.items()},
                "numberquest_log_dropped_total": self.hub.log.dropped,
                **process_figures(),
            }
        )
        return self._response(Reply(text.encode(), kind="text/plain; version=0.0.4; charset=utf-8"))

    # ---- streams of events

    async def _stream(self, stream: Stream, request: web.Request) -> web.StreamResponse:
        visitor = request[VISITOR]
        if not self.hub.gate.enter(visitor):
            raise Refusal("too-many", Said("much-open"))
        # nginx keeps an answer to itself until it is whole, unless it is told not to.
        headers = {"Content-Type": "application/x-ndjson", "X-Accel-Buffering": "no", **UNCACHED}
        response = web.StreamResponse(headers=headers)
        response.force_close()
        connection = cast("HardenedHandler", request.protocol)
        # Nothing that comes now is listened to.
        connection.close()
        connection.left = stream.wake
        stream.come()
        self._streams.add(stream)
        try:
            await response.prepare(request)
            self.hub.metrics.asked(response.status)
            over = request.method == "HEAD"
            while not over:
                line = await stream.next_line()
                over = self.stopping or stream.over or request.transport is None
                if line:
                    await response.write(line + b"\n")
        finally:
            self._streams.discard(stream)
            stream.leave()
            self.hub.gate.leave(visitor)
        return response

    # ---- live connections

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        visitor, gate = request[VISITOR], self.hub.gate
        if not http.same_origin(request.headers):
            raise Refusal("wrong-origin", Said("wrong-origin"))
        if self.stopping or not gate.enter(visitor):
            raise Refusal("too-many", Said("much-from-address"))
        try:
            await shake_hands(request)
        except (Refusal, ConnectionError):
            gate.leave(visitor)
            raise
        self.hub.metrics.asked(101)
        connection = cast("HardenedHandler", request.protocol)
        Connection(self.hub, visitor, request.match_info["match"], self._note, connection)
        # To nobody: the line is no longer aiohttp's.
        return web.Response()


def _waits(request: web.Request) -> bool:
    """Whether the client is still connected."""
    return request.transport is not None


def _in_browser(request: web.Request) -> bool:
    """Whether a person looks at the answer in a browser."""
    return "text/html" in request.headers.get("Accept", "")


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
        going_round = app.hub.go(app.hub.background.keep_running("connections", oversight.go_round))
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
