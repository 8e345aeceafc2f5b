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


class Layer(NamedTuple):
    """The decisions with as many of the same player before them: their sequences, one decision after the other."""

    sequences: Indices
    starts: Indices
    counts: Indices
    parents: Indices


class Learner:
    """One player, whose decisions are gone through layer by layer."""

    def __init__(self, size: int, layers: Sequence[Layer]) -> None:
        """So many sequences in all; of the layers, each comes after those before it."""
        self.size, self.layers = size, layers
        self.regrets = np.zeros(size)
        self.odds = np.ones(size)
        for layer in layers:
            self.odds[layer.sequences] = np.repeat(1 / layer.counts, layer.counts)
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
        layers: list[Layer] = []
        for _, ranges in sorted(by_depth.items()):
            parents, starts, stops = (np.array(column, dtype=np.int64) for column in zip(*ranges, strict=True))
            counts = stops - starts
            sequences = np.concatenate([np.arange(first, stop) for _, first, stop in ranges])
            layers.append(Layer(sequences, np.concatenate([[0], np.cumsum(counts)[:-1]]), counts, parents))
        return cls(decisions.sequences, layers)

    def plan(self) -> Numbers:
        """How likely each sequence is, as far as it is up to this player."""
        plan = np.ones(self.size)
        for layer in self.layers:
            plan[layer.sequences] = np.repeat(plan[layer.parents], layer.counts) * self.odds[layer.sequences]
        return plan

    def learn(self, gains: Numbers, weight: float) -> None:
        """From what each sequence has brought; what is played after that counts with this weight."""
        gains = gains.copy()
        for layer in reversed(self.layers):
            own, odds = gains[layer.sequences], self.odds[layer.sequences]
            values = np.add.reduceat(own * odds, layer.starts)
            np.add.at(gains, layer.parents, values)
            regrets = np.maximum(self.regrets[layer.sequences] + own - np.repeat(values, layer.counts), 0)
            self.regrets[layer.sequences] = regrets
            sums = np.repeat(np.add.reduceat(regrets, layer.starts), layer.counts)
            alike = np.repeat(1 / layer.counts, layer.counts)
            self.odds[layer.sequences] = np.divide(regrets, sums, out=alike, where=sums > 0)
        self.total += weight * self.plan()

    def best(self, gains: Any) -> Any:
        """What this player gets at best, in the kind of numbers that the gains are."""
        gains = gains.copy()
        for layer in reversed(self.layers):
            np.add.at(gains, layer.parents, np.maximum.reduceat(gains[layer.sequences], layer.starts))
        return gains[0].item()

    @property
    def average(self) -> Numbers:
        """The plan that comes near to an equilibrium."""
        average: Numbers = self.total / self.total[0]
        return average


def learn_plans(
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

    return learn_plans((one, two), gains_1, gains_2, progress)
