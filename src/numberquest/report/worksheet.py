"""Puzzles on paper: what `puzzle --sheet FILE` and a class write, with the answers on a page of their own."""

from collections.abc import Sequence
from typing import Any, Final

from numberquest.core.contract import Field, Game, in_words
from numberquest.core.rulebook import rules_of, story, titled
from numberquest.core.sentences import LONGEST_LIST, NAMES, in_short
from numberquest.core.view import Cells, Scores, fields_shown, progress_of
from numberquest.explain import puzzle as facts
from numberquest.explain.puzzle import GRADES, Puzzle, read_id
from numberquest.report import charts
from numberquest.report.html import element, page, rendered
from numberquest.report.report import Box, Heading, Markup, Paragraph, Part
from numberquest.solver import Solution

MOST_TICKS, WIDE, TIGHT = 30, 300, 18
"""Of a number line: so many ticks at most, how wide it is, and how near to its end no other number is written."""
STYLE: Final = """\
.who { display: flex; flex-wrap: wrap; gap: .4em 2em; margin: 0 0 1em; }
.puzzles { display: flex; flex-wrap: wrap; gap: .9em; margin-top: 1em; font-size: .92em; }
.puzzle { flex: 0 0 calc(50% - .45em); break-inside: avoid; border: 1px solid #000; padding: .5em .7em; }
.puzzle p { margin-bottom: .3em; }
.way { display: block; width: 100%; max-width: 24em; font-size: 13px; }
.answer { margin-top: .6em; }
table.cells { border-collapse: collapse; float: right; margin: 0 0 .3em .6em; }
table.cells td { border: 1px solid #000; width: 1.9em; height: 1.9em; text-align: center; }
table.answers { border-collapse: collapse; width: 100%; font-size: .8em; line-height: 1.3; margin-bottom: .6em; }
table.answers th, table.answers td { border: 1px solid #000; padding: .15em .5em; }
table.answers th, table.answers td { text-align: left; vertical-align: top; }
table.answers td:last-child { overflow-wrap: anywhere; }
table.answers tr { break-inside: avoid; }
table.answers thead { display: table-header-group; }
@media screen and (max-width: 36rem) { .puzzle { flex-basis: 100%; } }
"""


def worksheet(puzzles: Sequence[Puzzle], solution: Solution[Any]) -> str:
    """The puzzles, which are all of one game, from easy to hard, with room for the answers; then the answers."""
    puzzles = sorted(puzzles, key=lambda puzzle: puzzle.grade)
    game, note = puzzles[0].game, facts.note(puzzles[0])
    count = "1 puzzle" if len(puzzles) == 1 else f"{len(puzzles)} puzzles"
    title = f"{titled(game)}: {count}"
    lines = (f'<span>{label}: <span class="line"></span></span>' for label in ("Name", "Date"))
    told = [*rules_of(game), *([] if note is None else [in_words(game, note)])]
    parts: list[Part] = [
        Heading(title, 1),
        Markup(f'<p class="who">{"".join(lines)}</p>'),
        Box([Heading("The rules", 3), *map(Paragraph, told)], "box", "section"),
        Box([_question(number, puzzle) for number, puzzle in enumerate(puzzles, start=1)], "puzzles"),
        Box([Heading(f"Answers. {title}"), _answers(puzzles, solution), *_again(puzzles)], "page", "section"),
    ]
    return page(title, "\n".join(rendered(parts)), STYLE)


def _again(puzzles: Sequence[Puzzle]) -> list[Part]:
    """How to have the same puzzles again; those of a class are its own."""
    if not puzzles[0].id:
        return []
    seed = read_id(puzzles[0].id)[1]
    again = f"These puzzles come from the seed {seed}. To see one on the screen: numberquest puzzle, and its name."
    return [Paragraph(again, "small")]


