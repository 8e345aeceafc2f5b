"""A player that learns: a table of chances, from games against itself, thousands at a time; and how good it gets.

    python examples/learner.py                learn for a minute on one core: learned.npz, and the curves
    numberquest exam --game mystic --who ./examples/learner.py:Learned
    numberquest evaluate mystic ./examples/learner.py:Learned --report learned.html

The table holds, for what it looks at of a position and for each move, the chance to win. After each move the chance
is brought a little nearer to what came: 1 for a win, 0 for a loss, and otherwise what is left when the opponent, too,
does what the table calls best. It looks at four numbers: how much each player needs, the number drawn, and how many
are left in the pile. Which ones are left it does not look at, so it cannot become perfect.
"""

from __future__ import annotations

import argparse
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import numberquest as nq
from numberquest.core.stream import Dice
from numberquest.envs.batch import Batch
from numberquest.envs.observation import Observer
from numberquest.players.named import CustomPlayer
from numberquest.study.evaluation import Evaluation, jobs_for
from numberquest.study.exam.making import published
from numberquest.study.exam.sitting import scores, sit
from numberquest.study.game import Contest, ContestRunner

Numbers = NDArray[Any]
Figures = dict[str, tuple[float, float, float]]
"""For each figure what it is, and where its interval begins and ends."""

GAME = "mystic"
RULES: tuple[dict[str, int], ...] = ({}, {"copies": 1}, {"target": 15, "high": 6}, {"target": 30})
"""The rules that it learns: those that the exam asks about."""
FILE = Path(__file__).with_name("learned.npz")
GAMES_AT_ONCE = 500
CURIOUS = 0.15
"""So often, in learning, it makes any move instead of the best."""
QUICK = 0.02
"""How far a chance moves towards what came, at the least."""
LOOKS = (0.002, 0.02, 0.06, 0.2, 1)
"""When it is measured, as parts of all that it learns."""
SHAPE = (32, 32, 10, 20)
"""More than each of the four numbers can be."""


class Table:
    """What it has learnt, by what it looks at and by the move."""

    def __init__(self) -> None:
        size = int(np.prod(SHAPE))
        # Nothing is known: every move is as good as any other.
        self.chances = np.full((size, 3), 0.5)
        self.times = np.zeros((size, 3))

    def rows(self, game: nq.Game[Any], observer: Observer, seen: Numbers) -> Numbers:
        """The row of the table for each of these observations."""
        mine, other, drawn = (seen[:, observer.at(name)].ravel() for name in ("mine", "other", "drawn"))
        left = seen[:, observer.at("unseen")].sum(axis=1)
        target = int(game.settings["target"])
        looked_at = target - mine, target - other, drawn, left
        return np.ravel_multi_index([part.astype(int) for part in looked_at], SHAPE, mode="clip")

    def learn(self, rows: Numbers, actions: Numbers, came: Numbers) -> None:
        """Bring the chances of these moves nearer to what came; one that was made often moves less."""
        places = rows * 3 + actions
        known, where = np.unique(places, return_inverse=True)
        number = np.bincount(where)
        mean = np.bincount(where, weights=came) / number
        self.times.flat[known] += number
        step = np.maximum(number / self.times.flat[known], QUICK)
        self.chances.flat[known] += step * (mean - self.chances.flat[known])


class Training:
    """Games against itself, under all the rules in turn."""

    def __init__(self, seed: int = 1) -> None:
        self.table = Table()
        self.batches = [Batch(nq.game(GAME, **rules), GAMES_AT_ONCE, seed=seed) for rules in RULES]
        self.dice = np.random.default_rng(seed)
        self.games = 0

    def step(self) -> None:
        """One move in every game."""
        for batch in self.batches:
            rows = self.table.rows(batch.game, batch.observer, batch.observe())
            chances = np.where(batch.masks, self.table.chances[rows], -1)
            best = (chances + 1e-6 * self.dice.random(chances.shape)).argmax(axis=1)
            actions = np.where(self.dice.random(len(best)) < CURIOUS, batch.sample(), best)
            stepped = batch.step(actions)
            # What follows is the opponent's: what is good for them is bad for who has just moved.
            after = self.table.rows(batch.game, batch.observer, batch.observe())
            theirs = np.where(batch.masks, self.table.chances[after], -1).max(axis=1)
            came = np.where(stepped.ended, (stepped.rewards + 1) / 2, 1 - theirs)
            self.table.learn(rows, actions, came)
            self.games += int(stepped.ended.sum())


class Learned:
    """The player: makes the move that the table calls best. It tells its odds, so nothing about it is left to luck."""

    def __init__(self, table: Table | None = None) -> None:
        self.table = table or Table()
        if table is None:
            if not FILE.exists():
                raise FileNotFoundError(f"it has not learnt yet: python {__file__}")
            self.table.chances = np.load(FILE)["chances"].astype(float)
        self.observers: dict[nq.Game[Any], Observer] = {}

    def odds(self, game: nq.Game[Any], position: Any) -> dict[str, float]:
        """The best moves, each alike."""
        if game not in self.observers:
            self.observers[game] = Observer(game)
        observer = self.observers[game]
        seen = observer.see(position, game.player(position))[None, :]
        chances = self.table.chances[self.table.rows(game, observer, seen)[0]]
        moves = {move: chances[game.actions.index(move)] for move in game.moves(position)}
        best = [move for move, chance in moves.items() if chance >= max(moves.values()) - 1e-9]
        return dict.fromkeys(best, 1 / len(best))

    def choose(self, game: nq.Game[Any], position: Any, dice: Dice) -> str:
        """One of them."""
        return dice.choose(list(self.odds(game, position)))


