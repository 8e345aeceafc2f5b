"""Player 1's winning chance over a game, as a line: in letters for a terminal, and as a picture to share."""

from collections.abc import Callable
from textwrap import wrap
from typing import Final

from numberquest.core.contract import CHANCE, in_words, player_name
from numberquest.core.names import cells, wrapped
from numberquest.core.rulebook import titled
from numberquest.core.sentences import Said
from numberquest.explain import review as facts
from numberquest.explain.review import Review, ReviewedStep
from numberquest.report import charts

ROWS = 9
"""An odd number, so that 50 % has a row of its own."""
MARKS = {0: "o", 1: "x", CHANCE: "."}
STYLES = {0: "player1", 1: "player2", CHANCE: None}
MARGIN = 8
"""What stands to the left of the line: the per cents."""


def chart(review: Review, names: tuple[str, str], width: int, paint: Callable[[str, str | None], str]) -> list[str]:
    steps = list(review.steps)
    # More steps than fit are thinned out; the last one always stays.
    every = max(1, -(-len(steps) // max(1, width - MARGIN - 2)))
    steps = steps[::-every][::-1]
    apart = max(1, min(4, (width - MARGIN - 2) // max(1, len(steps))))
    drawing: list[dict[int, str]] = [{} for _ in range(ROWS)]
    height = _row(float(review.start))
    drawing[height][0] = paint("-", "hint")
    for at, step in enumerate(steps, start=1):
        column, row = at * apart, _row(float(step.after))
        for between in range(min(row, height) + 1, max(row, height)):
            drawing[between][column] = paint("|", "hint")
        for gap in range(column - apart + 1, column):
            drawing[height][gap] = paint("-", "hint")
        drawing[row][column] = paint(MARKS[step.player], STYLES[step.player])
        height = row
    labels = {0: "100 %", ROWS // 2: "50 %", ROWS - 1: "0 %"}
    heading = f"{facts.whose_chance(review, names[0])}, from the start to the end"
    lines = [paint(line, "heading") for line in wrapped(heading, width)]
    for row, line in enumerate(drawing):
        drawn = "".join(line.get(column, " ") for column in range(max(line, default=-1) + 1))
        lines.append(f"{labels.get(row, ''):>{MARGIN - 2}} {paint('|', 'hint')}{drawn}")
    key = {0: names[0], 1: names[1]} | ({CHANCE: "a number comes up"} if review.game.chance else {})
    fits = MARGIN + sum(cells(what) + 4 for what in key.values()) - 2 <= width
    told = [f"{paint(MARKS[who], STYLES[who])} {what}" for who, what in key.items()]
    return [*lines, *(f"{'':>{MARGIN}}{line}" for line in ([", ".join(told)] if fits else told))]


def _row(chance: float) -> int:
    """The row of a chance; only what is certain stands on the first or the last."""
    row = round((1 - chance) * (ROWS - 1))
    return row if chance in (0, 1) else min(max(row, 1), ROWS - 2)


WIDTH: Final = 480
"""Narrow enough for a phone."""
LEFT, RIGHT, TALL = 62, 462, 220
"""Where the line of the picture begins and ends, and how tall it is."""
KINDS: Final = {0: "one", 1: "two", CHANCE: "luck"}
STYLE: Final = """\
.plain { font-size: 14px; } .head { font-size: 19px; } .sub { font-size: 14px; }
.one { fill: var(--mark); } .two { fill: var(--other); } .luck { fill: var(--pale); }
.mark { stroke: var(--back); stroke-width: 1.5; } .way { fill: none; stroke: var(--ink); stroke-width: 2; }
.turn { stroke: var(--ink); stroke-dasharray: 5 4; } .faint { stroke: var(--rule); stroke-dasharray: 2 4; }
"""
CHARACTERS: Final = 56
"""How many fit on a line of the summary."""
MOST_LABELS: Final = 36
UPRIGHT_FROM: Final = 20
"""From so many labels on there is only room for them standing on end."""


def picture(review: Review, names: tuple[str, str]) -> str:
    parts, y = [], 10.0
    for line in wrap(titled(review.game), 36):
        y += 24
        parts.append(charts.text(18, y, line, "head"))
    y += 5
    result = f"{names[0]} against {names[1]}. {in_words(review.game, facts.result(review), names)}"
    for line in wrap(result, CHARACTERS):
        y += 19
        parts.append(charts.text(18, y, line, "plain pale"))
    top = y + 68
    parts += [charts.text(18, top - 38, facts.whose_chance(review, names[0]), "sub"), *_way(review, top)]
    labels, y = _labels(review, top + TALL)
    seats = [player_name(seat) for seat in (0, 1)]
    told = {seat: name if name in seats else f"{name} ({seats[seat]})" for seat, name in enumerate(names)}
    if review.game.uncertain:
        told[CHANCE] = "a number comes up"
    y += 30
    # One below the other, because names can be long.
    for player, words in told.items():
        labels += [_mark(player, 26, y - 4), charts.text(40, y, words, f"plain {KINDS[player]}")]
        y += 20
    labels.append(charts.line(18, y - 2, RIGHT, y - 2, "rule"))
    y += 22
    for line in [*_lines(review, [*facts.turning_point(review), facts.key_moments(review)], names), ""]:
        labels.append(charts.text(18, y, line, "plain"))
        y += 20
    labels.append(charts.text(18, y, "Luck and skill", "sub"))
    for line in _lines(review, facts.luck_and_skill(review), names):
        y += 20
        labels.append(charts.text(18, y, line, "plain"))
    title = f"{titled(review.game)}: {names[0]} against {names[1]}"
    return charts.framed(title, WIDTH, y + 20, [*parts, *labels], STYLE)


def _way(review: Review, top: float) -> list[str]:
    """The line with its scale, a mark for each move and reveal, and the turning point."""
    parts = []
    for share in (0, 25, 50, 75, 100):
        y = top + TALL * (1 - share / 100)
        parts.append(charts.line(LEFT, y, RIGHT, y, "rule" if share in (0, 50, 100) else "faint"))
        parts.append(charts.text(LEFT - 10, y + 4, f"{share} %", "pale", "end"))
    chances = [review.start, *(step.after for step in review.steps)]
    points = [(_across(review, at), top + TALL * (1 - float(chance))) for at, chance in enumerate(chances)]
    turning = review.turning_point
    if turning is not None:
        x, y = points[review.steps.index(turning) + 1]
        anchor = "start" if x < 150 else "end" if x > 370 else "middle"
        parts.append(charts.line(x, top - 11, x, top + TALL, "turn"))
        parts.append(charts.text(x, top - 17, "turning point", "sub", anchor))
        parts.append(charts.circle(x, y, 11, "way"))
    parts.append(charts.path(points, "way"))
    return parts + [_mark(step.player, x, y) for (x, y), step in zip(points[1:], review.steps, strict=True)]


def _mark(player: int, x: float, y: float) -> str:
    """A circle for Player 1, a diamond for Player 2, a small square for a reveal: as on the page."""
    kind = f"mark {KINDS[player]}"
    if player == 0:
        return charts.circle(x, y, 6, kind)
    if player == 1:
        return f'<path d="M{x:.5g} {y - 7:.5g}l7 7l-7 7l-7 -7z" class="{kind}"/>'
    return charts.rect(x - 4, y - 4, 8, 8, f'class="{kind}"')


def _labels(review: Review, bottom: float) -> tuple[list[str], float]:
    """What was played or came up, under each mark, and how far down that reaches; only some where not all fit."""
    parts = []
    # An odd step, so that the moves of both players get their labels.
    every = -(-len(review.steps) // MOST_LABELS) | 1
    longest = max([len(_label(step)) for step in review.steps], default=0)
    slanted = longest * 10 * len(review.steps) > every * (RIGHT - LEFT)
    angle, size = (-90, " small") if len(review.steps) > UPRIGHT_FROM else (-60, "")
    for at, step in enumerate(review.steps, start=1):
        if (len(review.steps) - at) % every:
            continue
        x, kind = _across(review, at), KINDS[step.player]
        if slanted:
            turned = f' transform="rotate({angle} {x:.5g} {bottom + 16:.5g})"'
            parts.append(charts.text(x + 3, bottom + 19, _label(step), kind + size, "end", turned))
        else:
            parts.append(charts.text(x, bottom + 20, _label(step), kind, "middle"))
    y = bottom + 36 + (round(6.5 * longest) if slanted else 6)
    return [*parts, charts.text(LEFT, y, "move by move, from the start to the end", "pale")], y


def _label(step: ReviewedStep) -> str:
    return f"({step.entry})" if step.player == CHANCE else step.entry


def _lines(review: Review, sentences: list[Said], names: tuple[str, str]) -> list[str]:
    """The sentences, each from a new line on, as they fit."""
    return [line for said in sentences for line in wrap(in_words(review.game, said, names), CHARACTERS)]


def _across(review: Review, at: int) -> float:
    return round(LEFT + 8 + (RIGHT - LEFT - 16) * at / max(1, len(review.steps)), 1)
