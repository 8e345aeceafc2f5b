"""One backward pass over pools of numbers, in arrays, for games in which every turn takes a number out of a pool.

A game supplies what its moves do to the two scores and who wins at the ends (`PoolRules`). The pools of one size need
only those of the size below, so two layers are in memory at a time. `best_play` goes through them for values and
distances; `between_players` goes through them for players who make any move some of the time and a best one otherwise.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from numberquest.core.contract import Game
from numberquest.core.progress import Progress
from numberquest.core.registry import part
from numberquest.solver import wasm
from numberquest.solver.budget import TooLarge, check_memory, rules_of
from numberquest.solver.distance import WON as SCORE_WON
from numberquest.solver.distance import all_further
from numberquest.solver.numbers import IN_PAGE, Flags, Indices, NDArray, Numbers, np
from numberquest.solver.solution import ALIKE, Distances, Solution
from numberquest.solver.table import Table

P = TypeVar("P")

MOST_POSITIONS = 60_000_000
"""With more than this, players who err would take many minutes. The classic games have fewer."""
WINS, LOSES, REFUSED = range(3)
"""Behind the scores below the target: a move that wins at once, one that loses at once, one that is not allowed."""
CODES: Final = 3
CHUNK: Final = 64
"""How many pools are worked on at a time, so that they stay in the processor's cache."""
WORTH_A_THREAD: Final = 20_000
"""Pools with fewer figures than this are worked out faster one after the other."""


