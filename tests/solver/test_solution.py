"""What a solution says, at decisions, before and after reveals, and at the end."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from numberquest.contract import CHANCE, Game
from numberquest.games import game
from numberquest.sentences import told
from numberquest.solver import solve
from numberquest.solver.proved import proved
from tests.solver.small import SMALL


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_values_follow_from_one_another_everywhere(rules: Game[Any]) -> None:
    solution = solve(rules)
    waiting = [rules.start()]
    seen: set[Any] = set()
    while waiting and len(seen) < 3000:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        following = [rules.play(position, move) for move in rules.moves(position)]
        waiting += following
        value, turn = float(solution.value(position)), rules.turn(position)
        outcome = rules.outcome(position)
        if outcome is not None:
            assert value == (outcome.winner == turn)
            assert solution.moves(position) == {}
        elif rules.player(position) == CHANCE:
            worth = [float(solution.value_for(turn, after)) for after in following]
            odds = [float(share) for share in rules.odds(position)]
            assert value == pytest.approx(sum(share * one for share, one in zip(odds, worth, strict=True)))
            assert solution.moves(position) == {}
        else:
            moves = solution.moves(position)
            assert set(moves) == set(rules.moves(position))
            assert list(moves.values()) == sorted(moves.values(), reverse=True)
            assert value == pytest.approx(float(max(moves.values())))
            assert solution.best(position)[0] == next(iter(moves))


def said(rules: Game[Any]) -> str:
    return told(proved(solve(rules)))


def test_what_is_proved_is_said_in_a_sentence() -> None:
    assert said(game("showdown")) == "Player 1 wins by saying 45"
    assert said(game("grid")) == "no choice matters: Player 1 wins 41.23 %"
    assert said(game("grid", stand=True)) == "with best play Player 1 wins 49.59 %"
    assert said(game("sumquest")) == "Player 1 wins by starting with 1 or 6"
    assert said(game("fifty")) == "Player 1 wins by starting with 1+, 2+, 3+ or 5 others"
    assert said(game("showdown", picks=4)) == "Player 2 wins, whatever Player 1 starts with"


def test_the_table_of_what_is_proved_is_true() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "solver.md").read_text()
    assert said(game("showdown")) in page
    assert solve(game("grid")).value(game("grid").start()) == Fraction(1039, 2520)
    fifty = game("fifty")
    assert set(solve(fifty).best(fifty.start())) == {f"{number}+" for number in range(1, 10) if number != 4}
    assert said(game("mystic")) == "with best play Player 1 wins 42.66 %"
    assert "with best play Player 1 wins 42.66 %" in page
