"""How often each level wins at `fifty`: arrays, layer by layer by the size of the pool.

A chance is always Player 1's, and the chances of all pairs of levels lie side by side. For any move, whole tables of
the smaller pools are added up, shifted as an operation shifts the score; the best moves are few, and only what they
lead to is picked. Two layers are in memory at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberquest.games.fifty.distances import fifty_scores, seen_by_the_other
from numberquest.games.fifty.solver import effects_of
from numberquest.lab.layered import Table, check_size, in_parts, largest_layers, side_by_side
from numberquest.lab.mixed import shares
from numberquest.players import PLAYERS
from numberquest.solver.distance import WON
from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.games.fifty.rules import Fifty, Position
    from numberquest.lab.mixed import Everywhere, Pair
    from numberquest.solver.budget import Progress

    Chances = NDArray[np.float64]
    Indices = NDArray[np.intp]
    Scores = NDArray[np.int8]


def chances(game: Fifty, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    pools = Pools(game.high, game.copies)
    check_size(game, game.target, pools)
    scores = fifty_scores(game, lambda *_: None)
    winner = 0 if scores[-1, 0, 0] > 0 else 1
    # Without chance, who never makes a mistake never loses a game that is won from the start.
    open_ones = [pair for pair in pairs if PLAYERS[pair[winner]].any_move]
    each = sum(largest_layers(pools)) * game.target * (game.target + 2)
    found = in_parts(open_ones, each, progress, lambda part, told: _Fifty(game, part, scores).solve(told))
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
    """Player 1's chances, layer by layer."""

    def __init__(self, game: Fifty, pairs: Sequence[Pair], scores: Scores) -> None:
        self._game, self._scores = game, scores
        self._pools = Pools(game.high, game.copies)
        self._any_move = shares(pairs)

    def solve(self, progress: Progress, table: Table | None = None) -> list[float]:
        """For each pair, from the start on. The chances of the first pair are kept in the table."""
        import numpy as np

        pools, target, pairs = self._pools, self._game.target, self._any_move.shape[1]
        rooms = [np.empty((most, target + 2, target, pairs)) for most in largest_layers(pools)]
        place = np.zeros(pools.number, dtype=np.intp)
        weights = np.array(pools.weights())
        moves = _Moves(self._game)
        below, scores_below = rooms[0][:1], seen_by_the_other(self._scores[:1])
        below[0, :target] = ((self._scores[0] > 0) != pools.size % 2).T[:, :, None]
        for size, layer, holders in pools.layers():
            turn = (pools.size - size) % 2
            below[:, target] = 1 - turn
            below[:, target + 1] = turn
            held: list[list[int]] = [[] for _ in layer]
            for number, having, _ in holders:
                for at in having.tolist():
                    held[at].append(number)
            mixer = _Mixer(moves, turn, below, scores_below, self._any_move[turn])
            chances = rooms[size % 2][: len(layer)]

            def fill(
                at: int,
                mixer: _Mixer = mixer,
                layer: Indices = layer,
                held: list[list[int]] = held,
                chances: Chances = chances,
            ) -> None:
                rests = place[layer[at] - weights[held[at]]]
                mixed = mixer.mixed(held[at], rests, self._scores[layer[at]].reshape(-1))
                # The layer above reads it by the score of its own mover, who is not the one of this layer.
                chances[at, :target] = mixed.reshape(target, target, pairs).transpose(1, 0, 2)

            side_by_side(fill, len(layer))
            if table is not None:
                first = chances[:, :target, :, 0].transpose(0, 2, 1)
                table.keep(layer, 1 - first if turn else first)
            place[layer] = np.arange(len(layer))
            below, scores_below = chances, seen_by_the_other(self._scores[layer])
            progress(size, pools.size)
        answer: list[float] = below[0, 0, 0].tolist()
        return answer


class _Moves:
    """What each move does: by number, then by operation, own score and the opponent's score."""

    def __init__(self, game: Fifty) -> None:
        import numpy as np

        effects = effects_of(game)
        self.target, self.ops = game.target, len(game.ops)
        self.runs = [[run for effect in of_one for run in _runs(effect, game.target)] for of_one in effects]
        self.effects = np.array([[[0] * game.target] * self.ops, *effects[1:]])
        self.ends = [(self.effects == game.target + lost).sum(axis=1) for lost in (0, 1)]
        self.made_at = np.tile(np.arange(game.target**2, dtype=np.uint16), self.ops)
        self.leads_to = (self.effects[..., None] * game.target + np.arange(game.target)).reshape(game.high + 1, -1)
        self.effects = self.effects.reshape(game.high + 1, -1)


