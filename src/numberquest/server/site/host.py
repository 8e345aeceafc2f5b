"""The server's own hub in a worker of the page: the same routes, messages and matches, without a network.

worker.js loads this into Pyodide, and passes on what the page asks: requests as `answer`, live connections as lines.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import MsgspecError

from numberquest.core.sentences import Said
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log, where
from numberquest.server.refusal import Refusal
from numberquest.server.site.page_store import PageStore
from numberquest.server.think import tasks
from numberquest.server.think.pool import Thinking
from numberquest.server.think.worker import answered
from numberquest.server.web import http
from numberquest.server.web.api import MATCH, ROUTES, Route, checked_query
from numberquest.server.web.http import Call, Reply
from numberquest.server.web.session import Session, decoded
from numberquest.solver import table

MANY: Final = 1_000_000_000
"""One person asks as much as they like."""
LIMITS: Final = Limits(rate=MANY, created=MANY, thought=MANY, matches=MANY, stored=MANY)
Say = Callable[[str], object]


class PageThinking(Thinking):
    """Thinks at once and here, with the very code of a server's worker."""

    @property
    def stopped(self) -> bool:
        """Never: it ends with the page."""
        return False

    async def _answer(self, key: bytes, *_: object) -> tasks.Answer:
        # What has been said is seen before the work begins.
        await asyncio.sleep(0)
        return answered(key)


@dataclass(slots=True, eq=False)
class PageLine(Session):
    """A live connection of the page."""

    say: Say = field(kw_only=True)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    over: bool = field(default=False, init=False)

    def _write(self, body: bytes) -> None:
        if not self.over:
            self.say(body.decode())

    def _is_over(self) -> bool:
        return self.over

    async def hear(self, text: str) -> bool:
        """A message of the page; false where the connection must end."""
        async with self.lock:
            try:
                return await self.obey(decoded(text.encode()))
            except (Refusal, MsgspecError):
                return False

    def close(self) -> None:
        self.over = True
        self.leave()


class Host:
    """Answers what the page asks."""

    def __init__(self, database: Any, secret: bytes) -> None:
        # A page's files are in its memory.
        table.keeping = False
        self._log = Log(None)
        self.hub = Hub(
            PageStore(database, secret), PageThinking(), Gate(LIMITS), self._log, steady=lambda: 0.0, boot=""
        )
        self._lines: dict[int, PageLine] = {}
        name = f"(?P<match>{MATCH})"
        asked = [one for one in ROUTES if one.handler is not None]
        self._routes = [(one, re.compile(one.path.replace("{match}", name))) for one in asked]

    async def answer(self, method: str, address: str, body: str, token: str) -> Sequence[Any]:
        """The status, kind and text of the answer to a request."""
        try:
            reply = await self._answer(method, address, body, token or None)
        except Refusal as refusal:
            reply = http.problem(refusal)
        except Exception as error:
            # As on a server, nobody at the page is told more than this.
            self._log.error("request", what=type(error).__name__, where=where(error))
            reply = http.problem(Refusal("internal", Said("went-wrong-noted")))
        return reply.status, reply.kind, reply.body.decode()

    async def _answer(self, method: str, address: str, body: str, token: str | None) -> Reply:
        path, _, query = address.partition("?")
        route, match = self._route(method, f"/{path}")
        asked = checked_query(route, http.query_in(query, frozenset(one.name for one in route.parameters)))
        wish = None if route.body is None else http.decoded(body.encode(), route.body)
        assert route.handler is not None  # noqa: S101  # only those are listed
        return await route.handler(self.hub, Call(match, token, asked, wish))

    def _route(self, method: str, path: str) -> tuple[Route, str]:
        for route, pattern in self._routes:
            found = pattern.fullmatch(path)
            if found and route.method == method:
                return route, found.groupdict().get("match", "")
        raise Refusal("not-found", Said("address-unknown"))

    def open(self, name: int, match: str, say: Say) -> None:
        """A live connection, with a match in its address."""
        self._lines[name] = PageLine(self.hub, "", match, lambda *_: None, say=say)

    async def hear(self, name: int, text: str) -> bool:
        """A message over a live connection; false where it must end."""
        line = self._lines.get(name)
        return line is not None and await line.hear(text)

    def close(self, name: int) -> None:
        line = self._lines.pop(name, None)
        if line is not None:
            line.close()
