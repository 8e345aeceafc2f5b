"""The rules as tables, for thousands of games at once: one file per game, each filled by asking `Game`.

`tables_for(game)` picks the file. Nothing here knows what a move does: that is played, and written down.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from numberquest.envs.batches.listed import ListedTables
from numberquest.envs.batches.tables import Tables
from numberquest.games.fifty.batch import FiftyTables
from numberquest.games.grid.batch import GridTables
from numberquest.games.mystic.batch import MysticTables
from numberquest.games.showdown.batch import ShowdownTables
from numberquest.solver.budget import TooLarge, in_words

if TYPE_CHECKING:
    from numberquest.contract import Game

__all__ = ["MOST", "Tables", "tables_for"]

MOST: Final = 500_000_000
"""How many bytes the tables of one game may take."""

_KINDS: Final[dict[str, type[Tables[Any, Any]]]] = {
    "fifty": FiftyTables,
    "grid": GridTables,
    "mystic": MysticTables,
    "showdown": ShowdownTables,
}


def tables_for(game: Game[Any], xp: Any, most: int = MOST) -> Tables[Any, Any]:
    """The tables of this game, made once. `TooLarge` says how large they would be."""
    # A game with no file of its own has all its positions listed.
    kind = _KINDS.get(game.slug, ListedTables)
    needed = kind.bytes_for(game)
    if needed > most:
        what = f"{game.slug} with {game.settings_text}"
        raise TooLarge(
            f"the tables to play {what} in a batch take about {in_words(needed)}, and no more than {in_words(most)} "
            "are allowed"
        )
    return _made(kind, game, xp)


def tables_again(kind: type[Tables[Any, Any]], game: Game[Any], module: str) -> Tables[Any, Any]:
    """The tables that were made before; a copy of a batch shares them, one that was pickled has them made again."""
    return _made(kind, game, import_module(module))


@lru_cache(maxsize=16)
def _made(kind: type[Tables[Any, Any]], game: Game[Any], xp: Any) -> Tables[Any, Any]:
    return kind(game, xp)
