"""However much one network asks for, others have their matches, their places and the computer's moves."""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

import numberquest as nq
from numberquest.core.recipe import link
from numberquest.core.record import Record
from numberquest.server import wire
from numberquest.server.hub import MAKE_ROOM, Hub
from numberquest.server.limits import Gate, Limits, Rate, place_of
from numberquest.server.log import Log
from numberquest.server.match.state import new_state
from numberquest.server.refusal import Refusal
from numberquest.server.room import LOOKS, SIGN_EVERY, Presence, Room
from numberquest.server.store.base import JUST_MADE, Retention, SqlStore
from numberquest.server.think import tasks
from numberquest.server.think.pool import Thinking, Unwanted
from numberquest.server.web import app
from tests.server.attacked import friends
from tests.server.clocks import HOUR, Computer
from tests.server.folding import SHOWING, header
from tests.server.keeping import Watcher, a_game, a_match, an_entry, heard_at, hub_at, is_refused, opened, until
from tests.server.postgres_server import new_database
from tests.server.running import Running, wait_until
from tests.server.test_longest_step import Attacked
from tests.server.test_security_flooding import linux, read_status
from tests.server.websocket import WebSocket, asked, connected, read_answer, request

OTHER = "192.0.2.1"


class Clock:
    """Of limits: it goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def addresses(bits: int, many: int) -> list[str]:
    """So many places of 64 bits, in one network of this width."""
    return [place_of(f"2001:db8:7:{at << (0 if bits == 56 else 8):x}::1") for at in range(many)]


def made_at(computer: Computer, store: SqlStore, matches: int) -> Hub:
    """A server for so many matches, whose clock is the computer's."""
    wishes = {"clock": computer.clock, "steady": computer.steady, "boot": computer.boot}
    return Hub(store, Thinking(1), Gate(Limits(matches=matches)), Log(None), **wishes)  # type: ignore[arg-type]


async def filled(hub: Hub, places: Iterable[str], opponent: str = "friend") -> list[str]:
    """Each of these asks for a match; the names of those that there are, up to the first refusal."""
    wish, made = wire.NewMatch("sumquest", opponent=opponent), list[str]()
    with contextlib.suppress(Refusal):
        for place in places:
            seated = await hub.create(wish, place)
            made.append(seated.match)
    return made


# ---- one network of many addresses


@pytest.mark.parametrize(("bits", "times"), [(64, 1), (56, 2), (48, 4)])
def test_all_of_a_network_may_ask_a_few_times_as_much_as_one_address(bits: int, times: int) -> None:
    """And no more, however many addresses it has: requests, pages, new matches, thinking, and connections."""
    gate = Gate(Limits(rate=10, pages=20, created=1, thought=1, connections=20), Clock())
    for allows, most in (
        (gate.asked.allows, 40),
        (gate.paged.allows, 160),
        (gate.created.allows, 40),
        (gate.thought.begins, 60),
        (gate.enter, 20),
        (gate.arrive, 40),
    ):
        asking = addresses(bits, 1 if bits == 64 else 100) * 200
        assert sum(map(allows, asking)) == times * most, allows
        assert allows(OTHER)


@pytest.mark.parametrize("bits", [56, 48])
async def test_a_network_gets_no_more_open_matches_than_one_address(bits: int, store: SqlStore) -> None:
    async with hub_at(store, Limits(matches=100)) as hub:
        one = len(await filled(hub, [OTHER] * 50))
        assert one == 20
        left = 100 - one
        assert len(await filled(hub, addresses(bits, 100))) == left // 5
        # Counted anew from what the store says, it is the same.
        await hub._count()
        assert len(await filled(hub, addresses(bits, 100))) == 0
        assert len(await filled(hub, ["192.0.2.2"])) == 1


