"""Who plays whom: nobody waits long, nobody plays the same twice in rounds, and everybody begins about as often."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from numberquest.server.classroom import events
from numberquest.server.classroom.classes import TICK
from numberquest.server.classroom.events import COMPUTER, ClassHeader, Seating
from numberquest.server.classroom.pairing import AGAIN_AFTER, FREE_WITHIN, NEW_WITHIN, Pair, due, round_of
from numberquest.server.classroom.state import ClassState

ROOT = Path(__file__).parents[3]
DOCS, PAGE = ROOT / "docs", ROOT / "src" / "numberquest" / "server" / "page"


def a_class(way: str, pupils: int, rounds: int = 5, minutes: int = 15, per_address: int = 60) -> ClassState:
    """A class that has begun, with so many pupils who came at second 0."""
    header = ClassHeader(
        classroom="c" * 20,
        code="BCDF",
        game="sumquest",
        settings="",
        way=way,
        minutes=minutes,
        rounds=rounds,
        level="medium",
        marks=True,
        hints=False,
        names="typed",
        roster=0,
        ranking="none",
        pupils=60,
        per_device=1,
        per_address=per_address,
        teacher=b"",
        created=0.0,
        owner="",
        date="",
    )
    state = ClassState(header)
    for number in range(pupils):
        name = f"P{number + 1}"
        state = state.apply(events.Joined(number=state.number, name=name, device=name, place="here"))
    return state


@dataclass
class Lesson:
    """Plays a class through without any server."""

    state: ClassState
    dice: Random = field(default_factory=lambda: Random(1))
    now: float = 0.0
    here: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.here = {one.number for one in self.state.pupils}

    def seat(self, pairs: list[Pair], number: int = 1) -> None:
        tables = [Seating(at, f"{self.state.number} {at}", pair, "") for at, pair in enumerate(pairs, start=1)]
        paired = events.Paired(number=self.state.number, at=self.now, round=number, tables=tuple(tables))
        self.state = self.state.apply(paired)

    def toss(self) -> int:
        return self.dice.randrange(2)

    def due(self) -> list[Pair]:
        return due(self.state, self.here, self.now, self.toss)

    def finish(self, match: str, winner: int | None = None) -> None:
        who = self.dice.randrange(2) if winner is None else winner
        points = (0, 2) if who else (2, 0)
        self.state = self.state.apply(
            events.Result(number=self.state.number, at=self.now, match=match, winner=who, counts=True, points=points)
        )


@pytest.mark.parametrize("pupils", [1, 2, 7, 30])
def test_in_an_arena_nobody_ever_waits_longer_than_fifteen_seconds_and_late_comers_play_within_ten(pupils: int) -> None:
    lesson = Lesson(a_class("arena", pupils))
    lesson.seat([])
    late = False
    longest, first = 0.0, 0.0
    for second in range(600):
        lesson.now = float(second)
        if second == 200:
            late = True
            name = {"name": "Late", "device": "late", "place": "x"}
            lesson.state = lesson.state.apply(events.Joined(number=lesson.state.number, at=lesson.now, **name))
            lesson.here.add(pupils + 1)
        if pairs := lesson.due():
            lesson.seat(pairs)
        for table in lesson.state.running:
            if lesson.dice.random() < 0.02:
                lesson.finish(table.seating.match)
        for one in lesson.state.pupils:
            if not one.busy:
                longest = max(longest, lesson.now - one.since)
        if late and not lesson.state.pupils[-1].met:
            first = lesson.now - 200
    assert longest <= 15
    assert first <= 10
    assert max(NEW_WITHIN, FREE_WITHIN) < 15


def test_the_phone_and_the_document_name_one_number_of_seconds_and_nobody_waits_longer() -> None:
    told = {
        *re.findall(r"within (\d+) seconds", (PAGE / "screens" / "class_pupil.js").read_text()),
        *re.findall(r"Late comers\*\* play within (\w+) seconds", (DOCS / "teach.md").read_text()),
    }
    # A second until the next look at the class, and one for the game to be made.
    assert [int(figure) >= max(NEW_WITHIN, FREE_WITHIN) + TICK + 1 for figure in told] == [True]


def test_in_an_arena_those_who_have_met_least_are_put_together_and_begin_as_often() -> None:
    lesson = Lesson(a_class("arena", 10, minutes=60))
    lesson.seat([])
    for second in range(0, 3600, 2):
        lesson.now = float(second)
        if pairs := lesson.due():
            lesson.seat(pairs)
        for table in lesson.state.running:
            if lesson.dice.random() < 0.05:
                lesson.finish(table.seating.match)
    for one in lesson.state.pupils:
        others = [number for number in one.met if number != COMPUTER]
        assert len(set(others)) == 9, "everybody has met everybody"
        assert abs(2 * one.began - len(one.met)) <= 3, "and began about half of the time"


def test_nobody_is_paired_in_a_pause_after_the_time_or_while_away() -> None:
    lesson = Lesson(a_class("arena", 4, minutes=1))
    lesson.seat([])
    lesson.here = {1, 2}
    assert {number for pair in lesson.due() for number in pair} == {1, 2}
    paused = lesson.state.apply(events.Paused(number=lesson.state.number, at=1.0, on=True))
    assert due(paused, {1, 2, 3, 4}, 30.0, lesson.toss) == []
    assert paused.left(30.0) == 59.0, "the time stands still"
    ended = lesson.state.apply(events.Ended(number=lesson.state.number, at=1.0))
    assert due(ended, {1, 2, 3, 4}, 30.0, lesson.toss) == []
    lesson.now = 61.0
    assert lesson.due() == []


def test_in_an_arena_those_who_wait_longest_are_paired_first() -> None:
    lesson = Lesson(a_class("arena", 0))
    lesson.seat([])
    for name, at in zip("ABC", (5.0, 3.0, 0.0), strict=True):
        come = events.Joined(number=lesson.state.number, at=at, name=name, device=name, place="x")
        lesson.state = lesson.state.apply(come)
    lesson.here, lesson.now = {1, 2, 3}, 5.0
    assert [sorted(pair) for pair in lesson.due()] == [[2, 3]]


def test_in_an_arena_two_who_have_just_met_play_again_where_nobody_else_has_come_for_a_while() -> None:
    lesson = Lesson(a_class("arena", 2))
    lesson.seat([(1, 2)])
    lesson.finish(lesson.state.running[0].seating.match)
    lesson.now = AGAIN_AFTER - 1
    assert lesson.due() == []
    lesson.now = AGAIN_AFTER
    assert [sorted(pair) for pair in lesson.due()] == [[1, 2]]


@pytest.mark.parametrize("pupils", [3, 5])
def test_in_an_arena_two_who_have_just_met_play_again_only_where_nobody_else_is_left_over(pupils: int) -> None:
    lesson, again = Lesson(a_class("arena", pupils, minutes=180)), 0
    lesson.seat([])
    for second in range(0, 5_000, 5):
        lesson.now = float(second)
        free = {one.number: one for one in lesson.state.present if not one.busy}
        pairs = lesson.due()
        for number, pair in enumerate(pairs, start=1):
            if COMPUTER not in pair and [free[one].met[-1:] for one in pair] == [(pair[1],), (pair[0],)]:
                again += 1
                assert free.keys() <= {one for earlier in pairs[:number] for one in earlier}
        lesson.seat(pairs)
        for table in lesson.state.running:
            if lesson.dice.random() < 0.3:
                lesson.finish(table.seating.match)
    assert again


def test_against_the_computer_a_pupil_begins_half_of_the_time() -> None:
    lesson = Lesson(a_class("computer", 1))
    lesson.seat([])
    for _ in range(6):
        lesson.seat(lesson.due())
        lesson.finish(lesson.state.running[0].seating.match)
    assert lesson.state.pupils[0].began == 3


@pytest.mark.parametrize("pupils", [6, 7, 16, 29, 30])
def test_in_rounds_nobody_meets_twice_and_the_odd_one_plays_the_computer_once(pupils: int) -> None:
    lesson = Lesson(a_class("rounds", pupils))
    for number in range(1, 6):
        pairs = round_of(lesson.state, lesson.here, lesson.toss)
        assert sorted(one for pair in pairs for one in pair if one != COMPUTER) == list(range(1, pupils + 1))
        assert sum(COMPUTER in pair for pair in pairs) == pupils % 2
        lesson.seat(pairs, number)
        assert lesson.state.phase(0.0) == "playing"
        for table in lesson.state.running:
            lesson.finish(table.seating.match)
    assert lesson.state.phase(0.0) == "over"
    for one in lesson.state.pupils:
        assert len(set(one.met)) == len(one.met) == 5


def test_in_rounds_winners_meet_winners() -> None:
    lesson = Lesson(a_class("rounds", 8))
    lesson.seat(round_of(lesson.state, lesson.here, lesson.toss))
    for table in lesson.state.running:
        lesson.finish(table.seating.match, winner=0)
    points = {one.number: one.points for one in lesson.state.pupils}
    assert lesson.state.phase(0.0) == "between"
    for one, two in round_of(lesson.state, lesson.here, lesson.toss):
        assert points[one] == points[two]
    lesson.here = {1, 2, 3}
    there = {one for pair in round_of(lesson.state, lesson.here, lesson.toss) for one in pair}
    assert there == {COMPUTER, 1, 2, 3}, "who is away is not waited for"


def test_a_round_in_which_somebody_has_met_everybody_is_paired_without_trying_every_way() -> None:
    lesson = Lesson(a_class("rounds", 30, rounds=30))
    for number in range(1, 30):
        lesson.seat([(number, 30)], number)
        lesson.finish(lesson.state.running[0].seating.match, winner=0)
    pairs = round_of(lesson.state, lesson.here, lesson.toss)
    assert sum(COMPUTER in pair for pair in pairs) == 2
    assert len(pairs) == 16


def test_where_more_rounds_are_played_than_there_are_others_the_rest_play_the_computer_and_nobody_twice() -> None:
    lesson = Lesson(a_class("rounds", 4, rounds=6))
    for number in range(1, 7):
        lesson.seat(round_of(lesson.state, lesson.here, lesson.toss), number)
        for table in lesson.state.running:
            lesson.finish(table.seating.match)
    for one in lesson.state.pupils:
        people = [number for number in one.met if number != COMPUTER]
        assert len(one.met) == 6
        assert len(set(people)) == len(people)


def test_who_comes_late_into_a_round_plays_the_computer_until_the_next_one() -> None:
    lesson = Lesson(a_class("rounds", 4))
    lesson.seat(round_of(lesson.state, lesson.here, lesson.toss))
    lesson.finish(lesson.state.running[0].seating.match)
    late = events.Joined(number=lesson.state.number, at=5.0, name="Late", device="late", place="x")
    lesson.state, lesson.now = lesson.state.apply(late), 5.0 + NEW_WITHIN
    lesson.here.add(5)
    assert [sorted(pair) for pair in lesson.due()] == [[COMPUTER, 5]], "and not who has played in it"
    assert due(lesson.state, lesson.here, lesson.now - 1, lesson.toss) == []
    lesson.finish(lesson.state.running[0].seating.match)
    assert lesson.due() == [], "the round is over"
