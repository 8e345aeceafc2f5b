"""How much of a winning chance the moves of many games lose, all at once; a draw counts as half of a win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberquest.envs.regret import Judged, Regret
from numberquest.solver import TooLarge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numberquest.envs.batch import Batch


class Judge:
    """Looks it up in the tables of the batch; where those do not fit, asks the solver game by game.

    `TooLarge` where the game cannot be solved.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._one_by_one: Regret | None = None
        try:
            # Now, because it may take a while.
            _ = batch.truth
        except TooLarge:
            self._one_by_one = Regret(batch.game)

    def of(self, actions: NDArray[Any], playing: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> Judged:
        """What is true of these moves: an array for each field. Of games that neither play nor err, nothing."""
        if self._one_by_one is not None:
            return self._asked(self._one_by_one, actions, playing, illegal)
        lost, value, mattered = self._batch.truth.judged(self._batch.state, actions)
        moving = playing | illegal
        # A move that is not allowed loses everything.
        return Judged(np.where(playing, lost, value * illegal), np.where(moving, value, 0.5), mattered & moving)

    def _asked(
        self, solver: Regret, actions: NDArray[Any], playing: NDArray[np.bool_], illegal: NDArray[np.bool_]
    ) -> Judged:
        batch = self._batch
        found = [Judged(0.0, 0.5, False)] * batch.size
        players = batch.players
        for i in np.flatnonzero(playing | illegal).tolist():
            move = batch.game.actions[actions[i]] if playing[i] else None
            found[i] = solver.of(batch.position(i), int(players[i]), move)
        return Judged(*(np.array(row) for row in zip(*found, strict=True)))
