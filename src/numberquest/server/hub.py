"""All live matches of this process: who watches them, and the one way in which they change.

A change is checked, written down, and only then shown: what anybody has seen is on disk.
"""

import asyncio
import contextlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from numberquest.core import dealer as dealers
from numberquest.core.contract import player_name
from numberquest.core.recipe import is_at_hand
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.background import Background
from numberquest.server.boards import Showing
from numberquest.server.clock import NOTED, StoreClock, steady_time
from numberquest.server.computers import Computers
from numberquest.server.limits import Gate, Rate, payer, places_of
from numberquest.server.log import Log, Metrics, where
from numberquest.server.match.entries import HINT, JOIN, REMATCH, RESIGN, Action, Entry, MatchHeader, Move
from numberquest.server.match.new import checked_key, checked_name, new_match, rematch
from numberquest.server.match.state import MatchState, folded, new_state
from numberquest.server.refusal import Refusal
from numberquest.server.room import LOOKS, Presence, Room, Watcher
from numberquest.server.shared_read import SharedRead
from numberquest.server.solved import SolvedToday
from numberquest.server.store.base import ENTRY_BYTES, Retention, Store, StoreError, size_of
from numberquest.server.think import tasks
from numberquest.server.think.pool import Busy, Thinking, TooSlow
from numberquest.server.tokens import Tokens, hashed, opens, seats_of

T = TypeVar("T")
Wish = wire.Move | wire.Act | wire.AskHint
"""A command of a player in a match."""
Allowed = Callable[[MatchHeader, Wish | None], Awaitable[None]]
"""Refuses what a class does not want done in its matches; without a wish, advice of any kind."""

FEW: Final = 10
"""The share of places, one in this number, below which matches that have not begun make room."""
MAKE_ROOM: Final = 10.0
"""Seconds between two times that room is made for all, or for one network."""
LONG: Final = 50
"""A log that has more entries than this, or a record, is played through in a thread of its own."""
COUNTS_AS_ONE: Final = 500
"""Characters of a record that count as one more new match."""
NEW_RECIPE: Final = 20
"""Requests that a recipe in a name counts as besides, where it is not in memory: 40 at once, then ten a second."""
LONGEST_RECORD: Final = 2_000
"""Entries at most of a record that a match goes on from."""
IN_MEMORY: Final = 20_000
"""Matches that stay in memory; beyond that, matches without a watcher go first. All are on disk."""
MOVES_IN_MEMORY: Final = 20 * IN_MEMORY
"""Moves and actions of all matches in memory: one that goes on from a long record is as large as fifty others."""
LONGEST_LOG: Final = 2_000
"""A match with more entries than this (hints, questions, take-backs) takes no more of them."""
AT_ANY_TIME: Final = (RESIGN, REMATCH)
"""Commands that do not depend on the position: also done after other entries, and in a match of any length."""
CATCHING_UP: Final = 4
"""Matches that are read at once when notifications from other processes were lost."""
NEXT_WITHIN: Final = 24 * 3600.0
"""Seconds after a wish for another game in which it is looked for whether there is one."""
COUNTED_AFTER: Final = 2.0
"""Seconds from news that matches may have been removed until matches are counted again, once."""
SWEEP: Final = 3600.0
"""Seconds between two looks for matches to remove."""


