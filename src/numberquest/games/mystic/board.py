"""What the drawn board of Mystic Numbers needs besides its view."""

from collections.abc import Sequence
from typing import Any

from numberquest.games.mystic.rules import Mystic, Position


def more(game: Mystic, positions: Sequence[Position], history: Sequence[str]) -> dict[str, Any]:
    """How many numbers lie in the pile."""
    return {"pile": len(positions[-1].unseen)}


def facts(game: Mystic, before: Position, entry: str, after: Position) -> dict[str, Any]:
    """The number that somebody does something with, and the total that it changes."""
    if not before.drawn:
        return {}
    player = game.player(before)
    return {"drawn": before.drawn, "total": after.totals[1 - player if entry == "pass" else player]}
