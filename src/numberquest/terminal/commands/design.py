"""The command `design`: read the wishes, find the settings, and show what each wish costs."""

import re
import shlex
from argparse import Action
from collections.abc import Sequence
from functools import partial
from math import inf
from typing import Annotated, Any, Final, NamedTuple

from numberquest.core.errors import UsageError
from numberquest.core.registry import kind_for
from numberquest.core.sentences import sentence
from numberquest.report.charts import Axis, Scatter, Spot
from numberquest.report.report import Heading, Markup, Paragraph, Report, counted, in_lines
from numberquest.study.atlas import ALIKE, OUT_OF_REACH, atlas_of
from numberquest.study.design import LENGTH, PEOPLE, PEOPLE_FAIR, SKILL, Design, Wish, fair, length, skill
from numberquest.study.measures import MEASURES
from numberquest.study.plot import told
from numberquest.study.row import SweepRow, read_table
from numberquest.study.rule_sets import combinations, read_ranges
from numberquest.study.sweep import LADDER
from numberquest.study.sweep_report import Best, Explorer
from numberquest.study.workers import workers_for
from numberquest.terminal.commands.arguments import jobs_in, levels_in, source_of
from numberquest.terminal.commands.measure import SIGNED
from numberquest.terminal.commands.progress import Progress, waiting_for
from numberquest.terminal.commands.report import answer, write_picture, written
from numberquest.terminal.commands.sweep import (
    Cluster,
    Jobs,
    Plot,
    Ranges,
    Server,
    Start,
    check_drawn,
    check_server,
    most_of,
    say_what_is_ahead,
)
from numberquest.terminal.options import Force, GameName, Json, ReportFile, option

WIDE, TALL = 56, 13
LEFT_OUT: Final = {
    ALIKE: "another setting here is the same game, as equal measures show.",
    OUT_OF_REACH: "nobody can reach the target there, and another setting here is the same game.",
}
NUMBER: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})(\s*%)?")


OWN: Final = ("value", LENGTH, SKILL, LADDER)
"""These have an option of their own, or none."""
NAMES: Final = " ".join(f"--{name.replace('_', '-')}" for name in MEASURES if name not in OWN)


