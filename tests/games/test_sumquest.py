"""Sum Quest: its rulings, the games of its document, its endings and its settings."""

import pytest

from numberquest.core.contract import IllegalMove
from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.games.sumquest.rules import Position, SumQuest
from tests.endings import end_of, told

NUMBERS = tuple("123456789")


def played(moves: str, **settings: int) -> Match[Position]:
    match = Match(SumQuest(**settings))
    for move in moves.split():
        match.play(move)
    return match


def test_q1_at_the_first_move_nothing_is_barred() -> None:
    assert played("").moves == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_q1_the_opponents_immediately_previous_number_is_barred(number: str) -> None:
    match = played(number)
    assert match.moves == tuple(other for other in NUMBERS if other != number)
    with pytest.raises(IllegalMove, match=f"'{number}' is not allowed here"):
        match.play(number)


def test_q1_only_that_number_is_barred() -> None:
    match = played("5 2")
    assert "5" in match.moves, "one's own last number is free"
    match.play("5")
    assert match.moves == tuple("12346789"), "5 is barred again, and 2 is free again"
    match.play("2")
    assert match.position == (14, 2, 0)


@pytest.mark.parametrize(("moves", "loser", "total"), [("9 8 9", 0, 26), ("9 8 5 2", 1, 24), ("5 7 6 7", 1, 25)])
def test_q2_a_number_that_takes_the_sum_past_23_is_accepted_and_loses_at_once(
    moves: str, loser: int, total: int
) -> None:
    match = played(moves)
    assert match.position.total == total
    assert end_of(match) == (1 - loser, f"Player {loser + 1} passed 23 with {total}")
    assert match.moves == ()


@pytest.mark.parametrize(("moves", "loser"), [("9 8 4 1", 0), ("9 2 1 9 1", 1), ("8 4 9 1", 0)])
def test_q3_a_player_left_with_no_number_that_stays_within_23_has_lost_before_choosing(moves: str, loser: int) -> None:
    match = played(moves)
    assert match.position == (22, 1, loser)
    assert match.moves == ()
    assert end_of(match) == (
        1 - loser,
        f"Player {loser + 1} had no number that stays within 23: the sum was 22 and 1 was barred",
    )


@pytest.mark.parametrize(
    ("moves", "saving"),
    [
        ("9 8 5", "1"),  # 22, and 5 is barred
        ("9 7 4 1", "2"),  # 21, and 1 is barred
        ("9 8 4", "1"),  # 21, and 4 is barred
        ("9 4 6 2", "1"),  # 21, and 2 is barred, but 1 stays within
    ],
)
def test_q3_a_player_with_one_number_that_stays_within_23_goes_on(moves: str, saving: str) -> None:
    match = played(moves)
    assert match.outcome is None
    assert saving in match.moves


def test_q3_holds_for_the_smallest_game() -> None:
    assert played("", target=2, high=2).moves == ("1", "2")
    assert end_of(played("1", target=2, high=2)) == (
        0,
        "Player 2 had no number that stays within 2: the sum was 1 and 1 was barred",
    )
    assert end_of(played("2", target=2, high=2)) == (0, "Player 1 reached 2")


def test_the_example_game_play_of_the_document() -> None:
    match = Match(SumQuest())
    sample = [(0, 0, "5", 5), (1, 5, "7", 12), (0, 7, "6", 18), (1, 6, "5", 23)]
    for player, unavailable, choice, total in sample:
        assert match.outcome is None
        assert match.player == player
        assert match.position.barred == unavailable
        assert match.moves == tuple(number for number in NUMBERS if int(number) != unavailable)
        match.play(choice)
        assert match.position.total == total
    assert end_of(match) == (1, "Player 2 reached 23")
    assert match.moves == ()


def test_the_command_line_example_of_the_document() -> None:
    # The example begins in the middle: Player 1 to move, the sum is 12, the last number was 5.
    match = played("7 5")
    assert match.position == (12, 5, 0)
    assert "5" not in match.moves
    match.play("7")
    assert match.position == (19, 7, 1)
    assert match.outcome is None
    assert "7" not in match.moves
    match.play("4")
    assert match.position.total == 23
    assert end_of(match) == (1, "Player 2 reached 23")


def test_exactly_23_wins_for_either_player() -> None:
    assert end_of(played("9 8 6")) == (0, "Player 1 reached 23")
    assert end_of(played("9 1 9 4")) == (1, "Player 2 reached 23")


@pytest.mark.parametrize("target", [2, 30, 999])
def test_the_target_is_what_the_setting_says(target: int) -> None:
    rules = SumQuest(target=target)
    before = Position(target - 1, 5, 0)
    assert rules.outcome(before) is None
    assert told(rules, rules.outcome(rules.play(before, "1"))) == (0, f"Player 1 reached {target}")
    assert told(rules, rules.outcome(rules.play(before, "2"))) == (1, f"Player 1 passed {target} with {target + 1}")


@pytest.mark.parametrize("high", [2, 5, 9])
def test_the_numbers_are_what_the_setting_says(high: int) -> None:
    assert SumQuest(high=high).moves(SumQuest(high=high).start()) == NUMBERS[:high]


def test_it_is_called_by_its_target() -> None:
    assert game("sumquest").title == SumQuest.title == "Sum Quest: Race to 23"
    longer = game("sumquest", target=999)
    assert longer.title == longer.short_title == "Sum Quest: Race to 999"
