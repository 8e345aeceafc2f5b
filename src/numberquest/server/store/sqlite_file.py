"""The SQLite file of the store: made, locked for one server, looked through, and brought to the newest version."""

import contextlib
import os
import secrets
import shlex
import sqlite3
import stat
import struct
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from numberquest.core.errors import FAILURE, UsageError
from numberquest.server.store.base import COLUMNS, steps

APPLICATION: Final = 0x4E51_0001
"""Written in the head of the file, so that the database of another program is not taken for ours."""

# The log belongs to the number of a match and not to its name. Numbers grow, so what is played now lies together, and a
# commit writes few pages.
STEPS: Final = steps(
    match="number INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE",
    of_match="INTEGER NOT NULL REFERENCES matches (number)",
    key="number",
    by_age="created",
    by_owner="owner, over, size",
    word="TEXT",
    bytes="BLOB",
    real="REAL",
    small="INTEGER",
    strict=" STRICT",
    strict_by_key=" STRICT, WITHOUT ROWID",
    meta="CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;",
    find="instr",
    date="coalesce(date(created, 'unixepoch'), '')",
    place="place INTEGER PRIMARY KEY",
    now="(julianday('now') - 2440587.5) * 86400.0",
)

TROUBLE: Final = {
    sqlite3.SQLITE_FULL: "The disk is full",
    sqlite3.SQLITE_READONLY: "The database can only be read",
    sqlite3.SQLITE_IOERR: "The disk does not work",
    sqlite3.SQLITE_BUSY: "Another program holds the database",
    sqlite3.SQLITE_CORRUPT: "The database is damaged",
    sqlite3.SQLITE_NOTADB: "The database is damaged",
    sqlite3.SQLITE_CANTOPEN: "The database cannot be opened",
}
SECRET: Final = 32
"""So many bytes: with others, no seat and no invitation would open any more."""
BESIDE: Final = ("", "-wal", "-shm")
"""A database is these three files: the tables, what was written last, and where in it which page is."""
LOOK: Final = 3.0
"""So many seconds, at most, a database is looked through before it is used; see docs/server.md for how far that is."""
TABLES: Final = (
    f"{COLUMNS}, number, over, size FROM matches",
    "match, ply, seat, deed, text, key, at FROM log",
    "name, value FROM meta",
    "time, boot, steady FROM life",
    "day, step, tries, correct FROM answers",
    "classroom, code, header, created, opened FROM classes",
    "place, classroom, number, event FROM class_log",
)


CUT, DELETED, MOVED, BESIDE_GONE = "cut-short", "deleted", "moved", "journal-gone"
"""What somebody else may do to a file that is in use."""
OWNED: Final = 1 << 60
"""The byte of the file, far behind its end, that its server holds, whatever name the file was opened by."""


class Damaged(UsageError):
    """A file that is not what was written."""


class InUse(UsageError):
    """A server has the file already."""


