"""Who is away: said when a connection has been gone for a while, taken back at once, and never where nobody knows."""

from __future__ import annotations

import asyncio
import functools
import json
import selectors
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.room import AWAY_AFTER, SIGN_EVERY, Presence, Room
from tests.conftest import in_ci
from tests.server.attacked import Friends, friends
from tests.server.keeping import a_match
from tests.server.running import Running
from tests.server.websocket import WebSocket, posted


class Jumping(asyncio.SelectorEventLoop):
    """Its time stands still while there is something to do, and jumps to the next thing when there is not.

    So whatever is said at once comes before whatever comes later, on however busy a machine.
    """

    def __init__(self) -> None:
        self._now = 0.0
        loop = self

        class Selector(selectors.DefaultSelector):
            def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
                if timeout:
                    loop._now += timeout
                    timeout = 0.0
                return super().select(timeout)

        super().__init__(Selector())

    def time(self) -> float:
        return self._now


class Process:
    """One server as far as this goes: a room, and word to and from the others."""

    def __init__(self, others: list[Process], opponent: str = "friend") -> None:
        self.hears = True
        self.others = others
        self.said: list[str] = []
        state = folded(a_match("match", opponent=opponent), [])
        self.room = Room(state, None)  # type: ignore[arg-type]  # nothing is shown
        store: Any = self
        self.presence = Presence(store, {"match": self.room}.get)
        others.append(self)

    def pass_on(self, match: str, word: str) -> None:
        self.said.append(word)
        for other in self.others:
            if other is not self and other.hears:
                asyncio.get_running_loop().call_soon(other.presence.heard, match, word)


class Somebody:
    """A connection."""

    def __init__(self, at: Process, *seats: int) -> None:
        self.at, self.seats, self.heard = at, list(seats), list[Any]()
        at.room.watchers.add(self)
        at.presence.came(at.room, self.seats)

    def told(self, update: bytes, done: str | None = None) -> None:
        raise AssertionError("nothing has changed in the match")

    def passed(self, frame: bytes) -> None:
        self.heard.append(json.loads(frame))

    def leaves(self) -> None:
        self.at.room.watchers.discard(self)
        self.at.presence.went(self.at.room, self.seats)

    @property
    def away(self) -> list[list[int]]:
        return [frame["away"] for frame in self.heard]


