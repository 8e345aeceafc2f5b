"""Operations as people write them, not as they are typed."""

from __future__ import annotations

import re
from typing import Final

SIGNS: Final = {"+": "+", "-": "−", "*": "×", "/": "÷"}


def signed(move: str) -> str:
    """A move as it stands on a board: `+ 6` for `6+`. Moves without an operation stay as they are."""
    found = re.fullmatch(r"(\d+)([-+*/])", move)
    return f"{SIGNS[found[2]]} {found[1]}" if found else move