# ---- every request counts


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A server at which twenty requests of each kind are too many; the refusal is held up for a tenth of the time."""
    limits = Limits(rate=5, pages=5)
    with (
        pytest.MonkeyPatch.context() as patch,
        Attacked(str(tmp_path_factory.mktemp("narrow") / "games.db"), limits) as running,
    ):
        patch.setattr(app, "HELD", app.HELD / 10)
        yield running


@linux
@pytest.mark.parametrize(
    ("place", "path"),
    [
        *enumerate(
            ("/", "/nothing", "/static/favicon.svg", "/favicon.ico", f"/m/{'a' * 20}", "/api/nothing", "/healthz")
        )
    ],
)
def test_every_request_counts_pages_and_what_is_not_there_too(narrow: Attacked, place: int, path: str) -> None:
    with connected(narrow.port, f"127.0.5.{place + 1}") as plug, plug.makefile("rb") as answers:
        plug.sendall(request("GET", path) * 300)
        statuses = [read_status(answers)]
        while statuses[-1] != 429:
            statuses.append(read_status(answers))
    assert len(statuses) > 10
    assert set(statuses[:-1]) <= {200, 404}


@linux
def test_connections_count_before_anything_is_asked_and_others_come_in(narrow: Attacked) -> None:
    refused = 'numberquest_refused_total{reason="too-many"}'
    before = narrow.hub.metrics.counts[refused]
    with contextlib.ExitStack() as opened:
        while narrow.hub.metrics.counts[refused] == before:
            opened.enter_context(connected(narrow.port, "127.0.6.1"))
    with connected(narrow.port, "127.0.6.2") as plug:
        plug.sendall(request("GET", "/healthz"))
        assert read_answer(plug).status == 200


def test_repeated_refusals_are_one_line_for_each_address_and_reason_with_their_number(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w+") as stream:
        log = Log(stream, clock=lambda: 7.0)
        for at in range(1000):
            log.refused("too-many", "192.0.2.1", f"m{at % 2}")
            log.refused("not-found", "192.0.2.1", None)
        log.refused("too-many", "192.0.2.2", "m")
        log.sum_up()
        log.refused("too-many", "192.0.2.2", "m")
        log.close()
        stream.seek(0)
        lines = [json.loads(line) for line in stream]
    assert [(line["reason"], line["address"], line["times"], line["match"]) for line in lines] == [
        ("too-many", "192.0.2.1", 1000, None),
        ("not-found", "192.0.2.1", 1000, None),
        ("too-many", "192.0.2.2", 1, "m"),
        ("too-many", "192.0.2.2", 1, "m"),
    ]


async def test_long_records_count_as_many_new_matches_for_they_are_played_through_one_after_the_other(
    store: SqlStore,
) -> None:
    async with hub_at(store) as hub:
        hub.gate.created = Rate(5.0, 200.0, Clock())
        asked = 0
        while hub.gate.created.allows(OTHER):
            asked += 1
            await is_refused(hub.create(wire.NewMatch(opponent="screen", record="1 " * 30_000), OTHER), "bad-request")
        assert asked == 2
        # One as people have them is no more than any other match.
        match = nq.Match(nq.game("sumquest"), seed=1)
        for _ in range(4):
            match.play(match.moves[0])
        short = Record(match).text()
        assert len(short) < 500
        assert hub.gate.created.allows("192.0.2.2")
        await hub.create(wire.NewMatch(opponent="screen", record=short), "192.0.2.2")
        assert sum(hub.gate.created.allows("192.0.2.2") for _ in range(300)) == 199


async def test_a_recipe_that_nobody_has_made_counts_as_many_requests_and_one_that_is_there_as_one(
    store: SqlStore,
) -> None:
    async with hub_at(store, Limits(rate=50)) as hub:
        hub.gate.asked = Rate(50.0, 200.0, Clock())
        known, asked = link('title = "Line"\ncells.line = 3'), 0
        one = await hub.create(wire.NewMatch(known, opponent="screen"), "192.0.2.2")
        while hub.gate.asked.allows(OTHER):
            asked += 1
            await is_refused(hub.create(wire.NewMatch(link(f"hue = {asked}")), OTHER), "bad-request", "hue is no key")
        assert asked == 10
        assert hub.gate.asked.allows("192.0.2.3", 200)
        for _ in range(20):
            await hub.create(wire.NewMatch(known, opponent="screen"), "192.0.2.4")
        assert hub.gate.asked.allows("192.0.2.4", 200)
        assert one.state.game == known


def test_a_class_opens_the_page_at_once() -> None:
    """Thirty of them behind one address, each with a connection for every file, twice."""
    gate = Gate(Limits(), Clock())
    assert all(gate.paged.allows(OTHER) for _ in range(2 * 30 * 2 * 15))


# ---- matches that nobody but their maker ever touched


async def test_where_places_become_few_untouched_matches_go_first_of_those_who_have_most(store: SqlStore) -> None:
    computer = Computer()
    hub = made_at(computer, store, 100)
    mine = await filled(hub, [OTHER] * 2)
    room = await hub.room(mine[1])
    await hub.do(room, [0], wire.Act(0, "withdraw"))
    begun = await filled(hub, [OTHER], "screen")
    await hub.do(await hub.room(begun[0]), [0, 1], wire.Move(0, "1"))
    for network in range(40):
        await filled(hub, [f"2001:db8:{network:x}::/64"] * 20)
        if hub.open_matches >= 95:
            break
    assert hub.open_matches >= 90
    full = hub.open_matches
    computer.wait(JUST_MADE + 1)
    assert len(await filled(hub, ["192.0.2.9"])) == 1
    assert hub.open_matches < full
    # What somebody has begun stays, and so does the one invitation of somebody who has no others.
    for name in (begun[0], mine[0]):
        assert (await hub.room(name)).name == name
    await hub.close()


async def test_what_was_just_made_and_what_somebody_looks_at_does_not_go(store: SqlStore) -> None:
    computer = Computer()
    hub = made_at(computer, store, 40)
    names = await filled(hub, [f"10.0.0.{at}" for at in range(30)])
    looked_at = {names[0], names[1]}
    Watcher(await hub.room(names[0]))
    await hub.room(names[1])
    computer.wait(JUST_MADE + 1)
    young = await filled(hub, [f"10.0.1.{at}" for at in range(7)])
    for _ in range(20):
        computer.wait(MAKE_ROOM + 1)
        await hub._make_room()
    kept = [header.match async for header, _ in store.everything()]
    assert looked_at <= set(kept)
    assert set(kept) - looked_at <= set(young)
    await hub.close()


async def test_a_network_with_all_it_may_have_takes_nothing_away_from_anybody_else(store: SqlStore) -> None:
    """Before, whoever filled their share had the invitations of all others removed with their own."""
    computer = Computer()
    hub = made_at(computer, store, 400)
    invitations = await filled(hub, [f"192.0.2.{at}" for at in range(50)])
    assert len(invitations) == 50
    computer.wait(JUST_MADE + 1)
    for _ in range(5):
        await filled(hub, addresses(48, 100))
        computer.wait(MAKE_ROOM + 1)
    for name in invitations:
        assert (await hub.room(name)).name == name
    await hub.close()


async def test_untouched_matches_go_soon_by_themselves_and_those_that_were_begun_do_not(store: SqlStore) -> None:
    untouched = Retention().untouched
    assert untouched <= 6 * HOUR
    empty = (b"\x01" * 32, b"")
    for name, opponent, tokens in (
        ("screen", "screen", (b"\x01" * 32, b"\x01" * 32)),
        ("computer", "hard", empty),
        ("begun", "screen", (b"\x01" * 32, b"\x01" * 32)),
        ("awaited", "friend", empty),
    ):
        await store.create(replace(a_match(name, 1000.0, opponent, tokens=tokens), round=1))
    await store.append("begun", an_entry(0), over=False)
    assert await store.prune(Retention(), 1000.0 + untouched - 1) == []
    assert set(await store.prune(Retention(), 1000.0 + untouched + 1)) == {"screen", "computer"}


async def test_when_the_keeper_has_made_room_a_full_server_notices_it(store: SqlStore) -> None:
    computer = Computer()
    hub = made_at(computer, store, 10)
    places = [f"10.0.0.{at}" for at in range(20)]
    assert len(await filled(hub, places)) == 10
    assert await filled(hub, [OTHER]) == []
    # As another process does, which is no part of this one.
    assert len(await store.clear_untouched(hub.time.now() + JUST_MADE + 1, 1000)) == 10
    computer.wait(MAKE_ROOM + 1)
    assert len(await filled(hub, [OTHER])) == 1
    await hub.close()


@pytest.mark.parametrize("shared", [False, True])
def test_the_keeper_sees_the_open_matches_and_clears_those_that_nobody_has_begun(shared: bool, tmp_path: Path) -> None:
    """Also while the server runs, which is when they are in the way."""
    address = str(tmp_path / "games.db")
    if shared:
        address = new_database()
    names = [f"never-touched-{at}" for at in range(5)]

    async def fill() -> None:
        async with opened(address) as store:
            for name in names:
                await store.create(replace(a_game(name), created=store.lived.time - HOUR))
            await store.append(names[3], an_entry(0, "5", at=store.lived.time), over=False)

    asyncio.run(fill())
    command = [sys.executable, "-m", "numberquest", "db", "prune", "--db", address]
    with Running(tmp_path, db=address) as server, WebSocket(server.port, names[0]) as live:
        found = server.metrics()
        assert found["numberquest_open_matches"] == 5
        assert found["numberquest_open_matches_limit"] == Limits().matches
        live.hello(None)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "Removed 4 open matches that nobody but their maker ever touched. Still open: 1.\n"
        wait_until(lambda: server.metrics()["numberquest_open_matches"] == 1)
        for name in names:
            assert asked(server.port, "GET", f"/api/matches/{name}").status == (200 if name == names[3] else 404)
        live.say(type="move", ply=0, move="5", key="k")
        assert live.frame().json["code"] == "not-found"
        # Numbers of rows that were removed may be used again: what is new is kept as its own.
        new = friends(server)
        assert new.move(new.one, 1, "5").status == 200
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "Removed 0 open matches that nobody but their maker ever touched. Still open: 2.\n"

    async def kept() -> list[int]:
        async with opened(address) as store:
            return sorted([len(log) async for _, log in store.everything()])

    assert asyncio.run(kept()) == [1, 2]


async def test_whoever_moves_in_a_match_that_somebody_else_has_removed_is_told(store: SqlStore) -> None:
    """Before, the move was tried for ever, and nobody else could do anything there."""
    async with hub_at(store) as hub:
        names = await filled(hub, [OTHER] * 3, "screen")
        rooms = [await hub.room(name) for name in names]
        Watcher(rooms[2])
        assert set(await store.clear_untouched(hub.time.now() + JUST_MADE + 1, 10)) == set(names)
        async with asyncio.timeout(20):
            for room in rooms[:2]:
                await is_refused(hub.do(room, [0, 1], wire.Move(0, "5")), "not-found", "no match of that name")
            # Word of it may also come by itself.
            hub._changed_elsewhere(names[2])
            await until(lambda: names[2] not in hub._rooms)
            await is_refused(hub.do(rooms[2], [0, 1], wire.Move(0, "5")), "not-found")
        assert not rooms[2].is_looked_at


async def test_where_another_process_writes_beside_it_the_store_forgets_where_logs_end(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    async with opened(path) as store:
        heard = heard_at(store)
        for name in ("old", "last"):
            await store.create(replace(a_match(name, 1000.0), round=1))
        async with opened(path, beside=True) as other:
            assert set(await other.clear_untouched(1e9, 10)) == {"old", "last"}
        # As fast as this nobody looks round: the number of the last row is free, and used again.
        await store.create(replace(a_match("new", 1000.0), round=1))
        assert not await store.append("last", an_entry(0), over=False)
        assert await store.append("new", an_entry(0), over=False)
        await until(lambda: "" in heard)
        assert [header.match async for header, _ in store.everything()] == ["new"]


# ---- a class


async def test_a_class_of_thirty_in_a_hurry_is_not_refused(store: SqlStore) -> None:
    """Each a new match every seven seconds, for half an hour, behind one address; a server a twentieth as large."""
    computer = Computer()
    hub = made_at(computer, store, 1000)
    hub.gate = Gate(Limits(matches=1000), computer.steady)
    for _ in range(30 * 60 // 7):
        for _ in range(30):
            assert hub.gate.created.allows(OTHER)
            assert hub.gate.asked.allows(OTHER)
        computer.wait(7.0)
    # As large a share as all of them need: those that nobody has begun go when there are too many.
    for _ in range(60):
        assert len(await filled(hub, [OTHER] * 3, "screen")) == 3
        computer.wait(7.0)
    await hub.close()


# ---- the computer's moves


class Asked(Thinking):
    """Notes what is asked for, and has no worker."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: Counter[str] = Counter()

    async def ask(self, task: tasks.Task, address: str, match: str = "", wanted: object = None) -> tasks.Answer:
        self.asked[match] += 1
        raise Unwanted


