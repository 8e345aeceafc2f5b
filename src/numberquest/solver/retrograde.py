"""Solves games without chance from their ends backward, also where one can come back to where one was.

First who has won at the ends, then who can win with the next move, and so on: what is left when nothing more can be
said is a draw, or is never decided. So it is known as well how soon a win is forced.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING

from numberquest.contract import Game, P
from numberquest.solver.budget import LOOK, silently
from numberquest.solver.graph import OVER, Graph
from numberquest.solver.solution import Distances, Solution, worth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numberquest.solver.budget import Progress
    from numberquest.solver.solution import Value

NOBODY = -1


class Retrograde(Solution[P], Distances[P]):
    """Who wins every position that can be reached, and in how many moves, by number."""

    def __init__(self, game: Game[P], progress: Progress = silently) -> None:
        super().__init__(game)
        self._graph = Graph(game)
        self._solve(game.canonical(game.start()), progress)
        self.positions = len(self._graph)

    def solved(self) -> Iterable[P]:
        """Every position that was solved, in canonical form."""
        return self._graph.numbers.keys()

    def known(self, p: P) -> Value:
        """The value, for whoever's turn it is."""
        number = self._number(p)
        winner = self._winner[number]
        return worth(None, 0) if winner == NOBODY else int(winner == self.game.turn(p))

    def plies(self, p: P) -> int:
        """How many moves it still takes; 0 also where nobody can force a win."""
        number = self._number(p)
        return self._plies[number]

    def _number(self, p: P) -> int:
        canonical = self.game.canonical(p)
        if canonical not in self._graph.numbers:
            # Not reachable from the start, but somebody has set it up.
            self._solve(canonical, silently)
        return self._graph.numbers[canonical]

    def _solve(self, root: P, progress: Progress) -> None:
        graph = self._graph
        graph.add(root, progress)
        size = len(graph)
        movers, starts = graph.movers, graph.starts
        self._winner = winner = array("b", [NOBODY]) * size
        self._plies = plies = array("i", [0]) * size
        came_from: list[list[int]] = [[] for _ in range(size)]
        for here in range(size):
            for there in graph.targets[starts[here] : starts[here + 1]]:
                came_from[there].append(here)
        # How many moves of each position are not known to lose.
        hopes = array("i", [starts[here + 1] - starts[here] for here in range(size)])
        decided = deque(here for here in range(size) if movers[here] == OVER and graph.ends[here] != 0.5)
        for here in decided:
            winner[here] = 0 if graph.ends[here] else 1
        done = 0
        while decided:
            there = decided.popleft()
            for here in came_from[there]:
                if winner[here] != NOBODY:
                    continue
                if movers[here] != winner[there]:
                    hopes[here] -= 1
                    if hopes[here]:
                        continue
                # The nearest ends come first: so a win is as soon as it can be, and a loss as late.
                winner[here], plies[here] = winner[there], plies[there] + 1
                decided.append(here)
            done += 1
            if not done % LOOK:
                progress(size + done, 2 * size)
