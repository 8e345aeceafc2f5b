"""The atlas: what every rule set of a game is worth, worked out once and kept beside the game's rules.

>>> from numberquest.study.atlas import atlas
>>> found = atlas("sumquest").row(target=23)
>>> found.value, found.first
(1, ('1', '6'))"""

from __future__ import annotations

import json
import os
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import inf, isnan
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.files import write_whole
from numberquest.core.registry import kind_for
from numberquest.core.settings import BadSetting, SettingValue, UpTo
from numberquest.core.view import number
from numberquest.study.row import FIXED, SweepRow, certain


def atlas(name: str) -> Atlas | None:
    """The atlas of the game of that name; None where it has none."""
    return atlas_of(kind_for(name))


@cache
def atlas_of(kind: type[Game[Any]]) -> Atlas | None:
    """The atlas of a game, which is read once; `BadAtlas` where its file is not as it was made."""
    path = path_of(kind)
    return None if path is None else read(kind, path)


def has_atlas(kind: type[Game[Any]]) -> bool:
    """Whether a game has one, which takes no reading."""
    return path_of(kind) is not None


Kind = type[Game[Any]]
Key = tuple[SettingValue, ...]

KIND: Final = "numberquest atlas"
VERSION: Final = 1
WIDTHS: Final = {"value": "d", "first": "H", "positions": "Q"}
"""How the numbers of a column are written: chances in full, moves by their place in a list."""
MEASURE: Final = "f"
"""Array type of the column of a measure: floats of seven digits, more than people read."""
ADVANTAGE: Final = "advantage"
ALIKE, OUT_OF_REACH = "alike", "out_of_reach"
"""Reasons for one game in two rule sets: all measures are equal, or nobody reaches the target in either."""
UNKNOWN: Final = float("nan")


class BadAtlas(ValueError):
    """A file that is no atlas of this game, or not as it was made; the message says what is wrong."""


def path_of(kind: Kind) -> str | None:
    """The file of a game's atlas, beside its rules; None where there is none."""
    path = place_for(kind)
    return path if os.path.isfile(path) else None


