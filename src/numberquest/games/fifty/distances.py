"""How many moves a `fifty` still takes: a score for every position, in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.fifty.rules import Fifty, Position
from numberquest.games.fifty.solver import effects_of
from numberquest.solver.budget import TooLarge, check_memory, in_words
from numberquest.solver.distance import KIND, WON, all_further
from numberquest.solver.pools import Pools
from numberquest.solver.solution import Distances
from numberquest.solver.table import kept_or_made

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.solver.budget import Progress
    from numberquest.solver.table import Table

    Scores = NDArray[np.int8]

MOST_BYTES = 256_000_000
"""A larger file is too much to ask for, only to win a little sooner."""
CHUNK = 64
"""How many pools are worked on at a time, so that they stay in the processor's cache."""


def distances(game: Fifty, progress: Progress, warn: Callable[[str], None]) -> Distances[Position]:
    """The distances of this game; kept on disk."""
    table = kept_or_made(game, "b", lambda: fifty_scores(game, progress).reshape(-1).data, warn, KIND)
    return FiftyDistances(game, table)


class FiftyDistances(Distances[Position]):
    """Reads the scores of `fifty`."""

    def __init__(self, game: Fifty, table: Table) -> None:
        self._game = game
        self._weights = Pools(game.high, game.copies).weights()
        self._table = table

    def plies(self, p: Position) -> int:
        """From the score of whoever's turn it is."""
        if self._game.outcome(p) is not None:
            return 0
        turn = self._game.turn(p)
        pool = sum([self._weights[number] for number in p.pool])
        score: int = self._table[(pool * self._game.target + p.scores[turn]) * self._game.target + p.scores[1 - turn]]
        return WON - abs(score)

    def scores(self) -> memoryview:
        """The whole table: pool by own score by the opponent's, a score for whoever's turn it is."""
        return self._table.whole()


def fifty_scores(game: Fifty, progress: Progress) -> Scores:
    """The score of the player to move: pool by own score by the opponent's."""
    pools = Pools(game.high, game.copies)
    target = game.target
    if pools.number * target**2 > MOST_BYTES:
        raise TooLarge(f"how soon {game!r} is won would take {in_words(pools.number * target**2)} to keep")
    check_memory(2 * pools.number * target**2, game)
    import numpy as np

    weights = pools.weights()
    effects = effects_of(game)
    table = np.zeros((pools.number, target, target), dtype=np.int8)
    table[0] = _at_the_end(game)
    place = np.zeros(pools.number, dtype=np.intp)
    below = seen_by_the_other(table[:1])
    for size, layer, holders in pools.layers():
        scores = np.full((len(layer), target, target), -WON, dtype=np.int8)
        for number, having, _ in holders:
            for start in range(0, len(having), CHUNK):
                these = having[start : start + CHUNK]
                came_from = below[place[layer[these] - weights[number]]]
                best = scores[these]
                for effect in effects[number]:
                    np.maximum(best, came_from[:, effect], out=best)
                scores[these] = best
        table[layer] = scores
        place[layer] = np.arange(len(layer))
        below = seen_by_the_other(scores)
        progress(size, pools.size)
    return table


def _at_the_end(game: Fifty) -> Scores:
    """The empty pool: who wins is asked of the game, for the player who would be next."""
    import numpy as np

    rows = np.full((game.target, game.target), -WON, dtype=np.int8)
    turn = game.turn(Position((), (0, 0)))
    for mine in range(game.target):
        for yours in range(game.target):
            outcome = game.outcome(Position((), (yours, mine) if turn else (mine, yours)))
            if outcome is not None and outcome.winner == turn:
                rows[mine, yours] = WON
    return rows


def seen_by_the_other(scores: Scores) -> Scores:
    """For the one who has just moved, by own score; two more rows: a move that wins at once, and one that loses."""
    import numpy as np

    count, target, _ = scores.shape
    seen = np.empty((count, target + 2, target), dtype=np.int8)
    seen[:, :target] = -all_further(scores).transpose(0, 2, 1)
    seen[:, target] = WON - 1
    seen[:, target + 1] = 1 - WON
    return seen
