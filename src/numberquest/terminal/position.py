"""A position that somebody names by the moves that lead to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from numberquest.mistake import Mistake
from numberquest.wording import in_short

if TYPE_CHECKING:
    from numberquest.contract import Game


def position_after(game: Game[Any], text: str) -> tuple[list[str], Any]:
    """The moves and reveals that a text names, and the position they lead to; `Mistake` where one is not allowed."""
    # As in a record: numbers before moves do not matter, and a reveal may stand in brackets.
    words = [re.sub(r"^\(([^()]+)\)$", r"\1", word) for word in text.split() if not re.fullmatch(r"[0-9]+\.", word)]
    position = game.start()
    entries: list[str] = []
    while words:
        allowed = game.moves(position)
        entry = words.pop(0)
        if entry not in allowed and words and f"{entry} {words[0]}" in allowed:
            entry = f"{entry} {words.pop(0)}"
        if entry not in allowed:
            if words and any(move.startswith(f"{entry} ") for move in allowed):
                entry = f"{entry} {words[0]}"
            after = f"after {' '.join(entries)}" if entries else "at the start"
            what = in_short(allowed) if allowed else "nothing, because the game is over"
            raise Mistake(f"--after: {entry} is not possible {after}; possible is {what}")
        entries.append(entry)
        position = game.play(position, entry)
    return entries, position
