"""Solves `showdown` at once for every setting: all predictions of a pool in a few whole numbers.

What a pair of predictions is worth depends only on which final sums it wins with, so there are few
kinds of pairs. For each pool, one whole number holds a bit for each kind (does Player 1 win from
here?), and one for each single prediction; a pick combines them with AND or OR. What a pair wins
with is asked of the game itself. Settings in which some numbers stay out have too many positions to
be looked at one by one, so distances and players who err are worked out here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import NamedTuple, TypeAlias, cast

from numberquest.core.progress import Progress
from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown
from numberquest.solver import solve
from numberquest.solver.distance import WON, all_further, further
from numberquest.solver.numbers import Flags, NDArray, Numbers, np
from numberquest.solver.solution import Distances, Solution

Chances: TypeAlias = Numbers
Scores: TypeAlias = "NDArray[np.int8]"

Pool = tuple[int, ...]
GUESSES = slice(PREDICTIONS.start, PREDICTIONS.stop)
EVERY = sum(1 << guess for guess in PREDICTIONS)


def solution(game: Showdown, progress: Progress, warn: Callable[[str], None]) -> Predictions:
    """Solved: this takes about a second at most, and is not kept."""
    return Predictions(game)


class Won(NamedTuple):
    """Where Player 1 wins with a pool."""

    silent: bool
    """Nobody has spoken."""
    lone: Flags
    """One has: by who it was and what they said."""
    both: Flags
    """Both have: by kind of predictions."""


class Predictions(Solution[Position]):
    """Who wins each position of a showdown; a bit is 1 where Player 1 does."""

    def __init__(self, game: Showdown) -> None:
        super().__init__(game)
        self._showdown = game
        self._start = game.start().pool
        self._kinds: dict[Position, int] = {}
        one, two = self.kinds()
        # For each prediction of the one who speaks first, the kinds that the other can make of it.
        self._pairs = [[_bits(row[GUESSES]) for row in by_first] for by_first in (one, [*zip(*two, strict=True)])]
        self._both: dict[Pool, int] = {}
        self.one: dict[Pool, tuple[int, int]] = {}
        """By pool and by who it was, with which single predictions Player 1 wins."""
        self.none: dict[Pool, bool] = {}
        """With which pools Player 1 wins where nobody has spoken."""
        self._ends: dict[int, tuple[int, tuple[int, int], bool]] = {}
        for picked in range(game.picks, -1, -1):
            for pool in combinations(self._start, game.high - picked):
                self._solve_pool(pool)
        self.positions = len(self.none) * (1 + 2 * len(PREDICTIONS) + len(self._kinds))

    def known(self, p: Position) -> int:
        if p.first == NOBODY:
            first_wins = self.none[p.pool]
        elif 0 in p.predictions:
            first_wins = bool(self.one[p.pool][p.first] >> p.predictions[p.first] & 1)
        else:
            first_wins = bool(self._both[p.pool] >> self._kind(p.predictions, p.first) & 1)
        return int(first_wins == (self.game.turn(p) == 0))

    def kinds(self) -> list[list[list[int]]]:
        """The number of the kind by who spoke first and both predictions; 0 also where one of them said nothing."""
        said = range(PREDICTIONS.stop)
        return [
            [[self._kind((one, two), first) if one and two else 0 for two in said] for one in said] for first in (0, 1)
        ]

    def won(self, pool: Pool) -> Won:
        """Where Player 1 wins with this pool."""
        lone = np.stack([_flags(bits, PREDICTIONS.stop) for bits in self.one[pool]])
        return Won(self.none[pool], lone, _flags(self._both[pool], len(self._kinds)))

    def _kind(self, predictions: tuple[int, int], first: int) -> int:
        """The number of the kind that two predictions are of."""
        shown = self.game.canonical(Position(self._start, predictions, first))
        return self._kinds.setdefault(shown, len(self._kinds))

    def _solve_pool(self, pool: Pool) -> None:
        game = self._showdown
        mover = game.player(Position(pool, (0, 0), NOBODY))
        left = game.picks - (game.high - len(pool))
        if left == 0:
            self._both[pool], self.one[pool], self.none[pool] = self._end(pool)
            return
        after = [pool[:at] + pool[at + 1 :] for at in range(len(pool))]
        both = _combined((self._both[rest] for rest in after), mover)
        self._both[pool] = both
        one = [_combined((self.one[rest][first] for rest in after), mover) for first in (0, 1)]
        # The one who has not spoken may answer now.
        other = 1 - mover
        for guess in PREDICTIONS:
            kinds = self._pairs[other][guess]
            if mover == 0 and both & kinds:
                one[other] |= 1 << guess
            elif mover == 1 and both & kinds != kinds:
                one[other] &= ~(1 << guess)
        self.one[pool] = (one[0], one[1])
        silent = [self.none[rest] for rest in after]
        if mover == 0:
            self.none[pool] = any(silent) or one[0] != 0
        else:
            self.none[pool] = all(silent) and one[1] == EVERY

    def _end(self, pool: Pool) -> tuple[int, tuple[int, int], bool]:
        """Who wins when the last number is picked: the same for all pools that leave the same sum."""
        total = sum(pool)
        if total not in self._ends:
            both = (number for kind, number in self._kinds.items() if self._first_wins(kind._replace(pool=pool)))
            one = [
                _bits(
                    guess
                    for guess in PREDICTIONS
                    if self._first_wins(Position(pool, (guess, 0) if first == 0 else (0, guess), first))
                )
                for first in (0, 1)
            ]
            self._ends[total] = _bits(both), (one[0], one[1]), self._first_wins(Position(pool, (0, 0), NOBODY))
        return self._ends[total]

    def _first_wins(self, p: Position) -> bool:
        outcome = self.game.outcome(p)
        return outcome is not None and outcome.winner == 0


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def _flags(bits: int, number: int) -> Flags:
    whole = np.frombuffer(bits.to_bytes(-(-number // 8), "little"), np.uint8)
    return np.unpackbits(whole, count=number, bitorder="little").view(bool)


def _combined(masks: Iterable[int], mover: int) -> int:
    """Player 1 needs one way to win; against Player 2, all of them."""
    first, *rest = masks
    for mask in rest:
        first = first & mask if mover else first | mask
    return first


def distances(game: Showdown, progress: Progress, warn: Callable[[str], None]) -> ShowdownDistances:
    """How many moves every position still takes."""
    return ShowdownDistances(game)


class ShowdownDistances(Distances[Position]):
    """All predictions of a pool together.

    The numbers still to be picked are always as many; only whether a prediction is still made makes a
    difference. Once both have predicted, there is nothing left but picks.
    """

    def __init__(self, game: Showdown) -> None:
        self._game = game
        self.solution = cast("Predictions", solve(game))
        self._pools: dict[Pool, tuple[list[list[int]], int]] = {}

    def plies(self, p: Position) -> int:
        """From the pool that stands for all of its kind."""
        left = self.left(p.pool)
        if 0 not in p.predictions or not left:
            return left
        # Which numbers were picked matters for the distance as little as for the value.
        lone, silent = self._known(alike(self._game, p.pool))
        score = silent if p.first == NOBODY else lone[p.first][p.predictions[p.first]]
        return WON - abs(score)

    def left(self, pool: Pool) -> int:
        """How many numbers are still to be picked."""
        return self._game.picks - (self._game.high - len(pool))

    def scores(self, pool: Pool) -> tuple[Scores, int]:
        """Player 1's scores: for each single prediction by who made it, and where nobody has predicted."""
        lone, silent = self._known(pool)
        return np.array(lone, np.int8), silent

    def _known(self, pool: Pool) -> tuple[list[list[int]], int]:
        if pool not in self._pools:
            self._pools[pool] = self._combined(pool) if self.left(pool) else self._ended(pool)
        return self._pools[pool]

    def _combined(self, pool: Pool) -> tuple[list[list[int]], int]:
        mover = self._game.player(Position(pool, (0, 0), NOBODY))
        after = [self._known(rest) for rest in dict.fromkeys(rests(self._game, pool))]
        best = min if mover else max
        rows = zip(*[lone for lone, _ in after], strict=True)
        # Nothing said is no prediction: 0 stays.
        lone = [[0, *(further(best(scores)) for scores in [*zip(*row, strict=True)][1:])] for row in rows]
        # The one who has not spoken may answer now, which makes the game one move longer: the loser always
        # does, and the winner if no pick wins.
        other = 1 - mover
        answered = WON - (self.left(pool) + 1)
        won = self.solution.one[pool][other]
        lone[other] = [
            (answered if won >> guess & 1 else -answered) if (score > 0 if mover else score < 0) else score
            for guess, score in enumerate(lone[other])
        ]
        options = [further(score) for _, score in after] + [further(score) for score in lone[mover][GUESSES]]
        return lone, best(options)

    def _ended(self, pool: Pool) -> tuple[list[list[int]], int]:
        said = range(1, PREDICTIONS.stop)
        lone = [[0, *(WON if bits >> guess & 1 else -WON for guess in said)] for bits in self.solution.one[pool]]
        return lone, WON if self.solution.none[pool] else -WON


