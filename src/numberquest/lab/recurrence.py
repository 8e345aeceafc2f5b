"""How often each level wins, from the rules alone: for games with few positions.

The same recurrence as the solver's, except that a player does not take the best of what follows but
the average: over all moves some of the time, and over the best ones otherwise.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from numberquest.contract import CHANCE
from numberquest.lab.mixed import shares
from numberquest.players import perfect_moves
from numberquest.solver import TooLarge
from numberquest.solver.search import backward

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress

    Chances = NDArray[np.float64]

MOST_POSITIONS = 100_000
"""With more than this it would take too long."""


def chances(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins. Needs canonical positions that also have the same moves."""
    mixed = _Mixed(game, pairs)
    reached = _reached(game)
    for at, (p, following) in enumerate(reached.items(), start=1):
        mixed.settle(p, following)
        progress(at, len(reached))
    answer: list[float] = mixed.known[game.canonical(game.start())].tolist()
    return answer


def _reached(game: Game[Any]) -> dict[Any, dict[str, Any]]:
    """Every position that can be reached, after all that follow it, with where its moves lead."""
    done: dict[Any, dict[str, Any]] = {}
    for p, following in backward(game, game.canonical(game.start()), done):
        done[p] = dict(zip(game.moves(p), following, strict=True))
        if len(done) > MOST_POSITIONS:
            raise TooLarge(f"{game.slug} has more than {MOST_POSITIONS:,} positions here, which would take too long")
    return done


class _Mixed:
    """The chances of each position, for all pairs at once."""

    def __init__(self, game: Game[Any], pairs: Sequence[Pair]) -> None:
        self._game = game
        self._number = len(pairs)
        self._any_move = shares(pairs)
        self.known: dict[Any, Chances] = {}

    def settle(self, p: Any, following: dict[str, Any]) -> None:
        """Fill in a position from those that follow it."""
        self.known[p] = self._settled(p, following)

    def _settled(self, p: Any, following: dict[str, Any]) -> Chances:
        import numpy as np

        game = self._game
        if not following:
            outcome = game.outcome(p)
            return np.full(self._number, float(outcome is not None and outcome.winner == 0))
        player = game.player(p)
        if player == CHANCE:
            return self._average(dict(zip(following.values(), game.weights(p), strict=True)))
        anything = self._average(Counter(following.values()))
        best = self._average(Counter(following[move] for move in perfect_moves(game, p)))
        any_move = self._any_move[player]
        mixed: Chances = any_move * anything + (1 - any_move) * best
        return mixed

    def _average(self, weights: dict[Any, int]) -> Chances:
        import numpy as np

        total = np.zeros(self._number)
        for p, weight in weights.items():
            total += weight * self.known[p]
        return total / sum(weights.values())
