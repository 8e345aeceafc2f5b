"""The games of an evaluation on disk: JSON lines, one a game, written as each ends, so that a kill loses nothing.

The first line says which contest it is. At the end the lines are brought into order, so that the file is the same
however many workers there were.
"""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any, Final

from numberquest.evaluate.game import Contest, Job, Row
from numberquest.files import write_whole
from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

FILE: Final = "games.jsonl"
VERSION: Final = 1
KIND: Final = "numberquest games"


class Rows:
    """Rows by job, in memory, and in a folder where one is named."""

    def __init__(self, contest: Contest, folder: str | None = None) -> None:
        """Takes up what the folder holds already; `Mistake` where that is of another contest."""
        self.contest = contest
        self.known: dict[Job, Row] = {}
        self._file: IO[bytes] | None = None
        self.path = None if folder is None else os.path.join(folder, FILE)
        if folder is not None and self.path is not None:
            try:
                os.makedirs(folder, exist_ok=True)
                self._file = open(self.path, "a+b")
            except OSError as error:
                raise Mistake(f"{error.filename} cannot be used: {error.strerror}", FAILURE) from None
            try:
                self._take_up(self._file)
            except BaseException:
                self._file.close()
                raise

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def _take_up(self, file: IO[bytes]) -> None:
        self._lock(file)
        file.seek(0)
        lines = file.read().split(b"\n")
        # A kill may have left a part of a line; and where nothing is left, the head is written anew.
        whole = sum(len(line) + 1 for line in lines[:-1])
        if not lines[:-1]:
            file.truncate(0)
            self._write(json_line(self._head()))
            return
        if lines[-1]:
            file.truncate(whole)
        self._check_head(lines[0])
        for number, line in enumerate(lines[1:-1], start=2):
            try:
                row = Row.of(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise Mistake(f"{self.path}: line {number} is no row of a game", FAILURE) from None
            self.known[row.job] = row

    def _lock(self, file: IO[bytes]) -> None:
        try:
            import fcntl
        except ModuleNotFoundError:
            # Only POSIX systems have it.
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Mistake(f"{self.path} is being written by another run: wait for it, or end it", FAILURE) from None

    def _head(self) -> dict[str, Any]:
        game, seed, tries = self.contest
        return {
            "kind": KIND,
            "version": VERSION,
            "game": game.slug,
            "settings": game.settings,
            "seed": seed,
            "tries": tries,
        }

    def _check_head(self, line: bytes) -> None:
        head = self._head()
        said = _head_in(line)
        if said is None:
            raise Mistake(f"{self.path} holds no games of Number Quest: name another folder", FAILURE)
        for name, mine in head.items():
            if said.get(name) != mine:
                other = f"{name} {_shown(said.get(name))}, not {_shown(mine)}"
                raise Mistake(f"{self.path} holds games with {other}: name another folder", FAILURE)

    def missing(self, jobs: Sequence[Job]) -> list[Job]:
        """Those that are still to be played: also those in which a provider failed the last time."""
        return [job for job in jobs if job not in self.known or self.known[job].result is None]

    def add(self, rows: Sequence[Row]) -> None:
        """Keep rows, on disk at once; `Mistake` where that cannot be."""
        for row in rows:
            self.known[row.job] = row
        self._write(b"".join(json_line(row.data()) for row in rows))

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
            raise Mistake(
                f"{self.path} cannot be written: {error.strerror}. What is in it is kept: "
                "run the same command again, and it goes on from there",
                FAILURE,
            ) from None

    def bring_into_order(self, order: Sequence[Job]) -> None:
        """The rows in this order, and behind them all others, so that the file is always the same."""
        if self._file is None or self.path is None:
            return
        place = {job: at for at, job in enumerate(order)}
        rows = sorted(self.known.values(), key=lambda row: (place.get(row.job, len(place)), row.job))
        lines = [json_line(self._head()), *(json_line(row.data()) for row in rows)]
        self._file.seek(0)
        if self._file.read() == b"".join(lines):
            return
        try:
            write_whole(self.path, lines)
        except OSError as error:
            raise Mistake(
                f"{self.path} cannot be brought into order: {error.strerror}. All games are in it", FAILURE
            ) from None


def kept_seed(folder: str | None) -> str | None:
    """The seed of the games in a folder; None where there are none yet."""
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            said = _head_in(file.readline(100_000))
    except OSError:
        return None
    return None if said is None else str(said.get("seed"))


def _head_in(line: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) and said.get("kind") == KIND else None


def json_line(data: object) -> bytes:
    """One line of JSON, always the same for the same data."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={one}" for name, one in value.items()) or "no settings"
    return str(value)
