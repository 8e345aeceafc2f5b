"""All classes of this process: who reads about them, and the one way in which they change.

As in the hub, a change is checked, written down, and only then shown. What comes of it at the tables is carried out
afterwards, by `tables.py`.
"""

import asyncio
import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from math import inf
from typing import Final
from unicodedata import normalize

import msgspec
from msgspec.structs import replace

from numberquest.core.names import one_way
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting
from numberquest.server import wire
from numberquest.server.classroom import events, pairing, views
from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.animals import animal
from numberquest.server.classroom.events import AnyEvent, ClassHeader
from numberquest.server.classroom.live import IDLE_AFTER, LiveClass
from numberquest.server.classroom.state import UNCHANGED, ClassState, PupilState, folded
from numberquest.server.classroom.tables import Tables
from numberquest.server.hub import Hub, Wish
from numberquest.server.limits import Rate, Shares
from numberquest.server.match.entries import MatchHeader
from numberquest.server.match.new import checked_level, checked_name
from numberquest.server.match.state import game_of
from numberquest.server.refusal import Refusal
from numberquest.server.shared_read import SharedRead
from numberquest.server.store.base import ClassRow, Share, StoreError
from numberquest.server.think import tasks
from numberquest.server.think.messages import between_people
from numberquest.server.tokens import hashed, opens
from numberquest.study.atlas import atlas_of

TICK: Final = 1.0
"""Seconds between two looks at who is free and who is here."""
TOLD_EVERY: Final = 3.0
"""Seconds after which other processes are told again who is here."""
ERASE_EVERY: Final = 60.0
"""Seconds between two looks for classes whose time is up."""
ON_PAPER: Final = 3
"""Positions on a worksheet."""
CODES_TRIED: Final = 50
"""Codes that are drawn at most until one is free."""
GUESSES, GUESSES_SAVED = 0.05, 60.0
"""Wrong codes a second from one address, and the most at once: docs/server.md has the odds."""
OPENED, OPENED_SAVED = 1 / 60, 40.0
"""Classes opened a second from one address, and the most at once."""
ACTS, ACTS_SAVED = 0.5, 20.0
"""Hands and answers a second of one pupil, and the most at once."""
KNOCKS, KNOCKS_SAVED = 1 / 20, 5.0
"""Requests a second for one seat by other devices, and the most at once."""
GUESS: Final = ("0", "25", "50", "75", "100")
"""The answers to a guess: the chance of Player 1, in percent."""
AS_WISHED: Final = (
    *("game", "way", "minutes", "rounds", "level", "marks", "hints", "names", "roster", "ranking"),
    *("pupils", "per_device", "per_address"),
)
"""Fields that a class takes over from `NewClass`."""
HERE: Final = "class-here"
"""The word by which processes tell each other which pupils are here."""

_event = msgspec.json.Decoder(AnyEvent).decode
_header = msgspec.json.Decoder(ClassHeader).decode


