"""Every picture as SVG: intervals, columns, curves and maps over settings, and what they are drawn with.

Pictures for a page (`Dots`, `Columns`) are in percent across, so that letters stay as large on a phone; those for a
file (`framed`) have a size of their own, and bring their colours along.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final, NamedTuple

Colour = tuple[int, int, int]

STOPS: Final[tuple[Colour, ...]] = (
    *((44, 16, 84), (57, 48, 129), (51, 84, 148), (42, 115, 152), (36, 145, 148)),
    *((58, 174, 128), (122, 200, 94), (192, 221, 66), (252, 238, 84)),
)
"""From the lowest figure to the highest, evenly: each is lighter than the one before, for every kind of eye."""
FAIR: Final[tuple[Colour, ...]] = (
    *((23, 74, 152), (94, 136, 196), (176, 199, 226), (247, 243, 232)),
    *((239, 187, 160), (205, 105, 68), (152, 41, 12)),
)
"""Of Player 1's chance: Player 2's blue, what is fair as the lightest in the middle, and Player 1's red."""
STYLE: Final = """\
svg { --ink: #1b1f24; --pale: #57606a; --rule: #d0d7de; --back: #ffffff; --mark: #0b5cad; --other: #b3470b; }
@media screen and (prefers-color-scheme: dark) {
  svg { --ink: #e8e8e8; --pale: #a6abb3; --rule: #444a52; --back: #16181c; --mark: #6cb2ff; --other: #ff9d5c; }
}
text { fill: var(--ink); font-size: 12px; } .pale { fill: var(--pale); } .head { font-size: 17px; font-weight: 700; }
.sub { font-size: 13px; font-weight: 600; } .small { font-size: 10px; }
.back { fill: var(--back); } .rule { stroke: var(--rule); } .axis { stroke: var(--pale); }
.curve { fill: none; stroke: var(--mark); stroke-width: 2; } .dot { fill: var(--mark); }
.half { stroke: var(--other); stroke-dasharray: 5 4; }
.none { fill: none; stroke: var(--rule); }
.other { fill: var(--back); stroke: var(--pale); } .ten { fill: var(--mark); stroke: var(--ink); }
.front { fill: none; stroke: var(--other); stroke-width: 2; }
.wish { fill: var(--mark); fill-opacity: .12; stroke: var(--mark); stroke-dasharray: 4 3; }
"""
"""Light and dark, as whoever looks has it; on paper light."""
MOST_LINES: Final = 5
Place = float | str
"""A length, or a share of the width such as `12.5%`."""


