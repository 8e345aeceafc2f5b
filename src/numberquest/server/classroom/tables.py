"""The matches of a class: they follow what it has decided, and it takes from them what came of it.

`Tables.settle` looks at both and does what is missing. It may be killed at any moment, run again, and run at two
servers at once: a match is made under the name that the class has written down, and a result is read from its match
alone. So no result is lost, and none counts twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import Final

import msgspec

from numberquest.core.dealer import is_sealed
from numberquest.core.record import HUMAN
from numberquest.players.levels import computer_name
from numberquest.server.classroom import events, pairing
from numberquest.server.classroom.events import COMPUTER, AnyEvent, Seating
from numberquest.server.classroom.live import LiveClass, TableWatcher
from numberquest.server.classroom.state import ClassState, PupilState, TableState
from numberquest.server.hub import Hub
from numberquest.server.log import where
from numberquest.server.match.entries import FRIEND, SEAT, STOP, MatchHeader
from numberquest.server.match.state import MatchState, game_of
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.store.base import StoreError
from numberquest.server.think import tasks
from numberquest.server.think.pool import Busy, TooSlow
from numberquest.server.tokens import hashed

PAUSE: Final = 1.0
"""Seconds until it is tried again to look through a game."""
GONE_FOR: Final = 30.0
"""Seconds that a pupil may be away at their turn before the other pupil is free again."""
GONE_IN_ROUND: Final = 90.0
"""Seconds of the same in rounds: there is no other pupil to play until the next round."""
AWAY, ENDED = "away", "ended"
"""Reasons for which a match was stopped: a pupil was away, or the class was over."""

Happens = Callable[[LiveClass, Callable[[ClassState], AnyEvent]], Awaitable[bool]]
"""How anything is written down in a class."""


class Tables:
    """Carries out what the classes of this process have decided."""

    def __init__(self, hub: Hub, happens: Happens) -> None:
        self.hub, self._happens = hub, happens

    def match_token(self, match: str, one: PupilState) -> str:
        return self.hub.tokens.token("class-match", f"{match} {one.device} {one.number}")

    def paired(self, state: ClassState, pairs: Sequence[pairing.Pair], number: int, key: str = "") -> events.Paired:
        taken = {table.seating.table for table in state.running}
        free = (at for at in range(1, len(state.pupils) + len(taken) + 1) if at not in taken)
        game, header = game_of(state.header.game, state.header.settings), state.header
        tables = []
        for pair in pairs:
            table = next(free)
            match = self.hub.tokens.name("class-match", f"{header.classroom} {state.number} {table}")
            tables.append(Seating(table, match, pair, self.hub.new_seed() if is_sealed(game) else ""))
        return events.Paired(round=number, tables=tuple(tables), key=key)

    def settle_soon(self, live: LiveClass) -> None:
        if live.unsettled:
            return
        live.unsettled = True
        self.hub.go(self.settle(live))

    async def settle(self, live: LiveClass) -> None:
        """Bring every match to where the class has it, and take its results in."""
        async with live.settling:
            live.unsettled = live.again = False
            try:
                for table in live.shown:
                    if live.forgotten:
                        return
                    await self._settle_table(live, table)
                self._let_go(live)
                live.changed()
                if live.to_look_through:
                    self.look_soon(live)
            except Exception as trouble:
                # What is missing is done at the next tick.
                live.again = True
                self.note(live, trouble)

    def note(self, live: LiveClass, trouble: Exception) -> None:
        """Log an error in a class, unless the class was erased meanwhile."""
        if not live.forgotten:
            what = str(trouble) if isinstance(trouble, Refusal) else type(trouble).__name__
            self.hub.log.error("class", what=what, where=where(trouble), classroom=live.name)

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
        if table.over or live.forgotten:
            return
        if match not in live.watched:
            live.watched[match] = TableWatcher(live, room, self.settle_soon)
        pupils = [None if number == COMPUTER else live.state.pupil(number) for number in seating.pupils]
        for seat, one in enumerate(pupils):
            if one is not None and not room.state.over:
                token = hashed(self.match_token(match, one))
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
            try:
                await self.hub.arrange(room, do, seat, key, token, name)
            except StoreError:
                raise
            except Refusal:
                return

    def _let_go(self, live: LiveClass) -> None:
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
        tokens = [b"" if one is None else hashed(self.match_token(seating.match, one)) for one in pupils]
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

    def are_behind(self, live: LiveClass) -> bool:
        """Whether a match is missing, or over and not taken in, or could not be brought to where the class has it."""
        rooms = [live.rooms.get(table.seating.match) for table in live.state.running]
        return live.again or any(room is None or room.state.over for room in rooms)

    async def free_the_waiting(self, live: LiveClass, now: float) -> None:
        """End the games in which a pupil waits for one who has left."""
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

    def look_soon(self, live: LiveClass) -> None:
        if not live.looking:
            live.looking = True
            self.hub.go(self._look_through(live))

    async def _look_through(self, live: LiveClass) -> None:
        """Look at each game that is over for its key moments and mistakes, one after the other."""
        try:
            while (waiting := live.to_look_through) and not live.forgotten:
                table = waiting[0]
                match = table.seating.match
                try:
                    state = (await self.hub.room(match)).state
                    task = tasks.LookBack(state.record().text())
                    answer = await self.hub.think(task, live.state.header.owner, match)
                except Refusal as trouble:
                    if isinstance(trouble, Busy | TooSlow | StoreError) or trouble.code == "too-many":
                        await asyncio.sleep(PAUSE)
                    else:
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


def _result(state: ClassState, table: TableState, match: MatchState) -> events.Result:
    """The result of a match that is over."""
    counts = not match.unplayed
    winner = None if match.outcome is None else match.outcome.winner
    points = (0, 0)
    if counts:
        points = (1, 1) if winner is None else (2, 0) if winner == 0 else (0, 2)
    elif state.header.way == "rounds" and match.entry is not None and match.entry.key == AWAY:
        # It costs nothing to have been put at a table with somebody who left.
        points = (0, 2) if match.entry.seat == 0 else (2, 0)
    return events.Result(match=table.seating.match, winner=winner, counts=counts, points=points)