class Pools(NamedTuple):
    """How the pools of a game are numbered."""

    high: int
    copies: int

    @property
    def number(self) -> int:
        """How many pools there are."""
        return int((self.copies + 1) ** self.high)

    @property
    def size(self) -> int:
        """How many numbers the full pool holds."""
        return self.high * self.copies

    def weights(self) -> list[int]:
        """What each number adds to a pool's index; the first entry is for no number."""
        return [0, *((self.copies + 1) ** at for at in range(self.high))]

    def counts(self) -> list[Indices]:
        """For each number, how many of it every pool holds."""
        indices = np.arange(self.number)
        return [(indices // weight) % (self.copies + 1) for weight in self.weights()[1:]]

    def layers(self) -> Iterator[tuple[int, Indices, list[tuple[int, Indices, Indices]]]]:
        """For each size from 1 up: the pools of that size, and for each number which of them hold it, and how often."""
        order, _, bounds = self.by_size()
        for size in range(1, self.size + 1):
            pools = order[bounds[size] : bounds[size + 1]].astype(np.intp)
            holders = []
            for number, weight in enumerate(self.weights()[1:], start=1):
                count = pools // weight % (self.copies + 1)
                having = np.flatnonzero(count)
                if len(having):
                    holders.append((number, having, count[having]))
            yield size, pools, holders

    def by_size(self) -> tuple[NDArray[np.int32], NDArray[np.int32], list[int]]:
        """The pools in the order of their size, where each is among those of its size, and where each size begins."""
        sizes = np.zeros(1, dtype=np.uint8)
        for _ in range(self.high):
            sizes = np.add.outer(np.arange(self.copies + 1, dtype=np.uint8), sizes).reshape(-1)
        order = np.argsort(sizes, kind="stable").astype(np.int32)
        bounds = np.concatenate([[0], np.cumsum(np.bincount(sizes))])
        place = np.empty_like(order)
        place[order] = np.arange(self.number) - np.repeat(bounds[:-1], np.diff(bounds))
        return order, place, bounds.tolist()


class Effect(NamedTuple):
    """What a move does to one of the two scores: by that score, which one it becomes, or the target plus a code."""

    on_own: bool
    to: list[int]


class PoolRules(ABC, Generic[P]):
    """A game over pools, as its rules play it: all that is worked out here follows from this."""

    drawn: ClassVar[bool]
    """Whether chance draws the number, and only what to do with it is chosen; otherwise the number is chosen too."""

    def __init__(self, game: Any) -> None:
        self.game: Any = game
        self.pools, self.target = self.shape(game)
        self.positions = self.pools.number * self.target**2
        """How many there are before a number is drawn or chosen."""
        self._weights, self._size = self.pools.weights(), self.pools.size

    def shape(self, game: Any) -> tuple[Pools, int]:
        """The pools of a game, and the score to reach."""
        return Pools(game.high, game.copies), game.target

    @abstractmethod
    def moves(self, number: int) -> Sequence[str]:
        """What a number can be used for."""

    @abstractmethod
    def before(self, number: int, scores: tuple[int, int]) -> P:
        """Player 1 is to move, has drawn this number or may choose it, and it is not the last one."""

    @abstractmethod
    def used_up(self, scores: tuple[int, int]) -> P:
        """No number is left."""

    @abstractmethod
    def read(self, p: P) -> tuple[Sequence[int], tuple[int, int]]:
        """The numbers that are left, and the scores of Player 1 and Player 2."""

    def is_drawn(self, p: P) -> bool:
        """Whether a number is drawn, and it is still to be chosen what to do with it; tables have no such positions."""
        return False

    @cached_property
    def effects(self) -> list[list[Effect]]:
        """By number, what each of its moves does; none for 0."""
        return [[], *([self._effect(n, move) for move in self.moves(n)] for n in range(1, self.pools.high + 1))]

    def _effect(self, number: int, move: str) -> Effect:
        """As the game itself plays it, from each score of the one player or of the other."""
        scores = range(self.target)
        own = [self._played(number, (score, 0), move) for score in scores]
        if all(after is None or after[0] == score for score, (after, _) in zip(scores, own, strict=True)):
            others = [self._played(number, (0, score), move) for score in scores]
            if any(after is not None and after[1] != score for score, (after, _) in zip(scores, others, strict=True)):
                return Effect(False, [to if after is None or to >= self.target else after[1] for after, to in others])
        return Effect(True, [to if after is None or to >= self.target else after[0] for after, to in own])

    def _played(self, number: int, scores: tuple[int, int], move: str) -> tuple[tuple[int, int] | None, int]:
        """The scores after a move, None where it is not allowed; and the code if it is not, or if it ends the game."""
        p = self.before(number, scores)
        if move not in self.game.moves(p):
            return None, self.target + REFUSED
        after = self.game.play(p, move)
        outcome = self.game.outcome(after)
        return self.read(after)[1], 0 if outcome is None else self.target + (LOSES if outcome.winner else WINS)

    @cached_property
    def ends(self) -> list[list[bool]]:
        """With no number left, by own score and the other's: whether the player who would be next has won."""
        turn = self.game.turn(self.used_up((0, 0)))
        scores = range(self.target)

        def wins(mine: int, yours: int) -> bool:
            outcome = self.game.outcome(self.used_up((yours, mine) if turn else (mine, yours)))
            return outcome is not None and outcome.winner == turn

        return [[wins(mine, yours) for yours in scores] for mine in scores]

    def check_size(self) -> None:
        """`TooLarge` where players who err would take too long."""
        if self.positions > MOST_POSITIONS:
            raise TooLarge(
                f"{rules_of(self.game)} has {self.positions:,} positions, "
                f"and more than {MOST_POSITIONS:,} would take too long"
            )

    def index(self, p: P) -> int:
        """Where a position stands in a table by pool, own score and the other's."""
        (pool, scores), weights = self.read(p), self._weights
        # Player 1 begins, and every turn takes a number.
        turn = (self._size - len(pool)) % 2
        row = sum([weights[number] for number in pool]) * self.target + scores[turn]
        return row * self.target + scores[1 - turn]


def pool_rules(game: Game[Any]) -> PoolRules[Any] | None:
    """The rules of a game over pools; None of any other."""
    kind: Callable[[Game[Any]], PoolRules[Any] | None] | None = getattr(part(type(game), "solver"), "POOLS", None)
    return None if kind is None else kind(game)


class PoolChances(Solution[P]):
    """Reads the chances before a draw, by pool, own score and the other's; after it, they follow from the moves."""

    def __init__(self, rules: PoolRules[P], table: Table) -> None:
        super().__init__(rules.game)
        self._rules, self.table = rules, table
        self.positions = rules.positions

    def known(self, p: P) -> float | None:
        """The chance before a draw."""
        rules = self._rules
        chance: float | None = None if rules.is_drawn(p) else self.table[rules.index(p)]
        return chance


class PoolDistances(Distances[P]):
    """Reads the scores of `best_play`, where nothing is drawn."""

    def __init__(self, rules: PoolRules[P], table: Table) -> None:
        self._rules, self.table = rules, table

    def plies(self, p: P) -> int:
        """From the score of whoever's turn it is."""
        if self._rules.game.outcome(p) is not None:
            return 0
        score: int = self.table[self._rules.index(p)]
        return SCORE_WON - abs(score)


class PoolWins(Solution[P]):
    """Reads from the same scores whether the player whose turn it is wins."""

    def __init__(self, rules: PoolRules[P], table: Table) -> None:
        super().__init__(rules.game)
        self._rules, self._table = rules, table
        self.positions = rules.positions

    def known(self, p: P) -> int:
        return int(self._table[self._rules.index(p)] > 0)


class _Seen:
    """What positions are worth to the one who has just moved there, with rows for the three codes.

    `by_own` is by that player's score and the other's, `by_other` the other way round.
    """

    def __init__(self, rules: PoolRules[Any], known: NDArray[Any], *, further: float = 0.0) -> None:
        count, target, _ = known.shape
        seen = np.maximum(1 - known, 0) if rules.drawn else -all_further(known)
        codes = np.array([1 + further, -further, -1.0] if rules.drawn else [SCORE_WON - 1, 1 - SCORE_WON, -SCORE_WON])
        self.by_own, self.by_other = (np.empty((count, target + CODES, target), known.dtype) for _ in range(2))
        self.by_own[:, :target], self.by_other[:, :target] = seen.swapaxes(1, 2), seen
        self.by_own[:, target:] = self.by_other[:, target:] = codes[:, None]


def best_table(rules: PoolRules[Any], progress: Progress) -> memoryview:
    """What `best_play` gives, flat; in a page, by its own kernel."""
    if IN_PAGE:
        return wasm.best_play(rules, progress)
    table: memoryview = best_play(rules, progress).reshape(-1).data
    return table


def best_play(rules: PoolRules[Any], progress: Progress) -> NDArray[Any]:
    """By pool, own score and the other's, for the player whose turn it is: the chance to win, before a number is drawn.

    Where nothing is drawn, a score as in `solver.distance`, which says how soon as well.
    """
    pools, target = rules.pools, rules.target
    weights = pools.weights()
    won, lost, dtype = (1.0, 0.0, np.float64) if rules.drawn else (SCORE_WON, -SCORE_WON, np.int8)
    table = np.empty((pools.number, target, target), dtype)
    table[0] = np.where(rules.ends, won, lost)
    place = np.zeros(pools.number, dtype=np.intp)
    seen = _Seen(rules, table[:1])
    for size, layer, holders in pools.layers():
        known = np.full((len(layer), target, target), lost, dtype)
        for number, having, count in holders:
            rests = place[layer[having] - weights[number]]
            for start in range(0, len(having), CHUNK):
                part = slice(start, start + CHUNK)
                best = _best(seen, rests[part], rules.effects[number])
                here = having[part]
                if rules.drawn:
                    best *= (count[part] / size)[:, None, None]
                    known[here] += best
                else:
                    known[here] = np.maximum(best, known[here], out=best)
        table[layer] = known
        place[layer] = np.arange(len(layer))
        seen = _Seen(rules, known)
        progress(size, pools.size)
    return table


def _best(seen: _Seen, rests: Indices, effects: Sequence[Effect]) -> NDArray[Any]:
    """The best that can be made of a number, for what is left of some pools, by both scores."""
    own, others = ([effect.to for effect in effects if effect.on_own == on_own] for on_own in (True, False))
    best = _best_of(seen.by_own[rests], own)
    return np.maximum(best, _best_of(seen.by_other[rests], others).swapaxes(1, 2), out=best) if others else best


def _best_of(came_from: NDArray[Any], moves: Sequence[list[int]]) -> NDArray[Any]:
    best = came_from[:, moves[0]]
    for to in moves[1:]:
        np.maximum(best, came_from[:, to], out=best)
    return best


class Choice(NamedTuple):
    """What best play says about the choices of a player, by which choice it is and both scores."""

    moves: Numbers
    staked: Numbers
    """What the worst move gives away; 0 where the choice does not matter."""
    blindly: Numbers


class Columns:
    """What is worked out between players, side by side: always as Player 1 sees it. Here, how often Player 1 wins."""

    def __init__(self, slips: Numbers) -> None:
        self.slips = slips
        """By seat and column, how often the move is any move: from 0 to 1."""
        self.ends = np.array([[1.0], [0.0]]).repeat(slips.shape[1], axis=1)
        """By winner and column, what it holds where the game is over."""

    needs_settling = False

    def settle(self, mean: Numbers, choice: Callable[[], Choice] | None) -> None:
        """Make of the means over what follows, a column each, the columns of these positions.

        They follow a choice of a player; `choice` is None where they follow a draw.
        """


def figures_for_a_column(rules: PoolRules[Any]) -> int:
    """How many figures two layers hold in one column."""
    return sum(_largest_layers(rules.pools)) * (rules.target**2 + CODES)


def _largest_layers(pools: Pools) -> tuple[int, int]:
    """The most pools that a layer of an even size holds, and one of an odd size."""
    layers = np.diff(pools.by_size()[2])
    return max(layers[::2].tolist()), max(layers[1::2].tolist())


def between_players(
    rules: PoolRules[Any],
    best: NDArray[Any],
    columns: Columns,
    progress: Progress,
    keep: Callable[[int, Indices, Numbers], None] | None = None,
) -> Numbers:
    """The columns of the start, where each player makes any move or a best one; `best` comes from `best_play`.

    `keep` gets every layer: the size of its pools, which they are, and their columns by own score and the other's.
    """
    pools, target, width = rules.pools, rules.target, columns.ends.shape[1]
    cells = target**2
    check_memory(8 * figures_for_a_column(rules) * width, rules.game)
    rooms = [np.empty((most, cells + CODES, width)) for most in _largest_layers(pools)]
    place = np.zeros(pools.number, dtype=np.intp)
    weights = np.array(pools.weights())
    moves = _Moves(rules)
    below, best_below = rooms[0][:1], best[:1]
    # Every layer is by the score of whoever moves in the layer above.
    first_won = np.array(rules.ends).T ^ (pools.size % 2 == 1)
    below[0, :cells] = np.where(first_won.reshape(-1, 1), *columns.ends)
    for size, layer, holders in pools.layers():
        turn = (pools.size - size) % 2
        below[:, cells + WINS], below[:, cells + LOSES] = columns.ends[turn], columns.ends[1 - turn]
        held: list[list[tuple[int, int]]] = [[] for _ in layer]
        for number, having, count in holders:
            for at, many in zip(having.tolist(), count.tolist(), strict=True):
                held[at].append((number, many))
        mixer = _Mixer(rules, moves, columns, size, below, best_below)
        known = rooms[size % 2][: len(layer)]

        def fill(
            at: int, mixer: _Mixer = mixer, layer: Indices = layer, held: Any = held, known: Numbers = known
        ) -> None:
            numbers, counts = (list(some) for some in zip(*held[at], strict=True))
            rests = place[layer[at] - weights[numbers]]
            found = mixer.mixed(numbers, rests, np.array(counts) / size, best[layer[at]])  # noqa: B023
            known[at, :cells] = found.reshape(target, target, width).swapaxes(0, 1).reshape(cells, width)

        _side_by_side(fill, len(layer), threads=width * cells >= WORTH_A_THREAD)
        if keep is not None:
            keep(size, layer, known[:, :cells].reshape(-1, target, target, width).swapaxes(1, 2))
        place[layer] = np.arange(len(layer))
        below, best_below = known, best[layer]
        progress(size, pools.size)
    start: Numbers = below[0, 0]
    return start


class _Run(NamedTuple):
    """Scores from `start` on, `each` of them led to one score, from `source` on; these are `step` apart."""

    start: int
    source: int
    number: int
    step: int
    each: int


class _Moves:
    """What each move does, in the forms that the pass needs: by number, then by move and both scores."""

    def __init__(self, rules: PoolRules[Any]) -> None:
        target = rules.target
        cells = target**2
        of_all = rules.effects[1:]
        self.by_own, self.by_other = (
            np.array([[e.to for e in effects if e.on_own == on_own] for effects in [of_all[0], *of_all]])
            for on_own in (True, False)
        )
        own, other = np.divmod(np.arange(cells), target)
        rows = np.where(self.by_own < target, self.by_own * target, self.by_own + cells - target)[..., own]
        self.rows = rows + np.where(rows < cells, other, 0)
        if self.by_other.shape[1]:
            to = self.by_other[..., other]
            rows = np.where(to < target, own * target + to, to + cells - target)
            self.rows = np.concatenate([self.rows, rows], axis=1)
        self.number = self.rows.shape[1]
        """How many moves there are for a number."""
        self.runs = [[(e.on_own, run) for e in effects for run in _runs(e.to, target)] for effects in [[], *of_all]]
        self.ended = np.stack([(self.rows == cells + code).sum(axis=1) for code in (WINS, LOSES)], axis=-1) * 1.0
        self.allowed = (self.rows != cells + REFUSED).sum(axis=1) * 1.0
        choices = rules.pools.high if rules.drawn else 1
        made_at = np.arange(choices * cells, dtype=np.uint16 if choices * cells <= 1 << 16 else np.intp)
        repeated = np.repeat(made_at.reshape(choices, 1, cells), self.number, axis=1)
        self.made_at = np.tile(repeated.reshape(-1), rules.pools.high // choices)
        """For each number that a pool may hold, each move and both scores: which of its choices that is, and where."""
        self.rows = self.rows.reshape(len(self.rows), -1)


class _Mixer:
    """Makes the columns of a pool out of those of the layer below."""

    def __init__(
        self,
        rules: PoolRules[Any],
        moves: _Moves,
        columns: Columns,
        size: int,
        below: Numbers,
        best_below: NDArray[Any],
    ) -> None:
        self._rules, self._moves, self._columns = rules, moves, columns
        turn = (rules.pools.size - size) % 2
        self._below = below
        self._rows_below = below.reshape(-1, below.shape[-1])
        # Among equals a win at once comes first, and a loss at once last: but all is over after the last number.
        self._seen = _Seen(rules, best_below, further=3 * ALIKE if size > 1 else 0.0)
        self._ends = columns.ends[[turn, 1 - turn]]
        slips = columns.slips[turn]
        self._any_move = np.tile(slips, rules.target)
        # So much does each of so many best moves count, by column.
        self._best_move = (1 - slips) / np.array([np.inf, *range(1, 256)])[:, None]

    def mixed(self, numbers: list[int], rests: Indices, likely: Numbers, best: NDArray[Any]) -> Numbers:
        """Of one pool, with what is left of it after each of its numbers: by both scores, flat, and by column."""
        rules, moves, columns = self._rules, self._moves, self._columns
        target, drawn, width = rules.target, rules.drawn, self._below.shape[-1]
        after = self._seen.by_own[rests[:, None, None], moves.by_own[numbers]]
        if moves.by_other.shape[1]:
            others = self._seen.by_other[rests[:, None, None], moves.by_other[numbers]]
            after = np.concatenate([after, others.swapaxes(2, 3)], axis=1)
        # Where numbers are drawn, there is a choice for each; otherwise there is one, between all moves together.
        after = after.reshape(len(numbers) if drawn else 1, -1, target**2)
        if drawn:
            top = after.max(axis=1, keepdims=True)
            is_best = after >= top - ALIKE
        else:
            is_best = after == best.reshape(-1)
        ways = np.add.reduce(is_best.view(np.uint8), axis=1, dtype=np.uint8).reshape(-1)
        allowed = moves.allowed[numbers]
        if not drawn:
            allowed = allowed.sum(axis=0, keepdims=True)
        mean = self._after_any(numbers, rests, allowed)
        picked = self._picked(is_best.reshape(len(numbers), -1), ways, numbers, rests)
        picked *= self._best_move.take(ways, axis=0)
        mean += picked
        mean = mean.reshape(len(after), target**2, width)
        if columns.needs_settling:
            columns.settle(mean, lambda: _choice(after, allowed, drawn=drawn))
        if not drawn:
            whole: Numbers = mean[0]
            return whole
        whole = (likely @ mean.reshape(len(mean), -1)).reshape(-1, width)
        if columns.needs_settling:
            columns.settle(whole, None)
        return whole

    def _after_any(self, numbers: list[int], rests: Indices, allowed: Numbers) -> Numbers:
        """What is led to by any move, as often as it is made: by choice and both scores, flat, and by column."""
        target, width = self._rules.target, self._below.shape[-1]
        ended = self._moves.ended[numbers]
        if len(allowed) < len(numbers):
            ended = ended.sum(axis=0, keepdims=True)
        total = (ended @ self._ends).reshape(-1, target, target, width)
        for at, (number, rest) in enumerate(zip(numbers, rests.tolist(), strict=True)):
            after = self._below[rest, : target**2].reshape(target, target, width)
            mine = total[at % len(total)]
            for on_own, (start, source, length, step, each) in self._moves.runs[number]:
                to = slice(source, source + length * step, step)
                here, there = (mine, after[to]) if on_own else (mine.swapaxes(0, 1), after[:, to].swapaxes(0, 1))
                here = here[start : start + length * each]
                if each > 1:
                    here, there = here.reshape(length, each, *here.shape[1:]), there[:, None]
                np.add(here, there, out=here)
        # How many moves are allowed depends on the own score alone.
        by_score = total.reshape(-1, target * width)
        by_score *= self._any_move
        by_score /= allowed.reshape(-1, target, target)[..., 0].reshape(-1, 1)
        mean: Numbers = total.reshape(-1, width)
        return mean

    def _picked(self, is_picked: Flags, counts: NDArray[np.uint8], numbers: list[int], rests: Indices) -> Numbers:
        """For each choice and both scores, the columns after the picked moves, added up."""
        found = np.flatnonzero(is_picked)
        rows = self._moves.rows[numbers].reshape(-1).take(found)
        of_number = np.searchsorted(found, np.arange(1, len(numbers) + 1) * is_picked.shape[1])
        rows += np.repeat(rests * self._below.shape[1], np.diff(of_number, prepend=0))
        by_position = np.argsort(self._moves.made_at.take(found), kind="stable")
        picked = self._rows_below.take(rows.take(by_position), axis=0)
        starts = np.cumsum(counts, dtype=np.intp) - counts
        summed: Numbers = picked.take(starts, axis=0, mode="clip")
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


def _choice(after: NDArray[Any], allowed: Numbers, *, drawn: bool) -> Choice:
    """What choices are like under best play, from what each move is worth: by choice and both scores."""
    if drawn:
        worth, is_allowed = np.clip(after, 0, 1), after > -1
        lowest = worth.min(axis=1, where=is_allowed, initial=1)
        blind = worth.sum(axis=1) / allowed
    else:
        worth = after > 0
        lowest, blind = worth.all(axis=1), worth.sum(axis=1) / allowed
    top = worth.max(axis=1).astype(float)
    staked = top - lowest
    matters = staked > ALIKE
    return Choice(allowed, staked * matters, (top - blind) * matters)


def _side_by_side(work: Callable[[int], None], number: int, *, threads: bool) -> None:
    """Do the work for each number below this one, on as many cores as there are: NumPy lets other threads go on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not threads or cores == 1 or number < cores:
        _each_of(work, range(number))
        return
    with ThreadPoolExecutor(cores) as pool:
        for done in [pool.submit(_each_of, work, range(at, number, cores)) for at in range(cores)]:
            done.result()


def _each_of(work: Callable[[int], None], these: Iterable[int]) -> None:
    for one in these:
        work(one)


def _runs(to: list[int], target: int) -> list[_Run]:
    """The scores that scores lead to, in few regular runs; without those that end the game."""
    runs: list[_Run] = []
    start = 0
    while start < target:
        if to[start] >= target:
            start += 1
            continue
        run = max((_run(to, start, each) for each in range(1, target + 1)), key=lambda run: run.number * run.each)
        runs.append(run)
        start += run.number * run.each
    return runs


def _run(to: list[int], start: int, each: int) -> _Run:
    """The longest regular run from here on in which so many scores at a time lead to one."""
    count, step, target = 0, 1, len(to)
    for at in range(start, target - each + 1, each):
        row, *others = to[at : at + each]
        if row >= target or any(other != row for other in others):
            break
        if count == 1:
            step = row - to[start]
        if step < 1 or row != to[start] + count * step:
            break
        count += 1
    return _Run(start, to[start], count, max(step, 1), each)
