"""Long work on disk: JSON lines, one for each thing that is done, written as it is done, so that a kill loses nothing.

The first line says what work it is: the games of a contest (`Rows`), or the rule sets of a sweep (`Swept`).
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import TracebackType
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


class Journal:
    """The lines in a file that belong to one piece of work, and a way to write more."""

    def __init__(self, path: str, head: Mapping[str, Any], take: Callable[[Any], None], what: str, else_: str) -> None:
        """Gives `take` every line that is there already; `UsageError` where the file is of other work.

        `what` it holds, `games`, and what to do `else_`, `name another folder`, are words for that sentence.
        """
        self.path, self._head, self._what, self._else = path, dict(head), what, else_
        self._file: IO[bytes] | None = None
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            self._file = open(path, "a+b")
        except OSError as error:
            raise UsageError(f"{error.filename} cannot be used: {error.strerror}", FAILURE) from None
        try:
            self._take_up(self._file, take)
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def remove(self) -> None:
        """What is in it stands elsewhere by now."""
        if self._file is not None:
            os.unlink(self.path)
            self.close()

    def _take_up(self, file: IO[bytes], take: Callable[[Any], None]) -> None:
        self._lock(file)
        file.seek(0)
        lines = file.read().split(b"\n")
        # A kill may have left a part of a line; and where nothing is left, the head is written anew.
        whole = sum(len(line) + 1 for line in lines[:-1])
        if not lines[:-1]:
            file.truncate(0)
            self._write(json_line(self._head))
            return
        if lines[-1]:
            file.truncate(whole)
        self._check_head(lines[0])
        for number, line in enumerate(lines[1:-1], start=2):
            try:
                take(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise UsageError(f"{self.path}: line {number} is none of the {self._what}", FAILURE) from None

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

    def add(self, rows: Iterable[object]) -> None:
        """Keep rows, on disk at once; `UsageError` where that cannot be."""
        self._write(b"".join(map(json_line, rows)))

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

    def bring_into_order(self, rows: Iterable[object]) -> None:
        """These rows, in this order, are all that it holds."""
        if self._file is None:
            return
        lines = [json_line(self._head), *map(json_line, rows)]
        self._file.seek(0)
        if self._file.read() == b"".join(lines):
            return
        try:
            write_whole(self.path, lines)
        except OSError as error:
            raise UsageError(
                f"{self.path} cannot be brought into order: {error.strerror}. All {self._what} are in it", FAILURE
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


class KeptRows(ABC, Generic[K, R]):
    """Rows by what tells them apart: in memory, and in a journal where there is one."""

    journal: Journal | None = None

    def __init__(self) -> None:
        self.known: dict[K, R] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.journal is not None:
            self.journal.close()

    @abstractmethod
    def _key(self, row: R) -> K: ...

    @abstractmethod
    def _data(self, row: R) -> object: ...

    @abstractmethod
    def _row(self, data: Any) -> R: ...

    def _take(self, data: Any) -> None:
        row = self._row(data)
        self.known[self._key(row)] = row

    def add(self, rows: Sequence[R]) -> None:
        """Keep rows, on disk at once; `UsageError` where that cannot be."""
        self.known.update((self._key(row), row) for row in rows)
        if self.journal is not None:
            self.journal.add(map(self._data, rows))


class Rows(KeptRows[Job, Row]):
    """The games of a contest by job; in a folder where one is named."""

    def __init__(self, contest: Contest, folder: str | None = None) -> None:
        """Takes up what the folder holds already; `UsageError` where that is of another contest."""
        super().__init__()
        self.contest = contest
        self.path = None if folder is None else os.path.join(folder, FILE)
        if self.path is not None:
            game, seed, tries = contest
            head = {"kind": GAMES, "version": VERSION, "game": game.slug, "settings": game.settings}
            head |= {"seed": seed, "tries": tries}
            self.journal = Journal(self.path, head, self._take, "games", "name another folder")

    def _key(self, row: Row) -> Job:
        return row.job

    def _data(self, row: Row) -> object:
        return row.data()

    def _row(self, data: Any) -> Row:
        return Row.of(data)

    def missing(self, jobs: Sequence[Job]) -> list[Job]:
        """Those that are still to be played: also those in which a provider failed the last time."""
        return [job for job in jobs if job not in self.known or self.known[job].result is None]

    def bring_into_order(self, order: Sequence[Job]) -> None:
        """The rows in this order, and behind them all others, so that the file is always the same."""
        if self.journal is None:
            return
        place = {job: at for at, job in enumerate(order)}
        rows = sorted(self.known.values(), key=lambda row: (place.get(row.job, len(place)), row.job))
        self.journal.bring_into_order(row.data() for row in rows)


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


class Swept(KeptRows[tuple[SettingValue, ...], SweepRow]):
    """The rows of a sweep by their settings; in a file where one is named."""

    def __init__(
        self, kind: type[Game[Any]], measures: Sequence[str], players: Sequence[str], path: str | None = None
    ) -> None:
        """Takes up what the file holds already; `UsageError` where that is of another sweep."""
        super().__init__()
        self._settings, self._measures = list(kind.fields), list(measures)
        if path is not None:
            head = {"kind": SWEEP, "version": VERSION, "game": kind.slug}
            # Rules that have been changed meanwhile would make rows of two games stand in one table.
            head |= {"rules": source_of(kind()) or "", "solvers": SOLVERS}
            head |= {"measures": list(measures), "players": list(players)}
            self.journal = Journal(path, head, self._take, "rows", "name another file, or remove that one")

    def _key(self, row: SweepRow) -> tuple[SettingValue, ...]:
        return row.key

    def _data(self, row: SweepRow) -> object:
        return row._asdict()

    def _row(self, data: Any) -> SweepRow:
        row = SweepRow(**{**data, "first": tuple(data["first"])})
        if (list(row.settings), list(row.measures)) != (self._settings, self._measures):
            raise ValueError("columns of something else")
        return row

    def remove(self) -> None:
        """The table is written: the file is not needed any more."""
        if self.journal is not None:
            self.journal.remove()

    def has(self, game: Game[Any], most: float) -> bool:
        """Whether it is worked out; what was too large is tried again where more is allowed now."""
        row = self.known.get(tuple(game.settings.values()))
        return row is not None and (row.value is not None or row.over == most)
