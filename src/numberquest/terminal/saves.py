"""Games in progress, on disk: written after every move, so that a kill loses nothing that was acknowledged."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from numberquest import record as records
from numberquest.files import user_folder, write_whole
from numberquest.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numberquest.record import Record

SUFFIX = ".nq"


class CannotSave(Exception):
    """The disk refused; the message says what and why."""


def folder() -> str:
    """Where games in progress are kept: the user's state folder."""
    return user_folder("XDG_STATE_HOME", ".local", "state")


def new_path(slug: str) -> str:
    """A name for a new game in progress: the game, when it began, and something that makes it unique."""
    began = time.strftime("%Y%m%d-%H%M%S")
    return os.path.join(folder(), f"{slug}-{began}-{os.urandom(2).hex()}{SUFFIX}")


def is_kept_here(path: str) -> bool:
    """Whether a file is one of the state folder's own, which goes when its game is over."""
    return os.path.dirname(os.path.abspath(path)) == os.path.abspath(folder())


def write(path: str, record: Record) -> None:
    """Put the record there, all of it or nothing."""
    try:
        if is_kept_here(path):
            os.makedirs(folder(), exist_ok=True)
        # Private: the seed of a running game tells what is still hidden.
        write_whole(path, [record.text().encode()], mode=0o600)
    except OSError as error:
        raise CannotSave(f"{path} cannot be written: {error.strerror}") from None


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
    for path in _kept():
        try:
            record = load(path)
        except (OSError, records.RecordError):
            continue
        if goes_on(record):
            yield path, record


def _kept() -> list[str]:
    """The files in the state folder, newest first."""
    try:
        with os.scandir(folder()) as entries:
            # Only true files: reading from anything else might never end.
            found = [(e.stat().st_mtime, e.path) for e in entries if e.name.endswith(SUFFIX) and e.is_file()]
    except OSError:
        # No such folder, or one that cannot be read: then there is nothing to go on with.
        return []
    return [path for _, path in sorted(found, reverse=True)]


def of_missing_games() -> list[str]:
    """The games whose saves are here though they themselves are not, by their short names."""
    found = set()
    for path in _kept():
        try:
            with open(path, "rb") as file:
                named = re.match(rb'\[Game "([a-z][a-z0-9_]*)"\]', file.readline(100))
        except OSError:
            continue
        if named is not None:
            found.add(named[1].decode())
    return sorted(found - GAMES.keys())


def goes_on(record: Record) -> bool:
    """Whether there is something to go on with: this game, or the next round or the champion of its series."""
    return record.match.outcome is None or "Round" in dict(record.other)
