"""How good is what a framework has trained? Its score in the exam, and what its choices give away.

A recipe brings a function that says, for an observation and the mask of allowed actions, which action it takes.
The exam's questions are those of the classic rules, for which the recipes train; regret is measured against `hard`, in
both seats of 100 deals.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import numberquest as nq
from numberquest.core.stream import Dice
from numberquest.envs.observation import Observer
from numberquest.players.named import CustomPlayer
from numberquest.study.evaluation import Evaluation, jobs_for
from numberquest.study.exam.making import published
from numberquest.study.exam.sitting import scores, sit
from numberquest.study.game import Contest, ContestRunner

Row = NDArray[Any]
Policy = Callable[[Row, Row], int]

GAME = "sumquest"


class Encoder:
    """Makes of each whole number a row of zeros with a one at its place: what follows from a sum is no smooth curve."""

    def __init__(self, observer: Observer) -> None:
        ranges = zip(observer.low.astype(int), observer.high.astype(int), strict=True)
        self.numbers = [(at, number) for at, (low, high) in enumerate(ranges) for number in range(low, high + 1)]
        self.places, self.values = np.array(self.numbers).T
        self.size = len(self.numbers)

    def __call__(self, rows: Row) -> Row:
        """Observations, one or many, as zeros and ones."""
        ones: Row = np.asarray(rows)[..., self.places] == self.values
        return ones.astype(np.float32)


class Trained:
    """A player as every room knows it, made of what a framework has trained."""

    def __init__(self, game: nq.Game[Any], policy: Policy) -> None:
        self.observer, self.policy = Observer(game), policy

    def choose(self, game: nq.Game[Any], position: Any, dice: Dice) -> str:
        """The action that the policy takes, as a move."""
        mask = np.isin(game.actions, game.moves(position))
        row = self.observer.see(position, game.player(position))
        return game.actions[int(self.policy(row, mask))]


def measured(policy: Policy, deals: int = 100) -> tuple[float, float]:
    """The score in the exam (random play 0, perfect 100), and the mean regret of the choices that mattered."""
    game = nq.game(GAME)
    player = CustomPlayer("trained", Trained(game, policy))
    questions = [question for question in published().questions if question.game == game]
    exam = scores(list(sit(questions, player, lambda _: None))).total
    contest = Contest(game, "1")
    runner = ContestRunner(contest, {"trained": player, "hard": nq.player("hard")})
    rows = [runner.play(job) for job in jobs_for("trained", ["hard"], range(deals))]
    both = Evaluation(contest, "trained", ["hard"], rows, lambda *_: None).rows[-1]
    return exam.score or 0.0, float(both["regret"])


class Report:
    """Says what was reached, and how long that took: one line for each look."""

    def __init__(self, deals: int = 100) -> None:
        self.deals, self.started, self.measuring = deals, time.process_time(), 0.0

    def say(self, steps: int, policy: Policy) -> None:
        """Measure it now; the time that takes is not counted."""
        began = time.process_time()
        spent = began - self.started - self.measuring
        score, regret = measured(policy, self.deals)
        self.measuring += time.process_time() - began
        print(f"{steps:>10,} steps {spent:>6.0f} s  exam {score:6.1f}  regret {100 * regret:5.2f} %", flush=True)
