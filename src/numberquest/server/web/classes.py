"""The part of the API that is about classes: its routes stand in the same table as all others."""

import asyncio
import secrets
from typing import Final

from msgspec.structs import replace

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.classes import Classes
from numberquest.server.classroom.live import LiveClass
from numberquest.server.classroom.views import table_of
from numberquest.server.hub import Hub
from numberquest.server.refusal import Refusal
from numberquest.server.tokens import opens
from numberquest.server.web.api import ROUTES, Route, route
from numberquest.server.web.http import UNCACHED, Call, Reply
from numberquest.server.web.stream import Stream

LARGEST: Final = 16 * 1024
"""What a teacher asks may be this long: a position is told by all moves that led to it."""
TEACHER_EVERY: Final = 0.4
"""Seconds, at least, between two lines that a teacher is told."""
WAITING: Final = 0
"""Who reads but has no seat yet, as the number of a pupil: that makes nobody present."""
LASTS: Final = 12.0
"""Seconds after which the stream of a pupil ends, to be asked for anew: a phone that is gone says no goodbye."""
_OF_A_CLASS = ("no-seat", "not-found", "not-allowed")


def _classes(call: Call) -> Classes:
    if call.classes is None:
        raise Refusal("not-found", Said("class-unknown"))
    return call.classes


@route("POST /api/classes", messages.ClassOpened, body=messages.NewClass, status=201, creates=True)
async def _open(_: Hub, call: Call) -> Reply:
    """Open a class: its code, which is for the pupils, and its token, which is for the teacher."""
    return Reply(wire.encode(await _classes(call).open(call.body, call.address)), 201)


@route("POST /api/classes/join", messages.ClassSeated, body=messages.JoinClass, creates=True, troubles=_OF_A_CLASS)
async def _join(_: Hub, call: Call) -> Reply:
    """Come into a class by its code, or come back to one's seat."""
    return Reply(wire.encode(await _classes(call).join(call.body, call.address)))


@route("GET /api/classes/{classroom}/board", messages.ClassBoard, seat=True, troubles=_OF_A_CLASS)
async def _board(_: Hub, call: Call) -> Reply:
    """All that the teacher sees: pupils, tables with their boards, the question that is asked."""
    classes = _classes(call)
    return Reply(wire.encode(classes.board(await classes.as_teacher(call.classroom, call.token))))


@route(
    "POST /api/classes/{classroom}/board",
    messages.ClassBoard,
    body=messages.TeacherAct,
    seat=True,
    largest=LARGEST,
    troubles=(*_OF_A_CLASS, "late", "too-large"),
)
async def _teach(_: Hub, call: Call) -> Reply:
    """Begin, pause, lock, rename, remove, ask, uncover, end, erase. The answer is how the class is then."""
    classes = _classes(call)
    live = await classes.as_teacher(call.classroom, call.token)
    await classes.teach(live, call.body)
    return Reply(wire.encode(classes.board(live)))


@route("GET /api/classes/{classroom}/seat", messages.ClassSeat, seat=True, troubles=_OF_A_CLASS)
async def _seat(_: Hub, call: Call) -> Reply:
    """All that a pupil sees: the game they play, with what opens their seat in it, and the question that is asked."""
    classes = _classes(call)
    return Reply(wire.encode(classes.seat(*await classes.as_pupil(call.classroom, call.token))))


@route(
    "POST /api/classes/{classroom}/seat",
    messages.ClassSeat,
    body=messages.PupilAct,
    seat=True,
    troubles=(*_OF_A_CLASS, "late"),
)
async def _act(hub: Hub, call: Call) -> Reply:
    """Raise a hand, take it down, or answer the question."""
    classes = _classes(call)
    await classes.act(await classes.live(call.classroom), call.token, call.body)
    return await _seat(hub, call)


ROUTES.append(
    Route(
        "GET",
        "/api/classes/{classroom}/events",
        "A line of JSON, a ClassNews, now and after each change: what the teacher sees, or the pupil.",
        None,
        messages.ClassNews,
        seat=True,
        troubles=("not-found",),
    )
)


