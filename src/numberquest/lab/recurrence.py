"""How often each level wins, from the rules alone: for games with few positions.

The same recurrence as the solver's, except that a player does not take the best of what follows but
the average: over all moves some of the time, and over the best ones otherwise. Positions that lead to
one another and back are settled together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.lab.mixed import Chance, Everywhere, shares
from numberquest.players import perfect_moves
from numberquest.solver.chain import averages
from numberquest.solver.graph import OVER, Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress

    Numbers = NDArray[np.float64]

MOST_POSITIONS: Final = 100_000
"""With more than this it would take too long."""
ROUNDING: Final = 1e-12


def chances(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> list[Chance]:
    """For each pair, how often Player 1 wins and how often nobody. Canonical positions must have the same moves."""
    first, second = _settled(game, pairs, progress).known[0]
    drawn = 1 - first - second
    drawn[drawn < ROUNDING] = 0
    return [Chance(*both) for both in zip(first.tolist(), drawn.tolist(), strict=True)]


def everywhere(game: Game[Any], pair: Pair, progress: Progress) -> Everywhere:
    """For one pair, Player 1's share of the points from every position on."""
    return _Everywhere(game, pair, _settled(game, [pair], progress))


class _Everywhere(Everywhere):
    def __init__(self, game: Game[Any], pair: Pair, mixed: _Mixed) -> None:
        super().__init__(game, pair)
        self._numbers = mixed.numbers
        first, second = mixed.known[:, 0, 0], mixed.known[:, 1, 0]
        self._shares: list[float] = ((1 + first - second) / 2).tolist()

    def known(self, p: Any) -> float | None:
        """Of every position that can be reached."""
        number = self._numbers.get(self.game.canonical(p))
        return None if number is None else self._shares[number]


def _settled(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> _Mixed:
    graph = Graph(game)
    graph.add(game.canonical(game.start()), progress, MOST_POSITIONS)
    mixed = _Mixed(graph, pairs)
    size = done = len(graph)
    for component in graph.components():
        if graph.is_loop(component):
            mixed.settle_loop(component, lambda at=done: progress(at, 2 * size))  # type: ignore[misc]
        else:
            mixed.settle(component[0])
        done += len(component)
        progress(done, 2 * size)
    return mixed


class _Mixed:
    """For each position, how often Player 1 and Player 2 win, for all pairs at once."""

    def __init__(self, graph: Graph[Any], pairs: Sequence[Pair]) -> None:
        import numpy as np

        self._graph = graph
        self.numbers = graph.numbers
        self._positions = list(graph.numbers)
        self._any_move = shares(pairs)
        self.known = np.zeros((len(graph), 2, len(pairs)))

    def settle(self, number: int) -> None:
        """Fill in a position from those that it leads to."""
        import numpy as np

        if self._graph.movers[number] == OVER:
            outcome = self._graph.game.outcome(self._positions[number])
            if outcome is not None and outcome.winner is not None:
                self.known[number, outcome.winner] = 1
        else:
            targets, odds = self._row(number)
            self.known[number] = np.einsum("mp,msp->sp", odds, self.known[targets])

    def settle_loop(self, component: list[int], still: Callable[[], None]) -> None:
        """Fill in positions that lead to one another; play that never leaves them is nobody's win."""
        import numpy as np

        rows = [self._row(number) for number in component]
        size = len(component)
        place = dict(zip(component, range(size), strict=True))
        source = np.repeat(np.arange(size), [len(targets) for targets, _ in rows])
        targets = [target for some, _ in rows for target in some]
        target = np.array([place.get(number, -1) for number in targets])
        beyond = self.known[targets]
        odds = np.concatenate([some for _, some in rows])
        for pair in range(odds.shape[1]):
            likely = odds[:, pair]
            out = (target < 0) & (likely > 0)
            inside = (target >= 0) & (likely > 0)
            won = [np.bincount(source[out], likely[out] * beyond[out, seat, pair], size) for seat in (0, 1)]
            leaves = np.zeros(size, dtype=bool)
            leaves[source[out]] = True
            found, _ = averages(
                source[inside], target[inside], likely[inside], np.column_stack(won).astype(float), leaves, still
            )
            self.known[component, :, pair] = found

    def _row(self, number: int) -> tuple[Sequence[int], Numbers]:
        """Where the moves of a position lead, and how likely each is, for each pair."""
        import numpy as np

        graph = self._graph
        at = slice(graph.starts[number], graph.starts[number + 1])
        targets = graph.targets[at]
        player = graph.movers[number]
        if player == CHANCE:
            return targets, np.repeat(np.array(graph.odds[at])[:, None], self._any_move.shape[1], axis=1)
        p = self._positions[number]
        best = perfect_moves(graph.game, p)
        chosen = np.array([[move in best] for move in graph.game.moves(p)]) / len(best)
        any_move = self._any_move[player]
        odds: Numbers = any_move / len(targets) + (1 - any_move) * chosen
        return targets, odds
