"""What `solve` shows of Sum Quest besides: who wins at which sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from numberquest.games.sumquest.rules import Position, SumQuest

if TYPE_CHECKING:
    from numberquest.solver import Solution


def lines(solution: Solution[Position], p: Position) -> list[str]:
    """For each sum and each last number, whether the player to move wins."""
    game = cast("SumQuest", solution.game)
    numbers = range(1, game.high + 1)
    first = max(0, min(game.target - 30, p.total))
    shown = f" (from {first} on)" if first else ""
    rows = [
        f"Who wins when it is your turn, by the sum and by the number that was used last{shown}:",
        "(W: you win, -: you lose)",
        f"  sum    last {' '.join(map(str, numbers))}",
    ]
    for total in range(max(first, 1), game.target):
        # A number larger than the sum cannot have been used.
        possible = [last for last in numbers if last <= total]
        row = ["W" if solution.value(Position(total, last, p.player)) else "-" for last in possible]
        rows.append(f"  {total:>3}         {' '.join(row)}")
    return rows
