"""A line of play never changes: whatever is played on it, taken back or given up makes another one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest import IllegalMove
from numberquest.line import Line
from tests.strategies import KINDS, matches


def facts(line: Line[Any]) -> tuple[Any, ...]:
    """All that can be known of a line."""
    return (
        *(line.history, line.positions, line.length, line.reveals, line.resigned, line.player, line.moves),
        *(line.outcome, line.last_player, line.undo_refusal, line.take_back_refusal(0), line.take_back_refusal(1)),
    )


@given(matches(KINDS), st.data())
def test_two_ways_to_go_on_from_a_line_know_nothing_of_each_other(match: Any, data: st.DataObject) -> None:
    line = match.line
    if not line.moves:
        return
    known = facts(line)
    one, two = (data.draw(st.sampled_from(line.moves)) for _ in range(2))
    first = line.play(one)
    seen = facts(first)
    second = line.play(two)
    assert facts(first) == seen
    assert facts(line) == known
    # What is uncovered is the dealer's, and the same whoever asks first.
    assert (facts(first) == facts(second)) == (one == two)
    assert first.history[: line.length] == second.history[: line.length] == line.history


@given(matches(KINDS), st.data())
def test_what_was_played_last_is_taken_back_to_the_very_line_before(match: Any, data: st.DataObject) -> None:
    line = match.line
    if not line.moves:
        return
    after = line.play(data.draw(st.sampled_from(line.moves)))
    known = facts(after)
    if after.undo_refusal is None:
        assert after.undone() is line
    else:
        with pytest.raises(IllegalMove):
            after.undone()
    if after.take_back_refusal(line.player) is None:
        assert after.taken_back(line.player) is line
    assert facts(after) == known


@given(matches(KINDS), st.integers(0, 1))
def test_who_gives_up_leaves_the_line_as_it_was(match: Any, player: int) -> None:
    line = match.line
    if line.outcome is not None:
        return
    known = facts(line)
    given_up = line.resign(player)
    assert (given_up.resigned, given_up.moves, given_up.history) == (player, (), line.history)
    assert facts(line) == known


@given(matches(KINDS), st.text(max_size=20))
def test_a_move_that_is_not_allowed_changes_nothing(match: Any, move: str) -> None:
    line = match.line
    if move in line.moves:
        return
    known = facts(line)
    with pytest.raises(IllegalMove):
        line.play(move)
    assert facts(line) == known


@given(matches(KINDS), st.data())
def test_how_a_line_went_on_from_anywhere_is_the_rest_of_its_history(match: Any, data: st.DataObject) -> None:
    line = match.line
    at = data.draw(st.integers(0, line.length))
    rest = line.since(at)
    assert [each.entry for each in rest] == list(line.history[at:])
    assert [each.length for each in rest] == list(range(at + 1, line.length + 1))
    assert [each.position for each in rest] == list(line.positions[at + 1 :])