@route("GET /api/classes/{classroom}/figures", messages.ClassFigures, seat=True, troubles=_OF_A_CLASS)
async def _figures(_: Hub, call: Call) -> Reply:
    """What the class as a whole has done: how often who began has won, what is true, and what was missed most."""
    classes = _classes(call)
    return Reply(wire.encode(await classes.figures(await classes.as_teacher(call.classroom, call.token))))


@route("GET /api/classes/{classroom}/report", messages.ClassReport, seat=True, troubles=_OF_A_CLASS)
async def _report(_: Hub, call: Call) -> Reply:
    """Of each pupil the games, the key moments found and the commonest slip."""
    classes = _classes(call)
    return Reply(wire.encode(await classes.report(await classes.as_teacher(call.classroom, call.token))))


@route("GET /api/classes/{classroom}/report.csv", str, seat=True, kind="text/csv", troubles=_OF_A_CLASS)
async def _table(_: Hub, call: Call) -> Reply:
    """The same as a table for a spreadsheet, a row for each pupil."""
    classes = _classes(call)
    live = await classes.as_teacher(call.classroom, call.token)
    headers = {**UNCACHED, "Content-Disposition": f'attachment; filename="class-{live.state.header.code}.csv"'}
    text = table_of(await classes.report(live))
    return Reply(text.encode("utf-8-sig"), kind="text/csv; charset=utf-8", headers=headers)


@route(
    "GET /api/classes/{classroom}/worksheet",
    str,
    seat=True,
    kind="text/html",
    troubles=(*_OF_A_CLASS, "too-large"),
)
async def _worksheet(_: Hub, call: Call) -> Reply:
    """The three positions most often got wrong, as a page to print, with the answers on a page of their own."""
    classes = _classes(call)
    live = await classes.as_teacher(call.classroom, call.token)
    headers = {**UNCACHED, "Content-Disposition": f'attachment; filename="worksheet-{live.state.header.code}.html"'}
    return Reply((await classes.worksheet(live)).encode(), kind="text/html; charset=utf-8", headers=headers)


ALL_ROUTES: Final = ROUTES
"""Everything that can be asked, those of this file too."""


class ClassStream(Stream):
    """Somebody who reads what happens in a class: each line is all that they may see."""

    def __init__(self, classes: Classes, live: LiveClass, token: str, pupil: int | None) -> None:
        super().__init__()
        self.pupil = pupil
        if pupil is not None:
            self.until = asyncio.get_running_loop().time() + LASTS * (1 + secrets.randbelow(1000) / 4000)
        self._classes, self._live, self._token = classes, live, token
        self._told: messages.ClassSeat | None = None
        self._over = False
        self._next = 0.0

    @classmethod
    async def of(cls, classes: Classes, classroom: str, token: str) -> "ClassStream":
        """For whoever has this token; refused where it is neither the teacher's nor a pupil's."""
        live = await classes.live(classroom)
        if opens(token, live.state.header.teacher):
            return cls(classes, live, token, None)
        one, device = classes.pupil(live, token)
        return cls(classes, live, token, one.number if device == one.device else WAITING)

    @property
    def over(self) -> bool:
        return self._over or asyncio.get_running_loop().time() >= self.until

    def come(self) -> None:
        self._live.readers.add(self)
        self._live.changed(teacher_only=True)

    def leave(self) -> None:
        self._live.readers.discard(self)
        self._live.changed(teacher_only=True)

    async def next_line(self) -> bytes:
        # A teacher sees thirty boards: what happens at all of them in a moment is told together.
        now = asyncio.get_running_loop().time()
        if self.pupil is None and now < self._next:
            await asyncio.sleep(self._next - now)
        self._next = max(now, self._next) + TEACHER_EVERY
        return await super().next_line()

    def line(self) -> bytes:
        try:
            news = self._classes.news(self._live, self._token)
        except Refusal:
            # The seat belongs to another device now.
            self._over = True
            return wire.encode(messages.ClassNews(gone=True))
        self._over = news.erased
        if isinstance(news.seat, messages.ClassSeat):
            # The time goes on by itself.
            seat = replace(news.seat, left=None)
            self.pupil = WAITING if seat.waits else seat.pupil
            if seat == self._told:
                return b""
            self._told = seat
        return wire.encode(news)