class SqliteFile:
    """A database that is open: the lock, a connection to write with and one to read with."""

    def __init__(self, path: str, steps: Sequence[str], synchronous: str, beside: bool = False) -> None:
        """Open the file, or make it; a `UsageError` where that cannot be. `beside`: also where a server has it."""
        self.path = os.path.realpath(path)
        self._steps, self._synchronous = steps, synchronous
        self._locks = contextlib.ExitStack()
        self._alone = True
        try:
            self._locks.callback(os.close, lock(self.path))
        except InUse:
            if not beside:
                raise
            self._alone = False
        try:
            # For the owner alone; SQLite gives the files beside it the same rights.
            self._inode = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            self._locks.callback(os.close, self._inode)
            if self._alone:
                _own(self._inode, self.path)
            if _state(f"{self.path}-wal")[2] > _state(self.path)[2] == 0:
                # SQLite would take it for a new one, and throw away what was written last.
                raise damaged(self.path)
            self._connect(look=True)
        except BaseException as trouble:
            self._locks.close()
            if isinstance(trouble, sqlite3.DatabaseError):
                raise _unusable(self.path, trouble) from trouble
            if isinstance(trouble, OSError):
                raise cannot_keep(self.path, trouble) from None
            raise

    def _connect(self, look: bool) -> None:
        with contextlib.ExitStack() as undone:
            # Never a new file: whoever takes it away at this moment must not find an empty one in its place.
            address = f"file:{quote(self.path)}?mode=rw"
            self.writing = undone.enter_context(contextlib.closing(_connected(address)))
            self.reading = undone.enter_context(contextlib.closing(_connected(address)))
            if look and self._alone:
                _look_through(self.path, self.writing)
            if not self._alone and version_of(self.path, self.writing, len(self._steps)) < len(self._steps):
                # That server, an older one, would not know what has become of its tables.
                raise _in_use(self.path)
            self.secret = _prepare(self.path, self.writing, self._steps, self._synchronous)
            # It opens the files beside the database now, and not others that lie there later.
            one(self.reading, "SELECT count(*) FROM meta")
            self.reading.execute("PRAGMA query_only = ON")
            sync_folders(self.path)
            undone.pop_all()
        self._files = self._states()
        self._open = True
        self._written = self._data_version()

    def _data_version(self) -> int:
        return int(one(self.writing, "PRAGMA data_version"))

    @property
    def changed_elsewhere(self) -> bool:
        """Whether another process, such as the keeper's `db prune`, has written to it since this was asked last."""
        before, self._written = self._written, self._data_version()
        return self._written != before

    def _states(self) -> list[tuple[int, int, int]]:
        return [_state(self.path + ending) for ending in BESIDE]

    @property
    def harm(self) -> str:
        """What somebody else has done to it, empty where nothing is wrong. Takes a few microseconds."""
        # What was known is taken first: the other thread may look too, and see more of what is written meanwhile.
        before, now = self._files, self._states()
        same = [new[:2] == old[:2] for new, old in zip(now, before, strict=True)]
        shorter = [new[2] < old[2] for new, old in zip(now, before, strict=True)]
        if not same[0]:
            return MOVED if os.fstat(self._inode).st_nlink else DELETED
        # Of an empty journal all may be in the tables: whoever tries to save it sees.
        if shorter[0] or (same[1] and shorter[1] and now[1][2]):
            return CUT
        if not all(same) or shorter[1]:
            return BESIDE_GONE
        self._files = now
        return ""

    def rescue(self) -> str:
        """Write everything to a new file beside where it was, and return its name. Nobody may be writing meanwhile."""
        name = f"{self.path}.rescued-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
        os.makedirs(os.path.dirname(name), 0o700, exist_ok=True)
        try:
            with open(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), "rb") as copy:
                self.writing.execute("VACUUM INTO ?", (name,))
                os.fsync(copy.fileno())
        except BaseException:
            os.unlink(name)
            raise
        sync_folders(name)
        return name

    def save(self) -> None:
        """Put all that was written last into the tables, wherever those are now. Nobody may be reading meanwhile.

        And nothing of it stays in the file beside them, which may lie beside other tables by now and would spoil them.
        """
        busy, *_ = self.writing.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise sqlite3.OperationalError("another program reads")
        self._files[1] = (*self._files[1][:2], 0)

    def mend(self) -> None:
        """Where the files beside the tables were taken away: save what was in them, and begin new ones."""
        if self._open:
            self.save()
            self._disconnect()
        self._connect(look=False)

    def _disconnect(self) -> None:
        self._open = False
        self.reading.close()
        self.writing.close()

    def close(self) -> None:
        """Let go; another server may have it then."""
        self._disconnect()
        self._locks.close()


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, isolation_level=None, check_same_thread=False, cached_statements=256, uri=True)


def open_to_read(path: str) -> sqlite3.Connection:
    """A connection that cannot change anything, also while a server uses the file; `UsageError` if it is not ours."""
    try:
        mode = os.stat(path).st_mode
    except PermissionError:
        raise _unreadable(path) from None
    except OSError:
        raise UsageError(f"There are no matches in {path}: the file does not exist.", FAILURE) from None
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path} is a folder: name a file.")
    if not all(os.access(path + ending, os.R_OK) for ending in BESIDE if os.path.exists(path + ending)):
        raise _unreadable(path)
    try:
        with contextlib.ExitStack() as undone:
            db = undone.enter_context(contextlib.closing(_connected(f"file:{quote(os.path.abspath(path))}?mode=ro")))
            if not version_of(path, db, len(STEPS)):
                raise UsageError(f"There are no matches in {path}.", FAILURE)
            undone.pop_all()
            return db
    except sqlite3.DatabaseError as trouble:
        raise _unusable(path, trouble) from trouble


def _unreadable(path: str) -> UsageError:
    return UsageError(f"You may not read {path}: do it as the user of the server, or as root.", FAILURE)