def jumping(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test in a loop whose time jumps."""

    @functools.wraps(test)
    def run(*arguments: Any, **more: Any) -> None:
        with asyncio.Runner(loop_factory=Jumping) as runner:
            runner.run(test(*arguments, **more))

    return run


async def a_while() -> None:
    """Long enough for whatever is to be said."""
    await asyncio.sleep(3 * AWAY_AFTER)


@jumping
async def test_whoever_is_gone_for_a_while_is_away_and_is_back_when_they_come() -> None:
    here = Process([])
    ann, bo = Somebody(here, 0), Somebody(here, 1)
    watcher = Somebody(here)
    await a_while()
    assert ann.away == []
    bo.leaves()
    assert ann.away == []
    await a_while()
    assert ann.away == watcher.away == [[2]]
    assert here.presence.away("match") == [2]
    Somebody(here, 1)
    assert ann.away == watcher.away == [[2], []]


@jumping
async def test_who_comes_back_in_time_or_has_another_tab_was_never_away() -> None:
    here = Process([])
    ann, bo, again = Somebody(here, 0), Somebody(here, 1), Somebody(here, 1)
    bo.leaves()
    await a_while()
    again.leaves()
    Somebody(here, 1)
    await a_while()
    assert ann.away == []


@jumping
async def test_who_never_came_since_somebody_looks_is_away_too() -> None:
    here = Process([])
    ann = Somebody(here, 0)
    await a_while()
    assert ann.away == [[2]]
    ann.leaves()
    assert here.presence.away("match") == [], "nobody looks, so nothing is remembered"


@jumping
async def test_that_somebody_is_away_is_said_once_however_many_come_to_look() -> None:
    here = Process([])
    ann = Somebody(here, 0)
    await asyncio.sleep(AWAY_AFTER / 2)
    Somebody(here)
    await a_while()
    Somebody(here)
    await a_while()
    assert ann.away == [[2]]


@pytest.mark.parametrize("opponent", ["screen", "hard"])
@jumping
async def test_only_of_two_friends_anything_is_said(opponent: str) -> None:
    here = Process([], opponent)
    ann = Somebody(here, 0)
    await a_while()
    assert ann.heard == here.said == []


@jumping
async def test_who_is_at_another_process_is_not_away_and_their_going_is_heard() -> None:
    both: list[Process] = []
    here, there = Process(both), Process(both)
    bo = Somebody(there, 1)
    await a_while()
    assert bo.away == [[1]]
    ann = Somebody(here, 0)
    await a_while()
    assert ann.away == []
    assert bo.away == [[1], []]
    bo.leaves()
    await a_while()
    assert ann.away == [[2]]
    Somebody(there, 1)
    await asyncio.sleep(0)
    assert ann.away == [[2], []]


@jumping
async def test_who_leaves_one_process_and_stays_at_another_is_not_away() -> None:
    both: list[Process] = []
    here, there = Process(both), Process(both)
    ann, bo, other = Somebody(here, 0), Somebody(here, 1), Somebody(there, 1)
    # What was said when they came says nothing about who leaves now.
    await a_while()
    bo.leaves()
    await a_while()
    assert ann.away == other.away == []
    # And who closes one of two tabs is not said to be gone anywhere.
    Somebody(there, 1)
    other.leaves()
    await a_while()
    assert ann.away == []


@jumping
async def test_at_however_many_servers_a_seat_is_it_sends_no_two_signs_at_once() -> None:
    others: list[Process] = []
    seats, dice, sent = [Somebody(Process(others), 0) for _ in range(3)], Random(1), list[float]()
    for _ in range(60):
        await asyncio.sleep(dice.choice([0.1, SIGN_EVERY / 2, SIGN_EVERY]))
        one = dice.choice(seats)
        with suppress(Refusal):
            one.at.presence.sign(one.at.room, 0, "wave", one)
            sent.append(asyncio.get_running_loop().time())
    assert len(sent) > 20
    assert min(later - before for before, later in pairwise(sent)) >= SIGN_EVERY


@jumping
async def test_where_word_may_have_been_lost_nothing_is_said_of_anybody() -> None:
    both: list[Process] = []
    here, there = Process(both), Process(both)
    ann = Somebody(here, 0)
    await a_while()
    assert ann.away == [[2]]
    here.hears = False
    here.presence.begin_anew([here.room])
    assert ann.away == [[2], []]
    Somebody(there, 1)
    watcher = Somebody(here)
    await a_while()
    assert ann.away == [[2], []], "silence says nothing now"
    assert watcher.away == []
    here.hears = True
    here.presence.begin_anew([here.room])
    await a_while()
    assert ann.away == [[2], []], "asked anew, the other process has said that Bo is there"


@jumping
async def test_what_another_version_says_is_let_pass() -> None:
    here = Process([])
    ann = Somebody(here, 0)
    here.presence.heard("match", "waves 1 2 3")
    here.presence.heard("elsewhere", "gone 1")
    assert ann.heard == []


# ---- over the network


def frames(live: WebSocket, kind: str, within: float = AWAY_AFTER + 60) -> Iterator[Any]:
    """What comes of this kind."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        frame = live.frame().json
        if frame["type"] == kind:
            yield frame


def sits(port: int, match: str, token: str | None) -> tuple[WebSocket, Any]:
    live = WebSocket(port, match)
    live.plug.settimeout(AWAY_AFTER + 60)
    return live, live.hello(token)


@in_ci
def test_a_page_is_told_who_is_away_and_who_is_back(server: Running, match: Friends) -> None:
    _goes_and_comes_back(match, (server, server))


@in_ci
def test_with_two_servers_on_one_database_it_is_carried_from_one_to_the_other(servers: tuple[Running, Running]) -> None:
    _goes_and_comes_back(friends(servers[0]), servers)


def _goes_and_comes_back(two: Friends, servers: Sequence[Running]) -> None:
    """Ann at the first server, Bo at the second: what Ann hears of Bo, and a watcher too."""
    bo, _ = sits(servers[1].port, two.match, two.two)
    ann, welcome = sits(servers[0].port, two.match, two.one)
    watcher, _ = sits(servers[1].port, two.match, None)
    assert welcome["away"] == []
    began = time.monotonic()
    bo.close()
    assert next(frames(ann, "presence"))["away"] == [2]
    assert time.monotonic() - began > AWAY_AFTER - 1
    assert next(frames(watcher, "presence"))["away"] == [2]
    late, welcome = sits(servers[0].port, two.match, None)
    assert welcome["away"] == [2]
    bo, welcome = sits(servers[1].port, two.match, two.two)
    # What it was told of Bo himself, if anything, is put right at once.
    assert next(frames(ann, "presence"))["away"] == []
    for live in (ann, bo, watcher, late):
        live.close()


@in_ci
def test_a_sign_is_seen_at_the_other_server(servers: tuple[Running, Running]) -> None:
    two = friends(servers[0])
    with WebSocket(servers[0].port, two.match) as ann, WebSocket(servers[1].port, two.match) as bo:
        ann.hello(two.one)
        bo.hello(two.two)
        ann.say(type="sign", sign="clap")
        assert next(frames(bo, "sign")) == {"type": "sign", "seat": 1, "sign": "clap"}


# ---- signs


def test_a_sign_reaches_everybody_else_and_is_kept_nowhere(match: Friends) -> None:
    before = match.look()
    with match.live(match.one) as ann, match.live(match.two) as bo, match.live() as watcher:
        bo.say(type="sign", sign="wow")
        assert ann.frame().json == watcher.frame().json == {"type": "sign", "seat": 2, "sign": "wow"}
    assert match.look() == before


def test_who_sends_one_sign_after_the_other_is_told_to_wait(match: Friends) -> None:
    with match.live(match.one) as ann, match.live(match.two) as bo:
        for _ in range(3):
            ann.say(type="sign", sign="clap")
        assert [ann.frame().json["code"] for _ in range(2)] == ["too-many", "too-many"]
        # The other has a turn of their own, and the connection still works.
        bo.say(type="sign", sign="clap")
        assert ann.frame().json["seat"] == 2
        ann.say(type="move", ply=1, move="5", key="k")
        assert ann.frame().json["done"] == ["k"]
        assert [bo.frame().json["type"] for _ in range(2)] == ["sign", "update"]


@pytest.mark.parametrize("token", [None, "x" * 43])
def test_whoever_watches_sends_no_sign(match: Friends, token: str | None) -> None:
    with match.live(token) as watcher, match.live(match.one) as ann:
        watcher.say(type="sign", sign="clap")
        assert watcher.frame().json["code"] == "no-seat"
        ann.say(type="move", ply=1, move="5", key="k")
        assert ann.frame().json["type"] == "update"


@pytest.mark.parametrize("opponent", ["friend", "screen", "easy"])
def test_without_a_friend_there_is_nobody_to_send_one(server: Running, opponent: str) -> None:
    made = posted(server.port, "/api/matches", {"game": "sumquest", "opponent": opponent}).json
    with WebSocket(server.port, made["match"]) as live:
        live.hello(made["token"])
        live.say(type="sign", sign="clap")
        assert live.frame().json["code"] == "not-allowed"


def test_a_sign_that_there_is_not_ends_the_connection(match: Friends) -> None:
    with match.live(match.one) as live:
        live.say(type="sign", sign="<script>")
        assert live.closing() == 4007
