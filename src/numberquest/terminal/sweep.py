"""What `sweep` does at the terminal: say what is ahead, work it out, and write and show the table."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.crew import crew_of
from numberquest.games import kind_for
from numberquest.lab.pictures.plot import planned
from numberquest.lab.ranges import combinations, read_ranges
from numberquest.lab.row import FIXED, PART, Row, as_csv, check_parquet, read_table, write_table
from numberquest.lab.sweep import BEST_PLAY, MOST, Sweep
from numberquest.lab.where import FAIRNESS, Where, figure
from numberquest.mistake import FAILURE, Mistake
from numberquest.players import PLAYERS
from numberquest.sentences import percent
from numberquest.settings import BadSetting, as_text, whole_in
from numberquest.solver import NoDevice
from numberquest.solver.device import CPU
from numberquest.terminal.messages import tell
from numberquest.terminal.new_file import check_new, write_new
from numberquest.terminal.progress import Progress, in_minutes, waiting_for
from numberquest.terminal.report import check_report, write_report
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numberquest.crew import Crew
    from numberquest.lab.report import Report
    from numberquest.lab.sweep import Estimate
    from numberquest.lab.swept import Swept

STDOUT: Final = "-"
MOST_JOBS: Final = 256
MOST_DIGITS: Final = 12
SHOWN: Final = 20
"""So many rows are shown at the terminal."""
WORTH_SAYING: Final = 10.0
"""Work of fewer seconds is begun without a word."""
WIDEST: Final = 30
"""A cell of moves is cut at so many letters."""
DOWN: Final = "down"


class SweepOptions(NamedTuple):
    """What somebody asked for at the command line, as it was typed."""

    game: str
    set: Sequence[str] = ()
    measure: str = ""
    players: str = ",".join(BEST_PLAY)
    where: str | None = None
    sort: str | None = None
    most: str | None = None
    out: str | None = None
    start: str | None = None
    plot: str | None = None
    report: str | None = None
    server: str | None = None
    jobs: str = "1"
    cluster: str | None = None
    device: str = CPU
    force: bool = False


class Found(NamedTuple):
    """What came out: the sweep, all its rows, and those that were asked for, in the order that was asked for."""

    sweep: Sweep
    rows: list[Row]
    chosen: list[Row]

    def data(self) -> list[dict[str, Any]]:
        """For programs: the rows that were asked for."""
        return [row.data() for row in self.chosen]

    def csv(self) -> str:
        """The same as a table."""
        return as_csv(self.sweep.columns, self.chosen)


def swept(asked: SweepOptions) -> Found:
    """Work out what was asked for, and write the files."""
    try:
        sweep, where = asked_sweep(asked)
        order = _order(asked.sort, sweep.columns)
    except BadSetting as error:
        raise Mistake(str(error)) from None
    _check_files(asked, sweep)
    with sweep.swept(_part(asked)) as rows:
        worked = worked_out(sweep, rows, asked)
        chosen = [row for row in worked if where is None or where.holds(row.data())]
        found = Found(sweep, worked, chosen if order is None else sorted_by(chosen, *order))
        if asked.out is not None and asked.out != STDOUT:
            write_table(asked.out, sweep.columns, found.chosen)
            tell(f"The table: {asked.out}")
        rows.remove()
    _draw(asked, found)
    return found


def _part(asked: SweepOptions) -> str | None:
    """Where rows are kept until the table is written."""
    return None if asked.out is None or asked.out == STDOUT else f"{asked.out}{PART}"


def asked_sweep(asked: SweepOptions) -> tuple[Sweep, Where | None]:
    """The sweep, without the settings that the condition rules out beforehand; `BadSetting` says what is wrong."""
    kind = kind_for(asked.game)
    games = combinations(kind, read_ranges(kind, asked.set))
    measures = [name.strip() for name in asked.measure.split(",") if name.strip()]
    sweep = Sweep(kind, games, measures, players_of(asked.players), most_of(asked.most))
    if asked.where is None:
        return sweep, None
    where = Where(asked.where, sweep.columns)
    sweep.games = [game for game in games if where.holds(game.settings) is not False]
    if not sweep.games:
        raise BadSetting(f"--where {asked.where} leaves none of the {len(games):,} settings")
    return sweep, where


def players_of(text: str) -> tuple[str, str]:
    """The two who play; `BadSetting` where there are no such two."""
    players = text.split(",")
    if len(players) != 2 or not set(players) <= set(PLAYERS):
        raise BadSetting(f"--players wants two of {', '.join(PLAYERS)}, such as medium,hard, not {text}")
    return players[0], players[1]


def most_of(text: str | None) -> float:
    """How many positions a rule set may have; `BadSetting` where that is no number."""
    if text is None:
        return MOST
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS and int(digits)):
        raise BadSetting(f"--most wants a number of positions, such as 1,000,000, not {text}")
    return int(digits)


def _order(text: str | None, columns: Sequence[str]) -> tuple[str, bool] | None:
    """By which column, and whether the highest comes first."""
    if text is None:
        return None
    column, _, way = text.partition(",")
    if column not in (*columns, FAIRNESS) or way not in ("", DOWN):
        known = ", ".join([FAIRNESS, *columns])
        raise BadSetting(f"--sort wants one of {known}, or with the highest first {column},{DOWN}, not {text}")
    return column, way == DOWN


def sorted_by(rows: Sequence[Row], column: str, down: bool = False) -> list[Row]:
    """The rows by what stands in a column, the lowest first; what is not known stands at the end."""
    known = [(figure(row.data(), column), row) for row in rows]
    there = sorted((one for one in known if one[0] is not None), key=lambda one: one[0], reverse=down)
    return [row for _, row in there] + [row for found, row in known if found is None]


def _check_files(asked: SweepOptions, sweep: Sweep) -> None:
    """`Mistake` where something cannot be written: said before the work is done, not after it."""
    check_jobs(asked.jobs)
    if asked.device != CPU and (asked.measure or asked.cluster or asked.jobs != "1"):
        raise Mistake(
            f"--device {asked.device} solves by itself, and measures nothing: leave out what does not go with it"
        )
    if asked.force and not (asked.out or asked.plot or asked.report):
        raise Mistake("--force writes over a file, so say which: --out, --plot or --report FILE")
    if asked.out is not None and asked.out != STDOUT:
        check_new(asked.out, "table", force=asked.force)
        check_parquet(asked.out)
    check_picture(asked.plot, force=asked.force)
    if asked.plot is not None:
        try:
            planned([game.settings for game in sweep.games])
        except BadSetting as error:
            raise Mistake(str(error)) from None
    if asked.report is not None:
        check_report(asked.report, force=asked.force)
    check_server(asked.server, asked.report)


def check_picture(path: str | None, *, force: bool) -> None:
    """`Mistake` where a picture cannot be written there; said before the work is done, not after it."""
    if path is None:
        return
    check_new(path, "picture", force=force)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise Mistake(f"there is no folder {folder} for the picture")


def check_jobs(text: str) -> int:
    """How many settings are worked out at a time; `Mistake` where that is no number."""
    jobs = whole_in(text)
    if jobs is None or not 1 <= jobs <= MOST_JOBS:
        raise Mistake(f"--jobs wants a whole number from 1 to {MOST_JOBS}, not {text}")
    return jobs


def check_server(address: str | None, report: str | None) -> str | None:
    """The address of a server as links lead there; `Mistake` where none can."""
    if address is None:
        return None
    if report is None:
        raise Mistake("--server is where a report leads to play: say --report FILE too")
    if not address.startswith(("http://", "https://")):
        raise Mistake(f"--server wants an address such as https://example.org, not {address}")
    return f"{address.rstrip('/')}/"


def worked_out(sweep: Sweep, rows: Swept, asked: SweepOptions) -> list[Row]:
    """Every row: those that were kept, and the others worked out."""
    if asked.start is not None:
        rows.add(read_table(asked.start, sweep.kind, sweep.task.measures))
    missing = sweep.missing(rows)
    if len(missing) < len(sweep.games):
        where = asked.start or _part(asked)
        tell(f"{len(sweep.games) - len(missing):,} of {len(sweep.games):,} rows are in {where} already.")
    if not missing:
        return sweep.run(rows)
    if asked.device != CPU:
        try:
            with _told_where(sweep, rows), Progress(f"Solving {len(missing):,} settings", estimate=True) as progress:
                return sweep.run_on(asked.device, rows, progress)
        except NoDevice as error:
            raise Mistake(str(error), FAILURE) from None
    with _told_where(sweep, rows), crew_of(int(asked.jobs), asked.cluster) as crew:
        with waiting_for("Looking how long it takes"):
            ahead = sweep.estimate(rows)
        say_what_is_ahead(ahead, crew, cluster=asked.cluster is not None)
        with Progress(f"Working out {len(missing):,} settings", estimate=True) as progress:
            return sweep.run(rows, crew, progress)


@contextmanager
def _told_where(sweep: Sweep, rows: Swept) -> Iterator[None]:
    """Whoever interrupts is told what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if rows.journal is not None:
            done = len(sweep.games) - len(sweep.missing(rows))
            tell(
                f"\n{done:,} of {len(sweep.games):,} rows are kept in {rows.journal.path}: "
                "the same command goes on from there."
            )
        raise


