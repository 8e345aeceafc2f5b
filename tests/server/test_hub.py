"""What the hub does when something fails or comes again, what it counts, and what it keeps."""

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from numberquest.core.line import Line
from numberquest.core.registry import GAMES
from numberquest.server import hub as hubs_module
from numberquest.server import wire
from numberquest.server.hub import LONGEST_LOG, NEXT_WITHIN, Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.match.entries import HINT, REMATCH, Action, Entry, MatchHeader
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.store.base import Retention, SqlStore, StoreError
from numberquest.server.think.pool import Thinking
from numberquest.server.tokens import seats_of
from tests.server.keeping import Watcher, hub_at, is_refused, log_of, until
from tests.server.test_two_hubs import Failing, over

SCREEN = wire.NewMatch("sumquest", opponent="screen")


class Doubtful(Failing):
    """A store that can be told to fail at a write: before it is on disk, or after; or to keep no new match."""

    before = after = full = False

    async def create(self, header: MatchHeader) -> bool:
        if self.full:
            raise StoreError("full")
        return await self._store.create(header)

    async def append(self, match: str, entry: Entry, over: bool, new: MatchHeader | None = None) -> bool:
        if self.before:
            raise StoreError("full")
        written = await self._store.append(match, entry, over, new)
        if self.after:
            raise StoreError("the answer was lost")
        return written


# ---- a write that fails


async def test_what_was_written_although_the_store_failed_is_shown_to_the_other_player_without_being_asked(
    store: SqlStore,
) -> None:
    doubtful: Any = Doubtful(store)
    async with hub_at(doubtful) as hub:
        room = await hub.room((await hub.create(SCREEN)).match)
        other = Watcher(room)
        doubtful.after = True
        with pytest.raises(StoreError):
            await hub.do(room, [0, 1], wire.Move(0, "5"))
        assert other.updates == [], "nothing is shown before it is known to be on disk"
        await until(lambda: bool(other.updates))
        assert room.state.ply == 1
        assert isinstance(other.updates[0].change, wire.Change)
        assert other.updates[0].change.ply == 1


async def test_who_looks_right_after_a_write_has_failed_sees_what_is_on_disk(store: SqlStore) -> None:
    doubtful: Any = Doubtful(store)
    async with hub_at(doubtful) as hub:
        made = await hub.create(SCREEN)
        room = await hub.room(made.match)
        doubtful.before = True
        with pytest.raises(StoreError):
            await hub.do(room, [0, 1], wire.Move(0, "5"))
        assert (await hub.room(made.match)).state.ply == 0
        doubtful.before, doubtful.after = False, True
        with pytest.raises(StoreError):
            await hub.do(room, [0, 1], wire.Move(0, "5"))
        assert (await hub.room(made.match)).state.ply == 1


# ---- what is counted


async def test_a_creation_that_is_repeated_counts_once(store: SqlStore) -> None:
    wish = msgspec.structs.replace(SCREEN, key="k" * 24)
    async with hub_at(store, Limits(matches=2)) as hub:
        made = [await hub.create(wish, "10.0.0.1") for _ in range(5)]
        assert len({one.match for one in made}) == 1
        # There is still room for one.
        await hub.create(SCREEN, "10.0.0.2")
        with pytest.raises(Refusal, match="as many open matches"):
            await hub.create(SCREEN, "10.0.0.3")


async def test_a_creation_that_is_repeated_or_fails_takes_nothing_of_an_addresss_share(store: SqlStore) -> None:
    failing: Any = Doubtful(store)
    wish = msgspec.structs.replace(SCREEN, key="k" * 24)
    async with hub_at(failing) as hub:
        await hub.create(wish, "10.0.0.1")
        before = shares(hub)
        for _ in range(3):
            await hub.create(wish, "10.0.0.1")
        failing.full = True
        with pytest.raises(StoreError):
            await hub.create(SCREEN, "10.0.0.1")
        assert shares(hub) == before
        assert before == {owner: (share.open, share.bytes) for owner, share in (await store.shares()).items()}


