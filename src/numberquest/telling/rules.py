"""House rules in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.settings import Signs
from numberquest.telling.signs import SIGNS

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.settings import SettingValue


def house_rules(game: Game[Any]) -> str:
    """What is not classic: `the total to reach: 20; a player may stand: yes`; empty in the classic game."""
    classic = type(game)().settings
    return "; ".join(_told(game, name, value) for name, value in game.settings.items() if value != classic[name])


def _told(game: Game[Any], name: str, value: SettingValue) -> str:
    # What follows a semicolon explains the setting to somebody who is about to choose it.
    meaning = game.meanings[name].partition(";")[0]
    if isinstance(value, bool):
        return f"{meaning.removeprefix('whether ')}: {'yes' if value else 'no'}"
    if isinstance(game.fields[name], Signs):
        return f"{meaning}: {' '.join(SIGNS[sign] for sign in str(value))}"
    return f"{meaning}: {value}"
