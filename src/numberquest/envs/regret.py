"""How much of a winning chance a move loses, against best play; a draw counts as half of a win."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import Game
from numberquest.envs.batch import Batch
from numberquest.solver import TooLarge, solve
from numberquest.solver.solution import ALIKE

Flags = NDArray[np.bool_]


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
        # Now, because it may take a while; kept by the solver, so that a copy of an environment need not carry it.
        solve(game)

    def of(self, position: Any, player: int, move: str | None) -> Judged:
        """What this player, who is to move, loses by the move; without one that is allowed, all."""
        game, solution = self._game, solve(self._game)
        best = solution.value_for(player, position)

        def lost(move: str) -> float:
            return float(best - solution.value_for(player, game.play(position, move)))

        regret = float(best) if move is None else lost(move)
        # In a lost position nothing can be lost, and elsewhere the first move that loses something will do.
        known = move is not None and regret > ALIKE
        mattered = known or (best > ALIKE and any(lost(other) > ALIKE for other in game.moves(position)))
        return Judged(regret if regret > ALIKE else 0.0, float(best), mattered)


class BatchRegret:
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

    def of(self, actions: NDArray[Any], playing: Flags, illegal: Flags) -> Judged:
        """What is true of these moves: an array for each field. Of games that neither play nor err, nothing."""
        if self._one_by_one is not None:
            return self._asked(self._one_by_one, actions, playing, illegal)
        lost, value, mattered = self._batch.truth.judged(self._batch.state, actions)
        moving = playing | illegal
        # A move that is not allowed loses everything.
        return Judged(np.where(playing, lost, value * illegal), np.where(moving, value, 0.5), mattered & moving)

    def _asked(self, solver: Regret, actions: NDArray[Any], playing: Flags, illegal: Flags) -> Judged:
        batch = self._batch
        found = [Judged(0.0, 0.5, False)] * batch.size
        players = batch.players
        for i in np.flatnonzero(playing | illegal).tolist():
            move = batch.game.actions[actions[i]] if playing[i] else None
            found[i] = solver.of(batch.position(i), int(players[i]), move)
        return Judged(*(np.array(row) for row in zip(*found, strict=True)))
