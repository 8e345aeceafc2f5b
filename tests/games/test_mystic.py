"""Mystic Numbers: its rulings, the game of its document and its endings."""

import re
from collections import Counter

import pytest

from numberquest.core.contract import IllegalMove
from numberquest.core.match import Match
from numberquest.games.mystic.rules import Mystic, Position
from tests.endings import closer, end_of, tied, told

ACTIONS = {"+": "add", "-": "subtract", ">": "pass"}


def turns(text: str, **settings: int) -> Match[Position]:
    """A match from its turns: the number drawn, and `+` add, `-` subtract or `>` pass; the last may be missing."""
    rules = Mystic(**settings)
    words = text.split()
    top = [int(word[0]) for word in words]
    match = Match(rules, deal=[*top, *(Counter(rules.deck) - Counter(top)).elements()])
    for word in words:
        assert match.position.drawn == int(word[0])
        if len(word) > 1:
            match.play(ACTIONS[word[1]])
    return match


def test_m1_adding_past_21_is_accepted_and_loses() -> None:
    match = turns("9+ 1+ 9+ 1+ 4")
    assert "add" in match.moves
    match.play("add")
    assert match.position.totals == (22, 2)
    assert end_of(match) == (1, "Player 1 went past 21 to 22")
    assert match.moves == ()
    assert end_of(turns("1+ 9+ 1+ 9+ 2+ 5+")) == (0, "Player 2 went past 21 to 23")


@pytest.mark.parametrize(("before", "totals"), [("5", (0, 0)), ("3+ 7+ 4", (3, 7)), ("3+ 7", (3, 0))])
def test_m1_subtracting_below_0_is_refused_and_pass_is_there_instead(before: str, totals: tuple[int, int]) -> None:
    match = turns(before)
    assert match.moves == ("add", "pass")
    with pytest.raises(IllegalMove, match=re.escape("'subtract' is not allowed here. Allowed: add, pass.")):
        match.play("subtract")
    assert match.position.totals == totals, "it has cost nothing"


@pytest.mark.parametrize(("before", "after"), [("3+ 7+ 3", (0, 7)), ("3+ 7+ 2", (1, 7)), ("3+ 7+ 1+ 6", (4, 1))])
def test_m1_subtracting_to_0_or_above_is_allowed(before: str, after: tuple[int, int]) -> None:
    match = turns(before)
    assert match.moves == ("add", "subtract", "pass")
    match.play("subtract")
    assert match.position.totals == after


def test_m2_a_passed_number_is_added_before_the_opponents_draw() -> None:
    match = turns("3+ 7+ 1+ 5> 2")
    assert match.player == 0
    assert match.position.totals == (9, 7), "4 and the passed 5"
    assert match.position.drawn == 2


def test_m2_a_passed_number_cannot_be_passed_back_or_subtracted() -> None:
    match = turns("5> 3")
    assert match.position.totals == (0, 5)
    for action in ("add", "subtract", "pass"):
        after = match.game.play(match.position, action)
        # Whatever is decided next is about the 3 that was drawn.
        assert after.totals == {"add": (0, 8), "subtract": (0, 2), "pass": (3, 5)}[action]


@pytest.mark.parametrize(
    ("text", "winner"), [("6+ 1+ 6+ 9>", 0), ("1+ 6+ 2+ 6+ 9>", 1), ("1+ 9+ 1+ 9+ 3>", 1), ("9+ 1+ 9+ 3>", 0)]
)
def test_m2_a_passed_number_can_win_and_then_nothing_is_drawn(text: str, winner: int) -> None:
    match = turns(text)
    assert match.position.totals[winner] == 21
    assert end_of(match) == (winner, f"Player {winner + 1} reached 21 with the number passed to them")
    assert match.position.drawn == 0
    assert len(match.position.unseen) == 18 - len(text.split())
    assert match.history[-1] == "pass"
    assert match.moves == ()


@pytest.mark.parametrize(("text", "loser", "total"), [("9+ 1+ 8+ 5>", 0, 22), ("1+ 7+ 1+ 6+ 9>", 1, 22)])
def test_m2_a_passed_number_can_lose_and_then_nothing_is_drawn(text: str, loser: int, total: int) -> None:
    match = turns(text)
    assert end_of(match) == (1 - loser, f"Player {loser + 1} went past 21 to {total} with the number passed to them")
    assert match.position.drawn == 0
    assert len(match.position.unseen) == 18 - len(text.split())
    assert match.moves == ()


def test_m3_a_number_passed_from_the_last_draw_is_still_added_then_the_game_ends() -> None:
    match = turns("1+ 2>", high=2, copies=1)
    assert match.position == ((), (3, 0), 0)
    assert match.moves == ()
    assert end_of(match) == closer("the pile is used up", 0, 3, 0, 21)