async def test_nothing_is_thought_about_for_a_match_at_which_nobody_looks(store: SqlStore) -> None:
    thinking = Asked()
    hub = Hub(store, thinking, Gate(Limits()), Log(None))
    wish = wire.NewMatch("sumquest", opponent="perfect", seat=2)
    made = [await hub.create(wish, f"10.0.0.{at}") for at in range(20)]
    for _ in range(50):
        await asyncio.sleep(0)
    assert not thinking.asked
    room = await hub.room(made[3].match)
    await until(lambda: bool(thinking.asked))
    assert set(thinking.asked) == {room.name}
    # Whoever has asked looks for a while, and no longer.
    before = room.is_looked_at
    room.looked -= LOOKS + 1
    assert (before, room.is_looked_at) == (True, False)
    await hub.close()


async def test_what_nobody_waits_for_any_more_is_dropped_when_it_is_its_turn() -> None:
    thinking = Thinking(1)
    waits = {"gone": True, "stays": True}
    task = tasks.Choose("sumquest", "", [], "random", "1")
    thinking._slots = [asyncio.create_task(asyncio.sleep(0))]
    asked = {
        name: asyncio.create_task(thinking.ask(task, name, name, partial(waits.__getitem__, name))) for name in waits
    }
    await until(lambda: thinking.waiting == 2)
    waits["gone"] = False
    job = await thinking._next(("new",))
    assert job.address == "stays"
    with pytest.raises(Unwanted):
        await asked["gone"]
    assert thinking.waiting == 0
    asked["stays"].cancel()