def place_for(kind: Kind, what: str = f"atlas-{VERSION}") -> str:
    """Return the path of a file beside a game's rules: the atlas, unless `what` names another."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    stem, ending = os.path.splitext(os.path.basename(file))
    # A game in one file has it beside that file, under its name.
    name = f"{what}.bin" if stem + ending == "rules.py" else f"{stem}.{what}.bin"
    return os.path.join(os.path.dirname(file), name)


@dataclass(frozen=True, eq=False)
class Atlas:
    """Every rule set of one game: look one up with `row`, go through all with `rows`, or take a whole `column`."""

    kind: Kind
    hash: str
    """SHA-256 of the unpacked contents, the same for every maker of the atlas."""
    made: Sequence[Mapping[str, Any]]
    """Steps of making the atlas, each with `what`, `seconds` and `on`."""
    players: tuple[str, str]
    """Between whom the measures hold; `value` and `first` hold between perfect ones."""
    measures: tuple[str, ...]
    moves: Sequence[tuple[str, ...]]
    """Every list of first moves that occurs."""
    columns: Mapping[str, array[Any]]

    def __len__(self) -> int:
        return len(self.columns["value"])

    def row(self, **settings: object) -> SweepRow:
        """Return the row of a rule set; other settings are classic. `BadSetting` where there is no such setting."""
        return self.row_of(self.kind(**settings))

    def row_of(self, game: Game[Any]) -> SweepRow:
        """Return the row of this rule set."""
        if not on_map(game):
            raise BadSetting(f"{game.changes} is not on the map of {game.slug}")
        return self._row(place_of(self.kind, game.settings), game.settings)

    @cached_property
    def rows(self) -> list[SweepRow]:
        """All of them, in the order of the settings."""
        return list(self)

    def __iter__(self) -> Iterator[SweepRow]:
        return (self._row(place, settings) for place, settings in enumerate(all_settings(self.kind)))

    def each_once(self, keys: Iterable[Key]) -> tuple[set[Key], Counter[str]]:
        """Return the keys without those whose game stands there already, and how many are left out for which reason."""
        marks: dict[Any, Key] = {}
        left: Counter[str] = Counter()
        for key in keys:
            mark, why = self._marks.get(key, (key, ALIKE))
            if marks.setdefault(mark, key) != key:
                left[why] += 1
        return set(marks.values()), left

    @cached_property
    def _marks(self) -> dict[Key, tuple[Any, str]]:
        """Map each rule set to what is the same for all rule sets of its game, and to how that is known.

        Equal values alone say nothing: a symmetry can make them equal. Equal measures of players who err do, and so do
        the rules, where the reach of scores that the view declares lies below the target.
        """
        names = list(self.kind.fields)
        bounded: Any = [one for one in self.kind().view if getattr(one, "reach", None) is not None]
        field: Any = next((one for one in bounded if one.target in names), None)
        aim = -1 if field is None else names.index(field.target)
        last = {_but(row.key, aim): row for row in self.rows} if field is not None else {}
        reach = {rest: number(self.kind(**row.settings), field.reach) for rest, row in last.items()}
        marks: dict[Key, tuple[Any, str]] = {}
        first: dict[Any, SweepRow] = {}
        for row in self.rows:
            rest = _but(row.key, aim)
            beyond = rest in reach and int(row.key[aim]) > reach[rest]
            # What is known of the first target out of reach holds for all of them.
            known = first.setdefault((rest, row.value, row.first), row) if beyond else row
            figures = tuple(known.measures.values())
            mark = (known.value, known.first, figures) if figures and None not in figures else known.key
            marks[row.key] = mark, OUT_OF_REACH if beyond else ALIKE
        return marks

    @cached_property
    def fairest(self) -> tuple[str, list[SweepRow]]:
        """Return each game once, as far as that is known, the fairest first, then the shortest; and by which column.

        That is `value`; where nothing is left to chance no game is fair under best play, and it is `advantage` between
        players who err. Of two that people would not tell apart, the shorter one is first.
        """
        once, _ = self.each_once(row.key for row in self.rows)
        known = [row for row in self.rows if row.key in once]
        if any(0 < (row.value or 0) < 1 for row in known):
            column, far = "value", {row.key: abs(row.value - 0.5) for row in known if row.value is not None}
        else:
            column, shares = ADVANTAGE, {row.key: row.measures.get(ADVANTAGE) for row in known}
            far = {key: round(100 * abs(one)) / 200 for key, one in shares.items() if one is not None}
        length = {row.key: row.measures.get("length") for row in known}
        ranked = [row for row in known if far.get(row.key, 0.5) < 0.5]
        return column, sorted(ranked, key=lambda row: (far[row.key], length[row.key] or inf))

    def _row(self, place: int, settings: Mapping[str, Any]) -> SweepRow:
        value = self.columns["value"][place]
        known = not isnan(value)
        return SweepRow(
            dict(settings),
            _proper(value),
            self.moves[self.columns["first"][place]] if known else (),
            self.columns["positions"][place] or None,
            {name: _proper(self.columns[name][place]) for name in self.measures},
        )


def _but(key: Key, at: int) -> Key:
    return tuple(value for place, value in enumerate(key) if place != at)


def _proper(figure: float) -> float | None:
    """None where it is not known, and a whole number where it is certain."""
    return None if isnan(figure) else certain(figure)


def write(
    kind: Kind, rows: Sequence[SweepRow], players: Sequence[str], made: Sequence[Mapping[str, Any]], path: str
) -> None:
    """Write the file of an atlas; the rows are all of a game's, in the order of the settings."""
    measures = list(rows[0].measures)
    moves = sorted({row.first for row in rows}, key=lambda first: (len(first), first))
    number = {first: at for at, first in enumerate(moves)}
    figures: dict[str, list[Any]] = {
        "value": [row.value for row in rows],
        "first": [number[row.first] for row in rows],
        "positions": [row.positions or 0 for row in rows],
        **{name: [row.measures[name] for row in rows] for name in measures},
    }
    about = {
        "game": kind.slug,
        "settings": charted(kind),
        "rows": len(rows),
        "players": list(players),
        "measures": measures,
        "moves": moves,
    }
    text = json.dumps(about, separators=(",", ":")).encode() + b"\n"
    whole = text + b"".join(
        _apart(array(WIDTHS.get(name, MEASURE), [UNKNOWN if one is None else one for one in column]))
        for name, column in figures.items()
    )
    head = {"kind": KIND, "version": VERSION, "sha256": sha256(whole).hexdigest(), "made": list(made)}
    write_whole(path, [json.dumps(head).encode() + b"\n", zlib.compress(whole, 9)])


