"""An answer as data: `report.words` makes text of it, `report.html` a page, and its figures are the JSON.

A report is a row of blocks, and a block a row of parts that belong together. Tables and paragraphs are for people
wherever they read; what only one of the two can show says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, Self

WORDS: Final = "words"
PAGE: Final = "page"


class Chart(Protocol):
    """A picture of the chart module."""

    def svg(self) -> str:
        """As SVG."""
        ...


@dataclass(frozen=True)
class Paragraph:
    """A sentence or several; `kind` is how it looks on a page, `only` where alone it is said."""

    text: str
    kind: str = ""
    only: str | None = None


@dataclass(frozen=True)
class Heading:
    """A heading on a page."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Items:
    """Sentences with a dot before each, on a page."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Terms:
    """What words mean, on a page."""

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
        if self.mean is None or self.low is None or self.high is None:
            return "-", ""
        mean, low, high = (100 * min(max(one, 0.0), 1.0) for one in (self.mean, self.low, self.high))
        return f"{mean:.1f} %", f"({low:.1f} to {high:.1f})"

    def __str__(self) -> str:
        # At a terminal the heading has to say that it is in percent.
        mean, between = self.told()
        return f"{mean} {between}".strip().replace(" %", "").replace(" to ", "-")


class Share(Estimate):
    """The same where a terminal has no room for the interval."""

    def __str__(self) -> str:
        return percentage(self.mean)


class Rating(NamedTuple):
    """A strength in points and its interval; None where it cannot be told."""

    mean: float | None
    low: float | None
    high: float | None

    def told(self) -> tuple[str, str]:
        """The strength, and its interval in brackets."""
        if self.mean is None:
            return "cannot be told", ""
        return f"{self.mean:+.0f}", f"({self.low:+.0f} to {self.high:+.0f})"

    def __str__(self) -> str:
        return " ".join(self.told()).strip()


Cell = str | Estimate | Rating


class Column(NamedTuple):
    """A column of a table. At a terminal those without a width are as wide as they need to be, if all are; otherwise
    they are left out.
    """

    head: str
    wide: int | None = None
    left: bool = False


class TableRow(NamedTuple):
    """A row of a table; `kind` is how it looks on a page."""

    cells: Sequence[Cell]
    kind: str = ""


@dataclass(frozen=True)
class Table:
    """Figures in columns, in groups that stay together on paper."""

    columns: Sequence[Column]
    groups: Sequence[Sequence[TableRow]]
    caption: str = ""
    between: str = ""
    """What stands between two groups at a terminal."""
    named: int = 0
    """The column that names the row."""
    only: str | None = None


@dataclass(frozen=True)
class Drawing:
    """A chart on a page."""

    chart: Chart
    caption: str = ""


@dataclass(frozen=True)
class Key:
    """What the marks in charts mean, on a page."""

    meanings: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Box:
    """Parts that stand beside one another on a page, in a frame, or behind a summary that can be opened."""

    parts: Sequence[Part]
    kind: str = ""
    tag: str = "div"
    summary: str = ""


@dataclass(frozen=True)
class Markup:
    """HTML that is one of a kind."""

    html: str


Part = Paragraph | Heading | Items | Terms | Table | Drawing | Key | Box | Markup
Block = Sequence[Part]


@dataclass(frozen=True)
class Report:
    """What a command has found."""

    title: str
    blocks: Sequence[Block]
    figures: Any
    """With exactly the fields that programs rely on."""
    explorer: Any = None
    """What the sliders and the map of a page go by; their place is an element of the id `explorer`."""


def in_lines(title: str, blocks: Sequence[Sequence[str]], figures: Any) -> Report:
    """A report of lines alone, for a terminal."""
    return Report(title, [[Paragraph(line) for line in block] for block in blocks], figures)


def percentage(share: float | None) -> str:
    """A share alone."""
    return "-" if share is None else f"{100 * min(max(share, 0.0), 1.0):.2f} %"


def whole(number: int | None) -> str:
    """A count."""
    return "-" if number is None else f"{number:,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 game`, `2 games`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
