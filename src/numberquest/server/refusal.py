"""A request that cannot be done: every room of the server says so in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.sentences import told

if TYPE_CHECKING:
    from numberquest.sentences import Said


class Refusal(Exception):
    """A word for programs, and what is to be told to people. Nothing has changed.

    `line` is where a record goes wrong, if that is what it is about.
    """

    def __init__(self, code: str, said: Said, line: int | None = None) -> None:
        super().__init__(told(said))
        self.code = code
        self.said = said
        self.line = line
