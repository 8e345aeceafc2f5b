"""Whoever waits for a friend who stays away can end the match without a result, after a while that both are told."""

import pytest
from msgspec.structs import replace

from numberquest.server.boards import Showing
from numberquest.server.match.entries import END, PATIENCE, REMATCH, Action, Move
from numberquest.server.match.new import rematch
from numberquest.server.match.state import MatchState, new_state
from numberquest.server.refusal import Refusal
from tests.server.attacked import Friends, clean
from tests.server.keeping import a_match
from tests.server.websocket import WebSocket


def waiting(opponent: str = "friend") -> MatchState:
    """Player 1 has moved at second 100, and waits."""
    return new_state(a_match("m", 50.0, opponent=opponent)).apply(Move(0, 0, "", 100.0, "add"))


def test_a_match_ends_without_a_result_when_the_friend_has_not_moved_for_long_enough() -> None:
    state = waiting().apply(Action(1, 0, "", 100.0 + PATIENCE, END))
    assert state.over
    found = state.outcome
    assert found is not None
    assert found.winner is None
    assert found.reason == "without-result"
    assert list(state.points) == [1, 0], "no draw: it counts for nobody"
    assert state.record().result == "*"
    with pytest.raises(Refusal, match="over"):
        state.apply(Move(2, 1, "", 2000.0, "add"))


def test_whoever_looks_is_told_that_it_has_ended() -> None:
    change = Showing(str).change(waiting().apply(Action(1, 0, "", 100.0 + PATIENCE, END)))
    assert change.turn is None
    assert change.moves == []
    assert change.outcome
    assert change.outcome.reason == "without-result"


def test_the_round_is_played_anew_after_it() -> None:
    state = waiting().apply(Action(1, 0, "", 100.0 + PATIENCE, END))
    again = rematch(state.apply(Action(2, 0, "", 2000.0, REMATCH)), "n", lambda: "f00d" * 8, 2000.0)
    assert (again.round, again.points) == (2, (0, 1))


def test_earlier_it_is_refused_with_the_time_that_is_left_and_only_who_waits_may() -> None:
    with pytest.raises(Refusal, match="Ben still has time: in 2 min"):
        waiting().apply(Action(1, 0, "", 100.0 + PATIENCE - 90, END))
    for state, seat in ((waiting(), 1), (waiting("screen"), 0)):
        with pytest.raises(Refusal, match="Nobody is waited for"):
            state.apply(Action(1, seat, "", 9999.0, END))


def test_what_the_one_who_waits_asks_does_not_make_it_longer_and_an_answer_does() -> None:
    made = replace(a_match("m", 50.0, opponent="friend"), game="sumquest", settings="target=23 high=9", seed="")
    asked = new_state(made).apply(Move(0, 0, "", 100.0, "5")).apply(Action(1, 0, "", 500.0, "take-back"))
    assert asked.waited(600.0) == 500.0
    assert asked.apply(Action(2, 1, "", 550.0, "refuse")).waited(600.0) == 50.0


def test_both_are_told_beforehand_and_the_server_refuses_it_before_its_time(match: Friends) -> None:
    for token in (match.one, match.two):
        with WebSocket(match.port, match.match) as friend:
            told = friend.hello(token)
        assert told["patience"] == PATIENCE
        assert 0 <= told["waited"] < PATIENCE
    assert "min you can end" in clean(match.act(match.two, match.look()["ply"], "end"), 409, "not-allowed")
    assert match.look()["outcome"] is None
