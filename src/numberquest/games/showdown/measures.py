"""Which positions of `showdown` are the same whoever plays, so that fewer have to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games.showdown.rules import NOBODY

if TYPE_CHECKING:
    from numberquest.games.showdown.rules import Position, Showdown


def alike(game: Showdown, p: Position) -> Position:
    """Pools that come to the same sums; and two predictions that win with the same sums.

    A single prediction stays as it is: how good the answers to it are matters to who answers at random.
    """
    canonical = game.canonical(p)
    return p._replace(pool=canonical.pool) if p.first != NOBODY and 0 in p.predictions else canonical
