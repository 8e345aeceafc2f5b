"""Figures in the tables of a report."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from numberquest.paper import element

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Cell = str | tuple[str, str]
    """Text, or a figure and its interval."""
    Line = tuple[str, Sequence[Cell], str]
    """What stands at its head, its cells, and its kind."""


def estimate(mean: float | None, low: float | None, high: float | None) -> Cell:
    """A share and its interval, in percent."""
    if mean is None or low is None or high is None:
        return "-"
    mean, low, high = (100 * min(max(one, 0.0), 1.0) for one in (mean, low, high))
    return f"{mean:.1f} %", f"({low:.1f} to {high:.1f})"


def ranged(row: Mapping[str, Any], mean: str, low: str, high: str) -> Cell:
    """The same from the fields of a row."""
    return estimate(row[mean], row[low], row[high])


def told(cell: Cell) -> str:
    """A cell as one text."""
    return cell if isinstance(cell, str) else " ".join(cell)


def percentage(share: float | None) -> str:
    """A share alone."""
    return "-" if share is None else f"{100 * min(max(share, 0.0), 1.0):.1f} %"


def whole(number: int | None) -> str:
    """A count."""
    return "-" if number is None else f"{number:,}"


def table(caption: str, heads: Sequence[str], groups: Sequence[Sequence[Line]]) -> str:
    """A table with headers; lines that belong together stay together on paper."""
    # Beside the table and not in it: where a table is wider than a phone, this would be cut off with it.
    parts = [element("p", caption, class_="faint")] if caption else []
    parts.append('<div class="wide" tabindex="0"><table class="figures">')
    parts.append(f"<thead><tr>{''.join(element('th', head, scope='col') for head in heads)}</tr></thead>")
    for lines in groups:
        parts.append("<tbody>")
        for name, cells, kind in lines:
            row = "".join(f"<td>{_cell(cell)}</td>" for cell in cells)
            parts.append(f'<tr class="{kind}">{element("th", name, scope="row")}{row}</tr>')
        parts.append("</tbody>")
    return "\n".join([*parts, "</table></div>"])


def _cell(cell: Cell) -> str:
    """The interval is fainter than what it belongs to."""
    if isinstance(cell, str):
        return escape(cell)
    return f"{escape(cell[0])} {element('span', cell[1], class_='range')}"
