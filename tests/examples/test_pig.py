"""Pig, the second of the examples: its rules, and what is known about it."""

from __future__ import annotations

from typing import Any

import pytest

import numberquest as nq
from numberquest.core.view import said
from tests.endings import end_of
from tests.strategies import KINDS

PIG = next(kind for kind in KINDS if kind.slug == "pig")


def played(moves: str, rolls: str, **settings: Any) -> nq.Match[Any]:
    match = nq.Match(PIG(**settings), deal=list(rolls))
    for move in moves:
        match.play({"r": "roll", "h": "hold"}[move])
    return match


def test_what_a_turn_has_brought_is_kept_by_holding() -> None:
    match = played("rrh", "65")
    assert (match.position.scores, match.player) == ((11, 0), 1)
    assert said(PIG(), match.position) == ["Score: Player 1 11, Player 2 0", "This turn: 0"]


def test_a_1_loses_what_the_turn_has_brought() -> None:
    match = played("rrhrr", "65" + "61")
    assert (match.position.scores, match.position.this_turn, match.player) == ((11, 0), 0, 0)


def test_who_holds_the_target_wins_and_can_only_hold_when_it_is_enough() -> None:
    match = played("rr", "66", target=12)
    assert match.moves == ("hold",)
    match.play("hold")
    assert end_of(match) == (0, "Player 1 holds 12 points")


def value(target: int) -> float:
    """The chance of the player who begins, by going round all positions until nothing changes: written apart."""
    chances = {(i, j, k): 0.5 for i in range(target) for j in range(target) for k in range(target - i)}

    def win(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else chances[i, j, k]

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in list(chances):
            hold = 1 - win(j, i + k, 0)
            roll = (1 - win(j, i, 0) + sum(win(i, j, k + face) for face in range(2, 7))) / 6
            change = max(change, abs(max(hold, roll) - chances[i, j, k]))
            chances[i, j, k] = max(hold, roll)
    return chances[0, 0, 0]


@pytest.mark.parametrize("target", [2, 7, 12])
def test_a_small_pig_is_worth_what_going_round_and_round_comes_to(target: int) -> None:
    pig = PIG(target=target)
    assert float(nq.solve(pig).value(pig.start())) == pytest.approx(value(target), abs=1e-9)