def mixed(share: float, stops: Sequence[Colour] = STOPS) -> Colour:
    """The colour of a share from 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    at = min(int(place), len(stops) - 2)
    part = place - at
    red, green, blue = (round(low + (high - low) * part) for low, high in zip(stops[at], stops[at + 1], strict=True))
    return red, green, blue


def as_hex(colour: Colour) -> str:
    """As it is written in a picture."""
    return "#" + "".join(f"{part:02x}" for part in colour)


def lightness(colour: Colour) -> float:
    """How much light a colour gives, from 0 to 1, as screens and eyes weigh it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (one / 255 for one in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(colour: Colour) -> str:
    """Black or white, whichever can be read on it."""
    light = lightness(colour)
    return "#000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#fff"


def marks(low: float, high: float) -> list[float]:
    """Where the lines of a scale stand that holds both: 1, 2 or 5 of some power of ten apart."""
    length = high - low
    step = 10.0 ** floor(log10(max(length, 1e-9) / MOST_LINES))
    step = next(times * step for times in (1, 2, 5, 10) if length <= MOST_LINES * times * step * 1.0001)
    low, high = step * (low // step), step * -(-high // step)
    return [low + at * step for at in range(round((high - low) / step) + 1)]


def ends(figures: Sequence[float], share: bool) -> tuple[float, float]:
    """From where to where a scale goes: for a share from 0 to 1, for others as far as there are figures."""
    if share or not figures:
        return 0.0, 1.0
    low, high = min(figures), max(figures)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def text(x: Place, y: float, words: str, kind: str = "", anchor: str = "start", more: str = "") -> str:
    """Words at a place."""
    return f'<text x="{_at(x)}" y="{y:.5g}" class="{kind}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def line(x1: Place, y1: float, x2: Place, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{_at(x1)}" y1="{y1:.5g}" x2="{_at(x2)}" y2="{y2:.5g}" class="{kind}"/>'


def rect(x: Place, y: float, wide: Place, tall: float, look: str, title: str = "") -> str:
    """A rectangle; `look` are its further attributes."""
    return f'<rect x="{_at(x)}" y="{y:.5g}" width="{_at(wide)}" height="{tall:.5g}" {look}' + _ended("rect", title)


def circle(x: Place, y: float, radius: float, kind: str, title: str = "") -> str:
    """A circle."""
    return f'<circle cx="{_at(x)}" cy="{y:.5g}" r="{radius:g}" class="{kind}"' + _ended("circle", title)


def path(points: Sequence[tuple[float, float]], kind: str) -> str:
    """A line from point to point."""
    return f'<polyline points="{" ".join(f"{x:.5g},{y:.5g}" for x, y in points)}" class="{kind}"/>'


def _at(place: Place) -> str:
    return place if isinstance(place, str) else f"{place:.5g}"


def _ended(tag: str, title: str) -> str:
    return f"><title>{escape(title)}</title></{tag}>" if title else "/>"


def framed(title: str, wide: float, tall: float, parts: Sequence[str], style: str = "") -> str:
    """A whole file of its own."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {tall:.0f}" width="{wide:.0f}" '
        f'height="{tall:.0f}" style="max-width:100%;height:auto" role="img" aria-label="{escape(title)}" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">\n'
        f'<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n<rect width="100%" height="100%" '
        f'class="back"/>\n{body}\n</svg>\n'
    )


def _on_a_page(title: str, tall: float, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg width="100%" height="{tall:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>\n{body}\n</svg>"
    )


KINDS: Final = ("one", "two", "both")
"""Player 1, Player 2, and both: each has a colour, and a shape or stripes of its own."""


class Dot(NamedTuple):
    """One row of a chart of intervals: what was estimated, how surely, and what is known besides."""

    name: str
    kind: str
    title: str
    """The figures in words, for whoever points at it or cannot see it."""
    mean: float | None
    low: float | None
    high: float | None
    raw: tuple[float, float, float] | None = None
    exact: float | None = None


@dataclass(frozen=True)
class Dots:
    """Estimates below one another, each with its interval as a line."""

    title: str
    rows: Sequence[Dot]
    low: float = 0.0
    high: float = 1.0
    percent: bool = True

    ROW = 36

    def svg(self) -> str:
        """The picture."""
        tall = len(self.rows) * self.ROW + 22
        scale = marks(self.low, self.high)
        low, high = scale[0], scale[-1]

        def x(value: float) -> str:
            return f"{4 + 92 * (min(max(value, low), high) - low) / (high - low):.2f}%"

        parts = []
        for value in scale:
            label = f"{100 * value:.3g} %" if self.percent else f"{value:+.0f}" if round(value) else "0"
            parts.append(line(x(value), 0, x(value), tall - 20, "scale"))
            parts.append(text(x(value), tall - 5, label, "faint", "middle"))
        for at, row in enumerate(self.rows):
            y = at * self.ROW + 24
            parts.append(f"<g><title>{escape(f'{row.name}: {row.title}')}</title>")
            parts.append(text(0, y - 11, row.name, "name"))
            if row.raw is not None:
                mean, start, end = map(x, row.raw)
                parts += [line(start, y + 5, end, y + 5, "raw"), circle(mean, y + 5, 3, "raw")]
            if row.mean is not None and row.low is not None and row.high is not None:
                parts.append(line(x(row.low), y, x(row.high), y, f"whisker {row.kind}"))
            if row.mean is not None:
                parts.append(_mark(row.kind, x(row.mean), y))
            if row.exact is not None:
                parts.append(line(x(row.exact), y - 7, x(row.exact), y + 9, "exact"))
            parts.append("</g>")
        return _on_a_page(self.title, tall, parts)


def _mark(kind: str, x: str, y: float) -> str:
    """A circle for Player 1, a diamond for Player 2, a square for both: as in a review."""
    if kind == "one":
        return circle(x, y, 5, "one")
    # A nested picture has its own corner, which can stand at a percentage.
    shape = '<path d="M0 -6l6 6l-6 6l-6 -6z"/>' if kind == "two" else '<rect x="-4.5" y="-4.5" width="9" height="9"/>'
    return f'<svg x="{x}" y="{y}" class="{kind}" overflow="visible" width="1" height="1">{shape}</svg>'


class Column(NamedTuple):
    """One column of a chart: how tall, and what that says."""

    group: str
    kind: str
    title: str
    height: float | None
    few: bool = False
    """Whether it stands on so little that it is only drawn as an outline."""


@dataclass(frozen=True)
class Columns:
    """Columns side by side, in groups; the striped ones are those of Player 2."""

    title: str
    below: str
    columns: Sequence[Column]

    TALL, HEAD, FOOT = 130, 16, 38
    LEFT, RIGHT, WIDEST = 14.0, 99.0, 12.0
    """Where columns begin and end and how wide they are at most, in percent; left of them stands the scale."""
    MOST_LABELS = 12

    def svg(self) -> str:
        """The picture."""
        groups = list(dict.fromkeys(one.group for one in self.columns))
        scale = marks(0.0, max((one.height or 0.0 for one in self.columns), default=0.0) or 0.01)
        ground = self.HEAD + self.TALL
        parts = []
        for share in scale:
            y = ground - self.TALL * share / scale[-1]
            parts.append(line(f"{self.LEFT}%", y, f"{self.RIGHT}%", y, "scale" if share else "axis"))
            parts.append(text(f"{self.LEFT - 2}%", y + 4, f"{100 * share:.3g} %", "faint", "end"))
        room = (self.RIGHT - self.LEFT) / max(len(groups), 1)
        every = -(-len(groups) // self.MOST_LABELS)
        for at, group in enumerate(groups):
            # Where seats take turns, one of the two has a number to itself, and all the room.
            here = sorted((one for one in self.columns if one.group == group), key=lambda one: KINDS.index(one.kind))
            middle = self.LEFT + room * (at + 0.5)
            wide = min(room * 0.8 / len(here), self.WIDEST)
            for place, one in enumerate(here):
                parts += self._column(one, middle + wide * (place - len(here) / 2), wide, scale[-1])
            if at % every == 0:
                parts.append(text(f"{middle:.2f}%", ground + 15, group, "faint", "middle"))
        parts.append(text(f"{(self.LEFT + self.RIGHT) / 2:.2f}%", ground + 32, self.below, "faint", "middle"))
        return _on_a_page(self.title, ground + self.FOOT, parts)

    def _column(self, one: Column, left: float, wide: float, top: float) -> list[str]:
        x, end = f"{left:.2f}%", f"{left + wide * 0.94:.2f}%"
        # Also where there is nothing to see, there is something to point at.
        parts = [f"<g><title>{escape(one.title)}</title>"]
        parts.append(rect(x, self.HEAD, f"{wide:.2f}%", self.TALL, 'fill="transparent"'))
        if one.height is not None:
            tall = max(self.TALL * one.height / top, 1.5)
            ground = self.HEAD + self.TALL
            look = f'class="{one.kind}{" few" if one.few else ""}"'
            parts.append(rect(x, ground - tall, f"{wide * 0.94:.2f}%", tall, look))
            if one.kind == "two" and not one.few:
                parts += [line(x, ground - up, end, ground - up, "stripe") for up in range(5, ceil(tall), 5)]
        return [*parts, "</g>"]


def key(*meanings: tuple[str, str]) -> str:
    """What the marks of `Dots`, `Columns` and boards mean: a small picture of each, and words."""
    return "".join(
        '<span style="display:inline-flex;align-items:center;gap:.4em;margin-right:1em">'
        f'<svg width="18" height="16" aria-hidden="true">{_KEYS[kind]}</svg>{escape(words)}</span>'
        for kind, words in meanings
    )


_BOX: Final = 'x="3" y="2" width="12" height="12"'
_KEYS: Final = {
    "one": '<circle cx="9" cy="8" r="5" class="one"/>',
    "two": '<path d="M9 2l6 6l-6 6l-6 -6z" class="two"/>',
    "both": '<rect x="4.5" y="3.5" width="9" height="9" class="both"/>',
    "raw": '<line x1="1" y1="8" x2="17" y2="8" class="raw"/><circle cx="9" cy="8" r="3" class="raw"/>',
    "exact": '<line x1="9" y1="1" x2="9" y2="15" class="exact"/>',
    "plain": f'<rect {_BOX} class="one"/>',
    "striped": f'<rect {_BOX} class="two"/><path d="M3 6h12M3 10h12" class="stripe"/>',
    "few": f'<rect {_BOX} class="one few"/>',
    "chosen": f'<rect {_BOX} class="chosen"/>',
    "best": f'<rect {_BOX} class="best"/>',
}


class Point(NamedTuple):
    """One figure of a curve or a map: where it stands between the ends of its scale, in words, and in short."""

    share: float
    title: str
    text: str = ""


@dataclass(frozen=True)
class Curve:
    """A line over the values of one setting; None where nothing is known."""

    across: str
    labels: Sequence[str]
    points: Sequence[Point | None]
    scale: Sequence[tuple[float, str]]
    """The lines across: at which share, and what they say."""
    fair: float | None = None
    """Where a dashed line stands for what is fair."""

    LEFT, TALL, FOOT, MOST_LABELS = 64, 180, 40, 16

    def draw(self, wide: float, top: float) -> tuple[list[str], float]:
        """Its parts, and how tall it is."""
        right, bottom = wide - 24.0, top + self.TALL

        def place(at: int) -> float:
            return self.LEFT + (right - self.LEFT) * (at + 0.5) / len(self.labels)

        def height(share: float) -> float:
            return bottom - (self.TALL - 12) * share

        parts = []
        for at, (share, label) in enumerate(self.scale):
            parts.append(line(self.LEFT, height(share), right, height(share), "rule" if at else "axis"))
            parts.append(text(self.LEFT - 8, height(share) + 4, label, "pale", "end"))
        if self.fair is not None:
            parts.append(line(self.LEFT, height(self.fair), right, height(self.fair), "half"))
            parts.append(text(right, height(self.fair) - 4, "fair", "pale", "end"))
        every = -(-len(self.labels) // self.MOST_LABELS)
        runs: list[list[tuple[float, float]]] = [[]]
        for at, (label, point) in enumerate(zip(self.labels, self.points, strict=True)):
            if at % every == 0:
                parts.append(text(place(at), bottom + 16, label, "pale", "middle"))
            if point is None:
                # A line breaks where nothing is known.
                runs.append([])
                continue
            runs[-1].append((place(at), height(point.share)))
            parts.append(circle(*runs[-1][-1], 3 if len(self.labels) < 150 else 1.5, "dot", point.title))
        parts += [path(run, "curve") for run in runs if run]
        parts.append(text((self.LEFT + right) / 2, bottom + 34, self.across, "pale", "middle"))
        return parts, self.TALL + self.FOOT


@dataclass(frozen=True)
class HeatMaps:
    """Maps of figures over two settings, one for each of the rest, with one scale for all."""

    across: str
    down: str
    xs: Sequence[str]
    ys: Sequence[str]
    panels: Mapping[str, Mapping[tuple[int, int], Point]]
    """By their names, which may be empty; a place that is not there is crossed out."""
    scale: Sequence[str]
    """What the lowest, the middle and the highest colour say."""
    notes: str = ""
    stops: Sequence[Colour] = STOPS

    LEFT = 64

    def draw(self, wide: float, top: float) -> tuple[list[str], float]:
        """Its parts, and how tall it is."""
        # Side by side where they are narrow.
        beside = max(1, min(len(self.panels), int(wide - 20) // (self.LEFT + 12 * len(self.xs) + 16)))
        room = (wide - 20) / beside
        cell = min((room - self.LEFT - 16) / len(self.xs), 44.0)
        tall = min(max(cell * 0.7, 12.0), 24.0)
        named = 18 if any(self.panels) else 0
        each = len(self.ys) * tall + 44 + named
        parts = self._legend(top)
        for number, (name, points) in enumerate(self.panels.items()):
            x, y = 10 + number % beside * room + self.LEFT, top + 40 + number // beside * each
            if named:
                parts.append(text(x, y + 12, name, "sub"))
            parts += self._panel(points, x, y + named, cell, tall)
        return parts, 40 + -(-len(self.panels) // beside) * each

    def _panel(
        self, points: Mapping[tuple[int, int], Point], left: float, top: float, wide: float, tall: float
    ) -> list[str]:
        parts = []
        for down, label in enumerate(self.ys):
            y = top + down * tall
            parts.append(text(left - 6, y + tall / 2 + 4, label, "pale", "end"))
            for across in range(len(self.xs)):
                x, point = left + across * wide, points.get((across, down))
                if point is None:
                    parts += [rect(x, y, wide, tall, 'class="none"'), line(x, y + tall, x + wide, y, "rule")]
                    continue
                colour = mixed(point.share, self.stops)
                parts.append(rect(x, y, wide + 0.3, tall + 0.3, f'fill="{as_hex(colour)}"', point.title))
                if wide >= 6.2 * len(point.text) + 3 and tall >= 13:
                    fill = f' style="fill:{ink_on(colour)}" pointer-events="none"'
                    parts.append(text(x + wide / 2, y + tall / 2 + 3.5, point.text, "small", "middle", fill))
        every = max(1, -(-len(self.xs) // max(1, int(len(self.xs) * wide / 30))))
        bottom = top + len(self.ys) * tall
        parts += [
            text(left + (across + 0.5) * wide, bottom + 13, self.xs[across], "pale small", "middle")
            for across in range(0, len(self.xs), every)
        ]
        parts.append(text(left + len(self.xs) * wide / 2, bottom + 25, self.across, "pale small", "middle"))
        return [*parts, text(left - 6, top - 3, self.down, "pale small", "end")]

    def _legend(self, top: float) -> list[str]:
        left, wide, steps = 10.0 + self.LEFT, 240.0, 48
        step = wide / steps
        shades = [as_hex(mixed((at + 0.5) / steps, self.stops)) for at in range(steps)]
        parts = [rect(left + at * step, top, step + 0.4, 10, f'fill="{one}"') for at, one in enumerate(shades)]
        for share, label in zip((0.0, 0.5, 1.0), self.scale, strict=True):
            parts.append(text(left + wide * share, top + 23, label, "pale small", "middle"))
        return [*parts, text(left + wide + 30, top + 9, self.notes, "pale small")]


class Axis(NamedTuple):
    """One direction of a `Scatter`: its name, what is wished of it, and how its figures are told."""

    name: str
    wish: tuple[float, float]
    tell: Callable[[float], str]

    def marks(self, figures: Sequence[float]) -> list[float]:
        """Lines of a scale that holds all figures, and what is wished."""
        held = [*figures, *(end for end in self.wish if isfinite(end))]
        low, high = min(held), max(held)
        return marks(low, high) if high - low >= 1e-9 else marks(low - 0.05, high + 0.05)


class Spot(NamedTuple):
    """A point of a `Scatter`; with a rank where it is one of the best."""

    x: float
    y: float
    name: str
    rank: int = 0


@dataclass(frozen=True)
class Scatter:
    """What can be had at the price of what: everything by two wishes, those that nothing beats joined by a line."""

    title: str
    across: Axis
    up: Axis
    spots: Sequence[Spot]
    front: Sequence[tuple[float, float]]

    WIDE, TALL, LEFT, TOP, FOOT = 640.0, 380.0, 70.0, 66.0, 96.0
    MOST = 3000

    def svg(self) -> str:
        """The picture."""
        if not self.spots:
            return framed(self.title, self.WIDE, 60, [text(18, 32, f"{self.title}: nothing is known", "head")])
        xs, ys = self.across.marks([one.x for one in self.spots]), self.up.marks([one.y for one in self.spots])
        right, bottom = self.WIDE - 24, self.TOP + self.TALL

        def place(x: float, y: float) -> tuple[float, float]:
            x, y = (
                (min(max(one, scale[0]), scale[-1]) - scale[0]) / (scale[-1] - scale[0])
                for one, scale in ((x, xs), (y, ys))
            )
            return self.LEFT + (right - self.LEFT) * x, bottom - self.TALL * y

        (left, top), (end, low) = (place(self.across.wish[side], self.up.wish[1 - side]) for side in (0, 1))
        parts = [text(18, 32, self.title, "head"), rect(left, top, end - left, low - top, 'class="wish"', "as wished")]
        for at, figure in enumerate(xs):
            x, _ = place(figure, ys[0])
            parts.append(line(x, self.TOP, x, bottom, "rule" if at else "axis"))
            parts.append(text(x, bottom + 16, self.across.tell(figure), "pale", "middle"))
        for at, figure in enumerate(ys):
            _, y = place(xs[0], figure)
            parts.append(line(self.LEFT, y, right, y, "rule" if at else "axis"))
            parts.append(text(self.LEFT - 8, y + 4, self.up.tell(figure), "pale", "end"))
        parts.append(text((self.LEFT + right) / 2, bottom + 34, self.across.name, "pale", "middle"))
        parts.append(text(18, self.TOP - 12, self.up.name, "pale"))
        parts += [
            circle(*place(one.x, one.y), 3.5, "other", self._told(one))
            for one in self.spots[: self.MOST]
            if not one.rank
        ]
        parts.append(path([place(*one) for one in self.front], "front"))
        for one in reversed([one for one in self.spots if one.rank]):
            x, y = place(one.x, one.y)
            white = ' style="fill:var(--back)" pointer-events="none"'
            parts.append(circle(x, y, 9, "ten", self._told(one)))
            parts.append(text(x, y + 3.5, str(one.rank), "small", "middle", white))
        return framed(self.title, self.WIDE, bottom + self.FOOT, [*parts, *self._key(bottom + 58)])

    def _told(self, one: Spot) -> str:
        return f"{one.name}: {self.across.tell(one.x)}, {self.up.tell(one.y)}"

    def _key(self, y: float) -> list[str]:
        left = self.LEFT
        return [
            circle(left + 6, y, 8, "ten"),
            text(left + 20, y + 4, "the best ten, by their numbers", "pale"),
            circle(left + 226, y, 3.5, "other"),
            text(left + 236, y + 4, "others", "pale"),
            path([(left + 296, y), (left + 326, y)], "front"),
            text(left + 334, y + 4, "nothing is better in both", "pale"),
            rect(left, y + 14, 14, 12, 'class="wish"'),
            text(left + 20, y + 24, "as wished", "pale"),
        ]
