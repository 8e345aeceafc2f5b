"""What `design` does at the terminal: read the wishes, find the settings, and show what they cost one another."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.crew import crew_of
from numberquest.games import kind_for
from numberquest.lab.design import FAIR, LENGTH, PEOPLE, SKILL, Design, Wish, fair, length, skill
from numberquest.lab.pictures.plot import row_name, told
from numberquest.lab.ranges import combinations, read_ranges
from numberquest.lab.row import read_table
from numberquest.mistake import Mistake
from numberquest.settings import BadSetting
from numberquest.terminal.messages import tell
from numberquest.terminal.new_file import write_new
from numberquest.terminal.progress import Progress, waiting_for
from numberquest.terminal.report import check_report, write_report
from numberquest.terminal.sweep import check_jobs, check_picture, check_server, most_of, players_of, say_what_is_ahead
from numberquest.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDE, TALL = 56, 13
"""The picture at the terminal, in letters."""
NUMBER: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})(\s*%)?")


class DesignOptions(NamedTuple):
    """What somebody asked for at the command line, as it was typed."""

    game: str
    fair: str | None = None
    length: str | None = None
    skill: str | None = None
    set: Sequence[str] = ()
    players: str = ",".join(PEOPLE)
    most: str | None = None
    start: str | None = None
    plot: str | None = None
    report: str | None = None
    server: str | None = None
    jobs: str = "1"
    cluster: str | None = None
    force: bool = False


def designed(asked: DesignOptions) -> Design:
    """Find the settings, and write the files."""
    try:
        wishes = _wishes(asked)
        kind = kind_for(asked.game)
        if not kind.fields:
            raise BadSetting(f"{kind.slug} has no settings: there is nothing to choose")
        # Where nobody names a setting, all of them are free.
        ranges = read_ranges(kind, asked.set) or dict.fromkeys(kind.fields)
        design = Design(kind, combinations(kind, ranges), wishes, players_of(asked.players), most_of(asked.most))
    except BadSetting as error:
        raise Mistake(str(error)) from None
    _check_files(asked)
    with crew_of(check_jobs(asked.jobs), asked.cluster) as crew:
        sweep = design.valued()
        with sweep.swept() as rows:
            if asked.start is not None:
                rows.add(read_table(asked.start, kind, ()))
            with waiting_for("Looking how long it takes"):
                ahead = sweep.estimate(rows)
            say_what_is_ahead(ahead, crew, cluster=asked.cluster is not None)
            with Progress(f"Solving {len(design.games):,} settings", estimate=True) as progress:
                found = sweep.run(rows, crew, progress)
        with Progress("Measuring those that come near", estimate=True) as progress:
            design.choose(found, crew, progress)
    _draw(asked, design)
    return design


def _wishes(asked: DesignOptions) -> list[Wish]:
    wishes = []
    if asked.fair is not None:
        wishes.append(fair(_share("--fair", asked.fair, 0.5)))
    if asked.length is not None:
        wishes.append(_length(asked.length))
    if asked.skill is not None:
        wishes.append(skill(_share("--skill", asked.skill, 1.0)))
    if not wishes:
        raise BadSetting("say what you wish: --fair 0.01, --length 6..12, --skill 0.2, or some of these")
    return wishes


def _share(option: str, text: str, most: float) -> float:
    match = NUMBER.fullmatch(text.strip())
    number = None if match is None else float(match[1]) / (100 if match[2] else 1)
    if number is None or number > most:
        raise BadSetting(f"{option} wants a number from 0 to {most:g}, such as 0.01, or 1%, not {text}")
    return number


def _length(text: str) -> Wish:
    low, dots, high = text.partition("..")
    ends = [None if not part else NUMBER.fullmatch(part) for part in (low, high)]
    numbers = [None if match is None or match[2] else float(match[1]) for match in ends]
    bad = any(part and number is None for part, number in zip((low, high), numbers, strict=True))
    if bad or numbers == [None, None]:
        raise BadSetting(f"--length wants a number of moves, such as 6..12, 6.. or ..12, not {text}")
    least, most = numbers
    wish = length(least or 0.0, most if most is not None else float("inf") if dots else least or 0.0)
    if wish.low > wish.high:
        raise BadSetting(f"--length {text}: the lower number comes first")
    return wish


def _check_files(asked: DesignOptions) -> None:
    if asked.force and not (asked.plot or asked.report):
        raise Mistake("--force writes over a file, so say which: --plot or --report FILE")
    check_picture(asked.plot, force=asked.force)
    if asked.report is not None:
        check_report(asked.report, force=asked.force)
    check_server(asked.server, asked.report)


def _draw(asked: DesignOptions, design: Design) -> None:
    if asked.plot is not None:
        write_new(asked.plot, _picture(design), "picture", force=asked.force)
        tell(f"The picture: {asked.plot}")
    if asked.report is None:
        return
    from numberquest.lab.measures import MEASURES
    from numberquest.lab.report import Best, Report

    report = Report(
        kind=design.kind,
        named=asked.game,
        title=f"{design.kind.slug}: {wished(design)}",
        about=about(design),
        heading="The ten that come nearest",
        best=[Best(one.row, _said(design, one.row)) for one in design.best],
        rows=sorted((one.row for one in design.looked_at), key=_places(design)),
        meanings=MEASURES,
        server=check_server(asked.server, asked.report),
        picture=_picture(design),
        picture_heading="What can be had at the price of what",
    )
    write_report(asked.report, report.html(), design.data(), force=asked.force)


def _places(design: Design) -> Any:
    order = {tuple(game.settings.values()): at for at, game in enumerate(design.games)}
    return lambda row: order[row.key]


def _picture(design: Design) -> str:
    from numberquest.lab.pictures.pareto import pareto

    best = [one.row for one in design.best]
    rows = [one.row for one in design.looked_at]
    return pareto(f"{design.kind.slug}: {wished(design)}", design.axes, rows, best, design.front())


def _said(design: Design, row: Any) -> list[tuple[str, str]]:
    missed = [words for wish in design.wishes if (words := wish.missed(row))]
    return [("miss", sentence(words)) for words in missed] or [("fits", "✓ As wished.")]


def wished(design: Design) -> str:
    """What was wished, in a few words."""
    return ", ".join(wish.in_words() for wish in design.wishes)


def about(design: Design) -> list[str]:
    """What came out, in sentences."""
    number = f"{len(design.games):,} setting{'' if len(design.games) == 1 else 's'}"
    fitting = design.fitting
    if not design.best:
        found = f"Of the {number} none is known well enough."
    elif not fitting:
        found = f"None of the {number} is as wished. These come nearest; it is said by how much they miss."
    else:
        # More may be as wished than had to be measured to find the best.
        more = " or more" if len(design.looked_at) + design.unknown < len(design.games) else ""
        found = f"{fitting:,}{more} of the {number} {'is' if fitting == 1 and not more else 'are'} as wished."
    lines = [found, f"Length and skill are those of games between {' and '.join(design.players)}."]
    if design.unknown:
        are = "is" if design.unknown == 1 else "are"
        lines.append(f"{design.unknown:,} {are} too large to be known: --most chooses how large is too large.")
    return lines


def design_in_words(design: Design, named: str) -> str:
    """The answer of `design` for a person, at 80 columns; `named` is how the game was asked for."""
    lines = [f"{design.kind.slug}: {wished(design)}", "", *about(design)]
    for rank, (row, _) in enumerate(design.best, start=1):
        figures = [f"Player 1 {told('value', row.value)}"]
        figures += [f"{name} {told(name, row.measures[name])}" for name in (LENGTH, SKILL)]
        lines += ["", f"{rank:>2}  {row_name(row)}", f"    {', '.join(figures)}"]
        lines += [f"    {words}" for _, words in _said(design, row)]
    if len(design.best) > 1:
        lines += ["", *_small_picture(design)]
    if design.best:
        changes = design.kind(**design.best[0].row.settings).changes
        more = "".join(f" --set {shlex.quote(one)}" for one in changes.split())
        lines += ["", f"To play the first: numberquest play {shlex.quote(named)}{more}"]
    return "\n".join(lines)


def _small_picture(design: Design) -> list[str]:
    """The best and the others by two wishes, in letters."""
    one, two = design.axes
    points = [
        (x, y, each.row)
        for each in design.looked_at
        if (x := one.drawn(each.row)) is not None and (y := two.drawn(each.row)) is not None
    ]
    xs, ys = [x for x, _, _ in points], [y for _, y, _ in points]
    (left, right), (low, high) = (min(xs), max(xs)), (min(ys), max(ys))
    if left == right or low == high:
        return []
    paper = [[" "] * WIDE for _ in range(TALL)]
    ranks = {each.row.key: rank for rank, each in enumerate(design.best, start=1)}
    front = {row.key for row in design.front()}

    def mark(x: float, y: float, sign: str) -> None:
        across = round((x - left) / (right - left) * (WIDE - 1))
        down = TALL - 1 - round((y - low) / (high - low) * (TALL - 1))
        paper[down][across] = sign

    for x, y, row in sorted(points, key=lambda point: point[2].key in front):
        mark(x, y, "o" if row.key in front else ".")
    # The best last, and the first of them on top.
    for x, y, row in reversed([point for point in points if point[2].key in ranks]):
        mark(x, y, str(ranks[row.key] % 10))
    names = {FAIR: "how far from fair"}
    top, bottom = told(two.column, high), told(two.column, low)
    wide = max(len(top), len(bottom))
    lines = [f"{names.get(two.name, two.name)} (up) and {names.get(one.name, one.name)} (to the right):"]
    for at, drawn in enumerate(paper):
        label = top if at == 0 else bottom if at == TALL - 1 else ""
        lines.append(f"{label:>{wide}} |{''.join(drawn)}".rstrip())
    lines.append(f"{'':>{wide}} +{'-' * WIDE}")
    start, end = told(one.column, left), told(one.column, right)
    lines.append(f"{'':>{wide}}  {start}{end:>{WIDE - len(start)}}")
    lines.append("1 to 9, 0: the ten; o: nothing is better in both; .: others")
    return lines
