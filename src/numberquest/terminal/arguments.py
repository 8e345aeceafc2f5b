"""What somebody named on the command line: a game with its rule changes, or the record in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.games import game as make_game
from numberquest.mistake import FAILURE, Mistake
from numberquest.players import PLAYERS
from numberquest.record import HUMAN, Record
from numberquest.settings import BadSetting, read_settings
from numberquest.terminal import saves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numberquest.contract import Game


def game_with(name: str, changes: Iterable[str] = ()) -> Game[Any]:
    """The game of that name, or in that file, with rule changes as they are typed: `target=30`."""
    try:
        return make_game(name, **read_settings(changes))
    except BadSetting as error:
        raise Mistake(str(error)) from None


def read_record(path: str) -> Record:
    """The record in a file; `Mistake` where there is none."""
    try:
        return saves.load(path)
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}", FAILURE) from None
    except ValueError as error:
        raise Mistake(f"{path} is not a record: {error}", FAILURE) from None


def check_players(path: str, record: Record) -> None:
    """`Mistake` where a computer player of the record does not exist here."""
    for kind in record.kinds:
        if kind != HUMAN and kind not in PLAYERS:
            raise Mistake(f"{path}: there is no computer player called {kind}", FAILURE)
