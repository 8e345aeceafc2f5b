"""Solves any game from its rules alone, obvious and exact: the reference for the solvers.

With fractions where chance is involved; every position that can be reached, from the ends backward.
"""

from collections.abc import Iterable
from fractions import Fraction

from numberquest.core.contract import CHANCE, Game, P
from numberquest.core.progress import Progress, silently
from numberquest.solver.budget import LOOK, check_growth
from numberquest.solver.search import backward
from numberquest.solver.solution import Solution, Value, worth


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
