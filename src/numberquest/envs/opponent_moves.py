"""The moves of the learners' opponent in many games at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberquest.envs.action_ids import action_ids
from numberquest.envs.arguments import asked_move
from numberquest.envs.bits import BITS, Bits, below
from numberquest.players import Level, perfect_moves
from numberquest.solver import TooLarge
from numberquest.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from numberquest.envs.batch import Batch
    from numberquest.envs.bits import BitsOfEach
    from numberquest.players import Player

MOST_REMEMBERED = 1_000_000
"""How many positions the best moves are remembered of, so that memory is not filled up in the end."""


class OpponentMoves:
    """The named players move in all games at once, from the solver's tables; others think game by game.

    So do the named ones where the tables do not fit, and then they remember what they thought.
    """

    def __init__(self, batch: Batch, player: Player) -> None:
        self.game = batch.game
        self.player = player
        # Of 100 moves, how many are any move: those of the named players are drawn here, all at once.
        self._any_move = self.player.any_move if isinstance(self.player, Level) else 0
        self._ids = action_ids(self.game)
        self._best: dict[Any, list[int]] = {}
        self._looks_up = isinstance(self.player, Level) and self._any_move < 100 and _can_be_looked_up(batch)
        self._size = batch.size
        self.seed(0)

    def seed(self, seed: int) -> None:
        """From here on, the same seed gives the same moves."""
        self._dice = [Stream(str(seed), "answers")] * self._size
        slips, choices = np.random.SeedSequence(seed).spawn(2)
        self._slips: Bits | BitsOfEach = Bits(slips, self._size, np)
        self._choices: Bits | BitsOfEach = Bits(choices, self._size, np)

    def seed_each(self, seeds: Sequence[int], only: NDArray[np.bool_], slips: BitsOfEach, choices: BitsOfEach) -> None:
        """The same with a seed for each of some games: what is chosen there does not depend on the others."""
        dice = zip(seeds, only.tolist(), self._dice, strict=True)
        self._dice = [Stream(str(seed), "answers") if new else old for seed, new, old in dice]
        self._slips, self._choices = slips, choices

    def choose(self, batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.intp]:
        """An action for every game where this is True; any allowed one elsewhere."""
        if self._any_move == 0 and self._looks_up:
            return batch.truth.perfect(batch.state, self._choices.where(where))  # type: ignore[no-any-return]
        actions: NDArray[np.intp] = batch.sample(where)
        if self._any_move < 100:
            thinking = where & (below(self._slips.where(where)(), np.int32(100)) >= self._any_move)
            if self._looks_up:
                best = batch.truth.perfect(batch.state, self._choices.where(thinking))
                return np.where(thinking, best, actions)
            drawn = self._choices.where(thinking)()
            for i in np.flatnonzero(thinking).tolist():
                position = batch.position(i)
                # Where chance has ended a game before the first move, any action will do.
                if self.game.moves(position):
                    actions[i] = self._thought(position, i, drawn[i])
        return actions

    def _thought(self, position: Any, i: int, drawn: np.int32) -> int:
        best = self._best.get(position)
        if best is None:
            if not isinstance(self.player, Level):
                return self._ids[asked_move(self.player, self.game, position, self._dice[i])]
            try:
                best = [self._ids[move] for move in perfect_moves(self.game, position)]
            except TooLarge:
                from numberquest.thinker import thought_best

                return self._ids[thought_best(self.game, position, self._dice[i])]
            if len(self._best) >= MOST_REMEMBERED:
                self._best.clear()
            self._best[position] = best
        return best[int(drawn) * len(best) >> BITS]


def _can_be_looked_up(batch: Batch) -> bool:
    try:
        batch.truth.ready()
    except TooLarge:
        return False
    return True