def _state(path: str) -> tuple[int, int, int]:
    """Which file has that name, and how long it is."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0, 0
    return found.st_dev, found.st_ino, found.st_size


def lock(path: str) -> int:
    """Make the folder if it is missing, and see that no other server uses the file, until this is closed."""
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(0, "that is a folder")
        if not os.path.exists(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with contextlib.ExitStack() as undone:
            held = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            undone.callback(os.close, held)
            hold(held)
            undone.pop_all()
            return held
    except BlockingIOError:
        raise _in_use(path) from None
    except OSError as trouble:
        raise cannot_keep(path, trouble) from None


def _in_use(path: str) -> InUse:
    return InUse(f"Another server is using {path}: stop it, or name another file with --db.", FAILURE)


def _own(file: int, path: str) -> None:
    """Hold the file itself as long as it is open: by another name (a hard link) the lock beside it would be another."""
    if sys.platform == "linux":
        import fcntl

        try:
            # Not of the process, as SQLite's own locks are: those end when anybody in it closes the file.
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, OWNED, 1, 0))
        except (BlockingIOError, PermissionError):
            raise _in_use(path) from None
        except OSError:
            # There are disks without locks; the one beside it must do.
            return


def cannot_keep(path: str, trouble: OSError) -> UsageError:
    """What is said where the system does not let us have the file."""
    return UsageError(f"Cannot keep matches in {path}: {trouble.strerror}.", FAILURE)


def hold(lock: int) -> None:
    """Hold a file as long as it is open; a `BlockingIOError` where another process does."""
    try:
        import fcntl
    except ImportError:
        # Only POSIX systems have it; elsewhere it is up to the owner to start one server only.
        return
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def version_of(path: str, db: sqlite3.Connection, newest: int) -> int:
    """The version of the tables, 0 where there are none yet; a `UsageError` where they are not ours or too new."""
    version = int(one(db, "PRAGMA user_version"))
    if one(db, "PRAGMA application_id") != APPLICATION and (version or one(db, "SELECT count(*) FROM sqlite_schema")):
        raise UsageError(f"{path} is a database of another program.", FAILURE)
    if version > newest:
        raise UsageError(f"{path} was made by a newer version of Number Quest.", FAILURE)
    return version


def _look_through(path: str, db: sqlite3.Connection) -> None:
    """Refuse a file that is damaged, as far as can be seen in a few seconds; `db check` takes as long as it needs."""
    until = time.monotonic() + LOOK
    db.set_progress_handler(lambda: time.monotonic() > until, 50_000)
    try:
        found = one(db, "PRAGMA quick_check(1)")
    except sqlite3.OperationalError as trouble:
        if trouble.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
    else:
        if found != "ok":
            raise damaged(path)
    finally:
        db.set_progress_handler(None, 0)


def command(what: str, path: str) -> str:
    """What to type for this very database: without its name it would be about the one in the data folder."""
    return f"numberquest db {what} --db {shlex.quote(path)}"


def damaged(path: str) -> Damaged:
    """What is said of a damaged database, and what to do."""
    return Damaged(
        f"{path} is damaged. '{command('check', path)}' says what is wrong, '{command('restore', path)} FILE' takes up"
        " a backup; or name another file with --db.",
        FAILURE,
    )


def _prepare(path: str, db: sqlite3.Connection, steps: Sequence[str], synchronous: str) -> bytes:
    """Bring the database to the newest version, and return its secret."""
    version = version_of(path, db, len(steps))
    if one(db, "PRAGMA journal_mode = WAL") != "wal":
        raise UsageError(f"Cannot keep matches in {path}: its disk lacks what SQLite's journal needs.", FAILURE)
    db.execute(f"PRAGMA synchronous = {synchronous}")
    # Moves of many matches lie far apart: writing them back together, up to 32 MB of them, is less often and less work.
    db.execute("PRAGMA wal_autocheckpoint = 8000")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA cache_size = -32000")
    # Of what is removed, nothing stays readable in the file.
    db.execute("PRAGMA secure_delete = ON")
    for number in range(version, len(steps)):
        try:
            db.executescript(
                f"BEGIN IMMEDIATE; {steps[number]};"
                f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {number + 1}; COMMIT;"
            )
        except BaseException:
            leave(db)
            raise
    try:
        for table in TABLES:
            db.execute(f"SELECT {table} LIMIT 0")
    except sqlite3.OperationalError as trouble:
        if trouble.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        # A table or a column that ought to be there is not.
        raise damaged(path) from None
    if not one(db, "SELECT EXISTS (SELECT 1 FROM matches)"):
        db.execute("INSERT INTO meta VALUES ('secret', ?) ON CONFLICT DO NOTHING", (secrets.token_bytes(SECRET),))
    secret = secret_of(db)
    if len(secret) != SECRET or not one(db, "SELECT EXISTS (SELECT 1 FROM life)"):
        raise damaged(path)
    return secret


def secret_of(db: sqlite3.Connection) -> bytes:
    """The secret of the database; no bytes where it is missing."""
    found = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
    return b"" if found is None else bytes(found[0])


def one(db: sqlite3.Connection, question: str) -> Any:
    """The first value of the answer."""
    return db.execute(question).fetchone()[0]


def sync_folders(path: str) -> None:
    """The names of new files and of a new folder must survive a power cut too."""
    inner = os.path.dirname(path)
    for name in (inner, os.path.dirname(inner)):
        try:
            folder = os.open(name, os.O_RDONLY)
        except PermissionError:
            # Whoever may not read a folder may not have it synced either; but everything.
            os.sync()
            continue
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _unusable(path: str, trouble: sqlite3.DatabaseError) -> UsageError:
    if trouble.sqlite_errorcode & 0xFF == sqlite3.SQLITE_NOTADB:
        return Damaged(
            f"{path} is not a database, or its beginning is damaged. If there were matches in it,"
            f" '{command('restore', path)} FILE' takes up a backup; or name another file with --db.",
            FAILURE,
        )
    if trouble.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT:
        return damaged(path)
    return UsageError(f"Cannot keep matches in {path}: {what_is_wrong(trouble)}.", FAILURE)


def leave(db: sqlite3.Connection) -> None:
    """End a transaction without a change. After some errors SQLite has done so itself."""
    if db.in_transaction:
        db.execute("ROLLBACK")


def what_is_wrong(trouble: Exception) -> str:
    """In words for people; nothing of the SQL."""
    # The low byte is the kind of trouble, the rest says more about it.
    return TROUBLE.get(getattr(trouble, "sqlite_errorcode", 0) & 0xFF, "The database refuses")
