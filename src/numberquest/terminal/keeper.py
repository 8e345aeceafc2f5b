"""Keeps one game on disk while it is played, in the state folder and where the players want a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.terminal import saves

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.record import Record


class Keeper:
    """Writes every new state of a game to its files; what fails is told once, and the game goes on."""

    def __init__(self, path: str, copy: str | None, slug: str, warn: Callable[[str], None]) -> None:
        self.path = path
        self.copy = copy
        self._slug = slug
        self._warn = warn
        self._troubles: set[str] = set()
        self.kept = False
        """Whether the newest state is in the file at `path`."""

    def keep(self, record: Record) -> None:
        """Put the newest state of the game on disk."""
        self.kept = self._write(self.path, record)
        if not self.kept and not saves.is_kept_here(self.path):
            # The players' own file cannot be written any more; the state folder may be.
            self.path = saves.new_path(self._slug)
            self.kept = self._write(self.path, record)
        if self.copy is not None:
            self._write(self.copy, record)

    def forget(self) -> None:
        """The game is over: what the state folder has of it goes; the players' own files stay."""
        if saves.is_kept_here(self.path):
            try:
                saves.remove(self.path)
            except saves.CannotSave as error:
                self._tell(f"{error}.")

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
