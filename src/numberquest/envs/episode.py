"""One game after the other, played by action ids. What is hidden is dealt by a generator of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic

import numpy as np

from numberquest.contract import CHANCE, Game, P
from numberquest.envs.action_ids import action_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

MASKS_KEPT: Final = 4096
"""So many masks are kept; a large grid has more, and they would fill the memory for nothing."""


class Episode(Generic[P]):
    """A game being played as fast as its rules allow: legality is for the caller to see to, by the mask."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game
        self.actions = game.actions
        self._ids = action_ids(game)
        self._masks: dict[tuple[str, ...], NDArray[np.int8]] = {}
        self._none = np.zeros(len(game.actions), np.int8)
        self._deal = [str(number) for number in game.deck]
        self.position = game.start()
        self.moves: tuple[str, ...] = ()
        self.player = 0
        self.winner: int | None = None

    def start(self, dice: np.random.Generator) -> None:
        """A new game; `dice` deals what is hidden."""
        if self.game.deck:
            # Put in order first: a seed gives the same deal whatever was dealt before.
            self._deal.sort()
            dice.shuffle(self._deal)
        self._arrive(self.game.start())

    def play(self, action: int) -> None:
        """Make the move of this action id."""
        self._arrive(self.game.play(self.position, self.actions[action]))

    def make(self, move: str) -> None:
        """Make this move."""
        self._arrive(self.game.play(self.position, move))

    def _arrive(self, position: P) -> None:
        game = self.game
        player = game.player(position)
        # Asked for the end and not for the moves: a list of all reveals would be made for nothing.
        while player == CHANCE and game.outcome(position) is None:
            position = game.play(position, self._deal[game.slot(position)])
            player = game.player(position)
        self.position, self.moves = position, game.moves(position)
        if self.moves:
            self.player, self.winner = player, None
        else:
            outcome = game.outcome(position)
            self.player, self.winner = game.turn(position), None if outcome is None else outcome.winner

    def allows(self, action: int) -> bool:
        """Whether the move of this action id is allowed now."""
        return bool(self._mask()[action])

    @property
    def legal(self) -> list[int]:
        """The action ids allowed now."""
        return [self._ids[move] for move in self.moves]

    @property
    def mask(self) -> NDArray[np.int8]:
        """1 for every action id that is allowed now. The caller's own, to keep or to write to."""
        return self._mask().copy()

    @property
    def no_mask(self) -> NDArray[np.int8]:
        """All zeros: for whoever is not to move."""
        return self._none.copy()

    def _mask(self) -> NDArray[np.int8]:
        mask = self._masks.get(self.moves)
        if mask is None:
            if len(self._masks) >= MASKS_KEPT:
                self._masks.clear()
            mask = self._masks[self.moves] = np.zeros(len(self.actions), np.int8)
            mask[self.legal] = 1
        return mask
