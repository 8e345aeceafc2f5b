"""A live match is its log, folded: what is allowed, what everybody sees, and that nothing hidden is in it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest import CHANCE, GAMES
from numberquest.record import Record
from numberquest.server import wire
from numberquest.server.match.state import LiveMatch, Refusal
from numberquest.server.store.contract import Entry, Kept
from tests.strategies import games

TOKENS = (b"1" * 32, b"2" * 32)


def kept(game: Any, opponent: str = "friend", **other: Any) -> Kept:
    computer = opponent not in ("friend", "screen")
    made = {
        "match": "match-of-a-test",
        "game": game.slug,
        "settings": game.settings_text,
        "seed": "a secret seed" if game.deck else "",
        "start": "",
        "opponent": opponent,
        "names": ("Ann", "Bo"),
        "kinds": ("human", opponent if computer else "human"),
        "tokens": (TOKENS[0], b"" if computer else TOKENS[1]),
        "invite": b"",
        "round": 1,
        "rounds": 1,
        "points": (0, 0),
        "created": 1_700_000_000.0,
    }
    return Kept(**{**made, **other})


def do(live: LiveMatch, seat: int, text: str) -> None:
    live.check(seat, text)
    live.apply(Entry(len(live.log), seat, text, "", 0.0))


def play_on(live: LiveMatch, data: st.DataObject) -> None:
    assert live.turn is not None
    do(live, live.turn, data.draw(st.sampled_from(live.match.moves)))


@given(game=games(), data=st.data())
def test_a_match_folded_anew_from_its_log_is_the_same(game: Any, data: st.DataObject) -> None:
    live = LiveMatch(kept(game))
    for _ in range(data.draw(st.integers(0, 12))):
        if live.turn is None:
            break
        deeds = ["move", "move", "move", "!hint"]
        deeds += ["!take-back"] if live.take_back_refusal(live.turn) is None else []
        deeds += ["!agree", "!refuse"] if live.asked is not None else []
        deed = data.draw(st.sampled_from(deeds))
        if deed == "move":
            play_on(live, data)
        elif deed in ("!agree", "!refuse"):
            assert live.asked is not None
            do(live, 1 - live.asked, deed)
        else:
            do(live, live.turn, deed)
    again = LiveMatch(live.kept, live.log)
    assert again.shown() == live.shown()
    for ply in range(len(live.log) + 1):
        assert live.earlier(ply).state().ply == ply
    assert msgspec.json.encode(msgspec.json.decode(live.shown(), type=wire.State)) == live.shown()


@given(game=games(), data=st.data())
def test_the_state_says_what_the_match_says(game: Any, data: st.DataObject) -> None:
    live = LiveMatch(kept(game))
    while live.turn is not None:
        state = live.state()
        assert state.turn == live.match.player + 1
        assert [option.move for option in state.moves] == list(live.match.moves)
        assert len(state.history) == len(live.match.history)
        assert [line.entry for line in state.history] == list(live.match.history)
        who = [game.player(position) for position in live.match.positions[:-1]]
        assert [line.player for line in state.history] == [0 if seat == CHANCE else seat + 1 for seat in who]
        play_on(live, data)
    state = live.state()
    outcome = live.match.outcome
    assert outcome is not None
    assert state.outcome is not None
    assert outcome.winner is not None
    assert (state.turn, state.moves, state.outcome.winner) == (None, [], outcome.winner + 1)
    assert (state.outcome.reason, state.outcome.facts) == (outcome.reason, {"bound": game.bound, **outcome.facts})
    assert sum(state.series.points) == 1


@pytest.mark.parametrize("slug", [slug for slug in GAMES if GAMES[slug]().deck])
def test_the_seed_is_shown_when_the_game_is_over_and_not_before(slug: str) -> None:
    live = LiveMatch(kept(GAMES[slug]()))
    while live.turn is not None:
        shown = live.shown().decode()
        assert "a secret seed" not in shown
        assert live.state().seal == wire.Seal(live.match.dealer.commitment or "", None, [])
        do(live, live.turn, live.match.moves[0])
    deck = list(live.match.game.deck)
    assert live.state().seal == wire.Seal(live.match.dealer.commitment or "", "a secret seed", deck)
    # And it is the seed that was promised, as `numberquest verify` checks it.
    assert Record.read(live.record().text()).match == live.match


def test_nobody_plays_before_both_are_there() -> None:
    live = LiveMatch(kept(GAMES["fifty"](), tokens=(TOKENS[0], b""), invite=b"i" * 32))
    assert live.turn is None
    with pytest.raises(Refusal, match="not here yet"):
        live.check(0, "5+")
    do(live, 1, f"!join {TOKENS[1].hex()} Bo with a long name")
    assert live.state().turn == 1
    assert (live.names[1], live.tokens[1]) == ("Bo with a long name", TOKENS[1])
    with pytest.raises(Refusal, match="taken"):
        live.check(1, f"!join {TOKENS[0].hex()} Cy")


@pytest.mark.parametrize(
    ("seat", "text", "why"),
    [
        (1, "5+", "not your turn"),
        (0, "5%", "not allowed here. Allowed: "),
        (0, "!agree", "Nobody has asked"),
        (0, "!rematch", "when the game is over"),
        (0, "!take-back", "No move has been made"),
        (1, "!hint", "not your turn"),
    ],
)
def test_what_is_not_allowed_is_refused_with_a_sentence(seat: int, text: str, why: str) -> None:
    live = LiveMatch(kept(GAMES["fifty"]()))
    with pytest.raises(Refusal, match=why):
        live.check(seat, text)


def test_after_the_end_nothing_but_a_rematch_is_left() -> None:
    live = LiveMatch(kept(GAMES["sumquest"]()))
    do(live, 1, "!resign")
    state = live.state()
    assert state.outcome == wire.End(1, "resigned", {"bound": live.match.game.bound}, True)
    for text in ("5", "!resign", "!take-back", "!hint"):
        with pytest.raises(Refusal, match="over"):
            live.check(0, text)
    do(live, 0, "!rematch")
    assert live.state().next is None
    with pytest.raises(Refusal, match="already"):
        live.check(0, "!rematch")
    do(live, 1, "!rematch")
    assert live.state().next is not None


def test_against_a_friend_a_move_comes_back_when_both_agree() -> None:
    live = LiveMatch(kept(GAMES["fifty"]()))
    do(live, 0, "5+")
    do(live, 0, "!take-back")
    assert live.state().take_back.asked == 1
    with pytest.raises(Refusal, match="Nobody has asked you"):
        live.check(0, "!agree")
    do(live, 1, "!refuse")
    assert live.state().history[0].entry == "5+"
    do(live, 1, "3+")
    do(live, 0, "!take-back")
    do(live, 1, "!agree")
    # Both moves are gone: the one that was to come back, and the answer to it.
    assert (live.state().history, live.turn, live.asked) == ([], 0, None)


def test_a_question_is_gone_with_the_next_move() -> None:
    live = LiveMatch(kept(GAMES["fifty"]()))
    do(live, 0, "5+")
    do(live, 0, "!take-back")
    do(live, 1, "3+")
    assert live.state().take_back.asked is None


def test_against_the_computer_a_move_comes_back_at_once_with_its_answer() -> None:
    live = LiveMatch(kept(GAMES["sumquest"](), "easy"))
    do(live, 0, "5")
    do(live, 1, "3")
    do(live, 0, "!take-back")
    assert (live.state().history, live.turn) == ([], 0)


@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_what_has_been_revealed_is_never_taken_back(slug: str) -> None:
    live = LiveMatch(kept(GAMES[slug](), "easy"))
    do(live, 0, live.match.moves[0])
    with pytest.raises(Refusal, match="revealed"):
        live.check(0, "!take-back")
    assert live.state().take_back.refusal[0] == wire.Said("revealed-since", {})


def test_a_prediction_is_never_taken_back() -> None:
    live = LiveMatch(kept(GAMES["showdown"](), "screen"))
    do(live, 0, "predict 45")
    with pytest.raises(Refusal, match="final"):
        live.check(0, "!take-back")


def test_hints_are_counted_and_come_into_the_record() -> None:
    live = LiveMatch(kept(GAMES["sumquest"](), "easy"))
    do(live, 0, "!hint")
    do(live, 0, "!hint")
    do(live, 0, "!resign")
    assert live.state().players[0].hints == 2
    assert Record.read(live.record().text()).hints == (2, 0)


def test_a_series_counts_points_and_its_record_says_the_round() -> None:
    live = LiveMatch(kept(GAMES["sumquest"](), round=2, rounds=3, points=(0, 1)))
    do(live, 0, "!resign")
    assert live.state().series == wire.Series(2, 3, (0, 2))
    assert dict(Record.read(live.record().text()).other)["Round"] == "2/3"


@given(game=games(), data=st.data())
def test_a_record_cut_back_is_the_beginning_of_the_same_game(game: Any, data: st.DataObject) -> None:
    live = LiveMatch(kept(game))
    while live.turn is not None:
        play_on(live, data)
    at = data.draw(st.integers(0, len(live.match.history)))
    cut = live.record().cut_back(at)
    # What a move uncovers comes with it, so there may be an entry more.
    assert at <= len(cut.match.history) <= at + 1
    assert live.match.history[: len(cut.match.history)] == cut.match.history
    gone_on = LiveMatch(kept(game, "easy", seed="", start=cut.text()))
    assert gone_on.match.history == cut.match.history
    assert gone_on.state().practice
