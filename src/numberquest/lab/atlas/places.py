"""Where a rule set stands among all of its game: rows are in the order of the settings, so none has to be named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.settings import UpTo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.settings import SettingValue

    Kind = type[Game[Any]]


def place_of(kind: Kind, settings: Mapping[str, SettingValue]) -> int:
    """How many rule sets stand before this one."""
    names, place = list(kind.fields), 0
    settled: dict[str, SettingValue] = {}
    for at, name in enumerate(names):
        for value in kind.fields[name].every(settled):
            if value == settings[name]:
                break
            place += _many(kind, names[at + 1 :], {**settled, name: value})
        settled[name] = settings[name]
    return place


def how_many(kind: Kind) -> int:
    """How many rule sets a game has."""
    return _many(kind, list(kind.fields), {})


def _many(kind: Kind, names: Sequence[str], settled: dict[str, SettingValue]) -> int:
    if not names:
        return 1
    name, *others = names
    values = kind.fields[name].every(settled)
    if any(isinstance(field := kind.fields[other], UpTo) and field.other == name for other in others):
        return sum(_many(kind, others, {**settled, name: value}) for value in values)
    # The others do not depend on it.
    return len(values) * _many(kind, others, {**settled, name: values[0]})


def all_settings(kind: Kind) -> Iterator[dict[str, SettingValue]]:
    """The settings of every rule set, in their order, without making a game of each."""
    return _all(kind, list(kind.fields), {})


def _all(kind: Kind, names: Sequence[str], settled: dict[str, SettingValue]) -> Iterator[dict[str, SettingValue]]:
    if not names:
        yield settled
        return
    name, *others = names
    for value in kind.fields[name].every(settled):
        yield from _all(kind, others, {**settled, name: value})
