"""What can be had at the price of what: every rule set by two wishes, those that nothing beats joined by a line."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from numberquest.lab.pictures.canvas import framed, line, text
from numberquest.lab.pictures.plot import row_name, told
from numberquest.lab.pictures.scale import step_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.lab.design import Wish
    from numberquest.lab.row import Row

WIDE, TALL, LEFT, TOP, FOOT = 640.0, 380.0, 70.0, 66.0, 96.0
MOST_DOTS: Final = 3000


def pareto(title: str, axes: tuple[Wish, Wish], rows: Sequence[Row], best: Sequence[Row], front: Sequence[Row]) -> str:
    """The picture: all rows as circles, the best with their numbers, and the front as a line."""
    one, two = axes
    points = [(x, y, row) for row in rows if (x := one.drawn(row)) is not None and (y := two.drawn(row)) is not None]
    if not points:
        return framed(title, WIDE, 60, [text(18, 32, f"{title}: nothing is known", "head")])
    low_x, high_x, step_x = _ends([x for x, _, _ in points], one)
    low_y, high_y, step_y = _ends([y for _, y, _ in points], two)
    right, bottom = WIDE - 24, TOP + TALL

    def across(figure: float) -> float:
        return LEFT + (right - LEFT) * (min(max(figure, low_x), high_x) - low_x) / (high_x - low_x)

    def height(figure: float) -> float:
        return bottom - TALL * (min(max(figure, low_y), high_y) - low_y) / (high_y - low_y)

    parts = [text(18, 32, title, "head")]
    (left, right_end), (low, high) = one.drawn_ends, two.drawn_ends
    x, y = across(left), height(high)
    parts.append(
        f'<rect x="{x:.5g}" y="{y:.5g}" width="{across(right_end) - x:.5g}" height="{height(low) - y:.5g}" '
        'class="wish"><title>as wished</title></rect>'
    )
    for at in range(round((high_x - low_x) / step_x) + 1):
        figure = low_x + at * step_x
        parts.append(line(across(figure), TOP, across(figure), bottom, "axis" if not at else "rule"))
        parts.append(text(across(figure), bottom + 16, told(one.column, figure), "pale", "middle"))
    for at in range(round((high_y - low_y) / step_y) + 1):
        figure = low_y + at * step_y
        parts.append(line(LEFT, height(figure), right, height(figure), "axis" if not at else "rule"))
        parts.append(text(LEFT - 8, height(figure) + 4, told(two.column, figure), "pale", "end"))
    parts.append(text((LEFT + right) / 2, bottom + 34, _named(one), "pale", "middle"))
    parts.append(text(18, TOP - 12, _named(two), "pale"))
    places = {row.key: rank for rank, row in enumerate(best, start=1)}
    for x_figure, y_figure, row in points[:MOST_DOTS]:
        if row.key not in places:
            said = f"{row_name(row)}: {told(one.column, x_figure)}, {told(two.column, y_figure)}"
            parts.append(
                f'<circle cx="{across(x_figure):.5g}" cy="{height(y_figure):.5g}" r="3.5" class="other">'
                f"<title>{escape(said)}</title></circle>"
            )
    along = " ".join(f"{across(one.drawn(row) or 0):.5g},{height(two.drawn(row) or 0):.5g}" for row in front)
    parts.append(f'<polyline points="{along}" class="front"/>')
    for x_figure, y_figure, row in reversed([point for point in points if point[2].key in places]):
        said = f"{row_name(row)}: {told(one.column, x_figure)}, {told(two.column, y_figure)}"
        cx, cy = across(x_figure), height(y_figure)
        parts.append(f'<circle cx="{cx:.5g}" cy="{cy:.5g}" r="9" class="ten"><title>{escape(said)}</title></circle>')
        number = ' style="fill:var(--back)" pointer-events="none"'
        parts.append(text(cx, cy + 3.5, str(places[row.key]), "small", "middle", number))
    return framed(title, WIDE, bottom + FOOT, [*parts, *_key(bottom + 58)])


def _named(wish: Wish) -> str:
    return "how far Player 1's chance is from one half, under best play" if wish.column == "value" else wish.column


def _ends(figures: Sequence[float], wish: Wish) -> tuple[float, float, float]:
    """From where to where the scale goes, and its step: all figures, and what is wished."""
    wished = [end for end in wish.drawn_ends if end not in (float("-inf"), float("inf"))]
    low, high = min([*figures, *wished]), max([*figures, *wished])
    if high - low < 1e-9:
        low, high = low - 0.05, high + 0.05
    step = step_of(high - low)
    return step * (low // step), step * -(-high // step), step


def _key(y: float) -> list[str]:
    """What the marks mean."""
    return [
        f'<circle cx="{LEFT + 6:g}" cy="{y:g}" r="8" class="ten"/>',
        text(LEFT + 20, y + 4, "the best ten, by their numbers", "pale"),
        f'<circle cx="{LEFT + 226:g}" cy="{y:g}" r="3.5" class="other"/>',
        text(LEFT + 236, y + 4, "others", "pale"),
        f'<polyline points="{LEFT + 296:g},{y:g} {LEFT + 326:g},{y:g}" class="front"/>',
        text(LEFT + 334, y + 4, "nothing is better in both", "pale"),
        f'<rect x="{LEFT:g}" y="{y + 14:g}" width="14" height="12" class="wish"/>',
        text(LEFT + 20, y + 24, "as wished", "pale"),
    ]
