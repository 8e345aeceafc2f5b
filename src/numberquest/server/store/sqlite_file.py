"""The SQLite file of the store: made, locked for one server, and brought to the newest version of its tables."""

from __future__ import annotations

import os
import secrets
import sqlite3
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Sequence

APPLICATION: Final = 0x4E51_0001
"""Written in the head of the file, so that the database of another program is not taken for ours."""

STEPS: Final[tuple[str, ...]] = (
    # 1: the log belongs to the number of a match and not to its name. Numbers grow, so what is played now lies
    # together, and a commit writes few pages.
    """
    CREATE TABLE matches (
        number INTEGER PRIMARY KEY,
        match TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        settings TEXT NOT NULL,
        seed TEXT NOT NULL,
        start TEXT NOT NULL,
        opponent TEXT NOT NULL,
        name1 TEXT NOT NULL,
        name2 TEXT NOT NULL,
        kind1 TEXT NOT NULL,
        kind2 TEXT NOT NULL,
        token1 BLOB NOT NULL,
        token2 BLOB NOT NULL,
        invite BLOB NOT NULL,
        round INTEGER NOT NULL,
        rounds INTEGER NOT NULL,
        points1 INTEGER NOT NULL,
        points2 INTEGER NOT NULL,
        created REAL NOT NULL,
        over REAL
    ) STRICT;
    CREATE INDEX matches_by_age ON matches (created);
    CREATE INDEX matches_going_on ON matches (created) WHERE over IS NULL;
    CREATE TABLE log (
        match INTEGER NOT NULL REFERENCES matches (number) ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        text TEXT NOT NULL,
        key TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (match, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
    """,
)
"""What makes a database of version n + 1 out of one of version n."""

TROUBLE: Final = {
    sqlite3.SQLITE_FULL: "The disk is full",
    sqlite3.SQLITE_READONLY: "The database can only be read",
    sqlite3.SQLITE_IOERR: "The disk does not work",
    sqlite3.SQLITE_BUSY: "Another program holds the database",
    sqlite3.SQLITE_CORRUPT: "The database is damaged",
    sqlite3.SQLITE_NOTADB: "The database is damaged",
    sqlite3.SQLITE_CANTOPEN: "The database cannot be opened",
}


class Opened(NamedTuple):
    """A database that is ready."""

    lock: int
    """The open lock file: closing it lets another server in."""
    writing: sqlite3.Connection
    reading: sqlite3.Connection
    secret: bytes


def open_file(path: str, steps: Sequence[str], synchronous: str) -> Opened:
    """Open the file, or make it; a `Mistake` where that cannot be."""
    path = os.path.realpath(path)
    lock = _lock(path)
    connections: list[sqlite3.Connection] = []
    try:
        writing = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
        connections.append(writing)
        reading = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connections.append(reading)
        secret = _prepare(path, writing, steps, synchronous)
        reading.execute("PRAGMA query_only = ON")
        _sync_folders(path)
    except BaseException as trouble:
        for connection in connections:
            connection.close()
        os.close(lock)
        if isinstance(trouble, sqlite3.DatabaseError):
            raise _unusable(path, trouble) from trouble
        raise
    return Opened(lock, writing, reading, secret)


def _lock(path: str) -> int:
    """Make the folder and the file if they are missing, and see that no other server uses it, until we end."""
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(0, "that is a folder")
        if not os.path.exists(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _hold(lock)
            # For the owner alone; SQLite gives the files beside it the same rights.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except BaseException:
            os.close(lock)
            raise
    except BlockingIOError:
        raise Mistake(f"Another server is using {path}: stop it, or name another file with --db.", FAILURE) from None
    except OSError as trouble:
        raise Mistake(f"Cannot keep matches in {path}: {trouble.strerror}.", FAILURE) from None
    return lock


def _hold(lock: int) -> None:
    try:
        import fcntl
    except ImportError:
        # Only POSIX systems have it; elsewhere it is up to the owner to start one server only.
        return
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _prepare(path: str, db: sqlite3.Connection, steps: Sequence[str], synchronous: str) -> bytes:
    """Bring the database to the newest version, and return its secret."""
    ours = _one(db, "PRAGMA application_id") == APPLICATION
    version = _one(db, "PRAGMA user_version")
    if not ours and (version or _one(db, "SELECT count(*) FROM sqlite_schema")):
        raise Mistake(f"{path} is a database of another program.", FAILURE)
    if version > len(steps):
        raise Mistake(f"{path} was made by a newer version of Number Quest.", FAILURE)
    if _one(db, "PRAGMA journal_mode = WAL") != "wal":
        raise Mistake(f"Cannot keep matches in {path}: its disk lacks what SQLite's journal needs.", FAILURE)
    db.execute(f"PRAGMA synchronous = {synchronous}")
    # Moves of many matches lie far apart: writing them back together, up to 32 MB of them, is less often and less work.
    db.execute("PRAGMA wal_autocheckpoint = 8000")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA cache_size = -32000")
    for number in range(version, len(steps)):
        try:
            db.executescript(
                f"BEGIN IMMEDIATE; {steps[number]};"
                f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {number + 1}; COMMIT;"
            )
        except BaseException:
            leave(db)
            raise
    db.execute("INSERT INTO meta VALUES ('secret', ?) ON CONFLICT DO NOTHING", (secrets.token_bytes(32),))
    return bytes(_one(db, "SELECT value FROM meta WHERE name = 'secret'"))


def _one(db: sqlite3.Connection, question: str) -> Any:
    return db.execute(question).fetchone()[0]


def _sync_folders(path: str) -> None:
    """The names of new files and of a new folder must survive a power cut too."""
    inner = os.path.dirname(path)
    for name in (inner, os.path.dirname(inner)):
        folder = os.open(name, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _unusable(path: str, trouble: sqlite3.DatabaseError) -> Mistake:
    if trouble.sqlite_errorcode & 0xFF == sqlite3.SQLITE_NOTADB:
        return Mistake(f"{path} is not a database.", FAILURE)
    return Mistake(f"Cannot keep matches in {path}: {what_is_wrong(trouble)}.", FAILURE)


def leave(db: sqlite3.Connection) -> None:
    """End a transaction without a change. After some errors SQLite has done so itself."""
    if db.in_transaction:
        db.execute("ROLLBACK")


def what_is_wrong(trouble: Exception) -> str:
    """In words for people; nothing of the SQL."""
    # The low byte is the kind of trouble, the rest says more about it.
    return TROUBLE.get(getattr(trouble, "sqlite_errorcode", 0) & 0xFF, "The database refuses")
