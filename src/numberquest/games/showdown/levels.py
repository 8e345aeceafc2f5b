"""How often each level wins at `showdown`: all predictions of a pool at once.

The solver may treat all hopeless predictions alike; a player who answers at random does not. So a
single prediction is kept as it is, and only pairs of predictions that win with the same final sums
are taken together. Pools are alike where every number is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberquest.games.showdown.distances import ShowdownDistances
from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown
from numberquest.lab.mixed import Everywhere, shares
from numberquest.solver.distance import WON, all_further, further

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress

    Chances = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Indices = NDArray[np.intp]

Pool = tuple[int, ...]
GUESSES = slice(PREDICTIONS.start, PREDICTIONS.stop)


def chances(game: Showdown, pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    pools = _pools(game, _Mixed(game, pairs), progress, keep=False)
    answer: list[float] = pools[_alike(game, game.start().pool)].silent.tolist()
    return answer


def everywhere(game: Showdown, pair: Pair, progress: Progress) -> Everywhere:
    """For one pair, Player 1's chance from every position on."""
    mixed = _Mixed(game, [pair])
    return _Everywhere(game, pair, mixed, _pools(game, mixed, progress, keep=True))


class _Everywhere(Everywhere):
    def __init__(self, game: Showdown, pair: Pair, mixed: _Mixed, pools: dict[Pool, _Known]) -> None:
        super().__init__(game, pair)
        self._mixed, self._pools = mixed, pools

    def known(self, p: Position) -> float:
        """Of every position that is not over."""
        pool = self._pools[_alike(self.game, p.pool)]
        if p.first == NOBODY:
            return float(pool.silent[0])
        early, late = p.predictions[p.first], p.predictions[1 - p.first]
        if not late:
            return float(pool.lone[0, p.first, early])
        return float(pool.both[0, self._mixed.kind_of[p.first, early, late]])


def _pools(game: Showdown, mixed: _Mixed, progress: Progress, *, keep: bool) -> dict[Pool, _Known]:
    """What is known of the full pool; `keep`: of every pool."""
    rests: dict[Pool, list[Pool]] = {}
    layers = [[_alike(game, game.start().pool)]]
    for _ in range(game.picks):
        for pool in layers[-1]:
            silent = Position(pool, (0, 0), NOBODY)
            rests[pool] = [_alike(game, game.play(silent, str(number)).pool) for number in pool]
        layers.append(list(dict.fromkeys(rest for pool in layers[-1] for rest in rests[pool])))
    known = {pool: mixed.ended(pool) for pool in layers.pop()}
    for done, layer in enumerate(reversed(layers), start=1):
        made = {pool: mixed.combined(pool, [known[rest] for rest in rests[pool]]) for pool in layer}
        known = {**known, **made} if keep else made
        progress(done, game.picks)
    return known


def _alike(game: Game[Position], pool: Pool) -> Pool:
    """The pool that stands for all from which the same sums come, whatever is picked."""
    return game.canonical(Position(pool, (0, 0), NOBODY)).pool


class _Known(NamedTuple):
    """What is known of a pool: Player 1's chances for each pair of levels, and who wins with best play."""

    both: Chances
    """Where both have predicted: by kind of predictions."""
    both_won: Flags
    lone: Chances
    """Where one has: by who it was and what they said."""
    silent: Chances
    """Where nobody has."""


