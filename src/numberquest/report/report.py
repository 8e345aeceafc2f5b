"""An answer as data: `report.words` makes text of it, `report.html` a page, and its figures are the JSON.

A report is a row of blocks, and a block a row of parts that belong together. Tables and paragraphs are for people
wherever they read; what only one of the two can show says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from numberquest.report.charts import Columns, Dots

WORDS: Final = "words"
PAGE: Final = "page"


class Paragraph(NamedTuple):
    """A sentence or several; `kind` is how it looks on a page, `only` where alone it is said."""

    text: str
    kind: str = ""
    only: str | None = None


class Heading(NamedTuple):
    """A heading on a page."""

    text: str
    level: int = 2


class Items(NamedTuple):
    """Sentences with a dot before each, on a page."""

    lines: Sequence[str]


class Terms(NamedTuple):
    """Meanings of words, on a page."""

    meanings: Mapping[str, str]


class Estimate(NamedTuple):
    """A share and its interval of 95 %; None where nothing is known."""

    mean: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, row: Mapping[str, Any], name: str, prefix: str | None = None) -> Self:
        """From the fields of a row: `regret`, `regret_low`, `regret_high`."""
        prefix = f"{name}_" if prefix is None else prefix
        return cls(row[name], row[f"{prefix}low"], row[f"{prefix}high"])

    def told(self) -> tuple[str, str]:
        """The share, and its interval in brackets."""
        if self.mean is None:
            return "-", ""
        if self.low is None or self.high is None:
            return f"{100 * min(max(0.0, self.mean), 1.0):.1f} %", ""
        mean, low, high = (100 * min(max(0.0, one), 1.0) for one in (self.mean, self.low, self.high))
        return f"{mean:.1f} %", f"({low:.1f} to {high:.1f})"

    def __str__(self) -> str:
        # At a terminal the heading has to say that it is in percent.
        mean, between = self.told()
        return f"{mean} {between}".strip().replace(" %", "").replace(" to ", "-")


class Share(Estimate):
    """An estimate that a terminal shows without its interval, for lack of room."""

    def __str__(self) -> str:
        return percentage(self.mean)


class Rating(Estimate):
    """A strength in points and its interval; None where it cannot be told."""

    def told(self) -> tuple[str, str]:
        """The strength, and its interval in brackets."""
        if self.mean is None:
            return "cannot be told", ""
        between = "" if self.low is None else f"({self.low:+z.0f} to {self.high:+z.0f})"
        return f"{self.mean:+z.0f}", between

    def __str__(self) -> str:
        return " ".join(self.told()).strip()


class Figure(str):
    """A figure as text, with its number for tables that programs read; None where it is unknown."""

    value: float | None

    def __new__(cls, text: str, value: float | None) -> Self:
        """`text` is what people read."""
        made = super().__new__(cls, text)
        made.value = value
        return made


Cell = str | Estimate


class Column(NamedTuple):
    """A column of a table; at a terminal those without a width are left out, or as wide as needed if none has one."""

    head: str
    wide: int | None = None
    left: bool = False


class TableRow(NamedTuple):
    """A row of a table; `kind` is how it looks on a page."""

    cells: Sequence[Cell]
    kind: str = ""


class Table(NamedTuple):
    """Figures in columns, in groups that stay together on paper."""

    columns: Sequence[Column]
    groups: Sequence[Sequence[TableRow]]
    caption: str = ""
    between: str = ""
    """Line between two groups at a terminal."""
    named: int = 0
    """The column that names the row."""
    only: str | None = None


class Drawing(NamedTuple):
    """A chart on a page."""

    chart: Dots | Columns
    caption: str = ""


class Key(NamedTuple):
    """Meanings of the marks in charts, on a page."""

    meanings: Sequence[tuple[str, str]]


class Box(NamedTuple):
    """Parts that stand beside one another on a page, in a frame, or behind a summary that can be opened."""

    parts: Sequence[Part]
    kind: str = ""
    tag: str = "div"
    summary: str = ""


class Markup(NamedTuple):
    """HTML that is one of a kind."""

    html: str


Part = Paragraph | Heading | Items | Terms | Table | Drawing | Key | Box | Markup
Block = Sequence[Part]


class Report(NamedTuple):
    """The answer of a command."""

    title: str
    blocks: Sequence[Block]
    figures: Any
    """With exactly the fields that programs rely on."""
    explorer: Any = None
    """Data of the sliders and the map of a page, which stand in the element with the id `explorer`."""


def in_lines(title: str, blocks: Sequence[Sequence[str]], figures: Any) -> Report:
    """A report of lines alone, for a terminal."""
    return Report(title, [[Paragraph(line) for line in block] for block in blocks], figures)


def percentage(share: float | None) -> Figure:
    """A share alone."""
    return Figure("-" if share is None else f"{100 * min(max(share, 0.0), 1.0):z.2f} %", share)


def brief(number: float) -> str:
    """Return a figure in four digits; below 0.0001, where digits would need an exponent, 0."""
    return f"{number:.4g}" if abs(number) >= 0.0001 else "0"


def rough(number: float) -> str:
    """Return a figure in two digits, but with one place after the point: `1.2`, `12.0`, `4,400`."""
    return f"{number:.1f}" if number < 100 else f"{float(f'{number:.2g}'):,.0f}"


def whole(number: int | None) -> Figure:
    """A count."""
    return Figure("-" if number is None else f"{number:,}", number)


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 game`, `2 games`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
