"""MaskablePPO of sb3-contrib learns `sumquest` against `easy`, and is then examined.

    pip install '.[gymnasium]' sb3-contrib
    python examples/recipes/maskable_ppo.py

The environment has the method `action_masks()` that MaskablePPO asks for, and the wrappers hand it on. What it
reached: docs/frameworks.md.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from measured import GAME, Encoder, Report
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import numberquest.envs.gymnasium as quest


def env() -> Any:
    """One learner in a seat drawn for each game, with observations of zeros and ones."""
    solo = quest.SoloEnv(GAME, opponent="easy")
    encode = Encoder(solo.observer)
    return gymnasium.wrappers.TransformObservation(solo, encode, gymnasium.spaces.Box(0, 1, (encode.size,), np.float32))


def main() -> None:
    """Train, and look four times how good it is."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--steps", type=int, default=200_000, help="moves to learn from (200000)")
    options.add_argument("--deals", type=int, default=100, help="deals to measure with (100)")
    asked = options.parse_args()
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([env] * 32),
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=1,
        device="cpu",
    )

    def policy(row: Any, mask: Any) -> int:
        action, _ = model.predict(encode(row), action_masks=mask, deterministic=True)
        return int(action)

    encode = Encoder(quest.SoloEnv(GAME).observer)
    report = Report(asked.deals)
    report.say(0, policy)
    for _ in range(4):
        model.learn(asked.steps // 4, reset_num_timesteps=False)
        report.say(model.num_timesteps, policy)


if __name__ == "__main__":
    main()
