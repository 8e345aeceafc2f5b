"""The number of each move, as agents know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numberquest.contract import Game


def action_ids(game: Game[Any]) -> dict[str, int]:
    """The place of each move in `game.actions`."""
    return {move: number for number, move in enumerate(game.actions)}
