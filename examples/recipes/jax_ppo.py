"""PPO in one file, as CleanRL writes it, learns `sumquest` from games against itself; all of it is compiled.

    pip install '.[jax]'
    python examples/recipes/jax_ppo.py

The games are the pure functions of `numberquest.envs.jax`: a whole round, 256 games of 16 moves and what is learnt
from them, is one function of JAX, on the processor or on a card. Both players share a network. What is good for the
one who moves next is bad for the one who has moved, so that values change their sign from move to move. What it
reached: docs/frameworks.md.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from measured import GAME, Encoder, Report

from numberquest.envs.jax import Core

GAMES, MOVES, EPOCHS, PARTS = 256, 16, 4, 4
RATE, CLIP, LAMBDA, ENTROPY = 1e-3, 0.2, 0.95, 0.01
NEVER = -1e9


class Learner(NamedTuple):
    """The weights, and the means that Adam keeps of their slopes and of the squares of these."""

    weights: Any
    mean: Any
    square: Any
    steps: Any


def fresh(key: Any, sizes: list[int]) -> Learner:
    """A network that knows nothing."""
    keys = jax.random.split(key, len(sizes) - 1)
    weights = [
        (jax.random.normal(one, (rows, columns)) * (2 / rows) ** 0.5, jnp.zeros(columns))
        for one, rows, columns in zip(keys, sizes, sizes[1:], strict=False)
    ]
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return Learner(weights, zeros, zeros, jnp.zeros(()))


def network(weights: Any, seen: Any, mask: Any) -> tuple[Any, Any]:
    """The logarithm of how likely each action is, and the value for whoever is to move."""
    for matrix, bias in weights[:-1]:
        seen = jax.nn.relu(seen @ matrix + bias)
    out = seen @ weights[-1][0] + weights[-1][1]
    return jax.nn.log_softmax(jnp.where(mask, out[..., :-1], NEVER)), jnp.tanh(out[..., -1])


def adam(learner: Learner, slopes: Any) -> Learner:
    """One step of Adam."""
    steps = learner.steps + 1
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, learner.mean, slopes)
    square = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new**2, learner.square, slopes)
    rate = RATE * jnp.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
    weights = jax.tree.map(lambda w, m, s: w - rate * m / (jnp.sqrt(s) + 1e-5), learner.weights, mean, square)
    return Learner(weights, mean, square, steps)


def loss(weights: Any, part: Any) -> Any:
    """PPO's clipped objective, with the value's error and the entropy."""
    seen, mask, action, before, gain, aim = part
    chances, value = network(weights, seen, mask)
    taken = jnp.take_along_axis(chances, action[:, None], axis=1)[:, 0]
    ratio = jnp.exp(taken - before)
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    clipped = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
    entropy = -(jnp.exp(chances) * jnp.where(mask, chances, 0)).sum(axis=1)
    return (-jnp.minimum(ratio * gain, clipped * gain) + 0.5 * (value - aim) ** 2 - ENTROPY * entropy).mean()


@partial(jax.jit, static_argnums=(0, 1))
def learn(core: Core, encode: Any, learner: Learner, state: Any, key: Any) -> tuple[Learner, Any]:
    """One round: play, and learn from it."""
    playing, shuffling = jax.random.split(key)

    def move(state: Any, key: Any) -> tuple[Any, Any]:
        choosing, chance = jax.random.split(key)
        seen, mask = encode(core.observe(state)), core.mask(state)
        chances, value = network(learner.weights, seen, mask)
        action = jax.random.categorical(choosing, chances)
        taken = jnp.take_along_axis(chances, action[:, None], axis=1)[:, 0]
        after, stepped = core.step(state, action, chance)
        over = stepped.ended | stepped.truncated
        same = jnp.where(core.player(after) == core.player(state), 1.0, -1.0)
        return after, (seen, mask, action, taken, value, stepped.rewards.astype(jnp.float32), over, same)

    state, played = jax.lax.scan(move, state, jax.random.split(playing, MOVES))
    seen, mask, action, taken, values, rewards, over, same = played
    _, last = network(learner.weights, encode(core.observe(state)), core.mask(state))

    def back(ahead: Any, step: Any) -> tuple[Any, Any]:
        gain_ahead, value_ahead = ahead
        value, reward, over, same = step
        goes_on = jnp.where(over, 0.0, same)
        gain = reward + goes_on * value_ahead - value + LAMBDA * goes_on * gain_ahead
        return (gain, value), gain

    _, gains = jax.lax.scan(back, (jnp.zeros_like(last), last), (values, rewards, over, same), reverse=True)
    flat = jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:]), (seen, mask, action, taken, gains, gains + values))

    def epoch(learner: Learner, key: Any) -> tuple[Learner, None]:
        order = jax.random.permutation(key, GAMES * MOVES).reshape(PARTS, -1)

        def step(learner: Learner, these: Any) -> tuple[Learner, None]:
            part = jax.tree.map(lambda a: a[these], flat)
            return adam(learner, jax.grad(loss)(learner.weights, part)), None

        learner, _ = jax.lax.scan(step, learner, order)
        return learner, None

    learner, _ = jax.lax.scan(epoch, learner, jax.random.split(shuffling, EPOCHS))
    return learner, state


def main() -> None:
    """Train, and look four times how good it is."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--steps", type=int, default=1_000_000, help="moves to learn from (1000000)")
    options.add_argument("--deals", type=int, default=100, help="deals to measure with (100)")
    asked = options.parse_args()
    core = Core(GAME)
    encoder = Encoder(core.observer)
    places, numbers = jnp.array(encoder.places), jnp.array(encoder.values)

    def encode(seen: Any) -> Any:
        return (seen[..., places] == numbers).astype(jnp.float32)

    key = jax.random.key(1)
    learner = fresh(key, [encoder.size, 128, 128, core.actions + 1])
    state = core.init(key, GAMES)
    chances = jax.jit(network)

    def policy(row: Any, mask: Any) -> int:
        return int(np.argmax(chances(learner.weights, encoder(row), mask)[0]))

    report = Report(asked.deals)
    report.say(0, policy)
    rounds = max(1, asked.steps // (4 * GAMES * MOVES))
    for look in range(1, 5):
        for number in range(rounds):
            key = jax.random.fold_in(jax.random.key(2), look * rounds + number)
            learner, state = learn(core, encode, learner, state, key)
        report.say(look * rounds * GAMES * MOVES, policy)


if __name__ == "__main__":
    main()