class Classes:
    """The classes of this process."""

    def __init__(self, hub: Hub, toss: Callable[[], int] = lambda: secrets.randbelow(2)) -> None:
        self.hub, self._toss = hub, toss
        self._live: dict[str, LiveClass] = {}
        self._loaded = SharedRead(self._load)
        clock = hub.time.now
        self._guesses = Rate(GUESSES, GUESSES_SAVED, clock)
        self._opened = Rate(OPENED, OPENED_SAVED, clock)
        self._acts = Rate(ACTS, ACTS_SAVED, clock)
        self._asks = Rate(KNOCKS, KNOCKS_SAVED, clock)
        self._opening = asyncio.Lock()
        self.tables = Tables(hub, self._happens)
        hub.allowed = self.allow

    # ---- start

    async def start(self) -> None:
        """Remove the classes whose time passed while no server ran, and begin to look after the others."""
        self.hub.store.on_change(self._changed_elsewhere)
        self.hub.store.on_word(self._heard)
        # By the clock too: what passed while the computer was off, the store's own time cannot know.
        await self.erase_due(self.hub.clock() - views.ERASED_AFTER)
        self.hub.go(self.hub.background.keep_running("classes", self._tick_forever))

    # ---- finding a class

    async def live(self, classroom: str) -> LiveClass:
        """The class of that name; refused where there is none."""
        known = self._live.get(classroom)
        live = known or await self._loaded(classroom)
        if live.behind or (known and not self.hub.store.hears):
            async with live.lock:
                await self._refresh(live)
        live.asked = self.hub.time.now()
        return live

    async def _load(self, classroom: str) -> LiveClass:
        found = await self.hub.store.load_class(classroom)
        if found is None:
            raise _unknown()
        live = LiveClass(folded(_header(found[0]), map(_event, found[1])))
        now = self.hub.time.now()
        # Nobody is away because the server was.
        live.stay((one.number for one in live.state.present), now)
        live.asked = now
        self._live[classroom] = live
        live.behind = self._loaded.is_old(classroom)
        self.tables.settle_soon(live)
        return live

    async def as_teacher(self, classroom: str, token: str | None) -> LiveClass:
        """The class, for its teacher's token."""
        live = await self.live(classroom)
        if token is None or not opens(token, live.state.header.teacher):
            raise Refusal("no-seat", Said("class-teacher"))
        return live

    async def as_pupil(self, classroom: str, token: str | None) -> tuple[LiveClass, PupilState, str]:
        """The class, the pupil and the device, for the token of a seat or of a seat request."""
        live = await self.live(classroom)
        return live, *self.pupil(live, token)

    def pupil(self, live: LiveClass, token: str | None) -> tuple[PupilState, str]:
        """The pupil whose seat this token opens or asks for, and the device; refused if there is none."""
        told = (token or "").encode()
        for one in live.state.pupils:
            for device in filter(None, (one.device, one.knock)):
                if hmac.compare_digest(told, self._seat_token(live.state, one, device).encode()):
                    return one, device
        raise Refusal("no-seat", Said("class-seat-gone"))

    def _seat_token(self, state: ClassState, one: PupilState, device: str) -> str:
        return self.hub.tokens.token("class-seat", f"{state.header.classroom} {device} {one.number}")

    # ---- opening one, and coming in

    async def open(self, wish: messages.NewClass, address: str) -> messages.ClassOpened:
        """A new class; with the same key, the same one."""
        key = wish.key or secrets.token_urlsafe(24)
        name, token = self.hub.tokens.name("class", key), self.hub.tokens.token("class-teacher", key)
        if name not in self._live and await self.hub.store.load_class(name) is None:
            header = await self._header(wish, name, token, address)
            if not self._opened.allows(address):
                raise Refusal("too-many", Said("class-opened"))
            # One after the other: many at once must not all fit in.
            async with self._opening:
                await self._check_room(header.owner)
                for _ in range(CODES_TRIED):
                    header = replace(header, code="".join(secrets.choice(messages.LETTERS) for _ in range(4)))
                    row = ClassRow(name, header.code, wire.encode(header), header.created, self.hub.clock())
                    if await self.hub.store.open_class(row) or await self.hub.store.load_class(name) is not None:
                        break
            self.hub.log.event("class", classroom=name, game=header.game, way=header.way)
        live = await self.live(name)
        return messages.ClassOpened(name, live.state.header.code, token, self.board(live))

    async def _check_room(self, owner: str) -> None:
        """Refuse a new class where the server is full, or where this owner has a quarter of what is free."""
        owners = Counter(_header(one).owner for one in await self.hub.store.class_headers())
        limits = self.hub.gate.limits
        shares, free = Shares(limits), limits.classes - owners.total()
        shares.begin({one: Share(many) for one, many in owners.items()})
        if free <= 0 or not shares.room_for(owner, free):
            raise Refusal("too-many", Said("class-many" if free <= 0 else "class-share"))

    async def _header(self, wish: messages.NewClass, name: str, token: str, address: str) -> ClassHeader:
        try:
            game = await self.hub.made(wish.game, partial(make_game, wish.game, **wish.settings), address)
        except (BadSetting, TypeError) as error:
            raise Refusal("bad-request", Said("because", {"why": str(error)})) from None
        checked_level(wish.level)
        if wish.names == "roster" and not wish.roster:
            raise Refusal("bad-request", Said("class-roster-none", {"most": messages.MOST_PUPILS}))
        return ClassHeader(
            **{field: getattr(wish, field) for field in AS_WISHED},
            classroom=name,
            code="",
            settings=game.settings_text,
            teacher=hashed(token),
            created=self.hub.time.now(),
            owner=self.hub.owner(address),
            date=self.hub.date(),
        )

    async def join(self, wish: messages.JoinClass, address: str) -> messages.ClassSeated:
        """Come in with a code, or come back."""
        live = await self._of_code(wish.code, address)
        classroom = live.name
        device = self.hub.tokens.name("class-device", f"{classroom} {wish.key}")
        mine = live.state.by_device(device)
        if wish.again:
            one = live.state.by_name(_told_name(live.state.header, wish))
            if one is None:
                raise Refusal("not-found", Said("class-name-unknown"))
            number = one.number
            if device not in (one.device, one.knock):
                await self._happens(live, lambda state: self._knocked(state, number, device))
        elif mine is not None and not (wish.other or mine.removed):
            number = mine.number
        else:
            place = self.hub.tokens.name("class-place", f"{classroom} {address}")
            await self._happens(live, lambda state: _joined(state, wish, device, place))
            found = live.state.by_device(device)
            if found is None:
                raise _unknown()
            number = found.number
        one = live.state.pupil(number)
        return messages.ClassSeated(classroom, self._seat_token(live.state, one, device), self.seat(live, one, device))

    def _knocked(self, state: ClassState, number: int, device: str) -> events.Knocked:
        # The first request stays until the teacher answers: its number is the one that the teacher reads.
        if state.pupil(number).knock not in ("", device):
            raise Refusal("not-allowed", Said("class-asked-already"))
        if not self._asks.allows(f"{state.header.classroom} {number}"):
            raise Refusal("too-many", Said("class-asked-much"))
        return events.Knocked(pupil=number, device=device)

    async def _of_code(self, code: str, address: str) -> LiveClass:
        if not self._guesses.allows(address):
            raise Refusal("too-many", Said("class-guessed"))
        typed = "".join(code.split()).upper()
        name = await self.hub.store.class_of_code(typed) if len(typed) == 4 else None
        if name is None:
            raise Refusal("not-found", Said("class-code"))
        # Only wrong ones count.
        self._guesses.uses(address, -1.0)
        return await self.live(name)

    # ---- what is seen

    def board(self, live: LiveClass) -> messages.ClassBoard:
        return views.board(live, self.hub.time.now())

    def seat(self, live: LiveClass, one: PupilState, device: str) -> messages.ClassSeat:
        """The view of a pupil, at their own device or at one that asks for their seat."""
        return views.seat(live, one, self.tables.match_token(one.match, one), one.device != device, self.hub.time.now())

    def news(self, live: LiveClass, token: str) -> messages.ClassNews:
        """The whole view of the teacher or pupil with this token."""
        if live.name not in self._live:
            return messages.ClassNews(erased=True)
        if opens(token, live.state.header.teacher):
            return messages.ClassNews(board=self.board(live))
        return messages.ClassNews(seat=self.seat(live, *self.pupil(live, token)))

    async def figures(self, live: LiveClass) -> messages.ClassFigures:
        """Figures of the class up to now, and the exact value of its rules."""
        row = None
        if (known := atlas_of(type(live.game))) is not None:
            with suppress(LookupError, ValueError):
                row = known.row_of(live.game)
        exact = row.value if row is not None and row.value is not None else await self._chance(live)
        people = None if row is None else between_people(row)
        if live.to_look_through:
            self.tables.look_soon(live)
        return views.figures(live, exact, people)

    async def report(self, live: LiveClass) -> messages.ClassReport:
        return views.report(live, await self.figures(live))

    async def worksheet(self, live: LiveClass) -> str:
        """The positions most often got wrong, on paper."""
        positions = [list(seen[-1].after) for _, seen in live.most_missed(ON_PAPER)]
        if not positions:
            raise Refusal("not-allowed", Said("class-nothing-wrong"))
        header = live.state.header
        task = tasks.Worksheet(header.game, header.settings, positions)
        answer = await self.hub.think(task, header.owner, live.name)
        if not isinstance(answer, tasks.Made):
            raise Refusal("too-large", Said("too-large"))
        return msgspec.json.decode(answer.json, type=str)

    async def _chance(self, live: LiveClass) -> float | None:
        weighed = await self._weighed(live, live.state.header.game, live.state.header.settings, ())
        return None if weighed is None else weighed.chance

    async def _weighed(self, live: LiveClass, game: str, settings: str, after: Sequence[str]) -> tasks.Weighed | None:
        """The exact values of a position; None where they are not known."""
        answer = await self.hub.think(tasks.Weigh(game, settings, list(after)), live.state.header.owner, live.name)
        return msgspec.json.decode(answer.json, type=tasks.Weighed) if isinstance(answer, tasks.Made) else None

    # ---- what the teacher and pupils do

    async def teach(self, live: LiveClass, act: messages.TeacherAct) -> None:
        """Do what the teacher asks; what is so already is done."""
        if act.do == "erase":
            await self.erase(live.name)
            return
        if act.do == "ask":
            asked = await self._asked(live, act)
            await self._happens(live, lambda _: asked)
        elif act.do == "uncover":
            uncovered = await self._uncovered(live)
            await self._happens(live, lambda _: uncovered)
        else:
            await self._happens(live, lambda state: self._taught(live, state, act))
        self.tables.settle_soon(live)

    def _taught(self, live: LiveClass, state: ClassState, act: messages.TeacherAct) -> AnyEvent:
        pupil = act.pupil or 0
        match act.do:
            case "begin" | "next":
                return self._round(live, state, act)
            case "time":
                return events.MoreTime(minutes=act.minutes or 0, key=act.key)
            case "pause" | "resume":
                return events.Paused(on=act.do == "pause")
            case "lock" | "unlock":
                return events.Locked(on=act.do == "lock")
            case "rename":
                if act.name is None:
                    raise Refusal("bad-request", Said("class-name-none"))
                return events.Renamed(pupil=pupil, name=checked_name(normalize("NFKC", act.name)))
            case "remove":
                return events.Removed(pupil=pupil)
            case "reseat":
                return events.Reseated(pupil=pupil)
            case "refuse":
                return events.TurnedAway(pupil=pupil)
            case "lower":
                return events.Hand(pupil=pupil, up=False)
            case "close":
                return events.Closed()
        return events.Ended()

    def _round(self, live: LiveClass, state: ClassState, act: messages.TeacherAct) -> events.Paired:
        header = state.header
        if act.key and act.key in state.keys:
            raise Refusal(UNCHANGED, Said("class-unchanged"))
        if act.do == "begin" and state.begun:
            raise Refusal("not-allowed", Said("class-begun"))
        if act.do == "next" and (not state.begun or state.phase(self.hub.time.now()) != "between"):
            raise Refusal("not-allowed", Said("class-round"))
        pairs: list[pairing.Pair] = []
        if header.way == "rounds":
            pairs = pairing.round_of(state, live.here(self.hub.time.now()), self._toss)
        return self.tables.paired(state, pairs, state.round + 1, act.key)

    async def _asked(self, live: LiveClass, act: messages.TeacherAct) -> events.Asked:
        if (act.puzzle is not None) + (act.after is not None) + act.guess != 1:
            raise Refusal("bad-request", Said("class-ask"))
        if act.guess:
            return events.Asked(options=GUESS, key=act.key)
        slug, settings, after, said = live.state.header.game, live.state.header.settings, act.after or [], b"[]"
        if act.puzzle is not None:
            answer = await self.hub.think(tasks.AskPuzzle(id=act.puzzle), live.state.header.owner, live.name)
            if not isinstance(answer, tasks.Made):
                raise Refusal("not-found", Said("class-ask"))
            puzzle = msgspec.json.decode(answer.json, type=wire.Puzzle)
            slug, after = puzzle.game, [line.entry for line in puzzle.history]
            # A worker has made this game, so the recipe is a good one, and thinking about it was paid for.
            settings = (await self.hub.made(slug, partial(make_game, slug, **puzzle.settings), "")).settings_text
            said = wire.encode(puzzle.question)
        game = game_of(slug, settings)
        options = tuple(game.moves(views.position_of(game, tuple(after))))
        return events.Asked(options=options, game=slug, settings=settings, after=tuple(after), said=said, key=act.key)

    async def _uncovered(self, live: LiveClass) -> events.Uncovered:
        question = live.state.question
        if question is None:
            raise Refusal("not-allowed", Said("class-question-gone"))
        asked = question.asked
        if not asked.game:
            exact = (await self.figures(live)).exact
            nearest = () if exact is None else (min(GUESS, key=lambda one: abs(int(one) / 100 - exact)),)
            return events.Uncovered(right=nearest, values={}, exact=exact, why=b"[]")
        weighed = await self._weighed(live, asked.game, asked.settings, asked.after)
        if weighed is None:
            return events.Uncovered(right=(), values={}, exact=None, why=b"[]")
        values = {worth.move: worth.value for worth in weighed.values}
        why = wire.encode(weighed.why)
        return events.Uncovered(right=tuple(weighed.best), values=values, exact=weighed.chance, why=why)

    async def act(self, live: LiveClass, token: str | None, act: messages.PupilAct) -> None:
        """Do what a pupil asks; refused at a device that only asks for the seat."""
        one, device = self.pupil(live, token)
        if device != one.device:
            raise Refusal("no-seat", Said("class-seat-waits"))
        if not self._acts.allows(f"{live.name} {one.number}"):
            raise Refusal("too-many", Said("class-much"))
        if act.do == "answer":
            answered = events.Answered(pupil=one.number, question=act.question or 0, answer=act.answer or "")
            await self._happens(live, lambda _: answered)
        else:
            hand = events.Hand(pupil=one.number, up=act.do == "raise")
            await self._happens(live, lambda _: hand)

    async def allow(self, header: MatchHeader, wish: Wish | None) -> None:
        """Refuse what this class does not want done in its matches."""
        live = await self.live(header.classroom)
        if live.state.ended:
            raise Refusal("not-allowed", Said("class-over"))
        if live.state.paused:
            raise Refusal("not-allowed", Said("class-paused"))
        if (wish is None or isinstance(wish, wire.AskHint)) and not live.state.header.hints:
            raise Refusal("not-allowed", Said("class-no-hints"))
        if isinstance(wish, wire.Act) and wish.do == "rematch":
            raise Refusal("not-allowed", Said("class-no-rematch"))

    # ---- things that happen

    async def _happens(self, live: LiveClass, make: Callable[[ClassState], AnyEvent]) -> bool:
        """Write down what is made of the class as it stands; false where nothing changes by it."""
        async with live.lock:
            if live.behind or not self.hub.store.hears:
                await self._refresh(live)
            while True:
                try:
                    event = replace(make(live.state), number=live.state.number, at=self.hub.time.now())
                    after = live.state.apply(event)
                except Refusal as refusal:
                    if refusal.code == UNCHANGED:
                        return False
                    raise
                try:
                    written = await self.hub.store.append_to_class(live.name, event.number, wire.encode(event))
                except BaseException:
                    # Nobody knows whether it is on disk.
                    live.behind = True
                    raise
                if written:
                    live.state = after
                    live.changed()
                    return True
                # Another process was first.
                await self._refresh(live)

    async def _refresh(self, live: LiveClass) -> None:
        """Take in what is on disk and not here yet. Under the lock only."""
        live.behind = False
        try:
            found = await self.hub.store.load_class(live.name, live.state.number)
        except BaseException:
            live.behind = True
            raise
        if found is None:
            self._forget(live)
            raise _unknown()
        if found[1]:
            for event in found[1]:
                live.state = live.state.apply(_event(event))
            live.changed()
            self.tables.settle_soon(live)

    def _changed_elsewhere(self, classroom: str) -> None:
        self._loaded.changed(classroom)
        for live in [self._live[classroom]] if classroom in self._live else [] if classroom else self._live.values():
            live.behind = True
            self.hub.go(self._catch_up(live))

    async def _catch_up(self, live: LiveClass) -> None:
        with suppress(Refusal):
            async with live.lock:
                if live.behind:
                    await self._refresh(live)

    def _heard(self, classroom: str, word: str) -> None:
        live = self._live.get(classroom)
        what, *pupils = word.split()
        if live is not None and what == HERE:
            live.stay(map(int, pupils), self.hub.time.now())

    # ---- looking after

    async def _tick_forever(self) -> None:
        erase_at = -inf
        while True:
            now = self.hub.time.now()
            for live in [*self._live.values()]:
                try:
                    await self.tick(live, now)
                except Exception as trouble:
                    # The next tick tries again; other classes have theirs whatever happens in this one.
                    self.tables.note(live, trouble)
            if now >= erase_at:
                erase_at = now + ERASE_EVERY
                with suppress(StoreError):
                    await self.erase_due()
            await asyncio.sleep(TICK)

    async def tick(self, live: LiveClass, now: float) -> None:
        """See who is here and who is free, and do what is due."""
        here = live.note_presence(now)
        if here and now - live.told >= TOLD_EVERY:
            live.told = now
            self.hub.store.pass_on(live.name, " ".join([HERE, *map(str, here)]))
        if (
            not live.readers
            and now - live.asked > IDLE_AFTER
            and now - max(live.until.values(), default=0) > IDLE_AFTER
        ):
            self._forget(live)
            return
        if live.behind:
            await self._catch_up(live)
        state = live.state
        if state.paused or state.ended:
            # Whoever was away meanwhile has lost nothing by it.
            live.gone.clear()
        else:
            await self.tables.free_the_waiting(live, now)
            if pairing.due(state, live.here(now), now, self._toss):
                await self._happens(live, lambda state: self._due(live, state, now))
        if state is not live.state or self.tables.are_behind(live):
            self.tables.settle_soon(live)
        phase = live.state.phase(now)
        if phase != live.phase:
            live.phase = phase
            live.changed()

    def _due(self, live: LiveClass, state: ClassState, now: float) -> AnyEvent:
        pairs = pairing.due(state, live.here(now), now, self._toss)
        if not pairs:
            raise Refusal(UNCHANGED, Said("class-unchanged"))
        return self.tables.paired(state, pairs, max(1, state.round))

    # ---- the end

    async def erase(self, classroom: str) -> None:
        """Remove all that is kept of a class, once the matches that are being made for its tables are written."""
        live = self._live.get(classroom)
        if live is not None:
            self._forget(live)
        async with nullcontext() if live is None else live.settling:
            self.hub.forget(await self.hub.store.erase_class(classroom))
        self.hub.log.event("class-erased", classroom=classroom)

    async def erase_due(self, opened: float = -inf) -> None:
        """Remove the classes whose time is up; by the clock, those that were opened before this."""
        now = self.hub.time.now()
        limits = now - views.ERASED_AFTER, opened, now - views.EMPTY_AFTER
        for classroom in await self.hub.store.classes_due(*limits, events.JOINED):
            await self.erase(classroom)

    def _forget(self, live: LiveClass) -> None:
        self._live.pop(live.name, None)
        live.forgotten = True
        for watcher in live.watched.values():
            watcher.leave()
        live.watched.clear()
        live.changed()


def _told_name(header: ClassHeader, wish: messages.JoinClass) -> str:
    """The name that a pupil asks for; refused if the class does not allow it."""
    if wish.name is None:
        raise Refusal("bad-request", Said("class-name-none"))
    if header.names == "roster":
        typed = one_way(wish.name).strip()
        if not (typed.isascii() and typed.isdigit() and 1 <= int(typed[:4]) <= header.roster and len(typed) <= 4):
            raise Refusal("bad-request", Said("class-roster", {"most": header.roster}))
        return str(int(typed))
    # In plain letters: wide ones make no second name.
    return checked_name(normalize("NFKC", wish.name))


def _joined(state: ClassState, wish: messages.JoinClass, device: str, place: str) -> events.Joined:
    header = state.header
    drawn = animal(header.classroom, len(state.pupils) + 1) if header.names == "animals" else ""
    return events.Joined(name=drawn or _told_name(header, wish), device=device, place=place)


def _unknown() -> Refusal:
    return Refusal("not-found", Said("class-unknown"))