class Hub:
    """The matches of this process."""

    def __init__(
        self,
        store: Store,
        thinking: Thinking,
        gate: Gate,
        log: Log,
        *,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = steady_time,
        boot: str | None = None,
        new_seed: Callable[[], str] = dealers.new_seed,
        new_key: Callable[[], str] = lambda: secrets.token_urlsafe(24),
        retention: Retention | None = None,
    ) -> None:
        """`new_seed` and `new_key` come from the system's secret source; tests bring their own."""
        self.store, self.thinking, self.gate, self.log = store, thinking, gate, log
        self.metrics = Metrics()
        self.clock, self.new_seed, self._new_key = clock, new_seed, new_key
        self.time = StoreClock(store.lived, steady, boot)
        self._retention = retention or Retention()
        self.solved = SolvedToday(store, clock)
        self.tokens = Tokens(store.secret)
        self._showing = Showing(partial(self.tokens.name, "next"))
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loaded = SharedRead(self._load)
        self._tasks: set[asyncio.Task[None]] = set()
        self.background = Background()
        self.open_matches = 0
        """How many matches are not over; `gate.limits.matches` is how many there may be."""
        self._coming: list[MatchHeader] = []
        self._since: list[MatchHeader] | None = None
        self._counts_soon = False
        self._moves = 0
        self._making_room, self._makes_room = asyncio.Lock(), Rate(1 / MAKE_ROOM, 1.0, steady)
        # One after the other: many at once would slow everybody down, and a thread each would too.
        self._aside = ThreadPoolExecutor(1, "replays")
        self.presence = Presence(store, self._rooms.get)
        thinking.spent, store.failed = gate.thought.used, self._not_written
        for each in (self.background, store.background, thinking.background):
            each.failed = self._task_failed
        self._computers = Computers(thinking, log, self.metrics, new_seed, self.owner, self.go, self._do)
        self.allowed: Allowed = _always
        """Called before each command in a match of a class; it may refuse."""

    # ---- start and stop

    async def start(self) -> None:
        """Count what there is, and begin to look after it."""
        await self._count()
        self.store.on_change(self._changed_elsewhere)
        self.store.on_word(self.presence.heard)
        self.go(self._warm_up())
        self.go(self.background.keep_running("matches", self._sweep_forever))

    async def _warm_up(self) -> None:
        """Have the games solved before the first visitor comes."""
        with contextlib.suppress(Busy, TooSlow):
            answer = await self.thinking.ask(tasks.Games(), "")
            if isinstance(answer, tasks.Made):
                for info in msgspec.json.decode(answer.json, type=wire.Games).games:
                    if info.value is not None:
                        rules = info.game, make_game(info.game).settings_text
                        self._computers.solvable(*rules)
                        await self.thinking.ask(tasks.Prepare(*rules), "")

    async def close(self) -> None:
        """Let go of everything but the store, which its opener closes."""
        self.presence.close()
        self._aside.shutdown(wait=False, cancel_futures=True)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(StoreError):
            await self.note_time()

    @property
    def in_memory(self) -> int:
        return len(self._rooms)

    def go(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.log.error("task", what=type(error).__name__, where=where(error))

    def _task_failed(self, name: str, error: Exception) -> None:
        self.log.error("task", what=type(error).__name__, where=where(error), task=name)
        self.metrics.count(f'numberquest_task_restarts_total{{task="{name}"}}')

    @property
    def stopped_tasks(self) -> set[str]:
        """The background tasks that are not running, also those of the store and of the workers."""
        return self.background.stopped | self.store.background.stopped | self.thinking.background.stopped

    def _not_written(self, trouble: StoreError) -> None:
        self.metrics.count(f'numberquest_store_failures_total{{cause="{trouble.cause}"}}')
        self.log.failed(trouble.cause, str(trouble))

    # ---- finding a match

    async def room(self, match: str) -> Room:
        """The match of that name, for a watcher; refused if there is none."""
        room = await self._room(match)
        room.looked = asyncio.get_running_loop().time()
        # A computer that could not choose tries again when somebody looks.
        self._computers.wake(room)
        return room

    def waited(self, room: Room) -> float:
        """Seconds that the player to move has done nothing."""
        return max(0.0, room.state.waited(self.time.now()))

    async def _room(self, match: str) -> Room:
        known = self._rooms.get(match)
        room = known or await self._loaded(match)
        if room is None:
            raise Refusal("not-found", Said("match-unknown"))
        if room.behind or room.being_read or (known and not self.store.hears):
            async with room.lock:
                # Whoever was here before may have read it.
                if room.behind or not self.store.hears:
                    await self._refresh(room)
        return room

    async def _load(self, match: str) -> Room | None:
        found = await self.store.load(match)
        if found is None:
            return None
        header, log = found
        fold = partial(folded, header, log)
        beside = header.start or len(log) > LONG or not is_at_hand(header.game)
        state = await self._beside(fold) if beside else fold()
        # The server may have ended after the wish for another game, and before there was one; later than that, it is
        # there, or was removed.
        if state.entry is not None and self.time.now() - state.entry.at < NEXT_WITHIN:
            await self._make_next(state, "")
        room = self._keep(state)
        if self._loaded.is_old(match):
            self._fall_behind(room)
        return room

    def _keep(self, state: MatchState) -> Room:
        found = self._rooms.get(state.header.match)
        if found is not None:
            # Somebody has asked for it meanwhile, and may look at it: of a match there is one room.
            if found.state.ply < state.ply:
                self._fall_behind(found)
            return found
        room = self._rooms[state.header.match] = Room(state, self._showing)
        # What is played later is counted when some are forgotten.
        self._moves += room.length
        if len(self._rooms) > IN_MEMORY or self._moves > MOVES_IN_MEMORY:
            self._forget_some()
        return room

    def _forget_some(self) -> None:
        self._moves = sum(room.length for room in self._rooms.values())
        # The newest is just being asked for.
        for name, room in list(self._rooms.items())[:-1]:
            if len(self._rooms) <= IN_MEMORY * 9 // 10 and self._moves <= MOVES_IN_MEMORY * 9 // 10:
                return
            if room.idle:
                self._moves -= room.length
                del self._rooms[name]

    async def seated(self, room: Room, token: str | None) -> list[int]:
        """The seats that a token opens. Where a player is missing, they may just have joined at another process."""
        seats = seats_of(token, room.state.tokens)
        if token and not seats and not all(room.state.joined):
            async with room.lock:
                await self._refresh(room)
            seats = seats_of(token, room.state.tokens)
        return seats

    # ---- new matches and seats

    async def create(self, wish: wire.NewMatch, address: str = "") -> wire.Seated:
        """A new match, counted for this address; with the same key, the same match."""
        key = wish.key or self._new_key()
        match, token = self.tokens.name("match", key), self.tokens.token("seat", key)
        owner, most = self.owner(address), self.gate.limits.matches
        if self._free <= most // FEW:
            await self._make_room()
        if not self.gate.shares.room_for(owner, self._free):
            # For this takes away nothing of anybody else.
            await self._make_room(owner.partition(".")[0])
        free = self._free
        if (free <= 0 or not self.gate.shares.room_for(owner, free)) and await self.store.load(match) is None:
            raise Refusal("too-many", Said("server-full" if free <= 0 else "much-kept"))
        invite = self.tokens.token("invite", key)
        now, date = self.time.now(), self.date()
        toss = partial(secrets.randbelow, 2)
        make = partial(_made, wish, match, token, invite, self.new_seed, toss, now, owner, date)
        # One after the other is played through: nobody's many long ones keep the others waiting.
        self.gate.created.uses(address, len(wish.record or "") // COUNTS_AS_ONE)
        state = await (self.made(wish.game or "", make, address) if wish.record is None else self._beside(make))
        await self._create(state, address, self.store.create(state.header))
        room = await self._room(match)
        self._computers.wake(room)
        # The same answer also where the game has gone on since.
        state = room.state.earlier(0)
        mine = seats_of(token, state.tokens)
        shown = self._showing.whole(state, room.computer if state is room.state else None, mine)
        return wire.Seated(match, [at + 1 for at in mine], token, invite if state.header.invite else None, shown)

    def owner(self, address: str) -> str:
        """The pseudonym under which the share of an address is counted."""
        return self.tokens.owner(places_of(address) if address else ())

    async def think(
        self, task: tasks.Task, owner: str, match: str = "", wanted: Callable[[], bool] = lambda: True
    ) -> tasks.Answer:
        """Return a worker's answer, for which this owner pays; what is known already costs nobody anything."""
        pays, thought = payer(owner), self.gate.thought
        free = self.thinking.free(task, pays)
        if not free and not thought.begins(pays):
            raise Refusal("too-many", Said("much-thought"))
        try:
            return await self.thinking.ask(task, pays, match, wanted)
        finally:
            if not free:
                thought.ends(pays)

    @property
    def _free(self) -> int:
        return self.gate.limits.matches - self.open_matches

    async def _beside(self, work: Callable[[], T]) -> T:
        """Do in a thread work that grows with the length of a request or match."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    async def made(self, name: str, make: Callable[[], T], address: str) -> T:
        """Return what `make` makes of the game that a client names; a new recipe is made beside, and paid for."""
        if is_at_hand(name):
            return make()
        self.gate.asked.uses(address, NEW_RECIPE)
        return await self._beside(make)

    async def _make_room(self, network: str = "") -> None:
        """Remove matches that only their maker touched and that have no watcher, because places become few."""
        async with self._making_room:
            if not self._makes_room.allows(network):
                return
            most = max(1, self.gate.limits.matches // 8)
            looked_at = self._looked_at(asyncio.get_running_loop().time() - LOOKS)
            removed = self._removed(await self.store.clear_untouched(self.time.now(), most, looked_at, network))
            # Others may have removed some, such as the keeper.
            if removed or (await self.store.totals()).unfinished < self.open_matches:
                await self._count()

    def _looked_at(self, since: float) -> set[str]:
        return {name for name, room in self._rooms.items() if room.watchers or room.looked > since}

    async def _create(self, state: MatchState, address: str, storing: Awaitable[bool]) -> bool:
        """Have a match stored, unless it is there. It counts before it is stored: many at once must not all fit in."""
        header = state.header
        self._count_in(header)
        self._coming.append(header)
        if self._since is not None:
            self._since.append(header)
        made = False
        try:
            made = await storing
        finally:
            self._coming.remove(header)
            if not made:
                self.open_matches -= 1
                self.gate.shares.closed(header.owner)
                self.gate.shares.wrote(header.owner, -size_of(header))
        if made:
            self._keep(state).address = address
            self.metrics.count("numberquest_matches_created_total")
            self.log.event("created", match=header.match, game=header.game, opponent=header.opponent)
        return made

    def _count_in(self, header: MatchHeader) -> None:
        self.open_matches += 1
        self.gate.shares.opened(header.owner, size_of(header))

    async def join(self, match: str, wish: wire.Join) -> wire.Seated:
        """Take the free seat of a match; asked again with the same key, the same seat."""
        token = self.tokens.token("join", f"{match} {wish.key or self._new_key()}")
        room = await self.room(match)
        async with room.lock:
            state = room.state
            if not opens(wish.invite, state.header.invite):
                raise Refusal("no-seat", Said("invitation-wrong"))
            if not seats_of(token, state.tokens):
                if all(state.joined):
                    raise Refusal("not-allowed", Said("seat-taken-watch"))
                seat = state.joined.index(False)
                name = player_name(seat, state.header.rounds) if wish.name is None else checked_name(wish.name)
                entry = Action(state.ply, seat, "", self.time.now(), JOIN, hashed(token), name)
                try:
                    await self._append(room, state.apply(entry), None)
                except Refusal:
                    # Somebody else was faster, perhaps at another process.
                    if all(room.state.joined):
                        raise Refusal("not-allowed", Said("seat-taken-watch")) from None
                    if room.state.withdrawal is not None:
                        raise room.state.withdrawal from None
                    raise
                self.log.event("joined", match=match, seat=seat + 1)
            # The same answer also where the game has gone on since.
            state, taken = room.state, hashed(token)
            while state.before is not None and taken in state.before.tokens:
                state = state.before
            mine = seats_of(token, state.tokens)
            return wire.Seated(match, [at + 1 for at in mine], token, None, self._showing.whole(state, seats=mine))

    # ---- matches that a class has made

    async def begin(self, header: MatchHeader) -> Room:
        """The match with this header, whose players were put together; made unless it is there."""
        await self._create(new_state(header), "", self.store.create(header))
        room = await self._room(header.match)
        self._computers.wake(room)
        return room

    async def arrange(self, room: Room, do: str, seat: int, key: str = "", token: bytes = b"", name: str = "") -> None:
        """Give a seat to another device or name, or stop the match, for the class that has made it."""
        async with room.lock:
            await self._refresh(room)
            while True:
                entry = Action(room.state.ply, seat, key, self.time.now(), do, token, name)
                try:
                    await self._append(room, room.state.apply(entry), None)
                    return
                except Refusal as refusal:
                    # Another process was first: as it has left it, once more.
                    if refusal.code != "late":
                        raise

    def forget(self, matches: list[str]) -> None:
        """Let go of matches that were removed with their class."""
        if self._removed(matches):
            self._count_soon()

    # ---- things that happen

    async def do(
        self, room: Room, seats: Sequence[int], wish: Wish, by: Watcher | None = None, address: str = ""
    ) -> MatchState:
        """Do it, and return the match right after; the same again where it was done before. The watcher `by` asks."""
        if room.state.header.classroom:
            await self.allowed(room.state.header, wish)
        return await self._do(room, seats, wish, by, address)

    async def _do(
        self, room: Room, seats: Sequence[int], wish: Wish, by: Watcher | None = None, address: str = ""
    ) -> MatchState:
        async with room.lock:
            if wish.ply > room.state.ply or room.behind or not self.store.hears:
                # Whoever asks has seen more, at another process: word of it is still on its way. Or no word comes.
                await self._refresh(room)
            if wish.ply > room.state.ply:
                raise Refusal("late", Said("stands", {"stands": room.state.ply, "ply": wish.ply}))
            after = None
            while after is None:
                if wish.ply < room.state.ply:
                    after = self._repeated(room, seats, wish, by)
                if after is None:
                    after = await self._happens(room, seats, wish, by, address)
        self._computers.wake(room)
        return after

    def _repeated(self, room: Room, seats: Sequence[int], wish: Wish, by: Watcher | None) -> MatchState | None:
        """The match right after the wish, which was done before; None where it was not, and still can be."""
        if not seats:
            raise Refusal("no-seat", Said("watching"))
        at_any_time = isinstance(wish, wire.Act) and wish.do in AT_ANY_TIME
        after = room.state if at_any_time else room.state.earlier(wish.ply + 1)
        while after.entry is not None and after.ply > wish.ply:
            if after.entry.seat in seats and _asked_for(after.entry, wish):
                self._told_again(room, after.entry, by)
                return after
            after = after.earlier(after.ply - 1)
        if not at_any_time:
            raise _gone_on(room.state, wish.ply)
        return None

    async def _happens(
        self, room: Room, seats: Sequence[int], wish: Wish, by: Watcher | None, address: str
    ) -> MatchState | None:
        """The match after the wish, which comes next; None where another process was first."""
        state = room.state
        entry = _entry(state, seats, wish, self.time.now())
        try:
            after = state.apply(entry)
        except Refusal:
            if wish.ply == state.ply:
                raise
            # As what happened first has left it, the game is over, or they want another already.
            raise _gone_on(state, wish.ply) from None
        room.address = address or room.address
        if isinstance(entry, Action) and state.ply >= LONGEST_LOG and entry.do not in AT_ANY_TIME:
            raise Refusal("too-many", Said("match-asked-much"))
        try:
            return await self._append(room, after, by)
        except Refusal as refusal:
            if refusal.code != "late":
                raise
            return None

    def _told_again(self, room: Room, past: Entry, by: Watcher | None) -> None:
        """Tell the watcher that this request of theirs was done already."""
        if by is not None:
            by.told(wire.encode(wire.Update(state=msgspec.Raw(room.whole(by.seats)), done=[past.key])), past.key)

    async def _append(self, room: Room, after: MatchState, by: Watcher | None) -> MatchState:
        """Write the last entry of this state down, and only then show it. If it cannot be written, nothing happened."""
        entry, began = after.entry, time.perf_counter()
        if entry is None:
            raise LookupError("there is nothing to write down")
        over, again = after.over and not room.state.over, self._next(after)
        try:
            writing = self.store.append(room.name, entry, over, again)
            written = await (writing if again is None else self._create(new_state(again), room.address, writing))
        except BaseException:
            # Nobody knows whether it is on disk: before anything else happens here, that is looked up.
            self._fall_behind(room)
            raise
        if not written:
            await self._refresh(room)
            stands = room.state.earlier(after.ply)
            if stands.entry is None or not entry.repeats(stands.entry):
                raise _gone_on(room.state, entry.ply)
            self._told_again(room, entry, by)
            return stands
        self.gate.shares.wrote(after.header.owner, ENTRY_BYTES)
        self.metrics.took(time.perf_counter() - began)
        self.metrics.count("numberquest_moves_total")
        if over:
            self.open_matches -= 1
            self.gate.shares.closed(after.header.owner)
            self.metrics.count("numberquest_matches_over_total")
            self.log.event("over", match=room.name)
        if again is not None:
            self._computers.wake(self._rooms[again.match])
        room.publish(after, by, entry.key)
        return after

    def _changed_elsewhere(self, match: str) -> None:
        """Another process has changed a match, or, without a name, may have changed any."""
        self._loaded.changed(match)
        if not match:
            self._count_soon()
            for room in self._rooms.values():
                room.behind = True
            self.presence.begin_anew([room for room in self._rooms.values() if room.watchers])
            if self.store.hears:
                # A match that nobody looks at is read when somebody asks for it.
                rooms = iter([room for room in self._rooms.values() if not room.idle])
                for _ in range(CATCHING_UP):
                    self.go(self._catch_up(rooms))
        elif match in self._rooms:
            self._fall_behind(self._rooms[match])

    def _fall_behind(self, room: Room) -> None:
        if not room.behind:
            room.behind = True
            self.go(self._catch_up([room]))

    async def _catch_up(self, rooms: Iterable[Room]) -> None:
        """Read what was changed elsewhere; as long as the store does not answer, again and again."""
        for room in rooms:
            pause = 0.05
            while room.behind:
                try:
                    async with room.lock:
                        await self._refresh(room)
                except StoreError as error:
                    self.log.error("store", what=str(error), match=room.name)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, 5.0)
                except Refusal:
                    # It is gone: whoever asks for it next is told.
                    break
            self._computers.wake(room)

    async def _refresh(self, room: Room) -> None:
        """Take in what is on disk and not here yet. Under the lock only."""
        # Before reading: a change that comes while we read is one to be read again.
        room.behind, room.being_read = False, True
        try:
            found = await self.store.load(room.name)
            if found is None:
                # Somebody else has removed it: the keeper, or another process.
                self._let_go(room)
                raise Refusal("not-found", Said("match-unknown"))
            for entry in found[1][room.state.ply :]:
                after = room.state.apply(entry)
                await self._make_next(after, room.address)
                room.publish(after)
        except BaseException:
            room.behind = True
            raise
        finally:
            room.being_read = False

    def _next(self, state: MatchState) -> MatchHeader | None:
        """The next match, with seats changed, where all who must want another game do since the last entry."""
        entry = state.entry
        if not (isinstance(entry, Action) and entry.do == REMATCH and state.rematch_with()):
            return None
        name = self.tokens.name("next", state.header.match)
        return rematch(state, name, self.new_seed, self.time.now(), self.date())

    async def _make_next(self, state: MatchState, address: str) -> None:
        """Make the rematch of a match that was read, before its name is shown, unless its writer made it."""
        again = self._next(state)
        if again is not None and await self._create(new_state(again), address, self.store.create(again)):
            self._computers.wake(self._rooms[again.match])

    # ---- looking after

    async def sweep(self) -> None:
        """Remove the matches whose time is up."""
        await self.note_time()
        self._removed(await self.store.prune(self._retention, self.time.now(), self._looked_at(float("inf"))))
        await self._count()

    def _removed(self, matches: list[str]) -> bool:
        for match in matches:
            room = self._rooms.pop(match, None)
            if room is not None:
                room.removed = True
            self.log.event("removed", match=match)
        return bool(matches)

    def _let_go(self, room: Room) -> None:
        room.removed = True
        if self._rooms.get(room.name) is room:
            del self._rooms[room.name]
        self._count_soon()

    def _count_soon(self) -> None:
        if not self._counts_soon:
            self._counts_soon = True
            self.go(self._count_after_a_while())

    async def _count_after_a_while(self) -> None:
        await asyncio.sleep(COUNTED_AFTER)
        self._counts_soon = False
        with contextlib.suppress(StoreError):
            await self._count()

    async def note_time(self) -> None:
        """Have the store note how far its own time has come."""
        self.time.catch_up(await self.store.live(self.time.lived()))

    async def _count(self) -> None:
        # What comes while the store counts may be in its answer or not. It is added, so that there is never too much:
        # one that is counted twice is put right the next time.
        self._since = since = list(self._coming)
        try:
            unfinished, shares = (await self.store.totals()).unfinished, await self.store.shares()
        finally:
            self._since = None
        self.open_matches = unfinished
        self.gate.shares.begin(shares)
        for header in since:
            self._count_in(header)

    async def _sweep_forever(self) -> None:
        due = self.time.now()
        while True:
            try:
                if self.time.now() >= due:
                    due += SWEEP
                    await self.sweep()
                else:
                    await self.note_time()
            except StoreError as error:
                self.log.error("store", what=str(error))
            await asyncio.sleep(NOTED)

    def date(self) -> str:
        return datetime.fromtimestamp(self.clock(), UTC).date().isoformat()


async def _always(_: MatchHeader, __: Wish | None) -> None:
    """There are no classes here."""


def _made(wish: wire.NewMatch, *about: Any) -> MatchState:
    """The new match, before its first entry."""
    state = new_state(new_match(wish, *about))
    if state.line.length > LONGEST_RECORD:
        raise Refusal("too-large", Said("longer-than-games"))
    return state


def _entry(state: MatchState, seats: Sequence[int], wish: Wish, now: float) -> Entry:
    """The command of a player with these seats as the next entry of the log."""
    key = checked_key(wish.key)
    if isinstance(wish, wire.Move):
        return Move(state.ply, state.seat_for(None, seats), key, now, wish.move)
    if isinstance(wish, wire.AskHint):
        return Action(state.ply, state.seat_for(HINT, seats), key, now, HINT)
    wanted = None if wish.seat is None else wish.seat - 1
    # Whoever asks means the seat of whose turn it was when they looked.
    seat = state.earlier(wish.ply).seat_for(wish.do, seats, wanted)
    return Action(state.ply, seat, key, now, wish.do)


def _gone_on(state: MatchState, ply: int) -> Refusal:
    return Refusal("late", Said("gone-on", {"stands": state.ply, "ply": ply}))


def _asked_for(entry: Entry, wish: Wish) -> bool:
    if isinstance(wish, wire.Move):
        same = isinstance(entry, Move) and entry.move == wish.move
    else:
        same = isinstance(entry, Action) and entry.do == (HINT if isinstance(wish, wire.AskHint) else wish.do)
        if isinstance(wish, wire.Act) and wish.seat is not None:
            same = same and entry.seat == wish.seat - 1
    return same and entry.key == (wish.key or "")
