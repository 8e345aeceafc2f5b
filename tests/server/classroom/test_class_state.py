"""A class is a pure fold: the same log gives the same class, and what may not be is refused and changes nothing."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from numberquest.server.classroom import events
from numberquest.server.classroom.events import COMPUTER, AnyEvent, Seating
from numberquest.server.classroom.state import ClassState, folded
from numberquest.server.refusal import Refusal
from tests.server.classroom.test_pairing import a_class


def after(state: ClassState, event: Any, at: float = 0.0) -> ClassState:
    return state.apply(msgspec.structs.replace(event, number=state.number, at=at))


def refused(state: ClassState, event: Any) -> str:
    with pytest.raises(Refusal) as found:
        after(state, event)
    return found.value.code


def seated(match: str, one: int, two: int = COMPUTER) -> events.Paired:
    return events.Paired(round=1, tables=(Seating(1, match, (one, two), ""),))


def test_a_result_counts_once_however_often_it_is_told() -> None:
    state = after(a_class("arena", 2), seated("m", 1, 2))
    result = events.Result(match="m", winner=0, counts=True, points=(2, 0))
    state = after(state, result)
    assert refused(state, result) == "unchanged"
    assert refused(state, msgspec.structs.replace(result, winner=1, points=(0, 2))) == "unchanged"
    assert [one.points for one in state.pupils] == [2, 0]
    assert [one.won for one in state.pupils] == [1, 0]
    assert state.played == 1


def test_nobody_is_put_at_two_tables_and_no_match_is_made_twice() -> None:
    state = after(a_class("arena", 3), seated("m", 1, 2))
    for paired in (seated("n", 2, 3), seated("m", 3), seated("n", 3, 3)):
        assert refused(state, paired) == "late"
    state = after(state, events.Result(match="m", winner=None, counts=False, points=(0, 0)))
    assert refused(state, seated("m", 1, 2)) == "late"


def test_where_very_much_has_happened_only_games_and_the_teacher_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    state = after(a_class("arena", 2), seated("m", 1, 2))
    monkeypatch.setattr("numberquest.server.classroom.state.MOST_EVENTS", state.number)
    assert refused(state, events.Hand(pupil=1, up=True)) == "too-many"
    state = after(state, events.Result(match="m", winner=0, counts=True, points=(2, 0)))
    assert after(state, events.Ended()).ended


def test_an_event_that_is_not_the_next_one_is_refused() -> None:
    state = a_class("arena", 2)
    for number in (0, state.number - 1, state.number + 1):
        with pytest.raises(Refusal) as found:
            state.apply(events.Paused(number=number, on=True))
        assert found.value.code == "late"


def test_the_time_goes_on_only_while_the_class_does_and_more_can_be_given_when_it_is_up() -> None:
    state = after(a_class("arena", 2, minutes=1), events.Paired(round=1, tables=()), at=100.0)
    assert state.left(130.0) == 30.0
    state = after(state, events.Paused(on=True), at=130.0)
    assert state.left(500.0) == 30.0
    state = after(state, events.Paused(on=False), at=500.0)
    assert state.left(600.0) == 0.0
    assert state.phase(600.0) == "over"
    state = after(state, events.MoreTime(minutes=2), at=600.0)
    assert state.left(600.0) == 120.0
    assert state.phase(600.0) == "playing"


def test_whatever_happens_the_log_alone_says_how_the_class_stands() -> None:
    dice = Random(11)
    for _ in range(30):
        state = start = a_class(dice.choice(["arena", "rounds"]), 6, minutes=1, per_address=8)
        log: list[AnyEvent] = []
        at = 0.0
        for _ in range(120):
            at += dice.choice([1.0, 30.0])
            event = msgspec.structs.replace(_any(state, dice), number=state.number, at=at)
            before, left = msgspec.json.encode(_told(state)), state.left(at)
            try:
                state = state.apply(event)
            except Refusal:
                assert msgspec.json.encode(_told(state)) == before
                continue
            if left is not None:
                given = 60 * event.minutes if isinstance(event, events.MoreTime) else 0
                assert state.left(at) == pytest.approx(left + given), "no other event gives or takes time"
            places = Counter(one.place for one in state.pupils)
            assert max(places.values()) <= state.header.per_address, "who was removed counts too"
            log.append(msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent))
        again = start
        for one in log:
            again = again.apply(one)
        assert again == state
        assert sum(one.busy for one in state.pupils) == sum(
            number != COMPUTER for table in state.running for number in table.seating.pupils
        )
        results = [table.result for table in state.tables.values() if table.result]
        assert sum(one.points for one in state.pupils) == sum(
            points
            for result in results
            for points, number in zip(result.points, state.tables[result.match].seating.pupils, strict=True)
            if number != COMPUTER
        )
    assert folded(start.header, []).number == 0


def _told(state: ClassState) -> tuple[Any, ...]:
    return state.number, state.pupils, dict(state.tables), state.paused, state.locked, state.ended


def _any(state: ClassState, dice: Random) -> Any:
    pupil, on = dice.randrange(0, 9), dice.random() < 0.5
    match, name = f"m{dice.randrange(20)}", f"N{dice.randrange(20)}"
    points = dice.choice([(2, 0), (0, 2), (1, 1)])
    return dice.choice(
        [
            events.Joined(name=name, device=name, place=dice.choice(["here", "there"])),
            events.Knocked(pupil=pupil, device=name),
            events.Reseated(pupil=pupil),
            events.Renamed(pupil=pupil, name=name),
            events.Removed(pupil=pupil) if dice.random() < 0.1 else events.Hand(pupil=pupil, up=on),
            events.Hand(pupil=pupil, up=on),
            seated(match, max(1, pupil), dice.randrange(0, 7)),
            seated(match, max(1, pupil)),
            events.Result(match=match, winner=dice.choice([0, 1, None]), counts=True, points=points),
            events.Paused(on=on),
            events.Locked(on=on),
            events.MoreTime(minutes=dice.randrange(5)),
            events.Asked(options=("1", "2")),
            events.Answered(pupil=pupil, question=state.questions, answer=dice.choice(["1", "2", "3"])),
            events.Uncovered(right=("1",), values={}, exact=None, why=b"[]"),
            events.Closed(),
        ]
    )