def read(kind: Kind, path: str) -> Atlas:
    """The atlas in a file; `BadAtlas` where it is not whole, or of another game."""
    with open(path, "rb") as file:
        first, _, packed = file.read().partition(b"\n")
    try:
        head = json.loads(first)
        whole = zlib.decompress(packed)
        text, _, figures = whole.partition(b"\n")
        about = json.loads(text)
        known = head["kind"] == KIND and head["version"] == VERSION
        sound = known and head["sha256"] == sha256(whole).hexdigest()
    except (ValueError, KeyError, TypeError, zlib.error):
        sound = False
    if not sound:
        raise BadAtlas(f"{path} is not as it was made: install numberquest anew")
    if (about["game"], about["settings"], about["rows"]) != (kind.slug, charted(kind), how_many(kind)):
        raise BadAtlas(f"{path} is of other rules than {kind.slug} has now: make it anew")
    return Atlas(
        kind,
        head["sha256"],
        head["made"],
        tuple(about["players"]),
        tuple(about["measures"]),
        [tuple(first) for first in about["moves"]],
        _columns((*FIXED, *about["measures"]), figures, about["rows"]),
    )


def _columns(names: Sequence[str], figures: bytes, rows: int) -> dict[str, array[Any]]:
    found, at = {}, 0
    for name in names:
        column = array(WIDTHS.get(name, MEASURE))
        size = column.itemsize * rows
        column.frombytes(_together(figures[at : at + size], column.itemsize))
        if sys.byteorder == "big":
            column.byteswap()
        found[name] = column
        at += size
    return found


def _apart(column: array[Any]) -> bytes:
    """The first bytes of all numbers, then the second ones, and so on: alike beside alike packs better."""
    if sys.byteorder == "big":
        column.byteswap()
    text = column.tobytes()
    return b"".join(text[at :: column.itemsize] for at in range(column.itemsize))


def _together(text: bytes, size: int) -> bytes:
    found, rows = bytearray(len(text)), len(text) // size
    for at in range(size):
        found[at::size] = text[at * rows : (at + 1) * rows]
    return bytes(found)


def charted(kind: Kind) -> list[str]:
    """The settings that the map goes through."""
    return [name for name, field in kind.fields.items() if not field.later]


def on_map(game: Game[Any]) -> bool:
    """Whether the map has this rule set: nothing is changed that came later."""
    return not any(game.fields[name].later for name in game.changed)


def place_of(kind: Kind, settings: Mapping[str, SettingValue]) -> int:
    """How many rule sets stand before this one."""
    names, place = list(kind.fields), 0
    settled: dict[str, SettingValue] = {}
    for at, name in enumerate(names):
        for value in kind.fields[name].charted(settled):
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
    values = kind.fields[name].charted(settled)
    if any(isinstance(field := kind.fields[other], UpTo) and field.other == name for other in others):
        return sum(_many(kind, others, {**settled, name: value}) for value in values)
    # The others do not depend on it.
    return len(values) * _many(kind, others, {**settled, name: values[0]})


def all_settings(kind: Kind) -> list[dict[str, SettingValue]]:
    """The settings of every rule set, in their order, without making a game of each."""
    found: list[dict[str, SettingValue]] = [{}]
    for name, field in kind.fields.items():
        found = [{**settled, name: value} for settled in found for value in field.charted(settled)]
    return found
