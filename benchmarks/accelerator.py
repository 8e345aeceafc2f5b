"""Random play on an accelerator, compiled by JAX, beside Pgx's `tic_tac_toe` in the same run; prints a table.

    python -m benchmarks.accelerator --batch 1048576

A move of ours samples an allowed action for every game, plays it, adds up what was won, and begins anew what has
ended, all in one `lax.scan`. `with the observation` writes out what the player to move sees after every move, as a
learner keeps it; `with the regret` adds up what every move has lost against best play; and in `perfect against
random` the first player makes perfect moves. Pgx does the same as the first, compiled in the same way, with the
sampling of its own examples and with a leaner one; its step makes its observation too. The medians of rounds in turns
are compared. Where JAX finds no accelerator the processor does it, with the same code.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import jax
import jax.numpy as jnp

from numberquest.core.registry import GAMES
from numberquest.envs.jax import Core

PGX: Final = "Pgx tic_tac_toe"
LEAN: Final = "Pgx with leaner sampling"
SEEN: Final = ", with the observation"
LOST: Final = ", with the regret"
PERFECT: Final = ", perfect against random"
KINDS: Final = ("", SEEN, LOST, PERFECT)
GOALS: Final = {"fifty": 9.0, "sumquest": 9.0}
"""How many times as fast as Pgx; elsewhere the first of the two below."""
GOAL, GOAL_SEEN_BILLIONS = 4.0, 5.0
GOALS_BILLIONS: Final = {"fifty": 25.0}


def main() -> int:
    """Measure, print, and exit with 1 if a goal was missed on an accelerator."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accelerator", description=__doc__)
    parser.add_argument("--batch", type=int, default=1 << 20, metavar="N", help="how many games at once")
    parser.add_argument("--steps", type=int, default=256, metavar="N", help="how many moves in one compiled call")
    parser.add_argument("--unroll", type=int, default=8, metavar="N", help="how many of them are compiled in one piece")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="the median of so many is taken")
    parser.add_argument("--keys", default="threefry2x32", metavar="KIND", help="JAX's kind of random keys")
    parser.add_argument("--games", nargs="+", default=GAMES.own, metavar="GAME", help="which games")
    parser.add_argument("--without-pgx", action="store_true", help="ours alone")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of the table")
    options = parser.parse_args()
    card = jax.devices()[0]
    plays = dict(_all(options))
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(options.rounds):
        for name, play in plays.items():
            rates[name].append(play())
    medians = {name: statistics.median(found) for name, found in rates.items()}
    if options.json:
        print(json.dumps({"card": card.device_kind, **vars(options), "rates": medians}))
        return 0
    print(f"{card.device_kind} ({card.platform}), JAX {jax.__version__}, {options.batch:,} games at once")
    print(f"{'moves a second':<44}{'billions':>10}{'times Pgx':>12}{'lowest':>10}{'highest':>10}")
    missed = 0
    for name, rate in medians.items():
        ratio = rate / medians[PGX] if PGX in medians else float("nan")
        low, high = min(rates[name]), max(rates[name])
        reached = None if card.platform == "cpu" else _reached(name, rate / 1e9, ratio)
        missed += reached is False
        verdict = "" if reached is None else "  reached" if reached else "  MISSED"
        print(f"{name:<44}{rate / 1e9:>10.2f}{ratio:>12.2f}{low / 1e9:>10.2f}{high / 1e9:>10.2f}{verdict}")
    return int(missed > 0)


def _reached(name: str, billions: float, ratio: float) -> bool | None:
    """Whether a goal was reached; None where there is none."""
    if name.startswith("Pgx") or name.endswith((LOST, PERFECT)):
        return None
    if name.endswith(SEEN):
        return billions >= GOAL_SEEN_BILLIONS
    if math.isnan(ratio):
        return None
    return billions >= GOALS_BILLIONS.get(name, 0) and ratio >= GOALS.get(name, GOAL)


