"""Positions of a game with chance that lead to one another and back: what they are worth, all together.

Both players hold on to a policy, one move for each position. What that comes to is worked out exactly; then moves that
do better are taken, until there is none. Play that never ends is worth one half, so all is counted from there: an
endless game is 0, a win one half, a loss one half below zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from numberquest.core.contract import CHANCE
from numberquest.solver.graph import Graph
from numberquest.solver.markov import averages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"

BETTER: Final = 1e-12
"""A move must be better by this much to be taken instead of another; less is rounding."""
TOGETHER: Final = 12
"""In so many rounds both players change their moves at once. That is fast, but could go round in circles."""
MOST_ROUNDS: Final = 1000
CERTAIN: Final = 1e-13
"""A value as close as this to a win, a loss or a half is one."""


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
        import numpy as np

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
        import numpy as np

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
        import numpy as np

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
        import numpy as np

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
            found, steps = averages(
                self._from[inside],
                self._number[into[inside]],
                self._odds[inside],
                beyond[:, None],
                leaves,
                self._still,
            )
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
        import numpy as np

        worth = self._worth[self._option] * self._sign[self._of]
        return worth, np.maximum.reduceat(worth, self._first)

    def _first_of(self, moves: Flags) -> Indices:
        """For each decision, the first of these moves."""
        import numpy as np

        return np.minimum.reduceat(np.where(moves, np.arange(len(moves)), len(moves)), self._first)

    def _stay(self, seat: int) -> bool:
        """Let a player who is losing go round for ever, where that costs nothing; returns whether it can be done.

        No single move is better than another then: only all of them together are.
        """
        import numpy as np

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
        import numpy as np

        off = 0.0
        if len(self._decisions):
            _, best = self._best()
            off = float(np.abs(best - self._worth[self._decisions] * self._sign).max())
        if len(self._chance):
            mean = np.bincount(self._from, self._odds * self._worth[self._into], len(self._chance))
            off = max(off, float(np.abs(mean - self._worth[self._chance]).max()))
        return off
