"""How often each level wins at `mystic`: arrays, layer by layer by the size of the pile.

As in the solver, a move leads to a row of the smaller pool, seen from the other side. Only two layers are in memory at
a time, for a few pairs of levels together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.mystic.solver import Effect, effects_of, solve
from numberquest.lab.layered import Table, check_size, in_parts
from numberquest.lab.mixed import shares
from numberquest.solver.pools import Pools
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.games.mystic.rules import Mystic, Position
    from numberquest.lab.mixed import Everywhere, Pair
    from numberquest.solver.budget import Progress

    Chances = NDArray[np.floating]

CHUNK = 16
"""How many pools are worked on at a time, so that they stay in the processor's cache."""
REFUSED = -1.0
"""Stands for the chance of an action that is not allowed."""


def chances(game: Mystic, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    check_size(game, game.target, Pools(game.high, game.copies))
    values = solve(game, lambda *_: None)
    return in_parts(pairs, 9, progress, lambda part, told: _Mystic(game, part, values).solve(told))


def everywhere(game: Mystic, pair: Pair, progress: Progress) -> Everywhere:
    """For one pair, Player 1's chance from every position on."""
    pools = Pools(game.high, game.copies)
    check_size(game, game.target, pools)
    table = _Table(game, pair, pools, game.target)
    values = solve(game, lambda *_: None)
    _Mystic(game, [pair], values).solve(progress, table)
    return table


class _Table(Table):
    def known(self, p: Position) -> float | None:
        """Before a draw; after it, the chance follows from these."""
        return None if p.drawn else self.at(p.unseen, p.totals, self.game.turn(p))


class _Mystic:
    """The chances before each draw, by pair, pile, own total and the opponent's total."""

    def __init__(self, game: Mystic, pairs: Sequence[Pair], values: Chances) -> None:
        import numpy as np

        self._game = game
        self._pools = Pools(game.high, game.copies)
        self._weights = self._pools.weights()
        self._effects = {number: effects_of(game, number) for number in range(1, game.high + 1)}
        self._at_once = {
            number: np.stack([self._wins_at_once(effect) for effect in effects])
            for number, effects in self._effects.items()
        }
        self._lost_at_once = {
            number: np.stack([self._loses_at_once(effect) for effect in effects])
            for number, effects in self._effects.items()
        }
        self._values = values
        self._any_move = shares(pairs)

    def solve(self, progress: Progress, table: Table | None = None) -> list[float]:
        """Layer by layer; at the start Player 1 draws. The chances of the first pair are kept in the table."""
        import numpy as np

        pools, number, target = self._pools, self._any_move.shape[1], self._game.target
        place = np.zeros(pools.number, dtype=np.intp)
        below = 1 - np.broadcast_to(self._values[:1], (number, 1, target, target)).swapaxes(2, 3)
        for size, layer, holders in pools.layers():
            chances = np.zeros((number, len(layer), target, target))
            any_move = self._any_move[(pools.size - size) % 2][:, None, None, None]
            for drawn, having, count in holders:
                rest = layer[having] - self._weights[drawn]
                for start in range(0, len(rest), CHUNK):
                    part = slice(start, start + CHUNK)
                    mixed = self._mixed(drawn, below[:, place[rest[part]]], rest[part], any_move, last=size == 1)
                    mixed *= (count[part] / size)[:, None, None]
                    chances[:, having[part]] += mixed
            if table is not None:
                table.keep(layer, chances[0])
            place[layer] = np.arange(len(layer))
            below = np.ascontiguousarray(1 - chances.swapaxes(2, 3))
            progress(size, pools.size)
        answer: list[float] = chances[:, 0, 0, 0].tolist()
        return answer

    def _mixed(self, drawn: int, worth: Chances, rest: NDArray[np.intp], any_move: Chances, *, last: bool) -> Chances:
        """The chances once this number is drawn."""
        import numpy as np

        effects = self._effects[drawn]
        best_worth = 1 - self._values[rest].swapaxes(1, 2)
        values = np.stack([_led_to(best_worth, effect, REFUSED) for effect in effects])
        best = values >= values.max(axis=0) - ALIKE
        if not last:
            # After the last draw every move ends the game, so that none wins sooner than another.
            sooner = best & self._at_once[drawn]
            best = np.where(sooner.any(axis=0), sooner, best)
            # And a lost game goes on as long as a move can be made that does not end it.
            later = best & ~self._lost_at_once[drawn] & (values.max(axis=0) <= ALIKE)
            best = np.where(later.any(axis=0), later, best)
        anything, chosen = np.zeros_like(worth), np.zeros_like(worth)
        for effect, way in zip(effects, best, strict=True):
            option = _led_to(worth, effect, 0)
            anything += option
            option *= way
            chosen += option
        anything *= any_move / (values[:, 0] != REFUSED).sum(axis=0)
        chosen *= (1 - any_move) / best.sum(axis=0)
        anything += chosen
        return anything

    def _loses_at_once(self, effect: Effect) -> NDArray[np.bool_]:
        """Where an action ends the game with a loss, whatever the pile."""
        import numpy as np

        square = np.ones((1, self._game.target, self._game.target))
        return np.asarray(_led_to(square, effect, 1) == 0)

    def _wins_at_once(self, effect: Effect) -> NDArray[np.bool_]:
        """Where an action ends the game with a win, whatever the pile."""
        import numpy as np

        square = np.zeros((1, self._game.target, self._game.target))
        return np.asarray(_led_to(square, effect, 0) == 1)


def _led_to(worth: Chances, effect: Effect, refused: float) -> Chances:
    """What an action leads to, with a mark where it is refused."""
    import numpy as np

    after = np.full_like(worth, refused)
    for start, stop, shift, end in effect.runs:
        there = slice(start + shift, stop + shift)
        if effect.on_own:
            after[..., start:stop, :] = worth[..., there, :] if end is None else end
        else:
            after[..., start:stop] = worth[..., there] if end is None else end
    return after
