"""When the database fails, people are told so in a sentence, nothing of it is given away, and nothing is made up."""

from __future__ import annotations

import asyncio
import json
import resource
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numberquest.server import hub as hubs
from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.refusal import Refusal
from numberquest.server.store.contract import Retention
from numberquest.server.store.sqlite import SqliteStore
from numberquest.server.think.pool import Thinking
from numberquest.server.tokens import seats_of
from tests.server.attacked import clean, friends
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, posted


@pytest.mark.skipif(sys.platform != "linux", reason="only there can the limits of another process be set")
def test_a_database_that_cannot_be_written_gives_nothing_away(tmp_path: Path) -> None:
    """The server may suddenly write no more to any file, as if the disk were full."""
    with Running(tmp_path) as server:
        match = friends(server)
        with WebSocket(server.port, match.match) as live:
            live.hello(match.one)
            before = match.look()
            limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, limits[1]))
            trouble = [
                match.move(match.one, 1, "1"),
                match.act(match.two, 1, "resign"),
                posted(server.port, "/api/matches", {"game": "mystic"}),
            ]
            live.say(type="move", ply=1, move="1", key="k")
            refused = live.frame().json
            assert (refused["type"], refused["code"], refused["state"]) == ("refused", "not-stored", before)
            assert match.look() == before
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
            for answer in trouble:
                sentence = clean(answer, 503, "not-stored")
                assert str(tmp_path) not in sentence
                assert "games.db" not in sentence
            # When there is room again, the same request is done, once.
            answer = match.move(match.one, 1, "1", "again")
            assert answer.status == 200
            assert answer.json["ply"] == 2
        assert asked(server.port, "GET", "/healthz").status == 200


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def with_hub(folder: Path, work: Callable[[Hub, Clock], Any], **limits: Any) -> None:
    async def main() -> None:
        clock = Clock()
        store = await SqliteStore.open(str(folder / "games.db"))
        gate, retention = Gate(Limits(**limits)), Retention(100, 1000, 5000)
        hub = Hub(store, Thinking(), gate, Log(None), clock=clock, steady=clock, retention=retention)
        try:
            await work(hub, clock)
        finally:
            await hub.close()
            await store.close()

    asyncio.run(main())


async def seated(hub: Hub) -> tuple[str, wire.Seated]:
    made = await hub.create(wire.NewMatch("sumquest"))
    joined = await hub.join(made.match, wire.Join(made.invite or ""))
    return made.match, joined


def test_a_match_that_nobody_joins_makes_room_for_others_after_a_while(tmp_path: Path) -> None:
    """The same for one that nobody goes on with, and one that is over, each in its time."""

    async def there(hub: Hub, match: str) -> bool:
        try:
            await hub.room(match)
        except Refusal as refusal:
            assert refusal.code == "not-found"
            return False
        return True

    async def work(hub: Hub, clock: Clock) -> None:
        alone = [(await hub.create(wire.NewMatch("sumquest"))).match for _ in range(3)]
        going, _ = await seated(hub)
        over, loser = await seated(hub)
        room = await hub.room(over)
        await hub.do(room, seats_of(loser.token, room.state.tokens), wire.Act(1, "resign"))
        await hub.create(wire.NewMatch("sumquest", key=secrets.token_urlsafe(20)))
        with pytest.raises(Refusal, match="as many open matches"):
            await hub.create(wire.NewMatch("sumquest"))
        for later, left in ((99, 5), (2, 2), (898, 2), (2, 1), (3998, 1), (2, 0)):
            clock.now += later
            await hub.sweep()
            found = [match for match in (*alone, going, over) if await there(hub, match)]
            assert len(found) == left, (clock.now, found)
        assert (await hub.create(wire.NewMatch("sumquest"))).seats == [1]

    with_hub(tmp_path, work, matches=5)


def test_one_address_stores_so_many_bytes_and_others_are_served(tmp_path: Path) -> None:
    """Long games to go on from: few matches, and yet much to keep."""
    moves = "\n".join(f"{number}. {1 + number % 2}" for number in range(1, 400))
    record = f'[Game "sumquest"]\n[Settings "target=999"]\n\n{moves}\n'
    wish = wire.NewMatch("sumquest", opponent="screen", record=record)

    async def work(hub: Hub, _: Clock) -> None:
        made = [await hub.create(wish, "192.0.2.1") for _ in range(4)]
        with pytest.raises(Refusal, match="for this address"):
            await hub.create(wish, "192.0.2.1")
        await hub.create(wish, "192.0.2.2")
        # Those that are there are played on; also when they are over, they are still stored.
        room = await hub.room(made[0].match)
        await hub.do(room, [0, 1], wire.Act(0, "resign"))
        with pytest.raises(Refusal, match="for this address"):
            await hub.create(wish, "192.0.2.1")

    with_hub(tmp_path, work, stored=10_000)


class Looker:
    """Somebody who looks at a match, and is told nothing."""

    seats: tuple[int, ...] = ()

    def passed(self, frame: bytes) -> None:
        raise AssertionError(frame)

    def told(self, update: bytes, done: str | None = None) -> None:
        raise AssertionError((update, done))


def test_long_matches_are_kept_in_memory_by_their_length_and_not_by_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few thousand that go on from long records would fill it; each comes back from the disk when it is asked for."""
    monkeypatch.setattr(hubs, "MOVES_IN_MEMORY", 1_000)
    moves = " ".join("12"[at % 2] for at in range(100))
    record = f'[Game "sumquest"]\n[Settings "target=999"]\n{moves}\n'
    wish = wire.NewMatch("sumquest", opponent="screen", record=record)

    async def work(hub: Hub, _: Clock) -> None:
        made = [await hub.create(wish) for _ in range(30)]
        assert hub.in_memory <= 10
        assert (await hub.room(made[0].match)).state.line.length == 100
        # One that somebody looks at stays.
        watched = await hub.room(made[1].match)
        watched.watchers.add(Looker())
        for _more in range(30):
            await hub.create(wish)
        assert await hub.room(made[1].match) is watched

    with_hub(tmp_path, work)


def test_a_rematch_counts_for_whoever_made_the_first_match(tmp_path: Path) -> None:
    async def work(hub: Hub, _: Clock) -> None:
        made = await hub.create(wire.NewMatch("sumquest", opponent="screen"), "192.0.2.1")
        owner = (await hub.room(made.match)).state.kept.owner
        assert owner
        assert "192.0.2.1" not in owner
        room = await hub.room(made.match)
        await hub.do(room, [0, 1], wire.Act(0, "resign"))
        await hub.do(room, [0, 1], wire.Act(1, "rematch"))
        again = await hub.room(json.loads(room.whole())["next"])
        assert again.state.kept.owner == owner

    with_hub(tmp_path, work)
