"""What a solution says, at decisions, before and after reveals, and at the end; the search that finds it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from numberquest.core.contract import CHANCE, Game
from numberquest.core.registry import game
from numberquest.core.sentences import told
from numberquest.solver import solve
from numberquest.solver.proved import proved
from tests.solver.reference import Search
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
