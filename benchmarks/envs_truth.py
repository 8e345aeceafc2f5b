"""Many learners at once with the truth: against `perfect`, and told the regret of every move, on one core.

Beside each stands the same environment asking game by game, as it does where the tables do not fit. A learner moves at
random; its own choice is not counted. Time is that of the processor.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from benchmarks.row import Row
from numberquest.core.registry import GAMES
from numberquest.solver import TooLarge

GOAL: Final = 1e6
"""Steps a second, in every game and every way."""
ASKED: Final = "game by game"
SIZE, FEW = 8192, 256
"""How many games; and how many where each is asked about, which is no faster with more."""
ROUNDS = 5
SECONDS = 0.4
WAYS: Final[dict[str, dict[str, Any]]] = {
    "perfect": {"opponent": "perfect"},
    "regret": {"regret": True},
    "perfect, regret": {"opponent": "perfect", "regret": True},
}


def measure() -> list[Row]:
    """Steps of learners per second, each with the opponent's answer."""
    rows = []
    for slug in GAMES.own:
        for way, options in WAYS.items():
            looked_up, asked = _learners(slug, SIZE, options), _learners_asking(slug, options)
            rates: tuple[list[float], list[float]] = [], []
            for _ in range(ROUNDS):
                for found, play in zip(rates, (looked_up, asked), strict=True):
                    found.append(_rate(play))
            ours, reference = (statistics.median(found) for found in rates)
            # The goal is a rate; beside what it is measured against that is a ratio.
            rows.append(Row(f"{slug}: {way}", ours / 1e3, reference / 1e3, ASKED, "k/s", GOAL / reference))
    return rows


def _learners_asking(slug: str, options: dict[str, Any]) -> Callable[[], float]:
    def too_large(*_: object) -> None:
        raise TooLarge("not to be looked up here")

    with patch("numberquest.envs.batch.truth_of", too_large):
        return _learners(slug, FEW, options)


def _learners(slug: str, size: int, options: dict[str, Any]) -> Callable[[], float]:
    """One step of so many learners; returns how long it took, for each of them."""
    from numberquest.envs.vector import NumberQuestVectorEnv

    env = NumberQuestVectorEnv(slug, size, **options)
    dice = np.random.default_rng(1)
    masks = env.reset(seed=1)[1]["action_mask"]

    def play() -> float:
        nonlocal masks
        # Any will do for a game that begins anew.
        actions = (dice.random(masks.shape, np.float32) * masks).argmax(axis=1)
        start = time.process_time()
        masks = env.step(actions)[-1]["action_mask"]
        return (time.process_time() - start) / size

    return play


def _rate(play: Callable[[], float]) -> float:
    steps, cost, start = 0, 0.0, time.process_time()
    while time.process_time() - start < SECONDS:
        cost += play()
        steps += 1
    return steps / cost


if __name__ == "__main__":
    for row in measure():
        print(row.line())
