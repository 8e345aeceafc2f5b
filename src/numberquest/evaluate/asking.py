"""How a player is asked for a move: told what was played, asked again where the answer was wrong, and closed."""

from __future__ import annotations

import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.evaluate.trouble import Illegal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numberquest.contract import Game
    from numberquest.players import Player
    from numberquest.stream import Dice

TRIES: Final = 3
"""So often a player is asked for one move; then it has forfeited the game."""


class Asked(NamedTuple):
    """What came of asking: the move, or None where the player has forfeited, and the answers that were none."""

    move: str | None
    illegal: tuple[Illegal, ...] = ()


def ask(
    player: Player,
    game: Game[Any],
    position: Any,
    dice: Dice,
    history: Sequence[str] | None = None,
    tries: int = TRIES,
) -> Asked:
    """Ask for a move, and again up to so many times in all; `ProviderError` is for whoever asks.

    `history`, all moves and reveals so far, is told to players that `follow` it.
    """
    if history is not None:
        follow = getattr(player, "follow", None)
        if follow is not None:
            follow(history)
    illegal: list[Illegal] = []
    while len(illegal) < tries:
        try:
            return Asked(player.choose(game, position, dice), tuple(illegal))
        except Illegal as wrong:
            # A player that can be told why has kept it, and hears it with the next question.
            illegal.append(wrong)
    return Asked(None, tuple(illegal))


@contextmanager
def aside() -> Iterator[None]:
    """Meanwhile what is printed goes where messages go: a player may print what it likes, and the data stays clean."""
    with redirect_stdout(sys.stderr):
        yield


def close(player: object) -> None:
    """End what a player has started, such as a process."""
    end = getattr(player, "close", None)
    if end is not None:
        end()


@contextmanager
def closing(*players: object) -> Iterator[None]:
    """Close the players however the block is left."""
    try:
        yield
    finally:
        for player in players:
            close(player)
