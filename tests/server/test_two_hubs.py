"""Two servers at one store, and servers that end in the middle: a seat is taken once, a rematch is there or is not."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.limits import Limits
from numberquest.server.match.entries import Action, Entry, MatchHeader
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import SqlStore, StoreError
from tests.conftest import in_ci
from tests.server.attacked import friends
from tests.server.keeping import hub_at, is_refused
from tests.server.running import Running
from tests.server.websocket import asked


async def test_of_two_who_join_at_two_servers_one_is_told_that_the_seat_is_taken(hubs: tuple[Hub, Hub]) -> None:
    one, two = hubs
    made = await one.create(wire.NewMatch("sumquest"))
    assert made.invite is not None
    for hub in (one, two):
        await hub.room(made.match)
    await one.join(made.match, wire.Join(made.invite, "Bo"))
    await is_refused(two.join(made.match, wire.Join(made.invite, "Cy")), "not-allowed", "taken that seat")


async def test_who_finds_a_match_before_its_maker_is_told_looks_at_the_same_one(hub: Hub) -> None:
    create, found = hub.store.create, []

    async def found_at_once(header: MatchHeader) -> bool:
        made = await create(header)
        found.append(await hub.room(header.match))
        return made

    hub.store.create = found_at_once  # type: ignore[method-assign]
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"), "10.0.0.1")
    assert await hub.room(made.match) is found[0]
    assert found[0].address == "10.0.0.1"


async def test_what_was_read_of_a_match_while_its_maker_was_told_is_not_lost(hubs: tuple[Hub, Hub]) -> None:
    """It was made here, gone on with elsewhere, and read by somebody else, all before the maker's answer came."""

    hub, other = hubs
    store = hub.store
    create, load = store.create, store.load
    reading, made_here = asyncio.Event(), asyncio.Event()
    looking: list[asyncio.Task[Any]] = []

    async def read_late(match: str) -> Any:
        found = await load(match)
        reading.set()
        await made_here.wait()
        return found

    async def gone_on_with(header: MatchHeader) -> bool:
        made = await create(header)
        await other.do(await other.room(header.match), [0, 1], wire.Move(0, "5"))
        store.load = read_late  # type: ignore[method-assign]
        looking.append(asyncio.create_task(hub.room(header.match)))
        await reading.wait()
        return made

    store.create = gone_on_with  # type: ignore[method-assign]
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"))
    made_here.set()
    room = await looking[0]
    assert room is await hub.room(made.match)
    assert (await hub.room(made.match)).state.ply == 1


async def test_while_a_match_is_read_anew_nobody_is_shown_how_it_was(hubs: tuple[Hub, Hub]) -> None:
    hub, other = hubs
    store = hub.store
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"))
    await other.do(await other.room(made.match), [0, 1], wire.Move(0, "5"))
    load, asked, answered = store.load, asyncio.Event(), asyncio.Event()

    async def slowly(match: str) -> Any:
        asked.set()
        await answered.wait()
        return await load(match)

    store.load = slowly  # type: ignore[method-assign]
    hub._changed_elsewhere(made.match)
    await asked.wait()
    looking = asyncio.create_task(hub.room(made.match))
    answered.set()
    assert (await looking).state.ply == 1


# ---- how many there may be


async def made_together(hub: Hub, wanted: int) -> int:
    """How many matches there are of so many that are wanted at once."""
    wishes = (hub.create(wire.NewMatch("sumquest"), f"10.0.0.{number}") for number in range(wanted))
    answers = await asyncio.gather(*wishes, return_exceptions=True)
    assert all(isinstance(one, Refusal) for one in answers if isinstance(one, BaseException))
    return sum(isinstance(one, wire.Seated) for one in answers)


async def test_many_matches_at_once_are_no_more_than_there_is_room_for(store: SqlStore) -> None:
    async with hub_at(store, Limits(matches=5)) as hub:
        assert await made_together(hub, 20) == 5
        assert (await store.totals()).unfinished == 5


