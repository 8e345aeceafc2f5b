"""How many moves a `showdown` still takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown
from numberquest.solver import solve
from numberquest.solver.distance import WON, all_further, further
from numberquest.solver.solution import Distances

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.solver.budget import Progress

    Scores = NDArray[np.int8]


def distances(game: Showdown, progress: Progress, warn: Callable[[str], None]) -> Distances[Position]:
    """The distances of this game."""
    return ShowdownDistances(game)


class ShowdownDistances(Distances[Position]):
    """For `showdown`, all predictions of a pool together.

    The numbers still to be picked are always as many; only whether a prediction is still made makes a
    difference. Once both have predicted, there is nothing left but picks.
    """

    def __init__(self, game: Showdown) -> None:
        self._game = game
        self._solution = solve(game)
        self._pools: dict[tuple[int, ...], tuple[Scores, int]] = {}

    def plies(self, p: Position) -> int:
        """From the pool that stands for all of its kind."""
        left = self.left(p.pool)
        if 0 not in p.predictions or not left:
            return left
        # Which numbers were picked matters for the distance as little as for the value.
        lone, silent = self.scores(self._game.canonical(Position(p.pool, (0, 0), NOBODY)).pool)
        score = silent if p.first == NOBODY else int(lone[p.first, p.predictions[p.first]])
        return WON - abs(score)

    def left(self, pool: tuple[int, ...]) -> int:
        """How many numbers are still to be picked."""
        return self._game.picks - (self._game.high - len(pool))

    def scores(self, pool: tuple[int, ...]) -> tuple[Scores, int]:
        """Player 1's scores: for each single prediction by who made it, and where nobody has predicted."""
        if pool not in self._pools:
            self._pools[pool] = self._combined(pool) if self.left(pool) else self._ended(pool)
        return self._pools[pool]

    def _combined(self, pool: tuple[int, ...]) -> tuple[Scores, int]:
        import numpy as np

        game, left = self._game, self.left(pool)
        silent = Position(pool, (0, 0), NOBODY)
        mover = game.player(silent)
        rests = {game.canonical(game.play(silent, str(number))).pool for number in pool}
        after = [self.scores(rest) for rest in rests]
        best = np.minimum if mover else np.maximum
        lone = best.reduce([all_further(scores) for scores, _ in after])
        # The one who has not spoken may answer now, which makes the game one move longer: the loser always
        # does, and the winner if no pick wins.
        other = 1 - mover
        answered = WON - (left + 1)
        for guess in PREDICTIONS:
            picked = -lone[other, guess] if mover else lone[other, guess]
            if picked < 0:
                p = Position(pool, (0, guess) if other else (guess, 0), other)
                first_wins = self._solution.value_for(0, p)
                lone[other, guess] = answered if first_wins else -answered
        options = [further(score) for _, score in after]
        options += all_further(lone[mover, PREDICTIONS.start :]).tolist()
        return lone, min(options) if mover else max(options)

    def _ended(self, pool: tuple[int, ...]) -> tuple[Scores, int]:
        import numpy as np

        lone = np.zeros((2, PREDICTIONS.stop), dtype=np.int8)
        for guess in PREDICTIONS:
            lone[0, guess] = self._end(Position(pool, (guess, 0), 0))
            lone[1, guess] = self._end(Position(pool, (0, guess), 1))
        return lone, self._end(Position(pool, (0, 0), NOBODY))

    def _end(self, p: Position) -> int:
        outcome = self._game.outcome(p)
        return WON if outcome is not None and outcome.winner == 0 else -WON
