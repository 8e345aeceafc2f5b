"""How often each level wins at `mystic`: arrays, layer by layer by the size of the pile.

A chance is always Player 1's, and the chances of all pairs of levels lie side by side. For any move, whole tables of
the smaller piles are added up, shifted as the number shifts a total; for the best moves, single rows are picked. Two
layers are in memory at a time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from numberquest.games.mystic.solver import effects_of, solve
from numberquest.lab.layered import Table, check_size, in_parts, largest_layers, side_by_side
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

    Chances = NDArray[np.float64]
    Indices = NDArray[np.intp]
    Area = tuple[slice, slice]

CHUNK = 8
"""For so many piles at a time it is worked out which moves are best."""
REFUSED, LOST, WON, TABLE = 0, 1, 2, 3
"""The first rows stand for a move that is not allowed, one that loses at once, and one that wins; then come tables."""


def chances(game: Mystic, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    pools = Pools(game.high, game.copies)
    check_size(game, game.target, pools)
    values = solve(game, lambda *_: None)
    each = sum(largest_layers(pools)) * game.target**2
    return in_parts(pairs, each, progress, lambda part, told: _Mystic(game, part, values).solve(told))


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


class _Drawn(NamedTuple):
    """A pile with one of its numbers drawn."""

    number: int
    rest: int
    """The place of what is left of the pile, in the layer below."""
    held: int
    """How many of that number the pile holds."""


class _Mystic:
    """Player 1's chances before each draw, layer by layer."""

    def __init__(self, game: Mystic, pairs: Sequence[Pair], values: Chances) -> None:
        self._game, self._values = game, values
        self._pools = Pools(game.high, game.copies)
        self._any_move = shares(pairs)

    def solve(self, progress: Progress, table: Table | None = None) -> list[float]:
        """For each pair, from the start on. The chances of the first pair are kept in the table."""
        import numpy as np

        pools, target, pairs = self._pools, self._game.target, self._any_move.shape[1]
        rooms = [np.empty((TABLE + most * target**2, pairs)) for most in largest_layers(pools)]
        place = np.zeros(pools.number, dtype=np.intp)
        weights = pools.weights()
        moves = _Moves(self._game)
        below, values_below = rooms[0][: TABLE + target**2], self._values[:1]
        below[TABLE:] = ((self._values[0] == 1) != pools.size % 2).T.reshape(-1, 1)
        for size, layer, holders in pools.layers():
            turn = (pools.size - size) % 2
            below[REFUSED], below[LOST], below[WON] = 0, turn, 1 - turn
            drawn: list[list[_Drawn]] = [[] for _ in layer]
            for number, having, count in holders:
                rests = place[layer[having] - weights[number]].tolist()
                for at, rest, held in zip(having.tolist(), rests, count.tolist(), strict=True):
                    drawn[at].append(_Drawn(number, rest, held))
            mixer = _Mixer(moves, size, below, values_below, self._any_move[turn])
            room = rooms[size % 2][: TABLE + len(layer) * target**2]
            chances = room[TABLE:].reshape(len(layer), target, target, pairs)

            def fill(
                chunk: int,
                mixer: _Mixer = mixer,
                drawn: list[list[_Drawn]] = drawn,
                chances: Chances = chances,
            ) -> None:
                part = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
                mixer.fill(drawn[part], chances[part])

            side_by_side(fill, -(-len(layer) // CHUNK))
            if table is not None:
                first = chances[..., 0].transpose(0, 2, 1)
                table.keep(layer, 1 - first if turn else first)
            place[layer] = np.arange(len(layer))
            below, values_below = room, self._values[layer]
            progress(size, pools.size)
        answer: list[float] = chances[0, 0, 0].tolist()
        return answer


class _Moves:
    """What each action does with each number: the row it leads to, by number, action and both totals."""

    def __init__(self, game: Mystic) -> None:
        import numpy as np

        self.target = target = game.target
        shape = (game.high + 1, len(game.actions), target, target)
        rows = np.full(shape, REFUSED, dtype=np.intp)
        table = TABLE + np.arange(target**2).reshape(target, target)
        runs: list[list[tuple[Area, Area]]] = [[] for _ in range(game.high + 1)]
        for number in range(1, game.high + 1):
            for action, effect in enumerate(effects_of(game, number)):
                for start, stop, shift, end in effect.runs:
                    here, there = slice(start, stop), slice(start + shift, stop + shift)
                    everything = slice(0, target)
                    at = (here, everything) if effect.on_own else (everything, here)
                    to = (there, everything) if effect.on_own else (everything, there)
                    if end is None:
                        rows[number, action][at] = table[to]
                        runs[number].append((at, to))
                    else:
                        rows[number, action][at] = WON if end else LOST
        self.rows = rows.reshape(*shape[:2], -1)
        self.in_table = (self.rows >= TABLE).astype(np.intp)
        self.allowed = (self.rows != REFUSED).sum(axis=1)
        # How many actions are allowed depends on the own total alone.
        self.shifts = [
            [
                (allowed, *shift)
                for allowed, own in _alike(self.allowed[number].reshape(target, target)[:, 0].tolist())
                for at, to in runs[number]
                for shift in _within(at, to, own)
            ]
            for number in range(game.high + 1)
        ]


def _alike(allowed: list[int]) -> list[tuple[int, slice]]:
    """Neighbouring totals with as many actions together."""
    starts = [at for at, number in enumerate(allowed) if not at or number != allowed[at - 1]]
    return [(allowed[start], slice(start, stop)) for start, stop in pairwise([*starts, len(allowed)])]


def _within(at: Area, to: Area, own: slice) -> list[tuple[Area, Area]]:
    """The part of a shift that is made from these own totals, if any."""
    start, stop = max(at[0].start, own.start), min(at[0].stop, own.stop)
    shift = to[0].start - at[0].start
    return [((slice(start, stop), at[1]), (slice(start + shift, stop + shift), to[1]))] if start < stop else []


class _Mixer:
    """Makes the chances of piles out of those of the layer below, which are by the total of whoever draws now."""

    def __init__(self, moves: _Moves, size: int, below: Chances, values_below: Chances, any_move: Chances) -> None:
        import numpy as np

        self._moves, self._size, self._below = moves, size, below
        self._tables = below[TABLE:].reshape(-1, moves.target, moves.target, below.shape[-1])
        self._worth = np.empty((len(values_below), TABLE + moves.target**2))
        self._worth[:, :TABLE] = -1, 0, 1
        self._worth[:, TABLE:] = 1 - values_below.transpose(0, 2, 1).reshape(len(values_below), -1)
        self._any_move = np.tile(any_move, moves.target**2)
        self._best_move = 1 - self._any_move
        # What the moves that end the game come to, each as likely as all that are allowed.
        ended = ((moves.rows == LOST) * below[LOST, 0] + (moves.rows == WON) * below[WON, 0]).sum(axis=1)
        self._ended = ended / np.maximum(moves.allowed, 1)

    def fill(self, piles: list[list[_Drawn]], chances: Chances) -> None:
        """The chances of these piles."""
        import numpy as np

        target, pairs = self._moves.target, self._below.shape[-1]
        rows, tied, tied_rows = self._best_rows([one for pile in piles for one in pile])
        start = 0
        for at, pile in enumerate(piles):
            likely = np.array([one.held for one in pile]) / self._size
            chosen = self._below.take(rows[start : start + len(pile)].reshape(-1), axis=0)
            first, stop = np.searchsorted(tied, [start * target**2, (start + len(pile)) * target**2])
            if first < stop:
                chosen[tied[first:stop] - start * target**2] = self._means(tied_rows[:, first:stop])
            start += len(pile)
            mixed = likely @ chosen.reshape(len(pile), -1)
            mixed *= self._best_move
            anything = self._after_any(pile, likely)
            anything *= self._any_move
            mixed += anything
            chances[at] = mixed.reshape(target, target, pairs).transpose(1, 0, 2)

    def _best_rows(self, drawn: list[_Drawn]) -> tuple[Indices, Indices, Indices]:
        """The row that a best move leads to, by number drawn and totals; where there are more, and all their rows.

        Where a move is not among the best, the row of one that is not allowed stands instead.
        """
        import numpy as np

        numbers = np.array([one.number for one in drawn])
        rests = np.array([one.rest for one in drawn])[:, None, None]
        leads_to = self._moves.rows[numbers]
        worth = self._worth[rests, leads_to]
        most = worth.max(axis=1, keepdims=True)
        best = worth >= most - ALIKE
        if self._size > 1:
            # After the last draw every move ends the game, so that none wins sooner than another.
            sooner = best & (leads_to == WON)
            best = np.where(sooner.any(axis=1, keepdims=True), sooner, best)
            # And a lost game goes on as long as a move can be made that does not end it.
            later = best & (leads_to != LOST) & (most <= ALIKE)
            best = np.where(later.any(axis=1, keepdims=True), later, best)
        rows = leads_to + self._moves.in_table[numbers] * (rests * self._moves.target**2)
        rows = np.where(best, rows, REFUSED)
        tied = np.flatnonzero(best.sum(axis=1, dtype=np.uint8) > 1)
        return rows.max(axis=1), tied, rows.transpose(1, 0, 2).reshape(rows.shape[1], -1)[:, tied]

    def _means(self, rows: Indices) -> Chances:
        """The mean of what several best moves lead to."""
        total: Chances = self._below.take(rows[0], axis=0)
        for others in rows[1:]:
            total += self._below.take(others, axis=0)
        total /= (rows != REFUSED).sum(axis=0)[:, None]
        return total

    def _after_any(self, pile: list[_Drawn], likely: Chances) -> Chances:
        """The mean of what all allowed moves lead to, over all draws."""
        import numpy as np

        target, pairs = self._moves.target, self._below.shape[-1]
        numbers = [one.number for one in pile]
        total = np.empty((target, target, pairs))
        total[:] = (likely @ self._ended[numbers]).reshape(target, target, 1)
        for allowed, added in self._added(pile).items():
            added /= allowed * self._size
            total += added
        return total.reshape(-1)

    def _added(self, pile: list[_Drawn]) -> dict[int, Chances]:
        """What moves lead to, added up, by how many moves are allowed."""
        import numpy as np

        target, pairs = self._moves.target, self._below.shape[-1]
        added: dict[int, Chances] = {}
        for number, rest, held in pile:
            after = self._tables[rest]
            if held > 1:
                after = after * held
            for allowed, at, to in self._moves.shifts[number]:
                if allowed not in added:
                    added[allowed] = np.zeros((target, target, pairs))
                here = added[allowed][at]
                np.add(here, after[to], out=here)
        return added
