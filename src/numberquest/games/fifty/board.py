"""What the drawn board of Fifty needs besides its view."""

from collections.abc import Hashable

from numberquest.games.fifty.rules import Fifty, Position


def depends(game: Fifty, p: Position) -> Hashable:
    """The score of who moves; with the last number the game is over, and then the other score counts too."""
    return p.scores[game.player(p)] if len(p.pool) > 1 else p
