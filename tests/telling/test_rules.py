"""House rules as people read them."""

from __future__ import annotations

from typing import Any

import pytest

import numberquest as nq
from numberquest.games import GAMES
from numberquest.telling.rules import house_rules
from numberquest.telling.signs import signed


@pytest.mark.parametrize("slug", GAMES)
def test_there_is_nothing_to_tell_of_the_classic_game(slug: str) -> None:
    assert house_rules(nq.game(slug)) == ""


@pytest.mark.parametrize(
    ("slug", "settings", "words"),
    [
        ("fifty", {"target": 20, "ops": "+-*"}, "the score to reach: 20; the operations that may be used: + − ×"),
        ("grid", {"stand": True}, "a player may stand instead of opening a cell: yes"),
        ("mystic", {"copies": 1}, "how often each number is in the pile: 1"),
        ("showdown", {"high": 7, "picks": 5}, "the largest number: 7; how many numbers are played: 5"),
    ],
)
def test_only_what_is_changed_is_told_and_in_words(slug: str, settings: dict[str, Any], words: str) -> None:
    assert house_rules(nq.game(slug, **settings)) == words


def test_a_move_is_written_with_its_sign_first_and_others_stay() -> None:
    assert [signed(move) for move in ("6*", "7-", "8/", "9+")] == ["× 6", "− 7", "÷ 8", "+ 9"]
    for other in ("6", "2,3", "pass", "predict 45", "resign"):
        assert signed(other) == other
