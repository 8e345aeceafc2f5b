"""Positions of a game with chance that lead to one another and back: what they are worth, all together.

Both players hold on to a policy, one move for each position. What that comes to is worked out exactly; then moves that
do better are taken, until there is none. Play that never ends is worth one half, so all is counted from there: an
endless game is 0, a win one half, a loss one half below zero.

Once all choices are made, only chance is left: a chain (`averages`, `visits`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE
from numberquest.solver.budget import TooLarge
from numberquest.solver.graph import Graph
from numberquest.solver.numbers import IN_PAGE, Flags, Indices, NDArray, Numbers
from numberquest.solver.numbers import arrays as np

BETTER: Final = 1e-12
"""A move must be better by this much to be taken instead of another; less is rounding."""
TOGETHER: Final = 12
"""In so many rounds both players change their moves at once. That is fast, but could go round in circles."""
MOST_ROUNDS: Final = 1000
CERTAIN: Final = 1e-13
"""A value as close as this to a win, a loss or a half is one."""
LARGEST_DENSE: Final = 0 if IN_PAGE else 1500
"""Up to so many places the equations are solved as they stand; beyond, by repetition."""
BLOCK: Final = 48
"""So many equations are solved at a time."""
STILL_INSIDE: Final = 1e-14
"""Repeated until play goes on with no larger chance than this: then nothing is further from the truth."""
MOST_STEPS: Final = 200_000
LOOK: Final = 256


class Arrays(NamedTuple):
    """A graph as arrays, which share its memory."""

    movers: NDArray[np.int8]
    starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    odds: Numbers
    place: Indices
    """For each position where it stands in the loop at hand; below 0 where it does not."""

    @classmethod
    def of(cls, graph: Graph[Any]) -> Arrays:
        """The positions and moves of a graph, as arrays that NumPy can go through at once."""
        return cls(
            np.frombuffer(graph.movers, dtype=np.int8),
            np.frombuffer(graph.starts, dtype=np.int64),
            np.frombuffer(graph.targets, dtype=np.int32),
            np.frombuffer(graph.odds),
            np.full(len(graph), -1, dtype=np.intp),
        )


class Loop:
    """One loop. Its positions are counted from 0; behind them stand the ways out, whose worth is known."""

    def __init__(self, graph: Arrays, component: list[int], values: Numbers, still: Callable[[], None]) -> None:
        """`values` are the chances of Player 1, of the positions themselves as first guessed."""
        nodes = np.array(component)
        size = self._size = len(nodes)
        begin = graph.starts[nodes]
        count = graph.starts[nodes + 1] - begin
        owner = np.repeat(np.arange(size), count)
        edges = np.arange(len(owner)) + np.repeat(begin - np.cumsum(count) + count, count)
        targets = graph.targets[edges]
        graph.place[nodes] = np.arange(size)
        inside = graph.place[targets]
        graph.place[nodes] = -1
        out = inside < 0
        leads_to = np.where(out, size - 1 + np.cumsum(out), inside)
        self._worth = np.concatenate([values[nodes], values[targets[out]]]) - 0.5
        self._nodes, self._values, self._still = nodes, values, still
        # Where chance moves, and where it leads.
        mover = graph.movers[nodes]
        by_chance = mover == CHANCE
        self._chance = np.flatnonzero(by_chance)
        of_chance = by_chance[owner]
        number = np.cumsum(by_chance) - 1
        self._number = np.concatenate([number, np.zeros(len(self._worth) - size, dtype=np.intp)])
        self._from, self._into = number[owner[of_chance]], leads_to[of_chance]
        self._odds = graph.odds[edges[of_chance]]
        # Where a player moves, and every move with what it leads to.
        self._decisions = np.flatnonzero(~by_chance)
        self._is_decision = np.concatenate([~by_chance, np.zeros(len(self._worth) - size, dtype=bool)])
        self._seat = mover[self._decisions]
        self._sign = np.where(self._seat == 0, 1.0, -1.0)
        counts = count[self._decisions]
        self._first = np.cumsum(counts) - counts
        self._of = np.repeat(np.arange(len(counts)), counts)
        self._option = leads_to[~of_chance]
        self._chosen = self._first.copy()

    def settle(self) -> float:
        """Fill the values in, and return how far they may be from the truth."""
        self._improve((0, 1))
        for at in range(MOST_ROUNDS):
            steps = self._evaluate()
            self._still()
            # Later on one player changes only when the other has nothing left to change, which always comes to an end.
            better = self._improve((0, 1)) if at < TOGETHER else self._improve((1,)) or self._improve((0,))
            if not (better or self._stay(1) or self._stay(0)):
                break
        found = self._worth[: self._size] + 0.5
        certain = np.round(2 * found) / 2
        self._values[self._nodes] = np.where(np.abs(found - certain) < CERTAIN, certain, found)
        return (1 + steps) * self._off()

    def _evaluate(self) -> float:
        """What the policies come to, and how often chance moves on the way, on average, at most."""
        worth, size = self._worth, self._size
        # To where chance moves next, or to a way out: each look sees twice as far as the one before.
        after = np.arange(len(worth))
        after[self._decisions] = self._option[self._chosen]
        for _ in range(size.bit_length()):
            further = after[after]
            if (further == after).all():
                break
            after = further
        steps = 0.0
        if len(self._chance):
            into = after[self._into]
            # A decision that leads back to itself is an endless game.
            endless, out = self._is_decision[into], into >= size
            inside = ~(endless | out)
            number = len(self._chance)
            beyond = np.bincount(self._from[out], self._odds[out] * worth[into[out]], number).astype(float)
            leaves = np.zeros(number, dtype=bool)
            leaves[self._from[~inside]] = True
            chain = Chain(self._from[inside], self._number[into[inside]], self._odds[inside], leaves)
            found, steps = averages(chain, beyond[:, None], self._still)
            worth[self._chance] = found[:, 0]
        last = after[self._decisions]
        worth[self._decisions] = np.where(self._is_decision[last], 0.0, worth[last])
        return steps

    def _improve(self, seats: tuple[int, ...]) -> bool:
        """Take better moves where there are some; returns whether there were."""
        if not len(self._decisions):
            return False
        worth, best = self._best()
        better = best > worth[self._chosen] + BETTER
        if len(seats) == 1:
            better &= self._seat == seats[0]
        if not better.any():
            return False
        self._chosen[better] = self._first_of(worth >= best[self._of])[better]
        return True

    def _best(self) -> tuple[Numbers, Numbers]:
        """What each move is worth to whoever makes it, and what the best one of each position is."""
        worth = self._worth[self._option] * self._sign[self._of]
        return worth, np.maximum.reduceat(worth, self._first)

    def _first_of(self, moves: Flags) -> Indices:
        """For each decision, the first of these moves."""
        return np.minimum.reduceat(np.where(moves, np.arange(len(moves)), len(moves)), self._first)

    def _stay(self, seat: int) -> bool:
        """Let a player who is losing go round for ever, where that costs nothing; returns whether it can be done.

        No single move is better than another then: only all of them together are.
        """
        if not len(self._decisions):
            return False
        sign = 1.0 if seat == 0 else -1.0
        losing = sign * self._worth < -BETTER
        losing[self._size :] = False
        moves = np.arange(len(self._option))
        is_chosen = moves == self._chosen[self._of]
        worth, _ = self._best()
        as_good = worth >= worth[self._chosen][self._of] - BETTER
        mine = (self._seat == seat)[self._of]
        free = mine & as_good & losing[self._option] & losing[self._decisions][self._of]
        if not (free & ~is_chosen).any():
            # With the moves that are chosen, play does end.
            return False
        free |= ~mine & is_chosen
        kept = losing
        while True:
            can = np.logical_or.reduceat(free & kept[self._option], self._first)
            rest = kept.copy()
            rest[self._decisions] &= can
            rest[self._chance[self._from[~kept[self._into]]]] = False
            if (rest == kept).all():
                break
            kept = rest
        staying = kept[self._decisions] & (self._seat == seat)
        if not staying.any():
            return False
        self._chosen[staying] = self._first_of(free & kept[self._option])[staying]
        return True

    def _off(self) -> float:
        """How far the values are from following from one another."""
        off = 0.0
        if len(self._decisions):
            _, best = self._best()
            off = float(np.abs(best - self._worth[self._decisions] * self._sign).max())
        if len(self._chance):
            mean = np.bincount(self._from, self._odds * self._worth[self._into], len(self._chance))
            off = max(off, float(np.abs(mean - self._worth[self._chance]).max()))
        return off


class Chain(NamedTuple):
    """Places from which chance alone leads on: each step with its odds, and by place whether one can leave there."""

    source: Indices
    target: Indices
    odds: Numbers
    leaves: Flags

    def can_leave(self) -> Flags:
        """By place, whether one can ever leave from there on."""
        out = self.leaves.copy()
        while not out.all():
            further = self.source[out[self.target]]
            if out[further].all():
                break
            out[further] = True
        return out


def averages(chain: Chain, beyond: Numbers, still: Callable[[], None]) -> tuple[Numbers, float]:
    """For each place of a chain what it comes to on average, and how many steps that takes at most, on average.

    Leaving brings `beyond`, one row for each place; who can never leave gets nothing. `still` is called now and then.
    """
    size = len(beyond)
    source, target, odds, _ = chain
    within = chain.can_leave()[source]
    if not within.all():
        source, target, odds = source[within], target[within], odds[within]
    if size > LARGEST_DENSE:
        return _repeated(source, target, odds, beyond, still)
    matrix = np.eye(size) - np.bincount(source * size + target, odds, size * size).reshape(size, size)
    solved = _in_blocks(matrix, np.column_stack([beyond, np.ones(size)]))
    return solved[:, :-1], float(solved[:, -1].max())


def _in_blocks(matrix: Numbers, right: Numbers) -> Numbers:
    """The solution of the equations, some at a time: each block is written in terms of those behind it, then back.

    Most places lead to ones before them, so little is left to write. And NumPy solves small systems at once, but larger
    ones with all cores together, which takes a hundred times as long where these are busy.
    """
    size = len(matrix)
    starts = range(0, size, BLOCK)
    behind: list[tuple[Indices, Numbers]] = []
    for start in starts:
        stop = start + BLOCK
        rows, known = matrix[start:stop], right[start:stop]
        for (columns, factors), before in zip(behind, starts, strict=False):
            part = rows[:, before : before + BLOCK]
            if part.any():
                rows[:, columns] -= part @ factors
                known -= part @ right[before : before + BLOCK]
        columns = stop + np.flatnonzero(rows[:, stop:].any(axis=0))
        solved = np.linalg.solve(rows[:, start:stop], np.concatenate([known, rows[:, columns]], axis=1))
        right[start:stop] = solved[:, : right.shape[1]]
        behind.append((columns, solved[:, right.shape[1] :]))
    for start, (columns, factors) in reversed(list(zip(starts, behind, strict=True))):
        right[start : start + BLOCK] -= factors @ right[columns]
    return right


def _repeated(
    source: Indices, target: Indices, odds: Numbers, beyond: Numbers, still: Callable[[], None]
) -> tuple[Numbers, float]:
    """Step by step: what can still change is never more than the chance that play has not left yet."""
    size, columns = beyond.shape
    sums = [np.zeros(size) for _ in range(columns)]
    inside, half = np.ones(size), 0
    for step in range(1, MOST_STEPS):
        sums = [beyond[:, at] + np.bincount(source, odds * known[target], size) for at, known in enumerate(sums)]
        inside = np.bincount(source, odds * inside[target], size).astype(float)
        most = float(inside.max())
        if not half and most <= 0.5:
            half = step
        if most < STILL_INSIDE:
            return np.column_stack(sums), 2.0 * half
        if not step % LOOK:
            still()
    raise TooLarge(f"it goes round in circles for so long that {MOST_STEPS:,} steps do not tell how it ends")


def visits(chain: Chain, entering: Numbers, still: Callable[[], None]) -> Numbers:
    """How often one comes to each place of a chain on average, entering at each place so often.

    Places that can never be left count as none: one would be there without end.
    """
    size = len(entering)
    source, target, odds, _ = chain
    out = chain.can_leave()
    within = out[source] & out[target]
    source, target, odds = source[within], target[within], odds[within]
    entering = np.where(out, entering, 0.0)
    if size <= LARGEST_DENSE:
        matrix = np.eye(size) - np.bincount(target * size + source, odds, size * size).reshape(size, size)
        return _in_blocks(matrix, entering[:, None].copy())[:, 0]
    total, here = entering.copy(), entering
    for step in range(1, MOST_STEPS):
        here = np.bincount(target, odds * here[source], size).astype(float)
        total += here
        if here.sum() < STILL_INSIDE:
            return total
        if not step % LOOK:
            still()
    raise TooLarge(f"it goes round in circles for so long that {MOST_STEPS:,} steps do not tell how it ends")