class _Mixed:
    def __init__(self, game: Showdown, pairs: Sequence[Pair]) -> None:
        import numpy as np

        self._game = game
        self._pairs = len(pairs)
        self._any_move = shares(pairs)
        self._distances = ShowdownDistances(game)
        self._kinds: dict[Position, int] = {}
        self.kind_of = np.zeros((2, PREDICTIONS.stop, PREDICTIONS.stop), dtype=np.intp)
        for first in (0, 1):
            for early in PREDICTIONS:
                for late in PREDICTIONS:
                    said = (late, early) if first else (early, late)
                    kind = game.canonical(Position(game.start().pool, said, first))
                    self.kind_of[first, early, late] = self._kinds.setdefault(kind, len(self._kinds))

    def ended(self, pool: Pool) -> _Known:
        """When the last number is picked."""
        import numpy as np

        won = np.array([self._first_wins(kind._replace(pool=pool)) for kind in self._kinds])
        lone = np.zeros((2, PREDICTIONS.stop))
        for guess in PREDICTIONS:
            lone[0, guess] = self._first_wins(Position(pool, (guess, 0), 0))
            lone[1, guess] = self._first_wins(Position(pool, (0, guess), 1))
        silent = float(self._first_wins(Position(pool, (0, 0), NOBODY)))
        return _Known(
            np.tile(won.astype(float), (self._pairs, 1)),
            won,
            np.tile(lone, (self._pairs, 1, 1)),
            np.full(self._pairs, silent),
        )

    def _first_wins(self, p: Position) -> bool:
        outcome = self._game.outcome(p)
        return outcome is not None and outcome.winner == 0

    def combined(self, pool: Pool, after: list[_Known]) -> _Known:
        """From what is known after each of the picks."""
        import numpy as np

        mover = self._game.player(Position(pool, (0, 0), NOBODY))
        other = 1 - mover
        any_move = self._any_move[mover]
        lone_scores, silent_score = self._distances.scores(pool)
        following = [self._distances.scores(rest) for rest in self._following(pool)]

        both, both_won = self._pairs_said(after, mover)
        lone = np.empty_like(after[0].lone)
        picks = np.stack([known.lone for known in after])
        pick_scores = np.stack([all_further(scores) for scores, _ in following])
        best = pick_scores == lone_scores
        # The mover has spoken, and can only pick.
        lone[:, mover] = _mixed(any_move, picks[:, :, mover], best[:, mover])
        # The mover has not, and may pick or answer.
        kinds = self.kind_of[other, GUESSES, GUESSES]
        answers = np.moveaxis(both[:, kinds], 2, 0)
        soon = further(WON - self._distances.left(pool))
        answer_scores = np.where(both_won[kinds], soon, -soon).T
        best_answer = answer_scores == lone_scores[other, GUESSES]
        lone[:, other, 0] = 0
        lone[:, other, GUESSES] = _mixed(
            any_move,
            np.concatenate([picks[:, :, other, GUESSES], answers]),
            np.concatenate([best[:, other, GUESSES], best_answer]),
        )
        # Nobody has spoken.
        options = np.concatenate([[known.silent for known in after], lone[:, mover, GUESSES].T])
        scores = np.array([further(score) for _, score in following])
        scores = np.concatenate([scores, all_further(lone_scores[mover, GUESSES])])
        silent = _mixed(any_move, options[:, :, None], (scores == silent_score)[:, None])[:, 0]
        return _Known(both, both_won, lone, silent)

    def _following(self, pool: Pool) -> list[Pool]:
        silent = Position(pool, (0, 0), NOBODY)
        return [_alike(self._game, self._game.play(silent, str(number)).pool) for number in pool]

    def _pairs_said(self, after: list[_Known], mover: int) -> tuple[Chances, Flags]:
        """Both have predicted: what is left is picks, and the game lasts as long whatever they are."""
        import numpy as np

        won = np.stack([known.both_won for known in after])
        best_won: Flags = np.logical_and.reduce(won) if mover else np.logical_or.reduce(won)
        return _mixed(self._any_move[mover], np.stack([known.both for known in after]), won == best_won), best_won


def _mixed(any_move: Chances, options: Chances, best: Flags) -> Chances:
    """The average over all options and over the best ones, each as often as it is played.

    The options are by move, pair and case; which are best, by move and case.
    """
    import numpy as np

    anything = options.mean(axis=0)
    chosen = np.einsum("mpc,mc->pc", options, best.astype(float)) / np.maximum(best.sum(axis=0), 1)
    share = any_move[:, None]
    mixed: Chances = share * anything + (1 - share) * chosen
    return mixed
