"""A class for tests: at a hub with a clock that the test has, or at a running server over HTTP."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from numberquest.server import wire
from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.classes import Classes
from numberquest.server.classroom.live import LiveClass
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import SqlStore
from numberquest.server.think.pool import Thinking
from numberquest.server.web.http import problem
from tests.server.running import Running
from tests.server.websocket import Answer, asked, posted


class Clock:
    """Steady time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Taught:
    """A teacher with their class, and the clock of its server."""

    def __init__(self, classes: Classes, clock: Clock, opened: messages.ClassOpened) -> None:
        self.classes, self.clock, self.opened = classes, clock, opened
        self.hub = classes.hub
        self.seats: dict[str, messages.ClassSeated] = {}
        self.keys: dict[str, str] = {}
        self.away: set[str] = set()

    async def live(self) -> LiveClass:
        return await self.classes.as_teacher(self.opened.classroom, self.opened.token)

    async def come(self, *names: str, address: str = "10.0.0.1", **more: Any) -> None:
        for name in names:
            key = self.keys.setdefault(name, secrets.token_urlsafe(18))
            wish = messages.JoinClass(self.opened.code, key, name=name, **more)
            self.seats[name] = await self.classes.join(wish, address)

    async def does(self, do: Any, **more: Any) -> messages.ClassBoard:
        live = await self.live()
        await self.classes.teach(live, messages.TeacherAct(do, **more))
        await self.settled()
        return self.classes.board(live)

    async def asks(self, name: str, do: Any, **more: Any) -> None:
        await self.classes.act(await self.live(), self.seats[name].token, messages.PupilAct(do, **more))

    async def board(self) -> messages.ClassBoard:
        return self.classes.board(await self.live())

    async def sees(self, name: str) -> messages.ClassSeat:
        seat = self.classes.news(await self.live(), self.seats[name].token).seat
        assert isinstance(seat, messages.ClassSeat)
        return seat

    async def settled(self) -> None:
        """Until all that the class has decided is carried out."""
        live = await self.live()
        while live.unsettled or live.settling.locked():
            await asyncio.sleep(0.002)

    async def looked_through(self) -> None:
        """Until every game that is over has been looked through; for that there must be workers."""
        live = await self.live()
        while live.looking:
            await asyncio.sleep(0.002)

    async def seconds(self, seconds: float, step: float = 1.0) -> None:
        """Let time pass, with everybody here but those who are away."""
        live = await self.live()
        for _ in range(max(1, round(seconds / step))):
            self.clock.now += step
            here = [one.number for one in live.state.present if one.name not in self.away]
            live.stay(here, self.hub.time.now())
            await self.classes.tick(live, self.hub.time.now())
            await self.settled()

    async def play(self, name: str, moves: int = 1000) -> None:
        """So many moves in the game that this pupil sits at, whoever's turn it is; until it is over if left out."""
        seat = await self.sees(name)
        assert seat.match is not None
        room = await self.hub.room(seat.match)
        while moves and not room.state.over:
            state = room.state
            assert state.turn is not None
            await self.hub.do(room, [state.turn], wire.Move(state.ply, state.line.moves[0]))
            moves -= 1
        await self.settled()

    async def again(self) -> None:
        """As after a kill of the server: all that was in memory is gone."""
        await self.hub.close()
        store = self.hub.store
        self.hub = hub_of(store, self.clock)
        self.classes = Classes(self.hub, lambda: 0)


def hub_of(store: Any, steady: Clock, clock: Callable[[], float] = time.time) -> Hub:
    return Hub(store, Thinking(1), Gate(Limits()), Log(None), clock=clock, steady=steady, boot="one")


@asynccontextmanager
async def teaching(
    store: SqlStore, *names: str, game: str = "sumquest", address: str = "10.0.0.9", **wishes: Any
) -> AsyncIterator[Taught]:
    """A class with these pupils in it, opened at this address."""
    clock = Clock()
    classes = Classes(hub_of(store, clock), lambda: 0)
    taught = Taught(classes, clock, await classes.open(messages.NewClass(game, **wishes), address))
    await taught.come(*names)
    try:
        yield taught
    finally:
        await taught.hub.close()


async def refusal_of(asked: Awaitable[object]) -> str:
    """The sentence with which it is refused."""
    try:
        await asked
    except Exception as refused:  # whatever it is, the test sees it
        return str(refused)
    raise AssertionError("it was not refused")


async def code_of(asked: Awaitable[object]) -> tuple[str, float]:
    """The code of the sentence with which it is refused, and the seconds of `Retry-After`; empty where it is not."""
    try:
        await asked
    except Refusal as refused:
        return refused.said.code, float(problem(refused).headers.get("Retry-After", 0))
    return "", 0.0


class Online:
    """A teacher with their class, over HTTP."""

    def __init__(self, server: Running, **wishes: Any) -> None:
        self.server = server
        answer = posted(server.port, "/api/classes", {"game": "sumquest", **wishes})
        assert answer.status == 201, answer.body
        self.opened: Any = answer.json
        self.name, self.code, self.token = (self.opened[field] for field in ("classroom", "code", "token"))

    def get(self, what: str, token: str | None = None) -> Answer:
        header = f"Authorization: Bearer {self.token if token is None else token}"
        return asked(self.server.port, "GET", f"/api/classes/{self.name}/{what}", header)

    def does(self, do: str, **more: Any) -> Any:
        """Something that the teacher does; returns the board."""
        answer = posted(self.server.port, f"/api/classes/{self.name}/board", {"do": do, **more}, self.token)
        assert answer.status == 200, answer.body
        return answer.json

    def joins(self, name: str, **more: Any) -> Answer:
        wish = {"code": self.code, "name": name, "key": secrets.token_urlsafe(18), **more}
        return posted(self.server.port, "/api/classes/join", wish)

    def acts(self, token: str, do: str, **more: Any) -> Answer:
        return posted(self.server.port, f"/api/classes/{self.name}/seat", {"do": do, **more}, token)


def lines_of(text: bytes) -> list[Any]:
    """The lines of a stream that are whole."""
    return [json.loads(line) for line in text.splitlines() if line.endswith(b"}")]
