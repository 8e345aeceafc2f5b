"""The command `sweep`: estimate the work, compute the rows, and write and show the table."""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from numberquest.core.errors import UsageError
from numberquest.core.registry import kind_for
from numberquest.core.sentences import either, in_short, percent
from numberquest.core.settings import as_text
from numberquest.report.report import Block, Column, Paragraph, Report, Table, TableRow, brief, counted
from numberquest.solver.device import CPU
from numberquest.study.atlas import ADVANTAGE, atlas_of
from numberquest.study.journal import Swept
from numberquest.study.measures import MEASURES
from numberquest.study.plot import planned, plot, varied
from numberquest.study.row import FIXED, PART, SweepRow, as_csv, read_table, write_table
from numberquest.study.rule_sets import FAIRNESS, Kind, Where, combinations, figure, read_ranges
from numberquest.study.sweep import BEST_PLAY, MOST, Sweep, SweepEstimate
from numberquest.study.sweep_report import BEST, Best, Explorer
from numberquest.study.workers import Workers, workers_for
from numberquest.terminal.commands.arguments import jobs_in, levels_in
from numberquest.terminal.commands.progress import Progress, in_minutes, told_what_is_kept, waiting_for
from numberquest.terminal.commands.report import answer, check_new, check_picture, check_report, write_picture, written
from numberquest.terminal.options import Device, Force, GameName, Json, ReportFile, option
from numberquest.terminal.prompt.console import tell

STDOUT: Final = "-"
MOST_DIGITS: Final = 12
SHOWN: Final = 20
WORTH_SAYING: Final = 10.0
"""Work of fewer seconds is begun without a word."""
WIDEST: Final = 30
"""Characters of a cell of moves; a longer list names the first moves and counts the others."""
DOWN: Final = "down"


Ranges = Annotated[
    Sequence[str],
    option(
        "values of a setting: target=20..60, copies=1,2, target=20..60..10, ops=all; others stay classic", "NAME=VALUE"
    ),
]
Most = Annotated[str | None, option("leave out what has more positions than this (1,000,000,000)", "N")]
Start = Annotated[str | None, option("take what a sweep has found before from its table", "FILE", name="--from")]
Plot = Annotated[str | None, option("draw it into this file of SVG", "FILE")]
Server = Annotated[str | None, option("a server to play on, for the report: https://example.org", "ADDRESS")]
Jobs = Annotated[str, option("so many settings at a time, each on a core (1)", "N")]
Cluster = Annotated[str | None, option("work on a cluster of Dask: tcp://host:8786", "ADDRESS")]


class SweepOptions(NamedTuple):
    """Options of `sweep`."""

    game: GameName
    set: Ranges = ()
    most: Most = None
    start: Start = None
    plot: Plot = None
    report: ReportFile = None
    server: Server = None
    jobs: Jobs = "1"
    cluster: Cluster = None
    force: Force = False
    players: Annotated[
        str, option("the measures are those of games between these two (perfect,perfect)", "PLAYER,PLAYER")
    ] = ",".join(BEST_PLAY)
    measure: Annotated[str, option("further columns: length,luck,skill ...", "MEASURES")] = ""
    where: Annotated[str | None, option("such rows alone: 'value>0.45 and copies==2'", "CONDITION")] = None
    sort: Annotated[str | None, option("by a column; fairness: nearest to one half first; length,down", "COLUMN")] = (
        None
    )
    device: Device = CPU
    out: Annotated[str | None, option("write the table there, as CSV; - is standard output", "FILE")] = None
    json: Json = False


def run_sweep(options: SweepOptions) -> None:
    if options.json and options.out == STDOUT:
        raise UsageError("--json and --out - both go to standard output: choose one")
    found = swept(options)
    if options.out == STDOUT:
        print(found.csv(), end="")
    else:
        answer(_report(found), json=options.json)


class Found(NamedTuple):
    """The result of a sweep: all rows, and the rows that the options choose, in their order."""

    sweep: Sweep
    rows: list[SweepRow]
    chosen: list[SweepRow]

    def csv(self) -> str:
        return as_csv(self.sweep.columns, self.chosen)


def swept(asked: SweepOptions) -> Found:
    sweep, where = asked_sweep(asked)
    order = _order(asked.sort, sweep.columns)
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
    """Return the path of the file that keeps rows until the table is written."""
    return None if asked.out is None or asked.out == STDOUT else f"{asked.out}{PART}"


def asked_sweep(asked: SweepOptions) -> tuple[Sweep, Where | None]:
    """Return the sweep without the settings that the condition rules out."""
    kind = kind_for(asked.game)
    games = combinations(kind, read_ranges(kind, asked.set))
    measures = [name.strip() for name in asked.measure.split(",") if name.strip()]
    sweep = Sweep(kind, games, measures, levels_in(asked.players), most_of(asked.most))
    if asked.where is None:
        return sweep, None
    where = Where(asked.where, sweep.columns)
    sweep.games = [game for game in games if where.holds(game.settings) is not False]
    if not sweep.games:
        raise UsageError(f"--where {asked.where} leaves none of the {len(games):,} settings")
    return sweep, where


