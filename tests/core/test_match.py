"""A match checks legality, keeps the history and takes back what may be taken back; a line of play never changes."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.contract import CHANCE, IllegalMove
from numberquest.core.dealer import seeded
from numberquest.core.line import Line
from numberquest.core.match import Match
from numberquest.core.play_out import drawn_by, play_out
from numberquest.core.registry import GAMES, game
from numberquest.core.sentences import Said, in_short
from numberquest.core.stream import Stream
from tests.endings import end_of
from tests.own.pig import Pig
from tests.strategies import KINDS, matches


@given(matches(KINDS))
def test_the_history_replayed_by_the_rules_alone_gives_the_position_which_never_waits_for_chance(match: Any) -> None:
    position = match.game.start()
    for at, entry in enumerate(match.history):
        assert match.positions[at] == position
        assert entry in match.game.moves(position)
        position = match.game.play(position, entry)
    assert position == match.position == match.positions[-1]
    assert match.outcome is not None or match.game.player(position) in (0, 1)


@given(matches(KINDS))
def test_undo_and_redo_come_back_to_the_same_match(match: Match[Any]) -> None:
    history, position, steps = match.history, match.position, 0
    while match.undo_refusal is None:
        match.undo()
        steps += 1
    for _ in range(steps):
        match.redo()
    assert (match.history, match.position) == (history, position)


@given(matches(KINDS))
def test_undo_never_goes_past_a_reveal_or_a_prediction_or_a_resignation(match: Match[Any]) -> None:
    while match.undo_refusal is None:
        match.undo()
    final = (
        not match.history
        or match.resigned is not None
        or match.last_player == CHANCE
        or match.history[-1].startswith("predict")
    )
    assert final
    before = match.history
    with pytest.raises(IllegalMove):
        match.undo()
    assert match.history == before


def test_a_new_move_forgets_what_was_taken_back() -> None:
    match = Match(game("sumquest"))
    match.play("5")
    match.undo()
    match.play("6")
    with pytest.raises(IllegalMove, match="No move has been taken back"):
        match.redo()


@pytest.mark.parametrize("slug", GAMES)
def test_who_resigns_loses_and_that_is_final(slug: str) -> None:
    match = Match(game(slug))
    match.resign()
    assert end_of(match) == (1, "Player 1 resigned")
    assert match.moves == ()
    with pytest.raises(IllegalMove, match="final"):
        match.undo()


def test_a_player_can_resign_out_of_turn_and_nobody_else_can() -> None:
    match = Match(game("sumquest"))
    with pytest.raises(IllegalMove, match="not 5"):
        match.resign(5)
    assert match.outcome is None
    match.resign(1)
    assert end_of(match) == (0, "Player 2 resigned")


@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_the_same_seed_is_the_same_match_and_without_one_the_deal_is_secret_and_sealed(slug: str) -> None:
    assert Match(game(slug), seed=3) == Match(game(slug), seed=3)
    assert Match(game(slug), seed=3) != Match(game(slug), seed=4)
    one, two = Match(game(slug)), Match(game(slug))
    assert one.dealer.commitment is not None
    assert one.dealer.seed != two.dealer.seed


def test_a_long_or_strange_move_is_shortened_in_the_message() -> None:
    with pytest.raises(IllegalMove) as refusal:
        Match(game("sumquest")).play("9" * 10_000)
    assert len(str(refusal.value)) < 200


def test_runs_of_numbers_are_shortened() -> None:
    assert in_short(["1", "2", "4", "5", "6", "pass"]) == "1, 2, 4 to 6, pass"


def one_move_before_the_bound() -> Match[Any]:
    match = Match(next(kind() for kind in KINDS if kind.slug == "pig"))
    assert (match.game.longest, match.game.bound) == (None, 2000)
    for _ in range(1999):
        match.play("hold")
    assert match.outcome is None
    return match


def test_a_match_of_a_game_without_end_is_a_draw_after_the_bound() -> None:
    match = one_move_before_the_bound()
    match.play("hold")
    assert end_of(match) == (None, "nobody has won after 2000 moves")
    assert match.moves == ()
    with pytest.raises(IllegalMove, match="The game is over"):
        match.play("hold")
    with pytest.raises(IllegalMove, match="nobody can resign now"):
        match.resign()
    match.undo()
    assert len(match.moves) == 2, "and a move that is taken back is none"


def test_the_bound_also_holds_where_chance_would_be_next() -> None:
    match = one_move_before_the_bound()
    match.play("roll")
    assert match.outcome is not None
    assert match.history[-1] == "roll"


@pytest.mark.parametrize("slug", nq.GAMES)
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_game_goes_as_the_match_of_the_same_deal_and_moves(slug: str, seed: str) -> None:
    game, dice = nq.game(slug), Stream(seed, "moves")
    dealer = seeded(game, seed)
    played = play_out(game, lambda p, *_: dice.choose(game.moves(p)), lambda p, before: dealer.reveal(game, p, before))
    match = nq.Match(game, seed=seed)
    while match.moves:
        match.play(played.history[len(match.history)])
    assert (match.history, match.positions) == (played.history, played.positions)
    assert (match.outcome, played.forfeit) == (played.outcome, None)
    assert match.outcome is not None
    assert played.winner == match.outcome.winner


@pytest.mark.parametrize("quits", [0, 1])
def test_who_chooses_nothing_has_forfeited(quits: int) -> None:
    game = nq.game("sumquest")

    def choose(p: Any, player: int, history: Sequence[str]) -> str | None:
        assert len(history) <= quits
        return None if player == quits else game.moves(p)[0]

    played = play_out(game, choose, drawn_by(game, Stream("1", "draws")))
    assert (played.forfeit, played.winner, played.outcome, len(played.history)) == (quits, 1 - quits, None, quits)


def test_a_game_that_need_not_end_is_broken_off_as_a_draw() -> None:
    game, dice = Pig(), Stream("1", "draws")
    never = play_out(game, lambda p, *_: game.moves(p)[0], drawn_by(game, dice), most=7)
    assert (len(never.history), never.outcome, never.winner, never.forfeit) == (7, None, None, None)


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
def test_who_has_not_moved_is_told_that_and_never_that_something_came_since(match: Any, player: int) -> None:
    line = match.line
    movers = {one.before.game.player(one.before.position) for one in line.since(0)}
    if line.resigned is None and player not in movers:
        assert line.take_back_refusal(player) == Said("no-move-yet")
        if movers <= {CHANCE}:
            assert line.undo_refusal == Said("no-move-yet")


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
        match.play(move)
    assert match.line is line
    assert facts(line) == known


@given(matches(KINDS), st.data())
def test_how_a_line_went_on_from_anywhere_is_the_rest_of_its_history(match: Any, data: st.DataObject) -> None:
    line = match.line
    at = data.draw(st.integers(0, line.length))
    rest = line.since(at)
    assert [each.entry for each in rest] == list(line.history[at:])
    assert [each.length for each in rest] == list(range(at + 1, line.length + 1))
    assert [each.position for each in rest] == list(line.positions[at + 1 :])
