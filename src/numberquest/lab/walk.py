"""A game as two players of known levels play it: how often every position comes, and what it is worth to them.

One pass backward over the positions tells what each is worth, under best play and between the two; one pass forward
tells how often it comes. All that is measured is a sum over positions of the one times the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.contract import CHANCE
from numberquest.games import part
from numberquest.players import PLAYERS, perfect_moves
from numberquest.solver.chain import averages, visits
from numberquest.solver.graph import OVER, Graph
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress
    from numberquest.solver.loop import Arrays

    Numbers = NDArray[np.float64]
    Indices = NDArray[np.intp]
    Flags = NDArray[np.bool_]

MOST_POSITIONS = 250_000
"""With more than this it would take too long to look at the positions one by one."""
EVEN: Final = 1e-9
"""Nobody leads by less than this: such differences are rounding."""
LEAVES: Final = 1e-12
ALMOST: Final = 1e-9


class Flow(NamedTuple):
    """What a game between two players comes to on average. Moves are those of the players; reveals do not count."""

    first: float
    """How often Player 1 wins."""
    second: float
    endless: float
    """How often it goes on for ever."""
    by_chance: float
    """The part of the outcome's variance that reveals bring."""
    by_choice: float
    """The part that the players' own choices bring."""
    lead_changes: float
    moves: float
    spread: float
    """The standard deviation of the number of moves."""
    allowed: float
    """How many moves were allowed, over all moves."""
    decisions: float
    mattered: float
    staked: float
    """What could be given away, over all decisions that mattered."""
    blindly: float
    """What a blind choice would have given away, over all of them."""
    behind: float
    """How many moves were made while the later winner was behind."""
    deficit: float
    """By how much, over all of these."""
    unsettled: float
    """How many moves were made before the later winner took the lead for good."""


class Walked(ABC):
    """A game as one pair plays it."""

    pair: Pair
    positions: int

    @property
    @abstractmethod
    def flow(self) -> Flow:
        """What a game comes to; worked out when it is first asked for."""

    @abstractmethod
    def share(self, p: Any) -> float:
        """Player 1's share of the points from a position on: of the start, and of what follows the first turn."""

    @abstractmethod
    def best(self, p: Any) -> float:
        """The same under best play."""


class Step(NamedTuple):
    """Positions from `start` to `stop` that need only those before them: none leads to another, or it is a loop."""

    start: int
    stop: int
    is_loop: bool


def alike_of(game: Game[Any]) -> Callable[[Any], Any]:
    """What makes positions one that are the same whoever plays, not only under best play."""
    own = part(type(game), "measures")
    if own is not None and hasattr(own, "alike"):
        return lambda p: own.alike(game, p)
    if part(type(game), "levels") is not None:
        # To who errs, positions of the same value are not the same: the part says so by being there.
        return lambda p: p
    return game.canonical


