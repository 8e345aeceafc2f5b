"""Solves `showdown` at once for every setting: all predictions of a pool in a few whole numbers.

What a pair of predictions is worth depends only on which final sums it wins with, so there are few
kinds of pairs. For each pool, one whole number holds a bit for each kind (does Player 1 win from
here?), and one for each single prediction; a pick combines them with AND or OR. What a pair wins
with is asked of the game itself. Settings in which some numbers stay out have too many positions to
be looked at one by one, so distances and players who err are worked out here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import perm
from operator import mul
from typing import Any, Final, NamedTuple, TypeAlias, cast

from numberquest.core.knowledge import Knowledge, learned_by_both
from numberquest.core.progress import Progress
from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown
from numberquest.solver import solve
from numberquest.solver.budget import TooLarge, rules_of
from numberquest.solver.distance import WON, all_further, further
from numberquest.solver.numbers import Flags, NDArray, Numbers, np
from numberquest.solver.secrets.regret import Layer, Learner, learn_plans
from numberquest.solver.secrets.solution import Odds, SecretSolution, World
from numberquest.solver.secrets.tree import Certificate
from numberquest.solver.solution import Distances, Solution, Value

Chances: TypeAlias = Numbers
Scores: TypeAlias = "NDArray[np.int8]"

MOST_EXACT: Final = 250_000
"""Secret predictions and picks together, as many as are solved exactly."""
MOST_LEARNED: Final = 30_000_000
NEAR: Final = 1e-3
"""Otherwise it is learned, until both together could gain no more than this, or so many rounds are over."""
ROUNDS: Final = 1500
DENOMINATOR: Final = 1 << 40

Pool = tuple[int, ...]
GUESSES = slice(PREDICTIONS.start, PREDICTIONS.stop)
EVERY = sum(1 << guess for guess in PREDICTIONS)


def solution(game: Showdown, progress: Progress, warn: Callable[[str], None]) -> Solution[Position]:
    """Solved: this takes about a second at most, and is not kept; with secret predictions it may take a minute."""
    if game.secret:
        pairs = len(useful(game)) ** 2
        if pairs == 1:
            return Settled(game, progress)
        if pairs * perm(game.high, game.picks) <= MOST_EXACT:
            return Written(game, progress)
        if pairs * perm(game.high, game.picks) > MOST_LEARNED:
            raise TooLarge(f"{rules_of(game)} has more secrets than can be learned here: pick fewer numbers")
        return Learned(game, progress)
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


def useful(game: Showdown) -> range:
    """The final sums that there can be: any other prediction is always farther away than the nearest of them."""
    numbers = game.start().pool
    return range(sum(numbers[: game.picks]), sum(numbers[game.high - game.picks :]) + 1)


class Written(SecretSolution[Position]):
    """Predictions that are written down in secret, exactly.

    Whoever has written one that no sum can come to plays on as with the nearest that one can.
    """

    def __init__(self, game: Showdown, progress: Progress) -> None:
        self._useful = useful(game)
        super().__init__(game, progress)

    def _near(self, guess: int) -> int:
        return guess and min(max(guess, self._useful[0]), self._useful[-1])

    def _moves(self, p: Position) -> tuple[str, ...]:
        moves = self.game.moves(p)
        return tuple(move for move in moves if move == self._played(move))

    def _played(self, move: str) -> str:
        return f"predict {self._near(int(move[8:]))}" if self.game.binding(move) else move

    def _seen(self, p: Position) -> Position:
        one, two = p.predictions
        return p._replace(predictions=(self._near(one), self._near(two)))


class Settled(Written):
    """The same where every number is played: there is one sum only, and it is the same whatever is picked."""

    def _moves(self, p: Position) -> tuple[str, ...]:
        return super()._moves(p)[:1]

    def value(self, p: Any) -> Value:
        if type(p) is not tuple or p[-1].predictions[p[0] or 0] in (0, self._useful[0]):
            worth = self.certificate.value
            return super().value(p) if type(p) is not tuple else 1 - worth if p[0] else worth
        return 0

    def odds(self, known: Knowledge) -> Odds:
        p, who = known[-1], known[0]
        moves = self.game.moves(p._replace(predictions=(1, 1))) if p.predictions[who] else self._moves(p)
        return {move: Fraction(int(at == 0)) for at, move in enumerate(moves)}

    def moves(self, p: Any) -> dict[str, Value]:
        known = p if type(p) is tuple else (self.game.player(p), p)
        here, who = known[-1], known[0]
        if here.predictions[who]:
            return {move: self.value(known) for move in self.odds(known)}
        good, best = f"predict {self._useful[0]}", self.value(known)
        every = {move: best if move == good else 0 for move in self.game.actions if self.game.binding(move)}
        return dict(sorted(every.items(), key=lambda item: -item[1]))

    def strategy(self) -> Iterator[tuple[Knowledge, Odds]]:
        """Whatever the other picks; of what the other predicts nothing is seen."""
        game, start = self.game, self.game.start()
        for who in (0, 1):
            waiting: list[tuple[Position, tuple[Knowledge, Knowledge]]] = [(start, ((0, start), (1, start)))]
            while waiting:
                p, known = waiting.pop()
                moves, mover = game.moves(p), game.player(p)
                if mover == who:
                    odds = {move: share for move, share in self.odds(known[who]).items() if share}
                    yield known[who], odds
                    moves = tuple(odds)
                for move in moves[:1] if game.binding(moves[0]) else moves:
                    after = game.play(p, move)
                    if game.outcome(after) is None:
                        waiting.append((after, learned_by_both(game, known, mover, move, after)))


class Learned(Written):
    """The same where the picks are too many: learned, with what is proved of it.

    All that happens in the open is the sequence. So it is gone through for all predictions at once: an array has a row
    for each sequence of so many picks, in their order, and a column for each prediction.
    """

    def __init__(self, game: Showdown, progress: Progress) -> None:
        Solution.__init__(self, game)
        self._showdown, self._useful = game, useful(game)
        self._lay_out()
        self.learners = tuple(Learner(size, layers) for size, layers in zip(self._sizes, self._layers, strict=True))
        one, two = self.learners
        shares = learn_plans((one, two), self._gains_1, self._gains_2, progress, ROUNDS, NEAR)
        self._weights = [self._rounded(who, np.array(share)) for who, share in enumerate(shares)]
        mine, yours = self._weights
        gains = self._gains_1(yours)
        low = -Fraction(two.best(self._gains_2(mine)), DENOMINATOR)
        high = Fraction(one.best(gains), DENOMINATOR)
        value = Fraction(sum(map(mul, mine.tolist(), gains.tolist())), DENOMINATOR**2)
        start = game.start()
        self._expected = {}
        self.certificate = Certificate(low, value, high)
        self.error = float(self.certificate.error)
        self.worths = {start: self.certificate}
        self.positions = len(self._useful) ** 2 * sum(perm(game.high, depth) for depth in range(game.picks + 1))
        self.can_be_drawn = False

    def _lay_out(self) -> None:
        """Number the sequences of moves: for each player, those that end with a pick of so many before it."""
        game, many = self._showdown, len(self._useful)
        self._sizes = [1 + many, 1 + many]
        own = np.arange(1, 1 + many)[None, :]
        root = Layer(own[0], np.zeros(1, dtype=np.int64), np.array([many]), np.zeros(1, dtype=np.int64))
        self._layers = [[root], [root]]
        self.last = [(own, own)]
        """By how many picks there were, and by player: their last sequence."""
        for depth in range(game.picks):
            mover, left = depth % 2, game.high - depth
            rows, first = perm(game.high, depth), self._sizes[depth % 2]
            decisions = rows * many
            sequences = first + np.arange(decisions * left)
            starts = np.arange(decisions) * left
            before = self.last[-1]
            self._layers[mover].append(
                Layer(sequences, starts, np.full(decisions, left), np.ascontiguousarray(before[mover]).ravel())
            )
            self._sizes[mover] += decisions * left
            # The picks of one sequence stand side by side, in the order of the pool.
            after = np.moveaxis(sequences.reshape(rows, many, left), 2, 1).reshape(rows * left, many)
            other = np.repeat(before[1 - mover], left, axis=0)
            self.last.append((after, other) if mover == 0 else (other, after))
        sums = np.array([sum(picks) for picks in permutations(game.start().pool, game.picks)])
        self._ends = [(np.flatnonzero(sums == total), self._wins(total)) for total in self._useful]
        self._sums = sums

    def _wins(self, total: int, own: tuple[int, int] | None = None) -> NDArray[np.int64]:
        """Whether Player 1 wins with this sum, by both predictions; or with one that is not among the useful ones."""
        game, pool = self._showdown, self._pool_of(total)
        seats: list[Sequence[int]] = [self._useful, self._useful]
        if own is not None:
            seats[own[0]] = [own[1]]
        ends = [[game.outcome(Position(pool, (one, two), NOBODY)) for two in seats[1]] for one in seats[0]]
        return np.array([[int(end is not None and end.winner == 0) for end in row] for row in ends])

    def _pool_of(self, total: int) -> Pool:
        """What may be left where the picks have come to this sum."""
        numbers = self._showdown.start().pool
        played = next(one for one in combinations(numbers, self._showdown.picks) if sum(one) == total)
        return tuple(number for number in numbers if number not in played)

    def _gains_1(self, plan: NDArray[Any]) -> NDArray[Any]:
        return self._gains(0, plan[self.last[-1][1]])

    def _gains_2(self, plan: NDArray[Any]) -> NDArray[Any]:
        return self._gains(1, plan[self.last[-1][0]])

    def _gains(self, who: int, others: NDArray[Any]) -> NDArray[Any]:
        """What each sequence of a player brings, from how likely the other is to have come to each end."""
        gains = np.zeros(self._sizes[who], dtype=others.dtype)
        own = self.last[-1][who]
        for rows, wins in self._ends:
            # Nobody plays the same last sequence twice but where the other has the last pick.
            brought = others[rows] @ wins.T if who == 0 else -(others[rows] @ wins)
            np.add.at(gains, own[rows], brought)
        return gains

    def _rounded(self, who: int, shares: Numbers) -> NDArray[np.int64]:
        """The plan over one denominator that comes near to these shares."""
        weights = np.zeros(self._sizes[who], dtype=np.int64)
        weights[0] = DENOMINATOR
        for layer in self._layers[who]:
            count = int(layer.counts[0])
            wished = shares[layer.sequences].reshape(-1, count)
            total = wished.sum(1, keepdims=True)
            odds = np.divide(wished, total, out=np.full(wished.shape, 1 / count), where=total > 0)
            before = weights[layer.parents]
            given = (before[:, None] * odds).astype(np.int64)
            given[np.arange(len(given)), odds.argmax(1)] += before - given.sum(1)
            weights[layer.sequences] = given.ravel()
        return weights

    # What is asked of it.

    def odds(self, known: Knowledge) -> Odds:
        p, row, depth = self._told(known)
        who = known[0]
        if self._showdown.outcome(p) is not None or (known[0] is None):
            return {}
        if not p.predictions[who]:
            return dict(self._predicted(who))
        if depth % 2 != who:
            return {}
        return dict(zip(map(str, p.pool), self._picked(who, p.predictions[who], row, depth), strict=True))

    def _predicted(self, who: int) -> list[tuple[str, Fraction]]:
        """What a player writes down, and how likely."""
        weights = self._weights[who][1 : 1 + len(self._useful)].tolist()
        return [(f"predict {at}", Fraction(one, DENOMINATOR)) for at, one in zip(self._useful, weights, strict=True)]

    def _picked(self, who: int, guess: int, row: int, depth: int) -> list[Fraction]:
        """How likely somebody who has predicted this is to pick each number of the pool."""
        left = self._showdown.high - depth
        after = self.last[depth + 1][who][row * left : (row + 1) * left, self._near(guess) - self._useful[0]]
        weights = self._weights[who][after].tolist()
        total = sum(weights)
        if not total:
            # Where the plan never comes, as it was learned in the end.
            odds = self.learners[who].odds[after]
            return [Fraction(int(at == int(odds.argmax()))) for at in range(left)]
        return [Fraction(one, total) for one in weights]

    def after(self, world: World, move: str) -> World:
        p = self._showdown.play(world.position, move)
        if self._showdown.binding(move):
            return world._replace(position=p)
        row, depth = world.known
        pool = world.position.pool
        return world._replace(position=p, known=(row * len(pool) + pool.index(int(move)), depth + 1))

    def chances(self, world: World) -> Iterable[tuple[str, Fraction]]:
        p = world.position
        if self._showdown.outcome(p) is not None:
            return ()
        who = self._showdown.player(p)
        if not p.predictions[who]:
            return self._predicted(who)
        return zip(map(str, p.pool), self._picked(who, p.predictions[who], *world.known), strict=True)

    def worlds(self, known: Knowledge) -> list[World]:
        p, row, depth = self._told(known)
        who, start = known[0], self._showdown.start()
        if not p.predictions[who] and who == 0:
            return [World(start, start, (0, 0), Fraction(1))]
        weights = self._weights[1 - who][self.last[depth][1 - who][row]].tolist()
        own = p.predictions[who]
        guesses = [(guess, own) if who else (own, guess) for guess in self._useful]
        return [
            World(p._replace(predictions=both), start, (row, depth), Fraction(one or int(not any(weights))))
            for both, one in zip(guesses, weights, strict=True)
        ]

    def moves(self, p: Any) -> dict[str, Value]:
        known = p if type(p) is tuple else (self.game.player(p), p)
        who, (here, row, depth) = known[0], self._told(known)
        if not self.odds(known):
            return {}
        if here.predictions[who]:
            left = self._showdown.high - depth
            worths = {
                str(number): self._answer(who, here.predictions[who], row * left + at, depth + 1)
                for at, number in enumerate(here.pool)
            }
        else:
            worths = {move: self._answer(who, int(move[8:]), 0, 0) for move in self.game.moves(here)}
        return dict(sorted(worths.items(), key=lambda item: -item[1]))

    def value(self, p: Any) -> Value:
        if type(p) is not tuple:
            return super().value(p)
        here, row, depth = self._told(p)
        who = p[0]
        if not here.predictions[who]:
            value = self.certificate.value
            return value if who == 0 else 1 - value
        return self._answer(who, here.predictions[who], row, depth)

    def _answer(self, who: int, guess: int, row: int, depth: int) -> Fraction:
        """What somebody who has predicted this gets at best against the other's plan, after these picks."""
        ends = perm(self._showdown.high - depth, self._showdown.picks - depth)
        rows = slice(row * ends, (row + 1) * ends)
        others = self._weights[1 - who][self.last[-1][1 - who][rows]]
        wins = {int(total): self._wins(int(total), (who, guess)).ravel() for total in set(self._sums[rows].tolist())}
        table = np.array([wins[int(total)] for total in self._sums[rows].tolist()])
        brought = (others * (table if who == 0 else 1 - table)).sum(1)
        for at in range(self._showdown.picks - 1, depth - 1, -1):
            each = brought.reshape(-1, self._showdown.high - at)
            brought = each.max(1) if at % 2 == who else each.sum(1)
        total = int(self._weights[1 - who][self.last[depth][1 - who][row]].sum())
        return Fraction(int(brought[0]), total) if total else Fraction(1, 2)

    def _told(self, known: Knowledge) -> tuple[Position, int, int]:
        """What somebody sees now, which row the sequence is, and how many picks there were."""
        pools = [step.pool for step in known[1:] if not isinstance(step, str)]
        row = depth = 0
        for before, after in pairwise(pools):
            gone = [number for number in before if number not in after]
            for number in gone:
                row = row * len(before) + before.index(number)
                depth += 1
        return known[-1], row, depth

    def strategy(self) -> Iterator[tuple[Knowledge, Odds]]:
        for who in (0, 1):
            start = self.game.start()
            yield (who, start), self.odds((who, start))
            for guess in self._useful:
                p = self._after_own(who, start, guess)
                yield from self._played_from(who, (who, start, f"predict {guess}", p), p)

    def _after_own(self, who: int, p: Position, guess: int) -> Position:
        return p._replace(predictions=(guess, 0) if who == 0 else (0, guess))

    def _played_from(self, who: int, known: Knowledge, p: Position) -> Iterator[tuple[Knowledge, Odds]]:
        depth = self._showdown.high - len(p.pool)
        if depth == self._showdown.picks:
            return
        if depth % 2 == who:
            yield known, {move: share for move, share in self.odds(known).items() if share}
        for number in p.pool:
            after = p._replace(pool=tuple(one for one in p.pool if one != number))
            done = (str(number),) if depth % 2 == who else ()
            yield from self._played_from(who, (*known, *done, after), after)

    def first_decisions(self, who: int) -> list[tuple[Knowledge, Odds]]:
        known = (who, self.game.start())
        return [(known, {move: share for move, share in self.odds(known).items() if share})]
