"""`review FILE …`: the reviews of records, in words, as data, as one table, as a picture, and from a mistake on."""

import csv
import json
import shlex
import sys
from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from numberquest.core.contract import in_words
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.names import no_formula
from numberquest.core.record import Record
from numberquest.explain.review import Review
from numberquest.terminal.commands.arguments import STDIN, check_players, program, read_each, read_record
from numberquest.terminal.commands.class_report import class_report, pupils
from numberquest.terminal.commands.play import play_on
from numberquest.terminal.commands.report import write_new
from numberquest.terminal.commands.review_words import as_data, retry, reviewed, show
from numberquest.terminal.options import Files, Force, Json, option
from numberquest.terminal.prompt.console import Console, columns, folded, tell

COLUMNS: Final = (
    *("file", "date", "game", "settings", "result"),
    *("number", "player", "name", "type", "move", "before", "after", "loss", "best", "verdict"),
    *("key", "key_moments", "why"),
)
"""Of the table, one row for each move: first what is the same for the whole game, last why it was a mistake."""
PLAYER_COLUMNS: Final = ("name", "games", "won", "key_moments", "mistakes")
"""Of the table by player, one row for each."""


class ReviewOptions(NamedTuple):
    """What can be said to `review`."""

    files: Files
    json: Json = False
    csv: Annotated[bool, option("one table of all moves, for a spreadsheet")] = False
    by: Annotated[str | None, option("of many games: a row for each player, and the commonest slips", "player")] = None
    svg: Annotated[str | None, option("draw a picture of it into this file", "FILE")] = None
    force: Force = False
    retry: Annotated[bool, option("go back to the first mistake and play on from there")] = False
    plain: bool = False


def run_review(options: ReviewOptions) -> None:
    _check_together(options)
    console = Console.standard(plain=options.plain)
    if options.retry:
        path = options.files[0]
        record = read_record(path)
        found = reviewed(record)
        check_players(path, record)
        play_on(retry(console, record, found), console)
    elif options.json:
        _print_data(options)
    elif options.by is not None:
        _by_player(options, console)
    elif options.csv:
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerow(COLUMNS)
        for path, record, found in _each(options):
            table.writerows(_csv_rows(path, record, found))
    else:
        _show_each(options, console)


def _by_player(options: ReviewOptions, console: Console) -> None:
    reviewed = [(record, found) for _, record, found in _each(options)]
    if not options.csv:
        for line in class_report(reviewed, console.room):
            console.say(line)
        return
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(PLAYER_COLUMNS)
    table.writerows((no_formula(name), *figures) for name, *figures in pupils(reviewed))


def _check_together(options: ReviewOptions) -> None:
    """`UsageError` where what was asked for does not go together."""
    if options.retry and (options.json or options.csv or options.svg):
        raise UsageError("--retry plays on: leave --json, --csv and --svg out")
    if options.json and options.csv:
        raise UsageError("--json and --csv are two ways to write the same: choose one")
    if options.by not in (None, "player"):
        raise UsageError(f"--by can only be player, not {options.by}")
    if options.by and (options.retry or options.json or options.svg):
        raise UsageError("--by player is a table of many games: leave --retry, --json and --svg out")
    if options.csv and options.svg:
        raise UsageError("--csv makes one table and --svg one picture: choose one")
    if options.force and not options.svg:
        raise UsageError("--force writes over a picture, so say which: --svg FILE")
    if options.retry and "-" in options.files:
        raise UsageError("--retry asks at the keyboard, so the record must be in a file")
    for name, wished in (("--retry", options.retry), ("--svg", options.svg)):
        if wished and len(options.files) > 1:
            raise UsageError(f"{name} is for one game: name one file")


def _show_each(options: ReviewOptions, console: Console) -> None:
    many = len(options.files) > 1
    for number, (path, record, found) in enumerate(_each(options)):
        if number:
            console.say()
        if many:
            console.say(f"{path}:", "heading")
        show(console, found, record)
        if not many and path != STDIN and found.first_mistake(record.people) is not None:
            again = f"{program(found.game)} review {shlex.quote(path)} --retry"
            hint = f"To go back to the first mistake and play on from there: {again}"
            tell(folded(hint, columns(sys.stderr)))


def _print_data(options: ReviewOptions) -> None:
    """One review as it is, or several in a list, each with its file."""
    data, trouble = [], None
    try:
        for path, record, found in _each(options):
            data.append((path, as_data(record, found)))
    except UsageError as mistake:
        # What could be reviewed is printed all the same.
        trouble = mistake
    if len(options.files) > 1:
        print(json.dumps([{"file": path, **one} for path, one in data]))
    elif data:
        print(json.dumps(data[0][1]))
    if trouble is not None:
        raise trouble


def _each(options: ReviewOptions) -> Iterator[tuple[str, Record, Review]]:
    """The records with their reviews. Of several, one that cannot be reviewed is told, and the others follow."""
    bad, paths = 0, options.files
    for path, record in read_each(paths):
        try:
            found = reviewed(record)
        except UsageError as mistake:
            if len(paths) == 1:
                raise
            tell(f"numberquest: {path} cannot be reviewed: {mistake}")
            bad += 1
        else:
            if options.svg is not None:
                from numberquest.terminal.commands.review_chart import picture

                write_new(options.svg, picture(found, record.names), "picture", force=options.force)
            yield path, record, found
    if bad:
        raise UsageError(f"{bad} of {len(paths)} records could not be reviewed", FAILURE)


def _csv_rows(path: str, record: Record, found: Review) -> Iterator[list[object]]:
    game = record.match.game
    whole = [no_formula(path), record.date, game.slug, game.settings_text, record.result]
    for verdict in found:
        seat = verdict.player
        key = ["yes" if verdict.key else "no", "{} of {}".format(*found.key_moments[seat])]
        who = [verdict.number, seat + 1, no_formula(record.names[seat]), record.kinds[seat], no_formula(verdict.move)]
        worth = [float(verdict.before), float(verdict.after), float(verdict.loss)]
        best = no_formula(" or ".join(verdict.best))
        yield [*whole, *who, *worth, best, verdict.verdict, *key, no_formula(in_words(game, verdict.why, record.names))]
