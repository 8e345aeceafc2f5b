"""One row of a sweep, and many of them as a table of CSV."""

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import write_whole
from numberquest.core.settings import SettingValue, as_text

FIXED: Final = ("value", "first", "positions")
"""The columns behind the settings, before the measures."""
PART: Final = ".part"
"""Behind the name of the file that is to be: what there is of it so far."""


def certain(value: float) -> float:
    """A chance, as a whole number where it is certain, as `solve` tells it."""
    return int(value) if value in (0, 1) else value


class SweepRow(NamedTuple):
    """One rule set: its settings, and what is true of it; None where it is too large to know."""

    settings: dict[str, SettingValue]
    value: float | None
    first: tuple[str, ...]
    """The best first moves; none where chance opens."""
    positions: int | None
    measures: dict[str, float | None]
    over: float | None = None
    """Of a rule set that is too large: the bound on positions that was passed; None where memory ran out."""

    @property
    def key(self) -> tuple[SettingValue, ...]:
        """Return the settings that tell this row from the others."""
        return tuple(self.settings.values())

    @property
    def name(self) -> str:
        """All its settings, as they are typed."""
        return " ".join(f"{name}={as_text(value)}" for name, value in self.settings.items())

    def data(self) -> dict[str, Any]:
        """One field for each column."""
        return {
            **self.settings,
            "value": self.value,
            "first": None if self.value is None else list(self.first),
            "positions": self.positions,
            **self.measures,
        }


def cells(row: SweepRow) -> list[str]:
    """Return the cells of the row as text."""
    first = "" if row.value is None else " ".join(row.first)
    figures = [row.positions, *row.measures.values()]
    return [*map(as_text, row.settings.values()), _text(row.value), first, *map(_text, figures)]


def _text(figure: float | None) -> str:
    # The shortest text that is exactly this number when it is read.
    return "" if figure is None else repr(figure)


def as_csv(columns: Sequence[str], rows: Iterable[SweepRow]) -> str:
    """The table, as programs and spreadsheets read it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(cells, rows))
    return text.getvalue()


def read_table(path: str, kind: type[Game[Any]], measures: Sequence[str]) -> list[SweepRow]:
    """The rows of a table of CSV that an earlier sweep has written, but for those that were too large."""
    needed = [*kind.fields, *FIXED, *measures]
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            lacking = [name for name in needed if name not in (reader.fieldnames or ())]
            if lacking:
                raise UsageError(f"{path} is no table of such a sweep: it has no column {lacking[0]}", FAILURE)
            return [_row_of(line, kind, measures) for line in reader if line["value"]]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", FAILURE) from None
    except (ValueError, TypeError, csv.Error) as error:
        raise UsageError(f"{path} is no table of a sweep: {error}", FAILURE) from None


def _row_of(line: Mapping[str, str], kind: type[Game[Any]], measures: Sequence[str]) -> SweepRow:
    settings = {name: field.parse(line[name]) for name, field in kind.fields.items()}
    value, positions, *figures = (_number(line[name]) for name in ("value", "positions", *measures))
    return SweepRow(
        kind(**settings).settings,
        value,
        _moves_in(line["first"], kind(**settings).actions),
        None if positions is None else int(positions),
        dict(zip(measures, figures, strict=True)),
    )


def _moves_in(text: str, actions: Sequence[str]) -> tuple[str, ...]:
    """The moves in a text with blanks between, though some have a blank of their own: `predict 45`."""
    moves: list[str] = []
    waiting = ""
    for word in text.split():
        waiting = f"{waiting} {word}".strip()
        if waiting in actions:
            moves.append(waiting)
            waiting = ""
    if waiting:
        raise ValueError(f"{waiting} is no move")
    return tuple(moves)


def _number(text: str) -> float | None:
    if not text:
        return None
    return int(text) if text.isdecimal() else float(text)


def write_table(path: str, columns: Sequence[str], rows: Sequence[SweepRow]) -> None:
    """Write the table as CSV, whole or not at all."""
    try:
        write_whole(os.path.realpath(path), [as_csv(columns, rows).encode()])
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}. The rows are kept in {path}{PART}: "
            "run the same command again, and it goes on from there",
            FAILURE,
        ) from None
