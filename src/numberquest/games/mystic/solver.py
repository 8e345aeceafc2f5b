"""Solves `mystic`: the winning chance before each draw, for every pile, own total and opponent's total."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numberquest.core.progress import Progress
from numberquest.games.mystic.rules import Mystic, Position
from numberquest.solver.budget import Size, check_memory
from numberquest.solver.pool_recurrence import PoolChances, PoolRules, Pools, best_table
from numberquest.solver.table import kept_or_made


class MysticPools(PoolRules[Position]):
    """The pile is a pool from which chance draws."""

    drawn = True

    def moves(self, number: int) -> Sequence[str]:
        actions: tuple[str, ...] = self.game.actions
        return actions

    def before(self, number: int, scores: tuple[int, int]) -> Position:
        return Position(self.game.deck[1:], scores, number)

    def used_up(self, scores: tuple[int, int]) -> Position:
        return Position((), scores, 0)

    def read(self, p: Position) -> tuple[Sequence[int], tuple[int, int]]:
        return p.unseen, p.totals

    def is_drawn(self, p: Position) -> bool:
        return p.drawn != 0


POOLS = MysticPools


def solution(game: Mystic, progress: Progress, warn: Callable[[str], None]) -> PoolChances[Position]:
    """Solved, or read from disk."""
    table = kept_or_made(game, "d", lambda: solve(game, progress), warn)
    return PoolChances(MysticPools(game), table)


def solve(game: Mystic, progress: Progress) -> memoryview:
    """The table: pile by own total by the opponent's total."""
    check_memory(how_large(game).memory, game)
    return best_table(MysticPools(game), progress)


def how_large(game: Mystic) -> Size:
    """Known beforehand."""
    return Size(Pools(game.high, game.copies).number * game.target**2, 2 * table_bytes(game))


def table_bytes(game: Mystic) -> int:
    """How large the finished table is."""
    return Pools(game.high, game.copies).number * game.target**2 * 8
