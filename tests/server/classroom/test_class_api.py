"""A class over HTTP: what is refused, what is told, and that nobody sees or does what is another's."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any

from numberquest.server.web.app import ANSWER_WITHIN
from tests.server.classroom.taught import Online
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, connected, posted, request


class Events:
    """Reads the events of a class."""

    def __init__(self, taught: Online, token: str) -> None:
        header = f"Authorization: Bearer {token}"
        self._plug = connected(taught.server.port)
        host = f"127.0.0.1:{taught.server.port}"
        self._plug.sendall(request("GET", f"/api/classes/{taught.name}/events", header, host=host))
        self._file = self._plug.makefile("rb")
        while self._file.readline().strip():
            continue

    def until(self, true: Any) -> Any:
        """The first line from now on of which that is true."""
        while True:
            text = self._file.readline().strip()
            # Between the lines stand the lengths of what is sent in pieces.
            if text.startswith(b"{") and true(line := json.loads(text)):
                return line

    def close(self) -> None:
        self._file.close()
        self._plug.close()


def test_a_teacher_and_three_pupils_play_a_class_from_the_first_code_to_the_table_at_the_end(server: Running) -> None:
    taught = Online(server, game="sumquest", minutes=5)
    pupils = {name: taught.joins(name).json for name in ("Ann", "Bo", "Cy")}
    with ExitStack() as open_:
        _played_through(server, taught, pupils, open_)


def _played_through(server: Running, taught: Online, pupils: Any, open_: ExitStack) -> None:
    readers = {name: open_.enter_context(closing(Events(taught, one["token"]))) for name, one in pupils.items()}
    board = open_.enter_context(closing(Events(taught, taught.token)))
    assert {one["name"] for one in board.until(lambda line: "board" in line)["board"]["pupils"]} == set(pupils)
    taught.does("begin")
    seated = readers["Ann"].until(lambda line: line.get("seat", {}).get("match"))["seat"]
    assert seated["title"].startswith("Sum Quest")
    other = next(name for name in ("Bo", "Cy") if name == seated["opponent"])
    theirs = readers[other].until(lambda line: line.get("seat", {}).get("match"))["seat"]
    assert theirs["match"] == seated["match"]
    tokens = {seated["seat"]: seated["token"], theirs["seat"]: theirs["token"]}
    began = time.monotonic()
    with WebSocket(server.port, seated["match"]) as live:
        state = live.hello(seated["token"])["state"]
    while state["outcome"] is None:
        move = {"ply": state["ply"], "move": state["moves"][0]["move"]}
        answer = posted(server.port, f"/api/matches/{seated['match']}/moves", move, tokens[state["turn"]])
        state = answer.json
    line = readers["Ann"].until(lambda line: line.get("seat", {}).get("played") == 1)
    assert line["seat"]["points"] in (0, 1)
    assert board.until(lambda line: line.get("board", {}).get("played"))["board"]["played"] == 1
    # The third one plays the computer by now, or somebody who was free.
    assert readers["Cy" if other == "Bo" else "Bo"].until(lambda line: line.get("seat", {}).get("match"))
    assert time.monotonic() - began < 15
    taught.does("end")
    figures = taught.get("figures").json
    assert figures["games"] >= 1
    assert figures["exact"] == 1
    table = taught.get("report.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert table.body.decode("utf-8-sig").splitlines()[1].startswith("1,Ann,")
    for what in ("", "/review"):
        seen = asked(server.port, "GET", f"/api/matches/{seated['match']}{what}")
        assert (seen.status, seen.headers["x-keep"]) == (200, "no"), "no browser keeps anything of a class"
    taught.does("erase")
    assert board.until(lambda line: line.get("erased"))
    assert taught.get("board").status == 404
    assert asked(server.port, "GET", f"/api/matches/{seated['match']}").status == 404


def test_a_server_that_stops_waits_for_no_reader_of_a_class(fresh: Running) -> None:
    taught = Online(fresh)
    tokens = [taught.token, taught.joins("Ann").json["token"]]
    with ExitStack() as open_:
        for token in tokens:
            reader = open_.enter_context(closing(Events(taught, token)))
            assert reader.until(lambda line: "board" in line or "seat" in line)
        began = time.monotonic()
        assert fresh.stop() == 0
        assert time.monotonic() - began < ANSWER_WITHIN


def test_only_the_teacher_teaches_and_only_the_pupil_sits_on_a_seat(server: Running) -> None:
    taught = Online(server, key="t" * 22)
    assert Online(server, key="t" * 22).token == taught.token, "the same request has the same class"
    ann, bo = (taught.joins(name).json for name in ("Ann", "Bo"))
    for what in ("board", "figures", "report", "report.csv"):
        assert taught.get(what, ann["token"]).status == 403, what
        assert taught.get(what, "x" * 43).status == 403, what
        assert asked(server.port, "GET", f"/api/classes/{taught.name}/{what}").status == 403, what
    for do in ("begin", "erase", "reseat"):
        path = f"/api/classes/{taught.name}/board"
        assert posted(server.port, path, {"do": do, "pupil": 1}, ann["token"]).json["code"] == "no-seat"
    assert taught.get("seat", taught.token).status == 403
    assert taught.get("seat", ann["token"]).json["name"] == "Ann"
    assert taught.get("events", "x" * 43).status == 403
    assert taught.acts(ann["token"], "raise").json["hand"]
    assert not taught.get("seat", bo["token"]).json["hand"]
    taught.does("remove", pupil=1)
    assert taught.get("seat", ann["token"]).json["removed"]


def test_a_pupil_cannot_flood_a_class(server: Running) -> None:
    taught = Online(server)
    ann = taught.joins("Ann").json["token"]
    answers = [taught.acts(ann, ("raise", "lower")[at % 2]).status for at in range(30)]
    assert answers[:15] == [200] * 15
    assert answers[-1] == 429


def test_thirty_come_in_at_the_same_moment_and_each_has_a_seat_of_their_own(server: Running) -> None:
    taught = Online(server)
    with ThreadPoolExecutor(30) as pool:
        seated = list(pool.map(lambda at: taught.joins(f"Pupil {at}"), range(30)))
    assert {answer.status for answer in seated} == {200}
    assert len({answer.json["token"] for answer in seated}) == 30
    assert sorted(answer.json["seat"]["pupil"] for answer in seated) == list(range(1, 31))


def test_what_is_wrong_with_a_request_is_said_in_a_sentence(server: Running) -> None:
    taught = Online(server)
    for wish, why in (
        ({"game": "sumquest", "settings": {"target": 1}}, "target"),
        ({"game": "nothing"}, "nothing"),
        ({"game": "sumquest", "level": "genius"}, "opponent is one of"),
        ({"game": "sumquest", "names": "roster"}, "how long the list is"),
    ):
        answer = posted(server.port, "/api/classes", wish)
        assert (answer.status, why in answer.json["error"].lower()) == (400, True), answer.body
    for act, why in (
        ({"do": "ask"}, "Ask one thing"),
        ({"do": "ask", "after": ["77"]}, "no position"),
        ({"do": "rename", "pupil": 9, "name": "X"}, "no such pupil"),
        ({"do": "rename", "pupil": 1}, "what you are called"),
        ({"do": "next"}, "next round"),
        ({"do": "reseat", "pupil": 1}, "no such pupil"),
        ({"do": "uncover"}, "not asked any more"),
        ({"do": "time"}, "1 to 180"),
    ):
        answer = posted(server.port, f"/api/classes/{taught.name}/board", act, taught.token)
        assert 400 <= answer.status < 500, answer.body
        assert why in answer.json["error"], answer.body


def _at_a_table(taught: Online, seated: Any) -> Any:
    with closing(Events(taught, seated["token"])) as reader:
        return reader.until(lambda line: line.get("seat", {}).get("match"))["seat"]


def test_an_old_device_plays_no_more_when_the_seat_has_gone_to_a_new_one_even_on_its_open_line(server: Running) -> None:
    taught = Online(server, way="computer", level="random")
    ann = taught.joins("Ann").json
    taught.does("begin")
    seat = _at_a_table(taught, ann)
    with WebSocket(server.port, seat["match"]) as old:
        state = old.hello(seat["token"])["state"]
        while state["turn"] != seat["seat"]:
            state = {**state, **old.frame().json["change"]}
        assert "in the class already" in taught.joins("Ann").json["error"]
        new = taught.joins("Ann", again=True).json
        assert new["seat"]["waits"]
        with closing(Events(taught, ann["token"])) as reader:
            taught.does("reseat", pupil=1)
            assert reader.until(lambda line: line.get("gone"))
        move = {"ply": state["ply"], "move": state["moves"][0]["move"]}
        now = _at_a_table(taught, new)
        assert now["match"] == seat["match"]
        old.say(type="move", key="late", **move)
        while (told := old.frame().json)["type"] != "refused":
            continue
        assert told["code"] == "no-seat"
        path = f"/api/matches/{seat['match']}"
        assert posted(server.port, f"{path}/moves", move, seat["token"]).json["code"] == "no-seat"
        ply = asked(server.port, "GET", path).json["ply"]
        assert posted(server.port, f"{path}/moves", {**move, "ply": ply}, now["token"]).status == 200


def test_hints_are_given_only_where_the_teacher_wants_them_and_there_is_no_rematch(server: Running) -> None:
    for hints in (True, False):
        taught = Online(server, way="computer", level="random", hints=hints)
        ann = taught.joins("Ann").json
        taught.does("begin")
        seat = _at_a_table(taught, ann)
        path = f"/api/matches/{seat['match']}"
        with WebSocket(server.port, seat["match"]) as live:
            state = live.hello(seat["token"])["state"]
            while state["turn"] != seat["seat"]:
                state = {**state, **live.frame().json["change"]}
        answer = posted(server.port, f"{path}/hints", {"ply": state["ply"], "step": 1}, seat["token"])
        assert answer.status == (200 if hints else 409), answer.body
        coach = asked(server.port, "GET", f"{path}/coach", f"Authorization: Bearer {seat['token']}")
        assert coach.status == (200 if hints else 409), coach.body
        ply = asked(server.port, "GET", path).json["ply"]
        posted(server.port, f"{path}/actions", {"ply": ply, "do": "resign"}, seat["token"])
        again = posted(server.port, f"{path}/actions", {"ply": ply + 1, "do": "rematch"}, seat["token"])
        assert "by itself" in again.json["error"]
