"""How much of a winning chance a move loses, against best play; a draw counts as half of a win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numberquest.contract import Game


class Regret:
    """Asks the solver. `TooLarge` where the game cannot be solved."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        # Now, because it may take a while.
        self._solution()

    def of(self, position: Any, player: int, move: str | None) -> float:
        """What this player, who is to move, loses by the move; without one that is allowed, all."""
        from numberquest.solver.solution import ALIKE

        if not self._game.moves(position):
            # Chance has ended the game before the first move.
            return 0.0
        solution = self._solution()
        best = solution.value(position)
        if move is None:
            return float(best)
        lost = float(best - solution.value_for(player, self._game.play(position, move)))
        return lost if lost > ALIKE else 0.0

    def _solution(self) -> Any:
        # Kept by the solver, not here: a copy of an environment need not carry it.
        from numberquest.solver import solve

        return solve(self._game)
