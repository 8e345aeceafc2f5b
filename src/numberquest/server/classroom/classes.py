"""All classes of this process: who reads about them, and the one way in which they change.

As in the hub, a change is checked, written down, and only then shown. What a class has decided is carried out in its
matches afterwards, by `_settle`, which looks at both and does what is missing: it may be killed at any moment, run
again, and run at two servers at once. Who is put at which table is decided before the match is made, and a result is
taken from the match alone, so that none is lost and none counts twice.
"""

import asyncio
import hmac
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from typing import Final

import msgspec
from msgspec.structs import replace

from numberquest.core.dealer import is_sealed
from numberquest.core.names import one_way
from numberquest.core.record import HUMAN
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting
from numberquest.players.levels import PLAYERS, computer_name
from numberquest.server import wire
from numberquest.server.classroom import events, pairing, views
from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.animals import animal
from numberquest.server.classroom.events import COMPUTER, AnyEvent, ClassHeader, Seating
from numberquest.server.classroom.live import IDLE_AFTER, LiveClass, TableWatcher
from numberquest.server.classroom.state import UNCHANGED, ClassState, PupilState, TableState, folded
from numberquest.server.hub import Hub, Wish
from numberquest.server.limits import Rate
from numberquest.server.match.entries import FRIEND, SEAT, STOP, MatchHeader
from numberquest.server.match.new import checked_name
from numberquest.server.match.state import MatchState, game_of
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.store.base import ClassRow, StoreError
from numberquest.server.think import tasks
from numberquest.server.think.messages import between_people
from numberquest.server.think.pool import Busy, TooSlow
from numberquest.server.tokens import hashed, opens
from numberquest.study.atlas import atlas_of

TICK: Final = 1.0
"""Seconds between two looks at who is free and who is here."""
TOLD_EVERY: Final = 3.0
"""Seconds after which other processes are told again who is here."""
GONE_FOR: Final = 30.0
"""So many seconds somebody whose turn it is may be away before the other is free again."""
GONE_IN_ROUND: Final = 90.0
"""The same in rounds, where there is nobody else to play until the next one."""
ERASE_EVERY: Final = 60.0
"""Seconds between two looks for classes whose time is up."""
MOST_CLASSES: Final = 500
ON_PAPER: Final = 3
"""So many positions come on a worksheet."""
CODES_TRIED: Final = 50
"""So many codes are drawn for one that is free."""
GUESSES, GUESSES_SAVED = 0.05, 60.0
"""Wrong codes a second from one address, and so many at once: see docs/server.md for what that means."""
OPENED, OPENED_SAVED = 1 / 60, 40.0
"""Classes a second from one address, and so many at once."""
ACTS, ACTS_SAVED = 2.0, 20.0
"""Hands and answers a second of one pupil, and so many at once."""
GUESS: Final = ("0", "25", "50", "75", "100")
"""What can be guessed: the chance of whoever begins, in percent."""
AS_WISHED: Final = (
    *("game", "way", "minutes", "rounds", "level", "marks", "hints", "names", "roster", "ranking"),
    *("pupils", "per_device", "per_address"),
)
"""What of a wish stands in the class as it is."""
HERE: Final = "class-here"
"""The word by which processes tell each other which pupils are here."""
AWAY, ENDED = "away", "ended"
"""Why a match was stopped: somebody had left it, or the class was over."""

_event = msgspec.json.Decoder(AnyEvent).decode
_header = msgspec.json.Decoder(ClassHeader).decode


