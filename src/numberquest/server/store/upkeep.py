"""A copy of the SQLite file, made while a server uses it, and put in its place again; and whether a store is whole.

That is: the file, no gap in any log, and every log a game that keeps the rules.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from numberquest.core.errors import FAILURE, UsageError
from numberquest.server.match.entries import Entry, MatchHeader
from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.store import sqlite_file
from numberquest.server.store.base import Read, SqlStore
from numberquest.server.store.sqlite import matches_after
from numberquest.server.store.sqlite_file import BESIDE, STEPS, Damaged, damaged, one, open_to_read, sync_folders

PAGES: Final = 500
"""So many pages are copied at a time."""
DAMAGED: Final = ".damaged"
"""What the name of a backup ends with that did not pass."""
MAGIC: Final = b"SQLite format 3\0"
MOST: Final = 20
"""So many things that are wrong are told; where there are more, it is damaged all the same."""
GAPS: Final = """
    SELECT m.match FROM log JOIN matches m ON m.number = log.match
    GROUP BY log.match HAVING min(ply) <> 0 OR max(ply) + 1 <> count(*)"""

CLASS_GAPS: Final = """
    SELECT classroom FROM class_log GROUP BY classroom HAVING min(number) <> 0 OR max(number) + 1 <> count(*)"""


def backup(path: str, file: str, force: bool, say: Callable[[str], object]) -> Contents:
    """Copy the database into a file, whole or not at all, and check the copy as `db check` does.

    All that was acknowledged before is in it. `say` is told how far it is, once a second.
    """
    if os.path.realpath(file) in {os.path.realpath(path) + ending for ending in (*BESIDE, ".lock")}:
        raise UsageError(f"{file} is the database itself: name another file.")
    if os.path.isdir(file):
        raise UsageError(f"{file} is a folder: name a file.")
    if os.path.lexists(file) and not force:
        raise UsageError(f"{file} is there already: name another file, or add --force.", FAILURE)
    with _unfinished(file) as copy:
        found = _copied(path, copy, say)
        if found.wrong:
            os.replace(copy, file + DAMAGED)
            sync_folders(os.path.abspath(file))
            raise UsageError(
                f"{path} is damaged: {found.wrong[0]} What could be copied is in {file}{DAMAGED}, for whoever can"
                f" rescue something from it; {file} is as it was."
                f" '{sqlite_file.command('restore', path)} FILE' takes up a backup.",
                FAILURE,
            )
        if os.path.isfile(file) and not os.path.islink(file):
            with contextlib.suppress(PermissionError):
                _take_after(file, copy)
        os.replace(copy, file)
        sync_folders(os.path.abspath(file))
    return found


def restore(path: str, file: str, say: Callable[[str], object]) -> tuple[Contents, str | None]:
    """Put a backup in the place of the database; returns what is in it, and where the old one is kept."""
    path = os.path.realpath(path)
    if not os.path.exists(file):
        raise UsageError(f"There is no backup {file}: the file does not exist.", FAILURE)
    held = sqlite_file.lock(path)
    try:
        if os.path.exists(path) and os.path.samefile(path, file):
            raise UsageError(f"{file} is the database itself: name a backup of it.")
        with _unfinished(path) as copy:
            try:
                found = _copied(file, copy, say)
            except Damaged:
                raise UsageError(f"{file} is damaged or no backup, and is not taken: name another.", FAILURE) from None
            if found.wrong:
                raise UsageError(f"{file} is damaged, and is not taken: {found.wrong[0]}", FAILURE)
            try:
                # Whoever runs this, root perhaps, the database stays that of its server.
                _take_after(path if os.path.exists(path) else os.path.dirname(path), copy, f"{path}.lock")
            except PermissionError:
                raise UsageError(
                    f"{path} belongs to somebody else: restore it as that user, or as root.", FAILURE
                ) from None
            kept = _put_aside(path)
            # What was written last to the old one must not be taken for the end of the new one.
            for ending in BESIDE[1:]:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path + ending)
            os.replace(copy, path)
            sync_folders(path)
    finally:
        os.close(held)
    return found, kept


def _take_after(model: str, *files: str) -> None:
    """Give files the owner and group of another one, and its rights; those of a folder are not meant for files."""
    wanted = os.stat(model)
    for file in files:
        there = os.stat(file)
        if (there.st_uid, there.st_gid) != (wanted.st_uid, wanted.st_gid):
            os.chown(file, wanted.st_uid, wanted.st_gid)
        if stat.S_ISREG(wanted.st_mode):
            os.chmod(file, stat.S_IMODE(wanted.st_mode))


@contextlib.contextmanager
def _unfinished(path: str) -> Iterator[str]:
    """The name of a file beside it, which is gone afterwards unless it was given another name."""
    _clear_leftovers(path)
    copy = f"{path}.{os.getpid()}.tmp"
    held = None
    try:
        held = os.open(copy, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        sqlite_file.hold(held)
        yield copy
    except OSError as trouble:
        raise UsageError(f"{path} cannot be written: {trouble.strerror}.", FAILURE) from None
    finally:
        if held is not None:
            os.close(held)
        _remove(copy)


def _clear_leftovers(path: str) -> None:
    """Remove what others have left unfinished: nobody holds it any more, so they were killed."""
    for name in glob.glob(f"{glob.escape(path)}.[0-9]*.tmp"):
        with contextlib.suppress(OSError):
            left = os.open(name, os.O_RDWR)
            try:
                sqlite_file.hold(left)
                _remove(name)
            finally:
                os.close(left)


def _remove(copy: str) -> None:
    for ending in ("", "-journal"):
        with contextlib.suppress(OSError):
            os.unlink(copy + ending)


def _copied(path: str, copy: str, say: Callable[[str], object]) -> Contents:
    """Copy one state of a database into one file that is on the disk, and check it."""
    said = time.monotonic()

    def progress(_: int, left: int, pages: int) -> None:
        nonlocal said
        if time.monotonic() - said > 1:
            said = time.monotonic()
            say(f"{100 * (pages - left) // max(pages, 1)} % copied ...")

    with contextlib.closing(open_to_read(path)) as source, contextlib.closing(sqlite3.connect(copy)) as target:
        target.isolation_level = None
        try:
            # One state of it from here on, whatever is written meanwhile; otherwise each move would begin it anew.
            source.execute("BEGIN")
            one(source, "SELECT count(*) FROM sqlite_schema")
            source.backup(target, pages=PAGES, progress=progress, sleep=0)
        except sqlite3.DatabaseError as trouble:
            if getattr(trouble, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise damaged(path) from trouble
            raise UsageError(f"{path} cannot be copied: {sqlite_file.what_is_wrong(trouble)}.", FAILURE) from trouble
        # The server may go on taking its journal in; to look through the copy costs it nothing.
        source.close()
        try:
            # One file, that can be carried anywhere: nothing of it lies in others beside it.
            target.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.DatabaseError as trouble:
            if getattr(trouble, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise UsageError(
                    f"{path} cannot be copied: {sqlite_file.what_is_wrong(trouble)}.", FAILURE
                ) from trouble
        found = checked(copy, target)
    with open(copy, "rb") as whole:
        os.fsync(whole.fileno())
    return found


def _put_aside(path: str) -> str | None:
    """Keep the database that is there now under another name, with all that was written to it."""
    if not os.path.exists(path):
        return None
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as db:
        # All into one file. Where it is damaged and cannot be, the file beside it is kept too.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = f"{path}.{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{aside.partition('+')[0]}+{number}"
    for ending in BESIDE[:2]:
        # A second name for the same file: there is no moment at which the database is nowhere.
        if os.path.exists(path + ending):
            os.link(path + ending, aside + ending)
    sync_folders(path)
    return aside


class Contents(Struct):
    """What was found."""

    matches: int = 0
    entries: int = 0
    wrong: list[str] = []  # msgspec makes a new one for each
    """What is wrong, one sentence each."""
    unknown: set[str] = set()
    """Games that are not here, so that their matches could not be played through."""

    def __str__(self) -> str:
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return f"{matches}, {'1 entry' if self.entries == 1 else f'{self.entries} entries'}"

    def blame(self, sentence: str) -> None:
        if len(self.wrong) < MOST and sentence not in self.wrong:
            self.wrong.append(sentence)

    def look_at(self, header: MatchHeader, log: Sequence[Entry]) -> None:
        """Count a match, and play it through."""
        self.matches += 1
        self.entries += len(log)
        if [entry.ply for entry in log] != list(range(len(log))):
            self.blame(f"Match {header.match}: an entry of its log is missing.")
            return
        try:
            folded(header, log)
        except Exception as trouble:
            # Whatever a row that nobody of us has written may bring about.
            if isinstance(trouble, Refusal) and trouble.code == "not-found":
                self.unknown.add(header.game)
            else:
                self.blame(f"Match {header.match}: its log breaks the rules of the game.")


def check_file(path: str) -> Contents:
    """Everything about a SQLite file, also while a server uses it."""
    found = Contents()
    _check_length(path, found)
    try:
        with contextlib.closing(open_to_read(path)) as db:
            return checked(path, db, found)
    except Damaged:
        # What is so much damaged cannot even be opened.
        if not found.wrong:
            found.blame("The file: it is not a database, or its beginning is damaged.")
        return found


def _check_length(path: str, found: Contents) -> None:
    """See whether the file is as long as its beginning says; one that was cut short is not."""
    try:
        with open(path, "rb") as file:
            head, size = file.read(100), os.fstat(file.fileno()).st_size
        # Where a journal lies beside it, the rest may be in there.
        has_journal = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    except OSError:
        # Whoever opens it next says why.
        return
    page, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    page = 65536 if page == 1 else page
    if head.startswith(MAGIC) and size < page * pages and not has_journal:
        found.blame(f"The file: it is cut short, and ends after page {size // page} of {pages}.")


def checked(path: str, db: sqlite3.Connection, found: Contents | None = None) -> Contents:
    """All that can be seen at one state of the file: its pages, its tables, and every match played through."""
    found = found or Contents()
    _look_over(db, found)
    try:
        # Until a server has brought it up to date there are columns missing that are needed to play it through.
        if sqlite_file.version_of(path, db, len(STEPS)) == len(STEPS):
            for (classroom,) in db.execute(CLASS_GAPS):
                found.blame(f"Class {classroom}: an event of its log is missing.")
            found.matches, found.entries, some = 0, 0, list[Read]()
            while some := matches_after(db, some[-1].place if some else None, careful=True):
                for _, what in some:
                    if isinstance(what, str):
                        found.blame(f"Match {what}: it cannot be read.")
                    else:
                        found.look_at(*what)
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
        if found.matches and len(sqlite_file.secret_of(db)) != sqlite_file.SECRET:
            found.blame("The table meta: the secret is missing or damaged; no seat and no invitation opens without it.")
    except sqlite3.DatabaseError as trouble:
        found.blame(f"The file: {trouble}.")


async def check_store(store: SqlStore) -> Contents:
    """Everything about a store that looks after its files by itself."""
    found = Contents()
    async for header, log in store.everything():
        found.look_at(header, log)
    return found
