"""A sweep on a page that a designer can send around: sliders, the map, the best ten."""

import shlex
from collections.abc import Sequence
from html import escape
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from numberquest.core.contract import Game
from numberquest.core.sentences import in_short
from numberquest.core.settings import BadSetting, as_text
from numberquest.report.charts import FAIR, STOPS
from numberquest.report.html import element
from numberquest.report.report import PAGE, Block, Box, Column, Heading, Markup, Paragraph, Part, Table, TableRow, Terms
from numberquest.study.measures import MEASURES
from numberquest.study.plot import CHANCE_OF_ONE, MOST_TITLES, SHARES, in_order, plot, told
from numberquest.study.row import FIXED, SweepRow

BEST: Final = 10
MOST_IN_TABLE: Final = 500
MOVES: Final = 40
"""Moves are told in so many letters."""
MEANT: Final = {
    "value": CHANCE_OF_ONE,
    "first": "the best first moves; none where chance opens",
    "positions": "how many positions were looked at to know it",
}


class Best(NamedTuple):
    """One of the ten: its row, and what is to be told about it besides."""

    row: SweepRow
    notes: Sequence[tuple[str, str]] = ()
    """Each a kind, `miss` or `fits`, and a sentence."""


class Explorer(NamedTuple):
    """Rule sets that can be looked through on a page."""

    kind: type[Game[Any]]
    named: str
    """How the game was asked for: its name, or its file."""
    heading: str
    """What the ten are best at."""
    best: Sequence[Best]
    rows: Sequence[SweepRow]
    server: str | None = None

    def block(self, *more: Part) -> Block:
        """The map, what else there is to see, the ten, all figures, and what they mean."""
        place = Markup(f'<section id="explorer"></section>{self._still()}')
        ten = self._ten() if self.best else Paragraph("There is none.", only=PAGE)
        meanings = {name: self._meanings[name] for name in self._columns if name not in self.kind.fields}
        words = Heading("What the words mean")
        return [place, *more, Heading(self.heading), ten, self._table(), words, Terms(meanings)]

    @property
    def _columns(self) -> list[str]:
        return [*self.kind.fields, *FIXED, *(self.rows[0].measures if self.rows else ())]

    @property
    def _meanings(self) -> dict[str, str]:
        return {**{name: field.meaning for name, field in self.kind.fields.items()}, **MEASURES, **MEANT}

    def data(self) -> dict[str, Any]:
        """What the sliders and the map go by, and what stands beside the report as JSON."""
        names = list(self.kind.fields)
        values = {name: [as_text(one) for one in in_order({row.settings[name] for row in self.rows})] for name in names}
        place = {name: {value: at for at, value in enumerate(values[name])} for name in names}
        # The sliders begin with the classic rules where they are among the rows, otherwise with the best ones.
        classic = start = self.kind().settings
        if self.best and all(row.settings != classic for row in self.rows):
            start = self.best[0].row.settings
        return {
            "game": self.kind.slug,
            "settings": values,
            "classic": {name: as_text(value) for name, value in classic.items()},
            "columns": self._columns,
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
            "meanings": {name: self._meanings[name] for name in self._columns},
            "shares": sorted(SHARES),
            "scale": STOPS,
            "fair": FAIR,
            "start": {name: as_text(value) for name, value in start.items()},
            "command": f"numberquest play {shlex.quote(self.named)}",
            "server": self.server,
        }

    def _ten(self) -> Part:
        parts = ['<ol class="best">']
        for rank, (row, notes) in enumerate(self.best, start=1):
            figures = [f"Player 1 wins {told('value', row.value)}"]
            if row.first and row.value:
                figures.append(f"begin with {_moves(row)}")
            figures += [f"{name} {told(name, figure)}" for name, figure in row.measures.items()]
            parts.append(f'<li><p><b class="rank">{rank}</b> <b>{escape(row.name)}</b></p>')
            parts.append(element("p", "; ".join(figures)))
            parts += [element("p", sentence, class_=kind) for kind, sentence in notes]
            parts.append(f"{self._play(row)}</li>")
        return Markup("\n".join([*parts, "</ol>"]))

    def _play(self, row: SweepRow) -> str:
        changed = {name: as_text(value) for name, value in self.kind(**row.settings).changed.items()}
        sets = (f"--set {shlex.quote(f'{name}={value}')}" for name, value in changed.items())
        command = " ".join(["numberquest play", shlex.quote(self.named), *sets])
        parts = [f'<p class="play">{element("code", command)}']
        parts.append(f'<button type="button" hidden data-copy="{escape(command)}">Copy</button>')
        if self.server is not None:
            rules = urlencode({"game": self.kind.slug, **changed})
            parts.append(f'<a class="button" href="{escape(self.server)}#{escape(rules)}">Play this</a>')
        return " ".join([*parts, "</p>"])

    def _still(self) -> str:
        """The map as a picture, for a browser that runs no scripts."""
        try:
            drawn = plot("", self.rows, MEASURES) if len(self.rows) <= MOST_TITLES else ""
        except BadSetting:
            drawn = ""
        return f"<noscript>{drawn.strip()}</noscript>" if drawn else ""

    def _table(self) -> Part:
        if len(self.rows) > MOST_IN_TABLE:
            return Paragraph(f"All {len(self.rows):,} rule sets are in the file beside this one.", "faint", PAGE)
        lines = []
        for row in self.rows:
            cells = [*map(as_text, row.settings.values()), told("value", row.value), _moves(row) or "-"]
            cells.append("-" if row.positions is None else f"{row.positions:,}")
            cells += [told(name, figure) if figure is not None else "-" for name, figure in row.measures.items()]
            lines.append(TableRow(cells))
        table = Table([Column(name) for name in self._columns], [lines])
        return Box([table], tag="details", summary="All figures")


def _moves(row: SweepRow) -> str:
    moves = in_short(row.first)
    return moves if len(moves) <= MOVES else f"{moves[:MOVES]}…"
