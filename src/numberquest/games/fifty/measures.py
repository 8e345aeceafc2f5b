"""`fifty` measured in arrays, layer by layer by the size of the pool, a few columns at a time.

As in the solver, a move leads to a row of the smaller pool, seen from the other side. Only two layers are in memory at
a time.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from numberquest.games.fifty.distances import fifty_scores
from numberquest.games.fifty.distances import seen_by_the_other as scores_seen
from numberquest.games.fifty.solver import effects_of
from numberquest.lab.columns import (
    AT_A_LOSS,
    AT_A_WIN,
    WINS,
    Choice,
    ended,
    flow_of,
    seen_by_the_other,
    settled,
)
from numberquest.lab.layered import check_size
from numberquest.lab.walk import Walked
from numberquest.players import PLAYERS
from numberquest.solver.budget import check_memory, silently
from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.games.fifty.rules import Fifty, Position
    from numberquest.lab.mixed import Pair
    from numberquest.lab.walk import Flow
    from numberquest.solver.budget import Progress

    Numbers = NDArray[np.float64]

WITHOUT_CHANCE = (
    (WINS, "moves", "squares", "allowed", "decisions", "mattered", "blindly"),
    (WINS, "mine", "theirs", "unsettled", "behind", "deficit"),
    (WINS, "led_mine", "led_theirs", "led_none"),
)
"""A few columns at a time, for the sake of memory."""
CHUNK = 16
"""How many pools are worked on at a time, so that they stay in the processor's cache."""


def walked(game: Fifty, pair: Pair, progress: Progress) -> Walked:
    """The game as these two play it."""
    return _Walk(game, pair, progress)


class _Walk(Walked):
    def __init__(self, game: Fifty, pair: Pair, progress: Progress) -> None:
        self.pair, self._game = pair, game
        self._pools = Pools(game.high, game.copies)
        check_size(game, game.target, self._pools)
        self.positions = self._pools.number * game.target**2
        self._weights = self._pools.weights()
        self._effects = effects_of(game)
        self._scores = fifty_scores(game, silently)
        self._slips = [PLAYERS[name].any_move / 100 for name in pair]
        self._wins: dict[int, tuple[NDArray[np.intp], Numbers]] = {}
        self._progress = progress

    @cached_property
    def flow(self) -> Flow:
        """What a game comes to."""
        start: dict[str, float] = {}
        for at, columns in enumerate(WITHOUT_CHANCE):
            start |= self._passed(
                columns,
                lambda done, total, at=at: self._progress(at * total + done, len(WITHOUT_CHANCE) * total),  # type: ignore[misc]
            )
        # Nothing is left to chance, so that choices bring all of what scatters; and what can be lost is the game.
        start |= {"by_chance": 0.0, "by_choice": start[WINS] * (1 - start[WINS]), "staked": start["mattered"]}
        return flow_of(start)

    def share(self, p: Position) -> float:
        """Player 1's share of the points at the start, whatever the scores, and after the first move."""
        row = sum(self._weights[number] for number in p.pool)
        if not self._wins:
            # Nobody has asked for more yet.
            self._passed((WINS,), self._progress)
        place, wins = self._wins[len(p.pool)]
        turn = self._game.turn(p)
        found = float(wins[place[row], p.scores[turn], p.scores[1 - turn]])
        return 1 - found if turn else found

    def best(self, p: Position) -> float:
        """The same under best play."""
        row = sum(self._weights[number] for number in p.pool)
        turn = self._game.turn(p)
        return float((self._scores[row, p.scores[turn], p.scores[1 - turn]] > 0) != (turn == 1))

    def _passed(self, columns: Sequence[str], progress: Progress) -> dict[str, float]:
        """The columns of the first position."""
        import numpy as np

        pools, target = self._pools, self._game.target
        widest = max(len(layer) for _, layer, _ in pools.layers())
        check_memory(4 * 8 * len(columns) * widest * target**2, self._game)
        place = np.zeros(pools.number, dtype=np.intp)
        known = ended(columns, (self._scores[:1] > 0).astype(float))
        for size, layer, holders in pools.layers():
            below = self._with_ends(columns, known)
            known = np.empty((len(columns), len(layer), target, target))
            held = np.zeros((len(layer), len(self._weights)), dtype=bool)
            for number, having, _ in holders:
                held[having, number] = True
            slips = self._slips[(pools.size - size) % 2]
            for begin in range(0, len(layer), CHUNK):
                part = slice(begin, begin + CHUNK)
                known[:, part] = self._mixed(columns, layer[part], held[part], below, place, slips)
            place[layer] = np.arange(len(layer))
            if size >= pools.size - 1:
                self._wins[size] = place.copy(), known[columns.index(WINS)].copy()
            progress(size, pools.size)
        return {name: float(known[number, 0, 0, 0]) for number, name in enumerate(columns)}

    def _with_ends(self, columns: Sequence[str], known: Numbers) -> Numbers:
        """For the one who has just moved; two more rows: a move that wins at once, and one that loses."""
        import numpy as np

        seen = seen_by_the_other(columns, known)
        ends = np.array([[AT_A_WIN.get(name, 0.0), AT_A_LOSS.get(name, 0.0)] for name in columns])
        rows = np.broadcast_to(ends[:, None, :, None], (*seen.shape[:2], 2, seen.shape[3]))
        return np.concatenate([seen, rows], axis=2)

    def _mixed(
        self,
        columns: Sequence[str],
        pools: NDArray[np.intp],
        held: NDArray[np.bool_],
        below: Numbers,
        place: NDArray[np.intp],
        slips: float,
    ) -> Numbers:
        import numpy as np

        best_scores = self._scores[pools]
        options: list[tuple[NDArray[np.intp], NDArray[np.intp], list[int], NDArray[np.bool_]]] = []
        shape = best_scores.shape
        moves, ways, winning = np.zeros(len(pools)), np.zeros(shape), np.zeros(shape)
        for number in range(1, len(self._weights)):
            having = np.flatnonzero(held[:, number])
            if not len(having):
                continue
            rest = pools[having] - self._weights[number]
            scores = scores_seen(self._scores[rest])
            best_here = best_scores[having]
            for effect in self._effects[number]:
                seen = scores[:, effect]
                best = seen == best_here
                ways[having] += best
                winning[having] += seen > 0
                options.append((having, rest, effect, best))
            moves[having] += len(self._effects[number])
        number_of = moves[:, None, None]
        blind, best_share = slips / number_of, (1 - slips) / ways
        mean = np.zeros((len(columns), *shape))
        for having, rest, effect, best in options:
            likely = best_share[having] * best
            likely += blind[having]
            rows = below[:, place[rest][:, None], effect]
            rows *= likely
            mean[:, having] += rows
        # Somebody who can win gives it away with every move that does not.
        staked = ((winning > 0) & (winning < number_of)).astype(float)
        blindly = np.where(winning > 0, 1 - winning / number_of, 0.0)
        return settled(columns, mean, None, Choice(np.broadcast_to(number_of, shape), staked, blindly))
