"""The user's folders, and files that are written whole or not at all."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress

STALE = 60.0
"""A file that is being written changes all the time: one that has not for so many seconds was left by a kill."""


def user_folder(variable: str, *default: str) -> str:
    """Our folder in one of the user's: where an XDG variable says, or in its usual place under the home."""
    home = os.environ.get(variable, "")
    # The XDG rules say that a path that is not absolute is to be ignored.
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), *default)
    return os.path.join(home, "numberquest")


def write_whole(path: str, pieces: Iterable[bytes | memoryview], mode: int = 0o666) -> None:
    """Write a file: a kill or a power cut leaves the old one or the new one, and never a part."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        if os.path.lexists(unfinished):
            os.unlink(unfinished)
    if not hasattr(os, "O_DIRECTORY"):
        # Windows opens no folders.
        return
    # The new name, too, must survive a power cut.
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def clear_leftovers(folder: str, beginning: str = "", stale: float = STALE) -> None:
    """Remove the unfinished files that a kill has left in a folder, of those whose names begin so."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith(beginning)]
    except OSError:
        return
    for name in names:
        *_, number, ending = ["", "", *name.rsplit(".", 2)]
        if ending != "tmp" or not number.isdigit():
            continue
        path = os.path.join(folder, name)
        # It may be gone, or not be ours to remove.
        with suppress(OSError):
            if time.time() - os.lstat(path).st_mtime > stale:
                os.unlink(path)