def alike(game: Showdown, pool: Pool) -> Pool:
    """The pool that stands for all from which the same sums come, whatever is picked."""
    return game.alike(Position(pool, (0, 0), NOBODY)).pool


def rests(game: Showdown, pool: Pool) -> list[Pool]:
    """What is left of a pool after each pick."""
    return [alike(game, pool[:at] + pool[at + 1 :]) for at in range(len(pool))]


def between_players(game: Showdown, slips: Chances, progress: Progress, *, everywhere: bool) -> ShowdownShares:
    """Player 1's chances where each player makes any move so often, by seat and pair, and a best one otherwise.

    Of the start, or of every position.
    """
    shares = ShowdownShares(game, slips)
    after: dict[Pool, list[Pool]] = {}
    layers = [[alike(game, game.start().pool)]]
    for _ in range(game.picks):
        after |= {pool: rests(game, pool) for pool in layers[-1]}
        layers.append(list(dict.fromkeys(rest for pool in layers[-1] for rest in after[pool])))
    known = {pool: shares.ended(pool) for pool in layers.pop()}
    for done, layer in enumerate(reversed(layers), start=1):
        made = {pool: shares.combined(pool, after[pool], [known[rest] for rest in after[pool]]) for pool in layer}
        known = {**known, **made} if everywhere else made
        progress(done, game.picks)
    shares.known = known
    return shares


