"""How often each level wins at `fifty` and `mystic`: arrays, layer by layer by the size of the pool.

As in the solvers, a move leads to a row of the smaller pool, seen from the other side. Only two layers
are in memory at a time, for a few pairs of levels together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.lab.mixed import shares
from numberquest.players import PLAYERS
from numberquest.solve import fifty as fiftys
from numberquest.solve import mystic as mystics
from numberquest.solve.distance import fifty_scores, seen_by_the_other
from numberquest.solve.pools import Pools, TooLarge
from numberquest.solve.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.games.fifty import Fifty
    from numberquest.games.mystic import Mystic
    from numberquest.lab.mixed import Pair
    from numberquest.solve.pools import Progress

    Chances = NDArray[np.floating]
    Effects = list[list[list[int]]]

MOST_POSITIONS = 60_000_000
"""With more than this it would take many minutes. The classic games have fewer."""
CHUNK = 16
"""How many pools are worked on at a time, so that they stay in the processor's cache."""
REFUSED = -1.0
"""Stands for the chance of an action that is not allowed."""


def fifty_chances(game: Fifty, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    _check_size(game)
    scores = fifty_scores(game, lambda *_: None)
    winner = 0 if scores[-1, 0, 0] > 0 else 1
    # Without chance, who never makes a mistake never loses a game that is won from the start.
    open_ones = [pair for pair in pairs if PLAYERS[pair[winner]].any_move]
    found = _in_parts(open_ones, 5, progress, lambda part, told: _Fifty(game, part, scores).solve(told))
    known = dict(zip(open_ones, found, strict=True))
    return [known.get(pair, 1.0 - winner) for pair in pairs]


def mystic_chances(game: Mystic, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    _check_size(game)
    values = mystics.solve(game, lambda *_: None)
    return _in_parts(pairs, 9, progress, lambda part, told: _Mystic(game, part, values).solve(told))


def _check_size(game: Fifty | Mystic) -> None:
    positions = Pools(game.high, game.copies).number * game.target**2
    if positions > MOST_POSITIONS:
        raise TooLarge(f"{game!r} has {positions:,} positions, and more than {MOST_POSITIONS:,} would take too long")


def _in_parts(
    pairs: Sequence[Pair],
    together: int,
    progress: Progress,
    solve: Callable[[Sequence[Pair], Progress], list[float]],
) -> list[float]:
    """A few pairs at a time, for the sake of memory, with the progress of the whole."""
    parts = [pairs[at : at + together] for at in range(0, len(pairs), together)]
    answers: list[float] = []
    for at, part in enumerate(parts):
        answers += solve(part, lambda done, total, at=at: progress(at * total + done, len(parts) * total))  # type: ignore[misc]
    return answers


class _Fifty:
    """The chances of the player to move, by pair, pool, own score and the opponent's score."""

    def __init__(self, game: Fifty, pairs: Sequence[Pair], scores: NDArray[np.int8]) -> None:
        self._game = game
        self._pools = Pools(game.high, game.copies)
        self._weights = self._pools.weights()
        self._effects: Effects = fiftys.effects_of(game)
        self._scores = scores
        self._any_move = shares(pairs)

    def solve(self, progress: Progress) -> list[float]:
        """Layer by layer; at the start it is Player 1's turn."""
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


class _Mystic:
    """The chances before each draw, by pair, pile, own total and the opponent's total."""

    def __init__(self, game: Mystic, pairs: Sequence[Pair], values: Chances) -> None:
        import numpy as np

        self._game = game
        self._pools = Pools(game.high, game.copies)
        self._weights = self._pools.weights()
        self._effects = {number: mystics.effects_of(game, number) for number in range(1, game.high + 1)}
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

    def solve(self, progress: Progress) -> list[float]:
        """Layer by layer; at the start Player 1 draws."""
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

    def _loses_at_once(self, effect: mystics.Effect) -> NDArray[np.bool_]:
        """Where an action ends the game with a loss, whatever the pile."""
        import numpy as np

        square = np.ones((1, self._game.target, self._game.target))
        return np.asarray(_led_to(square, effect, 1) == 0)

    def _wins_at_once(self, effect: mystics.Effect) -> NDArray[np.bool_]:
        """Where an action ends the game with a win, whatever the pile."""
        import numpy as np

        square = np.zeros((1, self._game.target, self._game.target))
        return np.asarray(_led_to(square, effect, 0) == 1)


def _led_to(worth: Chances, effect: mystics.Effect, refused: float) -> Chances:
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