async def test_a_match_that_comes_while_the_store_counts_is_counted(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hub_at(store, Limits(matches=5)) as hub:
        totals = store.totals

        async def slowly() -> Any:
            counted = await totals()
            assert await made_together(hub, 3) == 3
            return counted

        monkeypatch.setattr(store, "totals", slowly)
        await hub.sweep()
        monkeypatch.undo()
        assert await made_together(hub, 20) == 2


async def test_of_joining_at_one_server_and_withdrawing_at_the_other_the_later_is_refused(
    hubs: tuple[Hub, Hub],
) -> None:
    one, two = hubs
    made, other = [await one.create(wire.NewMatch("sumquest", name="Ann")) for _ in range(2)]
    for match in (made.match, other.match):
        # Both know it as it was made, and no word of a change comes.
        await one.room(match)
        await two.room(match)
    await one.do(await one.room(made.match), [0], wire.Act(0, "withdraw"))
    await is_refused(
        two.join(made.match, wire.Join(made.invite or "", "Bo")), "not-allowed", "Ann has withdrawn this invitation"
    )
    await two.join(other.match, wire.Join(other.invite or "", "Bo"))
    await is_refused(one.do(await one.room(other.match), [0], wire.Act(0, "withdraw")), "late")
    assert not (await one.room(other.match)).state.withdrawn


# ---- the next match


class Failing:
    """A store that can be told to keep no wish for another game, or no match."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self.no_wishes = self.no_matches = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, match: str, entry: Entry, over: bool, new: MatchHeader | None = None) -> bool:
        if (self.no_wishes and isinstance(entry, Action)) or (self.no_matches and new is not None):
            raise StoreError("full")
        return await self._store.append(match, entry, over, new)


async def over(hub: Hub) -> wire.Seated:
    """A match at one screen that is over; the log has one entry."""
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"))
    await hub.do(await hub.room(made.match), [0, 1], wire.Act(0, "resign"))
    return made


async def test_where_the_wish_for_another_game_is_not_kept_there_is_none(store: SqlStore) -> None:
    failing: Any = Failing(store)
    async with hub_at(failing) as hub:
        made = await over(hub)
        room = await hub.room(made.match)
        failing.no_wishes = True
        with pytest.raises(StoreError):
            await hub.do(room, [0, 1], wire.Act(1, "rematch"))
        assert (await store.totals()).unfinished == 0
        assert hub.metrics.counts["numberquest_matches_created_total"] == 1


async def test_where_the_next_match_cannot_be_kept_it_is_made_when_the_wish_is_asked_again(store: SqlStore) -> None:
    failing: Any = Failing(store)
    async with hub_at(failing) as hub:
        made = await over(hub)
        room = await hub.room(made.match)
        failing.no_matches = True
        with pytest.raises(StoreError):
            await hub.do(room, [0, 1], wire.Act(1, "rematch", key="again"))
        assert room.state.ply == 1, "nobody is told of a match that is not there"
        failing.no_matches = False
        after = await hub.do(room, [0, 1], wire.Act(1, "rematch", key="again"))
        found = hub._showing.whole(after).next
        assert found is not None
        assert (await hub.room(found)).state.header.names == room.state.header.names[::-1], "seats are changed"
        assert (await store.totals()).unfinished == 1


class Mortal(Running):
    """A server that is killed when the wish for another match is on disk, and the match is not: as an old one wrote."""

    program = (
        "-c",
        "import os, signal, sys\n"
        "from numberquest.server.store.sqlite import SqliteStore\n"
        "append = SqliteStore.append\n"
        "async def mortal(self, match, entry, over, new=None):\n"
        "    written = await append(self, match, entry, over)\n"
        "    if new is not None: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return written\n"
        "SqliteStore.append = mortal\n"
        "from numberquest.cli import main\n"
        "sys.exit(main())\n",
    )


@in_ci
def test_a_server_killed_between_the_wish_and_the_next_match_makes_it_when_somebody_looks(tmp_path: Path) -> None:
    with Mortal(tmp_path) as server:
        match = friends(server)
        assert match.act(match.one, 1, "resign").status == 200
        assert match.act(match.one, 2, "rematch").status == 200
        with pytest.raises(ConnectionError):
            match.act(match.two, 3, "rematch", key="yes")
        assert server.process.wait(30) == -signal.SIGKILL
    with Running(tmp_path, port=server.port) as server:
        found = match.act(match.two, 3, "rematch", key="yes")
        assert found.status == 200
        follows = asked(server.port, "GET", f"/api/matches/{found.json['next']}")
        assert follows.status == 200
        assert follows.json["ply"] == 0