class Classes:
    """The classes of this process."""

    def __init__(self, hub: Hub, toss: Callable[[], int] = lambda: secrets.randbelow(2)) -> None:
        self.hub, self._toss = hub, toss
        self._live: dict[str, LiveClass] = {}
        self._loading: dict[str, asyncio.Future[LiveClass]] = {}
        clock = hub.time.now
        self._guesses = Rate(GUESSES, GUESSES_SAVED, clock)
        self._opened = Rate(OPENED, OPENED_SAVED, clock)
        self._acts = Rate(ACTS, ACTS_SAVED, clock)
        hub.allowed = self.allow

    # ---- start

    async def start(self) -> None:
        """Remove what its time has passed while nobody ran, and begin to look after the others."""
        self.hub.store.on_change(self._changed_elsewhere)
        self.hub.store.on_word(self._heard)
        # By the clock too: what passed while the computer was off, the store's own time cannot know.
        await self.erase_due(self.hub.clock() - views.ERASED_AFTER)
        self.hub.go(self._tick_forever())

    # ---- finding a class

    async def live(self, classroom: str) -> LiveClass:
        """The class of that name; refused where there is none."""
        live = self._live.get(classroom)
        if live is None:
            waiting = self._loading.get(classroom)
            if waiting is None:
                waiting = self._loading[classroom] = asyncio.ensure_future(self._load(classroom))
                waiting.add_done_callback(lambda _: self._loading.pop(classroom, None))
            live = await asyncio.shield(waiting)
        elif live.behind or not self.hub.store.hears:
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
        self._settle_soon(live)
        return live

    async def as_teacher(self, classroom: str, token: str | None) -> LiveClass:
        """The class, for whoever has its teacher's token."""
        live = await self.live(classroom)
        if token is None or not opens(token, live.state.header.teacher):
            raise Refusal("no-seat", Said("class-teacher"))
        return live

    async def as_pupil(self, classroom: str, token: str | None) -> tuple[LiveClass, PupilState]:
        """The class and the pupil, for whoever has the token of a seat, or of one that was asked for."""
        live = await self.live(classroom)
        one = self._sits(live.state, token) or self._knocks(live.state, token)
        if one is None:
            raise Refusal("no-seat", Said("class-seat-gone"))
        return live, one

    def _sits(self, state: ClassState, token: str | None) -> PupilState | None:
        return next((one for one in state.pupils if self._opens(token, state, one, one.device)), None)

    def _knocks(self, state: ClassState, token: str | None) -> PupilState | None:
        return next((one for one in state.pupils if one.knock and self._opens(token, state, one, one.knock)), None)

    def _opens(self, token: str | None, state: ClassState, one: PupilState, device: str) -> bool:
        return hmac.compare_digest((token or "").encode(), self._seat_token(state, one, device).encode())

    def _seat_token(self, state: ClassState, one: PupilState, device: str) -> str:
        return self.hub.tokens.token("class-seat", f"{state.header.classroom} {device} {one.number}")

    def _match_token(self, match: str, one: PupilState) -> str:
        return self.hub.tokens.token("class-match", f"{match} {one.device} {one.number}")

    # ---- opening one, and coming in

    async def open(self, wish: messages.NewClass, address: str) -> messages.ClassOpened:
        """A new class; with the same key, the same one."""
        key = wish.key or secrets.token_urlsafe(24)
        name, token = self.hub.tokens.name("class", key), self.hub.tokens.token("class-teacher", key)
        if name not in self._live and await self.hub.store.load_class(name) is None:
            header = self._header(wish, name, token, address)
            if not self._opened.allows(address) or len(await self.hub.store.classes_due(inf, inf)) >= MOST_CLASSES:
                raise Refusal("too-many", Said("class-many"))
            for _ in range(CODES_TRIED):
                header = replace(header, code="".join(secrets.choice(messages.LETTERS) for _ in range(4)))
                row = ClassRow(name, header.code, wire.encode(header), header.created, self.hub.clock())
                if await self.hub.store.open_class(row) or await self.hub.store.load_class(name) is not None:
                    break
            self.hub.log.event("class", classroom=name, game=header.game, way=header.way)
        live = await self.live(name)
        return messages.ClassOpened(name, live.state.header.code, token, self.board(live))

    def _header(self, wish: messages.NewClass, name: str, token: str, address: str) -> ClassHeader:
        try:
            settings = make_game(wish.game, **wish.settings).settings_text
        except (BadSetting, TypeError) as error:
            raise Refusal("bad-request", Said("because", {"why": str(error)})) from None
        if wish.level not in PLAYERS:
            raise Refusal("bad-request", Said("opponent-unknown", {"allowed": [*PLAYERS]}))
        if wish.names == "roster" and not wish.roster:
            raise Refusal("bad-request", Said("class-roster-none", {"most": messages.MOST_PUPILS}))
        return ClassHeader(
            **{field: getattr(wish, field) for field in AS_WISHED},
            classroom=name,
            code="",
            settings=settings,
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
            if one.device != device:
                await self._happens(live, lambda _: events.Knocked(pupil=number, device=device))
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
        """What this pupil sees, from the device that they sit at, or from another one that asks for their seat."""
        return views.seat(live, one, self._match_token(one.match, one), one.device != device, self.hub.time.now())

    def news(self, live: LiveClass, token: str) -> messages.ClassNews:
        """All that whoever has this token may see now."""
        if live.name not in self._live:
            return messages.ClassNews(erased=True)
        if opens(token, live.state.header.teacher):
            return messages.ClassNews(board=self.board(live))
        one = self._sits(live.state, token)
        if one is not None:
            return messages.ClassNews(seat=self.seat(live, one, one.device))
        one = self._knocks(live.state, token)
        if one is None:
            raise Refusal("no-seat", Said("class-seat-gone"))
        return messages.ClassNews(seat=self.seat(live, one, one.knock))

    async def figures(self, live: LiveClass) -> messages.ClassFigures:
        """What the class has done so far, with what is known of its rules."""
        row = None
        if (known := atlas_of(type(live.game))) is not None:
            with suppress(LookupError, ValueError):
                row = known.row_of(live.game)
        exact = row.value if row is not None and row.value is not None else await self._chance(live)
        people = None if row is None else between_people(row)
        if live.to_look_through:
            self._look_soon(live)
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
        answer = await self.hub.thinking.ask(task, f"class {live.name}")
        if not isinstance(answer, tasks.Made):
            raise Refusal("too-large", Said("too-large"))
        return msgspec.json.decode(answer.json, type=str)

    async def _chance(self, live: LiveClass) -> float | None:
        weighed = await self._weighed(live, live.state.header.game, live.state.header.settings, ())
        return None if weighed is None else weighed.chance

    async def _weighed(self, live: LiveClass, game: str, settings: str, after: Sequence[str]) -> tasks.Weighed | None:
        """What is true of a position; None where nobody knows."""
        answer = await self.hub.thinking.ask(tasks.Weigh(game, settings, list(after)), f"class {live.name}")
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
        self._settle_soon(live)

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
                return events.Renamed(pupil=pupil, name=checked_name(act.name))
            case "remove":
                return events.Removed(pupil=pupil)
            case "reseat":
                return events.Reseated(pupil=pupil)
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
        return self._paired(state, pairs, state.round + 1, act.key)

    def _paired(self, state: ClassState, pairs: Sequence[pairing.Pair], number: int, key: str = "") -> events.Paired:
        taken = {table.seating.table for table in state.running}
        free = (at for at in range(1, len(state.pupils) + len(taken) + 1) if at not in taken)
        game, header = game_of(state.header.game, state.header.settings), state.header
        tables = []
        for pair in pairs:
            table = next(free)
            match = self.hub.tokens.name("class-match", f"{header.classroom} {state.number} {table}")
            tables.append(Seating(table, match, pair, self.hub.new_seed() if is_sealed(game) else ""))
        return events.Paired(round=number, tables=tuple(tables), key=key)

    async def _asked(self, live: LiveClass, act: messages.TeacherAct) -> events.Asked:
        if (act.puzzle is not None) + (act.after is not None) + act.guess != 1:
            raise Refusal("bad-request", Said("class-ask"))
        if act.guess:
            return events.Asked(options=GUESS, key=act.key)
        slug, settings, after, said = live.state.header.game, live.state.header.settings, act.after or [], b"[]"
        if act.puzzle is not None:
            answer = await self.hub.thinking.ask(tasks.AskPuzzle(id=act.puzzle), f"class {live.name}")
            if not isinstance(answer, tasks.Made):
                raise Refusal("not-found", Said("class-ask"))
            puzzle = msgspec.json.decode(answer.json, type=wire.Puzzle)
            slug, after = puzzle.game, [line.entry for line in puzzle.history]
            settings = make_game(slug, **puzzle.settings).settings_text
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

    async def act(self, live: LiveClass, one: PupilState, act: messages.PupilAct) -> None:
        """Do what a pupil asks."""
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
            self._settle_soon(live)

    def _changed_elsewhere(self, classroom: str) -> None:
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

    # ---- the matches follow

    def _settle_soon(self, live: LiveClass) -> None:
        if live.unsettled:
            return
        live.unsettled = True
        self.hub.go(self._settle(live))

    async def _settle(self, live: LiveClass) -> None:
        """Bring every match to where the class has it, and take its results in."""
        async with live.settling:
            live.unsettled = False
            try:
                for table in live.shown:
                    await self._settle_table(live, table)
                await self._let_go(live)
                live.changed()
                if live.to_look_through:
                    self._look_soon(live)
            except (StoreError, Busy) as trouble:
                # What is missing is done at the next tick.
                self.hub.log.error("class", what=str(trouble), match=live.name)

    async def _settle_table(self, live: LiveClass, table: TableState) -> None:
        match, seating = table.seating.match, table.seating
        room = live.rooms.get(match)
        if room is None:
            try:
                room = await (self.hub.room(match) if table.over else self.hub.begin(self._match(live.state, table)))
            except Refusal as refusal:
                if refusal.code != "not-found":
                    raise
                return
            live.rooms[match] = room
        if table.over:
            return
        if match not in live.watched:
            live.watched[match] = TableWatcher(live, room, self._settle_soon)
        pupils = [None if number == COMPUTER else live.state.pupil(number) for number in seating.pupils]
        for seat, one in enumerate(pupils):
            if one is not None and not room.state.over:
                token = hashed(self._match_token(match, one))
                if room.state.tokens[seat] != token or room.state.names[seat] != one.name:
                    await self._arrange(room, SEAT, seat, "", token, one.name)
        left = next((seat for seat, one in enumerate(pupils) if one is not None and one.removed), None)
        if left is not None or live.state.ended:
            await self._arrange(room, STOP, left or 0, ENDED if left is None else AWAY)
        if room.state.over:
            result = _result(live.state, table, room.state)
            await self._happens(live, lambda _: result)

    async def _arrange(self, room: Room, do: str, seat: int, key: str, token: bytes = b"", name: str = "") -> None:
        # A game that has just ended is as it is.
        if not room.state.over:
            with suppress(Refusal):
                await self.hub.arrange(room, do, seat, key, token, name)

    async def _let_go(self, live: LiveClass) -> None:
        shown = {table.seating.match: table for table in live.shown}
        for match in [*live.watched]:
            if match not in shown or shown[match].over:
                live.watched.pop(match).leave()
        for match in [*live.rooms]:
            if match not in shown:
                del live.rooms[match]

    def _match(self, state: ClassState, table: TableState) -> MatchHeader:
        """How a match of the class is made: the same by whichever process."""
        header, seating = state.header, table.seating
        pupils = [None if number == COMPUTER else state.pupil(number) for number in seating.pupils]
        tokens = [b"" if one is None else hashed(self._match_token(seating.match, one)) for one in pupils]
        names = [computer_name(header.level) if one is None else one.name for one in pupils]
        kinds = [header.level if one is None else HUMAN for one in pupils]
        return MatchHeader(
            match=seating.match,
            game=header.game,
            settings=header.settings,
            seed=seating.seed,
            start="",
            opponent=FRIEND if all(pupils) else header.level,
            names=(names[0], names[1]),
            kinds=(kinds[0], kinds[1]),
            tokens=(tokens[0], tokens[1]),
            invite=b"",
            round=1,
            rounds=1,
            points=(0, 0),
            created=self.hub.time.now(),
            owner=header.owner,
            date=header.date,
            marks=header.marks,
            classroom=header.classroom,
        )

    # ---- looking after

    async def _tick_forever(self) -> None:
        erase_at = -inf
        while True:
            now = self.hub.time.now()
            for live in [*self._live.values()]:
                try:
                    await self.tick(live, now)
                except Refusal as trouble:
                    self.hub.log.error("class", what=str(trouble), match=live.name)
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
            await self._free_the_waiting(live, now)
            if pairing.due(state, live.here(now), now, self._toss):
                await self._happens(live, lambda state: self._due(live, state, now))
        if state is not live.state or any(room.state.over for room in self._open_rooms(live)) or self._missing(live):
            self._settle_soon(live)
        phase = live.state.phase(now)
        if phase != live.phase:
            live.phase = phase
            live.changed()

    def _due(self, live: LiveClass, state: ClassState, now: float) -> AnyEvent:
        pairs = pairing.due(state, live.here(now), now, self._toss)
        if not pairs:
            raise Refusal(UNCHANGED, Said("class-unchanged"))
        return self._paired(state, pairs, max(1, state.round))

    def _open_rooms(self, live: LiveClass) -> list[Room]:
        return [live.rooms[table.seating.match] for table in live.state.running if table.seating.match in live.rooms]

    def _missing(self, live: LiveClass) -> bool:
        return any(table.seating.match not in live.rooms for table in live.state.running)

    async def _free_the_waiting(self, live: LiveClass, now: float) -> None:
        """End the games in which somebody waits for a pupil who has left."""
        in_rounds = live.state.header.way == "rounds"
        for table in live.state.running:
            room, pupils = live.rooms.get(table.seating.match), table.seating.pupils
            if room is None or room.state.turn is None:
                continue
            seat = room.state.turn
            since = live.gone.get(pupils[seat], inf)
            alone = pupils[1 - seat] == COMPUTER
            if now - since >= (GONE_IN_ROUND if in_rounds else GONE_FOR) and (in_rounds or not alone):
                await self._arrange(room, STOP, seat, AWAY)

    def _look_soon(self, live: LiveClass) -> None:
        if not live.looking:
            live.looking = True
            self.hub.go(self._look_through(live))

    async def _look_through(self, live: LiveClass) -> None:
        """Look at each game that is over for its key moments and mistakes, one after the other."""
        try:
            while (waiting := live.to_look_through) and live.name in self._live:
                table = waiting[0]
                match = table.seating.match
                try:
                    state = (await self.hub.room(match)).state
                    task = tasks.LookBack(state.record().text())
                    answer = await self.hub.thinking.ask(task, f"class {live.name}", match)
                except (Busy, TooSlow, StoreError):
                    await asyncio.sleep(TICK)
                    continue
                except Refusal:
                    live.failed.add(match)
                    continue
                if isinstance(answer, tasks.Made):
                    found = msgspec.json.decode(answer.json, type=tasks.Decisions)
                    live.looked_through(table, found, tuple(state.line.history))
                else:
                    live.failed.add(match)
                live.changed(teacher_only=True)
        finally:
            live.looking = False

    # ---- the end

    async def erase(self, classroom: str) -> None:
        """Remove all that is kept of a class."""
        live = self._live.get(classroom)
        if live is not None:
            self._forget(live)
        self.hub.forget(await self.hub.store.erase_class(classroom))
        self.hub.log.event("class-erased", classroom=classroom)

    async def erase_due(self, opened: float = -inf) -> None:
        """Remove the classes whose time is up; by the clock, those that were opened before this."""
        for classroom in await self.hub.store.classes_due(self.hub.time.now() - views.ERASED_AFTER, opened):
            await self.erase(classroom)

    def _forget(self, live: LiveClass) -> None:
        self._live.pop(live.name, None)
        for watcher in live.watched.values():
            watcher.leave()
        live.watched.clear()
        live.changed()


def _told_name(header: ClassHeader, wish: messages.JoinClass) -> str:
    """What somebody wants to be called; refused where that is no name here."""
    if wish.name is None:
        raise Refusal("bad-request", Said("class-name-none"))
    if header.names == "roster":
        typed = one_way(wish.name).strip()
        if not (typed.isascii() and typed.isdigit() and 1 <= int(typed[:4]) <= header.roster and len(typed) <= 4):
            raise Refusal("bad-request", Said("class-roster", {"most": header.roster}))
        return str(int(typed))
    return checked_name(wish.name)


def _joined(state: ClassState, wish: messages.JoinClass, device: str, place: str) -> events.Joined:
    header = state.header
    drawn = animal(header.classroom, len(state.pupils) + 1) if header.names == "animals" else ""
    return events.Joined(name=drawn or _told_name(header, wish), device=device, place=place)


def _result(state: ClassState, table: TableState, match: MatchState) -> events.Result:
    """What a game that is over has come to: all of it is read from the match."""
    counts = not match.unplayed
    winner = None if match.outcome is None else match.outcome.winner
    points = (0, 0)
    if counts:
        points = (1, 1) if winner is None else (2, 0) if winner == 0 else (0, 2)
    elif state.header.way == "rounds" and match.entry is not None and match.entry.key == AWAY:
        # It costs nothing to have been put at a table with somebody who left.
        points = (0, 2) if match.entry.seat == 0 else (2, 0)
    return events.Result(match=table.seating.match, winner=winner, counts=counts, points=points)


def _unknown() -> Refusal:
    return Refusal("not-found", Said("class-unknown"))
