"""What a language model is told: enough to play any game by, and nothing that is hidden."""

from __future__ import annotations

from typing import Any

import pytest

import numberquest as nq
from numberquest.evaluate import prompt
from numberquest.evaluate.trouble import Illegal
from numberquest.rulebook import rules_of
from numberquest.view import said
from tests.strategies import KINDS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_it_holds_the_rules_the_position_the_history_and_the_allowed_moves(kind: Any) -> None:
    game = kind()
    match = nq.Match(game, seed=3)
    for _ in range(2):
        match.play(match.moves[0])
    system, user = prompt.messages(game, match.position, match.history)
    assert [system["role"], user["role"]] == ["system", "user"]
    for paragraph in rules_of(game):
        assert paragraph in system["content"]
    for line in said(game, match.position):
        assert line in user["content"]
    for move in match.moves:
        assert move in user["content"].partition("Allowed now: ")[2]
    assert f"You are Player {match.player + 1}" in user["content"]
    assert f"Player 1: {match.history[-1]}" in user["content"] or f": {match.history[-1]}\n" in user["content"]


def test_the_allowed_moves_need_not_be_listed() -> None:
    game = nq.game("sumquest")
    position = game.play(game.start(), "5")
    assert "Allowed now: 1, 2, 3, 4, 6, 7, 8, 9" in prompt.question(game, position)
    assert "Allowed" not in prompt.question(game, position, list_moves=False)


def test_a_history_that_nobody_knows_is_left_out() -> None:
    game = nq.game("sumquest")
    assert "So far" not in prompt.question(game, game.start())
    assert "So far:\nnothing was played" in prompt.question(game, game.start(), [])


def test_a_wrong_answer_is_put_to_whoever_gave_it() -> None:
    game = nq.game("sumquest")
    *_, said_before, again = prompt.messages(game, game.start(), (), Illegal("[12]", "there is no 12"))
    assert said_before == {"role": "assistant", "content": "[12]"}
    assert again["role"] == "user"
    assert again["content"].startswith("That is no move: there is no 12. End your answer with one move")
    *_, said_before, _ = prompt.messages(game, game.start(), (), Illegal(" "))
    assert said_before["content"] == "(no answer)"
