"""DQN of Tianshou learns `sumquest` from games against itself, and is then examined.

    pip install '.[pettingzoo]' tianshou
    python examples/recipes/tianshou_dqn.py

With `mask_in_observation=True` Tianshou finds the mask where it looks for it, in the observation; otherwise it would
play moves that are not allowed. Both seats share one network. A return over two steps ends where the same player is to
move again: with one step, the network would take the opponent's position for its own. What it reached:
docs/frameworks.md.
"""

from __future__ import annotations

import argparse
import logging
from typing import Any

import numpy as np
import torch
from measured import GAME, Encoder, Report
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams

import numberquest.envs.pettingzoo as quest

GAMES = 32
"""So many are played at a time."""


class Network(torch.nn.Module):  # type: ignore[misc]
    """What each action is worth, from -1 to 1, by the observation."""

    def __init__(self, encode: Encoder, actions: int) -> None:
        super().__init__()
        self.encode = encode
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(encode.size, 128),
            torch.nn.ReLU(),
            torch.nn.Linear(128, 128),
            torch.nn.ReLU(),
            torch.nn.Linear(128, actions),
        )

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Any, Any]:
        """As Tianshou calls it."""
        return self.layers(torch.as_tensor(self.encode(obs))), state


def env() -> Any:
    """Both players' moves, each with the mask in the observation."""
    return PettingZooEnv(quest.env(GAME, mask_in_observation=True))


def main() -> None:
    """Train, and look four times how good it is."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--steps", type=int, default=60_000, help="moves to learn from (60000)")
    options.add_argument("--deals", type=int, default=100, help="deals to measure with (100)")
    asked = options.parse_args()
    # It would say after each round that the returns of two players are two columns.
    logging.getLogger("tianshou").setLevel(logging.ERROR)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    np.random.seed(1)  # where Tianshou draws its own chance from
    one = env()
    network = Network(Encoder(one.env.observer), one.action_space.n)
    learner = DQN(
        policy=DiscreteQLearningPolicy(
            model=network, action_space=one.action_space, eps_training=0.2, eps_inference=0.2
        ),
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
        n_step_return_horizon=2,
        target_update_freq=500,
    )
    both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, learner], env=one)
    played = Collector(both, DummyVectorEnv([env] * GAMES), VectorReplayBuffer(100_000, GAMES), exploration_noise=True)
    played.reset()

    def policy(row: Any, mask: Any) -> int:
        with torch.no_grad():
            worth, _ = network(row[None])
        return int(np.where(mask, worth[0].numpy(), -np.inf).argmax())

    report = Report(asked.deals)
    report.say(0, policy)
    for look in range(1, 5):
        both.run_training(
            OffPolicyTrainerParams(
                training_collector=played,
                max_epochs=1,
                epoch_num_steps=asked.steps // 4,
                collection_step_num_env_steps=256,
                batch_size=512,
                update_step_num_gradient_steps_per_sample=1 / 32,
                multi_agent_return_reduction=lambda returns: returns[:, 0],
                verbose=False,
                show_progress=False,
            )
        )
        report.say(look * (asked.steps // 4), policy)


if __name__ == "__main__":
    main()
