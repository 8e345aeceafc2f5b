"""Solves any game from its rules alone: every position that can be reached, from the ends backward.

Obvious and exact, with fractions where chance is involved. It is the reference for the fast solvers,
and the solver for small games. Where one can come back to where one was, it says so: `Circular`.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from fractions import Fraction

from numberquest.core.contract import CHANCE, Game, P
from numberquest.core.progress import Progress, silently
from numberquest.solver.budget import LOOK, check_growth
from numberquest.solver.solution import Solution, Value, worth


class Circular(Exception):
    """A game in which one can come back to where one was."""


def backward(
    game: Game[P], root: P, done: Container[P], met: Callable[[tuple[str, ...]], None] = silently
) -> Iterator[tuple[P, list[P]]]:
    """Every position from the root on that is not done, after all that follow it, and where its moves lead.

    All in canonical form. Whoever asks must put each position among those done before asking for the next.
    `Circular` where there is no such order. `met` is told the moves of every position that is met, and may refuse.
    """
    waiting: list[tuple[P, list[P] | None]] = [(root, None)]
    begun: set[P] = set()
    while waiting:
        p, following = waiting.pop()
        if p in done:
            continue
        if following is None:
            if p in begun:
                raise Circular
            begun.add(p)
            moves = game.moves(p)
            met(moves)
            following = [game.canonical(game.play(p, move)) for move in moves]
            # Comes back here when all that follows it is done: a stack of our own has no recursion limit.
            waiting.append((p, following))
            waiting.extend((after, None) for after in dict.fromkeys(following) if after not in done)
        else:
            begun.discard(p)
            yield p, following


class Search(Solution[P]):
    """The value of every position that can be reached, in a dictionary by canonical position."""

    def __init__(self, game: Game[P], progress: Progress = silently) -> None:
        super().__init__(game)
        self._first_wins: dict[P, Value] = {}
        self._solve(game.canonical(game.start()), progress)
        # Those that are the same for the outcome count once.
        self.positions = len(self._first_wins)

    def solved(self) -> Iterable[P]:
        """Every position that was solved, in canonical form."""
        return self._first_wins.keys()

    def known(self, p: P) -> Value:
        canonical = self.game.canonical(p)
        if canonical not in self._first_wins:
            # Not reachable from the start, but somebody has set it up.
            self._solve(canonical, silently)
        first_wins = self._first_wins[canonical]
        return first_wins if self.game.turn(p) == 0 else 1 - first_wins

    def _solve(self, root: P, progress: Progress) -> None:
        """Fill in the chance that Player 1 wins, for the root and all that follows it."""
        done, met = self._first_wins, 0

        def look(_: tuple[str, ...]) -> None:
            nonlocal met
            met += 1
            if not met % LOOK:
                check_growth(self.game, met)
                # Nobody knows how many there are.
                progress(len(done), 2 * met)

        for p, following in backward(self.game, root, done, look):
            done[p] = self._settled(p, [done[after] for after in following])

    def _settled(self, p: P, values: list[Value]) -> Value:
        game = self.game
        if not values:
            return worth(game.outcome(p), 0)
        player = game.player(p)
        if player != CHANCE:
            return min(values) if player else max(values)
        weights = game.weights(p)
        total = sum((weight * value for weight, value in zip(weights, values, strict=True)), start=Fraction(0))
        return total / sum(weights)
