"""The games of an evaluation on disk, one a line, written as each ends.

At the end the lines are brought into order, so that the file is the same however many workers there were.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate.game import Contest, Job, Row
from numberquest.journal import Journal, head_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

FILE: Final = "games.jsonl"
VERSION: Final = 1
KIND: Final = "numberquest games"


class Rows:
    """Rows by job, in memory, and in a folder where one is named."""

    def __init__(self, contest: Contest, folder: str | None = None) -> None:
        """Takes up what the folder holds already; `Mistake` where that is of another contest."""
        self.contest = contest
        self.known: dict[Job, Row] = {}
        self.path = None if folder is None else os.path.join(folder, FILE)
        self._journal: Journal | None = None
        if self.path is not None:
            self._journal = Journal(self.path, _head(contest), self._take, "games", "name another folder")

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._journal is not None:
            self._journal.close()

    def _take(self, data: Any) -> None:
        row = Row.of(data)
        self.known[row.job] = row

    def missing(self, jobs: Sequence[Job]) -> list[Job]:
        """Those that are still to be played: also those in which a provider failed the last time."""
        return [job for job in jobs if job not in self.known or self.known[job].result is None]

    def add(self, rows: Sequence[Row]) -> None:
        """Keep rows, on disk at once; `Mistake` where that cannot be."""
        for row in rows:
            self.known[row.job] = row
        if self._journal is not None:
            self._journal.add(row.data() for row in rows)

    def bring_into_order(self, order: Sequence[Job]) -> None:
        """The rows in this order, and behind them all others, so that the file is always the same."""
        if self._journal is None:
            return
        place = {job: at for at, job in enumerate(order)}
        rows = sorted(self.known.values(), key=lambda row: (place.get(row.job, len(place)), row.job))
        self._journal.bring_into_order(row.data() for row in rows)


def _head(contest: Contest) -> dict[str, Any]:
    game, seed, tries = contest
    return {
        "kind": KIND,
        "version": VERSION,
        "game": game.slug,
        "settings": game.settings,
        "seed": seed,
        "tries": tries,
    }


def kept_seed(folder: str | None) -> str | None:
    """The seed of the games in a folder; None where there are none yet."""
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            said = head_in(file.readline(100_000), KIND)
    except OSError:
        return None
    return None if said is None else str(said.get("seed"))
