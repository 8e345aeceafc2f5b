"""Best play on a graph of positions: who wins each and how soon, or with which chance.

Without chance, from the ends backward: first who has won at the ends, then who can win with the next move, and so on;
what is left when nothing more can be said is a draw, or is never decided. So it is known as well how soon a win is
forced. With chance, each position from those that it leads to, exactly; those that lead to one another and back, as in
Pig, are settled together.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections import deque
from collections.abc import Iterable, MutableSequence
from fractions import Fraction
from typing import Any, Self

from numberquest.core.contract import CHANCE, P
from numberquest.core.progress import Progress, silently
from numberquest.solver.budget import LOOK
from numberquest.solver.graph import OVER, Graph
from numberquest.solver.numbers import arrays as np
from numberquest.solver.solution import Distances, Solution, Value, worth

NOBODY = -1


class Listed(Solution[P]):
    """The value of every position of a graph, by number."""

    def __init__(self, graph: Graph[P], progress: Progress = silently) -> None:
        super().__init__(graph.game)
        self._graph = graph
        self.positions = len(graph)
        self._beyond: dict[P, tuple[Self, int]] = {}
        """Where positions stand that cannot be reached from the start."""
        self._solve(progress)

    @abstractmethod
    def _solve(self, progress: Progress) -> None:
        """Work out what every position of the graph is worth."""

    @abstractmethod
    def first(self, number: int) -> Value:
        """What the position of that number is worth to Player 1."""

    def solved(self) -> Iterable[P]:
        """Every position that was solved, one for all that are the same."""
        return self._graph.numbers.keys()

    def known(self, p: P) -> Value:
        listed, number = self._find(p)
        first = listed.first(number)
        return first if self.game.turn(p) == 0 else 1 - first

    def _find(self, p: P) -> tuple[Self, int]:
        p = self._graph.same(p)
        place = self._place(p)
        if place is None:
            # Not reachable from the start, but somebody has set it up.
            other = type(self)(self._graph_from(p))
            for each, number in other._graph.numbers.items():
                self._beyond.setdefault(each, (other, number))
            self.error += other.error
            place = self._beyond[p]
        return place

    def _place(self, p: P) -> tuple[Self, int] | None:
        number = self._graph.numbers.get(p)
        return self._beyond.get(p) if number is None else (self, number)

    def _graph_from(self, p: P) -> Graph[P]:
        """All that follows a position; what is known already stands there as an end, and is not followed."""
        game = self.game
        graph = Graph(game, self._graph.same, lambda p: () if self._place(p) else game.moves(p))
        graph.add(p, silently)
        for each, number in graph.numbers.items():
            place = self._place(each)
            if place is not None:
                listed, known = place
                graph.ends[number] = listed.first(known)
        return graph


class Retrograde(Listed[P], Distances[P]):
    """Who wins every position of a game without chance, and in how many moves."""

    def first(self, number: int) -> Value:
        """1, 0, or one half where nobody can force a win."""
        winner = self._winner[number]
        return worth(None, 0) if winner == NOBODY else 1 - winner

    def plies(self, p: P) -> int:
        """How many moves it still takes; 0 also where nobody can force a win."""
        listed, number = self._find(p)
        return listed.all_plies[number]

    def _graph_from(self, p: P) -> Graph[P]:
        # How soon a win is forced is counted from the ends of the game.
        graph = Graph(self.game, self._graph.same)
        graph.add(p, silently)
        return graph

    def _solve(self, progress: Progress) -> None:
        graph = self._graph
        size = len(graph)
        movers, starts = graph.movers, graph.starts
        self._winner = winner = array("b", [NOBODY]) * size
        self.all_plies = plies = array("i", [0]) * size
        came_from: list[list[int]] = [[] for _ in range(size)]
        for here in range(size):
            for there in graph.targets[starts[here] : starts[here + 1]]:
                came_from[there].append(here)
        # How many moves of each position are not known to lose.
        hopes = array("i", [starts[here + 1] - starts[here] for here in range(size)])
        decided = deque(here for here in range(size) if movers[here] == OVER and graph.ends[here] in (0, 1))
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


class Expectation(Listed[P]):
    """The value of every position of a game with chance: a fraction, but from the first loop on a number."""

    exact = True
    """Whether chance has the weights of the game; otherwise it has the odds of the graph."""

    def first(self, number: int) -> Value:
        first: Value = self._first_wins[number]
        return first

    def _solve(self, progress: Progress) -> None:
        graph = self._graph
        size = done = len(graph)
        # Half is a guess, for positions in a loop.
        self._first_wins: MutableSequence[Any] = [0.5] * size if self.exact else array("d", [0.5]) * size
        self._positions = list(graph.numbers)
        arrays: Any = None

        def still() -> None:
            progress(done, 2 * size)

        for component in graph.components():
            self._sweep(component)
            if graph.is_loop(component):
                from numberquest.solver.loop import Arrays, Loop

                if arrays is None:
                    self.exact, self._first_wins = False, array("d", map(float, self._first_wins))
                    arrays, values = Arrays.of(graph), np.frombuffer(self._first_wins)
                self._sweep(component)
                self.error += Loop(arrays, component, values, still).settle()
            done += len(component)
            if done % LOOK < len(component):
                still()
        del self._positions

    def _sweep(self, component: list[int]) -> None:
        """Go through positions once, and give each what follows from those that it leads to: of a loop, a guess."""
        graph, values = self._graph, self._first_wins
        movers, starts, targets, odds = graph.movers, graph.starts, graph.targets, graph.odds
        for here in component:
            start, stop = starts[here], starts[here + 1]
            following = [values[there] for there in targets[start:stop]]
            if not following:
                values[here] = graph.ends[here]
            elif movers[here] != CHANCE:
                values[here] = min(following) if movers[here] else max(following)
            elif self.exact:
                weights = self.game.weights(self._positions[here])
                total = sum([weight * value for weight, value in zip(weights, following, strict=True)])
                values[here] = Fraction(total) / sum(weights)
            else:
                values[here] = sum([share * value for share, value in zip(odds[start:stop], following, strict=True)])


class RoundedExpectation(Expectation[P]):
    """The same as numbers throughout, with the odds of the graph: sooner done, and good for averages."""

    exact = False


def best_play(graph: Graph[P], progress: Progress = silently, *, rounded: bool = False) -> Listed[P]:
    """What the positions of a graph are worth, worked out once; `rounded` where numbers do, unless more is known."""
    if not graph.game.chance:
        return graph.once(Retrograde, progress)
    if rounded and Expectation not in graph.worked_out:
        return graph.once(RoundedExpectation, progress)
    return graph.once(Expectation, progress)
