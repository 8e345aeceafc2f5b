"""Chooses a move where the game is too large to solve: from the rules alone, with a fixed amount of work.

The work is counted in positions and games, never in seconds, so that the same dice give the same move
on any machine.
"""

from collections.abc import Sequence
from itertools import count
from math import inf, log, sqrt
from random import Random
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game
from numberquest.core.stream import Dice, weighted
from numberquest.solver.search import Circular, backward

POSITIONS: Final = 5000
"""So many positions are looked at for an exact answer before giving that up."""
MOVES: Final = 30_000
"""So many moves are then made in thought, in games played to their end."""
SECOND_THOUGHTS: Final = 3
"""So often a move that loses at once is reconsidered, as people do."""
CURIOSITY: Final = 0.7
"""How readily a move that has done badly so far is tried again."""
LONGEST: Final = 200
"""Of games that need not end, one in thought is a draw after so many moves."""


def thought_best(game: Game[Any], position: Any, dice: Dice) -> str:
    """The best move where all that follows is little, and otherwise the one that does best in many tries."""
    moves = game.moves(position)
    winning = won_at_once(game, position, moves)
    if winning:
        return dice.choose(winning)
    try:
        values = _exact(game, position)
    except (_TooMuch, Circular):
        return _Tries(game, dice).most_tried(position)
    best = max(values.values())
    return dice.choose([move for move, value in values.items() if value >= best - 1e-12])


def won_at_once(game: Game[Any], position: Any, moves: Sequence[str]) -> list[str]:
    """Those of the moves that end the game with a win."""
    mover = game.player(position)
    outcomes = {move: game.outcome(game.play(position, move)) for move in moves}
    return [move for move, outcome in outcomes.items() if outcome is not None and outcome.winner == mover]


def won_next(game: Game[Any], position: Any, moves: Sequence[str]) -> list[str]:
    """Those of the moves after which every answer can be met with a win at once."""
    mover = game.player(position)

    def met(after: Any) -> bool:
        outcome = game.outcome(after)
        # An answer may also end the game by itself, such as one that goes past the target.
        if outcome is not None:
            return outcome.winner == mover
        return game.player(after) == mover and bool(won_at_once(game, after, game.moves(after)))

    def meets_all(p: Any) -> bool:
        return all(met(game.play(p, answer)) for answer in game.moves(p))

    return [move for move in moves if meets_all(game.play(position, move))]


class _TooMuch(Exception):
    """More positions follow than can be looked at."""


def _exact(game: Game[Any], position: Any) -> dict[str, float]:
    """Every move with its value for the player who makes it, where all that follows comes to an end and is little."""
    # What positions are worth to Player 1.
    known: dict[Any, float] = {}
    positions = count(1)

    def met(moves: tuple[str, ...]) -> None:
        if next(positions) > POSITIONS or len(moves) ** 3 > POSITIONS:
            raise _TooMuch

    def worth(p: Any, values: list[float]) -> float:
        if not values:
            outcome = game.outcome(p)
            return 0.5 if outcome is None else outcome.worth(0)
        if (player := game.player(p)) != CHANCE:
            return min(values) if player else max(values)
        weights = game.weights(p)
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    after = {move: game.canonical(game.play(position, move)) for move in game.moves(position)}
    for root in after.values():
        for p, following in backward(game, root, known, met):
            known[p] = worth(p, [known[one] for one in following])
    return {move: 1 - known[p] if game.player(position) else known[p] for move, p in after.items()}


class _Tries:
    """Plays games in thought, ever more of them with the moves that have done well."""

    def __init__(self, game: Game[Any], dice: Dice) -> None:
        self._game = game
        # A fast source of the same chance: it makes tens of thousands of choices.
        self._random = Random(dice.below(2**64)).random  # noqa: S311
        self._longest = LONGEST if game.longest is None else inf
        self._tries: dict[Any, int] = {}
        self._points: dict[Any, list[float]] = {}
        self._keys: dict[Any, list[Any]] = {}

    def most_tried(self, p: Any) -> str:
        moves = 0
        while moves < MOVES:
            moves += self._play(p)
        return max(self._game.moves(p), key=lambda move: self._tries.get(self._after(p, move), 0))

    def _after(self, p: Any, move: str) -> Any:
        return self._game.canonical(self._game.play(p, move))

    def _play(self, p: Any) -> int:
        """One game: along the tree of what was tried before, one position beyond it, then at random to the end."""
        game, moves_made = self._game, 0
        seen = [game.canonical(p)]
        in_tree = True
        while (outcome := game.outcome(p)) is None and moves_made < self._longest:
            moves_made += 1
            moves = game.moves(p)
            if game.player(p) == CHANCE:
                weights = game.weights(p)
                p = game.play(p, weighted(moves, weights, int(self._random() * sum(weights))))
            elif in_tree:
                p = game.play(p, self._promising(p, moves))
            else:
                p = self._sensible(p, moves)
                continue
            key = game.canonical(p)
            in_tree = key in self._tries
            seen.append(key)
        points = 0.5 if outcome is None else outcome.worth(0)
        for key in seen:
            self._tries[key] = self._tries.get(key, 0) + 1
            both = self._points.setdefault(key, [0.0, 0.0])
            both[0] += points
            both[1] += 1 - points
        return moves_made

    def _sensible(self, p: Any, moves: tuple[str, ...]) -> Any:
        """Where any move leads that does not lose at once, as far as a few tries find one."""
        game = self._game
        mover = game.player(p)
        for _ in range(1 + SECOND_THOUGHTS):
            after = game.play(p, self._any(moves))
            outcome = game.outcome(after)
            if outcome is None or outcome.worth(mover):
                break
        return after

    def _any(self, moves: Sequence[str]) -> str:
        return moves[int(self._random() * len(moves))]

    def _promising(self, p: Any, moves: tuple[str, ...]) -> str:
        """A move not yet tried, or the one with the best record and the most left to learn about."""
        keys = self._keys.get(p)
        if keys is None:
            keys = self._keys[p] = [self._after(p, move) for move in moves]
        untried = [move for move, key in zip(moves, keys, strict=True) if key not in self._tries]
        if untried:
            return self._any(untried)
        mover = self._game.player(p)
        curious = CURIOSITY * sqrt(log(sum(self._tries[key] for key in keys)))
        hopes = [self._points[key][mover] / self._tries[key] + curious / sqrt(self._tries[key]) for key in keys]
        return moves[hopes.index(max(hopes))]
