"""The search from the rules alone: exact, and the same with and without canonical forms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from numberquest.contract import CHANCE, Game
from numberquest.games import game
from numberquest.solver.search import Search
from tests.solver.small import SMALL


def by_definition(rules: Game[Any], position: Any) -> Fraction:
    """The chance that Player 1 wins, straight from the definition: recursive, slow, with no canonical form."""
    outcome = rules.outcome(position)
    if outcome is not None:
        return Fraction(outcome.winner == 0)
    values = [by_definition(rules, rules.play(position, move)) for move in rules.moves(position)]
    player = rules.player(position)
    if player == CHANCE:
        return sum((odds * value for odds, value in zip(rules.odds(position), values, strict=True)), Fraction(0))
    return min(values) if player else max(values)


@pytest.mark.parametrize(
    ("slug", "settings"),
    [
        ("sumquest", {"target": 12, "high": 4}),
        ("fifty", {"target": 7, "high": 3, "copies": 1}),
        ("grid", {"side": 2, "target": 5}),
        ("grid", {"side": 2, "target": 7, "stand": True}),
        ("mystic", {"target": 6, "high": 4, "copies": 1}),
        ("showdown", {"high": 2, "picks": 1}),
    ],
)
def test_the_search_is_the_definition(slug: str, settings: dict[str, Any]) -> None:
    rules = game(slug, **settings)
    solution = Search(rules)
    for position in solution.solved():
        assert solution.value_for(0, position) == by_definition(rules, position)


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_positions_with_one_canonical_form_have_one_value(rules: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    shortened = Search(rules)
    monkeypatch.setattr(type(rules), "canonical", lambda _, p: p)
    whole = Search(rules)
    monkeypatch.undo()
    assert whole.positions >= shortened.positions
    for position in whole.solved():
        assert shortened.value_for(0, position) == whole.value_for(0, position)


def test_the_classic_grid_is_worth_41_23_per_cent() -> None:
    assert Search(game("grid")).value(game("grid").start()) == Fraction(1039, 2520)


def test_sumquest_is_won_by_1_and_6_and_12_is_always_lost() -> None:
    rules = game("sumquest")
    solution = Search(rules)
    assert solution.best(rules.start()) == ["1", "6"]
    # Whatever was used to get there: 12 leaves no answer that wins.
    for last in range(1, 10):
        position = rules.start()._replace(total=12, barred=last)
        assert solution.value(position) == 0
    assert {solution.value(position) for position in list(solution.solved())} == {0, 1}


def test_a_long_game_needs_no_deep_recursion() -> None:
    assert Search(game("sumquest", target=999)).positions > 15_000


def test_a_position_that_cannot_be_reached_is_solved_on_the_way() -> None:
    rules = game("sumquest")
    solution = Search(rules)
    odd = rules.start()._replace(total=14, barred=0, player=1)
    assert odd not in set(solution.solved())
    assert solution.value(odd) == 1