class Positions:
    """Every position that can be reached, in an order in which each stands behind all that it leads to."""

    def __init__(self, game: Game[Any], roots: Sequence[Any], progress: Progress) -> None:
        self.game = game
        self._alike = alike_of(game)
        graph = Graph(game, self._alike)
        for root in map(self._alike, roots):
            if root not in graph.numbers:
                graph.add(root, progress, MOST_POSITIONS)
        self._numbers = graph.numbers
        self._progress = progress
        self._lay_out(graph)
        self._solve()

    def __len__(self) -> int:
        return len(self.movers)

    def number(self, p: Any) -> int:
        """Where a position stands."""
        return int(self._place[self._numbers[self._alike(p)]])

    def _lay_out(self, graph: Graph[Any]) -> None:
        import numpy as np

        starts = np.frombuffer(graph.starts, dtype=np.int64)
        targets = np.frombuffer(graph.targets, dtype=np.int32) if graph.targets else np.zeros(0, dtype=np.int32)
        counts = np.diff(starts)
        parts = _in_order(graph, targets, counts)
        order = np.concatenate([nodes for nodes, _ in parts])
        self._order = order
        self._place = np.empty(len(order), dtype=np.intp)
        self._place[order] = np.arange(len(order))
        self.counts = counts[order]
        self.starts = np.concatenate([[0], np.cumsum(self.counts)])
        edges = np.arange(len(targets)) + np.repeat(starts[order] - self.starts[:-1], self.counts)
        self.targets = self._place[targets[edges]]
        self.odds = np.frombuffer(graph.odds)[edges] if len(targets) else np.zeros(0)
        self.source = np.repeat(np.arange(len(order)), self.counts)
        self.movers = np.frombuffer(graph.movers, dtype=np.int8)[order]
        self.ends = np.full(len(order), 0.5)
        self.ends[self._place[list(graph.ends)]] = list(graph.ends.values())
        stops = np.cumsum([len(nodes) for nodes, _ in parts]).tolist()
        self.steps = [
            Step(stop - len(nodes), stop, is_loop) for stop, (nodes, is_loop) in zip(stops, parts, strict=True)
        ]
        self.is_over = self.movers == OVER
        self.by_player = (self.movers == 0) | (self.movers == 1)

    def _edges(self, step: Step) -> tuple[slice, Indices]:
        """The moves of some positions, and where those of each begin."""
        first = self.starts[step.start]
        return slice(first, self.starts[step.stop]), self.starts[step.start : step.stop] - first

    def _solve(self) -> None:
        """What every position is worth to Player 1 under best play, and which moves `perfect` varies between."""
        import numpy as np

        self.best = np.zeros(len(self.targets), dtype=bool)
        if any(step.is_loop for step in self.steps) and not self.game.chance:
            self._solve_by_retrograde()
            return
        self.values = np.where(self.is_over, self.ends, 0.5)
        plies = np.zeros(len(self), dtype=np.int32)
        for step in self.steps:
            if self.is_over[step.start]:
                continue
            if step.is_loop:
                self._solve_loop(step)
            else:
                edges, begin = self._edges(step)
                self._settle(step, edges, begin)
            self._choose(step, plies)

    def _settle(self, step: Step, edges: slice, begin: Indices) -> None:
        import numpy as np

        here = slice(step.start, step.stop)
        after = self.values[self.targets[edges]]
        mover = self.movers[here]
        mean = np.add.reduceat(self.odds[edges] * after, begin)
        low, high = np.minimum.reduceat(after, begin), np.maximum.reduceat(after, begin)
        self.values[here] = np.where(mover == CHANCE, mean, np.where(mover == 0, high, low))

    def _solve_loop(self, step: Step) -> None:
        from numberquest.solver.loop import Loop

        for _ in range(2):
            edges, begin = self._edges(step)
            self._settle(step, edges, begin)
        Loop(self._arrays, list(range(step.start, step.stop)), self.values, self._still).settle()

    @cached_property
    def _arrays(self) -> Arrays:
        import numpy as np

        from numberquest.solver.loop import Arrays

        place = np.full(len(self), -1, dtype=np.intp)
        return Arrays(self.movers, self.starts, self.targets.astype(np.int32), self.odds, place)

    def _still(self) -> None:
        self._progress(len(self), 2 * len(self))

    def _choose(self, step: Step, plies: NDArray[np.int32]) -> None:
        """Which moves are best, and of those, as `perfect` has it, which win soonest or lose last."""
        import numpy as np

        edges, begin = self._edges(step)
        here = slice(step.start, step.stop)
        mover, count = self.movers[here], self.counts[here]
        targets = self.targets[edges]
        worth = np.where(np.repeat(mover, count) == 1, 1 - self.values[targets], self.values[targets])
        top = np.maximum.reduceat(worth, begin)
        best = worth >= np.repeat(top - ALIKE, count)
        if self.game.chance:
            over = self.is_over[targets]
            lost = top <= ALIKE
            # A lost game goes on while it can; otherwise a win at once comes first.
            wished = best & np.where(np.repeat(lost, count), ~over, over & (worth == 1))
        else:
            further = plies[targets]
            won, lost = top == 1, top == 0
            soonest = np.minimum.reduceat(np.where(best, further, np.iinfo(np.int32).max), begin)
            latest = np.maximum.reduceat(np.where(best, further, -1), begin)
            right = np.where(won, soonest, latest)
            plies[here] = np.where(won | lost, right + 1, 0)
            wished = best & ((further == np.repeat(right, count)) | ~np.repeat(won | lost, count))
        some = np.logical_or.reduceat(wished, begin)
        by_player = np.repeat((mover == 0) | (mover == 1), count)
        self.best[edges] = np.where(np.repeat(some, count), wished, best) & by_player

    def _solve_by_retrograde(self) -> None:
        """Without chance, but with circles: how soon a win is forced is known only from the ends backward."""
        import numpy as np

        from numberquest.solver import solve

        solution = solve(self.game)
        positions = list(self._numbers)
        self.values = np.array([float(solution.value_for(0, positions[number])) for number in self._order])
        for here in np.flatnonzero(self.by_player).tolist():
            p = positions[self._order[here]]
            chosen = perfect_moves(self.game, p)
            self.best[self.starts[here] : self.starts[here + 1]] = [move in chosen for move in self.game.moves(p)]

    def likely(self, pair: Pair) -> Numbers:
        """How likely each move and reveal is, when these two play."""
        import numpy as np

        slips = [PLAYERS[name].any_move / 100 for name in pair]
        slip = np.where(self.movers == 1, slips[1], slips[0])
        ways = np.zeros(len(self))
        np.add.at(ways, self.source, self.best.astype(float))
        chosen = self.best * ((1 - slip) / np.maximum(ways, 1))[self.source]
        mixed = (slip / np.maximum(self.counts, 1))[self.source] + chosen
        return np.where(self.by_player[self.source], mixed, self.odds)

    def backward(
        self, likely: Numbers, ends: Numbers, each: Numbers | None = None, where: Flags | None = None
    ) -> Numbers:
        """What every position comes to on average: `ends` at the ends, and `each` for every position on the way.

        One column for each sum. Outside of `where`, a position comes to nothing.
        """
        import numpy as np

        known = np.where(self.is_over[:, None], ends, 0.0)
        for step in self.steps:
            here = slice(step.start, step.stop)
            if self.is_over[step.start]:
                if where is not None:
                    known[here] *= where[here]
                continue
            edges, begin = self._edges(step)
            if step.is_loop:
                known[here] = self._around(step, likely, known, each, where)
                continue
            found = np.add.reduceat(likely[edges, None] * known[self.targets[edges]], begin, axis=0)
            if each is not None:
                found += each[here]
            known[here] = found if where is None else found * where[here]
        return known

    def _around(
        self, step: Step, likely: Numbers, known: Numbers, each: Numbers | None, where: Flags | None
    ) -> Numbers:
        """The same of a loop: its positions follow from one another, as equations."""
        import numpy as np

        if where is not None:
            # What counts differs from column to column, and so do the equations.
            here = slice(step.start, step.stop)
            edges, _ = self._edges(step)
            found = []
            for column in range(known.shape[1]):
                only = where[here, column][self.source[edges] - step.start]
                adds = None if each is None else each[:, [column]] * where[:, [column]]
                found.append(self._equations(step, likely[edges] * only, known[:, [column]], adds))
            return np.concatenate(found, axis=1)
        return self._equations(step, likely[self._edges(step)[0]], known, each)

    def _equations(self, step: Step, odds: Numbers, known: Numbers, each: Numbers | None) -> Numbers:
        import numpy as np

        edges, _ = self._edges(step)
        size = step.stop - step.start
        source, target = self.source[edges] - step.start, self.targets[edges] - step.start
        outside = (target < 0) | (target >= size)
        inside = ~outside & (odds > 0)
        beyond = np.zeros((size, known.shape[1]))
        np.add.at(beyond, source[outside], odds[outside, None] * known[self.targets[edges][outside]])
        if each is not None:
            beyond += each[step.start : step.stop]
        leaves = np.bincount(source[inside], odds[inside], size) < 1 - LEAVES
        found, _ = averages(source[inside], target[inside], odds[inside], beyond, leaves, self._still)
        return found

    def forward(self, likely: Numbers, entering: Numbers) -> Numbers:
        """How often one comes to every position on average, entering at each so often."""
        import numpy as np

        often = entering.copy()
        for step in reversed(self.steps):
            here = slice(step.start, step.stop)
            if self.is_over[step.start] or not often[here].any():
                continue
            edges, _ = self._edges(step)
            target = self.targets[edges]
            if step.is_loop:
                size = step.stop - step.start
                source, within = self.source[edges] - step.start, target - step.start
                odds = likely[edges]
                inside = (within >= 0) & (within < size) & (odds > 0)
                leaves = np.bincount(source[inside], odds[inside], size) < 1 - LEAVES
                often[here] = visits(source[inside], within[inside], odds[inside], often[here], leaves, self._still)
                out = (within < 0) | (within >= size)
                np.add.at(often, target[out], odds[out] * often[self.source[edges]][out])
            else:
                np.add.at(often, target, likely[edges] * often[self.source[edges]])
        return often

    def scatter(self, likely: Numbers, values: Numbers, means: Numbers) -> Numbers:
        """By how much values scatter around their mean after every position: the variance."""
        import numpy as np

        off = values[self.targets] - means[self.source]
        return np.bincount(self.source, likely * off * off, len(self)).astype(float)

    def first_shares(self, pair: Pair) -> Numbers:
        """Player 1's share of the points from every position on."""
        return self.backward(self.likely(pair), self.ends[:, None] - 0.5)[:, 0] + 0.5


