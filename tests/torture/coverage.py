"""How often the interval of `luck_free` holds the truth: games of an agent that slips, simulated by the ten thousand.

One graph of the positions has all that a game needs, so that thousands are played at once; the truth is worked out
on the same graph. `python -m tests.torture.coverage` prints the table of docs/evaluation.md.
"""

import sys
from collections.abc import Sequence
from functools import cached_property
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.players.levels import PLAYERS
from numberquest.solver.graph import graph_of, itself
from numberquest.solver.numbers import Indices, Numbers
from numberquest.solver.ordered import OrderedGraph
from numberquest.solver.solution import ALIKE
from numberquest.study import intervals
from numberquest.study.luck import ALMOST_PERFECT

GAMES: Final[list[Game[Any]]] = [
    nq.game("mystic", target=8, high=4, copies=1),
    nq.game("sumquest"),
    nq.game("grid", side=2, stand=True, target=6),
    nq.game("mystic", target=12, high=4, copies=2),
]
RARELY: Final = nq.game("fifty", target=20, high=5, copies=1)
"""Here a choice of Player 2 matters in one game of eight."""
SLIPS: Final = (0.005, 0.01, 0.02, 0.05, 0.2)
DEALS: Final = (20, 100, 1000)
REPEATS: Final = 400
HOLDS: Final = 0.93
WIDER: Final = 1.55
LEVELS: Final = tuple(PLAYERS)
ROUNDING: Final = 1e-9


class Simulated(NamedTuple):
    """Games of an agent in one seat: a column each, and where there is a row, one for each level that values luck."""

    result: Numbers
    luck_free: Numbers
    likely: Numbers
    """The logarithm of how likely such choices are for each level."""
    scatter: Numbers
    """How far a game would scatter if each level played it."""
    lower: Numbers
    """By how much its choices that mattered could have drawn it down, over all of them."""
    squares: Numbers
    """The same, of their squares."""
    higher: Numbers
    mattered: Numbers
    slips: Numbers
    path: list[tuple[Indices, Indices]]
    """For each step, which games went on, and by which moves."""


