"""Every position of a game that can be reached, numbered once, and where its moves lead.

`graph_of(game)` lists them when they are first asked for, and keeps those of the last few games: best play, distances,
values between any two players and how often each position comes are all worked out on the same graph.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

from numberquest.core.contract import CHANCE, Game, P
from numberquest.core.progress import Progress, silently
from numberquest.solver.budget import LOOK, MOST_POSITIONS, check_growth
from numberquest.solver.solution import Value, worth

T = TypeVar("T")

MANY_MOVES: Final = 4 * LOOK
"""After so many moves one looks at the clock too: in some games a position has hundreds of them."""
OVER: Final = 2
"""Stands for who moves where the game is over."""
MOST_KEPT: Final = 3
"""So many graphs are kept; and of the larger ones fewer."""
MOST_KEPT_POSITIONS: Final = 1_000_000


def merges_unlike(game: Game[P]) -> bool:
    """Whether `canonical` may make positions one that are not alike: worth the same, and no more than that."""
    kind = type(game)
    return kind.canonical not in (Game.canonical, kind.alike)


class Graph(Generic[P]):
    """Positions by number, one for all that are the same.

    Those of number `n` lead to `targets[starts[n] : starts[n + 1]]`.
    """

    def __init__(
        self,
        game: Game[P],
        same: Callable[[P], P] | None = None,
        moves: Callable[[P], tuple[str, ...]] | None = None,
    ) -> None:
        """`same` gives the position that stands for all that are the same: `game.canonical`, or `game.alike`.

        With `moves`, only those are followed.
        """
        self.game = game
        self.same = same or game.canonical
        self.moves = moves or game.moves
        self.numbers: dict[P, int] = {}
        self.movers = array("b")
        """0, 1, `CHANCE` or `OVER`."""
        self.starts = array("q", [0])
        self.targets = array("i")
        self.odds = array("d")
        """For each target, how likely it is where chance moves; 0 elsewhere."""
        self.ends: dict[int, Value] = {}
        """What the positions where the game is over are worth to Player 1."""
        self.worked_out: dict[object, Any] = {}
        """What is true of it, by what has worked it out."""

    def __len__(self) -> int:
        return len(self.movers)

    def add(self, root: P, progress: Progress, most: float = MOST_POSITIONS) -> None:
        """Take in all that follows the root and is not there yet.

        `TooLarge` where there are more than `most` of them.
        """
        game, numbers, targets, moves_at = self.game, self.numbers, self.targets, self.moves
        same, play = self.same, game.play
        is_plain = _is_plain(same)
        likely: dict[tuple[int, ...], array[float]] = {}
        numbers[root] = len(self)
        waiting, due = [root], len(targets) + MANY_MOVES
        for p in waiting:
            moves = moves_at(p)
            mover = game.player(p) if moves else OVER
            if mover == OVER:
                # Nobody can move and nobody has won: the check of games refuses such rules.
                self.ends[len(self)] = worth(game.outcome(p), 0)
            elif mover == CHANCE:
                weights = game.weights(p)
                if weights not in likely:
                    likely[weights] = array("d", [weight / sum(weights) for weight in weights])
                self.odds.extend(likely[weights])
            else:
                self.odds.extend([0.0] * len(moves))
            for move in moves:
                after = play(p, move) if is_plain else same(play(p, move))
                number = numbers.get(after)
                if number is None:
                    number = numbers[after] = len(numbers)
                    waiting.append(after)
                targets.append(number)
            self.movers.append(mover)
            self.starts.append(len(targets))
            if not len(self) % LOOK or len(targets) >= due or len(numbers) > most:
                due = len(targets) + MANY_MOVES
                check_growth(game, len(numbers), most)
                # Nobody knows how many there are; and when all are found, half of the work is done.
                progress(len(self), 2 * len(numbers))

    def components(self) -> Iterator[list[int]]:
        """The positions that lead to one another and back, together; each component after all that it leads to."""
        return components(self.starts, self.targets)

    def once(self, kind: Callable[[Graph[P], Progress], T], progress: Progress) -> T:
        """What is true of it, worked out when it is first asked for, and kept as long as the graph."""
        if kind not in self.worked_out:
            self.worked_out[kind] = kind(self, progress)
        found: T = self.worked_out[kind]
        return found

    def is_loop(self, component: list[int]) -> bool:
        """Whether one can come back to where one was."""
        here = component[0]
        return len(component) > 1 or here in self.targets[self.starts[here] : self.starts[here + 1]]


def components(starts: Sequence[int], targets: Sequence[int]) -> Iterator[list[int]]:
    """What leads to one another and back, together; `here` leads to `targets[starts[here] : starts[here + 1]]`.

    Each comes after all that it leads to: Tarjan's algorithm, with a stack of its own. In a component those that
    were met last come first, so that most stand behind what they lead to.
    """
    number = len(starts) - 1
    done = number + 1
    # When each was met; 0: not yet. And the earliest that can be reached from it.
    met, low = array("i", bytes(4 * number)), array("i", bytes(4 * number))
    open_ones: list[int] = []
    time = 0
    for root in range(number):
        if met[root]:
            continue
        path, places = [root], [starts[root]]
        time += 1
        met[root] = low[root] = time
        open_ones.append(root)
        while path:
            here, place = path[-1], places[-1]
            stop, lowest = starts[here + 1], low[here]
            while place < stop:
                there = targets[place]
                place += 1
                when = met[there]
                if not when:
                    places[-1], low[here] = place, lowest
                    time += 1
                    met[there] = low[there] = time
                    open_ones.append(there)
                    path.append(there)
                    places.append(starts[there])
                    break
                if when < lowest:
                    lowest = when
            else:
                path.pop()
                places.pop()
                low[here] = lowest
                if lowest == met[here]:
                    component: list[int] = []
                    while not component or component[-1] != here:
                        component.append(open_ones.pop())
                        met[component[-1]] = done
                    yield component
                elif lowest < low[path[-1]]:
                    low[path[-1]] = lowest


def itself(p: P) -> P:
    """Nothing but a position itself stands for it."""
    return p


def _is_plain(same: Callable[[P], P]) -> bool:
    return same is itself or getattr(same, "__func__", None) in (Game.canonical, Game.alike)


_kept: dict[tuple[Game[Any], object], Graph[Any]] = {}


def graph_of(
    game: Game[P],
    same: Callable[[P], P] | None = None,
    *,
    progress: Progress = silently,
    most: float = MOST_POSITIONS,
) -> Graph[P]:
    """All positions of a game, one for all that are the same: `game.canonical` or `game.alike` says which.

    `TooLarge` where there are more than `most` of them.
    """
    same = same or game.canonical
    key = game, None if _is_plain(same) else getattr(same, "__func__", same)
    graph = _kept.pop(key, None)
    if graph is None:
        graph = Graph(game, same)
        graph.add(same(game.start()), progress, most)
    # The last one that was asked for stands at the end.
    _kept[key] = graph
    while len(_kept) > 1 and (len(_kept) > MOST_KEPT or sum(map(len, _kept.values())) > MOST_KEPT_POSITIONS):
        del _kept[next(iter(_kept))]
    if len(graph) > most:
        check_growth(game, len(graph), most)
    return graph


def forget(game: Game[Any]) -> None:
    """Let go of the graphs of a game."""
    for key in [key for key in _kept if key[0] == game]:
        del _kept[key]
