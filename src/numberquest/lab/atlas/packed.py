"""The file of an atlas: a line of JSON that says what it is, its hash, and the columns, packed.

The settings of a row are not written: they follow from where it stands. `read` needs no NumPy.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from array import array
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from numberquest.files import write_whole
from numberquest.lab.atlas.places import all_settings, how_many, place_of
from numberquest.lab.row import FIXED, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numberquest.contract import Game

    Kind = type[Game[Any]]

KIND: Final = "numberquest atlas"
VERSION: Final = 1
WIDTHS: Final = {"value": "d", "first": "H", "positions": "Q"}
"""How the numbers of a column are written: chances in full, moves by their place in a list."""
MEASURE: Final = "f"
"""And those of a measure: to seven digits, which is more than anybody reads."""
UNKNOWN: Final = float("nan")


class BadAtlas(ValueError):
    """A file that is no atlas of this game, or not as it was made; the message says what is wrong."""


def path_of(kind: Kind, version: int = VERSION) -> str | None:
    """The file of a game's atlas, beside its rules; None where there is none."""
    path = place_for(kind, version)
    return path if os.path.isfile(path) else None


def place_for(kind: Kind, version: int = VERSION) -> str:
    """Where the file of a game's atlas belongs."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    stem, ending = os.path.splitext(os.path.basename(file))
    # A game in one file has its atlas beside that file, under its name.
    name = f"atlas-{version}.bin" if stem + ending == "rules.py" else f"{stem}.atlas-{version}.bin"
    return os.path.join(os.path.dirname(file), name)


@dataclass(frozen=True, eq=False)
class Atlas:
    """Every rule set of one game: look one up with `row`, go through all with `rows`, or take a whole `column`."""

    kind: Kind
    hash: str
    """The SHA-256 of what it says, whoever made it and however it is packed."""
    made: Sequence[Mapping[str, Any]]
    """What was done for it: each with `what`, `seconds` and `on`."""
    players: tuple[str, str]
    """Between whom the measures hold; `value` and `first` hold between perfect ones."""
    measures: tuple[str, ...]
    moves: Sequence[tuple[str, ...]]
    """Every list of first moves that occurs."""
    columns: Mapping[str, array[Any]]

    def __len__(self) -> int:
        return len(self.columns["value"])

    def row(self, **settings: object) -> Row:
        """What is true of a rule set; what is not named is classic. `BadSetting` where there is no such setting."""
        return self.row_of(self.kind(**settings))

    def row_of(self, game: Game[Any]) -> Row:
        """What is true of this rule set."""
        return self._row(place_of(self.kind, game.settings), game.settings)

    @cached_property
    def rows(self) -> list[Row]:
        """All of them, in the order of the settings."""
        return list(self)

    def __iter__(self) -> Iterator[Row]:
        return (self._row(place, settings) for place, settings in enumerate(all_settings(self.kind)))

    def _row(self, place: int, settings: Mapping[str, Any]) -> Row:
        value = self.columns["value"][place]
        known = not isnan(value)
        return Row(
            dict(settings),
            _proper(value),
            self.moves[self.columns["first"][place]] if known else (),
            self.columns["positions"][place] or None,
            {name: _proper(self.columns[name][place]) for name in self.measures},
        )


def _proper(figure: float) -> float | None:
    """None where it is not known, and a whole number where it is certain."""
    if isnan(figure):
        return None
    return int(figure) if figure in (0, 1) else figure


def write(
    kind: Kind, rows: Sequence[Row], players: Sequence[str], made: Sequence[Mapping[str, Any]], path: str
) -> None:
    """Write the file of an atlas; the rows are all of a game's, in the order of the settings."""
    measures = list(rows[0].measures)
    moves = sorted({row.first for row in rows}, key=lambda first: (len(first), first))
    number = {first: at for at, first in enumerate(moves)}
    figures: dict[str, list[Any]] = {
        "value": [UNKNOWN if row.value is None else row.value for row in rows],
        "first": [number[row.first] for row in rows],
        "positions": [row.positions or 0 for row in rows],
        **{name: [_or_unknown(row.measures[name]) for row in rows] for name in measures},
    }
    about = {
        "game": kind.slug,
        "settings": list(kind.fields),
        "rows": len(rows),
        "players": list(players),
        "measures": measures,
        "moves": moves,
    }
    text = json.dumps(about, separators=(",", ":")).encode() + b"\n"
    whole = text + b"".join(_apart(array(_width(name), column)) for name, column in figures.items())
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
    if (about["game"], about["settings"], about["rows"]) != (kind.slug, list(kind.fields), how_many(kind)):
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
        column = array(_width(name))
        size = column.itemsize * rows
        column.frombytes(_together(figures[at : at + size], column.itemsize))
        if sys.byteorder == "big":
            column.byteswap()
        found[name] = column
        at += size
    return found


def _width(name: str) -> str:
    return WIDTHS.get(name, MEASURE)


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


def _or_unknown(figure: float | None) -> float:
    return UNKNOWN if figure is None else figure
