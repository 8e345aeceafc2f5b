"""Two players of any kind against each other: who wins, and what goes wrong, is counted for the right one."""

from __future__ import annotations

import pytest

import numberquest as nq
from numberquest.evaluate.bout import bout
from numberquest.evaluate.trouble import ProviderError
from numberquest.evaluate.who import who

AGENTS = "tests.evaluate.agents"
SUM = nq.game("sumquest")


def test_the_better_one_wins_in_both_seats() -> None:
    found = bout(SUM, who("perfect"), who(f"{AGENTS}:First"), 21, "7")
    standing = found.standing
    assert (standing.a_first_games, standing.a_second_games) == (11, 10)
    assert standing.wins_a == 21
    assert (found.illegal, found.forfeits, found.errors, found.missing) == ((0, 0), (0, 0), 0, 0)


def test_the_same_seed_gives_the_same_games() -> None:
    one, two = (bout(SUM, who("easy"), who("medium"), 40, "7").standing._replace(seconds=0) for _ in range(2))
    assert one == two
    assert one != bout(SUM, who("easy"), who("medium"), 40, "8").standing._replace(seconds=0)


@pytest.mark.parametrize("wrong_is_a", [True, False])
def test_wrong_answers_lose_the_game_and_are_counted_for_who_gave_them(wrong_is_a: bool) -> None:
    wrong, first = who(f"{AGENTS}:Wrong"), who(f"{AGENTS}:First")
    found = bout(SUM, *((wrong, first) if wrong_is_a else (first, wrong)), 4, "7")
    at = 0 if wrong_is_a else 1
    assert found.standing.wins_a == (0 if wrong_is_a else 4)
    assert (found.illegal[at], found.illegal[1 - at]) == (12, 0)
    assert (found.forfeits[at], found.forfeits[1 - at]) == (4, 0)


def test_a_game_that_an_error_breaks_off_is_played_again_and_lost_by_nobody() -> None:
    found = bout(SUM, who(f"{AGENTS}:FailsAtTimes"), who("random"), 50, "7")
    assert found.errors > 0
    assert found.missing == 0
    assert found.standing.games == 50


def test_one_who_always_fails_ends_it_with_a_sentence() -> None:
    with pytest.raises(ProviderError, match=r"Fails: line .*: ZeroDivisionError: oh no"):
        bout(SUM, who(f"{AGENTS}:Fails"), who("random"), 1000, "7")
    with pytest.raises(ProviderError):
        bout(SUM, who(f"{AGENTS}:Fails"), who("random"), 2, "7")