async def test_rules_that_are_known_to_be_small_do_not_wait_for_any_number_of_unknown_ones() -> None:
    thinking = Thinking(2)
    thinking._slots = [asyncio.create_task(asyncio.sleep(0))]
    classic = tasks.Choose("sumquest", "target=50", [], "random", "1")
    thinking._costs.answered(tasks.rules_of(classic), "new", solved=True)
    waiting = [
        asyncio.create_task(thinking.ask(tasks.Choose("sumquest", f"target={at}", [], "random", "1"), f"10.0.{at}.1"))
        for at in range(100, 300)
    ]
    await until(lambda: thinking.waiting == 200)
    waiting.append(asyncio.create_task(thinking.ask(classic, "192.0.2.1")))
    await until(lambda: thinking.waiting == 201)
    sizes: list[tuple[str, ...]] = []

    async def first(sizes_of_slot: tuple[str, ...]) -> object:
        sizes.append(sizes_of_slot)
        raise asyncio.CancelledError

    thinking._next = first  # type: ignore[assignment]
    with contextlib.suppress(asyncio.CancelledError):
        await thinking._work(0)
    del thinking._next
    assert (await thinking._next(sizes[0])).what.task == classic
    for one in waiting:
        one.cancel()


# ---- signs


class Hearer(Watcher):
    def passed(self, frame: bytes) -> None:
        """A sign."""


async def test_a_seat_shows_so_many_signs_however_many_connections_and_servers_it_has() -> None:
    class Words:
        hears = True

        def pass_on(self, match: str, word: str) -> None:
            pass

    room = Room(new_state(header(nq.game("sumquest"))), SHOWING)
    here = Presence(Words(), lambda _: room)  # type: ignore[arg-type]
    one, two = Hearer(room), Hearer(room)
    here.sign(room, 1, "clap", one)
    with pytest.raises(Refusal, match="sign"):
        here.sign(room, 1, "clap", two)
    here.sign(room, 0, "clap", two)
    room.signed[1] -= SIGN_EVERY
    here.heard(room.name, "sign 1 wow")
    with pytest.raises(Refusal, match="sign"):
        here.sign(room, 1, "clap", one)
