"""Luck taken out: the mean stays as it is, and against perfect play nothing is left but regret."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.play_out import positions_of
from numberquest.players.levels import PLAYERS
from numberquest.study.decisions import Judge
from numberquest.study.game import Contest, ContestRunner, Job
from numberquest.study.levels import everywhere
from numberquest.study.luck import Luck, nearest_level, without_luck
from numberquest.study.policy_values import Pair
from tests.conftest import a_few, in_ci
from tests.study.small import PIG, SMALL, WITHOUT_LOOPS, Odd

CLASSIC: list[Game[Any]] = [nq.game("sumquest"), nq.game("grid", stand=True), nq.game("showdown", picks=5)]


def expected(game: Game[Any], seat: int, luck: Luck, level: str) -> tuple[float, float]:
    """The agent's mean result, as it is and without luck, over every game that there can be."""
    known: dict[Any, tuple[float, float]] = {}
    agent, opponent = Odd(), PLAYERS[level]

    def means(p: Any) -> tuple[float, float]:
        if p not in known:
            known[p] = follow(p)
        return known[p]

    def follow(p: Any) -> tuple[float, float]:
        outcome = game.outcome(p)
        if outcome is not None:
            return outcome.worth(seat), outcome.worth(seat)
        player = game.player(p)
        if player == CHANCE:
            odds = dict(zip(game.moves(p), map(float, game.odds(p)), strict=True))
        elif player == seat:
            odds = dict(agent.odds(game, p))
        else:
            odds = {move: float(likely) for move, likely in opponent.odds(game, p).items()}
        raw = free = 0.0
        for move, likely in odds.items():
            after = game.play(p, move)
            one, two = means(after)
            raw += likely * one
            free += likely * float(without_luck(two, luck.of([p, after]), seat))
        return raw, free

    return means(game.start())


def nonsense(p: Any) -> float:
    """Any number between 0 and 1, always the same for a position."""
    return hash(p) % 9973 / 9973


@pytest.mark.parametrize("game", a_few(WITHOUT_LOOPS, 6), ids=repr)
@pytest.mark.parametrize("level", [pytest.param("random", marks=in_ci), "medium", pytest.param("perfect", marks=in_ci)])
def test_over_all_games_the_mean_is_the_same_whatever_luck_is_valued_with(game: Game[Any], level: str) -> None:
    solution = nq.solve(game)
    for seat in (0, 1):
        odds = (None, PLAYERS[level].odds) if seat == 0 else (PLAYERS[level].odds, None)
        pair = Pair("easy", level) if seat == 0 else Pair(level, "easy")
        worths = [lambda p: solution.value_for(0, p), everywhere(game, pair).first, nonsense]
        for worth in worths:
            raw, free = expected(game, seat, Luck(game, worth, odds), level)
            assert free == pytest.approx(raw, abs=1e-9)
        # Of an opponent whose odds nobody knows, only chance is taken out.
        raw, free = expected(game, seat, Luck(game, worths[1], (None, None)), level)
        assert free == pytest.approx(raw, abs=1e-9)


@pytest.mark.parametrize("game", [*SMALL, *(pytest.param(game, marks=in_ci) for game in CLASSIC)], ids=repr)
@pytest.mark.parametrize("seat", [0, 1])
def test_against_perfect_with_the_values_of_best_play_the_start_less_the_regret_is_left(
    game: Game[Any], seat: int
) -> None:
    contest, solution = Contest(game, "identity"), nq.solve(game)
    runner = ContestRunner(contest, {"odd": Odd(), "perfect": PLAYERS["perfect"]})
    perfect = PLAYERS["perfect"].odds
    odds = (None, perfect) if seat == 0 else (perfect, None)
    luck = Luck(game, lambda p: solution.value_for(0, p), odds)
    judge = Judge(game, solution)
    start = solution.value_for(seat, game.start())
    seen = set()
    for deal in range(15):
        row = runner.play(Job("odd", "perfect", deal, seat))
        positions = positions_of(game, row.history)
        left = without_luck(Fraction(row.result or 0), luck.of(positions), seat)
        regret = sum((d.loss for d in judge.decisions(row, positions, seat)), start=Fraction(0))
        if isinstance(start, int | Fraction):
            assert left == start - regret
        else:
            # Floating point: the last digits are rounded, and a game may be cut short where it need not end.
            assert float(left) == pytest.approx(float(start - regret), abs=1e-9)
        seen.add(row.history)
    assert len(seen) > 1


def test_what_the_agent_chose_itself_is_never_touched() -> None:
    game = nq.game("sumquest")
    luck = Luck(game, nonsense, (None, PLAYERS["random"].odds))
    start = game.start()
    mine = game.play(start, "5")
    assert luck.of([start, mine]) == 0
    assert luck.of([mine, game.play(mine, "4")]) != 0


@given(st.sampled_from(SMALL), st.sampled_from(list(PLAYERS)), st.integers(0, 1), st.integers(0, 10**6))
def test_luck_adds_up_step_by_step(game: Game[Any], level: str, seat: int, deal: int) -> None:
    row = ContestRunner(Contest(game, "steps"), {"odd": Odd(), level: PLAYERS[level]}).play(
        Job("odd", level, deal, seat)
    )
    odds = PLAYERS[level].odds
    luck = Luck(game, nonsense, (None, odds) if seat == 0 else (odds, None))
    positions = positions_of(game, row.history)
    steps = [luck.of(positions[at : at + 2]) for at in range(len(positions) - 1)]
    assert float(luck.of(positions)) == pytest.approx(float(sum(steps)), abs=1e-9)


@pytest.mark.parametrize("level", list(PLAYERS))
def test_a_level_is_nearest_to_itself(level: str) -> None:
    game = nq.game("sumquest")
    judge = Judge(game, nq.solve(game))
    runner = ContestRunner(Contest(game, "near"), {level: PLAYERS[level], "hard": PLAYERS["hard"]})
    decisions = []
    for deal in range(100):
        row = runner.play(Job(level, "hard", deal, deal % 2))
        decisions += judge.decisions(row, positions_of(game, row.history), deal % 2)
    assert nearest_level(decisions) == level


def test_of_nobody_the_strongest_level_is_nearest() -> None:
    assert nearest_level([]) == "perfect"


def test_draws_count_half_and_games_that_need_not_end_are_measured_too() -> None:
    game = PIG(target=6)
    rows = [ContestRunner(Contest(game, "pig"), {"odd": Odd()}).play(Job("odd", "odd", deal, 0)) for deal in range(5)]
    assert all(row.result in (0, 0.5, 1) for row in rows)
