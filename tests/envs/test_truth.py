"""What is true of thousands of positions at once is what the solver says of each, to the last digit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.registry import GAMES, game
from numberquest.envs.batch import Batch, tables_for, truth_of
from numberquest.envs.episode import Regret
from numberquest.explain.review import judged
from numberquest.players.levels import perfect_moves
from numberquest.solver import TooLarge, solve
from tests.conftest import ALL, in_ci
from tests.envs.needs import needed
from tests.own.kinds import OWN
from tests.strategies import games

LARGE: list[Game[Any]] = [
    game("fifty"),
    game("grid", side=4, target=31, stand=True),
    game("grid", side=4, target=20),
    game("grid", target=30, stand=True),
    game("showdown", high=11, picks=7),
    game("mystic", copies=3, high=6),
]
SMALL: list[Game[Any]] = [
    game("showdown", high=7, picks=4),
    game("showdown", high=2, picks=1),
    game("showdown", high=5),
    game("fifty", target=7, high=3, copies=4, ops="+*"),
    game("fifty", target=70, high=3, copies=2),
    game("fifty", target=2, high=2, copies=1, ops="+"),
    game("grid"),
    game("grid", side=2, target=4, stand=True),
    game("grid", side=2, target=90),
    game("sumquest"),
    game("sumquest", target=100, high=7),
    game("mystic"),
    game("mystic", target=8, high=2, copies=1),
    *OWN,
]
RULES = SMALL + (LARGE if ALL else [])


def check_truth(batch: Batch, steps: int, draws: int) -> None:
    """Play at random, and hold what is said of every decision against what the solver says of it."""
    rules, solver, solution = batch.game, Regret(batch.game), solve(batch.game)
    for _ in range(steps):
        actions = batch.sample()
        values, regrets, mattered = batch.values(), batch.regret(actions), batch.mattered()
        chosen = np.stack([batch.perfect() for _ in range(draws)])
        for i in range(batch.size):
            position = batch.position(i)
            if not rules.moves(position):
                continue
            move = rules.actions[actions[i]]
            expected = solver.of(position, rules.turn(position), move)
            assert (regrets[i], values[i], mattered[i]) == (expected.regret, expected.value, expected.mattered)
            verdict = judged(solution, position, move)
            assert regrets[i] == (float(verdict.loss) if verdict.loss > 1e-12 else 0.0)
            assert mattered[i] == verdict.mattered
            best = {rules.actions.index(move) for move in perfect_moves(rules, position)}
            assert set(chosen[:, i].tolist()) <= best
            assert len(best) == 1 or len(set(chosen[:, i].tolist())) > 1
        batch.step(actions)


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_values_regret_and_perfect_moves_are_those_of_the_solver(rules: Game[Any]) -> None:
    check_truth(Batch(rules, 6, seed=4), min(rules.bound, 20), 60)


@in_ci
@given(rules=games(), seed=st.integers(0, 2**32))
def test_so_they_are_with_any_settings(rules: Game[Any], seed: int) -> None:
    batch = Batch(rules, 1, seed)
    try:
        truth_of(batch.tables, 1_000_000)
    except TooLarge:
        return
    check_truth(batch, min(rules.bound, 6), 40)


def test_every_perfect_move_is_drawn_alike_and_a_key_gives_the_same_again() -> None:
    rules = game("sumquest", target=100)
    batch = Batch(rules, 30_000, seed=1)
    drawn = np.bincount(batch.perfect(), minlength=9)
    best = [rules.actions.index(move) for move in perfect_moves(rules, rules.start())]
    assert drawn.sum() == drawn[best].sum()
    assert np.abs(drawn[best] - batch.size / len(best)).max() < 6 * (batch.size / len(best)) ** 0.5
    assert (batch.perfect(7) == batch.perfect(7)).all()
    assert len(best) == 1 or (batch.perfect(7) != batch.perfect(8)).any()


def test_a_move_that_is_not_allowed_loses_everything() -> None:
    batch = Batch(game("sumquest"), 3, seed=1)
    assert batch.values().tolist() == [1.0, 1.0, 1.0]
    assert batch.regret(np.array([5, 9, -1])).tolist() == [0.0, 1.0, 1.0]


def test_a_solution_knows_the_values_of_a_batch() -> None:
    rules = game("mystic", target=8, high=3)
    batch = Batch(rules, 40, seed=1)
    batch.step(batch.sample())
    solution = nq.solve(rules)
    assert solution.values(batch).tolist() == [solution.value(batch.position(i)) for i in range(40)]
    with pytest.raises(ValueError, match=r"this is what is true of Mystic.*, and the batch plays SumQuest"):
        solution.values(Batch("sumquest", 2))


@pytest.mark.parametrize("slug", ["fifty", "mystic", "grid", "sumquest", "showdown"])
def test_with_nothing_but_the_array_standard_it_is_the_same(slug: str) -> None:
    xp = needed("array_api_strict")
    smaller: dict[str, dict[str, Any]] = {"fifty": {"target": 9, "high": 3}, "showdown": {"high": 4}}
    rules = game(slug, **smaller.get(slug, {}))
    ours, theirs = Batch(rules, 20, seed=1), Batch(rules, 20, seed=1, xp=xp)
    for _ in range(5):
        actions = ours.sample()
        theirs.seed(3)
        ours.seed(3)
        for what in ("values", "mattered", "perfect"):
            assert np.array_equal(np.asarray(getattr(theirs, what)()), getattr(ours, what)())
        assert np.array_equal(np.asarray(theirs.regret(xp.asarray(actions))), ours.regret(actions))
        theirs.step(xp.asarray(actions))
        ours.step(actions)


def test_what_does_not_fit_is_refused_with_its_size() -> None:
    with pytest.raises(TooLarge, match=r"what is true of mystic with .* takes about 69 MB .* no more than 50 MB"):
        truth_of(tables_for(game("mystic"), np), 50_000_000)


def test_a_game_with_very_many_positions_is_not_asked_about_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.solver.budget.MOST_FOLLOWED", 100)
    with pytest.raises(
        TooLarge, match=r"sumquest with target=.* has \d+ positions, and no more than 100 are asked about"
    ):
        Batch("sumquest", 2).values()


@pytest.mark.parametrize("slug", GAMES.own)
def test_a_batch_can_check_what_it_is_told_to_play(slug: str) -> None:
    batch = Batch(slug, 5, seed=2)
    batch.step(batch.sample(), check=True)
    before = [batch.position(i) for i in range(5)]
    actions = batch.sample()
    actions[3] = len(batch.game.actions)
    with pytest.raises(ValueError, match=rf"action {len(batch.game.actions)} is not allowed in game 3; nothing was"):
        batch.step(actions, check=True)
    with pytest.raises(ValueError, match=r"not allowed in game 0, nor are those of 4 more games"):
        batch.step(np.full(5, -1), check=True)
    assert [batch.position(i) for i in range(5)] == before
    # What is not played need not be allowed.
    batch.step(actions * (np.arange(5) != 3), np.arange(5) != 3, check=True)


def test_a_barred_action_is_named_where_it_is_refused() -> None:
    batch = Batch("sumquest", 2, seed=1)
    batch.step(np.array([3, 4]))
    with pytest.raises(ValueError, match=r"action 4 \('5'\) is not allowed in game 1; nothing was played"):
        batch.step(np.array([4, 4]), check=True)