def _question(number: int, puzzle: Puzzle) -> Box:
    game, position, moves = puzzle.game, puzzle.position, puzzle.game.moves(puzzle.position)
    fields = fields_shown(game)
    listed = f"You can play: {in_short(moves)}"
    if len(listed) > LONGEST_LIST:
        # Many moves take more room than they are worth.
        listed = f"A move is written like this: {moves[0]}"
    said = (_said(field, game, position) for field in fields if not isinstance(field, Cells))
    parts: list[Part] = [
        Heading(f"{number}. {GRADES[puzzle.grade - 1].capitalize()}", 3),
        # A board stands beside the words.
        *(_board(field, game, position) for field in fields if isinstance(field, Cells)),
        *map(Paragraph, story(game, puzzle.history, puzzle.player)),
        *(Paragraph(line) for lines in said for line in lines.split("\n")),
        *_number_line(game, position),
        Paragraph(in_words(game, facts.question(puzzle))),
        Paragraph(listed, "small"),
        Markup('<p class="answer">Your move: <span class="line"></span></p>'),
    ]
    return Box(parts, "puzzle", "article")


def _said(field: Field, game: Game[Any], position: Any) -> str:
    if not isinstance(field, Scores):
        return field.said(game, position, NAMES)
    # Two numbers in a row, one of them a player's, are misread on paper.
    values = (value or field.none or 0 for value in getattr(position, field.name))
    pairs = (f"{name}: {value}" for name, value in zip(NAMES, values, strict=True))
    return f"{field.label}. {', '.join(pairs)}"


def _board(field: Cells, game: Game[Any], position: Any) -> Markup:
    cells, wide = field.shown(game, position), field.looks(game)["wide"]
    rows = [cells[at : at + wide] for at in range(0, len(cells), wide)]
    drawn = ("".join(element("td", "" if cell is None else str(cell)) for cell in row) for row in rows)
    return Markup(f'<table class="cells">{"".join(f"<tr>{row}</tr>" for row in drawn)}</table>')


def _number_line(game: Game[Any], position: Any) -> list[Part]:
    """The way from 0 to the target, to count on, with a dot for each score or for the sum."""
    read = progress_of(game)
    if read is None:
        return []
    step = next((each for each in (1, 5, 10, 20, 50, 100) if read.target / each <= MOST_TICKS), 200)
    ticks = sorted({*range(0, read.target, step), read.target})
    room = WIDE / max(read.target, 1)
    drawn = [f'<path d="M10 20H{WIDE + 10}{"".join(f"M{10 + at * room:.4g} 15v10" for at in ticks)}" stroke="#000"/>']
    labels = [*(at for at in ticks[:-1:5] if (read.target - at) * room > TIGHT), read.target]
    drawn += [charts.text(10 + at * room, 40, str(at), "", "middle") for at in labels]
    values = dict.fromkeys(read.value(position, player) for player in (0, 1))
    drawn += [charts.circle(10 + at * room, 20, 5, "") for at in values if 0 <= at <= read.target]
    words = f"A number line from 0 to {read.target}"
    return [
        Markup(f'<svg class="way" viewBox="0 0 {WIDE + 20} 44" role="img" aria-label="{words}">{"".join(drawn)}</svg>')
    ]


def _answers(puzzles: Sequence[Puzzle], solution: Solution[Any]) -> Markup:
    head = "".join(element("th", text, scope="col") for text in ("No", "Answer", "Why", "Name"))
    rows = []
    for number, puzzle in enumerate(puzzles, start=1):
        why = in_words(puzzle.game, facts.why(puzzle, puzzle.answer, solution))
        cells = (str(number), " or ".join(facts.right_moves(puzzle)), why, puzzle.id)
        rows.append(f"<tr>{''.join(element('td', text) for text in cells)}</tr>")
    parts = ['<table class="answers">', f"<thead><tr>{head}</tr></thead>", "<tbody>", *rows, "</tbody>", "</table>"]
    return Markup("\n".join(parts))
