"""`solve` and `cache` on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.terminal.session import here, piped

FIELDS = ["game", "settings", "after", "player", "value", "exact", "moves", "best", "positions", "seconds"]


def data(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(here("solve", *arguments, "--json"))
    assert list(answer) == FIELDS
    return answer


def test_a_decision_as_data() -> None:
    answer = data("sumquest", "--after", "5 7")
    assert answer["after"] == ["5", "7"]
    assert answer["player"] == 1
    assert (answer["value"], answer["exact"]) == (0, "0")
    assert set(answer["moves"].values()) == {0}
    assert len(answer["best"]) == 8


def test_a_reveal_that_comes_next_has_no_moves() -> None:
    answer = data("grid", "--after", "2,2")
    assert (answer["player"], answer["moves"], answer["best"]) == (1, {}, [])
    assert answer["exact"] == "1039/2520"
    assert answer["value"] == pytest.approx(1039 / 2520)


def test_moves_and_reveals_are_read_as_they_are_written() -> None:
    assert data("grid", "--after", "2,2 5 1,3 (3)")["after"] == ["2,2", "5", "1,3", "3"]
    assert data("showdown", "--after", "predict 45 9")["after"] == ["predict 45", "9"]


def test_a_game_that_is_over_says_so() -> None:
    answer = data("sumquest", "--set", "target=5", "--after", "5")
    assert (answer["player"], answer["value"], answer["moves"]) == (2, 0, {})
    assert "the game is over: Player 1 reached 5" in here("solve", "sumquest", "--set", "target=5", "--after", "5")


def test_chances_that_are_not_known_as_fractions_are_numbers_only() -> None:
    answer = data("mystic", "--set", "high=4", "--set", "copies=1")
    assert answer["exact"] is None
    assert 0 < answer["value"] < 1


def test_for_a_person_it_is_words_and_a_picture() -> None:
    shown = piped(["solve", "sumquest"]).stdout
    assert "Player 1 wins with best play." in shown
    assert "Winning moves: 1, 6" in shown
    assert "   12         - - - - - - - - -" in shown
    shown = piped(["solve", "mystic", "--set", "high=4", "--set", "copies=1"]).stdout
    assert "by your own total, if your opponent has 0:" in shown
    assert shown.count("#") > 50


def test_a_setting_too_large_is_refused_with_its_size() -> None:
    done = piped(["solve", "fifty", "--set", "target=200", "--set", "copies=4", "--set", "high=9"])
    if done.returncode == 0:
        pytest.skip("SKIPPED: this machine has memory enough for 25 GB")
    assert done.returncode == 1
    assert "takes about 25.0 GB of memory" in done.stderr


def test_the_cache_is_shown_and_cleared() -> None:
    assert "Nothing is kept" in piped(["cache"]).stdout
    piped(["solve", "fifty", "--set", "high=3"])
    assert "fifty_target=50_high=3_copies=2" in piped(["cache"]).stdout
    assert "Removed 1 file" in piped(["cache", "--clear"]).stdout
    assert "Nothing is kept" in piped(["cache"]).stdout
