"""How much of a winning chance a move loses, against best play; a draw counts as half of a win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numberquest.contract import Game


class Judged(NamedTuple):
    """What is true of one decision, or an array of them; the names are those in `info`."""

    regret: Any
    """What the move has lost of the chance of winning."""
    value: Any
    """The chance of winning before it, with a best move."""
    mattered: Any
    """Whether the moves differed in what they were worth."""


def decided(reward: float) -> Judged:
    """Where a game was over before a player's first move: there was nothing to choose."""
    return Judged(0.0, (1 + reward) / 2, False)


class Regret:
    """Asks the solver. `TooLarge` where the game cannot be solved."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        # Now, because it may take a while.
        self._solution()

    def of(self, position: Any, player: int, move: str | None) -> Judged:
        """What this player, who is to move, loses by the move; without one that is allowed, all."""
        from numberquest.solver.solution import ALIKE

        game, solution = self._game, self._solution()
        best = solution.value_for(player, position)

        def lost(move: str) -> bool:
            return bool(best - solution.value_for(player, game.play(position, move)) > ALIKE)

        if move is None:
            regret = float(best)
        else:
            regret = float(best - solution.value_for(player, game.play(position, move)))
        # In a lost position nothing can be lost, and elsewhere the first move that loses something will do.
        known = move is not None and regret > ALIKE
        mattered = known or (best > ALIKE and any(lost(other) for other in game.moves(position)))
        return Judged(regret if regret > ALIKE else 0.0, float(best), mattered)

    def _solution(self) -> Any:
        # Kept by the solver, not here: a copy of an environment need not carry it.
        from numberquest.solver import solve

        return solve(self._game)