def measured(table: Table, deals: int) -> Figures:
    """How good it is now: its score in the exam, and what its choices give away against `hard`, with intervals."""
    player = CustomPlayer("learned", Learned(table))
    questions = [question for question in published().questions if question.game.slug == GAME]
    exam = scores(list(sit(questions, player, lambda _: None))).total
    contest = Contest(nq.game(GAME), "1")
    runner = ContestRunner(contest, {"learned": player, "hard": nq.player("hard")})
    rows = [runner.play(job) for job in jobs_for("learned", ["hard"], range(deals))]
    both = Evaluation(contest, "learned", ["hard"], rows, lambda *_: None).rows[-1]
    return {
        "score": (exam.score, exam.low, exam.high),
        "regret": (both["regret"], both["regret_low"], both["regret_high"]),
        "share": (both["luck_free"], both["luck_free_low"], both["luck_free_high"]),
    }


def curves(found: list[tuple[int, Figures]]) -> str:
    """The exam's score and the regret by how many games it has learnt from, as SVG."""
    panels = [
        ("score", "Score in the exam: 0 is random play, 100 is perfect", 1, 0, 100, ""),
        ("regret", "Given away by a choice that mattered, against hard", 100, 0, 12, " %"),
    ]
    most = log10(2 + max(games for games, _ in found) / 1000)
    parts = []
    for at, (name, title, times, low, high, unit) in enumerate(panels):
        top = 40 + at * 230

        def x(games: int) -> float:
            return 60 + 400 * log10(1 + games / 1000) / most

        def y(value: float, top: int = top, low: float = low, high: float = high) -> float:
            return top + 150 * (1 - (min(max(value, low), high) - low) / (high - low))

        parts.append(f'<text x="14" y="{top - 16}" class="title">{title}</text>')
        for step in range(5):
            value = low + (high - low) * step / 4
            parts.append(f'<line x1="60" x2="460" y1="{y(value):.1f}" y2="{y(value):.1f}" class="scale"/>')
            parts.append(f'<text x="52" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}{unit}</text>')
        points = [(x(games), [y(times * value) for value in figures[name]]) for games, figures in found]
        band = [f"{px:.1f},{ends[2]:.1f}" for px, ends in points]
        band += [f"{px:.1f},{ends[1]:.1f}" for px, ends in reversed(points)]
        parts.append(f'<polygon points="{" ".join(band)}" class="band"/>')
        line = " ".join(f"{px:.1f},{ends[0]:.1f}" for px, ends in points)
        parts.append(f'<polyline points="{line}" class="line"/>')
        for (games, figures), (px, ends) in zip(found, points, strict=True):
            said = f"{games:,} games: {times * figures[name][0]:.1f}{unit}"
            parts.append(f'<circle cx="{px:.1f}" cy="{ends[0]:.1f}" r="4"><title>{said}</title></circle>')
        parts += [
            f'<text x="{x(games):.1f}" y="{top + 168}" text-anchor="middle">{games:,}</text>'
            for games in (0, *(10**power for power in range(4, 4 + int(most))))
        ]
        parts.append(f'<text x="260" y="{top + 186}" text-anchor="middle">games it has learnt from</text>')
    style = (
        "text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:14px;fill:#1b1f24}"
        ".scale{stroke:#d0d7de}.line{fill:none;stroke:#0b5cad;stroke-width:2}circle{fill:#0b5cad}"
        ".band{fill:#0b5cad;opacity:.2}.back{fill:#fff}"
    )
    title = "What a player learns: its score in the exam rises, and what it gives away falls"
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 470" width="480" height="470" role="img" '
        f'aria-label="{title}">\n<title>{title}</title>\n<style>{style}</style>\n'
        f'<rect width="480" height="470" class="back"/>\n{body}\n</svg>\n'
    )


def main() -> None:
    """Learn, look how good it is on the way, and keep the table and the curves."""
    options = argparse.ArgumentParser(description="Learn a game, and look how good that gets.")
    options.add_argument("--steps", type=int, default=15_000, help="moves in each of the games (15000)")
    options.add_argument("--deals", type=int, default=100, help="deals to measure with (100)")
    options.add_argument(
        "--looks", type=int, default=len(LOOKS), help=f"measure so often, and at the start ({len(LOOKS)})"
    )
    options.add_argument("--table", type=Path, default=FILE, help="where the table goes")
    options.add_argument("--plot", type=Path, default=Path("learner.svg"), help="where the curves go")
    asked = options.parse_args()
    training, done = Training(), 0
    found: list[tuple[int, Figures]] = []
    stages = sorted({0, *(int(asked.steps * share) for share in LOOKS[-asked.looks :])})
    print(f"{'games':>10}{'exam':>8}{'given away':>12}{'wins against hard, without luck':>34}")
    for stage in stages:
        while done < stage:
            training.step()
            done += 1
        figures = measured(training.table, asked.deals)
        found.append((training.games, figures))
        score, regret, share = (figures[name][0] for name in ("score", "regret", "share"))
        print(f"{training.games:>10,}{score:>8.1f}{100 * regret:>10.2f} %{100 * share:>32.1f} %", flush=True)
    np.savez_compressed(asked.table, chances=training.table.chances.astype(np.float32))
    asked.plot.write_text(curves(found))


if __name__ == "__main__":
    main()
