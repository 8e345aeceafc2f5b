"""Fifty: its rulings, the games of its document, its endings and its settings."""

import re
from itertools import combinations
from typing import Any

import pytest

from numberquest.core.contract import IllegalMove
from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.core.settings import BadSetting
from numberquest.games.fifty.rules import Fifty, Position
from tests.endings import closer, end_of, tied, told

POOL = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9)
EVERY_NUMBER = [str(number) for number in POOL]


def played(moves: str, **settings: Any) -> Match[Position]:
    match = Match(Fifty(**settings))
    for move in moves.split():
        match.play(move)
    return match


def without(*taken: int) -> tuple[int, ...]:
    pool = list(POOL)
    for number in taken:
        pool.remove(number)
    return tuple(pool)


@pytest.mark.parametrize("op", "+-*/")
@pytest.mark.parametrize("number", range(1, 10))
def test_f1_a_number_leaves_the_pool_when_it_is_selected_whatever_becomes_of_the_turn(number: int, op: str) -> None:
    match = played(f"{number}{op}")
    assert match.position.pool == without(number)
    assert f"{number}+" in match.moves, "it was there twice"
    match.play(f"{number}{op}")
    assert match.position.pool == without(number, number)
    with pytest.raises(IllegalMove, match=re.escape(f"'{number}{op}' is not allowed here")):
        match.play(f"{number}{op}")


@pytest.mark.parametrize(("score", "number", "result"), [(7, 2, 3), (7, 7, 1), (7, 8, 0), (0, 9, 0), (9, 2, 4)])
def test_f2_division_drops_the_fraction_and_is_always_valid(score: int, number: int, result: int) -> None:
    rules = Fifty()
    assert rules.play(Position(POOL, (score, 20)), f"{number}/") == (without(number), (result, 20))
    # One number is gone, so Player 2 is to move.
    after = rules.play(Position(without(1), (20, score)), f"{number}/")
    assert after == (without(1, number), (20, result))


def test_f2_says_why_the_document_s_two_words_on_fractions_are_one() -> None:
    told = Fifty().rulings_told()["F2"]
    assert all(words in told for words in ("7 / 2 = 3, remainder dropped", "discarded", "loses the turn", "never"))


def test_f3_a_subtraction_below_0_is_accepted_and_loses_the_turn() -> None:
    match = played("3+ 4+")
    match.play("5-")
    assert match.position == (without(3, 4, 5), (3, 4)), "the score stays, the number is gone"
    assert match.player == 1
    match.play("9-")
    assert match.position == (without(3, 4, 5, 9), (3, 4))
    assert match.player == 0


def test_f3_a_subtraction_to_exactly_0_is_an_ordinary_one() -> None:
    assert played("3+ 4+ 3-").position.scores == (0, 4)
    assert played("3+ 4+ 2-").position.scores == (1, 4)


@pytest.mark.parametrize("ops", ["+", "+-", "+*", "+/", "+-*", "+-/", "+*/", "+-*/"])
def test_f4_nobody_is_without_a_move_whatever_the_operations(ops: str) -> None:
    match = played("", ops=ops, target=200)
    for number in EVERY_NUMBER:
        assert f"{number}+" in match.moves
        match.play(f"{number}+")
    assert match.moves == ()
    assert match.outcome is not None


@pytest.mark.parametrize("winner", [0, 1])
def test_f5_with_the_pool_empty_the_score_closer_to_50_wins(winner: int) -> None:
    # Multiplying leaves 0 at 0, so only the one who adds the last 9 has a score.
    match = played(" ".join(f"{number}*" for number in EVERY_NUMBER[:-2]))
    for player in (0, 1):
        match.play("9+" if player == winner else "9*")
    assert match.position.pool == ()
    assert end_of(match) == closer("the pool is empty", winner, 9, 0, 50)


def test_f5_holds_for_any_number_of_numbers() -> None:
    assert end_of(played("1+ 2+", high=2, copies=1)) == closer("the pool is empty", 1, 2, 1, 50)
    assert end_of(played("2+ 1+", high=2, copies=1)) == closer("the pool is empty", 0, 2, 1, 50)
    assert end_of(played("1* 3+ 2*", high=3, copies=1)) == closer("the pool is empty", 1, 3, 0, 50)


def test_f5_equal_scores_lose_the_tie_for_the_last_to_play_18_numbers_player_2() -> None:
    match = played(" ".join(f"{number}*" for number in EVERY_NUMBER))
    assert match.position == ((), (0, 0))
    assert end_of(match) == tied("the pool is empty", 0, 0)
    assert match.moves == ()


def test_f5_with_an_odd_number_of_numbers_player_1_is_last_to_play_and_loses_the_tie() -> None:
    assert end_of(played("1+ 3+ 2+", high=3, copies=1)) == tied("the pool is empty", 1, 3)


