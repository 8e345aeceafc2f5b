"""What an agent's choices were worth against best play: what each gave away, and whether it mattered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.contract import Game
    from numberquest.evaluate.game import Row
    from numberquest.solver import Solution
    from numberquest.solver.solution import Value

MOST_REMEMBERED: Final = 200_000
FORFEIT: Final = "forfeit"
"""Stands for the move of somebody whose answers were none."""


class Decision(NamedTuple):
    """One choice of a player, seen with best play from there on."""

    number: int
    """Which move of the game, counted from 1."""
    at: int
    """Where it stands in the history."""
    position: Any
    move: str
    before: Value
    """The chance with the best move."""
    after: Value
    """The chance with this one."""
    worst: Value
    """The chance with the worst one."""
    ways: int
    """How many of the moves are best."""
    moves: int
    """How many are allowed."""

    @property
    def loss(self) -> Value:
        """The part of the winning chance that it gave away."""
        loss = self.before - self.after
        return loss if loss > ALIKE else 0

    @property
    def stake(self) -> Value:
        """How much there was to give away."""
        stake = self.before - self.worst
        return stake if stake > ALIKE else 0

    @property
    def mattered(self) -> bool:
        """Whether the moves differed in what they were worth."""
        return self.stake > 0

    @property
    def is_best(self) -> bool:
        """Whether nothing was better."""
        return not self.loss


class Judge:
    """Knows what every move is worth; each position is looked up once."""

    def __init__(self, game: Game[Any], solution: Solution[Any]) -> None:
        self._game, self._solution = game, solution
        self._known: dict[Any, tuple[dict[str, Value], Value, Value, int]] = {}

    def decisions(self, row: Row, positions: Sequence[Any], seat: int) -> list[Decision]:
        """Every choice of the player in that seat; of a game that was forfeited, with what that gave away."""
        game = self._game
        number, found = 0, []
        for at, (p, move) in enumerate(zip(positions, row.history, strict=False)):
            player = game.player(p)
            if player not in (0, 1):
                continue
            number += 1
            if player == seat:
                values, best, worst, ways = self._values(p)
                found.append(Decision(number, at, p, move, best, values[move], worst, ways, len(values)))
        if row.forfeit == seat:
            p = positions[-1]
            values, best, _, ways = self._values(p)
            # It was as if there were one more move, that loses.
            found.append(Decision(number + 1, len(row.history), p, FORFEIT, best, 0, 0, ways, len(values)))
        return found

    def _values(self, p: Any) -> tuple[dict[str, Value], Value, Value, int]:
        known = self._known.get(p)
        if known is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            values = self._solution.moves(p)
            best, worst = max(values.values()), min(values.values())
            ways = sum(value >= best - ALIKE for value in values.values())
            known = self._known[p] = values, best, worst, ways
        return known


def positions_of(game: Game[Any], history: Sequence[str]) -> list[Any]:
    """The start, and the position after each move and reveal."""
    p = game.start()
    positions = [p]
    for entry in history:
        p = game.play(p, entry)
        positions.append(p)
    return positions
