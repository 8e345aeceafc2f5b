"""The fast solvers agree with the search on every position, over settings that Hypothesis draws."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game
from numberquest.core.progress import silently
from numberquest.core.registry import game
from numberquest.games.fifty import solver as fifty
from numberquest.games.fifty.rules import Fifty
from numberquest.games.grid import solver as grid
from numberquest.games.grid.rules import Grid
from numberquest.games.mystic import solver as mystic
from numberquest.games.mystic.rules import Mystic
from numberquest.games.showdown.rules import Showdown
from numberquest.games.showdown.solver import Predictions
from numberquest.solver.pool_recurrence import PoolChances
from numberquest.solver.solution import Solution
from numberquest.solver.table import Table
from tests.conftest import UNSHRUNK, in_ci
from tests.solver.reference import Search

OPS = ["+" + "".join(rest) for rest in ("", "-", "*", "/", "-*", "-/", "*/", "-*/")]
# How many numbers are high enough for each number of copies to stay small.
HIGH = {1: 5, 2: 3, 3: 2}


def by_arrays(rules: Any) -> Solution[Any]:
    if isinstance(rules, Fifty):
        return fifty.FiftySolution(rules, Table(fifty.solve(rules, silently).reshape(-1).data))
    if isinstance(rules, Mystic):
        return PoolChances(mystic.MysticPools(rules), Table(mystic.solve(rules, silently)))
    return grid.GridSolution(rules, Table(grid.solve(rules, silently).reshape(-1).data))


def assert_equal_everywhere(fast: Solution[Any], rules: Game[Any]) -> None:
    reference = Search(rules)
    for position in list(reference.solved()):
        assert float(fast.value(position)) == pytest.approx(float(reference.value(position)), abs=1e-12)
        if rules.moves(position) and rules.player(position) != CHANCE:
            assert set(fast.best(position)) == set(reference.best(position))


@settings(phases=UNSHRUNK)
@given(st.sampled_from([1, 2, 3]), st.sampled_from(OPS), st.data())
def test_fifty_by_bits_is_fifty_by_search(copies: int, ops: str, data: st.DataObject) -> None:
    high = data.draw(st.integers(2, HIGH[copies]))
    target = data.draw(st.one_of(st.integers(2, 30), st.integers(60, 70), st.integers(120, 200)))
    rules = Fifty(target=target, high=high, copies=copies, ops=ops)
    fast = by_arrays(rules)
    assert_equal_everywhere(fast, rules)
    assert fast.value(rules.start()) in (0, 1)


@settings(phases=UNSHRUNK)
@given(st.sampled_from([1, 2, 3]), st.integers(2, 60), st.data())
def test_mystic_by_arrays_is_mystic_by_search(copies: int, target: int, data: st.DataObject) -> None:
    high = data.draw(st.integers(2, HIGH[copies]))
    rules = Mystic(target=target, high=high, copies=copies)
    assert_equal_everywhere(by_arrays(rules), rules)


@settings(phases=UNSHRUNK)
@given(st.integers(2, 99), st.booleans())
def test_grid_by_arrays_is_grid_by_search(target: int, stand: bool) -> None:
    rules = Grid(target=target, side=2, stand=stand)
    assert_equal_everywhere(by_arrays(rules), rules)


@in_ci
def test_the_classic_grid_by_arrays_is_the_classic_grid_by_search() -> None:
    rules = Grid(stand=True)
    assert_equal_everywhere(by_arrays(rules), rules)


@pytest.mark.parametrize(
    ("high", "picks"), [(high, picks) for high in range(2, 7) for picks in range(1, min(high, 4) + 1)]
)
def test_showdown_by_bits_is_showdown_by_search(high: int, picks: int) -> None:
    rules = Showdown(high=high, picks=picks)
    fast, reference = Predictions(rules), Search(rules)
    dice = random.Random(7)
    for _ in range(60):
        position = rules.start()
        while rules.moves(position):
            assert fast.value(position) == reference.value(position)
            position = rules.play(position, dice.choice(rules.moves(position)))


@in_ci
@pytest.mark.parametrize(
    ("slug", "rule_settings"), [("mystic", {"target": 9, "high": 4}), ("grid", {"stand": True}), ("grid", {})]
)
def test_play_at_the_best_comes_out_as_computed(slug: str, rule_settings: dict[str, Any]) -> None:
    rules = game(slug, **rule_settings)
    solution: Solution[Any] = by_arrays(rules)
    dice = random.Random(5)
    games, wins = 2000, 0
    for _ in range(games):
        position = rules.start()
        while moves := rules.moves(position):
            if rules.player(position) == CHANCE:
                move = dice.choices(moves, rules.weights(position))[0]
            else:
                move = dice.choice(solution.best(position))
            position = rules.play(position, move)
        outcome = rules.outcome(position)
        wins += outcome is not None and outcome.winner == 0
    expected = float(solution.value(rules.start()))
    # Four standard deviations; the dice are fixed, so this cannot fail by chance from run to run.
    assert abs(wins / games - expected) < 4 * (expected * (1 - expected) / games) ** 0.5
