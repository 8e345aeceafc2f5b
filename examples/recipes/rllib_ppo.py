"""PPO of RLlib learns `sumquest` against `easy`, and is then examined.

    pip install '.[gymnasium]' 'ray[rllib]' torch
    python examples/recipes/rllib_ppo.py

RLlib's own module for masked actions wants the observation and the mask in one dictionary, under the names
`observations` and `action_mask`. What it reached: docs/frameworks.md.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from measured import GAME, Encoder, Report
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import numberquest.envs.gymnasium as quest


class Masked(gymnasium.Wrapper[Any, Any, Any, Any]):
    """One learner in a seat drawn for each game, with the mask in the observation."""

    def __init__(self, config: Any = None) -> None:
        solo = quest.SoloEnv(GAME, opponent="easy")
        super().__init__(solo)
        self.encode = Encoder(solo.observer)
        self.observation_space = gymnasium.spaces.Dict(
            {
                "action_mask": gymnasium.spaces.Box(0, 1, (len(solo.game.actions),), np.float32),
                "observations": gymnasium.spaces.Box(0, 1, (self.encode.size,), np.float32),
            }
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game."""
        row, info = self.env.reset(seed=seed, options=options)
        return self._seen(row, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """The learner's move, and the answer to it."""
        row, reward, over, cut, info = self.env.step(action)
        return self._seen(row, info), reward, over, cut, info

    def _seen(self, row: Any, info: dict[str, Any]) -> Any:
        return {"action_mask": info["action_mask"].astype(np.float32), "observations": self.encode(row)}


def main() -> None:
    """Train, and look four times how good it is."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--steps", type=int, default=96_000, help="moves to learn from (96000)")
    options.add_argument("--deals", type=int, default=100, help="deals to measure with (100)")
    asked = options.parse_args()
    torch.set_num_threads(1)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    a_round = min(4000, max(asked.steps // 4, 128))
    config = (
        PPOConfig()
        .environment(Masked)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .learners(num_learners=0)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [128, 128], "head_fcnet_activation": "relu"},
            )
        )
        .training(
            lr=1e-3,
            gamma=1.0,
            train_batch_size=a_round,
            minibatch_size=min(1000, a_round),
            num_epochs=4,
            entropy_coeff=0.01,
        )
        .debugging(seed=1, log_level="ERROR")
    )
    algorithm = config.build_algo()
    encode = Encoder(quest.SoloEnv(GAME).observer)

    def policy(row: Any, mask: Any) -> int:
        seen = {
            "action_mask": torch.as_tensor(mask[None].astype(np.float32)),
            "observations": torch.as_tensor(encode(row)[None]),
        }
        with torch.no_grad():
            out = algorithm.get_module().forward_inference({Columns.OBS: seen})
        return int(out[Columns.ACTION_DIST_INPUTS][0].argmax())

    report = Report(asked.deals)
    report.say(0, policy)
    rounds = max(1, asked.steps // (4 * a_round))
    for look in range(1, 5):
        for _ in range(rounds):
            algorithm.train()
        report.say(look * rounds * a_round, policy)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
