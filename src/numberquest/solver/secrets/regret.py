"""What is too large for a linear programme: both learn from what they regret (CFR+), until neither regrets much.

Whoever wishes they had played a move more often plays it more often: the average of what is played comes nearer and
nearer to an equilibrium. How near it has come is proved afterwards, like everything else.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from numberquest.core.progress import Progress
from numberquest.solver.numbers import Indices, Numbers, np
from numberquest.solver.secrets.tree import Decisions, Pair, Tree

ROUNDS: Final = 2000
NEAR: Final = 1e-4
"""It is near enough when both together could gain no more than this."""
LOOKS: Final = 50
"""After so many rounds one looks how near it is."""


class Level(NamedTuple):
    """The decisions with as many of the same player before them: their sequences, one decision after the other."""

    sequences: Indices
    starts: Indices
    counts: Indices
    parents: Indices


class Learner:
    """One player, whose decisions are gone through level by level."""

    def __init__(self, size: int, levels: Sequence[Level]) -> None:
        """So many sequences in all; of the levels, each comes after those before it."""
        self.size, self.levels = size, levels
        self.regrets = np.zeros(size)
        self.odds = np.ones(size)
        for level in levels:
            self.odds[level.sequences] = np.repeat(1 / level.counts, level.counts)
        self.total = np.zeros(size)

    @classmethod
    def of(cls, decisions: Decisions) -> Self:
        """One who makes these decisions."""
        depths = np.zeros(decisions.sequences, dtype=np.int64)
        by_depth: dict[int, list[tuple[int, int, int]]] = {}
        for parent, first, stop in decisions.ranges():
            depth = int(depths[parent]) + 1
            depths[first:stop] = depth
            by_depth.setdefault(depth, []).append((parent, first, stop))
        levels: list[Level] = []
        for _, ranges in sorted(by_depth.items()):
            parents, starts, stops = (np.array(column, dtype=np.int64) for column in zip(*ranges, strict=True))
            counts = stops - starts
            sequences = np.concatenate([np.arange(first, stop) for _, first, stop in ranges])
            levels.append(Level(sequences, np.concatenate([[0], np.cumsum(counts)[:-1]]), counts, parents))
        return cls(decisions.sequences, levels)

    def plan(self) -> Numbers:
        """How likely each sequence is, as far as it is up to this player."""
        plan = np.ones(self.size)
        for level in self.levels:
            plan[level.sequences] = np.repeat(plan[level.parents], level.counts) * self.odds[level.sequences]
        return plan

    def learn(self, gains: Numbers, weight: float) -> None:
        """From what each sequence has brought; what is played after that counts with this weight."""
        gains = gains.copy()
        for level in reversed(self.levels):
            own, odds = gains[level.sequences], self.odds[level.sequences]
            values = np.add.reduceat(own * odds, level.starts)
            np.add.at(gains, level.parents, values)
            regrets = np.maximum(self.regrets[level.sequences] + own - np.repeat(values, level.counts), 0)
            self.regrets[level.sequences] = regrets
            sums = np.repeat(np.add.reduceat(regrets, level.starts), level.counts)
            alike = np.repeat(1 / level.counts, level.counts)
            self.odds[level.sequences] = np.divide(regrets, sums, out=alike, where=sums > 0)
        self.total += weight * self.plan()

    def best(self, gains: Any) -> Any:
        """What this player gets at best, in the kind of numbers that the gains are."""
        gains = gains.copy()
        for level in reversed(self.levels):
            np.add.at(gains, level.parents, np.maximum.reduceat(gains[level.sequences], level.starts))
        return gains[0].item()

    @property
    def average(self) -> Numbers:
        """The plan that comes near to an equilibrium."""
        average: Numbers = self.total / self.total[0]
        return average


def learned(
    learners: tuple[Learner, Learner],
    gains_1: Callable[[Numbers], Numbers],
    gains_2: Callable[[Numbers], Numbers],
    progress: Progress,
    rounds: int = ROUNDS,
    near: float = NEAR,
) -> tuple[list[float], list[float]]:
    """The plans of both after many rounds; what each gains follows from the plan of the other."""
    one, two = learners
    plan = two.plan()
    for number in range(1, rounds + 1):
        one.learn(gains_1(plan), number)
        two.learn(gains_2(one.plan()), number)
        plan = two.plan()
        if not number % LOOKS:
            progress(number, rounds)
            if one.best(gains_1(two.average)) + two.best(gains_2(one.average)) <= near:
                break
    return one.average.tolist(), two.average.tolist()


def plans_learned(
    tree: Tree, payoff: Mapping[Pair, int], denominator: int, progress: Progress
) -> tuple[list[float], list[float]]:
    """Plans for a stage that are near to an equilibrium."""
    pairs = np.array(list(payoff), dtype=np.int64).reshape(-1, 2)
    mine, yours = pairs[:, 0], pairs[:, 1]
    values = np.array([value / denominator for value in payoff.values()])
    one, two = (Learner.of(decisions) for decisions in tree.decisions)

    def gains_1(plan: Numbers) -> Numbers:
        gains: Numbers = np.bincount(mine, values * plan[yours], one.size).astype(float)
        return gains

    def gains_2(plan: Numbers) -> Numbers:
        gains: Numbers = np.bincount(yours, values * plan[mine], two.size).astype(float)
        return -gains

    return learned((one, two), gains_1, gains_2, progress)
