"""A graph of positions in an order in which each stands behind all that it leads to, as arrays.

One pass backward tells what positions come to between two players of any kind; one forward how often each comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.progress import Progress, silently
from numberquest.solver import budget
from numberquest.solver.graph import OVER, Graph, graph_of
from numberquest.solver.listed import Retrograde, best_play
from numberquest.solver.loop import Chain, averages, visits
from numberquest.solver.numbers import Flags, Indices, NDArray, Numbers
from numberquest.solver.numbers import arrays as np
from numberquest.solver.solution import ALIKE

LEAVES: Final = 1e-12


class Layer(NamedTuple):
    """Positions from `start` to `stop` that need only those before them: none leads to another, or it is a loop."""

    start: int
    stop: int
    is_loop: bool


def ordered(game: Game[Any], progress: Progress = silently) -> OrderedGraph:
    """The positions of a game, one for all that are alike; put in order once. `TooLarge` where they are too many."""
    graph = graph_of(game, game.alike, progress=progress, most=budget.MOST_FOLLOWED)
    found = graph.once(OrderedGraph, progress)
    found.progress = progress
    return found


def ordered_from(game: Game[Any], root: Any, progress: Progress) -> OrderedGraph:
    """The same of what follows any position."""
    graph = Graph(game, game.alike)
    graph.add(game.alike(root), progress, budget.MOST_FOLLOWED)
    return OrderedGraph(graph, progress)


class OrderedGraph:
    """The positions of a graph, each behind all that it leads to."""

    def __init__(self, graph: Graph[Any], progress: Progress = silently) -> None:
        self.game, self._graph, self.progress = graph.game, graph, progress
        starts = np.frombuffer(graph.starts, dtype=np.int64)
        targets = np.frombuffer(graph.targets, dtype=np.int32) if graph.targets else np.zeros(0, dtype=np.int32)
        counts = np.diff(starts)
        parts = _in_order(graph, targets, counts)
        order = np.concatenate([nodes for nodes, _ in parts])
        self.order = order
        """For each place the number of the position in the graph."""
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
        self.ends[self._place[list(graph.ends)]] = [float(end) for end in graph.ends.values()]
        stops = np.cumsum([len(nodes) for nodes, _ in parts]).tolist()
        self.layers = [
            Layer(stop - len(nodes), stop, is_loop) for stop, (nodes, is_loop) in zip(stops, parts, strict=True)
        ]
        self.is_over = self.movers == OVER
        self.by_player = (self.movers == 0) | (self.movers == 1)

    def __len__(self) -> int:
        return len(self.movers)

    def number(self, p: Any) -> int:
        """Where a position stands; `KeyError` where it cannot be reached."""
        return int(self._place[self._graph.numbers[self._graph.same(p)]])

    def _still(self) -> None:
        self.progress(len(self), 2 * len(self))

    def _edges(self, layer: Layer) -> tuple[slice, Indices]:
        """The moves of some positions, and where those of each begin."""
        first = self.starts[layer.start]
        return slice(first, self.starts[layer.stop]), self.starts[layer.start : layer.stop] - first

    @cached_property
    def values(self) -> Numbers:
        """What every position is worth to Player 1 under best play."""
        known = best_play(self._graph, self.progress, rounded=True)
        values: Numbers = np.array([float(known.first(number)) for number in range(len(self))])
        return np.take(values, self.order)

    @cached_property
    def best(self) -> Flags:
        """Which moves `perfect` varies between: the best, and of those the ones that win soonest or lose last."""
        best = np.zeros(len(self.targets), dtype=bool)
        here = np.flatnonzero(self.counts)
        if not len(here):
            return best
        begin, count = self.starts[here], self.counts[here]
        after = self.values[self.targets]
        worth = np.where(self.movers[self.source] == 1, 1 - after, after)
        top = np.maximum.reduceat(worth, begin)
        best = worth >= np.repeat(top - ALIKE, count)
        if self.game.chance:
            over = self.is_over[self.targets]
            # A lost game goes on while it can; otherwise a win at once comes first.
            wished = best & np.where(np.repeat(top <= ALIKE, count), ~over, over & (worth == 1))
        else:
            plies = self._graph.once(Retrograde, self.progress).all_plies
            further = np.frombuffer(plies, dtype=np.intc)[self.order][self.targets]
            soonest = np.minimum.reduceat(np.where(best, further, np.iinfo(np.intc).max), begin)
            latest = np.maximum.reduceat(np.where(best, further, -1), begin)
            right = np.where(top == 1, soonest, latest)
            wished = best & ((further == np.repeat(right, count)) | ~np.repeat((top == 1) | (top == 0), count))
        some = np.logical_or.reduceat(wished, begin)
        chosen: Flags = np.where(np.repeat(some, count), wished, best) & self.by_player[self.source]
        return chosen

    def likely(self, slips: tuple[float, float], best: Flags | None = None) -> Numbers:
        """How likely each move and reveal is, when each player makes any move so often, and otherwise a best one."""
        if best is None:
            # Nobody needs to know the best ones where all moves are any move.
            best = self.best if min(slips) < 1 else np.zeros(len(self.targets), dtype=bool)
        slip = np.where(self.movers == 1, slips[1], slips[0])
        ways = np.bincount(self.source, best, len(self))
        chosen = best * ((1 - slip) / np.maximum(ways, 1))[self.source]
        mixed = (slip / np.maximum(self.counts, 1))[self.source] + chosen
        return np.where(self.by_player[self.source], mixed, self.odds)

    def backward(
        self, likely: Numbers, ends: Numbers, each: Numbers | None = None, where: Flags | None = None
    ) -> Numbers:
        """What every position comes to on average: `ends` at the ends, and `each` for every position on the way.

        One column for each sum. Outside of `where`, a position comes to nothing.
        """
        known = np.where(self.is_over[:, None], ends, 0.0)
        for layer in self.layers:
            here = slice(layer.start, layer.stop)
            if self.is_over[layer.start]:
                if where is not None:
                    known[here] *= where[here]
                continue
            edges, begin = self._edges(layer)
            if layer.is_loop:
                known[here] = self._around(layer, likely, known, each, where)
                continue
            found = np.add.reduceat(likely[edges, None] * known[self.targets[edges]], begin, axis=0)
            if each is not None:
                found += each[here]
            known[here] = found if where is None else found * where[here]
        return known

    def _around(
        self, layer: Layer, likely: Numbers, known: Numbers, each: Numbers | None, where: Flags | None
    ) -> Numbers:
        """The same of a loop: its positions follow from one another, as equations."""
        edges, _ = self._edges(layer)
        if where is None:
            return self._equations(layer, likely[edges], known, each)
        # What counts differs from column to column, and so do the equations.
        found = []
        for column in range(known.shape[1]):
            adds = None if each is None else each[:, [column]] * where[:, [column]]
            only = where[self.source[edges], column]
            found.append(self._equations(layer, likely[edges] * only, known[:, [column]], adds))
        return np.concatenate(found, axis=1)

    def _equations(self, layer: Layer, odds: Numbers, known: Numbers, each: Numbers | None) -> Numbers:
        edges, _ = self._edges(layer)
        chain, out = self._chain(layer, odds)
        beyond = np.zeros((layer.stop - layer.start, known.shape[1]))
        into = known[self.targets[edges][out]]
        np.add.at(beyond, self.source[edges][out] - layer.start, odds[out, None] * into)
        if each is not None:
            beyond += each[layer.start : layer.stop]
        found, _ = averages(chain, beyond, self._still)
        return found

    def _chain(self, layer: Layer, odds: Numbers) -> tuple[Chain, Flags]:
        """The moves of a loop with these odds, as a chain; and which of them lead out of it."""
        edges, _ = self._edges(layer)
        size = layer.stop - layer.start
        source, target = self.source[edges] - layer.start, self.targets[edges] - layer.start
        out = (target < 0) | (target >= size)
        inside = ~out & (odds > 0)
        leaves = np.bincount(source[inside], odds[inside], size) < 1 - LEAVES
        return Chain(source[inside], target[inside], odds[inside], leaves), out

    def forward(self, likely: Numbers, entering: Numbers) -> Numbers:
        """How often one comes to every position on average, entering at each so often."""
        often = entering.copy()
        for layer in reversed(self.layers):
            here = slice(layer.start, layer.stop)
            if self.is_over[layer.start] or not often[here].any():
                continue
            edges, _ = self._edges(layer)
            target = self.targets[edges]
            if layer.is_loop:
                odds = likely[edges]
                chain, out = self._chain(layer, odds)
                often[here] = visits(chain, often[here], self._still)
                np.add.at(often, target[out], odds[out] * often[self.source[edges]][out])
            else:
                np.add.at(often, target, likely[edges] * often[self.source[edges]])
        return often

    def scatter(self, likely: Numbers, values: Numbers, means: Numbers) -> Numbers:
        """By how much values scatter around their mean after every position: the variance."""
        off = values[self.targets] - means[self.source]
        return np.bincount(self.source, likely * off * off, len(self)).astype(float)


def _in_order(graph: Graph[Any], targets: NDArray[np.int32], counts: NDArray[np.int64]) -> list[tuple[Indices, bool]]:
    """Positions together that need only those before them; first the ends, and each loop alone."""
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
