"""What lies on the table, what may be done, and what was done: positions as messages. One file per game.

Nothing here decides anything: what a move comes to is looked up in the game. All of it runs in the event loop for
every move, so what comes again and again is kept. The lists and messages handed out are shared: nobody changes them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.games.fifty.board import ShownFifty
from numberquest.games.grid.board import ShownGrid
from numberquest.games.mystic.board import ShownMystic
from numberquest.games.showdown.board import ShownShowdown
from numberquest.games.sumquest.board import ShownSumQuest
from numberquest.server import wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.contract import Game
    from numberquest.server.boards.shown import Shown

__all__ = ["board", "line", "options"]

_KINDS: Final[dict[str, type[Shown[Any, Any]]]] = {
    "showdown": ShownShowdown,
    "fifty": ShownFifty,
    "grid": ShownGrid,
    "sumquest": ShownSumQuest,
    "mystic": ShownMystic,
}


def board(game: Game[Any], positions: Sequence[Any], history: Sequence[str]) -> wire.Board:
    """The table at the last of these positions; the history is what led there."""
    return _shown(game).board(positions, history)


def options(game: Game[Any], position: Any) -> list[wire.Option]:
    """The moves of the player who decides there, in the game's own order; none before a reveal and at the end."""
    return _shown(game).options(position) if game.player(position) != CHANCE else []


def line(game: Game[Any], before: Any, entry: str, after: Any) -> wire.Line:
    """One entry of the history, a move or a reveal, in words."""
    return wire.Line(game.player(before) + 1, entry, _shown(game).told(before, entry, after))


# Few rule sets are played at once, and each keeps a few megabytes at most.
@lru_cache(maxsize=32)
def _shown(game: Game[Any]) -> Shown[Any, Any]:
    return _KINDS[game.slug](game)
