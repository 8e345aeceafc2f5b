"""`review FILE …`: the reviews of one record or of many, in words, as data, or as one table for a spreadsheet."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Final

from numberquest.mistake import FAILURE, Mistake
from numberquest.terminal import review as reviews
from numberquest.terminal.arguments import STDIN, read_each
from numberquest.terminal.folding import columns, folded
from numberquest.terminal.messages import program, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numberquest.record import Record
    from numberquest.terminal.console import Console
    from numberquest.verdicts import Review

COLUMNS: Final = (
    *("file", "date", "game", "settings", "result"),
    *("number", "player", "name", "type", "move", "before", "after", "loss", "best", "verdict", "accuracy"),
)
"""Of the table, one row for each move: first what is the same for the whole game, last the player's accuracy in it."""
FORMULA: Final = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula."""


def show(paths: Sequence[str], console: Console, svg: str | None, *, force: bool) -> int:
    """The reviews one after the other, for people."""
    for number, (path, record, found) in enumerate(_each(paths)):
        if svg is not None:
            reviews.save_picture(svg, record, found, force=force)
        if number:
            console.say()
        if len(paths) > 1:
            console.say(f"{path}:", "heading")
        reviews.show(console, found, record)
        if len(paths) == 1 and path != STDIN and found.first_mistake(record.people) is not None:
            again = f"{program(found.game)} review {shlex.quote(path)} --retry"
            hint = f"To go back to the first mistake and play on from there: {again}"
            tell(folded(hint, columns(sys.stderr)))
    return 0


def print_data(paths: Sequence[str], svg: str | None, *, force: bool) -> int:
    """One review as it is, or several in a list, each with its file."""
    import json

    data = []
    trouble: Mistake | None = None
    try:
        for path, record, found in _each(paths):
            if svg is not None:
                reviews.save_picture(svg, record, found, force=force)
            data.append({"file": path, **reviews.as_data(record, found)})
    except Mistake as mistake:
        trouble = mistake
    if len(paths) > 1:
        print(json.dumps(data))
    elif data:
        print(json.dumps({field: value for field, value in data[0].items() if field != "file"}))
    if trouble is not None:
        raise trouble
    return 0


def print_table(paths: Sequence[str]) -> int:
    """All moves of all games as CSV, one table, with a heading."""
    import csv

    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for path, record, found in _each(paths):
        table.writerows(_rows(path, record, found))
    return 0


def _each(paths: Sequence[str]) -> Iterator[tuple[str, Record, Review]]:
    """The records with their reviews. Of several, one that cannot be reviewed is told, and the others follow."""
    bad = 0
    for path, record in read_each(paths):
        try:
            found = reviews.reviewed(record)
        except Mistake as mistake:
            if len(paths) == 1:
                raise
            tell(f"numberquest: {path} cannot be reviewed: {mistake}")
            bad += 1
        else:
            yield path, record, found
    if bad:
        raise Mistake(f"{bad} of {len(paths)} records could not be reviewed", FAILURE)


def _rows(path: str, record: Record, found: Review) -> Iterator[list[object]]:
    game = record.match.game
    whole = [_safe(path), record.date, game.slug, game.settings_text, record.result]
    for verdict in found:
        seat, accuracy = verdict.player, found.accuracy[verdict.player]
        who = [verdict.number, seat + 1, _safe(record.names[seat]), record.kinds[seat], _safe(verdict.move)]
        worth = [float(verdict.before), float(verdict.after), float(verdict.loss)]
        best = _safe(" or ".join(verdict.best))
        yield [*whole, *who, *worth, best, verdict.verdict, "" if accuracy is None else round(accuracy, 1)]


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula: those who open the table did not write the names in it."""
    return f"'{text}" if text.startswith(FORMULA) else text
