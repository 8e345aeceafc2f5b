"""A class made by programs: for pictures of it, and for whoever wants to look at one."""

from __future__ import annotations

import http.client
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from numberquest.client import Seat, new_key
from numberquest.server import wire
from numberquest.server.classroom import wire as messages
from tests.server.running import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Page

    from numberquest.client import Client


class ClassRoom:
    """A teacher, and pupils who read what happens, which is how they are there."""

    def __init__(self, client: Client, url: str, game: str, names: Iterable[str], **wishes: Any) -> None:
        self._client, self._url, self._open = client, url, ExitStack()
        wish = messages.NewClass(game=game, key=new_key(), **wishes)
        self.opened = client.post("/api/classes", wish, messages.ClassOpened)
        self.pupils = [self._comes_in(name) for name in names]

    def _comes_in(self, name: str) -> messages.ClassSeated:
        wish = messages.JoinClass(code=self.opened.code, name=name, key=new_key())
        seated = self._client.post("/api/classes/join", wish, messages.ClassSeated)
        line = http.client.HTTPConnection(urlsplit(self._url).netloc)
        self._open.callback(line.close)
        line.request("GET", f"{self._path}/events", headers={"Authorization": f"Bearer {seated.token}"})
        self._open.callback(line.getresponse().close)
        return seated

    @property
    def _path(self) -> str:
        return f"/api/classes/{self.opened.classroom}"

    def close(self) -> None:
        """Everybody goes."""
        self._open.close()

    def teaches(self, do: Any, **more: Any) -> messages.ClassBoard:
        """Something that the teacher does."""
        wish = messages.TeacherAct(do=do, key=new_key(), **more)
        return self._client.post(f"{self._path}/board", wish, messages.ClassBoard, self.opened.token)

    def answers(self, pupil: messages.ClassSeated, answer: str) -> None:
        """What a pupil says to the question that is asked."""
        question = self.seat(pupil).question
        assert question is not None
        act = messages.PupilAct(do="answer", question=question.number, answer=answer)
        self._client.post(f"{self._path}/seat", act, messages.ClassSeat, pupil.token)

    def raises_a_hand(self, pupil: messages.ClassSeated) -> None:
        self._client.post(f"{self._path}/seat", messages.PupilAct(do="raise"), messages.ClassSeat, pupil.token)

    def seat(self, pupil: messages.ClassSeated) -> messages.ClassSeat:
        """What a pupil sees."""
        return self._client.get(f"{self._path}/seat", messages.ClassSeat, pupil.token)

    def board(self) -> messages.ClassBoard:
        """What the teacher sees."""
        return self._client.get(f"{self._path}/board", messages.ClassBoard, self.opened.token)

    def tables(self) -> list[dict[int, Seat]]:
        """The seats at each table, once everybody sits."""
        wait_until(lambda: all(self.seat(pupil).token for pupil in self.pupils))
        found: dict[str, dict[int, Seat]] = {}
        for pupil in self.pupils:
            at = self.seat(pupil)
            assert at.match is not None
            assert at.token is not None
            assert at.seat is not None
            seated = wire.Seated(at.match, [at.seat], at.token, None, self._client.look(at.match))
            found.setdefault(at.match, {})[at.seat] = Seat(self._client, seated)
        return list(found.values())

    def looks_on(self, page: Page) -> None:
        """Open the teacher's desk."""
        page.goto(f"/class/{self.opened.code}#class={self.opened.classroom}&teacher={self.opened.token}")
