"""What is true of `mystic` in thousands of games at once: the chances before each draw, from the solver's table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from numberquest.envs.batches.tables import LOST, WON
from numberquest.envs.batches.truth import Truth
from numberquest.games.mystic.batch import MysticTables
from numberquest.games.mystic.solver import table_bytes
from numberquest.solver import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.games.mystic.batch import State
    from numberquest.games.mystic.solver import MysticSolution


WINS, LOSES, BARRED = -1, -2, -3
"""Where an action does not lead to totals: to an end, or nowhere, because it is not allowed."""


class MysticTruth(Truth[MysticTables]):
    """What each of the few actions is worth; the rest follows from that."""

    def __init__(self, tables: MysticTables) -> None:
        super().__init__(tables)
        solution, target = cast("MysticSolution", solve(tables.game)), tables.game.target
        self._chances = self.chances(np.frombuffer(solution.chances()))
        self._alike = tables.arrays.alike
        self._pile = target * target
        # By totals and turn: the totals as the one sees them who draws next.
        turns, first, second = tables.totals
        sides = np.where(turns, second, first) * target + np.where(turns, first, second)
        ends = tables.ends[: len(turns)]
        codes = np.where(ends == WON, WINS, np.where(ends == LOST, LOSES, sides))[tables.leads]
        codes[~tables.allowed] = BARRED
        # By totals and the number drawn, for each action where it leads, and what that is worth where it is an end.
        self._leads = [self.table(np.maximum(codes[:, action], 0).astype(np.int32)) for action in range(self.actions)]
        worth = np.select([codes == WINS, codes == LOSES, codes == BARRED], [1, 0, -1], 2).astype(np.int8)
        self._ends = [self.xp.asarray(np.ascontiguousarray(worth[:, action])) for action in range(self.actions)]

    @classmethod
    def bytes_for(cls, tables: MysticTables) -> int:
        return table_bytes(tables.game)

    def _worths(self, state: State) -> tuple[list[Any], list[Any], Any]:
        """What each action is worth, or -1 where it is not allowed; which ends it leads to; and the best worth."""
        xp = self.xp
        spot, pile = self.tables.spot(state), state.unseen * self._pile
        worths, ends = [], []
        for action in range(self.actions):
            chance = self.take(self._chances, pile + self.take(self._leads[action], spot))
            end = self.take(self._ends[action], spot)
            worths.append(xp.where(end == 2, 1 - chance, xp.astype(end, chance.dtype)))
            ends.append(end)
        best = worths[0]
        for worth in worths[1:]:
            best = xp.maximum(best, worth)
        return worths, ends, best

    def values(self, state: State) -> Any:
        return self._worths(state)[2]

    def regret(self, state: State, actions: Any) -> Any:
        return self.judged(state, actions)[0]

    def mattered(self, state: State) -> Any:
        worths, _, best = self._worths(state)
        return self._differ(worths, best)

    def judged(self, state: State, actions: Any) -> tuple[Any, Any, Any]:
        worths, _, best = self._worths(state)
        taken = worths[0]
        for action, worth in enumerate(worths[1:], start=1):
            taken = self.xp.where(actions == action, worth, taken)
        lost = best - taken
        regret = self.xp.where(lost > self._alike, lost, self.xp.zeros_like(lost))
        return regret, best, self._differ(worths, best)

    def _differ(self, worths: list[Any], best: Any) -> Any:
        """Whether some action that is allowed is worse than the best."""
        differ = best < 0
        for worth in worths:
            differ = differ | (worth >= 0) & (best - worth > self._alike)
        return differ

    def perfect(self, state: State, bits: Callable[[], Any]) -> Any:
        xp = self.xp
        worths, ends, best = self._worths(state)
        good = [worth >= best - self._alike for worth in worths]
        # A lost game is not ended by one's own move while another goes on; and a win at once comes first.
        lost, last = best <= self._alike, state.unseen == 0
        rather = []
        for each, end, worth in zip(good, ends, worths, strict=True):
            over = last | (end != 2)
            rather.append(each & xp.where(lost, ~over, over & (worth == 1)))
        there = rather[0]
        for each in rather[1:]:
            there = there | each
        return self.any_of([xp.where(there, one, other) for one, other in zip(rather, good, strict=True)], bits)


TRUTH = MysticTruth