class Slipping:
    """An agent that makes any move, or the worst one, so often, and otherwise a best one, against a level."""

    def __init__(self, game: Game[Any], opponent: str, seat: int, slip: float, *, worst: bool = False) -> None:
        self.game, self.opponent, self.seat, self.slip, self.worst = game, opponent, seat, slip, worst
        graph = graph_of(game, itself)
        self.positions = graph.once(OrderedGraph, silently)
        self.start = self.positions.number(game.start())
        self.mine = self.positions.movers == seat

    def _extremes(self, each: Numbers) -> tuple[Numbers, Numbers]:
        """The least and the most over the moves of every position."""
        p, here = self.positions, np.flatnonzero(self.positions.counts)
        least, most = np.zeros(len(p)), np.zeros(len(p))
        least[here] = np.minimum.reduceat(each, p.starts[here])
        most[here] = np.maximum.reduceat(each, p.starts[here])
        return least, most

    def _seen(self, first: Numbers) -> Numbers:
        return 1 - first if self.seat else first

    @cached_property
    def _after(self) -> Numbers:
        """What every move is worth to the agent under best play."""
        worth: Numbers = self._seen(self.positions.values)[self.positions.targets]
        return worth

    @cached_property
    def odds(self) -> Numbers:
        p = self.positions
        slips = PLAYERS[self.opponent].any_move / 100
        odds = p.likely((slips, self.slip) if self.seat else (self.slip, slips))
        if not self.worst:
            return odds
        bad = self._after <= self._extremes(self._after)[0][p.source] + ALIKE
        wrong, right = (each / np.maximum(np.bincount(p.source, each, len(p)), 1)[p.source] for each in (bad, p.best))
        return np.where(self.mine[p.source], self.slip * wrong + (1 - self.slip) * right, odds)

    @cached_property
    def truth(self) -> float:
        p = self.positions
        return float(self._seen(p.backward(self.odds, p.ends[:, None] - 0.5)[:, 0] + 0.5)[self.start])

    def _worth(self, level: str) -> Numbers:
        """What positions are worth to the agent, as luck is valued: as if it were of that level."""
        p = self.positions
        pair = (PLAYERS[level].any_move / 100, PLAYERS[self.opponent].any_move / 100)
        odds = p.likely(pair[::-1] if self.seat else pair)
        return self._seen(p.backward(odds, p.ends[:, None] - 0.5)[:, 0] + 0.5)

    @cached_property
    def _facts(self) -> tuple[Numbers, ...]:
        """By level: the start's worth; and what each move changes, and how likely each level makes it."""
        p = self.positions
        source, mine = p.source, self.mine[p.source]
        least, most = self._extremes(self._after)
        mattered, best = self.mine & (most - least > ALIKE), self._after >= most[source] - ALIKE
        share = (np.bincount(source, best, len(p)) / np.maximum(p.counts, 1))[source]
        begins, changes, likely, scatter, lower, higher = [], [], [], [], [], []
        for level in LEVELS:
            slips = PLAYERS[level].any_move / 100
            worth, odds = self._worth(level), p.likely((slips, slips))
            change = np.where(mine, worth[p.targets] - worth[source], 0.0)
            assumed = max(slips, ALMOST_PERFECT)
            with np.errstate(divide="ignore"):
                said = np.log(np.where(best, assumed * share + 1 - assumed, assumed / np.maximum(p.counts, 1)[source]))
            down, up = self._extremes(change)
            mean = np.bincount(source, odds * change, len(p))
            begins.append(worth[self.start])
            changes.append(change)
            likely.append(np.where(mattered[source], said, 0.0))
            scatter.append(np.where(self.mine, np.bincount(source, odds * change**2, len(p)) - mean**2, 0.0))
            lower.append(np.where(mattered, np.maximum(-down, 0), 0.0))
            higher.append(np.where(mattered, np.maximum(up, 0), 0.0))
        flags = mattered.astype(float), (mattered[source] & ~best).astype(float)
        return *map(np.array, (begins, changes, likely, scatter, lower, higher)), *flags

    def play(self, games: int, dice: np.random.Generator) -> Simulated:
        p, ends = self.positions, np.cumsum(self.odds)
        sums = np.concatenate([[0.0], ends])
        begins, changes, likely, scatter, lower, higher, mattered, wrong = self._facts
        of_levels = [np.zeros((len(LEVELS), games)) for _ in range(6)]
        choices, slips = np.zeros(games), np.zeros(games)
        at, going, path = np.full(games, self.start), np.arange(games), []
        while len(going):
            here = at[going]
            first, stop = p.starts[here], p.starts[here + 1]
            point = sums[first] + dice.random(len(going)) * (sums[stop] - sums[first])
            move = np.clip(np.searchsorted(sums, point, side="right") - 1, first, stop - 1)
            for total, each in zip(of_levels, (changes[:, move], likely[:, move]), strict=False):
                total[:, going] += each
            for total, each in zip(of_levels[2:], (scatter, lower, lower**2, higher), strict=True):
                total[:, going] += each[:, here]
            choices[going] += mattered[here]
            slips[going] += wrong[move]
            path.append((going, move))
            at[going] = p.targets[move]
            going = going[~p.is_over[at[going]]]
        of_levels[0] += begins[:, None]
        free, said, spread, down, squares, up = of_levels
        return Simulated(self._seen(p.ends[at]), free, said, spread, down, squares, up, choices, slips, path)


class Ends(NamedTuple):
    low: float
    high: float

    def holds(self, truth: float) -> bool:
        return self.low - ROUNDING <= truth <= self.high + ROUNDING


def evaluated(both: Sequence[Simulated], games: slice) -> list[tuple[Ends, Ends]]:
    """For each seat the interval of these games, as `evaluate` makes it, and as it was made before that."""
    deals = games.stop - games.start
    half = np.arange(deals) % 2
    of_levels = both[0].likely[:, games] + both[1].likely[:, games]
    near = [_nearest(of_levels[:, half == 1 - own].sum(axis=1)) for own in (0, 1)]
    found = []
    for one in both:
        result, free = one.result[games], np.empty(deals)
        lower, squares, higher, scatter, whole = 0.0, 0.0, 0.0, 0.0, False
        for own in (0, 1):
            here, other, level = half == own, half == 1 - own, near[own]
            likely = (result[other].sum() + 1) / (other.sum() + 2)
            without = one.luck_free[level, games]
            if without[other].var(ddof=1) > max(result[other].var(ddof=1), likely * (1 - likely)):
                free[here], whole = result[here], True
                continue
            free[here] = without[here]
            lower += one.lower[level, games][here].sum()
            squares += one.squares[level, games][here].sum()
            higher += one.higher[level, games][here].sum()
            scatter += one.scatter[level, games][here].sum()
        mean, mattered = min(max(free.mean(), 0.0), 1.0), one.mattered[games].sum()
        room = (squares / lower if lower else 0.0, higher / mattered) if mattered else (mean, 1 - mean)
        room = (max(room[0], mean), max(room[1], 1 - mean)) if whole else room
        now = intervals.with_room({deal: (float(each), 1) for deal, each in enumerate(free)}, *room)
        assert now is not None
        found.append((Ends(now.low, now.high), _before(free, result, scatter, one.slips[games].sum())))
    return found