def most_of(text: str | None) -> float:
    if text is None:
        return MOST
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS and int(digits)):
        raise UsageError(f"--most wants a number of positions, such as 1,000,000, not {text}")
    return int(digits)


def _order(text: str | None, columns: Sequence[str]) -> tuple[str, bool] | None:
    if text is None:
        return None
    column, _, way = text.partition(",")
    if column not in (*columns, FAIRNESS) or way not in ("", DOWN):
        known = ", ".join([FAIRNESS, *columns])
        raise UsageError(f"--sort wants one of {known}, or with the highest first {column},{DOWN}, not {text}")
    return column, way == DOWN


def sorted_by(rows: Sequence[SweepRow], column: str, down: bool = False) -> list[SweepRow]:
    known = [(figure(row.data(), column), row) for row in rows]
    there = sorted((one for one in known if one[0] is not None), key=lambda one: one[0], reverse=down)
    return [row for _, row in there] + [row for found, row in known if found is None]


def _check_files(asked: SweepOptions, sweep: Sweep) -> None:
    """`UsageError` where something cannot be written: said before the work is done, not after it."""
    jobs_in(asked.jobs)
    if asked.device != CPU and (asked.measure or asked.cluster or asked.jobs != "1"):
        raise UsageError(
            f"--device {asked.device} solves by itself, and measures nothing: leave out what does not go with it"
        )
    if asked.force and not (asked.out or asked.plot or asked.report):
        raise UsageError("--force writes over a file, so say which: --out, --plot or --report FILE")
    if asked.out is not None and asked.out != STDOUT:
        check_new(asked.out, "table", force=asked.force)
    if asked.plot is not None:
        planned([game.settings for game in sweep.games])
    check_drawn(asked.plot, asked.report, asked.server, force=asked.force)


def check_drawn(plot: str | None, report: str | None, server: str | None, *, force: bool) -> None:
    """`UsageError` where a picture or a report cannot be written, or leads nowhere."""
    check_picture(plot, force=force)
    if report is not None:
        check_report(report, force=force)
    check_server(server, report)


def check_server(address: str | None, report: str | None) -> str | None:
    """The address of a server as links lead there; `UsageError` where none can."""
    if address is None:
        return None
    if report is None:
        raise UsageError("--server is where a report leads to play: say --report FILE too")
    if not address.startswith(("http://", "https://")):
        raise UsageError(f"--server wants an address such as https://example.org, not {address}")
    return f"{address.rstrip('/')}/"


def worked_out(sweep: Sweep, rows: Swept, asked: SweepOptions) -> list[SweepRow]:
    if asked.start is not None:
        rows.add(read_table(asked.start, sweep.kind, sweep.task.measures))
    missing = sweep.missing(rows)
    if len(missing) < len(sweep.games):
        where = asked.start or _part(asked)
        tell(f"{len(sweep.games) - len(missing):,} of {len(sweep.games):,} rows are in {where} already.")
    if asked.device == CPU:
        rows.add(sweep.charted())
    missing = sweep.missing(rows)
    if not missing:
        return sweep.run(rows)
    kept = told_what_is_kept("rows", len(sweep.games), lambda: len(sweep.missing(rows)), rows.path)
    if asked.device != CPU:
        with kept, Progress(f"Solving {counted(len(missing), 'setting')}", estimate=True) as progress:
            return sweep.run_on(asked.device, rows, progress)
    with kept, workers_for(int(asked.jobs), asked.cluster) as workers:
        with waiting_for("Looking how long it takes"):
            ahead = sweep.estimate(rows)
        say_what_is_ahead(ahead, workers, cluster=asked.cluster is not None)
        with Progress(f"Working out {counted(len(missing), 'setting')}", estimate=True) as progress:
            return sweep.run(rows, workers, progress)


def say_what_is_ahead(ahead: SweepEstimate, workers: Workers | None, *, cluster: bool) -> None:
    """How much there is to do, where it takes a while, and what is too large."""
    number = 1 if workers is None else workers.number
    seconds = ahead.seconds / number
    if seconds < WORTH_SAYING and not ahead.too_large:
        return
    cores = "one core" if number == 1 else f"{number} {'workers' if cluster else 'cores'}"
    sentence = f"{counted(ahead.settings, 'setting')}, {in_minutes(seconds)} on {cores}"
    if ahead.too_large:
        are = "is" if ahead.too_large == 1 else "are"
        sentence += f"; {ahead.too_large:,} {are} too large, say --most to choose"
    tell(f"{sentence}.")


def _draw(asked: SweepOptions, found: Found) -> None:
    if asked.plot is not None:
        write_picture(asked.plot, _picture(found), force=asked.force)
    if asked.report is not None:
        heading, best = _ten(asked.sort, found)
        server, ten = check_server(asked.server, asked.report), [Best(row) for row in best[:BEST]]
        explorer = Explorer(found.sweep.kind, asked.game, heading, ten, found.rows, server)
        written(_report(found, explorer), asked.report, force=asked.force)


