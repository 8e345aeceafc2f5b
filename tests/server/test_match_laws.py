"""The laws of a match's fold, for every game, whatever anybody does in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.match.entries import JOIN, Action, Entry
from numberquest.server.match.state import MatchState, folded, game_of, new_state
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import entry_of, written
from tests.server.folding import SHOWING, change, entries, matches_kept, whole
from tests.strategies import KINDS, games


@pytest.fixture(scope="module", autouse=True)
def with_the_games_of_the_examples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GAMES, "_brought", {kind.slug: kind for kind in KINDS if kind.slug not in GAMES.own})
        yield
    # The rules of a match are kept once they were looked up; these are not there any more.
    game_of.cache_clear()


class Gone(list[MatchState]):
    """The states of a match, one after each entry, and what was refused on the way."""

    def __init__(self, start: MatchState) -> None:
        super().__init__([start])
        self.refused: list[tuple[MatchState, Entry]] = []


@st.composite
def gone(draw: st.DrawFn) -> Gone:
    """A match in which random things happen, of any game with any settings."""
    start = new_state(draw(matches_kept(draw(games(KINDS)))))
    states = Gone(start)
    for _ in range(draw(st.integers(0, 14))):
        entry = draw(entries(states[-1]))
        try:
            states.append(states[-1].apply(entry))
        except Refusal:
            states.refused.append((states[-1], entry))
    return states


def facts(state: MatchState) -> tuple[Any, ...]:
    """All that a state knows, to be compared."""
    line = state.line
    return (
        *(state.header, state.ply, line.history, line.positions, line.resigned, line.moves, state.outcome),
        *(state.names, state.tokens, state.joined, state.hints, state.asked, state.wants, state.log()),
    )


@given(gone())
def test_a_change_put_into_the_state_before_is_the_state_after(states: Gone) -> None:
    for before, after in pairwise(states):
        assert wire.changed(whole(before), change(after)) == whole(after)
        # Also before anything went over a line.
        told = msgspec.json.encode(wire.changed(SHOWING.whole(before), SHOWING.change(after)))
        assert told == msgspec.json.encode(SHOWING.whole(after))


@given(gone())
def test_changes_one_after_the_other_lead_from_the_start_to_the_end(states: Gone) -> None:
    known = whole(states[0])
    for state in states[1:]:
        known = wire.changed(known, change(state))
    assert known == whole(states[-1])


@given(gone())
def test_a_change_tells_no_more_than_the_whole(states: Gone) -> None:
    for state in states[1:]:
        told, known = change(state), whole(state)
        for name in wire.Change.__struct_fields__:
            value = getattr(told, name)
            if value is UNSET or name == "since":
                continue
            if name == "history":
                assert told.since is not UNSET
                assert value == known.history[told.since :]
            else:
                assert value == getattr(known, name), name
        assert (told.since is UNSET) == (told.history is UNSET)


@given(gone(), st.data())
def test_nothing_that_is_applied_changes_the_state_it_is_applied_to(states: Gone, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from(states))
    known, shown = facts(at), whole(at)
    results = []
    for _ in range(2):
        # Two worlds that go on from the same state do not know of each other.
        try:
            results.append(at.apply(data.draw(entries(at))))
        except Refusal:
            continue
        finally:
            assert (facts(at), whole(at)) == (known, shown)
    for after in results:
        assert after.before is at
        assert folded(at.header, after.log()).line.history == after.line.history


@given(gone())
def test_what_is_refused_leaves_nothing_behind_and_is_refused_again(states: Gone) -> None:
    for state, entry in states.refused:
        with pytest.raises(Refusal) as first:
            state.apply(entry)
        with pytest.raises(Refusal) as again:
            folded(state.header, state.log()).apply(entry)
        assert (first.value.code, first.value.said) == (again.value.code, again.value.said)
        assert entry not in states[-1].log() or entry in state.log()


@given(gone())
def test_a_log_folded_anew_is_the_same_match_and_the_beginning_of_it_the_match_as_it_was(states: Gone) -> None:
    end = states[-1]
    log = end.log()
    assert [entry.ply for entry in log] == list(range(end.ply))
    for ply, state in enumerate(states):
        again = folded(end.header, log[:ply])
        assert facts(again) == facts(state)
        assert whole(again) == whole(state)
        assert end.earlier(ply) is state
    assert end.earlier(end.ply + 1) is end


@given(gone())
def test_an_entry_that_is_written_down_is_read_as_it_was(states: Gone) -> None:
    for entry in states[-1].log():
        assert entry_of(entry.ply, entry.seat, *written(entry), entry.key, entry.at) == entry


@given(st.binary(max_size=32), st.text(max_size=30), st.text(max_size=64))
def test_who_joins_is_read_with_any_name(token: bytes, name: str, key: str) -> None:
    joined = Action(0, 1, key, 0.5, JOIN, token, name)
    assert entry_of(0, 1, *written(joined), key, 0.5) == joined


@given(gone())
def test_a_log_that_was_written_down_and_read_is_the_same_match(states: Gone) -> None:
    end = states[-1]
    read = [entry_of(entry.ply, entry.seat, *written(entry), entry.key, entry.at) for entry in end.log()]
    assert facts(folded(end.header, read)) == facts(end)


@given(gone())
def test_an_entry_repeats_itself_and_no_other(states: Gone) -> None:
    log = states[-1].log()
    for one in log:
        for other in log:
            assert one.repeats(other) == (one is other)