def _nearest(likely: Numbers) -> int:
    return len(LEVELS) - 1 - int(np.argmax(likely[::-1]))


def _before(free: Numbers, result: Numbers, scatter: float, slips: float) -> Ends:
    """The interval of November 2026, which did not hold for strong agents: Student's, with room where few were lost."""
    deals, mean = len(free), float(free.mean())
    error, expected = float(free.std(ddof=1)) / sqrt(deals), scatter / deals**2
    if slips < 100:
        error = sqrt(max(error**2, expected))
    elif expected / 1.5 < error**2 < expected * 1.5:
        error = sqrt((error**2 + expected) / 2)
    error = error if error > ROUNDING else 0.0
    off, unseen = intervals.t95(deals - 1) * error, min(1.0, 3 / deals)
    low, high = mean - off, mean + off
    if (result == 0).sum() < intervals.FEW or not error:
        low = min(low, mean - unseen * mean)
    if (result == 1).sum() < intervals.FEW or not error:
        high = max(high, mean + unseen * (1 - mean))
    return Ends(min(max(low, 0.0), mean), max(min(high, 1.0), mean))


class Cell(NamedTuple):
    """One agent in one seat with so many deals: how often the intervals held, and how wide they were on average."""

    game: str
    seat: int
    slip: float
    deals: int
    holds: float
    width: float
    held: float
    was_wide: float

    @property
    def wider(self) -> float:
        return self.width / self.was_wide

    @property
    def is_fine(self) -> bool:
        return self.holds >= HOLDS and (self.held < HOLDS or self.wider <= WIDER)


def cells(
    game: Game[Any],
    slip: float,
    deals: int,
    repeats: int,
    opponent: str = "hard",
    *,
    worst: bool = False,
    seed: int = 1,
) -> list[Cell]:
    """Both seats of one agent, evaluated again and again."""
    dice = np.random.default_rng(seed)
    agents = [Slipping(game, opponent, seat, slip, worst=worst) for seat in (0, 1)]
    both = [agent.play(deals * repeats, dice) for agent in agents]
    found: list[list[tuple[Ends, Ends]]] = [[], []]
    for at in range(repeats):
        for seat, pair in enumerate(evaluated(both, slice(at * deals, (at + 1) * deals))):
            found[seat].append(pair)
    told = []
    for seat, (agent, pairs) in enumerate(zip(agents, found, strict=True)):
        holds = [np.mean([ends.holds(agent.truth) for ends in column]) for column in zip(*pairs, strict=True)]
        width = [np.mean([ends.high - ends.low for ends in column]) for column in zip(*pairs, strict=True)]
        name = f"{game.slug} {game.settings_text}".strip()
        told.append(
            Cell(name, seat + 1, slip, deals, float(holds[0]), float(width[0]), float(holds[1]), float(width[1]))
        )
    return told


def main(opponent: str = "hard", kind: str = "any") -> None:
    """The table, for a slip to any move or to the worst one."""
    print("| game | seat | slips | deals | holds | width | before | times as wide |\n|---|---|---|---|---|---|---|---|")
    for game in (*GAMES, RARELY):
        for slip in SLIPS:
            for deals in DEALS:
                for cell in cells(game, slip, deals, REPEATS, opponent, worst=kind == "worst"):
                    first = [cell.game, cell.seat, f"{100 * cell.slip:g} %", f"{cell.deals:,}"]
                    now = [f"{100 * cell.holds:.1f} %", f"{cell.width:.4f}", f"{100 * cell.held:.1f} %"]
                    print("|", *(f"{each} |" for each in [*first, *now, f"{cell.wider:.2f}"]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
