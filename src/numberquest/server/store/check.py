"""Whether all that a store has is whole: the file, no gap in any log, and every log a game that keeps the rules."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.store.sqlite import matches_after
from numberquest.server.store.sqlite_file import STEPS, damaged, one, open_to_read, version_of, what_is_wrong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.server.match.entries import Entry, Kept
    from numberquest.server.store.contract import Store

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


def looked_over(db: sqlite3.Connection) -> Contents:
    """All that can be seen without playing the matches through, at one state of the file."""
    found = Contents()
    try:
        for (what,) in db.execute(f"PRAGMA integrity_check({MOST})"):
            if what != "ok":
                found.blame(f"The file: {what}.")
        for table, *_ in db.execute("PRAGMA foreign_key_check"):
            found.blame(f"The table {table}: a row that belongs to no match.")
        for (match,) in db.execute(GAPS):
            found.blame(f"Match {match}: an entry of its log is missing.")
        found.matches, found.entries = one(db, "SELECT count(*) FROM matches"), one(db, "SELECT count(*) FROM log")
    except sqlite3.DatabaseError as trouble:
        found.blame(f"{what_is_wrong(trouble)}.")
    return found


def check_file(path: str) -> Contents:
    """Everything about a SQLite file, also while a server uses it."""
    db = open_to_read(path)
    try:
        seen = looked_over(db)
        if seen.wrong:
            return seen
        if version_of(path, db, len(STEPS)) < len(STEPS):
            # Until a server has brought it up to date there are columns missing that are needed to play it through.
            return seen
        found, after = Contents(), (float("-inf"), 0)
        while some := matches_after(db, after):
            for _, kept, log in some:
                found.look_at(kept, log)
            after = (some[-1][1].created, some[-1][0])
        return found
    except sqlite3.DatabaseError as trouble:
        raise damaged(path) from trouble
    finally:
        db.close()


async def check_store(store: Store) -> Contents:
    """Everything about a store that looks after its files by itself."""
    found = Contents()
    async for kept, log in store.everything():
        found.look_at(kept, log)
    return found
