"""Where the words go and the answers come from: a terminal or a pipe."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, BinaryIO, TextIO

from numberquest.mistake import Gone
from numberquest.terminal.colours import bar, painted

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_LINE = 4096
"""More bytes than any answer needs, and enough for the longest name of a file."""
ENDLESS = 1 << 28
"""A line of more bytes than this has no end: nobody is typing there."""


class Console:
    """Says lines and asks questions. Plain, it says exactly the words; rich, it adds colour and pictures."""

    def __init__(
        self, source: BinaryIO | None, sink: TextIO, *, rich: bool = False, colour: bool = False, echo: bool = False
    ) -> None:
        self._source = source
        self._sink = sink
        self._echo = echo
        self.colour = colour
        self.rich = rich

    @classmethod
    def standard(cls, *, plain: bool = False, environ: Mapping[str, str] = os.environ) -> Console:
        """The console of this process: rich only where people look at a terminal."""
        sink = sys.stdout
        keyboard = sys.stdin is not None and sys.stdin.isatty()
        rich = not plain and keyboard and sink.isatty()
        colour = rich and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        source = sys.stdin.buffer if sys.stdin is not None else None
        return cls(source, sink, rich=rich, colour=colour, echo=not keyboard)

    def say(self, text: str = "", style: str | None = None) -> None:
        """One line, or several."""
        self._write(f"{self.paint(self._folded(text), style)}\n")

    @property
    def width(self) -> int:
        """How many characters fit on a line of the terminal."""
        return _width(self._sink)

    def refuse(self, text: str) -> None:
        """Say what was wrong with an answer, and what is allowed."""
        self.say(text, "refusal")

    def paint(self, text: str, style: str | None) -> str:
        """The text as this console shows it."""
        return painted(text, style) if style and self.colour else text

    def track(self, words: str, done: int, target: int, player: int = 0) -> None:
        """How far it is to the target: a picture where there is colour, and always the words."""
        room = min(30, self.width - len(words) - 2)
        picture = f"{bar(done, target, player, room)} " if self.colour and room >= 8 else ""
        self.say(f"{picture}{words}")

    def read(self, prompt: str) -> str:
        """The answer to a question, without the blanks around it. `Gone` when there is nobody to give one."""
        while True:
            self._write(self.paint(prompt, "heading"))
            line = self._line()
            if line is None:
                self._write("\n")
                raise Gone
            # The typed line is in the transcript of a terminal anyway; here it makes a pipe's the same.
            if self._echo:
                self._write(f"{visible(line)}\n")
            if len(line) < LONGEST_LINE:
                return line.strip()
            self.refuse("That line is too long to be an answer.")

    def _folded(self, text: str) -> str:
        """Long lines broken between words, where somebody looks at a terminal of that width."""
        if not self.rich or "\x1b" in text:
            return text
        width = _width(self._sink)
        if max(map(len, text.split("\n"))) <= width:
            return text
        from textwrap import fill

        lines = text.split("\n")
        return "\n".join(fill(line, width, break_long_words=False) if len(line) > width else line for line in lines)

    def _line(self) -> str | None:
        if self._source is None:
            return None
        try:
            line = rest = self._source.readline(LONGEST_LINE)
            dropped = 0
            while rest and not rest.endswith(b"\n"):
                rest = self._source.readline(65536)
                dropped += len(rest)
                if dropped > ENDLESS:
                    return None
        except OSError:
            # A terminal that went away answers with an input/output error.
            return None
        if not line:
            return None
        text = line.decode(errors="replace").rstrip("\r\n")
        # What was cut off must not be taken for what was meant.
        return text if not dropped else text.ljust(LONGEST_LINE, "…")

    def _write(self, text: str) -> None:
        try:
            self._sink.write(text)
            self._sink.flush()
        except OSError as error:
            raise Gone from error


def _width(sink: TextIO) -> int:
    try:
        return os.get_terminal_size(sink.fileno()).columns or 80
    except OSError:
        return 80


def visible(text: str, longest: int = 60) -> str:
    """What somebody typed, safe to show again: no control characters, and not too long."""
    text = "".join(char if char.isprintable() else "�" for char in text)
    return text if len(text) <= longest else text[:longest] + "…"
