"""What a review says is true: verdicts, accuracy, and luck and skill that add up to the result."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.match import Match
from numberquest.explain.review import FROM_BLUNDER, FROM_MISTAKE, RESIGNS, Review, _verdict, review, turning_point
from tests.own.paper import LOST, WON, At, on_paper, one, two
from tests.own.pig import Pig
from tests.own.row import Row

SMALL: list[Game[Any]] = [
    nq.game("showdown", high=5, picks=3),
    nq.game("showdown", high=4),
    nq.game("fifty", target=12, high=3, copies=2),
    nq.game("fifty", target=9, high=4, copies=1, ops="+-"),
    nq.game("grid", side=2, target=5),
    nq.game("grid", side=2, target=6, stand=True),
    nq.game("sumquest"),
    nq.game("sumquest", target=12, high=3),
    nq.game("mystic", target=7, high=3, copies=2),
    nq.game("mystic", target=9, high=5, copies=1),
    Row(),
    Pig(target=8, faces=3),
]


def played(game: Game[Any], *moves: str, **dealt: Any) -> Match[Any]:
    match = Match(game, **dealt)
    for move in moves:
        match.play(move)
    return match


def verdicts(match: Match[Any]) -> list[str]:
    return [verdict.verdict for verdict in review(match)]


@st.composite
def small_matches(draw: st.DrawFn) -> Match[Any]:
    game = draw(st.sampled_from(SMALL))
    match = Match(game, seed=draw(st.integers(0, 10**6)))
    random = draw(st.randoms(use_true_random=False))
    length = draw(st.integers(0, min(game.bound, 40)))
    while match.moves and len(match.history) < length:
        match.play(random.choice(match.moves))
    if match.moves and draw(st.integers(0, 4)) == 0:
        match.resign(draw(st.integers(0, 1)))
    return match


def test_it_is_a_public_name_whatever_is_imported_first() -> None:
    assert nq.review is review
    assert isinstance(nq.review(Match(SMALL[0])), Review)


def test_sumquest_verdicts_say_what_the_move_changed() -> None:
    match = played(nq.game("sumquest"), "5", "9", "1", "3", "5")
    assert verdicts(match) == ["win thrown away", "win kept", "still lost", "win thrown away", "win kept"]
    found = review(match)
    assert [verdict.number for verdict in found] == [1, 2, 3, 4, 5]
    assert [verdict.player for verdict in found] == [0, 1, 0, 1, 0]
    assert found[0].best == ("1", "6")
    assert found.given_away == (1, 1)
    assert found.luck == 0
    # Of several turning points it is the last.
    assert found.turning_point is not None
    assert found.turning_point.number == 4


def test_fifty_going_past_the_target_throws_the_win_away() -> None:
    match = played(nq.game("fifty", target=12, high=9, copies=2), "9+", "1+", "4+")
    assert match.outcome is not None
    last = review(match)[-1]
    assert (last.before, last.after, last.loss, last.verdict) == (1, 0, 1, "win thrown away")
    assert "3+" in last.best


def test_showdown_is_thrown_away_by_not_saying_45() -> None:
    found = review(played(nq.game("showdown"), "8"))
    assert (found[0].best, found[0].verdict) == (("predict 45",), "win thrown away")
    assert verdicts(played(nq.game("showdown"), "predict 45", "8")) == ["win kept", "win kept"]
    # And the last number is the only move.
    assert verdicts(played(nq.game("showdown", high=2), "predict 3", "1", "predict 3", "2"))[-1] == "only move"


def test_in_the_classic_grid_all_cells_are_alike_and_luck_is_everything() -> None:
    match = Match(nq.game("grid"), deal=[9, 1, 2, 3, 4, 5, 6, 7, 8])
    while match.moves:
        match.play(match.moves[0])
    found = review(match)
    assert {verdict.verdict for verdict in found} <= {"all alike", "only move"}
    assert found.accuracy == (None, None)
    assert found.given_away == (0, 0)
    assert found.start == Fraction(1039, 2520)
    assert isinstance(found.luck, Fraction)
    assert found.luck == found.end - found.start


def test_a_key_moment_is_a_choice_in_which_half_of_the_moves_err_and_a_mistake_misses_it() -> None:
    # At 0 two of nine moves keep the win, at 5 two of eight; at 14 and at 15 few do; from 22 all else goes too far.
    found = review(played(nq.game("sumquest"), "5", "9", "1", "3", "5"))
    assert [verdict.key for verdict in found] == [True, True, False, True, True]
    assert found.key_moments == ((1, 2), (1, 2))
    classic = review(played(nq.game("grid"), "1,1", "1,2", "1,3", seed=1))
    assert classic.key_moments == ((0, 0), (0, 0))


def test_mystic_verdicts_go_by_the_chance_given_away() -> None:
    found = review(played(nq.game("mystic"), "add", "add", "add", "subtract", "add", "pass", seed=3))
    assert [verdict.verdict for verdict in found] == ["best", "best", "small slip", "best", "blunder", "best"]
    assert found[4].loss == pytest.approx(0.34386, abs=1e-5)
    assert found[4].best == ("subtract",)
    assert found.first_mistake() == found[4]
    assert found.first_mistake((False, True)) is None
    assert found.turning_point is not None
    assert (found.turning_point.entry, found.turning_point.number) == ("add", 5)
    assert found.costliest == found[4]
    # Accuracy is the mean share of the best chance.
    kept = [float(found[at].after / found[at].before) for at in (0, 2, 4)]
    assert found.accuracy[0] == pytest.approx(100 * sum(kept) / 3)
    assert found.accuracy[1] == 100


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [
        (0, "best"),
        (1e-14, "best"),
        (0.001, "small slip"),
        (0.0499, "small slip"),
        (FROM_MISTAKE, "mistake"),
        (0.1499, "mistake"),
        (FROM_BLUNDER, "blunder"),
        (1, "blunder"),
    ],
)
def test_the_thresholds_with_chance(loss: float, verdict: str) -> None:
    # Called with the whole chance as what was there before, so that nothing is rounded on the way.
    assert _verdict(nq.game("mystic"), loss, 0) == verdict


def test_resigning_gives_away_what_was_left() -> None:
    match = played(nq.game("sumquest"), "5")
    match.resign()
    found = review(match)
    assert (found[-1].move, found[-1].player, found[-1].verdict) == (RESIGNS, 1, "win thrown away")
    assert (found[-1].before, found[-1].after, found[-1].number) == (1, 0, 2)
    assert found.end == 1
    lost = played(nq.game("sumquest"), "1")
    lost.resign()
    assert verdicts(lost) == ["win kept", "still lost"]
    drawn = played(Row(), "b2")
    drawn.resign()
    assert verdicts(drawn) == ["draw kept", "draw thrown away"]


def test_the_turning_point_names_who_did_what() -> None:
    match = played(nq.game("sumquest"), "5", "1")
    (said,) = turning_point(review(match))
    assert said.facts["did"]["facts"] == {"player": 2, "move": "1"}
    match = played(nq.game("sumquest"), "5")
    match.resign()
    (said,) = turning_point(review(match))
    assert (said.facts["did"]["code"], said.facts["did"]["facts"]) == ("did-resign", {"player": 2})


def test_in_a_game_that_can_be_drawn_a_draw_is_kept_or_thrown_away() -> None:
    match = played(Row(), "a1", "b1", "c1", "a2", "b2", "c3", "a3")
    thrown = ["draw thrown away", "win thrown away", "draw thrown away"]
    assert verdicts(match) == ["draw kept", *thrown, "win kept", "still lost", "win kept"]
    found = review(match)
    assert (found[1].before, found[1].after) == (Fraction(1, 2), 0)
    assert found.first_mistake((False, True)) == found[1]
    # At first all moves are alike. Then Player 1 kept half of a win once, and all of it twice; Player 2 nothing, twice.
    assert found.accuracy[0] == pytest.approx(100 * 2.5 / 3)
    assert found.accuracy[1] == 0
    assert (found.start, found.end) == (Fraction(1, 2), 1)


def test_a_full_board_ends_at_one_half() -> None:
    match = played(Row(), "b2", "a1", "b1", "b3", "a2", "c2", "c1", "a3", "c3")
    assert match.outcome == (None, "the board is full", {})
    found = review(match)
    assert set(verdicts(match)) == {"draw kept", "only move"}
    assert (found.end, found.given_away, found.turning_point) == (Fraction(1, 2), (0, 0), None)


def test_what_is_never_decided_counts_as_a_draw() -> None:
    match = played(on_paper(one(1, 2), two(0, 3), WON, LOST), "a", "a", "a", "b")
    assert match.position == At(3)
    assert verdicts(match) == ["win thrown away", "win thrown away", "win thrown away", "win kept"]


def test_a_player_can_resign_when_the_other_is_to_move() -> None:
    match = played(nq.game("grid", side=2, target=6, stand=True), seed=1)
    match.resign(1)
    found = review(match)
    assert (found[0].player, found[0].best, found[0].loss) == (1, (), 1 - found.start)
    assert found.end == 1


def test_an_unfinished_match_is_reviewed_as_far_as_it_goes() -> None:
    found = review(played(nq.game("sumquest"), "1", "2"))
    assert (len(found), found.outcome, found.end, found.turning_point) == (2, None, 1, None)
    nothing = review(Match(nq.game("sumquest")))
    assert (len(nothing), nothing.turning_point, nothing.accuracy) == (0, None, (None, None))


@given(small_matches())
def test_luck_and_skill_add_up_to_the_result(match: Match[Any]) -> None:
    found = review(match)
    one, two = found.given_away
    total = found.start - one + two + found.luck
    if isinstance(found.start, float) or isinstance(found.end, float):
        assert float(total) == pytest.approx(float(found.end), abs=1e-9)
    else:
        assert not isinstance(total, float)
        assert total == found.end
    if match.outcome is not None:
        assert found.end == match.outcome.worth(0)


@given(small_matches())
def test_the_laws_of_every_review(match: Match[Any]) -> None:
    found = review(match)
    resigned = match.resigned is not None
    decisions = [
        move for p, move in zip(match.positions, match.history, strict=False) if match.game.player(p) != CHANCE
    ]
    assert [verdict.move for verdict in found] == decisions + [RESIGNS] * resigned
    assert len(found.steps) == len(match.history) + resigned
    for verdict in found:
        assert 0 <= verdict.after <= verdict.before <= 1
        assert verdict.move == RESIGNS or (verdict.move in verdict.best) == (verdict.loss <= 1e-12)
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        assert before.after == after.before
    assert all(share is None or 0 <= share <= 100 for share in found.accuracy)
    perfect = [share == 100 for share in found.accuracy if share is not None]
    if all(perfect):
        assert sum(map(float, found.given_away)) == pytest.approx(0, abs=1e-9)