def _in_order(graph: Graph[Any], targets: NDArray[np.int32], counts: NDArray[np.int64]) -> list[tuple[Indices, bool]]:
    """Positions together that need only those before them; first the ends, and each loop alone."""
    import numpy as np

    size = len(counts)
    order = np.argsort(targets, kind="stable")
    into = np.concatenate([[0], np.cumsum(np.bincount(targets, minlength=size))])
    owner = np.repeat(np.arange(size), counts)[order]
    left = counts.copy()
    here, found = np.flatnonzero(counts == 0), []
    done = 0
    while len(here):
        found.append((here, False))
        done += len(here)
        number = into[here + 1] - into[here]
        at = np.arange(number.sum()) + np.repeat(into[here] - np.cumsum(number) + number, number)
        before, times = np.unique(owner[at], return_counts=True)
        left[before] -= times
        here = before[left[before] == 0]
    return found if done == size else [*found, *_with_loops(graph, left)]


def _with_loops(graph: Graph[Any], left: NDArray[np.int64]) -> Iterator[tuple[Indices, bool]]:
    """What is left where one can come back: loops, and what leads into them."""
    import numpy as np

    height: dict[int, int] = {}
    singles: dict[int, list[int]] = {}
    loops: dict[int, list[list[int]]] = {}
    for component in graph.components():
        if not left[component[0]]:
            continue
        leads_to = {there for here in component for there in graph.targets[graph.starts[here] : graph.starts[here + 1]]}
        high = 1 + max((height.get(there, 0) for there in leads_to), default=0)
        for here in component:
            height[here] = high
        if graph.is_loop(component):
            loops.setdefault(high, []).append(component)
        else:
            singles.setdefault(high, []).append(component[0])
    for high in range(1, max(height.values()) + 1):
        if high in singles:
            yield np.array(singles[high]), False
        for component in loops.get(high, ()):
            yield np.array(component), True


