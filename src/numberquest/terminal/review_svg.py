"""A review as a picture to share: SVG, written by hand, narrow enough for a phone."""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from numberquest.contract import CHANCE, player_name
from numberquest.rulebook import titled
from numberquest.telling import review as facts
from numberquest.telling.facts import in_words

if TYPE_CHECKING:
    from numberquest.sentences import Said
    from numberquest.verdicts import Review, Step

WIDTH: Final = 480
LEFT, RIGHT, TALL = 62, 462, 220
"""Where the line chart begins and ends, and how tall it is."""
INK, PALE, GRID = "#1b1f24", "#57606a", "#d0d7de"
COLOURS: Final = {0: "#0b5cad", 1: "#b3470b", CHANCE: "#57606a"}
CHARACTERS: Final = 56
"""How many fit on a line of the summary."""
MOST_LABELS: Final = 36
UPRIGHT_FROM: Final = 20
"""From so many labels on there is only room for them standing on end."""


def picture(review: Review, names: tuple[str, str]) -> str:
    """The whole picture as the text of an SVG file."""
    parts: list[str] = []
    top = _head(parts, review, names)
    bottom = top + TALL
    _axes(parts, names, top)
    _line(parts, review, top)
    y = _labels(parts, review, bottom)
    y = _key(parts, review, names, y + 30)
    y = _summary(parts, review, names, y + 14)
    title = escape(f"{titled(review.game)}: {names[0]} against {names[1]}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
        f'style="max-width:100%;height:auto" role="img" aria-label="{title}" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _text(x: float, y: float, text: str, size: int = 14, fill: str = INK, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}"{more}>{escape(text)}</text>'


def _head(parts: list[str], review: Review, names: tuple[str, str]) -> int:
    """The title and the result; the height at which the chart begins."""
    y = 10
    for line in wrap(titled(review.game), 36):
        y += 24
        parts.append(_text(18, y, line, 19, more=' font-weight="700"'))
    y += 5
    for line in wrap(
        f"{names[0]} against {names[1]}. {in_words(review.game, facts.result(review), names)}", CHARACTERS
    ):
        y += 19
        parts.append(_text(18, y, line, 14, PALE))
    return y + 68


def _axes(parts: list[str], names: tuple[str, str], top: int) -> None:
    parts.append(_text(18, top - 38, f"{names[0]}'s chance to win", 14, more=' font-weight="600"'))
    for share in (0, 25, 50, 75, 100):
        y = _height(share / 100, top)
        dashes = "" if share in (0, 50, 100) else ' stroke-dasharray="2 4"'
        parts.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y:g}" y2="{y:g}" stroke="{GRID}"{dashes}/>')
        parts.append(_text(LEFT - 10, y + 4, f"{share} %", 12, PALE, ' text-anchor="end"'))


def _line(parts: list[str], review: Review, top: int) -> None:
    """The line, a mark for each move and reveal, and the turning point."""
    points = [(_across(review, 0), _height(float(review.start), top))]
    points += [(_across(review, at), _height(float(step.after), top)) for at, step in enumerate(review.steps, start=1)]
    turning = review.turning_point
    if turning is not None:
        at = review.steps.index(turning) + 1
        x = points[at][0]
        anchor = "start" if x < 150 else "end" if x > 370 else "middle"
        parts.append(
            f'<line x1="{x:g}" x2="{x:g}" y1="{top - 11}" y2="{top + TALL}" stroke="{INK}" stroke-dasharray="5 4"/>'
        )
        parts.append(_text(x, top - 17, "turning point", 12, INK, f' font-weight="600" text-anchor="{anchor}"'))
        parts.append(f'<circle cx="{x:g}" cy="{points[at][1]:g}" r="11" fill="none" stroke="{INK}" stroke-width="2"/>')
    drawn = " ".join(f"{x:g},{y:g}" for x, y in points)
    parts.append(f'<polyline points="{drawn}" fill="none" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>')
    for (x, y), step in zip(points[1:], review.steps, strict=True):
        parts.append(_mark(step.player, x, y))


def _mark(player: int, x: float, y: float) -> str:
    """A circle for Player 1, a diamond for Player 2, a small square for a reveal: as on the page."""
    look = f'fill="{COLOURS[player]}" stroke="#ffffff" stroke-width="1.5"'
    if player == 0:
        return f'<circle cx="{x:g}" cy="{y:g}" r="6" {look}/>'
    if player == 1:
        return f'<path d="M{x:g} {y - 7:g}l7 7l-7 7l-7 -7z" {look}/>'
    return f'<rect x="{x - 4:g}" y="{y - 4:g}" width="8" height="8" {look}/>'


def _labels(parts: list[str], review: Review, bottom: int) -> int:
    """What was played or came up, under each mark, and how far down that reaches; only some where not all fit."""
    # An odd step, so that the moves of both players get their labels.
    every = -(-len(review.steps) // MOST_LABELS) | 1
    longest = max([len(_label(step)) for step in review.steps], default=0)
    slanted = longest * 10 * len(review.steps) > every * (RIGHT - LEFT)
    angle, size = (-90, 10) if len(review.steps) > UPRIGHT_FROM else (-60, 12)
    for at, step in enumerate(review.steps, start=1):
        if (len(review.steps) - at) % every:
            continue
        x = _across(review, at)
        if slanted:
            place = f' text-anchor="end" transform="rotate({angle} {x:g} {bottom + 16})"'
            parts.append(_text(x + 3, bottom + 19, _label(step), size, COLOURS[step.player], place))
        else:
            parts.append(_text(x, bottom + 20, _label(step), 13, COLOURS[step.player], ' text-anchor="middle"'))
    y = bottom + 36 + (round(6.5 * longest) if slanted else 6)
    parts.append(_text(LEFT, y, "move by move, from the start to the end", 12, PALE))
    return y


def _label(step: Step) -> str:
    return f"({step.entry})" if step.player == CHANCE else step.entry


def _key(parts: list[str], review: Review, names: tuple[str, str], y: int) -> int:
    """Which shape is whose; one below the other, because names can be long."""
    seats = [player_name(seat) for seat in (0, 1)]
    said = {seat: name if name == seats[seat] else f"{name} ({seats[seat]})" for seat, name in enumerate(names)}
    if review.game.chance:
        said[CHANCE] = "a number comes up"
    for player, text in said.items():
        parts.append(_mark(player, 26, y - 4))
        parts.append(_text(40, y, text, 13, COLOURS[player]))
        y += 20
    return y


def _summary(parts: list[str], review: Review, names: tuple[str, str], y: int) -> int:
    parts.append(f'<line x1="18" x2="{RIGHT}" y1="{y - 16}" y2="{y - 16}" stroke="{GRID}"/>')
    y += 8
    for line in [*_lines(review, [*facts.turning_point(review), facts.accuracy(review)], names), ""]:
        parts.append(_text(18, y, line))
        y += 20
    parts.append(_text(18, y, "Luck and skill", 14, INK, ' font-weight="700"'))
    for line in _lines(review, facts.luck_and_skill(review), names):
        y += 20
        parts.append(_text(18, y, line))
    return y + 20


def _lines(review: Review, sentences: list[Said], names: tuple[str, str]) -> list[str]:
    """The sentences, each from a new line on, as they fit."""
    return [line for said in sentences for line in wrap(in_words(review.game, said, names), CHARACTERS)]


def _across(review: Review, at: int) -> float:
    return round(LEFT + 8 + (RIGHT - LEFT - 16) * at / max(1, len(review.steps)), 1)


def _height(chance: float, top: int) -> float:
    return round(top + TALL * (1 - chance), 1)
