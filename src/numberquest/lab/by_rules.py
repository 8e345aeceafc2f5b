"""How often each level wins, from the rules alone: for games with few positions.

The same recurrence as the solver's, except that a player does not take the best of what follows but
the average: over all moves some of the time, and over the best ones otherwise.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from numberquest.game import CHANCE
from numberquest.lab.mixed import shares
from numberquest.players import perfect_moves
from numberquest.solve import TooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.game import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solve.pools import Progress

    Chances = NDArray[np.float64]

MOST_POSITIONS = 300_000
"""With more than this it would take minutes."""


def chances(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins. Needs canonical positions that also have the same moves."""
    mixed = _Mixed(game, pairs)
    answer: list[float] = mixed.solve(game.canonical(game.start())).tolist()
    progress(1, 1)
    return answer


class _Mixed:
    """The chances of each position, for all pairs at once."""

    def __init__(self, game: Game[Any], pairs: Sequence[Pair]) -> None:
        self._game = game
        self._number = len(pairs)
        self._any_move = shares(pairs)
        self._done: dict[Any, Chances] = {}

    def solve(self, root: Any) -> Chances:
        """The chances at the root, after all that follows it."""
        done, game = self._done, self._game
        waiting: list[tuple[Any, dict[str, Any] | None]] = [(root, None)]
        while waiting:
            p, following = waiting.pop()
            if following is None:
                if p in done:
                    continue
                if len(done) > MOST_POSITIONS:
                    raise TooLarge(f"{game!r} has more positions than can be gone through for this")
                following = {move: game.canonical(game.play(p, move)) for move in game.moves(p)}
                # Comes back here when all that follows it is done: a stack of our own has no recursion limit.
                waiting.append((p, following))
                waiting.extend((after, None) for after in dict.fromkeys(following.values()) if after not in done)
            else:
                done[p] = self._settled(p, following)
        return done[root]

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
        total = sum(weight * self._done[p] for p, weight in weights.items())
        average: Chances = total / sum(weights.values())
        return average
