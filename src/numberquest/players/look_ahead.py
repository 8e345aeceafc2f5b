"""Chooses a move where the game is too large to solve: from the rules alone, with a fixed amount of work.

The work is counted in positions and games, never in seconds, so that the same dice give the same move
on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        values = _Exact(game).moves(position)
    except _TooMuch:
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


class _Exact:
    """Looks at everything that can follow, where that comes to an end."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._first_wins: dict[Any, float] = {}
        self._positions = 0

    def moves(self, p: Any) -> dict[str, float]:
        """Every move with its value for the player who makes it."""
        game = self._game
        mover = game.player(p)
        values = {move: self._value(game.canonical(game.play(p, move))) for move in game.moves(p)}
        return {move: 1 - value if mover else value for move, value in values.items()}

    def _value(self, root: Any) -> float:
        """What a position is worth to Player 1."""
        known = self._first_wins
        try:
            for p, following in backward(self._game, root, known, self._met):
                known[p] = self._followed(p, [known[after] for after in following])
        except Circular:
            raise _TooMuch from None
        return known[root]

    def _met(self, moves: tuple[str, ...]) -> None:
        self._positions += 1
        if self._positions > POSITIONS or len(moves) ** 3 > POSITIONS:
            raise _TooMuch

    def _followed(self, p: Any, values: list[float]) -> float:
        game = self._game
        if not values:
            outcome = game.outcome(p)
            return 0.5 if outcome is None else outcome.worth(0)
        player = game.player(p)
        if player != CHANCE:
            return min(values) if player else max(values)
        weights = game.weights(p)
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)


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
        """The move that was tried most often, which is the one that did best."""
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
        after = game.play(p, self._any(moves))
        for _ in range(SECOND_THOUGHTS):
            outcome = game.outcome(after)
            if outcome is None or outcome.worth(mover):
                break
            after = game.play(p, self._any(moves))
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
