"""A sweep as one file of HTML that a designer can send around: sliders, the map, the best ten."""

from __future__ import annotations

import shlex
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode

from numberquest.lab.pictures.plot import CHANCE_OF_ONE, MOST_TITLES, SHARES, plot, told
from numberquest.lab.pictures.scale import STOPS
from numberquest.lab.row import FIXED
from numberquest.paper import data_block, element, page
from numberquest.paper.style import STYLE
from numberquest.settings import BadSetting, as_text
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.lab.row import Row
    from numberquest.settings import SettingValue

BEST: Final = 10
MOST_IN_TABLE: Final = 500
MOVES: Final = 40
"""Moves are told in so many letters."""
EXPLORER: Final = ("explorer.js", "explorer.css")
"""The sliders and the map lie beside this file."""
MEANT: Final = {
    "value": CHANCE_OF_ONE,
    "first": "the best first moves; none where chance opens",
    "positions": "how many positions were looked at to know it",
}


class Best(NamedTuple):
    """One of the ten: its row, and what is to be said about it besides."""

    row: Row
    said: Sequence[tuple[str, str]] = ()
    """Each a kind, `miss` or `fits`, and a sentence."""


class Report(NamedTuple):
    """What a report is about."""

    kind: type[Game[Any]]
    named: str
    """How the game was asked for: its name, or its file."""
    title: str
    about: Sequence[str]
    """The answer in a few sentences, before any figure."""
    heading: str
    """What the ten are best at."""
    best: Sequence[Best]
    rows: Sequence[Row]
    meanings: Mapping[str, str]
    server: str | None = None
    picture: str = ""
    """A further picture, as SVG."""
    picture_heading: str = ""

    def html(self) -> str:
        """The whole file."""
        parts = [element("h1", self.title), *(element("p", sentence) for sentence in self.about)]
        parts += ['<section id="explorer"></section>', self._still()]
        if self.picture:
            parts += [
                element("h2", self.picture_heading),
                f'<figure class="picture" tabindex="0">{self.picture.strip()}</figure>',
            ]
        parts += [element("h2", self.heading), *self._ten(), *self._table(), *self._words()]
        script, looks = (files("numberquest.lab").joinpath(name).read_text("ascii") for name in EXPLORER)
        parts.append(data_block("data", self.data()))
        return page(self.title, "\n".join(parts), STYLE + looks, script)

    def data(self) -> dict[str, Any]:
        """What the sliders and the map go by, and what stands beside the report as JSON."""
        names = list(self.kind.fields)
        values = {name: list(dict.fromkeys(as_text(row.settings[name]) for row in self.rows)) for name in names}
        for name in names:
            order = {as_text(row.settings[name]): row.settings[name] for row in self.rows}
            values[name].sort(key=lambda text: (len(text), text) if isinstance(order[text], str) else (0, order[text]))
        place = {name: {value: at for at, value in enumerate(values[name])} for name in names}
        measures = list(self.rows[0].measures) if self.rows else []
        return {
            "game": self.kind.slug,
            "settings": values,
            "classic": {name: as_text(value) for name, value in self.kind().settings.items()},
            "columns": [*names, *FIXED, *measures],
            "rows": [
                [
                    *(place[name][as_text(row.settings[name])] for name in names),
                    row.value,
                    " ".join(row.first),
                    row.positions,
                    *row.measures.values(),
                ]
                for row in self.rows
            ],
            "meanings": {
                **{name: field.meaning for name, field in self.kind.fields.items()},
                **MEANT,
                **{name: self.meanings[name] for name in measures},
            },
            "shares": sorted(SHARES),
            "scale": STOPS,
            "start": {name: as_text(value) for name, value in self._start().items()},
            "command": f"numberquest play {shlex.quote(self.named)}",
            "server": self.server,
        }

    def _start(self) -> Mapping[str, SettingValue]:
        """What the sliders say at first: the classic rules where they are among the rows, otherwise the best ones."""
        classic = self.kind().settings
        if any(row.settings == classic for row in self.rows) or not self.best:
            return classic
        return self.best[0].row.settings

    def _ten(self) -> list[str]:
        if not self.best:
            return [element("p", "There is none.")]
        parts = ['<ol class="best">']
        for rank, (row, said) in enumerate(self.best, start=1):
            figures = [f"Player 1 wins {told('value', row.value)}"]
            if row.first and row.value:
                figures.append(f"begin with {_moves(row)}")
            figures += [f"{name} {told(name, figure)}" for name, figure in row.measures.items()]
            settings = " ".join(f"{name}={as_text(value)}" for name, value in row.settings.items())
            parts.append(f'<li><p><b class="rank">{rank}</b> <b>{escape(settings)}</b></p>')
            parts.append(element("p", "; ".join(figures)))
            parts += [element("p", sentence, class_=kind) for kind, sentence in said]
            parts.append(f"{self._play(row)}</li>")
        return [*parts, "</ol>"]

    def _play(self, row: Row) -> str:
        changed = self.kind(**row.settings).changed
        typed = [f"{name}={as_text(value)}" for name, value in changed.items()]
        command = " ".join(
            ["numberquest play", shlex.quote(self.named), *(f"--set {shlex.quote(one)}" for one in typed)]
        )
        parts = [f'<p class="play">{element("code", command)}']
        parts.append(f'<button type="button" hidden data-copy="{escape(command)}">Copy</button>')
        if self.server is not None:
            rules = urlencode({"game": self.kind.slug, **{name: as_text(value) for name, value in changed.items()}})
            parts.append(f'<a class="button" href="{escape(self.server)}#{escape(rules)}">Play this</a>')
        return " ".join([*parts, "</p>"])

    def _still(self) -> str:
        """The map as a picture, for a browser that runs no scripts."""
        try:
            drawn = plot("", self.rows, self.meanings) if len(self.rows) <= MOST_TITLES else ""
        except BadSetting:
            drawn = ""
        return f"<noscript>{drawn.strip()}</noscript>" if drawn else ""

    def _table(self) -> list[str]:
        if len(self.rows) > MOST_IN_TABLE:
            return [element("p", f"All {len(self.rows):,} rule sets are in the file beside this one.", class_="faint")]
        names = [*self.kind.fields, *FIXED, *(self.rows[0].measures if self.rows else ())]
        parts = ["<details><summary>All figures</summary>", '<div class="wide" tabindex="0"><table class="figures">']
        parts.append(f"<thead><tr>{''.join(element('th', name, scope='col') for name in names)}</tr></thead><tbody>")
        for row in self.rows:
            cells = [*map(as_text, row.settings.values()), told("value", row.value), _moves(row) or "-"]
            cells.append("-" if row.positions is None else f"{row.positions:,}")
            cells += [told(name, figure) if figure is not None else "-" for name, figure in row.measures.items()]
            parts.append(f"<tr>{''.join(element('td', cell) for cell in cells)}</tr>")
        return [*parts, "</tbody></table></div></details>"]

    def _words(self) -> list[str]:
        measures = self.rows[0].measures if self.rows else {}
        meant = {**MEANT, **{name: self.meanings[name] for name in measures}}
        said = "".join(f"<div>{element('dt', name)}{element('dd', text)}</div>" for name, text in meant.items())
        return [element("h2", "What the words mean"), f"<dl>{said}</dl>"]


def _moves(row: Row) -> str:
    said = in_short(row.first)
    return said if len(said) <= MOVES else f"{said[:MOVES]}…"