def _ten(sort: str | None, found: Found) -> tuple[str, list[SweepRow]]:
    """Return a heading and the rows in its order; each game once, where the atlas knows equal games."""
    known = [row for row in found.chosen if row.value is not None]
    if sort is not None:
        return f"The first{_ten_of(known)} by {sort}", known
    atlas = atlas_of(found.sweep.kind)
    once = {row.key for row in known} if atlas is None else atlas.each_once(row.key for row in known)[0]
    own = [row for row in known if row.key in once]
    if not _all_certain(found):
        return f"The{_ten_of(own)} nearest to fair", sorted_by(own, FAIRNESS)
    if ADVANTAGE in found.sweep.task.measures:
        told = [row for row in own if row.measures[ADVANTAGE] is not None]
        pair = " and ".join(found.sweep.task.players)
        return f"The{_ten_of(told)} nearest to fair between {pair}", sorted(
            told, key=lambda row: abs(row.measures[ADVANTAGE] or 0)
        )
    return f"The first{_ten_of(own)}, in the order of the settings", own


def _ten_of(rows: list[SweepRow]) -> str:
    """Ten are called so only where there are as many."""
    return " ten" if len(rows) >= BEST else ""


def _all_certain(found: Found) -> bool:
    return {row.value for row in found.rows if row.value is not None} <= {0, 1}


def _report(found: Found, explorer: Explorer | None = None) -> Report:
    """Return the report of a sweep with the first rows; with an explorer, all parts of a page."""
    title = named(found.sweep)
    many = len(found.rows)
    none = f"{f'None of the {many:,} settings is' if many > 1 else 'The setting is not'} as asked for."
    blocks: list[Block] = [[Paragraph(_summary(found) if found.chosen or explorer else none)]]
    if explorer is not None:
        notes = []
        if _all_certain(found):
            never = "Without chance one player always wins under best play: no setting is fairer than another."
            people = " --measure advantage --players medium,medium says how fair they are between people."
            notes.append(never if ADVANTAGE in found.sweep.task.measures else never + people)
        if found.sweep.task.measures:
            notes.append(f"The measures are those of games between {' and '.join(found.sweep.task.players)}.")
        blocks.append([Paragraph(note) for note in notes])
        data = explorer.data()
        return Report(title, [*blocks, explorer.block()], data, data)
    if found.chosen:
        varied = [name for name in found.sweep.kind.fields if len({row.settings[name] for row in found.rows}) > 1]
        heads = [*varied, *FIXED, *found.sweep.task.measures]
        lines = [TableRow([_cell(found.sweep.kind, row, name) for name in heads]) for row in found.chosen[:SHOWN]]
        blocks.append([Table([Column(head) for head in heads], [lines])])
    if len(found.chosen) > SHOWN:
        blocks.append([Paragraph(f"These are {SHOWN} of {len(found.chosen):,}: --out FILE.csv writes all.")])
    return Report(title, blocks, [row.data() for row in found.chosen])


def _picture(found: Found) -> str:
    kept = {row.key for row in found.chosen}
    # What the condition leaves out is not drawn, but keeps its place.
    rows = [
        row if row.key in kept else row._replace(value=None, measures=dict.fromkeys(row.measures)) for row in found.rows
    ]
    return plot(named(found.sweep), rows, MEASURES)


def named(sweep: Sweep) -> str:
    """Return the settings of a sweep in a few words: `target 20 to 60, copies 1, 2`."""
    said = []
    for name, values in varied([game.settings for game in sweep.games]).items():
        said.append(f"{name} {in_short([as_text(value) for value in values])}")
    return f"{sweep.kind.slug}: {'; '.join(said) or 'classic rules'}"


def _summary(found: Found) -> str:
    known = [row.value for row in found.chosen if row.value is not None]
    ones, twos, even = (sum(value == worth for value in known) for worth in (1, 0, 0.5))
    between, large = len(known) - ones - twos - even, len(found.chosen) - len(known)
    many = counted(len(found.chosen), "setting")
    if len(found.chosen) < len(found.rows):
        many += f" of {len(found.rows):,}"
    said = {
        f"Player 1 wins {ones:,} for certain": ones,
        f"Player 2 wins {twos:,}{'' if ones else ' for certain'}": twos,
        f"{even:,} {'is' if even == 1 else 'are'} exactly even": even,
        f"in {between:,} chance decides who wins": between,
        f"{large:,} {'is' if large == 1 else 'are'} too large": large,
    }
    return f"{found.sweep.kind.slug}: {many}; {', '.join(words for words, number in said.items() if number)}."


def _cell(kind: Kind, row: SweepRow, column: str) -> str:
    found = row.data()[column]
    if found is None:
        return "-"
    if column == "value":
        return percent(found)
    if column == "first":
        short = in_short(found)
        if len(short) <= WIDEST:
            return short
        game = kind(**row.settings)
        return "all are alike" if len(found) == len(game.moves(game.start())) else either(found)
    if column == "positions":
        return f"{found:,}"
    return as_text(found) if column in row.settings else brief(found)
