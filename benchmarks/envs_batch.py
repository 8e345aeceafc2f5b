"""Random play of thousands of games at once on one core, against the peers' own tic-tac-toe.

A step of ours samples an allowed action for every game, plays it, begins anew what has ended, and makes the masks
and the players to move: what a learner needs. Pgx does the same, compiled, with the sampling of its own examples;
its step makes the observation too, and further rows say what ours costs, and how fast Pgx is with a sampling that was
written for speed: one draw for each game, and one key for all that begin anew. Time is that of the processor: the
machine may be shared, and whoever is kept waiting is not slower for it.
"""

import os
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

from benchmarks import open_spiel_play
from benchmarks.row import Row
from numberquest.core.registry import GAMES, game
from numberquest.envs.batch import Batch

SIZE: Final = 8192
ROUNDS = 7
SECONDS = 0.4
PGX: Final = "Pgx tic_tac_toe, compiled"
SPIEL: Final = "OpenSpiel tic_tac_toe, C++"
ZOO: Final = "PettingZoo tictactoe_v3"
GOALS: Final = {PGX: 8.0, SPIEL: 30.0, ZOO: 1000.0}
LEAN: Final = "Pgx with leaner sampling"
ALONE, SEEN = "moves alone", "with the observation"
KINDS: Final = {"": (True, False), ALONE: (False, False), SEEN: (True, True)}
"""What a step makes besides the moves: the masks, and the observation."""


def measure() -> list[Row]:
    """Steps per second of each game beside each of the peers, all on one core, in turns."""
    before = os.sched_getaffinity(0)
    # Before JAX is imported, so that it counts one core too.
    os.sched_setaffinity(0, {max(before)})
    try:
        return _measure()
    finally:
        os.sched_setaffinity(0, before)


def _measure() -> list[Row]:
    plays: dict[str, Callable[[], int]] = {
        PGX: _pgx(),
        LEAN: _pgx(lean=True),
        SPIEL: _open_spiel(),
        ZOO: _petting_zoo(),
    }
    for slug in GAMES:
        plays |= {named(slug, kind): ours(slug, *asked) for kind, asked in KINDS.items()}
    tries: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(ROUNDS):
        for name, play in plays.items():
            tries[name].append(_rate(play))
    medians = {name: statistics.median(rates) / 1e3 for name, rates in tries.items()}
    rows = [
        Row(named(slug), medians[named(slug)], medians[peer], peer, "k/s", goal)
        for peer, goal in GOALS.items()
        for slug in GAMES
    ]
    # The rest is only to be seen beside it.
    others = [LEAN, *(named(slug, kind) for kind in KINDS if kind for slug in GAMES)]
    return rows + [Row(name, medians[name], medians[PGX], PGX, "k/s", None) for name in others]


def named(slug: str, kind: str = "") -> str:
    """What a row is called."""
    return f"batch of {SIZE:,}: {slug}{f', {kind}' if kind else ''}"


def ours(slug: str, masks: bool = True, observation: bool = False) -> Callable[[], int]:
    """A few steps of this game, to be called again and again."""
    batch = Batch(game(slug), SIZE, seed=1)

    def play() -> int:
        for _ in range(10):
            batch.step(batch.sample())
            if masks:
                _used(batch.masks, batch.players)
            if observation:
                _used(batch.observe())
        return 10 * SIZE

    return play


def _used(*_: object) -> None:
    """What was worked out is what a learner would be given."""


def _rate(play: Callable[[], int]) -> float:
    play()
    steps, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < SECONDS:
        steps += play()
    return steps / elapsed


def _pgx(lean: bool = False) -> Callable[[], int]:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("tic_tac_toe")
    step = jax.vmap(auto_reset(env.step, env.init), in_axes=(0, 0, None if lean else 0))

    def any_action(key: Any, masks: Any) -> Any:
        if not lean:
            return jax.random.categorical(key, jnp.log(masks.astype(jnp.float32)), axis=1)
        so_far = jnp.cumsum(masks, axis=1, dtype=jnp.int32)
        chosen = jnp.floor(jax.random.uniform(key, (SIZE,)) * so_far[:, -1]).astype(jnp.int32)
        return jnp.argmax(so_far > chosen[:, None], axis=1)

    def one(_: int, carried: Any) -> Any:
        state, key = carried
        key, for_action, for_step = jax.random.split(key, 3)
        actions = any_action(for_action, state.legal_action_mask)
        return step(state, actions, for_step if lean else jax.random.split(for_step, SIZE)), key

    # Ten steps in one compiled call: nothing of Python stands between them.
    ten = jax.jit(lambda carried: jax.lax.fori_loop(0, 10, one, carried))
    carried = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), SIZE)), jax.random.PRNGKey(2)

    def play() -> int:
        nonlocal carried
        carried = ten(carried)
        carried[1].block_until_ready()
        return 10 * SIZE

    return play


def _open_spiel() -> Callable[[], int]:
    import pyspiel

    rules, dice = pyspiel.load_game("tic_tac_toe"), random.Random(1)

    return lambda: open_spiel_play.play(rules, dice)


def _petting_zoo() -> Callable[[], int]:
    from pettingzoo.classic import tictactoe_v3

    env = tictactoe_v3.env()
    env.reset(seed=1)
    dice = random.Random(1)

    def play() -> int:
        env.reset()
        count = 0
        for _ in env.agent_iter():
            observation, _reward, over, cut, _info = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(dice.choice([action for action in range(len(mask)) if mask[action]]))
            count += 1
        return count

    return play