class _Known(NamedTuple):
    """What is known of a pool: Player 1's chances for each pair of players, where both have predicted by kind."""

    both: Chances
    lone: Chances
    silent: Chances


class ShowdownShares:
    """Player 1's chances from every position on, for each pair of players: all predictions of a pool at once.

    The solver may treat all hopeless predictions alike; a player who answers at random does not. So a
    single prediction is kept as it is, and only pairs of predictions that win with the same final sums
    are taken together.
    """

    def __init__(self, game: Showdown, slips: Chances) -> None:
        self._game, self._slips = game, slips
        self._distances = ShowdownDistances(game)
        self._solution = self._distances.solution
        first, second = np.array(self._solution.kinds())
        # By who spoke first, what they said, and the answer.
        self._kind_of = np.stack([first, second.T])
        self.known: dict[Pool, _Known] = {}

    def at(self, p: Position) -> Chances:
        """Of a position that is not over, by pair."""
        pool = self.known[alike(self._game, p.pool)]
        if p.first == NOBODY:
            return pool.silent
        early, late = p.predictions[p.first], p.predictions[1 - p.first]
        return pool.both[:, self._kind_of[p.first, early, late]] if late else pool.lone[:, p.first, early]

    def ended(self, pool: Pool) -> _Known:
        """When the last number is picked."""
        silent, lone, both = (np.asarray(won, dtype=float) for won in self._solution.won(pool))
        pairs = self._slips.shape[1]
        return _Known(np.tile(both, (pairs, 1)), np.tile(lone, (pairs, 1, 1)), np.tile(silent, pairs))

    def combined(self, pool: Pool, following: list[Pool], after: list[_Known]) -> _Known:
        """From what is known after each of the picks."""
        mover = self._game.player(Position(pool, (0, 0), NOBODY))
        other = 1 - mover
        slips = self._slips[mover]
        lone_scores, silent_score = self._distances.scores(pool)
        scores_after = [self._distances.scores(rest) for rest in following]
        # Both have predicted: what is left is picks, and the game lasts as long whatever they are.
        both_won = self._solution.won(pool).both
        won = np.stack([self._solution.won(rest).both for rest in following])
        both = _mixed(slips, np.stack([known.both for known in after]), won == both_won)
        lone = np.empty_like(after[0].lone)
        picks = np.stack([known.lone for known in after])
        best = np.stack([all_further(scores) for scores, _ in scores_after]) == lone_scores
        # The mover has spoken, and can only pick.
        lone[:, mover] = _mixed(slips, picks[:, :, mover], best[:, mover])
        # The mover has not, and may pick or answer.
        kinds = self._kind_of[other, GUESSES, GUESSES]
        answers = np.moveaxis(both[:, kinds], 2, 0)
        soon = further(WON - self._distances.left(pool))
        best_answer = lone_scores[other, GUESSES] == np.where(both_won[kinds], soon, -soon).T
        lone[:, other, 0] = 0
        lone[:, other, GUESSES] = _mixed(
            slips,
            np.concatenate([picks[:, :, other, GUESSES], answers]),
            np.concatenate([best[:, other, GUESSES], best_answer]),
        )
        # Nobody has spoken.
        options = np.concatenate([[known.silent for known in after], lone[:, mover, GUESSES].T])
        scores = [further(score) for _, score in scores_after]
        ranks = np.concatenate([scores, all_further(lone_scores[mover, GUESSES])])
        silent = _mixed(slips, options[:, :, None], (ranks == silent_score)[:, None])[:, 0]
        return _Known(both, lone, silent)


def _mixed(slips: Chances, options: Chances, best: Flags) -> Chances:
    """The average over all options and over the best ones, each as often as it is played.

    The options are by move, pair and case; which are best, by move and case.
    """
    anything = options.mean(axis=0)
    chosen = np.einsum("mpc,mc->pc", options, best.astype(float)) / np.maximum(best.sum(axis=0), 1)
    mixed: Chances = slips[:, None] * anything + (1 - slips[:, None]) * chosen
    return mixed
