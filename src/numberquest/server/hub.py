"""All live matches of this process: who watches them, and the one way in which they change.

A change is checked, written down, and only then shown: what anybody has seen is on disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from numberquest import dealer as dealers
from numberquest.contract import player_name
from numberquest.games import game as make_game
from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.computers import Computers
from numberquest.server.log import where
from numberquest.server.match import state as deeds
from numberquest.server.match.new import checked_name, new_match, rematch
from numberquest.server.match.state import LiveMatch, Refusal
from numberquest.server.metrics import Metrics
from numberquest.server.room import Room
from numberquest.server.store.contract import Entry, Rules, StoreError
from numberquest.server.think import tasks
from numberquest.server.think.pool import Busy, TooSlow
from numberquest.server.tokens import Tokens, hashed, opens, seats_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.server.limits import Gate
    from numberquest.server.log import Log
    from numberquest.server.store.contract import Kept, Store
    from numberquest.server.think.pool import Thinking
    from numberquest.server.web.watcher import Watcher

IN_MEMORY: Final = 20_000
"""So many matches stay in memory; beyond that, those that nobody watches go first. All are on disk."""
LONGEST_LOG: Final = 2_000
"""A match with more entries than this (hints, questions, take-backs) takes no more of them."""
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
        new_seed: Callable[[], str] = dealers.new_seed,
        new_key: Callable[[], str] = lambda: secrets.token_urlsafe(24),
        rules: Rules | None = None,
    ) -> None:
        """`new_seed` and `new_key` come from the system's secret source; tests bring their own."""
        self.store = store
        self.thinking = thinking
        self.gate = gate
        self.log = log
        self.metrics = Metrics()
        self._clock = clock
        self._new_seed = new_seed
        self._new_key = new_key
        self._rules = rules or Rules()
        self._tokens = Tokens(store.secret)
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Future[Room | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unfinished = 0
        self._computers = Computers(thinking, log, self.metrics, new_seed, self._go, self.do)

    # ---- start and stop

    async def start(self) -> None:
        """Count what there is, and begin to look after it."""
        self._unfinished = await self.store.unfinished()
        self.store.on_change(self._changed_elsewhere)
        self._go(self._warm_up())
        self._go(self._sweep_forever())

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
        """Let go of everything; the store is closed by whoever opened it."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def in_memory(self) -> int:
        """How many matches are in memory."""
        return len(self._rooms)

    def _go(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.log.event("error", what=type(error).__name__, where=where(error))

    # ---- finding a match

    async def room(self, match: str) -> Room:
        """The match of that name; refused where there is none."""
        room = self._rooms.get(match)
        if room is None:
            room = await self._loaded(match)
        if room is None:
            raise Refusal("not-found", Said("match-unknown"))
        # A computer that could not choose tries again when somebody looks.
        self._computers.wake(room)
        return room

    async def _loaded(self, match: str) -> Room | None:
        waiting = self._loading.get(match)
        if waiting is None:
            waiting = self._loading[match] = asyncio.ensure_future(self._load(match))
            waiting.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(waiting)

    async def _load(self, match: str) -> Room | None:
        found = await self.store.load(match)
        if found is None:
            return None
        return self._keep(LiveMatch(*found, self._tokens.next_name))

    def _keep(self, live: LiveMatch) -> Room:
        room = self._rooms[live.kept.match] = Room(live)
        if len(self._rooms) > IN_MEMORY:
            self._forget_some()
        return room

    def _forget_some(self) -> None:
        idle = [name for name, room in self._rooms.items() if room.idle]
        for name in idle[: len(self._rooms) - IN_MEMORY * 9 // 10]:
            del self._rooms[name]

    async def seated(self, room: Room, token: str | None) -> list[int]:
        """The seats that a token opens. Where a player is missing, they may just have joined at another process."""
        seats = seats_of(token, room.live.tokens)
        if token and not seats and not all(room.live.joined):
            async with room.lock:
                await self._refresh(room)
            seats = seats_of(token, room.live.tokens)
        return seats

    # ---- new matches and seats

    async def create(self, wish: wire.NewMatch, address: str = "") -> wire.Seated:
        """A new match; asked again with the same key, the same one."""
        key = wish.key or self._new_key()
        match, token = self._tokens.name("match", key), self._tokens.token("seat", key)
        if self._unfinished >= self.gate.limits.matches and await self.store.load(match) is None:
            raise Refusal("too-many", Said("server-full"))
        invite = self._tokens.token("invite", key)
        kept = new_match(wish, match, token, invite, self._new_seed, self._clock())
        if await self.store.create(kept):
            self._created(kept, address)
        room = await self.room(match)
        # Asked a second time, a move may be on its way to the disk just now: it is not shown before it is there.
        async with room.lock:
            live = room.live
            seats = [at + 1 for at in seats_of(token, live.tokens)]
            # The same answer also where the game has gone on since.
            state = live.earlier(0).state() if live.log else live.state()
            return wire.Seated(match, seats, token, invite if live.kept.invite else None, state)

    def _created(self, kept: Kept, address: str) -> None:
        self._unfinished += 1
        self._keep(LiveMatch(kept, (), self._tokens.next_name)).address = address
        self.metrics.count("numberquest_matches_created_total")
        self.log.event("created", match=kept.match, game=kept.game, opponent=kept.opponent)

    async def join(self, match: str, wish: wire.Join) -> wire.Seated:
        """Take the free seat of a match; asked again with the same key, the same seat."""
        room = await self.room(match)
        token = self._tokens.token("join", f"{match} {wish.key or self._new_key()}")
        async with room.lock:
            live = room.live
            if not opens(wish.invite, live.kept.invite):
                raise Refusal("no-seat", Said("invitation-wrong"))
            if not seats_of(token, live.tokens):
                if all(live.joined):
                    raise Refusal("not-allowed", Said("seat-taken-watch"))
                seat = live.joined.index(False)
                name = player_name(seat) if wish.name is None else checked_name(wish.name)
                text = f"{deeds.JOIN} {hashed(token).hex()} {name}"
                await self._write(room, Entry(len(live.log), seat, text, "", self._clock()))
                self.log.event("joined", match=match, seat=seat + 1)
            live, mine = room.live, f"{deeds.JOIN} {hashed(token).hex()} "
            joined = next(entry.ply for entry in live.log if entry.text.startswith(mine)) + 1
            state = live.earlier(joined).state() if joined < len(live.log) else live.state()
            return wire.Seated(match, [at + 1 for at in seats_of(token, live.tokens)], token, None, state)

    # ---- things that happen

    async def do(
        self,
        room: Room,
        seats: Sequence[int],
        ply: int,
        text: str,
        key: str,
        wanted: int | None = None,
        by: Watcher | None = None,
        address: str = "",
    ) -> LiveMatch:
        """Do it, and return the match as it stands right after; the same again where it was done before.

        `by` looks at the match too, and sees to it itself that it is told; `address` is where the person is.
        """
        async with room.lock:
            live = room.live
            if ply > len(live.log):
                # Whoever asks has seen more, at another process: word of it is still on its way.
                await self._refresh(room)
            if ply < len(live.log):
                return self._repeated(live, seats, ply, text, key)
            if ply > len(live.log):
                raise Refusal("late", Said("stands", {"stands": len(live.log), "ply": ply}))
            seat = live.seat_for(text, seats, wanted)
            live.check(seat, text)
            if len(live.log) >= LONGEST_LOG and text.startswith("!") and text not in (deeds.RESIGN, deeds.REMATCH):
                raise Refusal("too-many", Said("match-asked-much"))
            if text == deeds.REMATCH:
                await self._prepare_rematch(room, seat)
            room.address = address or room.address
            await self._write(room, Entry(ply, seat, text, key, self._clock()), by)
        self._computers.wake(room)
        return room.live

    def _repeated(self, live: LiveMatch, seats: Sequence[int], ply: int, text: str, key: str) -> LiveMatch:
        past = live.log[ply]
        if past.seat in seats and past.text == text and past.key == key:
            return live.earlier(ply + 1) if ply + 1 < len(live.log) else live
        if not seats:
            raise Refusal("no-seat", Said("watching"))
        raise Refusal("late", Said("gone-on", {"stands": len(live.log), "ply": ply}))

    async def _write(self, room: Room, entry: Entry, by: Watcher | None = None) -> None:
        """Take an entry in, write it down, and show it. If it cannot be written, it has not happened."""
        live, began = room.live, time.perf_counter()
        was_over = live.over
        live.apply(entry)
        over = live.over and not was_over
        written = False
        try:
            written = await self.store.append(live.kept.match, entry, over)
        finally:
            if not written:
                # Never shown to anybody: fold the log anew, as it is on disk.
                await self._reload(room)
        if not written:
            at = room.live.log[entry.ply] if entry.ply < len(room.live.log) else None
            if at is None or (at.seat, at.text, at.key) != (entry.seat, entry.text, entry.key):
                raise Refusal("late", Said("gone-on", {"stands": len(room.live.log), "ply": entry.ply}))
            return
        self.metrics.took(time.perf_counter() - began)
        self.metrics.count("numberquest_moves_total")
        self.log.event("entry", match=live.kept.match, ply=entry.ply, seat=entry.seat + 1, what=_logged(entry.text))
        if over:
            self._unfinished -= 1
            self.metrics.count("numberquest_matches_over_total")
            self.log.event("over", match=live.kept.match)
        room.publish(by)

    async def _reload(self, room: Room) -> None:
        """Take the log as the store has it; where even that fails, as it was before."""
        live = room.live
        try:
            found = await self.store.load(live.kept.match)
        except StoreError:
            found = None
        kept, log = found if found is not None else (live.kept, live.log[:-1])
        room.live = LiveMatch(kept, log, self._tokens.next_name)
        room.publish()

    def _changed_elsewhere(self, match: str) -> None:
        """Another process has changed a match, or, without a name, may have changed any."""
        for name in [match] if match else list(self._rooms):
            room = self._rooms.get(name)
            if room is not None and not room.behind:
                room.behind = True
                self._go(self._catch_up(room))

    async def _catch_up(self, room: Room) -> None:
        """Read what was changed elsewhere; as long as the store does not answer, again and again."""
        pause = 0.05
        while room.behind:
            async with room.lock:
                # Before reading: a change that comes while we read is one to be read again.
                room.behind = False
                try:
                    await self._refresh(room)
                except StoreError as error:
                    self.log.event("error", what=str(error), match=room.live.kept.match)
                    room.behind = True
            if room.behind:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 5.0)
        self._computers.wake(room)

    async def _refresh(self, room: Room) -> None:
        """Take in what other processes have written down. Under the lock only."""
        live = room.live
        found = await self.store.load(live.kept.match)
        if found is not None and len(found[1]) > len(live.log):
            for entry in found[1][len(live.log) :]:
                live.apply(entry)
            room.publish()

    async def _prepare_rematch(self, room: Room, seat: int) -> None:
        """Where this seat's wish is the last that was missing: make the next match, with seats changed."""
        live = room.live
        if not live.enough({*live.wants, seat}):
            return
        again = rematch(live, self._tokens.next_name(live.kept.match), self._new_seed, self._clock())
        if await self.store.create(again):
            self._created(again, room.address)
            self._computers.wake(self._rooms[again.match])

    # ---- looking after

    async def sweep(self) -> None:
        """Remove the matches whose time is up."""
        for match in await self.store.prune(self._rules, self._clock()):
            self._rooms.pop(match, None)
            self.log.event("removed", match=match)
        self._unfinished = await self.store.unfinished()

    async def _sweep_forever(self) -> None:
        while True:
            try:
                await self.sweep()
            except StoreError as error:
                self.log.event("error", what=str(error))
            await asyncio.sleep(SWEEP)


def _logged(text: str) -> str:
    """What the log says of an entry: of a joining only that it was one."""
    return text.partition(" ")[0] if text.startswith("!") else text
