"""The pictures and tables of a report as files for papers: SVG and CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from numberquest.report.charts import framed
from numberquest.report.html import resource
from numberquest.report.report import Box, Drawing, Figure, Heading, Part, Report, Table

WIDE = 640
LONGEST = 60
"""Most characters of a title in the name of a file."""


def figures(report: Report) -> dict[str, str]:
    """Return every drawing as SVG and every table as CSV, by the names of their files, in their order."""
    found: dict[str, str] = {}
    for number, (title, part) in enumerate(_parts((one for block in report.blocks for one in block), ""), start=1):
        name = f"{number:02}-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')[:LONGEST].strip('-')}"
        if isinstance(part, Drawing):
            inner = part.chart.svg()
            tall = re.search(r'height="(\d+)"', inner)
            height = float(tall[1]) if tall else WIDE
            found[f"{name}.svg"] = framed(part.chart.title, WIDE, height, [inner], resource("report.css"))
        else:
            found[f"{name}.csv"] = _csv(part)
    return found


def _parts(parts: Iterable[Part], title: str) -> Iterator[tuple[str, Drawing | Table]]:
    """Yield drawings and tables, each with its title."""
    for part in parts:
        if isinstance(part, Heading):
            title = part.text
        elif isinstance(part, Box):
            yield from _parts(part.parts, title)
        elif isinstance(part, Drawing | Table):
            yield f"{title} {part.caption}", part


def _csv(table: Table) -> str:
    """Figures are unrounded, shares lie between 0 and 1, and an estimate has three columns: its interval's ends too."""
    rows = [cells for group in table.groups for cells, _ in group]
    wide = [any(not isinstance(cells[at], str) for cells in rows) for at in range(len(table.columns))]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = [(one.head, f"{one.head} low", f"{one.head} high") for one in table.columns]
    lines: list[Sequence[Sequence[object]]] = [heads]
    lines += ([(_plain(cell), "", "") if isinstance(cell, str) else cell for cell in cells] for cells in rows)
    for line in lines:
        writer.writerow([one for cell, both in zip(line, wide, strict=True) for one in cell[: 3 if both else 1]])
    return text.getvalue()


def _plain(cell: str) -> object:
    return cell.value if isinstance(cell, Figure) else cell.strip()
