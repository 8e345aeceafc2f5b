"""Where the words go and the answers come from: a terminal or a pipe."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, BinaryIO, TextIO

from numberquest.mistake import Gone
from numberquest.terminal.colours import bar, painted
from numberquest.terminal.folding import columns, folded
from numberquest.terminal.keyboard import Keyboard

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_LINE = 4096
"""More bytes than any answer needs, and enough for the longest name of a file."""
ENDLESS = 1 << 28
"""A line of more bytes than this has no end: nobody is typing there."""


class Console:
    """Says lines and asks questions. Plain, it says exactly the words; rich, it adds colour and pictures."""

    def __init__(
        self,
        source: BinaryIO | None,
        sink: TextIO,
        *,
        rich: bool = False,
        colour: bool = False,
        echo: bool = False,
        keyboard: Keyboard | None = None,
        plain: bool = False,
    ) -> None:
        """`keyboard` is where somebody types who may use the arrow keys; otherwise lines come from the source."""
        self._keyboard = keyboard
        self._source = source
        self._sink = sink
        self._echo = echo
        self.colour = colour
        self.rich = rich
        self.plain = plain
        """Whether somebody asked for the words alone: then they tell at every turn where the game stands."""

    @classmethod
    def standard(cls, *, plain: bool = False, environ: Mapping[str, str] = os.environ) -> Console:
        """The console of this process: rich only where people look at a terminal."""
        sink = sys.stdout
        keyboard = sys.stdin is not None and sys.stdin.isatty()
        rich = not plain and keyboard and sink.isatty()
        colour = rich and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        source = sys.stdin.buffer if sys.stdin is not None else None
        typed = Keyboard() if keyboard and sink.isatty() else None
        return cls(source, sink, rich=rich, colour=colour, echo=not keyboard, keyboard=typed, plain=plain)

    def say(self, text: str = "", style: str | None = None) -> None:
        """One line, or several."""
        self._write(f"{self.paint(self._folded(text), style)}\n")

    def say_row(self, key: str, name: str, text: str) -> None:
        """One row of a list; where it is too long for the terminal, its text goes on below itself."""
        from textwrap import wrap

        hang = len(key) + len(name) + 3
        row = f"{key} {self.paint(name, 'heading')}"
        if not self.rich or hang + len(text) <= self.width:
            self._write(f"{row}  {text}\n")
        elif self.width - hang >= 20:
            self._write(f"{row}  {f'{chr(10):<{hang + 1}}'.join(wrap(text, self.width - hang))}\n")
        else:
            self._write("\n".join([row.rstrip(), *(f"  {line}" for line in wrap(text, self.width - 2)), ""]))

    @property
    def width(self) -> int:
        """How many characters fit on a line of the terminal."""
        return self.room or 80

    @property
    def room(self) -> int | None:
        """The same for a table; None where there is room for any, as in a pipe."""
        return columns(self._sink)

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
            line = self._answer(prompt)
            if line is None:
                self._write("\n")
                raise Gone
            # The typed line is in the transcript of a terminal anyway; here it makes a pipe's the same.
            if self._echo:
                self._write(f"{visible(line)}\n")
            if len(line) < LONGEST_LINE:
                return line.strip()
            self.refuse("That line is too long to be an answer.")

    def _answer(self, prompt: str) -> str | None:
        """The line that was typed after the prompt; None where there is nobody."""
        if self._keyboard is None:
            self._write(self.paint(prompt, "heading"))
            return self._line()
        return self._keyboard.line(prompt, lambda text: self.paint(text, "heading"))

    def _folded(self, text: str) -> str:
        """Long lines broken between words, where somebody looks at a terminal of that width."""
        return folded(text, self.width) if self.rich and "\x1b" not in text else text

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


def visible(text: str, longest: int = 60) -> str:
    """What somebody typed, safe to show again: no control characters, and not too long."""
    text = "".join(char if char.isprintable() else "�" for char in text)
    return text if len(text) <= longest else text[:longest] + "…"
