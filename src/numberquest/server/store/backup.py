"""A copy of the SQLite file, made while a server uses it; and such a copy put in its place again."""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
import stat
import time
from datetime import datetime
from typing import TYPE_CHECKING, Final

from numberquest.mistake import FAILURE, Mistake
from numberquest.server.store.check import checked
from numberquest.server.store.sqlite_file import (
    BESIDE,
    Damaged,
    command,
    damaged,
    hold,
    lock,
    one,
    open_to_read,
    sync_folders,
    what_is_wrong,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numberquest.server.store.check import Contents

PAGES: Final = 500
"""So many pages are copied at a time."""
DAMAGED: Final = ".damaged"
"""What the name of a backup ends with that did not pass."""


def backup(path: str, file: str, force: bool, say: Callable[[str], object]) -> Contents:
    """Copy the database into a file, whole or not at all, and check the copy as `db check` does.

    All that was acknowledged before is in it. `say` is told how far it is, once a second.
    """
    if os.path.realpath(file) in {os.path.realpath(path) + ending for ending in (*BESIDE, ".lock")}:
        raise Mistake(f"{file} is the database itself: name another file.")
    if os.path.isdir(file):
        raise Mistake(f"{file} is a folder: name a file.")
    if os.path.lexists(file) and not force:
        raise Mistake(f"{file} is there already: name another file, or add --force.", FAILURE)
    with _unfinished(file) as copy:
        found = _copied(path, copy, say)
        if found.wrong:
            os.replace(copy, file + DAMAGED)
            sync_folders(os.path.abspath(file))
            raise Mistake(
                f"{path} is damaged: {found.wrong[0]} What could be copied is in {file}{DAMAGED}, for whoever can"
                f" rescue something from it; {file} is as it was. '{command('restore', path)} FILE' takes up a backup.",
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
        raise Mistake(f"There is no backup {file}: the file does not exist.", FAILURE)
    held = lock(path)
    try:
        if os.path.exists(path) and os.path.samefile(path, file):
            raise Mistake(f"{file} is the database itself: name a backup of it.")
        with _unfinished(path) as copy:
            try:
                found = _copied(file, copy, say)
            except Damaged:
                raise Mistake(f"{file} is damaged or no backup, and is not taken: name another.", FAILURE) from None
            if found.wrong:
                raise Mistake(f"{file} is damaged, and is not taken: {found.wrong[0]}", FAILURE)
            try:
                # Whoever runs this, root perhaps, the database stays that of its server.
                _take_after(path if os.path.exists(path) else os.path.dirname(path), copy, f"{path}.lock")
            except PermissionError:
                raise Mistake(
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
        hold(held)
        yield copy
    except OSError as trouble:
        raise Mistake(f"{path} cannot be written: {trouble.strerror}.", FAILURE) from None
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
                hold(left)
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
            raise Mistake(f"{path} cannot be copied: {what_is_wrong(trouble)}.", FAILURE) from trouble
        # The server may go on taking its journal in; to look through the copy costs it nothing.
        source.close()
        try:
            # One file, that can be carried anywhere: nothing of it lies in others beside it.
            target.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.DatabaseError as trouble:
            if getattr(trouble, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise Mistake(f"{path} cannot be copied: {what_is_wrong(trouble)}.", FAILURE) from trouble
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
