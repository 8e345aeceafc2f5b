"""Which settings somebody wants to go through: `target=20..60`, `copies=1,2`, `ops=all`, and every combination."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.settings import BadSetting, Setting, SettingValue, quoted, read_settings, whole_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numberquest.contract import Game

    Kind = type[Game[Any]]

ALL: Final = "all"
UP_TO: Final = ".."
MOST_VALUES: Final = 100_000
"""A range has at most so many numbers."""


def read_ranges(kind: Kind, items: Iterable[str]) -> dict[str, tuple[SettingValue, ...] | None]:
    """The values of each setting that is named, as they are typed; None stands for all. `BadSetting` where one is bad.

    `20..60` are all numbers from 20 to 60, `20..60..10` every tenth of them, `1,2` these two.
    """
    return {name: read_range(kind, name, text) for name, text in read_settings(items).items()}


def read_range(kind: Kind, name: str, text: str) -> tuple[SettingValue, ...] | None:
    """The values that one setting is to have; None stands for all."""
    field = field_of(kind, name)
    if text == ALL:
        return None
    values: list[SettingValue] = []
    for part in text.split(","):
        values += _numbers(name, part) if UP_TO in part else [_value(name, field, part)]
    return tuple(values)


def field_of(kind: Kind, name: str) -> Setting:
    """The setting of that name; `BadSetting` where there is none."""
    field = kind.fields.get(name)
    if field is None:
        known = f"it has {', '.join(kind.fields)}" if kind.fields else "it has none"
        raise BadSetting(f"{kind.slug} has no setting {name!r}; {known}")
    return field


def _value(name: str, field: Setting, text: str) -> SettingValue:
    value = field.parse(text)
    if not isinstance(value, int | bool | str):
        raise BadSetting(f"{name} must be {field.words}, or a range such as 2..9, not {quoted(text)}")
    return value


def _numbers(name: str, text: str) -> range:
    """`20..60` and `20..60..10`."""
    ends = [whole_in(part) for part in text.split(UP_TO)]
    low, high, step = [*ends, 1][:3] if len(ends) in (2, 3) else (None, None, None)
    if low is None or high is None or not step:
        raise BadSetting(f"{name}={text}: a range is written 20..60, or 20..60..10 for every tenth number")
    if low > high:
        raise BadSetting(f"{name}={text}: a range goes up, from the lower number to the higher: {name}={high}..{low}")
    if (high - low) // step >= MOST_VALUES:
        raise BadSetting(f"{name}={text}: a range has at most {MOST_VALUES:,} numbers")
    return range(low, high + 1, step)


def combinations(kind: Kind, ranges: Mapping[str, Sequence[SettingValue] | None]) -> list[Game[Any]]:
    """Every combination, each once, in the order of the settings; what is not named stays classic.

    A value that one setting forbids another, `picks=9` where `high` is 5, is left out there; `BadSetting` where it is
    allowed nowhere.
    """
    for name in ranges:
        field_of(kind, name)
    refused: dict[tuple[str, SettingValue], BadSetting] = {}
    taken: set[tuple[str, SettingValue]] = set()

    def settled(before: dict[str, SettingValue], names: Sequence[str]) -> Iterator[dict[str, SettingValue]]:
        if not names:
            yield before
            return
        name, *others = names
        field = kind.fields[name]
        for value in _allowed(kind, name, field, ranges, before, refused, taken):
            yield from settled({**before, name: value}, others)

    games = [kind(**settings) for settings in settled({}, list(kind.fields))]
    for key, why in refused.items():
        if key not in taken:
            raise why
    return games


def _allowed(
    kind: Kind,
    name: str,
    field: Setting,
    ranges: Mapping[str, Sequence[SettingValue] | None],
    before: dict[str, SettingValue],
    refused: dict[tuple[str, SettingValue], BadSetting],
    taken: set[tuple[str, SettingValue]],
) -> list[SettingValue]:
    """The values of one setting, those before it being settled, in the setting's own order."""
    if name not in ranges:
        return [field.classic(before)]
    asked = ranges[name]
    every = field.every(before)
    if asked is None:
        return list(every)
    found = set()
    for value in asked:
        try:
            proper = field.check(value, before)
        except BadSetting as allowed:
            refused.setdefault(
                (name, value), BadSetting(f"{name} must be {allowed} in {kind.slug}, not {quoted(value)}")
            )
            continue
        found.add(proper)
        taken.add((name, value))
    return [value for value in every if value in found]
