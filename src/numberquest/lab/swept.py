"""The rows of a sweep while it goes on: in memory, and in a file, so that a kill loses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.journal import Journal
from numberquest.lab.row import Row
from numberquest.solver.table import VERSION as SOLVERS
from numberquest.solver.table import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from numberquest.contract import Game
    from numberquest.settings import SettingValue

KIND: Final = "numberquest sweep"
VERSION: Final = 1


class Swept:
    """Rows by their settings; kept in a file where one is named."""

    def __init__(
        self, kind: type[Game[Any]], measures: Sequence[str], players: Sequence[str], path: str | None = None
    ) -> None:
        """Takes up what the file holds already; `Mistake` where that is of another sweep."""
        self.known: dict[tuple[SettingValue, ...], Row] = {}
        self._settings, self._measures = list(kind.fields), list(measures)
        self.journal: Journal | None = None
        if path is not None:
            head = _head(kind, measures, players)
            self.journal = Journal(path, head, self._take, "rows", "name another file, or remove that one")

    def __enter__(self) -> Swept:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.journal is not None:
            self.journal.close()

    def remove(self) -> None:
        """The table is written: the file is not needed any more."""
        if self.journal is not None:
            self.journal.remove()

    def has(self, game: Game[Any], most: float) -> bool:
        """Whether it is worked out; what was too large is tried again where more is allowed now."""
        row = self.known.get(tuple(game.settings.values()))
        return row is not None and (row.value is not None or row.over == most)

    def add(self, rows: Sequence[Row]) -> None:
        """Keep rows, on disk at once; `Mistake` where that cannot be."""
        for row in rows:
            self.known[row.key] = row
        if self.journal is not None:
            self.journal.add(row._asdict() for row in rows)

    def _take(self, data: Any) -> None:
        row = Row(**{**data, "first": tuple(data["first"])})
        if (list(row.settings), list(row.measures)) != (self._settings, self._measures):
            raise ValueError("columns of something else")
        self.known[row.key] = row


def _head(kind: type[Game[Any]], measures: Sequence[str], players: Sequence[str]) -> dict[str, Any]:
    return {
        "kind": KIND,
        "version": VERSION,
        "game": kind.slug,
        # Rules that have been changed meanwhile would make rows of two games stand in one table.
        "rules": source_of(kind()) or "",
        "solvers": SOLVERS,
        "measures": list(measures),
        "players": list(players),
    }