async def test_what_is_written_and_what_is_over_is_counted_as_the_store_does(hub: Hub) -> None:
    for at in range(2):
        room = await hub.room((await hub.create(SCREEN, "10.0.0.1")).match)
        await hub.do(room, [0, 1], wire.Move(0, "5"))
        if at:
            await hub.do(room, [0, 1], wire.Act(1, "resign"))
    counted = {owner: (share.open, share.bytes) for owner, share in (await hub.store.shares()).items()}
    assert shares(hub) == counted
    assert [opened for opened, _ in counted.values()] == [1]


def shares(hub: Hub) -> dict[str, tuple[int, int]]:
    """The open matches and the bytes of each owner, as the hub counts them."""
    counted = hub.gate.shares
    return {owner: (counted._open.get(owner, 0), size) for owner, size in counted._bytes.items()}


async def test_in_a_match_with_as_many_entries_as_there_may_be_one_can_move_and_resign_and_ask_for_another(
    hub: Hub,
) -> None:
    match = (await hub.create(SCREEN)).match
    hints = [Action(ply, 0, "", 0.0, HINT) for ply in range(LONGEST_LOG - 2)]
    assert all(await asyncio.gather(*(hub.store.append(match, hint, over=False) for hint in hints)))
    hub._rooms.pop(match, None)
    room = await hub.room(match)
    await hub.do(room, [0, 1], wire.AskHint(LONGEST_LOG - 2, 1))
    await hub.do(room, [0, 1], wire.Move(LONGEST_LOG - 1, "5"))
    for wish in (wire.AskHint(LONGEST_LOG, 1), wire.Act(LONGEST_LOG, "take-back")):
        await is_refused(hub.do(room, [0, 1], wish), "too-many")
    await hub.do(room, [0, 1], wire.Move(LONGEST_LOG, "6"))
    await hub.do(room, [0, 1], wire.Act(LONGEST_LOG + 1, "resign"))
    assert room.state.over
    await hub.do(room, [0, 1], wire.Act(LONGEST_LOG + 2, "rematch"))
    assert (await hub.store.totals()).unfinished == 1


# ---- what does not depend on the position


async def two_friends(hub: Hub) -> Room:
    """Two friends who have just sat down; the log has one entry."""
    made = await hub.create(wire.NewMatch("sumquest"))
    await hub.join(made.match, wire.Join(made.invite or "", "Bo"))
    return await hub.room(made.match)


async def test_who_resigns_is_not_refused_because_a_move_came_first(hub: Hub) -> None:
    room = await two_friends(hub)
    wish = wire.Act(1, "resign", key="r")
    await hub.do(room, [0], wire.Move(1, "5"))
    await hub.do(room, [1], wire.Move(2, "6"))
    await hub.do(room, [1], wire.Act(3, "take-back"))
    after = await hub.do(room, [1], wish)
    assert after is room.state
    assert (after.ply, after.line.resigned) == (5, 1)
    # Asked again it is the same; asked anew it is late, for the game is over.
    other = Watcher(room)
    assert await hub.do(room, [1], wish, other) is after
    assert [update.done for update in other.updates] == [["r"]]
    for late in (wire.Act(1, "resign", key="r2"), wire.Act(4, "resign", seat=2)):
        await is_refused(hub.do(room, [1], late), "late")
    assert room.state is after


@pytest.mark.parametrize("do", ["take-back", "agree", "refuse", "withdraw"])
async def test_what_depends_on_the_position_is_late_after_a_move(hub: Hub, do: Any) -> None:
    room = await two_friends(hub)
    await hub.do(room, [0], wire.Move(1, "5"))
    await is_refused(hub.do(room, [0], wire.Act(1, do)), "late")
    assert room.state.ply == 2


@pytest.mark.parametrize("do", ["agree", "refuse"])
async def test_an_answer_that_comes_late_is_none_to_the_next_question(hub: Hub, do: Any) -> None:
    room = await two_friends(hub)
    await hub.do(room, [0], wire.Move(1, "5"))
    await hub.do(room, [0], wire.Act(2, "take-back"))
    await hub.do(room, [1], wire.Move(3, "6"))
    await hub.do(room, [0], wire.Move(4, "1"))
    await hub.do(room, [0], wire.Act(5, "take-back"))
    await is_refused(hub.do(room, [1], wire.Act(3, do)), "late")
    assert (room.state.ply, room.state.asked) == (6, 0)