class Named(Action):
    """Takes what was typed together with the name of the option that it was typed for."""

    def __call__(self, _: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        """Keep it as `drama=0.3`."""
        name = (option_string or "").lstrip("-").replace("-", "_")
        setattr(namespace, self.dest, (*getattr(namespace, self.dest), f"{name}={values}"))


class DesignOptions(NamedTuple):
    """Options of `design`."""

    game: GameName
    fair: Annotated[str | None, option("so near to one half is Player 1's chance: 0.01", "X")] = None
    length: Annotated[str | None, option("so many moves has a game: 6..12, 6.. or ..12", "A..B")] = None
    skill: Annotated[str | None, option("such a share has skill in who wins, at least: 0.2", "X")] = None
    fair_people: Annotated[
        str | None, option("so near to one half is it between the --players: 0.02", "X", name="--fair-people")
    ] = None
    measures: Annotated[
        Sequence[str], option("any measure: 0.3 is at least so much, 0.2..0.4, ..0.3", "A..B", name=NAMES, action=Named)
    ] = ()
    set: Ranges = ()
    most: Annotated[
        Sequence[str],
        option("as much of a measure as can be had; or leave out what has more positions than this", "MEASURE"),
    ] = ()
    least: Annotated[Sequence[str], option("as little of a measure as can be had", "MEASURE")] = ()
    start: Start = None
    plot: Plot = None
    report: ReportFile = None
    server: Server = None
    jobs: Jobs = "1"
    cluster: Cluster = None
    force: Force = False
    players: Annotated[
        str, option("all but --fair is about games between these two (medium,medium)", "PLAYER,PLAYER")
    ] = ",".join(PEOPLE)
    json: Json = False


def run_design(options: DesignOptions) -> None:
    design = designed(options)
    answer(design_report(design, _named(design, options.game)), json=options.json)


def _named(design: Design, asked: str) -> str:
    """How the game can be named again: one that was brought along by a file, by that."""
    return (source_of(design.kind()) if asked == design.kind.slug else None) or asked


def designed(asked: DesignOptions) -> Design:
    wishes = _wishes(asked)
    limit = next((text for text in asked.most if text not in MEASURES), None)
    kind = kind_for(asked.game)
    if not kind.fields:
        raise UsageError(f"{kind.slug} has no settings: there is nothing to choose")
    # Where nobody names a setting, all of them are free.
    ranges = read_ranges(kind, asked.set) or dict.fromkeys(kind.fields)
    atlas = atlas_of(kind)
    every = {tuple(game.settings.values()): game for game in combinations(kind, ranges)}
    once, left_out = (set(every), {}) if atlas is None else atlas.each_once(every)
    games = [game for key, game in every.items() if key in once]
    design = Design(kind, games, wishes, levels_in(asked.players), most_of(limit), left_out=left_out)
    if asked.force and not (asked.plot or asked.report):
        raise UsageError("--force writes over a file, so say which: --plot or --report FILE")
    check_drawn(asked.plot, asked.report, asked.server, force=asked.force)
    with workers_for(jobs_in(asked.jobs), asked.cluster) as workers:
        sweep = design.valued()
        with sweep.swept() as rows:
            if asked.start is not None:
                rows.add(read_table(asked.start, kind, ()))
            rows.add(sweep.charted())
            with waiting_for("Looking how long it takes"):
                ahead = sweep.estimate(rows)
            say_what_is_ahead(ahead, workers, cluster=asked.cluster is not None)
            with Progress(f"Solving {counted(len(design.games), 'setting')}", estimate=True) as progress:
                found = sweep.run(rows, workers, progress)
        with Progress("Measuring those that come near", estimate=True) as progress:
            design.choose(found, workers, progress)
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
    if asked.fair_people is not None:
        wishes.append(fair(_share("--fair-people", asked.fair_people, 0.5), PEOPLE_FAIR))
    wishes += [_range(*text.split("=", 1)) for text in asked.measures]
    for sign, names in ((1, [name for name in asked.most if name in MEASURES]), (-1, asked.least)):
        wishes += [Wish(known_measure(name), sign=sign) for name in names]
    if not wishes:
        raise UsageError("say what you wish: --fair 0.01, --length 6..12, --skill 0.2, --most gain, or some of these")
    return wishes


def _share(option: str, text: str, most: float) -> float:
    match = NUMBER.fullmatch(text.strip())
    number = None if match is None else float(match[1]) / (100 if match[2] else 1)
    if number is None or number > most:
        raise UsageError(f"{option} wants a number from 0 to {most:g}, such as 0.01, or 1%, not {text}")
    return number


def known_measure(name: str) -> str:
    if name not in MEASURES or name == LADDER:
        known = ", ".join(one for one in MEASURES if one != LADDER)
        raise UsageError(f"there is no measure called {name}; there are {known}")
    return name


def _length(text: str) -> Wish:
    wish = _range(LENGTH, text)
    # So many moves alone are just as many.
    return wish if ".." in text else length(wish.low, wish.low)


def _range(name: str, text: str) -> Wish:
    option, (low, _, high) = f"--{name.replace('_', '-')}", text.partition("..")
    matches = [(part, NUMBER.fullmatch(part.removeprefix("-"))) for part in (low, high) if part]
    if not matches or any(match is None or (match[2] and name == LENGTH) for _, match in matches):
        wanted = "a figure, such as 0.3, 0.2..0.4 or ..0.3"
        if name == LENGTH:
            wanted = "a number of moves, such as 6..12, 6.. or ..12"
        raise UsageError(f"{option} wants {wanted}, not {text}")
    ends = {
        part: (-1 if part.startswith("-") else 1) * float(match[1]) / (100 if match[2] else 1)
        for part, match in matches
        if match
    }
    # Of most measures nothing is below 0.
    least = 0.0 if name not in SIGNED else -inf
    wish = Wish(name, ends.get(low, least), ends.get(high, inf))
    if wish.low > wish.high:
        raise UsageError(f"{option} {text}: the lower number comes first")
    return wish


def _draw(asked: DesignOptions, design: Design) -> None:
    if asked.plot is not None:
        write_picture(asked.plot, _picture(design), force=asked.force)
    if asked.report is not None:
        order = {tuple(game.settings.values()): at for at, game in enumerate(design.games)}
        explorer = Explorer(
            design.kind,
            asked.game,
            "The ten that come nearest",
            [Best(one.row, _notes(design, one.row)) for one in design.best],
            sorted((one.row for one in design.looked_at), key=lambda row: order[row.key]),
            check_server(asked.server, asked.report),
        )
        written(design_report(design, _named(design, asked.game), explorer), asked.report, force=asked.force)


def _picture(design: Design) -> str:
    """Draw every rule set that was compared, by two wishes."""
    ranks = {one.row.key: rank for rank, one in enumerate(design.best, start=1)}
    spots = [Spot(x, y, row.name, ranks.get(row.key, 0)) for x, y, row in _points(design)]
    one, two = design.axes
    front = [(one.drawn(row) or 0.0, two.drawn(row) or 0.0) for row in design.front()]
    return Scatter(f"{design.kind.slug}: {wished(design)}", _axis(one), _axis(two), spots, front).svg()


def _points(design: Design) -> list[tuple[float, float, SweepRow]]:
    one, two = design.axes
    placed = ((one.drawn(each.row), two.drawn(each.row), each.row) for each in design.looked_at)
    return [(x, y, row) for x, y, row in placed if x is not None and y is not None]


def _axis(wish: Wish) -> Axis:
    far = "how far Player 1's chance is from one half, under best play"
    if wish.is_fair and wish.column != "value":
        far = "how far Player 1's chance is from one half, between the players"
    return Axis(far if wish.is_fair else wish.column, wish.drawn_ends, partial(told, wish.column))


def _notes(design: Design, row: Any) -> list[tuple[str, str]]:
    missed = [words for wish in design.wishes if (words := wish.missed(row))]
    return [("miss", sentence(words)) for words in missed] or [("fits", "✓ As wished.")]


def wished(design: Design) -> str:
    return ", ".join(wish.in_words() for wish in design.wishes)


def about(design: Design) -> list[str]:
    settings = len(design.games) + sum(design.left_out.values())
    number, fitting = counted(settings, "setting"), design.fitting
    if not design.best:
        found = (
            f"Of the {number} none is known well enough." if settings > 1 else "The setting is not known well enough."
        )
    elif not fitting:
        none = f"None of the {number} is" if settings > 1 else "The setting is not"
        nearest = "These come nearest; it is said by how much they miss."
        found = f"{none} as wished. {nearest if len(design.best) > 1 else 'It is said by how much it misses.'}"
    else:
        # More may be as wished than had to be measured to find the best.
        more = " or more" if len(design.looked_at) + design.unknown < len(design.games) else ""
        many = f"{fitting:,}{more} of the {number} {'is' if fitting == 1 and not more else 'are'}"
        found = f"{many if settings > 1 else 'The setting is'} as wished."
    lines = [found, f"Length and skill are those of games between {' and '.join(design.players)}."]
    if design.unmeasured:
        larger = f"{design.unmeasured:,} larger ones have not been measured: --most 10,000,000 measures those"
        lines.append(f"{larger} of up to so many positions too, which takes its time.")
    for why, left in design.left_out.items():
        lines.append(f"{left:,} {'is' if left == 1 else 'are'} left out: {LEFT_OUT[why]}")
    if design.unknown:
        are = "is" if design.unknown == 1 else "are"
        lines.append(f"{design.unknown:,} {are} too large to be known: --most chooses how large is too large.")
    return lines


def design_report(design: Design, named: str, explorer: Explorer | None = None) -> Report:
    """The answer of `design`; `named` is how the game was asked for. With an explorer, all that a page shows."""
    title, lines = f"{design.kind.slug}: {wished(design)}", [Paragraph(line) for line in about(design)]
    if explorer is not None:
        picture = Markup(f'<figure class="picture" tabindex="0">{_picture(design).strip()}</figure>')
        page = explorer.block(Heading("What can be had at the price of what"), picture)
        return Report(title, [lines, page], design.data(), explorer.data())
    blocks: list[list[str]] = []
    for rank, (row, _) in enumerate(design.best, start=1):
        figures = [f"Player 1 {told('value', row.value)}"]
        figures += [f"{name} {told(name, figure)}" for name, figure in row.measures.items()]
        notes = (f"    {words}" for _, words in _notes(design, row))
        blocks.append([f"{rank:>2}  {row.name}", f"    {', '.join(figures)}", *notes])
    if len(design.best) > 1:
        blocks.append(_small_picture(design))
    if design.best:
        changes = design.kind(**design.best[0].row.settings).changes
        more = "".join(f" --set {shlex.quote(one)}" for one in changes.split())
        blocks.append([f"To play the first: numberquest play {shlex.quote(named)}{more}"])
    in_words = in_lines(title, blocks, design.data())
    return in_words._replace(blocks=[[Paragraph(title)], lines, *in_words.blocks])


def _small_picture(design: Design) -> list[str]:
    one, two = design.axes
    points = _points(design)
    if not points:
        return []
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
    top, bottom = told(two.column, high), told(two.column, low)
    wide = max(len(top), len(bottom))
    up, right_ = ("how far from fair" if wish.is_fair else wish.name for wish in (two, one))
    lines = [f"{up} (up) and {right_} (to the right):"]
    for at, drawn in enumerate(paper):
        label = top if at == 0 else bottom if at == TALL - 1 else ""
        lines.append(f"{label:>{wide}} |{''.join(drawn)}".rstrip())
    lines.append(f"{'':>{wide}} +{'-' * WIDE}")
    start, end = told(one.column, left), told(one.column, right)
    lines.append(f"{'':>{wide}}  {start}{end:>{WIDE - len(start)}}")
    lines.append("1 to 9, 0: the ten; o: nothing is better in both; .: others")
    return lines
