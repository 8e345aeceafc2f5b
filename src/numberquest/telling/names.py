"""The players by their names."""

from __future__ import annotations

import re

from numberquest.contract import player_name


def named(reason: str, names: tuple[str, str]) -> str:
    """A reason with the players' names in the place of `Player 1` and `Player 2`."""
    seats = {player_name(seat): names[seat] for seat in (0, 1)}
    return re.sub(r"Player [12]", lambda found: seats[found[0]], reason)
