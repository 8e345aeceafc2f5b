"""Games on disk: those in progress, written after every move, so that a kill loses nothing; and the finished ones."""

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import inf
from typing import Final, NamedTuple

from numberquest.core import record as records
from numberquest.core.errors import FAILURE, Unable, UsageError
from numberquest.core.files import clear_leftovers, user_folder, write_whole
from numberquest.core.record import Record
from numberquest.terminal.prompt import lock
from numberquest.terminal.prompt.console import tell
from numberquest.terminal.prompt.lock import Lock

SUFFIX = ".nq"
MOST_FINISHED: Final = 200
"""Finished games on disk; an older game is deleted, unless the game earns a star."""


class CannotSave(Unable):
    """The disk refused; the message says what and why."""


class KeptGame(NamedTuple):
    """A game that is kept here, with its file."""

    path: str
    record: Record
    finished: bool
    played: float
    """Modification time of the file, read when the games were listed."""

    @property
    def name(self) -> str:
        """Name of the game in the list: the file name without the suffix."""
        return os.path.basename(self.path).removesuffix(SUFFIX)


class UnreadFile(NamedTuple):
    """A file among the games that cannot be read as one."""

    path: str
    tags: Mapping[str, str]
    """The tags of a record whose game is not here; empty where the file is no record."""


def folder() -> str:
    return user_folder("XDG_STATE_HOME", ".local", "state")


def finished_folder() -> str:
    return os.path.join(folder(), "finished")


def new_path(slug: str) -> str:
    """A name for a new game in progress: the game, when it began, and something that makes it unique."""
    return os.path.join(folder(), f"{slug}-{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(2).hex()}{SUFFIX}")


def is_kept_here(path: str) -> bool:
    """Whether a file is one of the state folder's own games in progress, and no player's own file."""
    return os.path.dirname(os.path.realpath(path)) == os.path.realpath(folder())


def is_finished(path: str) -> bool:
    return os.path.dirname(os.path.realpath(path)) == os.path.realpath(finished_folder())


def hold(path: str) -> Lock:
    """The lock of a game in progress; `UsageError` where it is being played in another window."""
    with suppress(OSError):
        os.makedirs(folder(), exist_ok=True)
    try:
        return lock.hold(path)
    except lock.Held:
        raise UsageError(
            f"the game in {path} is being played in another window: go on there, or leave it there first", FAILURE
        ) from None


def write(path: str, record: Record) -> None:
    """Put the record there, all of it or nothing."""
    try:
        if is_kept_here(path):
            os.makedirs(folder(), exist_ok=True)
        # Private: the seed of a running game tells what is still hidden.
        write_whole(path, [record.text().encode()], mode=0o600)
    except OSError as error:
        raise CannotSave(f"{path} cannot be written: {error.strerror}") from None


def write_own(typed: str, record: Record) -> str:
    """Write a record to a new file of the player's own, as its name was typed, and return its path."""
    path = os.path.expanduser(typed.strip("\"'"))
    if not path:
        raise CannotSave("Say where to: save FILE, such as save game.nq")
    if os.path.lexists(path):
        raise CannotSave(f"{path} exists already; choose another name")
    try:
        write(path, record)
    except (CannotSave, ValueError) as error:
        raise CannotSave(f"Not saved: {error}") from None
    return path


def remove(path: str) -> None:
    """Forget a game, and what a kill in the middle of saving it has left."""
    try:
        with suppress(FileNotFoundError):
            os.unlink(path)
        _remove_halves(path)
    except OSError as error:
        raise CannotSave(f"{path} cannot be removed: {error.strerror}") from None


def finish(path: str) -> None:
    """A game is over: put it to the finished ones, of which the oldest go when there are too many."""
    try:
        os.makedirs(finished_folder(), exist_ok=True)
        os.replace(path, os.path.join(finished_folder(), os.path.basename(path)))
        _remove_halves(path)
    except OSError as error:
        raise CannotSave(f"{path} cannot be put to the finished games: {error.strerror}") from None
    old = _files(finished_folder())[MOST_FINISHED:]
    if old:
        from numberquest.explain.ladder import WINS, step

        alike: Counter[object] = Counter()
    for path in old:
        record = _loaded(path)
        earns = record and step(record)
        alike[earns] += 1
        if earns is None or alike[earns] > WINS:
            # Another game may have ended at the same time, and have removed it.
            with suppress(OSError):
                os.unlink(path)


def _remove_halves(path: str) -> None:
    # Whoever holds the lock of a game knows that nobody writes it now, however young they are.
    clear_leftovers(os.path.dirname(path), f"{os.path.basename(path)}.", -inf)


