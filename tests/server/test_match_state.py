"""A match is its log, folded: what is allowed, what everybody sees, and laws that hold whatever anybody does."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from numberquest.core.contract import CHANCE
from numberquest.core.match import Match
from numberquest.core.record import Record
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.match.entries import JOIN, Action, Entry
from numberquest.server.match.state import MatchState, folded, new_state
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import entry_of
from numberquest.server.store.base import written as stored
from tests.conftest import in_ci
from tests.server.folding import SHOWING, TOKENS, change, do, entries, header, matches_kept, whole, written
from tests.strategies import KINDS, games

pytestmark = pytest.mark.usefixtures("examples")


def refused(state: MatchState, seat: int, text: str, why: str) -> None:
    """This may not be done, and that is said."""
    with pytest.raises(Refusal, match=why):
        state.apply(written(state, seat, text))


def played_on(state: MatchState, data: st.DataObject) -> MatchState:
    assert state.turn is not None
    return do(state, (state.turn, data.draw(st.sampled_from(state.line.moves))))


@in_ci
@given(game=games(), data=st.data())
def test_what_is_shown_is_what_the_match_says(game: Any, data: st.DataObject) -> None:
    state = new_state(header(game))
    while state.turn is not None:
        shown, line = whole(state), state.line
        assert shown.turn == line.player + 1
        assert [option.move for option in shown.moves] == list(line.moves)
        assert len(shown.history) == len(line.history)
        assert [each.entry for each in shown.history] == list(line.history)
        who = [game.player(position) for position in line.positions[:-1]]
        assert [each.player for each in shown.history] == [0 if seat == CHANCE else seat + 1 for seat in who]
        state = played_on(state, data)
    shown = whole(state)
    outcome = state.line.outcome
    assert outcome is not None
    assert shown.outcome is not None
    assert outcome.winner is not None
    assert (shown.turn, shown.moves, shown.outcome.winner) == (None, [], outcome.winner + 1)
    assert (shown.outcome.reason, shown.outcome.facts) == (outcome.reason, {"bound": game.bound, **outcome.facts})
    assert sum(shown.series.points) == 1


@pytest.mark.parametrize("slug", [slug for slug in GAMES if GAMES[slug]().deck])
def test_the_seed_is_shown_when_the_game_is_over_and_not_before(slug: str) -> None:
    state = new_state(header(GAMES[slug]()))
    promised = state.line.dealer.commitment or ""
    while state.turn is not None:
        shown = whole(state)
        assert b"a secret seed" not in msgspec.json.encode(shown)
        assert shown.seal == wire.Seal(promised, None, [])
        state = do(state, (state.turn, state.line.moves[0]))
    assert whole(state).seal == wire.Seal(promised, "a secret seed", list(state.line.game.deck))
    # And it is the seed that was promised, as `numberquest verify` checks it.
    assert Record.read(state.record().text()).match == Match.at(state.line)


def test_nobody_plays_before_both_are_there() -> None:
    alone = new_state(header(GAMES["fifty"](), tokens=(TOKENS[0], b""), invite=b"i" * 32))
    assert alone.turn is None
    refused(alone, 0, "5+", "not here yet")
    both = do(alone, (1, f"!join {TOKENS[1].hex()} Bo with a long name"))
    assert whole(both).turn == 1
    assert (both.names[1], both.tokens[1]) == ("Bo with a long name", TOKENS[1])
    refused(both, 1, f"!join {TOKENS[0].hex()} Cy", "taken")


@pytest.mark.parametrize(
    ("seat", "text", "why"),
    [
        (1, "5+", "not your turn"),
        (0, "5%", "not allowed here. Allowed: "),
        (0, "!agree", "Nobody has asked"),
        (0, "!rematch", "when the game is over"),
        (0, "!take-back", "no move to take back"),
        (1, "!hint", "not your turn"),
    ],
)
def test_what_is_not_allowed_is_refused_with_a_sentence(seat: int, text: str, why: str) -> None:
    refused(new_state(header(GAMES["fifty"]())), seat, text, why)


def test_after_the_end_nothing_but_a_rematch_is_left() -> None:
    over = do(new_state(header(GAMES["sumquest"]())), (1, "!resign"))
    assert whole(over).outcome == wire.End(1, "resigned", {"bound": over.line.game.bound}, True)
    for text in ("5", "!resign", "!take-back", "!hint"):
        refused(over, 0, text, "over")
    one = do(over, (0, "!rematch"))
    assert whole(one).next is None
    refused(one, 0, "!rematch", "already")
    both = do(one, (1, "!rematch"))
    assert whole(both).next == "after-match-of-a-test"
    refused(both, 1, "!rematch", "already")


def test_against_a_friend_a_move_comes_back_when_both_agree() -> None:
    asked = do(new_state(header(GAMES["fifty"]())), (0, "5+"), (0, "!take-back"))
    assert whole(asked).take_back.asked == 1
    refused(asked, 0, "!agree", "Nobody has asked you")
    declined = do(asked, (1, "!refuse"))
    assert whole(declined).history[0].entry == "5+"
    agreed = do(declined, (1, "3+"), (0, "!take-back"), (1, "!agree"))
    # Both moves are gone: the one that was to come back, and the answer to it.
    assert (whole(agreed).history, agreed.turn, agreed.asked) == ([], 0, None)


def test_a_question_is_gone_with_the_next_move() -> None:
    state = do(new_state(header(GAMES["fifty"]())), (0, "5+"), (0, "!take-back"), (1, "3+"))
    assert whole(state).take_back.asked is None


def test_against_the_computer_a_move_comes_back_at_once_with_its_answer() -> None:
    state = do(new_state(header(GAMES["sumquest"](), "easy")), (0, "5"), (1, "3"), (0, "!take-back"))
    assert (whole(state).history, state.turn) == ([], 0)


@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_what_has_been_revealed_is_never_taken_back(slug: str) -> None:
    start = new_state(header(GAMES[slug](), "easy"))
    state = do(start, (0, start.line.moves[0]))
    refused(state, 0, "!take-back", "revealed")
    assert whole(state).take_back.refusal[0] == wire.Said("revealed-since", {})


def test_a_prediction_is_never_taken_back() -> None:
    refused(do(new_state(header(GAMES["showdown"](), "screen")), (0, "predict 45")), 0, "!take-back", "final")


def test_hints_are_counted_and_come_into_the_record() -> None:
    state = do(new_state(header(GAMES["sumquest"](), "easy")), (0, "!hint"), (0, "!hint"), (0, "!resign"))
    assert whole(state).players[0].hints == 2
    assert Record.read(state.record().text()).hints == (2, 0)


def test_a_series_counts_points_and_its_record_says_the_round() -> None:
    state = do(new_state(header(GAMES["sumquest"](), round=2, rounds=3, points=(0, 1))), (0, "!resign"))
    assert whole(state).series == wire.Series(2, 3, (0, 2))
    assert dict(Record.read(state.record().text()).other)["Round"] == "2/3"


def test_a_round_that_nobody_won_is_half_a_point_for_both_and_one_that_goes_on_is_none() -> None:
    state = new_state(header(GAMES["sumquest"](), round=3, rounds=5, points=(1, 0)))
    assert whole(state).series.points == (1.5, 0.5)
    assert whole(do(state, (0, "!resign"))).series.points == (1.5, 1.5)


def test_who_resigns_need_not_answer_a_question_any_more() -> None:
    asked = do(new_state(header(GAMES["sumquest"]())), (0, "5"), (0, "!take-back"))
    assert whole(asked).take_back.asked == 1
    assert whole(do(asked, (1, "!resign"))).take_back.asked is None


def test_at_one_screen_one_wish_is_enough_and_the_other_comes_too_late() -> None:
    state = do(new_state(header(GAMES["sumquest"](), "screen")), (0, "!resign"), (0, "!rematch"))
    assert whole(state).next == "after-match-of-a-test"
    refused(state, 1, "!rematch", "asked for a rematch already")


@given(game=games(), data=st.data())
def test_a_record_cut_back_is_the_beginning_of_the_same_game(game: Any, data: st.DataObject) -> None:
    state = new_state(header(game))
    while state.turn is not None:
        state = played_on(state, data)
    history = state.line.history
    at = data.draw(st.integers(0, len(history)))
    cut = state.record().cut_back(at)
    # What a move uncovers comes with it, so there may be an entry more.
    assert at <= len(cut.match.history) <= at + 1
    assert history[: len(cut.match.history)] == cut.match.history
    gone_on = new_state(header(game, "easy", seed="", start=cut.text()))
    assert gone_on.line.history == cut.match.history
    assert whole(gone_on).practice


def test_a_match_as_long_as_can_be_is_let_go_of_in_one_piece() -> None:
    state = new_state(header(GAMES["sumquest"](), "screen"))
    for _ in range(100_000):
        state = do(state, (0, "!hint"))
    assert whole(state).players[0].hints == 100_000
    del state


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
        assert entry_of(entry.ply, entry.seat, *stored(entry), entry.key, entry.at) == entry


@given(st.binary(max_size=32), st.text(max_size=30), st.text(max_size=64))
def test_who_joins_is_read_with_any_name(token: bytes, name: str, key: str) -> None:
    joined = Action(0, 1, key, 0.5, JOIN, token, name)
    assert entry_of(0, 1, *stored(joined), key, 0.5) == joined


@given(gone())
def test_an_entry_repeats_itself_and_no_other(states: Gone) -> None:
    log = states[-1].log()
    for one in log:
        for other in log:
            assert one.repeats(other) == (one is other)
