"""Intervals hold the truth, also of agents that hardly ever slip: that of `luck_free`, and that of the exam."""

from typing import Any

import numpy as np
import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.solver.graph import graph_of, itself
from numberquest.study.evaluation import Evaluation
from numberquest.study.game import Contest, Row
from tests.torture import exam_coverage
from tests.torture.campaign import length
from tests.torture.coverage import DEALS, GAMES, HOLDS, RARELY, REPEATS, SLIPS, Simulated, Slipping, cells, evaluated

LONG = length(0, 1)
NOISE = 0.0 if LONG else 0.03
"""With so few repeats as in the short form, one may miss by chance."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", [*GAMES, RARELY], ids=repr)
@pytest.mark.parametrize("worst", [False, True], ids=["any", "worst"])
def test_the_interval_without_luck_holds_for_agents_that_slip_rarely(game: Game[Any], *, worst: bool) -> None:
    slips, deals = (SLIPS, DEALS) if LONG else ((0.01,), (100,))
    for slip in slips:
        for number in deals:
            for cell in cells(game, slip, number, length(60, REPEATS), worst=worst):
                assert cell.holds >= HOLDS - NOISE, cell
                assert cell.is_fine or game == RARELY or not LONG, cell


@pytest.mark.parametrize("kind", ["any", "worst"] if LONG else ["any"])
@pytest.mark.parametrize("slip", exam_coverage.SLIPS if LONG else [0.03])
def test_the_interval_of_the_exam_holds_in_all_and_of_each_game_for_agents_that_slip_rarely(
    slip: float, kind: str
) -> None:
    for cell in exam_coverage.cells(slip, length(15, exam_coverage.SITTINGS), kind):
        assert cell.holds >= exam_coverage.HOLDS - NOISE, cell


def test_what_is_simulated_is_what_evaluate_says() -> None:
    game, dice = nq.game("mystic", target=8, high=4, copies=1), np.random.default_rng(4)
    agents = [Slipping(game, "hard", seat, 0.1) for seat in (0, 1)]
    both = [agent.play(60, dice) for agent in agents]
    rows = [row for agent, played in zip(agents, both, strict=True) for row in rows_of(agent, played)]
    said = Evaluation(Contest(game, "1"), "me", ["hard"], rows, silently).rows
    for seat, (now, _) in enumerate(evaluated(both, slice(0, 60))):
        assert (said[seat]["luck_free_low"], said[seat]["luck_free_high"]) == pytest.approx(tuple(now), abs=1e-5)
        assert said[seat]["luck_free_low"] <= agents[seat].truth <= said[seat]["luck_free_high"]


def rows_of(agent: Slipping, played: Simulated) -> list[Row]:
    """The simulated games as they stand in a folder of `evaluate`."""
    p, places = agent.positions, list(graph_of(agent.game, itself).numbers)
    histories: list[list[str]] = [[] for _ in played.result]
    for going, moves in played.path:
        for game, move in zip(going.tolist(), moves.tolist(), strict=True):
            here = int(p.source[move])
            histories[game].append(agent.game.moves(places[p.order[here]])[move - int(p.starts[here])])
    return [
        Row("me", agent.opponent, deal, agent.seat, float(result), tuple(history))
        for deal, (result, history) in enumerate(zip(played.result, histories, strict=True))
    ]
