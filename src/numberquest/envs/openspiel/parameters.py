"""Rule settings as parameters of OpenSpiel, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.settings import UpTo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numberquest.contract import Game
    from numberquest.settings import SettingValue

AS_MANY_AS_THERE_ARE: Final = 0
"""A setting that reaches up to another one follows it, unless it is given: a default that no player can mean."""

_READ_AS_NUMBER: Final = frozenset("+-0123456789")
"""OpenSpiel takes a text of only these for a whole number, and refuses the game if it is none."""


def defaults(kind: type[Game[Any]]) -> dict[str, SettingValue]:
    """The classic settings of a game, as OpenSpiel is told them."""
    return {
        name: AS_MANY_AS_THERE_ARE if isinstance(kind.fields[name], UpTo) else _written(value)
        for name, value in kind().settings.items()
    }


def from_parameters(kind: type[Game[Any]], parameters: Mapping[str, Any]) -> Game[Any]:
    """The game with these parameters; `BadSetting` says what is allowed instead."""
    return kind(
        **{
            name: value.strip("'") if isinstance(value, str) else value
            for name, value in parameters.items()
            if not (isinstance(kind.fields.get(name), UpTo) and value == AS_MANY_AS_THERE_ARE)
        }
    )


def to_parameters(game: Game[Any]) -> dict[str, SettingValue]:
    """All settings of a game, so that OpenSpiel can write them down and read them again."""
    return {name: _written(value) for name, value in game.settings.items()}


def _written(value: SettingValue) -> SettingValue:
    if isinstance(value, str) and _READ_AS_NUMBER.issuperset(value):
        return f"'{value}'"
    return value
