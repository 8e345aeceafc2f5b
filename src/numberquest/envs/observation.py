"""What a player sees, as a row of numbers: everything that bears on the game and may be known, and nothing else.

The numbers come from the game's view (`core/view.py`), after one that says whose turn it is. Seen from the player
who looks: their own score comes before the other's. `Observer.parts` says what stands where. What a player does is a
number too: its action id.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import Game, Part
from numberquest.core.view import filled, view_of

_FLOAT: Final = np.dtype(np.float32)
"""Looked up beforehand: that takes a tenth off the time of an observation."""


class Observer:
    """Turns positions of one game into observations."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        view = view_of(game)
        found = [Part("turn", 1, 2, "whose turn it is: 1 this player's, 2 the other's")]
        found += [part for field in view for part in field.parts(game)]
        self.parts = tuple(_told_apart(found))
        sizes = [part.size for part in self.parts]
        self.size = sum(sizes)
        ends = accumulate(sizes)
        self._places = {part.name: slice(end - part.size, end) for part, end in zip(self.parts, ends, strict=True)}
        self.low = np.repeat(np.array([part.low for part in self.parts], np.float32), sizes)
        self.high = np.repeat(np.array([part.high for part in self.parts], np.float32), sizes)
        # Where a game does not say otherwise, it is the turn of whoever is to move: asked without a detour.
        self._turn = game.player if type(game).turn is Game.turn else game.turn
        self._readers = tuple(field.reader(game) for field in view)
        self._has_secrets = game.has_secrets

    def __reduce__(self) -> tuple[type[Observer], tuple[Game[Any]]]:
        # What reads the numbers cannot be copied, and need not be: it follows from the game.
        return Observer, (self.game,)

    def see(self, position: Any, player: int | None) -> NDArray[np.float32]:
        """What this player sees there; in a game with secrets also None: what everybody may see, as Player 1 would."""
        if self._has_secrets:
            return self.see_all(position, filled(self.game, self.game.sees(position, player)), player or 0)
        row = [1 if self._turn(position) == player else 2]
        for read in self._readers:
            row += read(position, player)  # type: ignore[arg-type]  # nobody is named only where there are secrets
        return np.array(row, _FLOAT)

    def see_all(self, position: Any, seen: Any = None, player: int = 0) -> NDArray[np.float32]:
        """All that there is to see there, also what is secret, as Player 1 would see it; or only what is seen of it."""
        row = [1 if self._turn(position) == player else 2]
        for read in self._readers:
            row += read(position if seen is None else seen, player)
        return np.array(row, _FLOAT)

    def at(self, name: str) -> slice:
        """Where a part stands in the observation."""
        return self._places[name]


def _told_apart(parts: list[Part]) -> list[Part]:
    """The same parts, each with a name of its own: the second `turn` is `turn_2`."""
    named: dict[str, Part] = {}
    for part in parts:
        name, number = part.name, 2
        while name in named:
            name, number = f"{part.name}_{number}", number + 1
        named[name] = part._replace(name=name)
    return list(named.values())


def action_ids(game: Game[Any]) -> dict[str, int]:
    """The place of each move in `game.actions`."""
    return {move: number for number, move in enumerate(game.actions)}