class GeneralWalk(Walked):
    """A game as one pair plays it, from its positions one by one."""

    def __init__(self, positions: Positions, pair: Pair) -> None:
        import numpy as np

        self.pair, self.positions = pair, len(positions)
        self._positions = positions
        self._likely = positions.likely(pair)
        ends, over = positions.ends, positions.is_over
        won = np.column_stack([over & (ends == 1), over & (ends == 0), over & (ends == 0.5), np.zeros(len(over))])
        self._won = won.astype(float)
        each = np.zeros((len(over), 4))
        each[:, 3] = positions.by_player
        self._known = positions.backward(self._likely, self._won, each)
        # What never ends is nobody's win, as a draw is.
        self._shares = (1 + self._known[:, 0] - self._known[:, 1]) / 2

    @cached_property
    def flow(self) -> Flow:
        """What a game comes to."""
        import numpy as np

        positions, likely = self._positions, self._likely
        first, second, drawn, ahead = self._known.T
        made = positions.by_player.astype(float)
        start = positions.number(positions.game.start())
        entering = np.zeros(len(positions))
        entering[start] = 1.0
        often = positions.forward(likely, entering)
        swings = often * positions.scatter(likely, self._shares, self._shares)
        lead = np.where(self._shares > 0.5 + EVEN, 0, np.where(self._shares < 0.5 - EVEN, 1, -1))
        endless = 1 - first[start] - second[start] - drawn[start]
        moved = often * made
        staked, blindly = _stakes(positions)
        matters = staked > ALIKE
        leads = lead[:, None] == [0, 1]
        settled = positions.backward(likely, self._won[:, :2], where=leads).sum(axis=1)
        off = np.abs(1 - 2 * self._shares)
        later = np.where(lead == 0, second, np.where(lead == 1, first, 0.0))
        return Flow(
            first=float(first[start]),
            second=float(second[start]),
            endless=float(endless) if endless > ALMOST else 0.0,
            by_chance=float(swings[positions.movers == CHANCE].sum()),
            by_choice=float(swings[positions.by_player].sum()),
            lead_changes=_lead_changes(positions, likely, often, lead),
            moves=float(moved.sum()),
            spread=float((often * positions.scatter(likely, ahead, ahead - made)).sum()) ** 0.5,
            allowed=float((moved * positions.counts).sum()),
            decisions=float(moved[positions.counts > 1].sum()),
            mattered=float(moved[matters].sum()),
            staked=float((moved * staked)[matters].sum()),
            blindly=float((moved * blindly)[matters].sum()),
            behind=float((moved * later).sum()),
            deficit=float((moved * later * off).sum()),
            unsettled=float((moved * (1 - settled)).sum()),
        )

    def share(self, p: Any) -> float:
        """Player 1's share of the points from any position on that can be reached."""
        return float(self._shares[self._positions.number(p)])

    def best(self, p: Any) -> float:
        """The same under best play."""
        return float(self._positions.values[self._positions.number(p)])


