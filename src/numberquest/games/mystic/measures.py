"""`mystic` measured in arrays, layer by layer by the size of the pile.

As in the solver, a move leads to a row of the smaller pile, seen from the other side. Only two layers are in memory at
a time.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from numberquest.games.mystic.solver import effects_of, solve
from numberquest.lab.columns import (
    AT_A_LOSS,
    AT_A_WIN,
    GROUPS,
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
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.games.mystic.rules import Mystic, Position
    from numberquest.games.mystic.solver import Effect
    from numberquest.lab.mixed import Pair
    from numberquest.lab.walk import Flow
    from numberquest.solver.budget import Progress

    Numbers = NDArray[np.float64]
    Slices = tuple[slice, slice, slice]

CHUNK = 16
"""How many piles are worked on at a time, so that they stay in the processor's cache."""
TWICE = tuple(tuple(dict.fromkeys((*one, *two))) for one, two in (GROUPS[:2], GROUPS[2:]))
"""There are fewer totals than elsewhere, so that more columns fit into memory together."""
REFUSED = -1.0
"""Stands for the chance of an action that is not allowed."""


def walked(game: Mystic, pair: Pair, progress: Progress) -> Walked:
    """The game as these two play it."""
    return _Walk(game, pair, progress)


class _Walk(Walked):
    def __init__(self, game: Mystic, pair: Pair, progress: Progress) -> None:
        self.pair, self._game = pair, game
        self._pools = Pools(game.high, game.copies)
        check_size(game, game.target, self._pools)
        self.positions = self._pools.number * game.target**2
        self._weights = self._pools.weights()
        self._effects = {number: effects_of(game, number) for number in range(1, game.high + 1)}
        self._values = solve(game, silently)
        self._slips = [PLAYERS[name].any_move / 100 for name in pair]
        self._wins: dict[int, tuple[NDArray[np.intp], Numbers]] = {}
        self._progress = progress

    @cached_property
    def flow(self) -> Flow:
        """What a game comes to."""
        start: dict[str, float] = {}
        for at, columns in enumerate(TWICE):
            start |= self._passed(
                columns,
                lambda done, total, at=at: self._progress(at * total + done, len(TWICE) * total),  # type: ignore[misc]
            )
        return flow_of(start)

    def share(self, p: Position) -> float:
        """Player 1's share of the points before the first draw, whatever the totals, and before the second."""
        row = sum(self._weights[number] for number in p.unseen)
        if not self._wins:
            # Nobody has asked for more yet.
            self._passed((WINS,), self._progress)
        place, wins = self._wins[len(p.unseen)]
        turn = self._game.turn(p)
        found = float(wins[place[row], p.totals[turn], p.totals[1 - turn]])
        return 1 - found if turn else found

    def best(self, p: Position) -> float:
        """The same under best play."""
        row = sum(self._weights[number] for number in p.unseen)
        turn = self._game.turn(p)
        found = float(self._values[row, p.totals[turn], p.totals[1 - turn]])
        return 1 - found if turn else found

    def _passed(self, columns: Sequence[str], progress: Progress) -> dict[str, float]:
        """The columns of the first position."""
        import numpy as np

        pools, target = self._pools, self._game.target
        widest = max(len(layer) for _, layer, _ in pools.layers())
        check_memory(4 * 8 * len(columns) * widest * target**2, self._game)
        place = np.zeros(pools.number, dtype=np.intp)
        known = ended(columns, self._values[:1])
        for size, layer, holders in pools.layers():
            below = seen_by_the_other(columns, known)
            mean = np.zeros((len(columns), len(layer), target, target))
            squares = np.zeros(mean.shape[1:])
            slips = self._slips[(pools.size - size) % 2]
            for drawn, having, count in holders:
                rest = layer[having] - self._weights[drawn]
                for begin in range(0, len(rest), CHUNK):
                    part = slice(begin, begin + CHUNK)
                    after = below[:, place[rest[part]]]
                    made = self._mixed(columns, drawn, after, rest[part], slips, last=size == 1)
                    odds = (count[part] / size)[:, None, None]
                    mean[:, having[part]] += odds * made
                    squares[having[part]] += odds * made[columns.index(WINS)] ** 2
            known = settled(columns, mean, squares, None)
            place[layer] = np.arange(len(layer))
            if size >= pools.size - 1:
                self._wins[size] = place.copy(), known[columns.index(WINS)].copy()
            progress(size, pools.size)
        return {name: float(known[number, 0, 0, 0]) for number, name in enumerate(columns)}

    def _mixed(
        self, columns: Sequence[str], drawn: int, after: Numbers, rest: NDArray[np.intp], slips: float, *, last: bool
    ) -> Numbers:
        """The columns once this number is drawn."""
        import numpy as np

        effects, wins = self._effects[drawn], columns.index(WINS)
        worth = 1 - self._values[rest].swapaxes(1, 2)
        values = np.full((len(effects), *worth.shape), REFUSED)
        ends = np.zeros((len(effects), *worth.shape[1:]), dtype=np.int8)
        for at, effect in enumerate(effects):
            for here, there, end in _runs(effect):
                values[at][here] = worth[there] if end is None else end
                ends[at][here[1:]] = 0 if end is None else 1 if end else -1
        allowed = values[:, 0] != REFUSED
        top = values.max(axis=0)
        best = values >= top - ALIKE
        if not last:
            # After the last draw every move ends the game, so that none wins sooner than another.
            sooner = best & (ends == 1)[:, None]
            best = np.where(sooner.any(axis=0), sooner, best)
            # And a lost game goes on as long as a move can be made that does not end it.
            later = best & (ends == 0)[:, None] & (top <= ALIKE)
            best = np.where(later.any(axis=0), later, best)
        moves = allowed.sum(axis=0).astype(float)
        chosen = (1 - slips) / best.sum(axis=0)
        mean, squares = np.zeros_like(after), np.zeros(worth.shape)
        won, lost = (
            np.array([at_an_end.get(name, 0.0) for name in columns])[:, None, None, None]
            for at_an_end in (AT_A_WIN, AT_A_LOSS)
        )
        for at, effect in enumerate(effects):
            likely = slips * allowed[at] / moves + chosen * best[at]
            for here, there, end in _runs(effect):
                odds = likely[here]
                option = after[(slice(None), *there)] if end is None else won if end else lost
                mean[(slice(None), *here)] += odds * option
                squares[here] += odds * option[wins] ** 2
        staked = top - np.where(allowed[:, None], values, np.inf).min(axis=0)
        blindly = top - np.where(allowed[:, None], values, 0.0).sum(axis=0) / moves
        matters = staked > ALIKE
        choice = Choice(np.broadcast_to(moves, worth.shape), staked * matters, blindly * matters)
        return settled(columns, mean, squares, choice)


def _runs(effect: Effect) -> Iterator[tuple[Slices, Slices, int | None]]:
    """Where an action is allowed, by pile, own total and the other's; where it leads to, and who wins if it ends."""
    every = slice(None)
    for start, stop, shift, end in effect.runs:
        here, there = slice(start, stop), slice(start + shift, stop + shift)
        yield (
            ((every, here, every), (every, there, every), end)
            if effect.on_own
            else (
                (every, every, here),
                (every, every, there),
                end,
            )
        )
