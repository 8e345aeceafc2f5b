"""Random legal play, one game at a time, through PettingZoo and Gymnasium: ours beside an environment of theirs."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.row import Row
from numberquest.core.registry import GAMES

ROUNDS = 7
STEPS = 10_000
ZOO_PEER = "tictactoe_v3"
GYM_PEER = "Blackjack-v1"


def measure() -> list[Row]:
    """Steps per second of each game beside the peer's."""
    return [*_pettingzoo(), *_gymnasium()]


def _pettingzoo() -> list[Row]:
    # Straight from its file: the module `tictactoe_v3` gives the same function with a warning.
    from pettingzoo.classic.tictactoe.tictactoe import env as peer

    from numberquest.envs.pettingzoo import env

    medians = _medians({ZOO_PEER: peer(), **{slug: env(slug) for slug in GAMES}}, _play_in_turn)
    return [
        Row(f"PettingZoo: {slug}", medians[slug], medians[ZOO_PEER], f"PettingZoo {ZOO_PEER}", "k/s", 3.0)
        for slug in GAMES
    ]


def _gymnasium() -> list[Row]:
    import gymnasium

    import numberquest.envs.gymnasium  # noqa: F401 - importing it registers the games
    from numberquest.envs.arguments import id_of

    # As `make` gives them, with the same wrappers on both sides; the opponent is `random`.
    envs = {GYM_PEER: gymnasium.make(GYM_PEER), **{slug: gymnasium.make(id_of(slug)) for slug in GAMES}}
    medians = _medians(envs, _play_alone)
    return [
        Row(f"Gymnasium: {slug}", medians[slug], medians[GYM_PEER], f"Gymnasium {GYM_PEER}", "k/s", 2.0)
        for slug in GAMES
    ]


def _medians(envs: dict[str, Any], play: Callable[[Any, random.Random], None]) -> dict[str, float]:
    """Thousands of steps per second of each, taken in turns."""
    tries: dict[str, list[float]] = {name: [] for name in envs}
    for number in range(ROUNDS):
        for name, env in envs.items():
            # Other games in each round: what was worked out for the last one must not make this one faster.
            env.reset(seed=number)
            dice = random.Random(number)
            # The time of this process alone: what else the machine does is not ours to measure.
            start = time.process_time()
            play(env, dice)
            tries[name].append(STEPS / (time.process_time() - start) / 1000)
    return {name: statistics.median(rates) for name, rates in tries.items()}


def _play_in_turn(env: Any, dice: random.Random) -> None:
    """As PettingZoo's own performance benchmark does, but with allowed actions only."""
    env.reset()
    for _ in range(STEPS // 2):
        for _ in env.agent_iter(2):
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                raise RuntimeError("the game should have begun anew")
            mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
            env.step(dice.choice(np.flatnonzero(mask).tolist()))
            if all(env.terminations.values()) or all(env.truncations.values()):
                env.reset()


def _play_alone(env: Any, dice: random.Random) -> None:
    _, info = env.reset()
    for _ in range(STEPS):
        # The peer has no mask: both of its actions are always allowed.
        action = dice.choice(np.flatnonzero(info["action_mask"]).tolist()) if info else dice.randrange(2)
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
