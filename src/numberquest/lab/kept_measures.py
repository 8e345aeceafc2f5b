"""Measures that took long are kept on disk, beside the solved games."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from numberquest.files import write_whole
from numberquest.players import PLAYERS
from numberquest.solver import table as tables

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair

VERSION: Final = 1
"""Goes up when a measure or the players change, so that no old file is taken for a new one."""
LONG: Final = 2.0
"""What took fewer seconds is not worth a file."""


def kept_path(game: Game[Any]) -> str:
    """The file that the measures of a rule set are kept in."""
    return f"{tables.path_for(game, f'measures{VERSION}')}.json"


def kept(game: Game[Any], pair: Pair) -> dict[str, Any] | None:
    """What was kept of this pair; None where nothing was, or it is damaged or of other rules."""
    found = _all(game).get(" ".join(pair))
    return found if isinstance(found, dict) else None


def keep(game: Game[Any], pair: Pair, measures: dict[str, Any]) -> None:
    """Keep all of it or nothing; a folder that cannot be written to only costs time."""
    if tables.source_of(game) is None:
        # Rules that are in no file may be others the next time.
        return
    path = kept_path(game)
    said = {**_head(game), "measures": {**_all(game), " ".join(pair): measures}}
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_whole(path, [json.dumps(said, indent=1).encode()])
    except OSError:
        return


def _head(game: Game[Any]) -> dict[str, object]:
    """What must be the same for a kept file to be of use."""
    any_move = {name: PLAYERS[name].any_move for name in PLAYERS}
    return {"rules": repr(game), "source": tables.source_of(game), "version": VERSION, "any_move": any_move}


def _all(game: Game[Any]) -> dict[str, Any]:
    if tables.source_of(game) is None or not os.path.isfile(kept_path(game)):
        return {}
    try:
        with open(kept_path(game), encoding="utf-8") as file:
            said = json.load(file)
        head = _head(game)
        measures = said["measures"]
        return measures if {name: said[name] for name in head} == head and isinstance(measures, dict) else {}
    except (OSError, ValueError, KeyError, TypeError):
        # Made anew, and written over.
        return {}
