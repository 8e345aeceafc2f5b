"""Solves recipes in which each turn takes a number out of a pool or a pile, by one pass over all pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numberquest.core.contract import Game
from numberquest.core.progress import Progress
from numberquest.core.recipe.rules import NumbersGame, Position
from numberquest.solver.budget import Size, check_memory
from numberquest.solver.pool_recurrence import MOST_POSITIONS, PoolChances, PoolRules, Pools, PoolWins, best_table
from numberquest.solver.solution import Solution
from numberquest.solver.table import kept_or_made


class ChosenPools(PoolRules[Position]):
    """The pool is chosen from."""

    drawn = False

    def shape(self, game: Any) -> tuple[Pools, int]:
        high, copies, target = game.pool_shape
        return Pools(high, copies), target

    def moves(self, number: int) -> Sequence[str]:
        return [move for move, use in self.game.uses.items() if use.number in (number, 0)]

    def before(self, number: int, scores: tuple[int, int]) -> Position:
        start: Position = self.game.start()
        return start._replace(totals=scores)

    def used_up(self, scores: tuple[int, int]) -> Position:
        position: Position = self.game.used_up(scores)
        return position

    def read(self, p: Position) -> tuple[Sequence[int], tuple[int, int]]:
        return p.left, (p.totals[0], p.totals[1])

    def is_drawn(self, p: Position) -> bool:
        return p.drawn != 0


class DrawnPools(ChosenPools):
    """The pile is a pool from which chance draws."""

    drawn = True

    def before(self, number: int, scores: tuple[int, int]) -> Position:
        start: Position = self.game.start()
        return start._replace(left=start.left[1:], totals=scores, drawn=number, chance=False)


def POOLS(game: Game[Any]) -> ChosenPools | None:  # noqa: N802  # the name by which it is looked for
    """The rules of a game that is played over a pool, and is not too large; None of any other."""
    shape = game.pool_shape if isinstance(game, NumbersGame) else None
    if shape is None or (shape[1] + 1) ** shape[0] * shape[2] ** 2 > MOST_POSITIONS:
        return None
    return DrawnPools(game) if game.deck else ChosenPools(game)


def how_large(game: Game[Any]) -> Size | None:
    """Known beforehand where it is played over a pool."""
    rules = POOLS(game)
    return None if rules is None else Size(rules.positions, rules.positions * (16 if rules.drawn else 4))


def solution(game: Game[Any], progress: Progress, warn: Callable[[str], None]) -> Solution[Position] | None:
    """Solved, or read from disk; None of what is looked at position by position."""
    rules, size = POOLS(game), how_large(game)
    if rules is None or size is None:
        return None
    check_memory(size.memory, game)
    kind = PoolChances if rules.drawn else PoolWins
    return kind(rules, kept_or_made(game, "d" if rules.drawn else "b", lambda: best_table(rules, progress), warn))
