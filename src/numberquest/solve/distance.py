"""How many moves a game without chance still takes, if the winner hurries and the loser holds out.

The value says who wins; this says how soon. A score holds both: the sooner a win, the higher; the
later a loss, the higher too. One move further from the end, a score is one step closer to zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic

from numberquest.game import P
from numberquest.games.fifty import Fifty
from numberquest.games.fifty import Position as FiftyPosition
from numberquest.games.showdown import NOBODY, PREDICTIONS, Showdown
from numberquest.games.showdown import Position as ShowdownPosition
from numberquest.solve import fifty as fiftys
from numberquest.solve import solve
from numberquest.solve import table as tables
from numberquest.solve.pools import Pools, TooLarge, check_memory, impatient, in_words, silently
from numberquest.solve.search import backward

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.game import Game
    from numberquest.solve.pools import Progress
    from numberquest.solve.table import Table

    Scores = NDArray[np.int8]

WON = 127
"""The score of a game that is won already; as much below zero, of one that is lost."""
KIND = "distance"
MOST_BYTES = 256_000_000
"""A larger file is too much to ask for, only to win a little sooner."""
CHUNK = 64
"""How many pools are worked on at a time, so that they stay in the processor's cache."""

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
        if game.deck:
            raise LookupError(f"how long {game.slug} takes is up to chance")
        in_time = impatient(game, KIND, progress or silently)
        if isinstance(game, Fifty):
            known: Distances[Any] = FiftyDistances(game, _fifty_table(game, in_time, warn or silently))
        elif isinstance(game, Showdown):
            known = ShowdownDistances(game)
        else:
            known = SearchedDistances(game)
        _known[game] = known
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


class ShowdownDistances(Distances[ShowdownPosition]):
    """For `showdown`, all predictions of a pool together.

    The numbers still to be picked are always as many; only whether a prediction is still made makes a
    difference. Once both have predicted, there is nothing left but picks.
    """

    def __init__(self, game: Showdown) -> None:
        self._game = game
        self._solution = solve(game)
        self._pools: dict[tuple[int, ...], tuple[Scores, int]] = {}

    def plies(self, p: ShowdownPosition) -> int:
        """From the pool that stands for all of its kind."""
        left = self.left(p.pool)
        if 0 not in p.predictions or not left:
            return left
        # Which numbers were picked matters for the distance as little as for the value.
        lone, silent = self.scores(self._game.canonical(ShowdownPosition(p.pool, (0, 0), NOBODY)).pool)
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
        silent = ShowdownPosition(pool, (0, 0), NOBODY)
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
                p = ShowdownPosition(pool, (0, guess) if other else (guess, 0), other)
                first_wins = self._solution.value_for(0, p)
                lone[other, guess] = answered if first_wins else -answered
        options = [further(score) for _, score in after]
        options += all_further(lone[mover, PREDICTIONS.start :]).tolist()
        return lone, min(options) if mover else max(options)

    def _ended(self, pool: tuple[int, ...]) -> tuple[Scores, int]:
        import numpy as np

        lone = np.zeros((2, PREDICTIONS.stop), dtype=np.int8)
        for guess in PREDICTIONS:
            lone[0, guess] = self._end(ShowdownPosition(pool, (guess, 0), 0))
            lone[1, guess] = self._end(ShowdownPosition(pool, (0, guess), 1))
        return lone, self._end(ShowdownPosition(pool, (0, 0), NOBODY))

    def _end(self, p: ShowdownPosition) -> int:
        outcome = self._game.outcome(p)
        return WON if outcome is not None and outcome.winner == 0 else -WON


class FiftyDistances(Distances[FiftyPosition]):
    """Reads the scores of `fifty`."""

    def __init__(self, game: Fifty, table: Table) -> None:
        self._game = game
        self._weights = Pools(game.high, game.copies).weights()
        self._table = table

    def plies(self, p: FiftyPosition) -> int:
        """From the score of whoever's turn it is."""
        if self._game.outcome(p) is not None:
            return 0
        turn = self._game.turn(p)
        pool = sum([self._weights[number] for number in p.pool])
        score: int = self._table[(pool * self._game.target + p.scores[turn]) * self._game.target + p.scores[1 - turn]]
        return WON - abs(score)


def _fifty_table(game: Fifty, progress: Progress, warn: Callable[[str], None]) -> Table:
    return tables.kept_or_made(game, "b", lambda: fifty_scores(game, progress).reshape(-1).data, warn, KIND)


def fifty_scores(game: Fifty, progress: Progress) -> Scores:
    """The score of the player to move: pool by own score by the opponent's."""
    pools = Pools(game.high, game.copies)
    target = game.target
    if pools.number * target**2 > MOST_BYTES:
        raise TooLarge(f"how soon {game!r} is won would take {in_words(pools.number * target**2)} to keep")
    check_memory(2 * pools.number * target**2, game)
    import numpy as np

    weights = pools.weights()
    effects = fiftys.effects_of(game)
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
    turn = game.turn(FiftyPosition((), (0, 0)))
    for mine in range(game.target):
        for yours in range(game.target):
            outcome = game.outcome(FiftyPosition((), (yours, mine) if turn else (mine, yours)))
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


def all_further(scores: Scores) -> Scores:
    """Many scores one move further from the end."""
    import numpy as np

    return scores - np.sign(scores)
