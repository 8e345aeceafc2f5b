"""How many moves a game without chance still takes, if the winner hurries and the loser holds out.

The value says who wins; this says how soon. A score holds both: the sooner a win, the higher; the
later a loss, the higher too. One move further from the end, a score is one step closer to zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic

from numberquest.contract import P
from numberquest.games import part
from numberquest.solver.budget import impatient, silently
from numberquest.solver.search import backward

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.solver.budget import Progress

    Scores = NDArray[np.int8]

WON = 127
"""The score of a game that is won already; as much below zero, of one that is lost."""
KIND = "distance"

_known: dict[Game[Any], Distances[Any]] = {}


class Distances(ABC, Generic[P]):
    """How far every position of one game is from its end."""

    @abstractmethod
    def plies(self, p: P) -> int:
        """How many moves the game still takes; 0 when it is over."""


def distances(
    game: Game[P], *, progress: Progress | None = None, warn: Callable[[str], None] | None = None
) -> Distances[P]:
    """The distances of a game without chance; kept on disk where they took long. `TooLarge` as with `solve`."""
    if game not in _known:
        if game.chance:
            raise LookupError(f"how long {game.slug} takes is up to chance")
        in_time = impatient(game, KIND, progress or silently)
        own = part(type(game), "distances")
        _known[game] = own.distances(game, in_time, warn or silently) if own else SearchedDistances(game)
    return _known[game]


class SearchedDistances(Distances[P]):
    """For any game without chance, from its rules alone: by looking at all that can follow."""

    def __init__(self, game: Game[P]) -> None:
        self._game = game
        self._scores: dict[P, int] = {}

    def plies(self, p: P) -> int:
        """Searched from here when it is first asked for."""
        canonical = self._game.canonical(p)
        if canonical not in self._scores:
            self._search(canonical)
        return self._most - abs(self._scores[canonical])

    @property
    def _most(self) -> int:
        # Far enough from zero for the longest game.
        return self._game.longest + 2

    def _search(self, root: P) -> None:
        """Fill in Player 1's score for the root and all that follows it."""
        done, game = self._scores, self._game
        for p, following in backward(game, root, done):
            if following:
                scores = [further(done[after]) for after in following]
                done[p] = min(scores) if game.player(p) else max(scores)
            else:
                outcome = game.outcome(p)
                done[p] = self._most if outcome is not None and outcome.winner == 0 else -self._most


def further(score: int) -> int:
    """The score one move further from the end."""
    return score - 1 if score > 0 else score + 1


def all_further(scores: Scores) -> Scores:
    """Many scores one move further from the end."""
    import numpy as np

    return scores - np.sign(scores)
