"""Colours for a terminal. They only ever repeat what the words say."""

from __future__ import annotations

from typing import Final

STYLES: Final = {
    "heading": "1",
    "hint": "2",
    "refusal": "33",
    "win": "1;32",
    "player1": "1;36",
    "player2": "1;35",
}
"""What a piece of text is, and the terminal code that shows it."""

FILLED: Final = ("46", "45")
"""The colour of each player's track; that of the shared one is the first."""
EMPTY: Final = "100"


def painted(text: str, style: str) -> str:
    """The text in the colours of its style."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if text else text


def bar(done: int, target: int, player: int, width: int) -> str:
    """A track to the target, drawn with coloured spaces, so that a screen reader passes over it."""
    filled = max(0, min(width, round(width * done / max(target, 1))))
    return f"\x1b[{FILLED[player]}m{' ' * filled}\x1b[{EMPTY}m{' ' * (width - filled)}\x1b[0m"