def _stakes(positions: Positions) -> tuple[Numbers, Numbers]:
    """What the worst move gives away at every position, and what any move does on average, against best play."""
    import numpy as np

    staked, blindly = np.zeros(len(positions)), np.zeros(len(positions))
    if not len(positions.targets):
        return staked, blindly
    worth = np.where(positions.movers[positions.source] == 1, -1.0, 1.0) * positions.values[positions.targets]
    here = np.flatnonzero(positions.counts)
    begin = positions.starts[here]
    top = np.maximum.reduceat(worth, begin)
    staked[here] = top - np.minimum.reduceat(worth, begin)
    blindly[here] = top - np.add.reduceat(worth, begin) / positions.counts[here]
    return staked * positions.by_player, blindly * positions.by_player


def _lead_changes(positions: Positions, likely: Numbers, often: Numbers, lead: NDArray[np.int64]) -> float:
    """How often the lead goes over to the other; while nobody leads, who led last is remembered."""
    import numpy as np

    flow = often[positions.source] * likely
    before, after = lead[positions.source], lead[positions.targets]
    changes = float(flow[(before >= 0) & (after == 1 - before)].sum())
    even = (before < 0) & (after < 0)
    for led in (0, 1):
        into = (before == led) & (after < 0)
        entering = np.bincount(positions.targets[into], flow[into], len(positions)).astype(float)
        if not entering.any():
            continue
        among = positions.forward(np.where(even, likely, 0.0), entering)
        changes += float((among[positions.source] * likely)[(before < 0) & (after == 1 - led)].sum())
    return changes
