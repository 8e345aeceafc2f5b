"""Charts as SVG: across, everything is in percent of the width, so that letters stay as large on a phone."""

from __future__ import annotations

from html import escape
from math import floor, log10
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS: Final = ("one", "two", "both")
"""Player 1, Player 2, and both: each has a colour, and a shape or stripes of its own."""
ROW, TALL, FOOT, HEAD = 36, 130, 38, 16
LEFT, RIGHT = 14.0, 99.0
"""Where columns begin and end, in percent; to the left of them stand the figures of the scale."""
MOST_LABELS: Final = 12
MOST_LINES: Final = 5
WIDEST: Final = 12.0
"""A column is at most so wide, in percent."""


class Dot(NamedTuple):
    """One row of a chart of intervals: what was estimated, how surely, and what is known besides."""

    name: str
    kind: str
    said: str
    """The figures in words, for whoever points at it or cannot see it."""
    mean: float | None
    low: float | None
    high: float | None
    raw: tuple[float, float, float] | None = None
    exact: float | None = None


class Column(NamedTuple):
    """One column of a chart: how tall, and what that says."""

    group: str
    kind: str
    said: str
    height: float | None
    few: bool = False
    """Whether it stands on so little that it is only drawn as an outline."""


def dots(title: str, rows: Sequence[Dot], low: float = 0.0, high: float = 1.0, *, percent: bool = True) -> str:
    """Estimates below one another, each with its interval as a line."""
    tall = len(rows) * ROW + 22
    step = _step(high - low)
    low, high = step * (low // step), step * -(-high // step)

    def x(value: float) -> float:
        return 4 + 92 * (min(max(value, low), high) - low) / (high - low)

    parts = []
    for at in range(round((high - low) / step) + 1):
        value = low + at * step
        label = f"{100 * value:.3g} %" if percent else f"{value:+.0f}" if round(value) else "0"
        parts.append(_line(x(value), 0, x(value), tall - 20, "scale"))
        parts.append(_text(x(value), tall - 5, label, "faint", "middle"))
    for at, row in enumerate(rows):
        y = at * ROW + 24
        parts.append(f"<g><title>{escape(f'{row.name}: {row.said}')}</title>")
        parts.append(_text(0, y - 11, row.name, "name"))
        if row.raw is not None:
            mean, start, end = (x(value) for value in row.raw)
            parts.append(_line(start, y + 5, end, y + 5, "raw"))
            parts.append(f'<circle cx="{mean:.2f}%" cy="{y + 5}" r="3" class="raw"/>')
        if row.mean is not None and row.low is not None and row.high is not None:
            parts.append(_line(x(row.low), y, x(row.high), y, f"whisker {row.kind}"))
            parts.append(_mark(row.kind, x(row.mean), y))
        if row.exact is not None:
            parts.append(_line(x(row.exact), y - 7, x(row.exact), y + 9, "exact"))
        parts.append("</g>")
    return _svg(title, tall, parts)


def columns(title: str, below: str, found: Sequence[Column]) -> str:
    """Columns side by side, in groups; the striped ones are those of Player 2."""
    groups = list(dict.fromkeys(one.group for one in found))
    kinds = [kind for kind in KINDS if any(one.kind == kind for one in found)]
    most = max((one.height or 0.0 for one in found), default=0.0) or 0.01
    step = _step(most)
    top = step * -(-most // step)
    ground = HEAD + TALL
    parts = []
    for at in range(round(top / step) + 1):
        y = ground - TALL * at * step / top
        parts.append(_line(LEFT, y, RIGHT, y, "axis" if not at else "scale"))
        parts.append(_text(LEFT - 2, y + 4, f"{100 * at * step:.3g} %", "faint", "end"))
    wide = (RIGHT - LEFT) / max(len(groups), 1)
    every = -(-len(groups) // MOST_LABELS)
    for at, group in enumerate(groups):
        here = {one.kind: one for one in found if one.group == group}
        # Where seats take turns, one of the two has a number to itself, and all the room.
        present = [kind for kind in kinds if kind in here]
        each = min(wide * 0.8 / max(len(present), 1), WIDEST)
        start = LEFT + wide * (at + 0.5) - each * len(present) / 2
        for place, kind in enumerate(present):
            parts += _column(here[kind], start + each * place, each, ground, top)
        if at % every == 0:
            parts.append(_text(LEFT + wide * (at + 0.5), ground + 15, group, "faint", "middle"))
    parts.append(_text(LEFT + (RIGHT - LEFT) / 2, ground + 32, below, "faint", "middle"))
    return _svg(title, ground + FOOT, parts)


def _column(one: Column, x: float, wide: float, ground: float, top: float) -> list[str]:
    tall = 0.0 if one.height is None else TALL * one.height / top
    parts = [f"<g><title>{escape(one.said)}</title>"]
    # Also where there is nothing to see, there is something to point at.
    parts.append(f'<rect x="{x:.2f}%" y="{HEAD}" width="{wide:.2f}%" height="{TALL}" fill="transparent"/>')
    if one.height is not None:
        y = ground - max(tall, 1.5)
        parts.append(
            f'<rect x="{x:.2f}%" y="{y:.1f}" width="{wide * 0.94:.2f}%" height="{max(tall, 1.5):.1f}" '
            f'class="{one.kind}{" few" if one.few else ""}"/>'
        )
        if one.kind == "two" and not one.few:
            line = ground - 5
            while line > y:
                parts.append(_line(x, line, x + wide * 0.94, line, "stripe"))
                line -= 5
    return [*parts, "</g>"]


def _step(length: float) -> float:
    """How far the lines of a scale of this length are apart: 1, 2 or 5 of some power of ten."""
    step = 10.0 ** floor(log10(max(length, 1e-6) / MOST_LINES))
    return next(times * step for times in (1, 2, 5, 10) if length <= MOST_LINES * times * step * 1.0001)


def key(*said: tuple[str, str]) -> str:
    """What the marks mean: a small picture of each, and words."""
    return "".join(
        '<span style="display:inline-flex;align-items:center;gap:.4em;margin-right:1em">'
        f'<svg width="18" height="16" aria-hidden="true">{_KEYS[kind]}</svg>{escape(text)}</span>'
        for kind, text in said
    )


def _mark(kind: str, x: float, y: float) -> str:
    """A circle for Player 1, a diamond for Player 2, a square for both: as in a review."""
    if kind == "one":
        return f'<circle cx="{x:.2f}%" cy="{y}" r="5" class="one"/>'
    # A nested picture has its own corner, which can stand at a percentage.
    shape = '<path d="M0 -6l6 6l-6 6l-6 -6z"/>' if kind == "two" else '<rect x="-4.5" y="-4.5" width="9" height="9"/>'
    return f'<svg x="{x:.2f}%" y="{y}" class="{kind}" overflow="visible" width="1" height="1">{shape}</svg>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.2f}%" y1="{y1:.1f}" x2="{x2:.2f}%" y2="{y2:.1f}" class="{kind}"/>'


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.2f}%" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, tall: float, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg width="100%" height="{tall:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>\n{body}\n</svg>"
    )


_KEYS: Final = {
    "one": '<circle cx="9" cy="8" r="5" class="one"/>',
    "two": '<path d="M9 2l6 6l-6 6l-6 -6z" class="two"/>',
    "both": '<rect x="4.5" y="3.5" width="9" height="9" class="both"/>',
    "raw": '<line x1="1" y1="8" x2="17" y2="8" class="raw"/><circle cx="9" cy="8" r="3" class="raw"/>',
    "exact": '<line x1="9" y1="1" x2="9" y2="15" class="exact"/>',
    "plain": '<rect x="3" y="2" width="12" height="12" class="one"/>',
    "striped": (
        '<rect x="3" y="2" width="12" height="12" class="two"/>'
        '<line x1="3" y1="6" x2="15" y2="6" class="stripe"/><line x1="3" y1="10" x2="15" y2="10" class="stripe"/>'
    ),
    "few": '<rect x="3" y="2" width="12" height="12" class="one few"/>',
    "chosen": '<rect x="3" y="2" width="12" height="12" class="chosen"/>',
    "best": '<rect x="3" y="2" width="12" height="12" class="best"/>',
}
