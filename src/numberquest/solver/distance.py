"""How many moves a game without chance still takes, if the winner hurries and the loser holds out.

The value says who wins; this says how soon. A score holds both: the sooner a win, the higher; the
later a loss, the higher too. One move further from the end, a score is one step closer to zero.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from numberquest.core.contract import Game, P
from numberquest.core.progress import Progress, silently
from numberquest.core.registry import part
from numberquest.solver.budget import impatient
from numberquest.solver.numbers import NDArray, np
from numberquest.solver.solution import Distances

Scores: TypeAlias = "NDArray[np.int8]"

WON = 127
"""The score of a game that is won already; as much below zero, of one that is lost."""
KIND = "distance"

_known: dict[Game[Any], Distances[Any]] = {}


def distances(
    game: Game[P], *, progress: Progress | None = None, warn: Callable[[str], None] | None = None
) -> Distances[P]:
    """The distances of a game without chance; kept on disk where they took long. `TooLarge` as with `solve`."""
    if game not in _known:
        if game.chance:
            raise LookupError(f"how long {game.slug} takes is up to chance")
        in_time = impatient(game, KIND, progress or silently)
        own = None if game.has_secrets else getattr(part(type(game), "solver"), "distances", None)
        if own is not None:
            _known[game] = own(game, in_time, warn or silently)
        else:
            from numberquest.solver.graph import graph_of
            from numberquest.solver.listed import Retrograde

            # Positions that are worth the same may be won sooner or later, those alike may not.
            _known[game] = graph_of(game, game.alike, progress=in_time).once(Retrograde, in_time)
    return _known[game]


def further(score: int) -> int:
    """The score one move further from the end."""
    return score - 1 if score > 0 else score + 1


def all_further(scores: Scores) -> Scores:
    """Many scores one move further from the end."""
    return scores - np.sign(scores)