async def test_the_same_asked_for_at_the_next_place_is_another_request(hub: Hub) -> None:
    room = await hub.room((await hub.create(SCREEN)).match)
    await hub.do(room, [0, 1], wire.AskHint(0, 1, "h"))
    await hub.do(room, [0, 1], wire.Move(1, "5"))
    assert (await hub.do(room, [0, 1], wire.AskHint(0, 1, "h"))).ply == 1
    await is_refused(hub.do(room, [0, 1], wire.AskHint(1, 1, "h")), "late")


async def test_who_watches_cannot_resign_late_either(hub: Hub) -> None:
    room = await two_friends(hub)
    for seats, wish in (([], wire.Act(0, "resign")), ([0], wire.Act(0, "resign", seat=2))):
        await is_refused(hub.do(room, seats, wish), "no-seat")
    with pytest.raises(Refusal, match="not where you think"):
        await hub.do(room, [0], wire.Act(2, "resign"))


async def test_at_one_screen_whose_turn_it_was_when_they_looked_resigns(hub: Hub) -> None:
    room = await hub.room((await hub.create(SCREEN)).match)
    await hub.do(room, [0, 1], wire.Move(0, "5"))
    assert (await hub.do(room, [0, 1], wire.Act(0, "resign"))).line.resigned == 0


async def test_two_friends_who_ask_for_another_game_at_one_moment_get_it(hub: Hub) -> None:
    room = await two_friends(hub)
    await hub.do(room, [0], wire.Act(1, "resign"))
    # What one calls it says nothing about the other's.
    wish = wire.Act(2, "rematch", key="again")
    one, two = await asyncio.gather(*(hub.do(room, [seat], wish) for seat in (0, 1)))
    assert (sorted(one.wants), sorted(two.wants)) == ([0], [0, 1])
    assert (await hub.store.totals()).unfinished == 1
    assert await hub.do(room, [0], wish) is one


async def test_who_resigns_at_one_server_is_not_refused_for_a_move_at_another(hubs: tuple[Hub, Hub]) -> None:
    here, there = hubs
    room = await two_friends(here)
    other = await there.room(room.name)
    # No word of it comes here: the store says so when the resignation is written down.
    await there.do(other, [0], wire.Move(1, "5"))
    wish = wire.Act(1, "resign", key="r")
    after = await here.do(room, [1], wish)
    assert (after.ply, after.line.resigned) == (3, 1)
    assert (await there.do(other, [1], wish)).log() == after.log()
    assert isinstance(here.store, SqlStore)
    assert await log_of(here.store, room.name) == after.log()


# ---- what is found, told and forgotten


async def test_only_who_asked_is_told_that_it_was_done_and_of_the_computer_only_what_is_new(hub: Hub) -> None:
    room = await hub.room((await hub.create(SCREEN)).match)
    one, two = Watcher(room), Watcher(room)
    await hub.do(room, [0, 1], wire.Move(0, "5", "k"), one)
    await hub.do(room, [0, 1], wire.Move(1, "6"), one)
    assert [update.done for update in one.updates] == [["k"], []]
    assert [update.done for update in two.updates] == [[], []]
    for update in one.updates + two.updates:
        assert isinstance(update.change, wire.Change)
        assert update.change.computer is msgspec.UNSET


async def test_who_has_just_joined_at_another_server_is_known_by_their_token(hubs: tuple[Hub, Hub]) -> None:
    here, there = hubs
    made = await here.create(wire.NewMatch("sumquest"))
    room = await here.room(made.match)
    bo = await there.join(made.match, wire.Join(made.invite or "", "Bo"))
    assert await here.seated(room, bo.token) == [1]
    assert await here.seated(room, "x" * 43) == []