class _Mixer:
    """Makes the chances of a pool out of those of the layer below, which are by the score of whoever moves now.

    Two more rows of that layer stand for a move that wins at once and one that loses.
    """

    def __init__(self, moves: _Moves, turn: int, below: Chances, scores_below: Scores, any_move: Chances) -> None:
        import numpy as np

        self._moves, self._turn = moves, turn
        self._below, self._scores_below = below, scores_below
        self._rows_below = below.reshape(-1, below.shape[-1])
        self._any_move = np.tile(any_move, moves.target)
        # So much does each of so many best moves count, by pair; with a minus where it is taken away.
        ways = np.array([np.inf, *range(1, 128), *range(-128, 0)])
        self._best_move = (1 - any_move) / ways[:, None]

    def mixed(self, numbers: list[int], rests: Indices, best: Scores) -> Chances:
        """For one pool, with what is left of it after each of its numbers: by both scores, and by pair."""
        import numpy as np

        moves = len(numbers) * self._moves.ops
        total = self._after_any(numbers, rests)
        after = self._scores_below[rests[:, None], self._moves.effects[numbers]]
        is_best = after.reshape(moves, -1) == best
        ways = _count(is_best)
        # Who wins at once has won, whatever the table says.
        going_on = best != WON - 1
        # Where most moves are best ones, the others are picked, and taken away from all of them together.
        mostly = 2 * ways > moves
        mostly &= going_on
        is_best ^= mostly
        is_best &= going_on
        counts = _count(is_best)
        picked = self._picked(is_best, counts, numbers, rests)
        # As numbers without a sign, those below zero are the last ones of 256.
        signed = np.where(mostly, 0 - ways, ways)
        signed[counts == 0] = 0
        picked *= self._best_move.take(signed, axis=0)
        here = np.flatnonzero(mostly)
        of_all = total.take(here, axis=0)
        of_all *= self._best_move.take(ways[here], axis=0)
        by_score = total.reshape(self._moves.target, -1)
        by_score *= self._any_move / moves
        total += picked
        total[here] += of_all
        if self._turn == 0:
            total[~going_on] += self._best_move[1]
        return total

    def _after_any(self, numbers: list[int], rests: Indices) -> Chances:
        """The chances after each move, added up."""
        import numpy as np

        target, pairs = self._moves.target, self._below.shape[-1]
        total = np.empty((target, target * pairs))
        total[:] = self._moves.ends[self._turn][numbers].sum(axis=0)[:, None]
        for number, rest in zip(numbers, rests.tolist(), strict=True):
            after = self._below[rest].reshape(target + 2, -1)
            for start, source, number_of, step, each in self._moves.runs[number]:
                rows = after[source : source + number_of * step : step]
                if each == 1:
                    here = total[start : start + number_of]
                else:
                    here = total[start : start + number_of * each].reshape(number_of, each, -1)
                    rows = rows[:, None]
                np.add(here, rows, out=here)
        return total.reshape(-1, pairs)

    def _picked(
        self, is_picked: NDArray[np.bool_], counts: NDArray[np.uint8], numbers: list[int], rests: Indices
    ) -> Chances:
        """For each position, the chances after the picked moves, added up; where there is none, anything."""
        import numpy as np

        table = (self._moves.target + 2) * self._moves.target
        rows, made_at = [], []
        of_numbers = is_picked.reshape(len(numbers), -1)
        for number, rest, of_number in zip(numbers, rests.tolist(), of_numbers, strict=True):
            found = np.flatnonzero(of_number)
            leads_to = self._moves.leads_to[number].take(found)
            leads_to += rest * table
            rows.append(leads_to)
            made_at.append(self._moves.made_at.take(found))
        by_position = np.argsort(np.concatenate(made_at), kind="stable")
        picked = self._rows_below.take(np.concatenate(rows).take(by_position), axis=0)
        if not len(picked):
            return np.zeros((len(counts), self._below.shape[-1]))
        starts = np.cumsum(counts, dtype=np.intp) - counts
        summed = picked.take(starts, axis=0, mode="clip")
        with_more = (len(counts) - np.cumsum(np.bincount(counts))).tolist()
        if len(with_more) > 2:
            # Positions with the most picked moves come first, so that those with a further one are the first few.
            these = np.argsort(counts, kind="stable")[::-1][: with_more[1]]
            starts = starts[these]
            further = picked.take(starts + 1, axis=0)
            for at, number in enumerate(with_more[2:-1], start=2):
                further[:number] += picked.take(starts[:number] + at, axis=0)
            summed[these] += further
        return summed


def _count(of_moves: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """How many of the moves, of which there are fewer than 128, by position."""
    import numpy as np

    counts: NDArray[np.uint8] = np.add.reduce(of_moves.view(np.uint8), axis=0, dtype=np.uint8)
    return counts


class _Run(NamedTuple):
    """Scores from `start` on, `each` of them led to one row from `source` on; these rows are `step` apart."""

    start: int
    source: int
    number: int
    step: int
    each: int


def _runs(effect: list[int], target: int) -> list[_Run]:
    """The rows that scores lead to, in few regular runs; without those that end the game."""
    runs: list[_Run] = []
    start = 0
    while start < target:
        if effect[start] >= target:
            start += 1
            continue
        run = max(
            (_run(effect, start, target, each) for each in range(1, target + 1)), key=lambda run: run.number * run.each
        )
        runs.append(run)
        start += run.number * run.each
    return runs


def _run(effect: list[int], start: int, target: int, each: int) -> _Run:
    """The longest regular run from here on in which so many scores at a time lead to one row."""
    count, step = 0, 1
    for at in range(start, target - each + 1, each):
        row, *others = effect[at : at + each]
        if row >= target or any(other != row for other in others):
            break
        if count == 1:
            step = row - effect[start]
        if step < 1 or row != effect[start] + count * step:
            break
        count += 1
    return _Run(start, effect[start], count, max(step, 1), each)
