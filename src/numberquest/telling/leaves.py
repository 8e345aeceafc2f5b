"""What a move leaves the opponent, where a few words say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.games.sumquest.rules import SumQuest

if TYPE_CHECKING:
    from numberquest.contract import Game


def leaves(game: Game[Any], after: Any) -> str:
    """What the position is to whoever must move there: `leaves 12`. Empty where no few words say it."""
    return f"leaves {after.total}" if isinstance(game, SumQuest) else ""
