"""How a class stands: its log, folded. `state.apply(event)` is the state after it, or refuses; nothing ever changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from numberquest.core.sentences import Said
from numberquest.server.classroom import events
from numberquest.server.classroom.events import COMPUTER, AnyEvent, ClassHeader, Seating
from numberquest.server.refusal import Refusal

UNCHANGED: Final = "unchanged"
"""The code of a refusal that says that all is so already."""
TIMED: Final = ("arena", "computer")
"""The ways to meet that have a time."""
MOST_EVENTS: Final = 20_000
"""A class with more takes no more hands, answers and names."""
MOST_KEYS: Final = 200


class PupilState(Struct, frozen=True):
    """A pupil of the class."""

    number: int
    name: str
    device: str
    place: str
    since: float
    """Since when they have been free, or at their table."""
    removed: bool = False
    hand: bool = False
    knock: str = ""
    """The device that asks for this seat."""
    match: str = ""
    """The game that they play, or played last."""
    busy: bool = False
    """Whether that game goes on."""
    points: int = 0
    """In halves of a point."""
    played: int = 0
    won: int = 0
    began: int = 0
    """Games that they played as Player 1."""
    met: tuple[int, ...] = ()
    """Whom they have played, in order; `COMPUTER` for the computer."""
    answered: int = 0
    right: int = 0

    @property
    def device_number(self) -> int | None:
        """Three digits, shown to the teacher and on the device that asks for this seat."""
        return 100 + int.from_bytes(self.knock.encode()) % 900 if self.knock else None


class TableState(Struct, frozen=True):
    """A game, and what came of it."""

    seating: Seating
    round: int
    result: events.Result | None = None

    @property
    def over(self) -> bool:
        return self.result is not None


class Question(Struct, frozen=True):
    """A question to the whole class."""

    number: int
    asked: events.Asked
    answers: Mapping[int, str] = MappingProxyType({})
    """By pupil."""
    uncovered: events.Uncovered | None = None


class ClassState(Struct, frozen=True):
    """A class after the first `number` events of its log."""

    header: ClassHeader
    number: int = 0
    pupils: tuple[PupilState, ...] = ()
    tables: Mapping[str, TableState] = MappingProxyType({})
    """By match, in the order in which they were begun."""
    round: int = 0
    begun: bool = False
    ended: bool = False
    paused: bool = False
    locked: bool = False
    minutes: int = 0
    """Minutes that were added to the time."""
    spent: float = 0.0
    """Seconds of the time that had gone at the last pause."""
    since: float = 0.0
    """The time at which the class began, or went on after a pause."""
    question: Question | None = None
    questions: int = 0
    keys: tuple[str, ...] = ()

    # ---- what can be known of it

    def pupil(self, number: int | None) -> PupilState:
        """The pupil of that number; refused where there is none."""
        if number is None or not 1 <= number <= len(self.pupils):
            raise Refusal("not-allowed", Said("class-pupil"))
        return self.pupils[number - 1]

    def by_device(self, device: str) -> PupilState | None:
        """The last pupil who sat down at that device; a removed one only if there is no other."""
        mine = [one for one in self.pupils if one.device == device]
        return next((one for one in reversed(mine) if not one.removed), mine[-1] if mine else None)

    def by_name(self, name: str) -> PupilState | None:
        """The pupil of that name in capitals or small letters, also a removed one."""
        return next((one for one in self.pupils if one.name.casefold() == name.casefold()), None)

    @property
    def present(self) -> list[PupilState]:
        return [one for one in self.pupils if not one.removed]

    @property
    def running(self) -> list[TableState]:
        """The games that go on."""
        return [table for table in self.tables.values() if not table.over]

    @property
    def played(self) -> int:
        return sum(table.result is not None and table.result.counts for table in self.tables.values())

    def left(self, now: float) -> float | None:
        """Seconds until the time is up; None where there is none, or it has not begun."""
        if self.header.way not in TIMED or not self.begun:
            return None
        return max(0.0, 60.0 * (self.header.minutes + self.minutes) - self._gone(now))

    def _gone(self, now: float) -> float:
        """Seconds of the time that have gone by; none do while the class is paused, or over."""
        return self.spent + (0 if self.paused or self.ended else now - self.since)

    def phase(self, now: float) -> str:
        """The phase of the class, a `Phase` of the wire."""
        if self.ended:
            return "over"
        if not self.begun:
            return "lobby"
        if self.header.way == "rounds" and not self.running:
            return "over" if self.round >= self.header.rounds else "between"
        return "over" if self.left(now) == 0 and not self.running else "playing"

    # ---- the fold

    def apply(self, event: AnyEvent) -> ClassState:
        """The class after this event, which must be the next one; refused where it may not be."""
        if event.number != self.number:
            raise Refusal("late", Said("class-late"))
        key = getattr(event, "key", "")
        if key and key in self.keys:
            raise _unchanged()
        after = _EVENTS[type(event)](self, event)
        keys = (*self.keys, key)[-MOST_KEYS:] if key else self.keys
        return replace(after, number=self.number + 1, keys=keys)

    def _with(self, *pupils: PupilState, **changed: Any) -> ClassState:
        found = list(self.pupils)
        for one in pupils:
            found[one.number - 1] = one
        return replace(self, pupils=tuple(found), **changed)

    def _open(self) -> None:
        if self.ended:
            raise Refusal("not-allowed", Said("class-over"))

    def _few(self) -> None:
        self._open()
        if self.number >= MOST_EVENTS:
            raise Refusal("too-many", Said("class-busy"))

    def _joined(self, event: events.Joined) -> ClassState:
        self._few()
        # Who was removed counts too: otherwise nobody would ever be sent out.
        if sum(one.device == event.device for one in self.pupils) >= self.header.per_device:
            raise Refusal("not-allowed", Said("class-device"))
        if sum(one.place == event.place for one in self.pupils) >= self.header.per_address:
            raise Refusal("not-allowed", Said("class-address"))
        # Whoever has lost their device asks for their seat where nobody new may come in, too.
        if self.by_name(event.name) is not None:
            raise Refusal("not-allowed", Said("class-name-taken", {"name": event.name}))
        if self.locked:
            raise Refusal("not-allowed", Said("class-locked"))
        if len(self.present) >= self.header.pupils:
            raise Refusal("too-many", Said("class-full"))
        new = PupilState(len(self.pupils) + 1, event.name, event.device, event.place, event.at)
        return replace(self, pupils=(*self.pupils, new))

    def _knocked(self, event: events.Knocked) -> ClassState:
        self._few()
        one = self.pupil(event.pupil)
        if one.removed:
            raise Refusal("not-allowed", Said("class-removed"))
        if event.device in (one.device, one.knock):
            raise _unchanged()
        return self._with(replace(one, knock=event.device))

    def _reseated(self, event: events.Reseated) -> ClassState:
        one = self.pupil(event.pupil)
        if not one.knock or one.removed:
            raise Refusal("not-allowed", Said("class-nobody-knocks"))
        return self._with(replace(one, device=one.knock, knock=""))

    def _turned_away(self, event: events.TurnedAway) -> ClassState:
        one = self.pupil(event.pupil)
        if not one.knock:
            raise _unchanged()
        return self._with(replace(one, knock=""))

    def _renamed(self, event: events.Renamed) -> ClassState:
        self._few()
        one, same = self.pupil(event.pupil), self.by_name(event.name)
        if same is not None and same.number != one.number:
            raise Refusal("not-allowed", Said("class-name-taken", {"name": event.name}))
        if one.name == event.name:
            raise _unchanged()
        return self._with(replace(one, name=event.name))

    def _removed(self, event: events.Removed) -> ClassState:
        one = self.pupil(event.pupil)
        if one.removed:
            raise _unchanged()
        return self._with(replace(one, removed=True, hand=False, knock=""))

    def _hand(self, event: events.Hand) -> ClassState:
        self._few()
        one = self.pupil(event.pupil)
        if one.hand == event.up or one.removed:
            raise _unchanged()
        return self._with(replace(one, hand=event.up))

    def _paired(self, event: events.Paired) -> ClassState:
        self._open()
        numbers = [number for seating in event.tables for number in seating.pupils if number != COMPUTER]
        taken = len(set(numbers)) < len(numbers) or any(self.pupil(number).busy for number in numbers)
        if taken or any(seating.match in self.tables for seating in event.tables):
            raise Refusal("late", Said("class-late"))
        changed = []
        for seating in event.tables:
            for seat, number in enumerate(seating.pupils):
                if number != COMPUTER:
                    one = self.pupil(number)
                    met, began = (*one.met, seating.pupils[1 - seat]), one.began + (seat == 0)
                    now = {"match": seating.match, "busy": True, "since": event.at}
                    changed.append(replace(one, **now, met=met, began=began))
        new = {seating.match: TableState(seating, event.round) for seating in event.tables}
        since = self.since if self.begun else event.at
        tables = MappingProxyType({**self.tables, **new})
        return self._with(*changed, tables=tables, round=event.round, begun=True, since=since)

    def _result(self, event: events.Result) -> ClassState:
        table = self.tables.get(event.match)
        if table is None or table.over:
            # A game counts once, however often it is told that it is over.
            raise _unchanged()
        changed = []
        for seat, number in enumerate(table.seating.pupils):
            if number != COMPUTER:
                one = self.pupil(number)
                points, won = one.points + event.points[seat], one.won + (event.counts and event.winner == seat)
                played = one.played + event.counts
                changed.append(replace(one, busy=False, since=event.at, points=points, won=won, played=played))
        tables = MappingProxyType({**self.tables, event.match: replace(table, result=event)})
        return self._with(*changed, tables=tables)

    def _paused(self, event: events.Paused) -> ClassState:
        self._open()
        if self.paused == event.on:
            raise _unchanged()
        spent = self.spent + (event.at - self.since if event.on and self.begun else 0.0)
        return replace(self, paused=event.on, spent=spent, since=event.at)

    def _locked(self, event: events.Locked) -> ClassState:
        self._open()
        if self.locked == event.on:
            raise _unchanged()
        return replace(self, locked=event.on)

    def _more_time(self, event: events.MoreTime) -> ClassState:
        self._open()
        if self.header.way not in TIMED or not 1 <= event.minutes <= 180:
            raise Refusal("not-allowed", Said("class-no-time"))
        minutes = self.minutes
        left = self.left(event.at)
        if left == 0:
            # What has gone beyond the time is given besides: more time is time from now on.
            over = self._gone(event.at) - 60 * (self.header.minutes + minutes)
            return replace(self, minutes=minutes + event.minutes, spent=self.spent - over)
        return replace(self, minutes=minutes + event.minutes)

    def _asked(self, event: events.Asked) -> ClassState:
        self._few()
        return replace(self, question=Question(self.questions + 1, event), questions=self.questions + 1)

    def _answered(self, event: events.Answered) -> ClassState:
        self._few()
        question, one = self._current(), self.pupil(event.pupil)
        if event.question != question.number:
            raise Refusal("late", Said("class-question-gone"))
        if question.uncovered is not None:
            raise Refusal("not-allowed", Said("class-uncovered"))
        if event.answer not in question.asked.options:
            raise Refusal("not-allowed", Said("class-answer"))
        if one.removed or question.answers.get(one.number) == event.answer:
            raise _unchanged()
        answers = MappingProxyType({**question.answers, one.number: event.answer})
        return replace(self, question=replace(question, answers=answers))

    def _uncovered(self, event: events.Uncovered) -> ClassState:
        question = self._current()
        if question.uncovered is not None:
            raise _unchanged()
        changed = [
            replace(one, answered=one.answered + 1, right=one.right + (question.answers[one.number] in event.right))
            for one in self.pupils
            if one.number in question.answers
        ]
        return self._with(*changed, question=replace(question, uncovered=event))

    def _closed(self, _: events.Closed) -> ClassState:
        self._current()
        return replace(self, question=None)

    def _ended(self, event: events.Ended) -> ClassState:
        self._open()
        return replace(self, ended=True, spent=self._gone(event.at))

    def _current(self) -> Question:
        if self.question is None:
            raise Refusal("not-allowed", Said("class-question-gone"))
        return self.question


_EVENTS: Final[dict[type, Callable[[ClassState, Any], ClassState]]] = {
    events.Joined: ClassState._joined,
    events.Knocked: ClassState._knocked,
    events.Reseated: ClassState._reseated,
    events.TurnedAway: ClassState._turned_away,
    events.Renamed: ClassState._renamed,
    events.Removed: ClassState._removed,
    events.Hand: ClassState._hand,
    events.Paired: ClassState._paired,
    events.Result: ClassState._result,
    events.Paused: ClassState._paused,
    events.Locked: ClassState._locked,
    events.MoreTime: ClassState._more_time,
    events.Asked: ClassState._asked,
    events.Answered: ClassState._answered,
    events.Uncovered: ClassState._uncovered,
    events.Closed: ClassState._closed,
    events.Ended: ClassState._ended,
}


def _unchanged() -> Refusal:
    return Refusal(UNCHANGED, Said("class-unchanged"))


def folded(header: ClassHeader, log: Iterable[AnyEvent]) -> ClassState:
    """A class after all of its log."""
    state = ClassState(header)
    for event in log:
        state = state.apply(event)
    return state
