"""What the drawn board of Grid needs besides its view."""

from collections.abc import Hashable, Sequence
from typing import Any

from numberquest.games.grid.rules import Grid, Position


def more(game: Grid, positions: Sequence[Position], history: Sequence[str]) -> dict[str, Any]:
    """The numbers that lie covered somewhere, ascending."""
    return {"unseen": [number for number in game.deck if number not in positions[-1].cells]}


def depends(game: Grid, p: Position) -> Hashable:
    """Of opening a cell nothing is known, whatever lies open; standing depends on the totals and who stands."""
    return (p.totals, p.stood, p.last) if game.stand else ()