def say_what_is_ahead(ahead: Estimate, crew: Crew | None, *, cluster: bool) -> None:
    """How much there is to do, where it takes a while, and what is too large."""
    number = 1 if crew is None else crew.number
    seconds = ahead.seconds / number
    if seconds < WORTH_SAYING and not ahead.too_large:
        return
    cores = "one core" if number == 1 else f"{number} {'workers' if cluster else 'cores'}"
    sentence = f"{ahead.settings:,} settings, {in_minutes(seconds)} on {cores}"
    if ahead.too_large:
        are = "is" if ahead.too_large == 1 else "are"
        sentence += f"; {ahead.too_large:,} {are} too large, say --most to choose"
    tell(f"{sentence}.")


def _draw(asked: SweepOptions, found: Found) -> None:
    """The picture and the report, where somebody wants them."""
    if asked.plot is not None:
        write_new(asked.plot, _picture(found), "picture", force=asked.force)
        tell(f"The picture: {asked.plot}")
    if asked.report is not None:
        report = _report(asked, found)
        write_report(asked.report, report.html(), report.data(), force=asked.force)


def _about(found: Found) -> list[str]:
    lines = [_summary(found)]
    if {row.value for row in found.rows if row.value is not None} <= {0, 1}:
        lines.append("Without chance one player always wins under best play: no setting is fairer than another.")
    if found.sweep.task.measures:
        lines.append(f"The measures are those of games between {' and '.join(found.sweep.task.players)}.")
    return lines


