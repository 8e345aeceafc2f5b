"""A clock that jumps deletes nothing: a match is removed when it has in truth been there for so long."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from numberquest.server import wire
from numberquest.server.clock import Lived, StoreClock, boot_name, steady_time
from numberquest.server.hub import Hub
from numberquest.server.match.entries import REMATCH, Action
from numberquest.server.store.base import SqlStore
from numberquest.server.store.sqlite_file import STEPS
from tests.server.clocks import DAY, HOUR, Computer, Told, hub_on
from tests.server.keeping import NOW, a_match, an_entry, opened

BEGIN = Lived(NOW, "", 0.0)


def started(computer: Computer, lived: Lived) -> StoreClock:
    return StoreClock(lived, computer.steady, computer.boot)


STEPS_OF_A_LIFE = some.one_of(
    some.tuples(some.just("wait"), some.floats(0, 40 * DAY)),
    some.tuples(some.just("set the clock"), some.floats(-4000 * DAY, 4000 * DAY)),
    some.tuples(some.just("start again"), some.floats(0, 40 * DAY)),
    some.tuples(some.just("switch off"), some.floats(0, 40 * DAY)),
    some.tuples(some.just("pull the plug"), some.floats(0, 40 * DAY)),
)


@given(some.lists(STEPS_OF_A_LIFE, max_size=30))
def test_nothing_is_ever_taken_for_older_than_it_is(steps: list[tuple[str, float]]) -> None:
    computer, lived = Computer(), BEGIN
    clock = started(computer, lived)
    stamps: list[tuple[float, float]] = []
    for what, much in steps:
        stamps.append((computer.truth, clock.now()))
        if what == "wait":
            computer.wait(much)
        elif what == "set the clock":
            computer.wrong_by = much
        else:
            # The plug is pulled before anything more can be noted.
            lived = lived if what == "pull the plug" else clock.lived()
            if what == "start again":
                computer.wait(much)
            else:
                computer.switch_off(much)
            clock = started(computer, lived)
        for truth, stamp in stamps:
            assert clock.now() - stamp <= computer.truth - truth + 0.001


def test_while_the_computer_is_on_no_time_is_lost_whether_a_server_runs_or_not() -> None:
    computer = Computer()
    clock = started(computer, BEGIN)
    noted = clock.lived()
    for _ in range(20):
        # Killed an hour after it has noted the time, and started again three hours later.
        computer.wait(HOUR)
        computer.wait(3 * HOUR)
        clock = started(computer, noted)
        noted = clock.lived()
    assert clock.now() == pytest.approx(NOW + 80 * HOUR)


def test_a_computer_without_a_name_for_its_boots_counts_only_while_a_server_runs() -> None:
    assert StoreClock(Lived(NOW, "", 5.0), lambda: 1000.0, "").now() == NOW


def test_a_server_that_is_switched_off_every_evening_still_removes_in_the_end() -> None:
    computer, lived = Computer(), BEGIN
    for _ in range(3 * 30):
        clock = started(computer, lived)
        computer.wait(8 * HOUR)
        lived = clock.lived()
        computer.switch_off(16 * HOUR)
    assert lived.time == pytest.approx(NOW + 30 * DAY)


def test_of_two_servers_the_one_that_knows_of_less_catches_up() -> None:
    computer = Computer()
    clock = started(computer, BEGIN)
    clock.catch_up(Lived(NOW + 100, "another", 7.0))
    assert clock.now() == NOW + 100
    clock.catch_up(Lived(NOW + 50, "another", 7.0))
    assert clock.now() == NOW + 100


def test_steady_time_passes_and_a_boot_has_one_name() -> None:
    before = steady_time()
    while steady_time() <= before:
        pass
    assert boot_name() == boot_name()


async def begun(hub: Hub) -> wire.Seated:
    """A match in which a move was made: it is kept for long."""
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"))
    await hub.do(await hub.room(made.match), [0, 1], wire.Move(0, "1"))
    return made


@pytest.mark.parametrize("off", [31 * DAY, -31 * DAY, 4000 * DAY])
@pytest.mark.parametrize("when", ["while it runs", "before it starts", "from the start"])
async def test_a_server_whose_clock_is_wrong_and_stays_so_removes_a_match_in_its_true_time(
    when: str, off: float, tmp_path: Path
) -> None:
    computer, log = Computer(), Told()

    if when == "from the start":
        computer.wrong_by = off
    async with opened(str(tmp_path / "games.db")) as store:
        hub = hub_on(computer, store, log)
        made = await begun(hub)
        await hub.sweep()
        if when == "before it starts":
            await hub.close()
            hub = hub_on(computer, store, log)
        computer.wrong_by = off
        for _ in range(29):
            computer.wait(DAY)
            # What is made later has its date from the same clock, and proves nothing.
            await begun(hub)
            await hub.sweep()
        assert log.removed == []
        computer.wait(DAY + 1)
        await hub.sweep()
        assert log.removed == [made.match]
        await hub.close()


async def test_the_record_has_the_day_that_the_clock_says(store: SqlStore) -> None:
    computer = Computer()

    hub = hub_on(computer, store, Told())
    computer.wrong_by = NOW - computer.truth
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"))
    assert (await hub.room(made.match)).state.record().date == "2023-11-14"
    await hub.close()


async def test_an_older_database_goes_on_from_the_last_that_happened_in_it(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(f"{STEPS[0]}; {STEPS[1]}; PRAGMA application_id = {0x4E510001}; PRAGMA user_version = 2")
        for number in (1, 2):
            row = (number, f"m{number}", "fifty", "", "", "", "screen", "A", "B", "human", "human", b"", b"", b"")
            more = (1, 1, 0, 0, NOW + number, None, "", 400)
            places = ", ".join("?" * (len(row) + len(more)))
            db.execute(f"INSERT INTO matches VALUES ({places})", (*row, *more))  # noqa: S608
        db.execute("INSERT INTO log (match, ply, seat, text, key, at) VALUES (1, 0, 0, '1', '', ?)", (NOW + 500,))
        db.execute("INSERT INTO meta VALUES ('secret', zeroblob(32))")
        db.commit()

    async with opened(str(path)) as store:
        assert store.lived.time == NOW + 500
        loaded = await store.load("m1")
        assert loaded is not None
        assert loaded[0].date == "2023-11-14"
        await store.create(a_match("m3"))
        await store.append("m3", an_entry(0), over=False)


async def test_a_match_that_follows_is_found_though_the_stores_time_stood_still_for_two_days(store: SqlStore) -> None:
    computer = Computer()
    computer.wrong_by = store.lived.time - computer.truth
    hub = hub_on(computer, store, Told())
    made = await hub.create(wire.NewMatch("sumquest", opponent="screen"))
    room = await hub.room(made.match)
    await hub.do(room, [0, 1], wire.Act(0, "resign"))
    # As a server left it that was killed, or older: the wish is there, and no match that comes of it.
    await store.append(made.match, Action(1, 0, "", hub.time.now(), REMATCH), over=False)
    await hub.close()
    computer.switch_off(2 * DAY)
    hub = hub_on(computer, store, Told())
    await hub.room(made.match)
    assert (await store.totals()).unfinished == 1
    await hub.close()
