"""Keeps one game on disk while it is played, in the state folder and where the players want a copy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from numberquest.files import clear_leftovers
from numberquest.terminal import saves

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.record import Record
    from numberquest.terminal.lock import Lock


class Keeper:
    """Writes every new state of a game to its files; what fails is told once, and the game goes on."""

    def __init__(
        self, path: str, copy: str | None, warn: Callable[[str], None], *, lock: Lock | None = None, kept: bool = False
    ) -> None:
        """`lock` is that of a game that is on disk already, and `kept` says that it is."""
        self.path = path
        self.copy = copy
        self._warn = warn
        self._lock = lock
        self._troubles: set[str] = set()
        self._began = False
        self.kept = kept
        """Whether the newest state is in the file at `path`."""

    def keep(self, record: Record) -> None:
        """Put the newest state of the game on disk."""
        if not self._began:
            self._begin()
        self.kept = self._write(self.path, record)
        self.keep_copy(record)

    def keep_copy(self, record: Record) -> None:
        """Write the copy that the players want, if they do."""
        if self.copy is not None:
            self._write(self.copy, record)

    def finish(self, record: Record) -> None:
        """The game is over: people find it among the finished ones; what computers played alone goes."""
        if self.kept:
            try:
                if any(record.people):
                    saves.finish(self.path)
                else:
                    saves.remove(self.path)
            except saves.CannotSave as error:
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
        saves.tidy()
        if self._lock is None:
            # A new name, which nobody else can have.
            self._lock = saves.hold(self.path)
        if self.copy is not None:
            home, name = os.path.split(os.path.abspath(self.copy))
            clear_leftovers(home, f"{name}.")

    def _write(self, path: str, record: Record) -> bool:
        try:
            saves.write(path, record)
        except saves.CannotSave as error:
            self._tell(f"{error}. The game goes on, but it is not kept there.")
            return False
        return True

    def _tell(self, trouble: str) -> None:
        if trouble not in self._troubles:
            self._troubles.add(trouble)
            self._warn(trouble)