def _report(asked: SweepOptions, found: Found) -> Report:
    from numberquest.lab.measures import MEASURES
    from numberquest.lab.report import BEST, Best, Report

    known = [row for row in found.chosen if row.value is not None]
    best = known if asked.sort is not None else sorted_by(known, FAIRNESS)
    return Report(
        kind=found.sweep.kind,
        named=asked.game,
        title=named(found.sweep),
        about=_about(found),
        heading=f"The first ten by {asked.sort}" if asked.sort is not None else "The ten nearest to fair",
        best=[Best(row) for row in best[:BEST]],
        rows=found.rows,
        meanings=MEASURES,
        server=check_server(asked.server, asked.report),
    )


def _picture(found: Found) -> str:
    from numberquest.lab.measures import MEASURES
    from numberquest.lab.pictures.plot import plot

    kept = {row.key for row in found.chosen}
    # What the condition leaves out is not drawn, but keeps its place.
    rows = [
        row if row.key in kept else row._replace(value=None, measures=dict.fromkeys(row.measures)) for row in found.rows
    ]
    return plot(named(found.sweep), rows, MEASURES)


def named(sweep: Sweep) -> str:
    """What was swept, in a few words: `target 20 to 60, copies 1, 2`."""
    from numberquest.lab.pictures.plot import varied

    said = []
    for name, values in varied([game.settings for game in sweep.games]).items():
        said.append(f"{name} {in_short([as_text(value) for value in values])}")
    return f"{sweep.kind.slug}: {'; '.join(said) or 'classic rules'}"


def sweep_in_words(found: Found) -> str:
    """The answer of `sweep` for a person: what it comes to, and the first rows."""
    sweep, _, chosen = found
    if not chosen:
        return f"None of the {len(found.rows):,} settings is as asked for."
    lines = [_summary(found), ""]
    varied = [name for name in sweep.kind.fields if len({row.settings[name] for row in found.rows}) > 1]
    heads = [*varied, *FIXED, *sweep.task.measures]
    table = [[_cell(row, name) for name in heads] for row in chosen[:SHOWN]]
    widths = [max(map(len, column)) for column in zip(heads, *table, strict=True)]
    for cells in (heads, *table):
        line = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(line.rstrip())
    if len(chosen) > SHOWN:
        lines += ["", f"These are {SHOWN} of {len(chosen):,}: --out FILE.csv writes all."]
    return "\n".join(lines)


def _summary(found: Found) -> str:
    """How many settings there are, and who wins them."""
    known = [row.value for row in found.chosen if row.value is not None]
    ones, twos = sum(value == 1 for value in known), sum(value == 0 for value in known)
    even = sum(value == 0.5 for value in known)
    many = f"{len(found.chosen):,} setting{'' if len(found.chosen) == 1 else 's'}"
    if len(found.chosen) < len(found.rows):
        many += f" of {len(found.rows):,}"
    said = []
    if ones:
        said.append(f"Player 1 wins {ones:,} for certain")
    if twos:
        said.append(f"Player 2 wins {twos:,}{'' if ones else ' for certain'}")
    if even:
        said.append(f"{even:,} {'is' if even == 1 else 'are'} exactly even")
    between = len(known) - ones - twos - even
    if between:
        said.append(f"in {between:,} chance decides who wins")
    large = len(found.chosen) - len(known)
    if large:
        said.append(f"{large:,} {'is' if large == 1 else 'are'} too large")
    return f"{found.sweep.kind.slug}: {many}; {', '.join(said)}."


def _cell(row: Row, column: str) -> str:
    found = row.data()[column]
    if found is None:
        return "-"
    if column == "value":
        return percent(found)
    if column == "first":
        return in_short(found)[:WIDEST]
    if column == "positions":
        return f"{found:,}"
    return as_text(found) if column in row.settings else f"{found:.4g}"
