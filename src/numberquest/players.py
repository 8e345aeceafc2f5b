"""Computer players. `PLAYERS` holds them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from numberquest.settings import BadSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.game import Game


class Dice(Protocol):
    """What a player draws chance from; `numberquest.stream.Stream` is one."""

    def choose(self, things: Sequence[str]) -> str:
        """One of the things, each alike."""


class Player(Protocol):
    """Somebody who chooses moves."""

    @property
    def name(self) -> str:
        """What the player is called on the command line."""

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """One of the moves allowed there."""


class Random:
    """Plays each allowed move alike."""

    name = "random"

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """Any of the moves."""
        return dice.choose(game.moves(position))


PLAYERS: Final[dict[str, Player]] = {player.name: player for player in (Random(),)}
"""Every computer player by name, weakest first."""


def player(name: str) -> Player:
    """The computer player of that name."""
    if name not in PLAYERS:
        raise BadSetting(f"there is no computer player called {name!r}; there is {', '.join(PLAYERS)}")
    return PLAYERS[name]
