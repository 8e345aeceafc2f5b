"""What somebody types to look at a position or a game themselves."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.contract import Game


def position_command(game: Game[Any], history: Sequence[str], named: str | None = None) -> str:
    """What shows a position and the values of all moves; `named` is how the game was asked for, such as a file."""
    changes = "".join(f" --set {quote(change)}" for change in game.changes.split())
    after = f' --after "{" ".join(history)}"' if history else ""
    return f"numberquest solve {quote(named or game.slug)}{changes}{after}"
