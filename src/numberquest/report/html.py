"""A report as a page, and any page to print: one file of HTML that needs nothing else."""

import json
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from numberquest.report.charts import key
from numberquest.report.report import (
    WORDS,
    Cell,
    Drawing,
    Heading,
    Items,
    Key,
    Markup,
    Paragraph,
    Part,
    Report,
    Table,
    Terms,
)

NOTHING_ELSE: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What the browser may load and run for a page: nothing but the styles that are written in it."""


def html(report: Report) -> str:
    """A report as a whole file."""
    parts = [part for block in report.blocks for part in block]
    body, script = [element("h1", report.title), *rendered(parts)], ""
    if report.explorer is not None:
        # Nothing in the data can end its element.
        data = json.dumps(report.explorer, separators=(",", ":")).replace("<", "\\u003c")
        body.append(f'<script type="application/json" id="data">{data}</script>')
        # The map is a module of the page too; here there are no modules, and all stands in one script.
        heat_map = resource("heat_map.js").replace("\nexport ", "\n")
        script = f"'use strict';\n{heat_map}{resource('explorer.js')}"
    return page(report.title, "\n".join(body), resource("report.css"), script)


def resource(name: str) -> str:
    """A file that lies beside this one."""
    return files(__package__).joinpath(name).read_text("ascii")


def rendered(parts: Iterable[Part]) -> list[str]:
    """Parts as HTML, without what only a terminal says."""
    return [text for part in parts if getattr(part, "only", None) != WORDS and (text := _part(part))]


def _part(part: Part) -> str:
    if isinstance(part, Paragraph):
        return element("p", part.text, class_=part.kind)
    if isinstance(part, Heading):
        return element(f"h{part.level}", part.text)
    if isinstance(part, Items):
        return "\n".join(["<ul>", *(element("li", line) for line in part.lines), "</ul>"]) if part.lines else ""
    if isinstance(part, Terms):
        told = (f"<div>{element('dt', name)}{element('dd', text)}</div>" for name, text in part.meanings.items())
        return "\n".join(["<dl>", *told, "</dl>"])
    if isinstance(part, Table):
        return _table(part)
    if isinstance(part, Drawing):
        caption = element("figcaption", part.caption) if part.caption else ""
        return f"<figure>{caption}{part.chart.svg()}</figure>"
    if isinstance(part, Key):
        return f"<p>{key(*part.meanings)}</p>"
    if isinstance(part, Markup):
        return part.html
    start = f'<{part.tag} class="{part.kind}">' if part.kind else f"<{part.tag}>"
    head = [element("summary", part.summary)] if part.summary else []
    return "\n".join([start, *head, *rendered(part.parts), f"</{part.tag}>"])


def _table(part: Table) -> str:
    # Beside the table and not in it: where a table is wider than a phone, this would be cut off with it.
    parts = ["<div>", element("p", part.caption, class_="faint")] if part.caption else ["<div>"]
    parts.append('<div class="wide" tabindex="0"><table class="figures">')
    heads = (element("th", one.head, scope="col", class_="left" if one.left else "") for one in part.columns)
    parts.append(f"<thead><tr>{''.join(heads)}</tr></thead>")
    for group in part.groups:
        parts.append("<tbody>")
        for cells, kind in group:
            row = "".join(_cell(cell, named=at == part.named) for at, cell in enumerate(cells))
            parts.append(f'<tr class="{kind}">{row}</tr>')
        parts.append("</tbody>")
    return "\n".join([*parts, "</table></div></div>"])


def _cell(cell: Cell, *, named: bool) -> str:
    """The interval is fainter than what it belongs to."""
    if isinstance(cell, str):
        return element("th", cell, scope="row") if named else element("td", cell)
    figure, between = cell.told()
    return f"<td>{escape(figure)} {element('span', between, class_='range') if between else ''}</td>"


def page(title: str, body: str, style: str = "", script: str = "") -> str:
    """The whole file around this HTML, in ASCII, so that any way of saving keeps it; no other script may run in it."""
    allowed, running = NOTHING_ELSE, ""
    if script:
        # By its hash a browser knows the script again.
        allowed += f"; script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
        running = f"<script>{script}</script>\n"
    text = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n'
        f"<style>\n{resource('paper.css')}{style}</style>\n</head>\n<body>\n{body}\n{running}</body>\n</html>\n"
    )
    return text.encode("ascii", "xmlcharrefreplace").decode()


def element(tag: str, text: str, **attributes: str) -> str:
    """One element with this text in it, which is escaped; `class_` stands for the attribute `class`."""
    named = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items() if value)
    return f"<{tag}{named}>{escape(text)}</{tag}>"
