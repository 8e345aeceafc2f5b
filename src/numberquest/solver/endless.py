"""Solves games with chance in which one can come back to where one was, such as Pig."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from numberquest.contract import CHANCE, Game, P
from numberquest.solver.budget import LOOK, silently
from numberquest.solver.graph import Graph
from numberquest.solver.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numberquest.solver.budget import Progress


class Endless(Solution[P]):
    """The value of every position that can be reached, by number.

    Those that lead to one another and back are settled together, after all that they lead to.
    """

    def __init__(self, game: Game[P], progress: Progress) -> None:
        super().__init__(game)
        self._graph = Graph(game)
        self._first_wins = array("d")
        self._solve(game.canonical(game.start()), progress)
        self.positions = len(self._graph)

    def solved(self) -> Iterable[P]:
        """Every position that was solved, in canonical form."""
        return self._graph.numbers.keys()

    def known(self, p: P) -> float:
        """The value, for whoever's turn it is."""
        canonical = self.game.canonical(p)
        if canonical not in self._graph.numbers:
            # Not reachable from the start, but somebody has set it up.
            self._solve(canonical, silently)
        first_wins = self._first_wins[self._graph.numbers[canonical]]
        return first_wins if self.game.turn(p) == 0 else 1 - first_wins

    def _solve(self, root: P, progress: Progress) -> None:
        import numpy as np

        from numberquest.solver.loop import Arrays, Loop

        graph = self._graph
        first = graph.add(root, progress)
        size = len(graph)
        self._first_wins.extend([0.5] * (size - first))
        arrays, values = Arrays.of(graph), np.frombuffer(self._first_wins)
        done = size

        def still() -> None:
            progress(done, 2 * size)

        for component in graph.components(first):
            self._sweep(component)
            if graph.is_loop(component):
                self._sweep(component)
                self.error += Loop(arrays, component, values, still).settle()
            done += len(component)
            if done % LOOK < len(component):
                still()

    def _sweep(self, component: list[int]) -> None:
        """Go through positions once, and give each what follows from those that it leads to: of a loop, a guess."""
        graph, values = self._graph, self._first_wins
        movers, starts, targets, odds = graph.movers, graph.starts, graph.targets, graph.odds
        for here in component:
            start, stop = starts[here], starts[here + 1]
            following = [values[there] for there in targets[start:stop]]
            if not following:
                values[here] = graph.ends[here]
            elif movers[here] == CHANCE:
                values[here] = sum([share * value for share, value in zip(odds[start:stop], following, strict=True)])
            else:
                values[here] = min(following) if movers[here] else max(following)
