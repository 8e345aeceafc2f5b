"""Long work on disk: JSON lines, one for each thing that is done, written as it is done, so that a kill loses nothing.

The first line says what work it is.
"""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any

from numberquest.files import write_whole
from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType


class Journal:
    """The lines in a file that belong to one piece of work, and a way to write more."""

    def __init__(self, path: str, head: Mapping[str, Any], take: Callable[[Any], None], what: str, else_: str) -> None:
        """Gives `take` every line that is there already; `Mistake` where the file is of other work.

        `what` it holds, `games`, and what to do `else_`, `name another folder`, are words for that sentence.
        """
        self.path, self._head, self._what, self._else = path, dict(head), what, else_
        self._file: IO[bytes] | None = None
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            self._file = open(path, "a+b")
        except OSError as error:
            raise Mistake(f"{error.filename} cannot be used: {error.strerror}", FAILURE) from None
        try:
            self._take_up(self._file, take)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

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
                raise Mistake(f"{self.path}: line {number} is none of the {self._what}", FAILURE) from None

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

    def _check_head(self, line: bytes) -> None:
        said = head_in(line, self._head["kind"])
        if said is None:
            raise Mistake(f"{self.path} holds no {self._what} of Number Quest: {self._else}", FAILURE)
        for name, mine in self._head.items():
            if said.get(name) != mine:
                other = f"{name} {_shown(said.get(name))}, not {_shown(mine)}"
                raise Mistake(f"{self.path} holds {self._what} with {other}: {self._else}", FAILURE)

    def add(self, rows: Iterable[object]) -> None:
        """Keep rows, on disk at once; `Mistake` where that cannot be."""
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
            raise Mistake(
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
            raise Mistake(
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