@pytest.mark.parametrize(
    ("text", "high", "target", "winner", "words"),
    [
        ("1+ 2>", 2, 3, 0, "Player 1 reached 3"),
        ("1+ 2+ 3>", 3, 5, 1, "Player 2 reached 5"),
        ("1+ 3+ 2>", 3, 4, 0, "Player 2 went past 4 to 5"),
    ],
)
def test_m3_the_number_passed_from_the_last_draw_can_win_or_lose(
    text: str, high: int, target: int, winner: int, words: str
) -> None:
    match = turns(text, high=high, copies=1, target=target)
    assert end_of(match) == (winner, f"{words} with the number passed to them")


def test_m3_holds_for_the_classic_pile_of_18() -> None:
    match = turns("9+ 9+ 8- 8- 7+ 7+ 6- 6- 5+ 5+ 4- 4- 3+ 3+ 2- 2- 1+ 1>")
    assert match.position == ((), (6, 4), 0)
    assert end_of(match) == closer("the pile is used up", 0, 6, 4, 21)


def test_m4_when_the_pile_is_used_up_the_higher_total_wins() -> None:
    assert end_of(turns("1+ 2+", high=2, copies=1)) == closer("the pile is used up", 1, 2, 1, 21)
    assert end_of(turns("2+ 1+", high=2, copies=1)) == closer("the pile is used up", 0, 2, 1, 21)


def test_m4_equal_totals_lose_for_the_player_who_drew_last_18_draws_player_2() -> None:
    assert turns("9+ 9+ 8- 8- 7+ 7+ 6- 6- 5+ 5+ 4- 4- 3+ 3+ 2- 2- 1+ 1").outcome is None
    match = turns("9+ 9+ 8- 8- 7+ 7+ 6- 6- 5+ 5+ 4- 4- 3+ 3+ 2- 2- 1+ 1+")
    assert match.position.totals == (5, 5)
    assert end_of(match) == tied("the pile is used up", 0, 5, "who drew last")
    assert match.moves == ()


def test_m4_with_an_odd_pile_player_1_draws_last_and_loses_the_tie() -> None:
    assert end_of(turns("1+ 3+ 2+", high=3, copies=1)) == tied("the pile is used up", 1, 3, "who drew last")


def test_m4_who_drew_last_counts_and_not_who_added_last() -> None:
    # The last number is passed, so the tie is made by the other player's addition.
    assert end_of(turns("2+ 2+ 1- 1>", high=2, copies=2)) == tied("the pile is used up", 0, 2, "who drew last")
    assert end_of(turns("2+ 1> 3>", high=3, copies=1)) == tied("the pile is used up", 1, 3, "who drew last")


def test_the_example_game_play_of_the_document() -> None:
    pile = [3, 7, 1, 5, 2, 8, 9, 4, 6, 2, 5, 7, 1, 6, 8, 9, 4, 3]
    match = Match(Mystic(), deal=pile)
    sample = [
        # player, draws, total before the action, action, both totals after it (a passed number counted)
        (0, 3, 0, "add", (3, 0)),
        (1, 7, 0, "add", (3, 7)),
        (0, 1, 3, "add", (4, 7)),
        (1, 5, 7, "pass", (9, 7)),
        (0, 2, 9, "add", (11, 7)),
        (1, 8, 7, "add", (11, 15)),
        (0, 9, 11, "pass", (11, 24)),
    ]
    for turn, (player, draws, before, action, totals) in enumerate(sample):
        assert match.outcome is None
        assert match.player == player
        assert match.position.drawn == draws
        assert match.position.totals[player] == before
        assert list(match.position.unseen) == sorted(pile[turn + 1 :])
        match.play(action)
        assert match.position.totals == totals
    assert end_of(match) == (0, "Player 2 went past 21 to 24 with the number passed to them")
    assert match.moves == ()
    # Turn 8 of the document ends with the mandatory addition: the 4 on top of the pile is not drawn.
    assert list(match.position.unseen) == sorted(pile[7:])


def test_exactly_21_wins_for_either_player() -> None:
    assert turns("9+ 1+ 9+ 1+ 3").outcome is None
    assert end_of(turns("9+ 1+ 9+ 1+ 3+")) == (0, "Player 1 reached 21")
    assert end_of(turns("1+ 9+ 1+ 9+ 2+ 3+")) == (1, "Player 2 reached 21")


@pytest.mark.parametrize("target", [2, 30, 60])
def test_the_target_is_what_the_setting_says(target: int) -> None:
    rules = Mystic(target=target)
    # Two numbers are drawn, so Player 2 is to act.
    one, two = (Position(rules.deck[2:], (0, target - 1), drawn) for drawn in (1, 2))
    assert told(rules, rules.outcome(rules.play(one, "add"))) == (1, f"Player 2 reached {target}")
    assert told(rules, rules.outcome(rules.play(two, "add"))) == (0, f"Player 2 went past {target} to {target + 1}")


def test_the_pile_is_what_the_settings_say() -> None:
    assert Mystic().deck == (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9)
    assert Mystic(high=3, copies=1).deck == (1, 2, 3)
    assert Mystic(high=2, copies=4).deck == (1, 1, 1, 1, 2, 2, 2, 2)
