"""What is true of any game whose positions are listed: the solver is asked once about each."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from numberquest.contract import CHANCE
from numberquest.envs.action_ids import action_ids
from numberquest.envs.batches.general import GeneralTables
from numberquest.envs.batches.truth import Sets, Truth
from numberquest.players import perfect_moves
from numberquest.solver import solve
from numberquest.solver.budget import TooLarge
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_ASKED: Final = 200_000
"""To ask about more positions one by one would take minutes."""


class ListedTruth(Truth[GeneralTables]):
    """By position: its value, what each action loses, and which are perfect."""

    def __init__(self, tables: GeneralTables) -> None:
        super().__init__(tables)
        game, ids = tables.game, action_ids(tables.game)
        solution = solve(game)
        values, lost, which = array("d"), array("d"), array("i")
        sets: dict[tuple[int, ...], int] = {tuple(range(self.actions)): 0}
        for position in tables.positions:
            moves = () if game.player(position) == CHANCE else game.moves(position)
            best = solution.value(position)
            values.append(float(best))
            # Where chance has ended a game before the first move, any action will do.
            row, perfect = [0.0] * self.actions, 0
            if moves:
                player = game.turn(position)
                for move in moves:
                    regret = float(best - solution.value_for(player, game.play(position, move)))
                    row[ids[move]] = regret if regret > ALIKE else 0.0
                chosen = tuple(sorted(ids[move] for move in perfect_moves(game, position)))
                perfect = sets.setdefault(chosen, len(sets))
            lost.extend(row)
            which.append(perfect)
        regrets = np.frombuffer(lost).reshape(-1, self.actions)
        self._values, self._regrets = self.chances(np.frombuffer(values)), self.chances(regrets.reshape(-1))
        self._mattered = self.table(np.asarray((regrets > 0).any(axis=1)))
        self._perfect, self._sets = self.table(np.frombuffer(which, np.intc)), Sets(self, list(sets))

    @classmethod
    def bytes_for(cls, tables: GeneralTables) -> int:
        """By position: a value, a regret for each action, a set."""
        number = len(tables.positions)
        if number > MOST_ASKED:
            raise TooLarge(
                f"{tables.game!r} has {number:,} positions, and no more than {MOST_ASKED:,} are asked about one by one"
            )
        return number * (8 + 8 * tables.actions + 5)

    def values(self, state: Any) -> Any:
        """By place."""
        return self.take(self._values, state.place)

    def regret(self, state: Any, actions: Any) -> Any:
        """By place and action."""
        return self.take(self._regrets, state.place * self.actions + actions)

    def mattered(self, state: Any) -> Any:
        """By place."""
        return self.take(self._mattered, state.place)

    def perfect(self, state: Any, bits: Callable[[], Any]) -> Any:
        """By place, which set."""
        return self._sets.any_of(self.take(self._perfect, state.place), bits)