def tidy() -> None:
    """Remove the leftovers of killed processes: unfinished files, and locks that nobody holds."""
    for home in (folder(), finished_folder()):
        clear_leftovers(home)
    try:
        names = os.listdir(folder())
    except OSError:
        return
    for name in names:
        if name.endswith(lock.SUFFIX):
            # Whoever takes a free lock and releases it removes its file.
            with suppress(lock.Held):
                lock.hold(os.path.join(folder(), name.removesuffix(lock.SUFFIX))).release()


def load(path: str) -> Record:
    """The record in a file; `OSError` or `RecordError` say what is wrong with it."""
    with open(path, "rb") as file:
        return records.read(file.read(4 * records.LONGEST_TEXT + 1))


def unfinished() -> Iterator[tuple[str, Record]]:
    """The games in progress, newest first. What is no game, or is over, is passed over."""
    for path in _files(folder()):
        record = _loaded(path)
        if record is not None and goes_on(record):
            yield path, record


def any_kept() -> bool:
    return bool(_files(folder()) or _files(finished_folder()))


def every() -> list[KeptGame]:
    """All games that are kept here: those in progress, then the finished ones, each newest first."""
    # A kill may have come between the last move of a game and its being put to the finished ones.
    found = [
        KeptGame(path, record, home != folder() or not goes_on(record), os.path.getmtime(path))
        for home in (folder(), finished_folder())
        for path in _files(home)
        if (record := _loaded(path)) is not None
    ]
    return sorted(found, key=lambda kept: kept.finished)


def unread(*homes: str) -> list[UnreadFile]:
    """Return the files in these folders (without one: in both) that `every` leaves out, each newest first."""
    found = []
    for path in (path for home in homes or (folder(), finished_folder()) for path in _files(home)):
        try:
            load(path)
        except records.UnknownGame as error:
            found.append(UnreadFile(path, error.tags))
        except (OSError, records.RecordError):
            found.append(UnreadFile(path, {}))
    return found


def _loaded(path: str) -> Record | None:
    try:
        return load(path)
    except (OSError, records.RecordError):
        return None


def _files(home: str) -> list[str]:
    """The files of games in a folder, newest first."""
    try:
        with os.scandir(home) as entries:
            # Only true files: reading from anything else might never end.
            found = [(e.stat().st_mtime, e.path) for e in entries if e.name.endswith(SUFFIX) and e.is_file()]
    except OSError:
        # No such folder, or one that cannot be read: then there is nothing to go on with.
        return []
    return [path for _, path in sorted(found, reverse=True)]


def goes_on(record: Record) -> bool:
    """Whether there is something to go on with: this game, or the next round or the champion of its series."""
    return record.match.outcome is None or "Round" in dict(record.other)


class Keeper:
    """Writes every new state of a game to its files; what fails is told once, and the game goes on."""

    def __init__(self, path: str, copy: str | None, *, lock: Lock | None = None, kept: bool = False) -> None:
        """`lock` is that of a game that is on disk already, and `kept` says that it is."""
        self.path, self.copy, self._lock = path, copy, lock
        self._troubles: set[str] = set()
        self.lost: dict[str, str] = {}
        """Files in which the newest state is missing, each with the reason."""
        self._began = False
        self.kept = kept
        """Whether the newest state is in the file at `path`."""

    def keep(self, record: Record) -> None:
        if not self._began:
            self._begin()
        self.kept = self._write(self.path, record)
        self.keep_copy(record)

    def keep_copy(self, record: Record) -> None:
        if self.copy is not None:
            self._write(self.copy, record)

    def finish(self, record: Record) -> None:
        """The game is over: people find it among the finished ones; what computers played alone goes."""
        if self.kept:
            try:
                (finish if any(record.people) else remove)(self.path)
            except CannotSave as error:
                self._tell(f"{error}.")
            self.kept = False
        self.release()

    def release(self) -> None:
        """Let another window have the game."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _begin(self) -> None:
        """Keep others out, and clear away what kills have left."""
        self._began = True
        tidy()
        if self._lock is None:
            # A new name, which nobody else can have.
            self._lock = hold(self.path)
        if self.copy is not None:
            home, name = os.path.split(os.path.abspath(self.copy))
            clear_leftovers(home, f"{name}.")

    def _write(self, path: str, record: Record) -> bool:
        try:
            write(path, record)
        except CannotSave as error:
            self.lost[path] = str(error)
            self._tell(f"{error}. The game goes on, but it is not kept there.")
            return False
        self.lost.pop(path, None)
        return True

    def _tell(self, trouble: str) -> None:
        if trouble not in self._troubles:
            self._troubles.add(trouble)
            tell(trouble)
