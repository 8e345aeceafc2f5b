"""Every position that can be reached, numbered, and where its moves lead: for games in which one may come back."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, Generic

from numberquest.contract import CHANCE, Game, P
from numberquest.solver.budget import LOOK, MOST_POSITIONS, check_growth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numberquest.solver.budget import Progress

OVER: Final = 2
"""Stands for who moves where the game is over."""


class Graph(Generic[P]):
    """Positions in canonical form by number. Those of number `n` lead to `targets[starts[n] : starts[n + 1]]`."""

    def __init__(self, game: Game[P], alike: Callable[[P], P] | None = None) -> None:
        """`alike` makes positions one that are the same for more than their value; otherwise the game says which."""
        self.game = game
        self._canonical = alike
        self.numbers: dict[P, int] = {}
        self.movers = array("b")
        """0, 1, `CHANCE` or `OVER`."""
        self.starts = array("q", [0])
        self.targets = array("i")
        self.odds = array("d")
        """For each target, how likely it is where chance moves; 0 elsewhere."""
        self.ends: dict[int, float] = {}
        """What the positions where the game is over are worth to Player 1."""

    def __len__(self) -> int:
        return len(self.movers)

    def add(self, root: P, progress: Progress, most: int = MOST_POSITIONS) -> int:
        """Take in all that follows the root and is not there yet; returns the number of the first new position.

        `TooLarge` where there are more than `most` of them.
        """
        game, numbers, targets = self.game, self.numbers, self.targets
        canonical, play = self._canonical or game.canonical, game.play
        is_plain = self._canonical is None and type(game).canonical is Game.canonical
        likely: dict[tuple[int, ...], array[float]] = {}
        first = len(self)
        numbers[root] = first
        waiting = [root]
        for p in waiting:
            moves = game.moves(p)
            mover = game.player(p) if moves else OVER
            if mover == OVER:
                outcome = game.outcome(p)
                # Nobody can move and nobody has won: the check of games refuses such rules.
                self.ends[len(self)] = 0.5 if outcome is None else outcome.worth(0)
            elif mover == CHANCE:
                weights = game.weights(p)
                if weights not in likely:
                    likely[weights] = array("d", [weight / sum(weights) for weight in weights])
                self.odds.extend(likely[weights])
            else:
                self.odds.extend([0.0] * len(moves))
            for move in moves:
                after = play(p, move) if is_plain else canonical(play(p, move))
                number = numbers.get(after)
                if number is None:
                    number = numbers[after] = len(numbers)
                    waiting.append(after)
                targets.append(number)
            self.movers.append(mover)
            self.starts.append(len(targets))
            if not len(self) % LOOK or len(numbers) > most:
                check_growth(game, len(numbers), most)
                # Nobody knows how many there are; and when all are found, half of the work is done.
                progress(len(self), 2 * len(numbers))
        return first

    def components(self, first: int = 0) -> Iterator[list[int]]:
        """The positions from number `first` on that lead to one another and back, together.

        Each comes after all that it leads to: Tarjan's algorithm, with a stack of its own. In a component those that
        were met last come first, so that most stand behind what they lead to.
        """
        starts, targets, number = self.starts, self.targets, len(self)
        done = number + 1
        # When each was met; 0: not yet. And the earliest that can be reached from it.
        met, low = array("i", bytes(4 * number)), array("i", bytes(4 * number))
        open_ones: list[int] = []
        time = 0
        for root in range(first, number):
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
                        if there < first:
                            continue
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

    def is_loop(self, component: list[int]) -> bool:
        """Whether one can come back to where one was."""
        here = component[0]
        return len(component) > 1 or here in self.targets[self.starts[here] : self.starts[here + 1]]
