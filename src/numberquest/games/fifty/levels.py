"""How often each level wins at `fifty`: arrays, layer by layer by the size of the pool.

As in the solver, a move leads to a row of the smaller pool, seen from the other side. Only two layers are in memory at
a time, for a few pairs of levels together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.fifty.distances import fifty_scores, seen_by_the_other
from numberquest.games.fifty.solver import effects_of
from numberquest.lab.layered import Table, check_size, in_parts
from numberquest.lab.mixed import shares
from numberquest.players import PLAYERS
from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.games.fifty.rules import Fifty, Position
    from numberquest.lab.mixed import Everywhere, Pair
    from numberquest.solver.budget import Progress

    Chances = NDArray[np.floating]
    Effects = list[list[list[int]]]

CHUNK = 16
"""How many pools are worked on at a time, so that they stay in the processor's cache."""


def chances(game: Fifty, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    check_size(game, game.target, Pools(game.high, game.copies))
    scores = fifty_scores(game, lambda *_: None)
    winner = 0 if scores[-1, 0, 0] > 0 else 1
    # Without chance, who never makes a mistake never loses a game that is won from the start.
    open_ones = [pair for pair in pairs if PLAYERS[pair[winner]].any_move]
    found = in_parts(open_ones, 5, progress, lambda part, told: _Fifty(game, part, scores).solve(told))
    known = dict(zip(open_ones, found, strict=True))
    return [known.get(pair, 1.0 - winner) for pair in pairs]


def everywhere(game: Fifty, pair: Pair, progress: Progress) -> Everywhere:
    """For one pair, Player 1's chance from every position on."""
    pools = Pools(game.high, game.copies)
    check_size(game, game.target, pools)
    table = _Table(game, pair, pools, game.target)
    _Fifty(game, [pair], fifty_scores(game, lambda *_: None)).solve(progress, table)
    return table


class _Table(Table):
    def known(self, p: Position) -> float:
        """Of every position that is not over."""
        return self.at(p.pool, p.scores, self.game.turn(p))


class _Fifty:
    """The chances of the player to move, by pair, pool, own score and the opponent's score."""

    def __init__(self, game: Fifty, pairs: Sequence[Pair], scores: NDArray[np.int8]) -> None:
        self._game = game
        self._pools = Pools(game.high, game.copies)
        self._weights = self._pools.weights()
        self._effects: Effects = effects_of(game)
        self._scores = scores
        self._any_move = shares(pairs)

    def solve(self, progress: Progress, table: Table | None = None) -> list[float]:
        """Layer by layer; at the start it is Player 1's turn. The chances of the first pair are kept in the table."""
        import numpy as np

        pools, number, target = self._pools, self._any_move.shape[1], self._game.target
        place = np.zeros(pools.number, dtype=np.intp)
        ended = (self._scores[:1] > 0).astype(np.float32)
        below = _seen_by_the_other(np.broadcast_to(ended, (number, 1, target, target)))
        for size, layer, holders in pools.layers():
            chances = np.empty((number, len(layer), target, target), dtype=np.float32)
            held = np.zeros((len(layer), len(self._weights)), dtype=bool)
            for number_held, having, _ in holders:
                held[having, number_held] = True
            any_move = self._any_move[(pools.size - size) % 2]
            for start in range(0, len(layer), CHUNK):
                part = slice(start, start + CHUNK)
                chances[:, part] = self._mixed(layer[part], held[part], below, place, any_move)
            if table is not None:
                table.keep(layer, chances[0])
            place[layer] = np.arange(len(layer))
            below = _seen_by_the_other(chances)
            progress(size, pools.size)
        answer: list[float] = chances[:, 0, 0, 0].tolist()
        return answer

    def _mixed(
        self,
        pools: NDArray[np.intp],
        held: NDArray[np.bool_],
        below: Chances,
        place: NDArray[np.intp],
        any_move: Chances,
    ) -> Chances:
        import numpy as np

        best_scores = self._scores[pools]
        shape = (below.shape[0], *best_scores.shape)
        anything, chosen = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
        moves = np.zeros(len(pools), dtype=np.float32)
        ways = np.zeros(best_scores.shape, dtype=np.float32)
        for number in range(1, len(self._weights)):
            having = np.flatnonzero(held[:, number])
            if not len(having):
                continue
            rest = pools[having] - self._weights[number]
            came_from = below[:, place[rest]]
            scores = seen_by_the_other(self._scores[rest])
            best_here = best_scores[having]
            all_rows, best_rows = np.zeros_like(came_from[:, :, :-2]), np.zeros_like(came_from[:, :, :-2])
            for effect in self._effects[number]:
                rows = came_from[:, :, effect]
                all_rows += rows
                best = (scores[:, effect] == best_here).astype(np.float32)
                rows *= best
                best_rows += rows
                ways[having] += best
            anything[:, having] += all_rows
            chosen[:, having] += best_rows
            moves[having] += len(self._effects[number])
        share = any_move.astype(np.float32)[:, None, None, None]
        anything *= share / moves[:, None, None]
        chosen *= (1 - share) / ways
        anything += chosen
        return anything


def _seen_by_the_other(chances: Chances) -> Chances:
    """For the one who has just moved, by own score; two more rows: a move that wins at once, and one that loses."""
    import numpy as np

    number, count, target, _ = chances.shape
    seen = np.zeros((number, count, target + 2, target), dtype=np.float32)
    np.subtract(1, chances.transpose(0, 1, 3, 2), out=seen[:, :, :target])
    seen[:, :, target] = 1
    return seen