@pytest.mark.parametrize(("later", "unfinished"), [(0.0, 1), (NEXT_WITHIN + 60, 0)])
async def test_a_match_that_was_wished_for_but_not_made_is_made_when_somebody_looks_within_a_day(
    store: SqlStore, later: float, unfinished: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hub_at(store) as hub:
        made = await over(hub)
    # As an old server wrote it, which ended before the match was there.
    assert await store.append(made.match, Action(1, 0, "", time.time(), REMATCH), over=False)
    async with hub_at(store) as hub:
        # Of the store's own time, which a wrong clock does not change.
        monkeypatch.setattr(hub.time, "now", lambda: time.time() + later)
        await hub.room(made.match)
        assert (await store.totals()).unfinished == unfinished


async def test_no_more_matches_are_forgotten_than_must_be(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs_module, "MOVES_IN_MEMORY", 20)

    async with hub_at(store) as before, hub_at(store) as hub:
        names = []
        for _ in range(6):
            room = await before.room((await before.create(SCREEN)).match)
            for ply, move in enumerate(("5", "6")):
                await before.do(room, [0, 1], wire.Move(ply, move))
            names.append(room.name)
        for name in names:
            await hub.room(name)
        # Two moves and two entries each: four matches are 16, and no more than 18 are to be left.
        assert hub.in_memory == 4


# ---- a request that comes again gets the answer it got, and makes no work beyond that of showing it

LONG = 400


class Work(Counter[str]):
    """How often a rule was asked, and a line of play was made."""

    def __init__(self, patch: pytest.MonkeyPatch, kind: Any) -> None:
        super().__init__()
        for name in ("play", "moves", "outcome"):
            patch.setattr(kind, name, self._counted(name, getattr(kind, name)))
        patch.setattr(Line, "__init__", self._counted("line", Line.__init__))

    def _counted(self, name: str, true: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self[name] += 1
            return true(*arguments)

        return counted


async def told(hub: Hub, room: Room, wish: wire.Move | wire.Act) -> bytes:
    """What is answered, as over HTTP."""
    return room.shown(await hub.do(room, [0, 1], wish))


def next_wish(state: MatchState, dice: Random) -> wire.Move | wire.Act:
    """A move that does not end the game; where it would, the one before is taken back."""
    line, key = state.line, f"key {state.ply}"
    if line.game.slug == "pig":
        # A few rolls, and then nobody gets anywhere.
        return wire.Move(state.ply, "roll" if state.ply < 20 and line.position.this_turn == 0 else "hold", key)
    move = dice.choice(line.moves)
    if line.game.outcome(line.game.play(line.position, move)) is not None:
        return wire.Act(state.ply, "take-back", key=key)
    return wire.Move(state.ply, move, key)


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("slug", ["pig", "sumquest"])
async def test_repeating_an_old_move_of_a_long_match_costs_no_more_than_a_new_one(
    slug: str, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one that need not end, and in one in which much was taken back."""
    work, dice = Work(monkeypatch, GAMES[slug]), Random(7)
    room = await hub.room((await hub.create(wire.NewMatch(slug, opponent="screen"))).match)
    asked: list[tuple[wire.Move | wire.Act, bytes, Counter[str]]] = []
    while room.state.ply < LONG:
        wish = next_wish(room.state, dice)
        before = Counter(work)
        answer = await told(hub, room, wish)
        asked.append((wish, answer, Counter(work) - before))
    # What is told of a long history is told of every entry of it: the dearest new answer is the measure.
    dearest = {name: max(cost[name] for *_, cost in asked) for name in work}
    for wish, answer, _first in dice.sample(asked, 60):
        before = Counter(work)
        assert await told(hub, room, wish) == answer
        spent = Counter(work) - before
        assert spent["line"] == 0
        assert all(spent[name] <= dearest[name] for name in dearest), (spent, dearest)
    assert room.state.ply == LONG


async def test_a_request_that_was_done_at_another_process_is_told_as_done_at_once(hubs: tuple[Hub, Hub]) -> None:
    one, two = hubs
    made = await one.create(SCREEN)
    here, there = await one.room(made.match), await two.room(made.match)
    watcher = Watcher(there)
    wish = wire.Move(0, "5", "the key")
    first = await told(one, here, wish)
    after = await two.do(there, [0, 1], wish, watcher)
    assert there.shown(after) == first
    assert [key for update in watcher.updates for key in update.done] == ["the key"]
    assert here.state.log() == there.state.log()


async def test_of_one_screen_the_same_deed_for_the_other_seat_is_another_request(hub: Hub) -> None:
    room = await hub.room((await hub.create(SCREEN)).match)
    first = await told(hub, room, wire.Act(0, "resign", 2, "k"))
    assert await told(hub, room, wire.Act(0, "resign", 2, "k")) == first
    await is_refused(hub.do(room, [0, 1], wire.Act(0, "resign", 1, "k")), "late")


# ---- what is kept, for how long and for whom


class Clock:
    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


async def seated(hub: Hub) -> tuple[str, wire.Seated]:
    made = await hub.create(wire.NewMatch("sumquest"))
    joined = await hub.join(made.match, wire.Join(made.invite or ""))
    return made.match, joined


async def is_there(hub: Hub, match: str) -> bool:
    try:
        await hub.room(match)
    except Refusal as refusal:
        assert refusal.code == "not-found"
        return False
    return True


async def test_a_match_that_nobody_joins_makes_room_for_others_after_a_while(store: SqlStore) -> None:
    """The same for one that nobody goes on with, and one that is over, each in its time."""
    clock, kept = Clock(), Retention(100, 1000, 5000)
    hub = Hub(store, Thinking(), Gate(Limits(matches=5)), Log(None), clock=clock, steady=clock, retention=kept)
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
        found = [match for match in (*alone, going, over) if await is_there(hub, match)]
        assert len(found) == left, (clock.now, found)
    assert (await hub.create(wire.NewMatch("sumquest"))).seats == [1]
    await hub.close()


async def test_one_address_stores_so_many_bytes_and_others_are_served(store: SqlStore) -> None:
    """Long games to go on from: few matches, and yet much to keep."""
    wish = from_a_long_record(399)
    async with hub_at(store, Limits(stored=10_000)) as hub:
        made = [await hub.create(wish, "192.0.2.1") for _ in range(4)]
        with pytest.raises(Refusal, match="for this address"):
            await hub.create(wish, "192.0.2.1")
        await hub.create(wish, "192.0.2.2")
        # Those that are there are played on; also when they are over, they are still stored.
        room = await hub.room(made[0].match)
        await hub.do(room, [0, 1], wire.Act(0, "resign"))
        with pytest.raises(Refusal, match="for this address"):
            await hub.create(wish, "192.0.2.1")


def from_a_long_record(moves: int) -> wire.NewMatch:
    played = " ".join("12"[at % 2] for at in range(moves))
    record = f'[Game "sumquest"]\n[Settings "target=999"]\n\n{played}\n'
    return wire.NewMatch("sumquest", opponent="screen", record=record)


async def test_long_matches_are_kept_in_memory_by_their_length_and_not_by_their_number(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few thousand that go on from long records would fill it; each comes back from the disk when it is asked for."""
    monkeypatch.setattr(hubs_module, "MOVES_IN_MEMORY", 1_000)
    wish = from_a_long_record(100)
    made = [await hub.create(wish) for _ in range(30)]
    assert hub.in_memory <= 10
    assert (await hub.room(made[0].match)).state.line.length == 100
    # One that somebody looks at stays.
    watched = await hub.room(made[1].match)
    watcher = Watcher(watched)
    for _more in range(30):
        await hub.create(wish)
    assert await hub.room(made[1].match) is watched
    assert watcher.updates == []


async def test_a_rematch_counts_for_whoever_made_the_first_match(hub: Hub) -> None:
    made = await hub.create(SCREEN, "192.0.2.1")
    room = await hub.room(made.match)
    owner = room.state.header.owner
    assert owner
    assert "192.0.2.1" not in owner
    await hub.do(room, [0, 1], wire.Act(0, "resign"))
    await hub.do(room, [0, 1], wire.Act(1, "rematch"))
    again = await hub.room(json.loads(room.whole())["next"])
    assert again.state.header.owner == owner
