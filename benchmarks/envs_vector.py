"""Many learners at once against `random`: our vector environment beside Gymnasium's own, made of our single ones."""

import statistics
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from benchmarks.row import Row
from numberquest.core.registry import GAMES

PEER: Final = "SyncVectorEnv of our SoloEnv"
OURS, THEIRS = 8192, 64
"""How many games each has: theirs goes through them one by one, and is no faster with more."""
ROUNDS = 5
SECONDS = 0.4


def measure() -> list[Row]:
    """Steps of learners per second, each with the opponent's answer."""
    from gymnasium.vector import SyncVectorEnv

    from numberquest.envs.gymnasium import SoloEnv
    from numberquest.envs.vector import NumberQuestVectorEnv

    tries: dict[tuple[str, str], list[float]] = {}
    plays: dict[tuple[str, str], Callable[[], int]] = {}
    for slug in GAMES:
        plays[slug, "ours"] = _random_play(NumberQuestVectorEnv(slug, OURS))
        plays[slug, PEER] = _random_play(SyncVectorEnv([lambda slug=slug: SoloEnv(slug)] * THEIRS))  # type: ignore[misc]
    for _ in range(ROUNDS):
        for name, play in plays.items():
            tries.setdefault(name, []).append(_rate(play))
    medians = {name: statistics.median(rates) / 1000 for name, rates in tries.items()}
    return [Row(f"vector: {slug}", medians[slug, "ours"], medians[slug, PEER], PEER, "k/s", None) for slug in GAMES]


def _random_play(env: Any) -> Callable[[], int]:
    dice = np.random.default_rng(1)
    masks = env.reset(seed=1)[1]["action_mask"]

    def play() -> int:
        nonlocal masks
        # Any will do for a game that begins anew.
        actions = (dice.random(masks.shape, np.float32) * masks).argmax(axis=1)
        masks = env.step(actions)[-1]["action_mask"]
        return int(env.num_envs)

    return play


def _rate(play: Callable[[], int]) -> float:
    steps, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < SECONDS:
        steps += play()
    return steps / elapsed


if __name__ == "__main__":
    for row in measure():
        print(row.line())