def test_f5_does_not_end_the_game_before_the_pool_is_empty() -> None:
    match = played(" ".join(f"{number}*" for number in EVERY_NUMBER[:-1]))
    assert match.outcome is None
    assert match.moves == ("9+", "9-", "9*", "9/")


def test_the_turn_by_turn_example_of_the_document() -> None:
    match = Match(Fifty())
    sample = [
        # player, move, scores, pool
        (0, "5+", (5, 0), [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9]),
        (1, "2*", (5, 0), [1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9]),
        (0, "9+", (14, 0), [1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9]),
        (1, "8+", (14, 8), [1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 9]),
    ]
    assert match.position == Position(POOL, (0, 0))
    for player, move, scores, pool in sample:
        assert match.player == player
        match.play(move)
        assert match.position.scores == scores
        assert list(match.position.pool) == pool
        assert match.outcome is None
    assert match.player == 0
    match.play("6*")
    assert match.position.scores == (84, 8)
    assert end_of(match) == (1, "Player 1 passed 50 with 84")
    assert match.moves == ()


@pytest.mark.parametrize("other", [0, 8, 49])
def test_the_command_line_example_of_the_document_from_the_middle_of_a_game(other: int) -> None:
    rules = Fifty()
    # The example shows one player's side only: the other's score makes no difference to it.
    shown = Position((1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 9), (14, other))
    assert rules.player(shown) == 0
    assert "6*" in rules.moves(shown)
    after = rules.play(shown, "6*")
    assert after.scores == (84, other)
    assert told(rules, rules.outcome(after)) == (1, "Player 1 passed 50 with 84")


def test_exactly_50_wins_and_past_50_loses_at_once() -> None:
    almost = played("7+ 2+ 7* 2+")
    assert almost.position.scores == (49, 4)
    assert almost.outcome is None
    match = played("7+ 2+ 7* 2+ 1+")
    assert end_of(match) == (0, "Player 1 reached 50")
    assert match.moves == ()
    assert end_of(played("2+ 7+ 2+ 7* 3+ 1+")) == (1, "Player 2 reached 50")
    assert end_of(played("7+ 3+ 7* 3+ 2+")) == (1, "Player 1 passed 50 with 51")
    assert end_of(played("2+ 7+ 2+ 8*")) == (0, "Player 2 passed 50 with 56")


@pytest.mark.parametrize("target", [2, 30, 200])
def test_the_target_is_what_the_setting_says(target: int) -> None:
    rules = Fifty(target=target)
    below = Position(without(3, 4), (target - 1, 0))
    assert rules.outcome(below) is None
    assert told(rules, rules.outcome(rules.play(below, "1+"))) == (0, f"Player 1 reached {target}")
    assert told(rules, rules.outcome(rules.play(below, "2+"))) == (1, f"Player 1 passed {target} with {target + 1}")


def test_the_pool_is_what_the_settings_say() -> None:
    assert Fifty(high=3, copies=1).start().pool == (1, 2, 3)
    assert Fifty(high=2, copies=4).start().pool == (1, 1, 1, 1, 2, 2, 2, 2)


def test_only_the_operations_of_the_setting_can_be_chosen() -> None:
    assert Fifty(high=2, ops="+/").actions == ("1+", "1/", "2+", "2/")
    with pytest.raises(IllegalMove, match=re.escape("'2*' is not allowed here. Allowed: 1+, 1/, 2+, 2/.")):
        played("2*", high=2, ops="+/")


@pytest.mark.parametrize("ops", ["+-*/", "/*-+", "*+/-", "-/+*"])
def test_the_order_of_the_operations_makes_no_other_game(ops: str) -> None:
    assert Fifty(ops=ops).ops == "+-*/"
    assert Fifty(ops=ops) == Fifty()
    assert Fifty(ops=ops).actions == Fifty().actions
    assert game("fifty", ops=ops.translate({ord("/"): "÷", ord("*"): "×"})) == Fifty(), "as the document prints them"


@pytest.mark.parametrize("ops", ["+" + "".join(some) for size in range(4) for some in combinations("-*/", size)])
def test_every_subset_of_the_operations_with_adding_is_accepted(ops: str) -> None:
    assert Fifty(ops=ops).ops == ops


@pytest.mark.parametrize("ops", ["", "-", "*/", "-*/", "++", "+-+", "+x", "+ -", "plus", "+×", 1, True, None, ["+"]])
def test_any_other_operations_are_refused(ops: Any) -> None:
    with pytest.raises(BadSetting, match=re.escape("ops must be + and any of - * /, each once in fifty")):
        Fifty(ops=ops)
