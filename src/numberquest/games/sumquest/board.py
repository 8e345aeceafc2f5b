"""What the drawn board of Sum Quest needs besides its view."""

from collections.abc import Hashable

from numberquest.games.sumquest.rules import Position, SumQuest


def depends(game: SumQuest, p: Position) -> Hashable:
    """The sum alone: not who moves, nor what is barred now."""
    return p.total