def _all(options: argparse.Namespace) -> Iterator[tuple[str, Callable[[], float]]]:
    if not options.without_pgx:
        yield PGX, _timed("Pgx", _pgx, options)
        yield LEAN, _timed("Pgx, leaner", partial(_pgx, lean=True), options)
    for kind in KINDS:
        for slug in options.games:
            yield slug + kind, _timed(slug + kind, partial(ours, slug, kind=kind), options)


Played = tuple[Any, "Callable[[Any, Any], Any]", int]
"""Where it starts, what plays on from there with a key, and how many moves of each game that makes."""


def _timed(name: str, make: Callable[[argparse.Namespace], Played], options: argparse.Namespace) -> Callable[[], float]:
    """Compiled, and played once; each call then gives the moves a second of one more time."""
    started = time.perf_counter()
    carried, play, steps = make(options)
    key = jax.random.fold_in(jax.random.key(1, impl=options.keys), 0)
    carried = jax.block_until_ready(play(carried, key))
    print(f"compiled {name} in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    calls = 0

    def once() -> float:
        nonlocal carried, calls
        start, count = time.perf_counter(), 0
        # As often as it takes for the clock to be of no account.
        while count == 0 or time.perf_counter() - start < 0.1:
            calls += 1
            count += 1
            carried = jax.block_until_ready(play(carried, jax.random.fold_in(key, calls)))
        moves: int = options.batch * steps * count
        return moves / (time.perf_counter() - start)

    return once


def ours(slug: str, options: argparse.Namespace, kind: str = "") -> Played:
    """One of our games."""
    core, size = Core(slug), options.batch
    # What is seen in all moves of a call must find room on the card.
    steps = min(options.steps, 32) if kind == SEEN else options.steps

    def one(carried: Any, keys: Any) -> Any:
        state, won, lost = carried
        action = core.sample(state, keys[0])
        if kind == PERFECT:
            best = core.perfect(state, jax.random.fold_in(keys[0], 1))
            action = jnp.where(core.player(state) == 0, best, action)
        if kind == LOST:
            lost = lost + core.regret(state, action)
        state, stepped = core.step(state, action, keys[1])
        return (state, won + stepped.rewards, lost), core.observe(state) if kind == SEEN else None

    def play(carried: Any, key: Any) -> Any:
        keys = jax.random.split(key, (steps, 2))
        carried, rows = jax.lax.scan(one, carried[:3], keys, unroll=options.unroll if kind == "" else 1)
        return *carried, rows

    start = core.init(jax.random.key(0), size), jnp.zeros(size, jnp.int8), jnp.zeros(size, jnp.float32)
    # What was seen before is overwritten, not kept beside it.
    rows = jnp.zeros((steps, size, core.observer.size), jnp.float32) if kind == SEEN else None
    return (*start, rows), jax.jit(play, donate_argnums=0), steps


def _pgx(options: argparse.Namespace, lean: bool = False) -> Played:
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env, size = pgx.make("tic_tac_toe"), options.batch
    step = jax.vmap(auto_reset(env.step, env.init), in_axes=(0, 0, None if lean else 0))
    # Slower by much, so that fewer moves take long enough.
    steps = max(options.steps // 8, 1)

    def any_action(key: Any, masks: Any) -> Any:
        if not lean:
            return jax.random.categorical(key, jnp.log(masks.astype(jnp.float32)), axis=1)
        so_far = jnp.cumsum(masks, axis=1, dtype=jnp.int32)
        chosen = jnp.floor(jax.random.uniform(key, (size,)) * so_far[:, -1]).astype(jnp.int32)
        return jnp.argmax(so_far > chosen[:, None], axis=1)

    def one(state: Any, keys: Any) -> Any:
        actions = any_action(keys[0], state.legal_action_mask)
        return step(state, actions, keys[1] if lean else jax.random.split(keys[1], size)), None

    def play(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, state, jax.random.split(key, (steps, 2)))[0]

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), size))
    return start, jax.jit(play, donate_argnums=0), steps


if __name__ == "__main__":
    sys.exit(main())
