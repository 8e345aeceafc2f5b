"""A player that learns on an accelerator, from nothing to nearly perfect: half a million games at a time, by itself.

    pip install '.[jax]'            and JAX for your card
    python examples/device_learner.py         learn `fifty` and `mystic`, and sit the exam on the way

It keeps one number for every situation in which somebody has just moved: the chance of whoever is next. At each turn
it looks at what every move leads to, makes the one that leaves the opponent the smallest chance (or, half of the time,
any move, so that it also meets what good players avoid), and brings the number of the situation it came from nearer
to the best that it saw. Nobody tells it anything but who has won. This is the learning by temporal differences that
made backgammon programs strong, with a table where they had a network.

Everything, games and table, stays on the device: the rules are those of `numberquest.envs.jax`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from math import floor, log2
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import numberquest as nq
from numberquest.core.stream import Dice
from numberquest.envs.jax import Core
from numberquest.players.named import CustomPlayer
from numberquest.solver.pool_recurrence import Pools
from numberquest.study.exam.making import published
from numberquest.study.exam.sitting import Answer, scores, sit

GAMES = ("fifty", "mystic")
CURIOUS = 0.5
"""So often it makes any move instead of the best."""
STEPS = 32
"""So many moves in every game are one piece of work for the device."""
SLOWEST = 0.002
"""How far a chance still moves towards what came at the end, where luck plays a part."""
LOOKS = (0, 0.01, 0.03, 0.1, 0.3, 0.6, 1)
"""When it sits the exam, as parts of all that it learns."""


class Learner:
    """One game under one rule set: many games against itself, and a table of what it has learnt from them."""

    def __init__(self, game: nq.Game[Any], games: int, seed: int = 1) -> None:
        self.game, self.games, self.played = game, games, 0
        self.core = Core(game)
        self._key = jax.random.key(seed)
        # The arrays of a state: which numbers are left, then both scores with whose turn it is, in one number.
        self.width = 2 * int(game.settings["target"]) ** 2
        fresh = self.core.tables.fresh(games)
        size = (int(fresh[0][0]) + 1) * self.width
        self._carried = (
            jnp.full(size, 0.5, jnp.float32),
            jnp.zeros(size, jnp.int32),
            self.core.init(self._next_key(), games),
            self.place(fresh),
        )

    def _next_key(self) -> Any:
        self._key, key = jax.random.split(self._key)
        return key

    def place(self, state: Any) -> Any:
        """Where in the table these situations stand: nothing is revealed in them yet."""
        return state[0] * self.width + state[1]

    def learn(self, done: float) -> None:
        """Some moves in every game; `done` is how much of all learning is over, from 0 to 1."""
        # Without luck what it sees is what there is. With it, many of them have to be averaged, at the end more.
        slow = 0.2 * (SLOWEST / 0.2) ** done if self.game.chance else 1.0
        self._carried, ended = _learnt(self, self._carried, self._next_key(), jnp.float32(slow))
        self.played += int(ended)

    @property
    def chances(self) -> Any:
        """The table: the chance of whoever is next."""
        return self._carried[0]


def _moves_and_learns(learner: Learner, carried: Any, key: Any, slow: Any) -> Any:
    core, start = learner.core, learner.place(learner.core.tables.fresh(()))

    def step(carried: Any, key: Any) -> Any:
        chances, times, state, came_from = carried
        curious, any_move, then = jax.random.split(key, 3)

        # What every move would lead to. The opponent's chance there is what one does not have oneself.
        def looked_at(action: Any) -> Any:
            _, stepped = core.step(state, jnp.broadcast_to(action, came_from.shape), then)
            return stepped.final, stepped.rewards, stepped.ended

        final, rewards, ended = jax.vmap(looked_at)(jnp.arange(core.actions))
        allowed = core.mask(state).T
        theirs = chances[jnp.where(allowed & ~ended, learner.place(final), 0)]
        worth = jnp.where(ended, (rewards + 1) / 2, 1 - theirs)
        worth = jnp.where(allowed, worth, -1)

        # Many games may come from the same situation at once: they move its number by their average.
        before = times[came_from]
        times = times.at[came_from].add(1)
        now = times[came_from]
        together = now - before
        rate = jnp.maximum(together / now, slow) / together
        chances = chances.at[came_from].add(rate * (worth.max(axis=0) - chances[came_from]))

        explores = jax.random.uniform(curious, came_from.shape) < CURIOUS
        action = jnp.where(explores, core.sample(state, any_move), worth.argmax(axis=0))
        state, stepped = core.step(state, action, then)
        came_from = jnp.where(stepped.ended, start, learner.place(stepped.final))
        return (chances, times, state, came_from), stepped.ended.sum()

    carried, ended = jax.lax.scan(step, carried, jax.random.split(key, STEPS))
    return carried, ended.sum()


_learnt = jax.jit(_moves_and_learns, static_argnums=0, donate_argnums=1)


class Learned:
    """The player: makes a move that leaves the opponent the smallest chance. It tells its odds, so no luck is in it."""

    def __init__(self, game: nq.Game[Any], chances: Any) -> None:
        self._game, self._chances = game, chances
        self._target = int(game.settings["target"])
        self._weights = Pools(int(game.settings["high"]), int(game.settings["copies"])).weights()

    def place(self, position: Any) -> int:
        """Where in the table a position stands in which somebody has just moved."""
        left, (first, second) = position[0], position[1]
        pool = sum(self._weights[number] for number in left)
        return int(((pool * 2 + self._game.turn(position)) * self._target + first) * self._target + second)

    def odds(self, game: nq.Game[Any], position: Any) -> dict[str, float]:
        """The best moves, each alike."""
        worth = {move: self._worth(game.play(position, move), game.player(position)) for move in game.moves(position)}
        best = [move for move, chance in worth.items() if chance >= max(worth.values()) - 1e-6]
        return dict.fromkeys(best, 1 / len(best))

    def _worth(self, after: Any, player: int) -> float:
        outcome = self._game.outcome(after)
        return 1 - float(self._chances[self.place(after)]) if outcome is None else float(outcome.worth(player))

    def choose(self, game: nq.Game[Any], position: Any, dice: Dice) -> str:
        """One of them."""
        return dice.choose(list(self.odds(game, position)))


def exam(learner: Learner) -> list[Answer]:
    """Its answers to the questions of the published exam about these rules."""
    player = CustomPlayer("learned", Learned(learner.game, np.asarray(learner.chances)))
    return list(sit([one for one in published().questions if one.game == learner.game], player, lambda _: None))


def looks(learner: Learner, seconds: float) -> Iterator[tuple[int, list[Answer]]]:
    """Learn for so long; on the way, how many games that were and what it answers then."""
    learned = 0.0
    for part in LOOKS:
        while learned < part * seconds:
            began = time.perf_counter()
            learner.learn(learned / seconds)
            learned += time.perf_counter() - began
        yield learner.played, exam(learner)


def curves(found: dict[str, Sequence[tuple[float, float]]], title: str) -> str:
    """The score of each game by how much it has learnt, as SVG; the scale is stretched towards 100."""

    def x(part: float) -> float:
        return 60 + 380 * LOOKS.index(part) / (len(LOOKS) - 1)

    def y(score: float) -> float:
        # What is missing to 100 halves from line to line.
        return 40 + 200 * (1 - min(1.0, log2(100 / max(100 - score, 0.1)) / 10))

    parts = [
        f'<line x1="60" x2="440" y1="{y(score):.1f}" y2="{y(score):.1f}" class="scale"/>'
        f'<text x="52" y="{y(score) + 4:.1f}" text-anchor="end">{score:g}</text>'
        for score in (0, 50, 75, 90, 95, 98, 99, 99.5, 99.9)
    ]
    parts += [f'<text x="{x(part):.1f}" y="262" text-anchor="middle">{100 * part:g} %</text>' for part in LOOKS]
    for at, (game, points) in enumerate(found.items()):
        line = " ".join(f"{x(part):.1f},{y(score):.1f}" for part, score in points)
        parts.append(f'<polyline points="{line}" class="line{at}"/>')
        for part, score in points:
            said = f"<title>{game}, {100 * part:g} % learnt: {score:.2f}</title>"
            if at:
                corner = f'x="{x(part) - 4:.1f}" y="{y(score) - 4:.1f}" width="8" height="8"'
                parts.append(f'<rect {corner} class="dot{at}">{said}</rect>')
            else:
                parts.append(f'<circle cx="{x(part):.1f}" cy="{y(score):.1f}" r="4" class="dot{at}">{said}</circle>')
        name = f"{'■' if at else '●'} {game}: {_short(points[-1][1])}"
        parts.append(f'<text x="70" y="{56 + 18 * at}" class="name{at}">{name}</text>')
    style = (
        "text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:14px;fill:#1b1f24}"
        ".scale{stroke:#d0d7de}.line0,.line1{fill:none;stroke-width:2}.line0{stroke:#0b5cad}.line1{stroke:#b35900}"
        ".dot0,.name0{fill:#0b5cad}.dot1,.name1{fill:#b35900}.back{fill:#fff}"
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 470 300" width="470" height="300" role="img" '
        f'aria-label="{title}">\n<title>{title}</title>\n<style>{style}</style>\n'
        f'<rect width="470" height="300" class="back"/>\n<text x="14" y="22" class="title">{title}</text>\n{body}\n'
        f'<text x="250" y="286" text-anchor="middle">how much of it is learnt</text>\n</svg>\n'
    )


def _short(score: float) -> str:
    """Two digits, never rounded up: only what is perfect is 100."""
    return f"{floor(100 * score) / 100:.2f}"


def main() -> None:
    """Learn each game under the rules that the exam asks about, sit the exam on the way, and draw how it went."""
    options = argparse.ArgumentParser(description="Learn two games on an accelerator, and look how good that gets.")
    options.add_argument("--seconds", type=float, default=300, help="how long to learn, for all rules together (300)")
    options.add_argument("--games", type=int, default=1 << 19, help="games at once (524288)")
    options.add_argument("--plot", type=Path, default=Path("device_learner.svg"), help="where the curves go")
    asked = options.parse_args()
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}, {asked.games:,} games at once", flush=True)
    found: dict[str, Sequence[tuple[float, float]]] = {}
    began = time.perf_counter()
    for slug in GAMES:
        rules = {question.game for question in published().questions if question.game.slug == slug}
        # What has more situations gets more time, but not in full proportion.
        shares = {game: _size(game) ** 0.5 for game in sorted(rules, key=_size)}
        answers: list[list[Answer]] = [[] for _ in LOOKS]
        for game, share in shares.items():
            learner = Learner(game, asked.games)
            for at, (played, said) in enumerate(looks(learner, asked.seconds / 2 * share / sum(shares.values()))):
                answers[at] += said
                score = scores(said).total.score
                print(f"{game!r:60} {played:>16,} games  exam {score:7.2f}", flush=True)
        found[slug] = [(part, scores(said).total.score or 0.0) for part, said in zip(LOOKS, answers, strict=True)]
        last = scores(answers[-1]).total
        print(f"{slug}: {last.score:.2f} ({last.low:.2f} to {last.high:.2f})", flush=True)
    print(json.dumps(found), flush=True)
    print(f"{time.perf_counter() - began:.0f} s in all, with compiling and the exams", flush=True)
    asked.plot.write_text(curves(found, "A player that learns from nothing: its score in the exam"))


def _size(game: nq.Game[Any]) -> int:
    pools = Pools(int(game.settings["high"]), int(game.settings["copies"])).number
    return pools * int(game.settings["target"]) ** 2


if __name__ == "__main__":
    main()
