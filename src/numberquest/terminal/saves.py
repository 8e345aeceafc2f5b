"""Games in progress, on disk: written after every move, so that a kill loses nothing that was acknowledged."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from numberquest import record as records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numberquest.record import Record

SUFFIX = ".nq"


class CannotSave(Exception):
    """The disk refused; the message says what and why."""


def folder(environ: Mapping[str, str] = os.environ) -> str:
    """Where games in progress are kept: the user's state folder."""
    home = environ.get("XDG_STATE_HOME", "")
    # The XDG rules say that a path that is not absolute is to be ignored.
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "numberquest")


def new_path(slug: str) -> str:
    """A name for a new game in progress: the game, when it began, and something that makes it unique."""
    began = time.strftime("%Y%m%d-%H%M%S")
    return os.path.join(folder(), f"{slug}-{began}-{os.urandom(2).hex()}{SUFFIX}")


def is_kept_here(path: str) -> bool:
    """Whether a file is one of the state folder's own, which goes when its game is over."""
    return os.path.dirname(os.path.abspath(path)) == os.path.abspath(folder())


def write(path: str, record: Record) -> None:
    """Put the record there, all of it or nothing: a kill or a power cut leaves the old file or the new one."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        if is_kept_here(path):
            os.makedirs(folder(), exist_ok=True)
        try:
            # Private: the seed of a running game tells what is still hidden.
            file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "wb") as out:
                out.write(record.text().encode())
                out.flush()
                os.fsync(out.fileno())
            os.replace(unfinished, path)
            _sync_folder(path)
        finally:
            if os.path.lexists(unfinished):
                os.unlink(unfinished)
    except OSError as error:
        raise CannotSave(f"{path} cannot be written: {error.strerror}") from None


def _sync_folder(path: str) -> None:
    """Make sure that the new name, too, survives a power cut."""
    handle = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: str) -> None:
    """Forget a game that is over, and what a kill in the middle of saving it has left."""
    home, name = os.path.split(path)
    try:
        for found in os.listdir(home) if os.path.isdir(home) else ():
            if found == name or (found.startswith(f"{name}.") and found.endswith(".tmp")):
                os.unlink(os.path.join(home, found))
    except OSError as error:
        raise CannotSave(f"{path} cannot be removed: {error.strerror}") from None


def load(path: str) -> Record:
    """The record in a file; `OSError` or `RecordError` say what is wrong with it."""
    with open(path, "rb") as file:
        return records.read(file.read(4 * records.LONGEST_TEXT + 1))


def unfinished() -> Iterator[tuple[str, Record]]:
    """The games in progress, newest first. What is no game, or is over, is passed over."""
    home = folder()
    found = []
    try:
        with os.scandir(home) as entries:
            # Only true files: reading from anything else might never end.
            found = [(e.stat().st_mtime, e.path) for e in entries if e.name.endswith(SUFFIX) and e.is_file()]
    except OSError:
        # No such folder, or one that cannot be read: then there is nothing to go on with.
        return
    for _, path in sorted(found, reverse=True):
        try:
            record = load(path)
        except (OSError, records.RecordError):
            continue
        if goes_on(record):
            yield path, record


def goes_on(record: Record) -> bool:
    """Whether there is something to go on with: this game, or the next round or the champion of its series."""
    return record.match.outcome is None or "Round" in dict(record.other)
