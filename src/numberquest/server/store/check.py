"""Whether all that a store has is whole: the file, no gap in any log, and every log a game that keeps the rules."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.store.sqlite import matches_after
from numberquest.server.store.sqlite_file import (
    SECRET,
    STEPS,
    Damaged,
    one,
    open_to_read,
    secret_of,
    version_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.server.match.entries import Entry, Kept
    from numberquest.server.store.contract import Store

MAGIC: Final = b"SQLite format 3\0"
MOST: Final = 20
"""So many things that are wrong are told; where there are more, it is damaged all the same."""
GAPS: Final = """
    SELECT m.match FROM log JOIN matches m ON m.number = log.match
    GROUP BY log.match HAVING min(ply) <> 0 OR max(ply) + 1 <> count(*)"""


class Contents(Struct):
    """What was found."""

    matches: int = 0
    entries: int = 0
    wrong: list[str] = []  # msgspec makes a new one for each
    """What is wrong, one sentence each."""
    unknown: set[str] = set()
    """Games that are not here, so that their matches could not be played through."""

    def __str__(self) -> str:
        """How much there is, in words."""
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return f"{matches}, {'1 entry' if self.entries == 1 else f'{self.entries} entries'}"

    def blame(self, sentence: str) -> None:
        """Something is wrong."""
        if len(self.wrong) < MOST:
            self.wrong.append(sentence)

    def look_at(self, kept: Kept, log: Sequence[Entry]) -> None:
        """Count a match, and play it through."""
        self.matches += 1
        self.entries += len(log)
        if [entry.ply for entry in log] != list(range(len(log))):
            self.blame(f"Match {kept.match}: an entry of its log is missing.")
            return
        try:
            folded(kept, log)
        except Refusal as refusal:
            if refusal.code == "not-found":
                self.unknown.add(kept.game)
            else:
                self.blame(f"Match {kept.match}: its log breaks the rules of the game.")
        except Exception:
            # Whatever a row that nobody of us has written may bring about.
            self.blame(f"Match {kept.match}: its log breaks the rules of the game.")


def check_file(path: str) -> Contents:
    """Everything about a SQLite file, also while a server uses it."""
    found = Contents()
    _check_length(path, found)
    try:
        db = open_to_read(path)
    except Damaged:
        # What is so much damaged cannot even be opened.
        if not found.wrong:
            found.blame("The file: it is not a database, or its beginning is damaged.")
        return found
    try:
        return checked(path, db, found)
    finally:
        db.close()


def _check_length(path: str, found: Contents) -> None:
    """See whether the file is as long as its beginning says; one that was cut short is not."""
    try:
        with open(path, "rb") as file:
            head, size = file.read(100), os.fstat(file.fileno()).st_size
    except OSError:
        # Whoever opens it next says why.
        return
    page, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    page = 65536 if page == 1 else page
    # Where a journal lies beside it, the rest may be in there.
    if head.startswith(MAGIC) and size < page * pages and not _has_bytes(f"{path}-wal"):
        found.blame(f"The file: it is cut short, and ends after page {size // page} of {pages}.")


def _has_bytes(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:
        return False


def checked(path: str, db: sqlite3.Connection, found: Contents | None = None) -> Contents:
    """All that can be seen at one state of the file: its pages, its tables, and every match played through."""
    found = found or Contents()
    _look_over(db, found)
    try:
        # Until a server has brought it up to date there are columns missing that are needed to play it through.
        if version_of(path, db, len(STEPS)) == len(STEPS):
            played, after = Contents(), (float("-inf"), 0)
            while some := matches_after(db, after, careful=True):
                for place, what in some:
                    after = place
                    if isinstance(what, str):
                        found.blame(f"Match {what}: it cannot be read.")
                    else:
                        played.look_at(*what)
            for sentence in played.wrong:
                if sentence not in found.wrong:
                    found.blame(sentence)
            found.matches, found.entries, found.unknown = played.matches, played.entries, played.unknown
    except sqlite3.DatabaseError as trouble:
        found.blame(f"The file: {trouble}.")
    return found


def _look_over(db: sqlite3.Connection, found: Contents) -> None:
    """All that can be seen without playing the matches through."""
    try:
        for (what,) in db.execute(f"PRAGMA integrity_check({MOST})"):
            if what != "ok":
                found.blame(f"The file: {what}.")
        for table, *_ in db.execute("PRAGMA foreign_key_check"):
            found.blame(f"The table {table}: a row that belongs to no match.")
        for (match,) in db.execute(GAPS):
            found.blame(f"Match {match}: an entry of its log is missing.")
        found.matches, found.entries = one(db, "SELECT count(*) FROM matches"), one(db, "SELECT count(*) FROM log")
        if found.matches and len(secret_of(db)) != SECRET:
            found.blame("The table meta: the secret is missing or damaged; no seat and no invitation opens without it.")
    except sqlite3.DatabaseError as trouble:
        found.blame(f"The file: {trouble}.")


async def check_store(store: Store) -> Contents:
    """Everything about a store that looks after its files by itself."""
    found = Contents()
    async for kept, log in store.everything():
        found.look_at(kept, log)
    return found
