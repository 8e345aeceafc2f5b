"""Laws of every store."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from numberquest.server.clock import Lived
from numberquest.server.store.base import ClassRow, Retention, SqlStore, StoreError
from tests.server.keeping import NOW, a_match, an_entry, log_of, opened
from tests.server.postgres_server import new_database

DAY = 24 * 3600.0


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "games.db") if request.param == "sqlite" else new_database()


async def test_what_was_acknowledged_is_there_when_it_is_opened_again(address: str) -> None:
    kept, entries = a_match("first"), [an_entry(ply, f"move {ply}", f"key {ply}", NOW + ply / 3) for ply in range(5)]
    async with opened(address) as store:
        assert await store.create(kept)
        for entry in entries:
            assert await store.append("first", entry, over=False)
        secret = store.secret
    assert len(secret) == 32
    async with opened(address) as store:
        assert await store.load("first") == (kept, entries)
        assert store.secret == secret


async def test_of_fifty_who_race_for_one_ply_exactly_one_gets_it(store: SqlStore) -> None:
    await store.create(a_match("m"))
    for ply in range(3):
        entries = [an_entry(ply, f"by {who}") for who in range(50)]
        won = await asyncio.gather(*(store.append("m", entry, over=False) for entry in entries))
        assert won.count(True) == 1
        loaded = await log_of(store, "m")
        assert loaded[ply] == entries[won.index(True)]
        assert len(loaded) == ply + 1


async def test_an_entry_and_the_match_that_comes_of_it_are_one_commit(store: SqlStore) -> None:
    await store.create(a_match("m"))
    before = store.figures.commits
    assert await store.append("m", an_entry(0, "!rematch"), over=False, new=a_match("next"))
    assert store.figures.commits == before + 1
    assert await store.load("next") == (a_match("next"), [])
    assert await store.append("next", an_entry(0, "the first"), over=False)
    # Of an entry that is not written nothing comes.
    assert not await store.append("m", an_entry(0, "!rematch"), over=False, new=a_match("another"))
    assert await store.load("another") is None
    # One that is there already stays as it is.
    assert await store.append("m", an_entry(1, "!rematch"), over=False, new=a_match("next", opponent="friend"))
    assert await store.load("next") == (a_match("next"), [an_entry(0, "the first")])


async def test_an_entry_that_is_not_the_next_one_is_refused_and_changes_nothing(store: SqlStore) -> None:
    await store.create(a_match("m"))
    for ply in (1, 2, 7, -1):
        assert not await store.append("m", an_entry(ply), over=False)
    assert await store.append("m", an_entry(0, "the first"), over=False)
    for ply in (0, 2, -1):
        assert not await store.append("m", an_entry(ply, "another"), over=True)
    assert await store.load("m") == (a_match("m"), [an_entry(0, "the first")])
    assert (await store.totals()).unfinished == 1


async def test_an_entry_for_a_match_that_is_not_there_is_refused(store: SqlStore) -> None:
    assert not await store.append("nowhere", an_entry(0), over=False)
    assert await store.load("nowhere") is None


async def test_entries_of_one_match_sent_without_waiting_are_written_in_their_order(store: SqlStore) -> None:
    await store.create(a_match("m"))
    entries = [an_entry(ply, f"move {ply}") for ply in range(20)]
    assert all(await asyncio.gather(*(store.append("m", entry, over=False) for entry in entries)))
    assert await store.load("m") == (a_match("m"), entries)


async def test_many_matches_at_once_do_not_get_mixed_up(store: SqlStore) -> None:
    async def play(name: str) -> None:
        assert await store.create(a_match(name))
        for ply in range(6):
            assert await store.append(name, an_entry(ply, f"{name} {ply}"), over=ply == 5)

    names = [f"match{number}" for number in range(300)]
    await asyncio.gather(*map(play, names))
    for name in names:
        assert await store.load(name) == (a_match(name), [an_entry(ply, f"{name} {ply}") for ply in range(6)])
    assert (await store.totals()).unfinished == 0


async def test_a_match_is_made_once(store: SqlStore) -> None:
    assert await store.create(a_match("m"))
    await store.append("m", an_entry(0), over=False)
    assert not await store.create(a_match("m", names=("Somebody", "Else")))
    assert await store.load("m") == (a_match("m"), [an_entry(0)])
    made = await asyncio.gather(*(store.create(a_match("n")) for _ in range(20)))
    assert made.count(True) == 1


async def test_a_match_of_a_class_is_made_only_where_the_class_is_there(store: SqlStore) -> None:
    of_class = replace(a_match("m"), classroom="room")
    assert not await store.create(of_class)
    await store.open_class(ClassRow("room", "CODE", b"{}", NOW, NOW))
    assert await store.create(of_class)
    assert await store.load("m") == (of_class, [])
    # Also one that comes of another, and beside others that are made at the same moment.
    await store.erase_class("room")
    assert await store.load("m") is None
    made = await asyncio.gather(*(store.create(one) for one in (a_match("a"), of_class, a_match("b"))))
    assert made == [True, False, True]
    assert await store.append("a", an_entry(0, "!rematch"), over=False, new=replace(of_class, match="next"))
    assert await store.load("next") is None


async def test_old_matches_are_removed_by_the_three_rules_and_no_others(store: SqlStore) -> None:
    rules = Retention(unjoined=1 * DAY, abandoned=30 * DAY, finished=365 * DAY)
    empty = (b"\x01" * 32, b"")

    async def keep(name: str, age: float, *entries: tuple[str, float, bool], friend: bool = False) -> None:
        opponent, tokens = ("friend", empty) if friend else ("screen", (b"\x01" * 32, b"\x01" * 32))
        await store.create(a_match(name, NOW - age * DAY, opponent, tokens=tokens))
        for ply, (text, days, over) in enumerate(entries):
            assert await store.append(name, an_entry(ply, text, at=NOW - days * DAY), over)

    join = "!join 00ff Ben"
    await keep("unjoined old", 1.1, friend=True)
    await keep("unjoined young", 0.9, friend=True)
    await keep("joined", 1.1, (join, 1.05, False), friend=True)
    await keep("alone for two days", 2)
    await store.create(a_match("rematch of friends", NOW - 2 * DAY, "friend"))
    await keep("abandoned", 40, ("add", 31, False))
    await keep("abandoned by friends", 40, (join, 39, False), ("add", 31, False), friend=True)
    await keep("never begun", 31)
    await keep("slow", 40, ("add", 35, False), ("add", 29, False))
    await keep("finished", 400, ("add", 366, True))
    await keep("finished with an offer after it", 400, ("add", 366, True), ("!rematch", 365.5, False))
    await keep("finished lately", 400, ("add", 364, True))
    await keep("finished and unjoined", 5, ("!resign", 4, True), friend=True)

    gone = {"unjoined old", "abandoned", "abandoned by friends", "never begun"}
    gone |= {"finished", "finished with an offer after it"}
    assert set(await store.prune(rules, NOW)) == gone
    left = [kept.match async for kept, _ in store.everything()]
    assert set(left) == {
        *("unjoined young", "joined", "alone for two days", "rematch of friends"),
        *("slow", "finished lately", "finished and unjoined"),
    }
    assert await store.prune(rules, NOW) == []
    assert await store.load("abandoned") is None
    assert not await store.append("abandoned", an_entry(1), over=False)
    # The name is free again, and the log starts anew.
    assert await store.create(a_match("abandoned"))
    assert await store.append("abandoned", an_entry(0), over=False)


async def test_moves_come_in_between_while_many_matches_are_removed(store: SqlStore, address: str) -> None:
    names = [f"old{number}" for number in range(450)]
    await asyncio.gather(*(store.create(a_match(name, NOW - 100 * DAY)) for name in names))
    await store.create(a_match("live"))
    pruning = asyncio.create_task(store.prune(Retention(), NOW))
    between = 0
    while not pruning.done():
        assert await store.append("live", an_entry(between), over=False)
        between += 1
    assert sorted(await pruning) == sorted(names)
    # In SQLite one thread does both, so it must have let them in between its pieces.
    assert between > 3 or address.startswith("postgresql")
    assert [entry.ply for entry in await log_of(store, "live")] == list(range(between))


async def test_everything_comes_oldest_first_with_its_log(store: SqlStore) -> None:
    ages = [(number * 37) % 250 for number in range(250)]
    for age in ages:
        assert await store.create(a_match(f"m{age}", NOW - age // 2))
    await store.append("m7", an_entry(0, "here"), over=False)
    found = [(kept, log) async for kept, log in store.everything()]
    assert len({kept.match for kept, _ in found}) == len(found) == 250
    assert [kept.created for kept, _ in found] == sorted(NOW - age // 2 for age in ages)
    assert {kept.match: log for kept, log in found if log} == {"m7": [an_entry(0, "here")]}


async def test_no_more_is_removed_in_one_go_than_is_allowed(store: SqlStore) -> None:
    for number in range(7):
        await store.create(a_match(f"m{number}", NOW - 100 * DAY))
    retention = Retention(at_once=3)
    removed = [await store.prune(retention, NOW) for _ in range(4)]
    assert [len(some) for some in removed] == [3, 3, 1, 0]


async def test_of_too_many_finished_matches_those_that_have_been_over_longest_go(store: SqlStore) -> None:
    for number in range(8):
        await store.create(a_match(f"m{number}"))
        await store.append(f"m{number}", an_entry(0, at=NOW + (number * 3) % 8), over=number < 7)
    assert set(await store.prune(Retention(most_finished=3), NOW + 100)) == {"m0", "m3", "m6", "m1"}
    assert (await store.totals()).finished == 3
    assert await store.prune(Retention(most_finished=3), NOW + 100) == []
    # And no more of them at once than of the others.
    assert await store.prune(Retention(most_finished=0, at_once=1), NOW + 100) == ["m4"]


async def test_of_an_owner_with_more_than_a_share_the_oldest_that_are_over_go_first(store: SqlStore) -> None:
    """Nothing that goes on, and nothing of anybody else."""

    for number in range(8):
        await store.create(a_match(f"a{number}", owner="ann"))
        await store.create(a_match(f"b{number}", owner="bo" if number < 2 else ""))
        for match in (f"a{number}", f"b{number}"):
            await store.append(match, an_entry(0, at=NOW + number), over=number != 3)
    one = (await store.shares())["bo"].bytes // 2
    kept = Retention(share=4 * one + 10)
    assert set(await store.prune(kept, NOW + 100)) == {"a0", "a1", "a2", "a4"}
    assert await store.prune(kept, NOW + 100) == []
    assert (await store.shares())["ann"].bytes <= kept.share
    assert len(await store.prune(Retention(share=0, at_once=3), NOW + 100)) == 3


async def test_the_totals_are_what_there_is(store: SqlStore) -> None:
    before = await store.totals()
    assert (before.unfinished, before.finished) == (0, 0)
    for number in range(40):
        await store.create(a_match(f"m{number}", NOW + number))
        await store.append(f"m{number}", an_entry(0, "x" * 5000, at=NOW + 50 + number), over=number % 4 == 0)
    totals = await store.totals()
    assert (totals.unfinished, totals.finished) == (30, 10)
    assert totals.bytes > before.bytes


async def test_an_owner_has_a_share_of_the_open_matches_and_of_the_bytes(address: str) -> None:
    async with opened(address) as store:
        for number in range(6):
            await store.create(a_match(f"a{number}", owner="ann"))
            for ply in range(4):
                await store.append(f"a{number}", an_entry(ply), over=ply == 3 and number < 2)
        await store.create(a_match("b", owner="ben"))
        await store.create(a_match("nobody's"))
    async with opened(address) as store:
        shares = await store.shares()
        assert set(shares) == {"ann", "ben"}
        ann, ben = shares["ann"], shares["ben"]
        assert (ann.open, ben.open) == (4, 1)
        # Whether they are over or not, the entries count alike.
        assert ann.bytes == 6 * (ben.bytes + 4 * 100)
        assert (await store.load("b") or (None,))[0] == a_match("b", owner="ben")
        await store.append("b", an_entry(0, at=NOW - 400 * DAY), over=True)
        await store.prune(Retention(), NOW)
        assert await store.shares() == {"ann": ann}


async def test_what_was_written_is_counted(store: SqlStore) -> None:
    await asyncio.gather(*(store.create(a_match(f"m{number}")) for number in range(10)))
    before = store.figures.commits
    for ply in range(3):
        await asyncio.gather(*(store.append(f"m{number}", an_entry(ply), over=False) for number in range(10)))
    assert not await store.append("m0", an_entry(0), over=False)
    assert store.figures.entries == 30
    assert 4 <= store.figures.commits - before <= 31
    assert store.figures.seconds > 0


async def test_a_store_that_can_write_is_ready_and_a_closed_one_is_not(store: SqlStore) -> None:
    await asyncio.gather(*(store.ready() for _ in range(50)))
    commits = store.figures.commits
    await asyncio.gather(*(store.ready() for _ in range(50)))
    assert store.figures.commits - commits <= 1
    await store.close()
    with pytest.raises(StoreError, match="stopping"):
        await store.ready()


HOSTILE = {
    "quotes": "'; DROP TABLE matches; --\"`\\",
    "emoji": "🐙 é ß 漢 \u202e",
    "control": "\x01\x1b[2J\r\n\t",
    "percent": "%s %d {} $1 ? :at",
    "NUL": "a\x00b",
    "half a character": "\ud800",
    "long": "x" * 10_000,
    "empty": "",
}
REFUSED = ("a\x00b", "\ud800")


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_values_come_back_unchanged_or_are_refused_and_do_no_harm_to_others(
    store: SqlStore, value: str
) -> None:
    for name in "abcd":
        await store.create(a_match(name))
    entries = [an_entry(0, value), an_entry(0, "good"), an_entry(0, "fine", value), an_entry(0, "also good")]
    answers = await asyncio.gather(
        *(store.append(name, entry, over=False) for name, entry in zip("abcd", entries, strict=True)),
        return_exceptions=True,
    )
    assert answers[1] is answers[3] is True
    for name, entry, answer in zip("abcd", entries, answers, strict=True):
        loaded = await log_of(store, name)
        if value not in REFUSED or name in "bd":
            assert answer is True
            assert loaded == [entry]
        else:
            # In the same words by both stores.
            assert str(answer) == "There are characters in it that cannot be kept: it was not written down."
            assert isinstance(answer, StoreError)
            assert loaded == []
            # And the place is still free.
            assert await store.append(name, an_entry(0), over=False)
    kept = a_match("e", names=(value, "Ben"))
    if value in REFUSED:
        with pytest.raises(StoreError, match="cannot be kept"):
            await store.create(kept)
        assert await store.load("e") is None
    else:
        assert await store.create(kept)
        assert await store.load("e") == (kept, [])
    try:
        assert await store.load(value) is None
    except StoreError:
        assert value in REFUSED


async def test_a_ply_that_no_column_holds_is_refused(store: SqlStore) -> None:
    await store.create(a_match("m"))
    try:
        assert not await store.append("m", an_entry(10**30), over=False)
    except StoreError as refusal:
        assert "not written down" in str(refusal)
    assert await store.append("m", an_entry(0), over=False)


async def test_who_goes_away_while_waiting_does_not_hold_up_the_others(store: SqlStore) -> None:
    await asyncio.gather(*(store.create(a_match(f"m{number}")) for number in range(20)))
    tasks = [asyncio.create_task(store.append(f"m{number}", an_entry(0), over=False)) for number in range(20)]
    await asyncio.sleep(0)  # they have asked now, and have no answer yet
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert answers[1::2] == [True] * 10
    assert await store.append("m1", an_entry(1), over=False)


async def test_closing_writes_down_what_waits_and_refuses_what_comes_later(address: str) -> None:
    async with opened(address) as store:
        await asyncio.gather(*(store.create(a_match(f"m{number}")) for number in range(30)))
        waiting = [asyncio.create_task(store.append(f"m{number}", an_entry(0), over=False)) for number in range(30)]
        await asyncio.sleep(0)  # they have asked now
        await store.close()
        assert await asyncio.gather(*waiting) == [True] * 30
        for late in (store.append("m1", an_entry(1), over=False), store.create(a_match("x")), store.load("m1")):
            with pytest.raises(StoreError, match="stopping"):
                await late
    async with opened(address) as store:
        for number in range(30):
            assert await store.load(f"m{number}") == (a_match(f"m{number}"), [an_entry(0)])


async def test_answers_to_the_puzzle_are_counted_for_one_day_and_survive_a_restart(address: str) -> None:
    async with opened(address) as store:
        await store.count_answer("2026-03-01", 1, right=True)
        assert await store.answers("2026-03-01") == {1: (1, 1)}
        # Nothing is left of the day before.
        await asyncio.gather(*(store.count_answer("2026-03-02", 1, right=who < 3) for who in range(10)))
        await store.count_answer("2026-03-02", 3, right=False)
        assert await store.answers("2026-03-01") == {}
    async with opened(address) as store:
        assert await store.answers("2026-03-02") == {1: (10, 3), 3: (1, 0)}


async def test_it_notes_its_time_and_never_goes_back(address: str) -> None:
    async with opened(address) as store:
        begin = store.lived.time
        more = Lived(begin + 100, "one", 7.0)
        assert await store.live(more) == more
        assert await store.live(Lived(begin + 50, "two", 9.0)) == more
    async with opened(address) as store:
        assert store.lived == more
