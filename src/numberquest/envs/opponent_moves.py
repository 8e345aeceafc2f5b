"""The moves of the learners' opponent in many games at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberquest.envs.action_ids import action_ids
from numberquest.envs.arguments import asked_move
from numberquest.players import Level, perfect_moves
from numberquest.solver import TooLarge
from numberquest.stream import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numberquest.contract import Game
    from numberquest.envs.batch import Batch
    from numberquest.players import Player

MOST_REMEMBERED = 1_000_000
"""How many positions the best moves are remembered of, so that memory is not filled up in the end."""


class OpponentMoves:
    """`random` moves in all games at once; whoever thinks does so game by game, and remembers."""

    def __init__(self, game: Game[Any], player: Player) -> None:
        self.game = game
        self.player = player
        # Of 100 moves, how many are any move: those of the named players are drawn here, all at once.
        self._any_move = self.player.any_move if isinstance(self.player, Level) else 0
        self._ids = action_ids(game)
        self._best: dict[Any, list[int]] = {}
        self.seed(0)

    def seed(self, seed: int) -> None:
        """From here on, the same seed gives the same moves."""
        self._random = np.random.default_rng(seed)
        self._dice = Stream(str(seed), "answers")

    def choose(self, batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.intp]:
        """An action for every game where this is True; any allowed one elsewhere."""
        actions: NDArray[np.intp] = batch.sample()
        if self._any_move < 100:
            thinking = where & (self._random.integers(100, size=batch.size) >= self._any_move)
            for i in np.flatnonzero(thinking).tolist():
                position = batch.position(i)
                # Where chance has ended a game before the first move, any action will do.
                if self.game.moves(position):
                    actions[i] = self._thought(position)
        return actions

    def _thought(self, position: Any) -> int:
        best = self._best.get(position)
        if best is None:
            if not isinstance(self.player, Level):
                return self._ids[asked_move(self.player, self.game, position, self._dice)]
            try:
                best = [self._ids[move] for move in perfect_moves(self.game, position)]
            except TooLarge:
                from numberquest.thinker import thought_best

                return self._ids[thought_best(self.game, position, self._dice)]
            if len(self._best) >= MOST_REMEMBERED:
                self._best.clear()
            self._best[position] = best
        return best[int(self._random.random() * len(best))]
