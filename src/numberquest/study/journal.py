"""Long work on disk: JSON lines, one for each thing that is done, written as it is done, so that a kill loses nothing.

The first line says what work it is: the games of a contest (`Rows`), or the rule sets of a sweep (`Swept`).
"""

import json
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import attrgetter
from typing import IO, Any, Final, Generic, Self, TypeVar

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import write_whole
from numberquest.core.settings import SettingValue
from numberquest.solver.table import VERSION as SOLVERS
from numberquest.solver.table import source_of
from numberquest.study.game import Contest, Job, Row
from numberquest.study.row import SweepRow

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

FILE: Final = "games.jsonl"
GAMES: Final = "numberquest games"
SWEEP: Final = "numberquest sweep"
VERSION: Final = 1


class Journal(Generic[K, R]):
    """Rows by what tells them apart: in memory, and in a file where there is one."""

    def __init__(
        self,
        path: str | None,
        head: Mapping[str, Any],
        words: tuple[str, str],
        key: Callable[[R], K],
        data: Callable[[R], object],
        row: Callable[[Any], R],
    ) -> None:
        """Takes up what the file holds already; `UsageError` where that is of other work.

        What it holds, `games`, and what else to do, `name another folder`, are `words` for that sentence. `data` makes
        JSON of a row, and `row` reads it again.
        """
        self.path, self._head, self._key, self._data = path, dict(head), key, data
        self._what, self._else = words
        self.known: dict[K, R] = {}
        self._file: IO[bytes] | None = None
        if path is None:
            return
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            self._file = open(path, "a+b")
        except OSError as error:
            raise UsageError(f"{error.filename} cannot be used: {error.strerror}", FAILURE) from None
        try:
            self._take_up(self._file, row)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _take_up(self, file: IO[bytes], row: Callable[[Any], R]) -> None:
        self._lock(file)
        file.seek(0)
        *lines, unfinished = file.read().split(b"\n")
        # A kill may have left a part of a line; and where nothing is left, the head is written anew.
        if not lines:
            file.truncate(0)
            self._write(json_line(self._head))
            return
        if unfinished:
            file.truncate(sum(len(line) + 1 for line in lines))
        self._check_head(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            try:
                taken = row(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise UsageError(f"{self.path}: line {number} is none of the {self._what}", FAILURE) from None
            self.known[self._key(taken)] = taken

    def _lock(self, file: IO[bytes]) -> None:
        try:
            import fcntl
        except ModuleNotFoundError:
            # Only POSIX systems have it.
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"{self.path} is being written by another run: wait for it, or end it", FAILURE) from None

    def _check_head(self, line: bytes) -> None:
        said = head_in(line, self._head["kind"])
        if said is None:
            raise UsageError(f"{self.path} holds no {self._what} of Number Quest: {self._else}", FAILURE)
        for name, mine in self._head.items():
            if said.get(name) != mine:
                other = f"{name} {_shown(said.get(name))}, not {_shown(mine)}"
                raise UsageError(f"{self.path} holds {self._what} with {other}: {self._else}", FAILURE)

    def add(self, rows: Sequence[R]) -> None:
        """Keep rows, on disk at once; `UsageError` where that cannot be."""
        self.known.update((self._key(row), row) for row in rows)
        self._write(b"".join(json_line(self._data(row)) for row in rows))

    def _write(self, text: bytes) -> None:
        if self._file is None:
            return
        try:
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            # What is still in the buffer cannot be written either, and must not be tried again at the end.
            os.close(self._file.fileno())
            self._file = None
            raise UsageError(
                f"{self.path} cannot be written: {error.strerror}. What is in it is kept: "
                "run the same command again, and it goes on from there",
                FAILURE,
            ) from None


def head_in(line: bytes, kind: str) -> dict[str, Any] | None:
    """What the first line of such a file says; None where it is none of that kind."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) and said.get("kind") == kind else None


def json_line(data: object) -> bytes:
    """One line of JSON, always the same for the same data."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={one}" for name, one in value.items()) or "no settings"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


class Rows(Journal[Job, Row]):
    """The games of a contest by job; in a folder where one is named."""

    def __init__(self, contest: Contest, folder: str | None = None) -> None:
        """Takes up what the folder holds already; `UsageError` where that is of another contest."""
        game, seed, tries, errors = contest
        head = {"kind": GAMES, "version": VERSION, "game": game.slug, "settings": game.settings}
        head |= {"seed": seed, "tries": tries, "errors": errors}
        path = None if folder is None else os.path.join(folder, FILE)
        super().__init__(path, head, ("games", "name another folder"), attrgetter("job"), Row.data, Row.of)

    def missing(self, jobs: Sequence[Job]) -> list[Job]:
        """Those that are still to be played: also those in which a player gave no answer the last time."""
        known = self.known
        return [job for job in jobs if job not in known or known[job].result is None or known[job].silent]

    def bring_into_order(self, order: Sequence[Job]) -> None:
        """The rows in this order, and behind them all others, so that the file is always the same."""
        if self.path is None or self._file is None:
            return
        place = {job: at for at, job in enumerate(order)}
        rows = sorted(self.known.values(), key=lambda row: (place.get(row.job, len(place)), row.job))
        lines = [json_line(self._head), *(json_line(row.data()) for row in rows)]
        self._file.seek(0)
        if self._file.read() == b"".join(lines):
            return
        try:
            write_whole(self.path, lines)
        except OSError as error:
            raise UsageError(
                f"{self.path} cannot be brought into order: {error.strerror}. All games are in it", FAILURE
            ) from None


def kept_seed(folder: str | None) -> str | None:
    """The seed of the games in a folder; None where there are none yet."""
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            said = head_in(file.readline(100_000), GAMES)
    except OSError:
        return None
    return None if said is None else str(said.get("seed"))


class Swept(Journal[tuple[SettingValue, ...], SweepRow]):
    """The rows of a sweep by their settings; in a file where one is named."""

    def __init__(
        self, kind: type[Game[Any]], measures: Sequence[str], players: Sequence[str], path: str | None = None
    ) -> None:
        """Takes up what the file holds already; `UsageError` where that is of another sweep."""
        self._settings, self._measures = list(kind.fields), list(measures)
        head = {"kind": SWEEP, "version": VERSION, "game": kind.slug}
        # Rules that have been changed meanwhile would make rows of two games stand in one table.
        head |= {"rules": source_of(kind()) or "", "solvers": SOLVERS}
        head |= {"measures": list(measures), "players": list(players)}
        words = ("rows", "name another file, or remove that one")
        super().__init__(path, head, words, attrgetter("key"), SweepRow._asdict, self._row)

    def _row(self, data: Any) -> SweepRow:
        row = SweepRow(**{**data, "first": tuple(data["first"])})
        if (list(row.settings), list(row.measures)) != (self._settings, self._measures):
            raise ValueError("columns of something else")
        return row

    def remove(self) -> None:
        """The table is written: the file is not needed any more."""
        if self.path is not None and self._file is not None:
            os.unlink(self.path)

    def has(self, game: Game[Any], most: float) -> bool:
        """Whether it is worked out; what was too large is tried again where more is allowed now."""
        row = self.known.get(tuple(game.settings.values()))
        return row is not None and (row.value is not None or row.over == most)
