"""Where the words go and the answers come from: a terminal, with a prompt as people know it, or a pipe."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, BinaryIO, ClassVar, Final, TextIO

from numberquest.core.errors import Gone, Unable
from numberquest.core.names import cells, printable, wrapped
from numberquest.core.sentences import sentence
from numberquest.core.settings import shortened

STYLES: Final = {"heading": "1", "hint": "", "refusal": "31", "win": "1;32", "player1": "1;36", "player2": "1;35"}
"""What a piece of text is, and the terminal code that shows it: readable on light and on dark."""

CLEARED: Final = "\x1b[H\x1b[2J\x1b[3J"
"""What clears a terminal, with what has scrolled away."""
FILLED: Final = ("46", "45")
"""The colour of each player's track; that of the shared one is the first."""


def show(text: str) -> None:
    """Print text for people: where they look at a terminal, long lines are broken between words."""
    print(folded(text, columns(sys.stdout)), flush=True)


def tell(sentence: str) -> None:
    """A message to the person, beside the data. Nobody may be there to read it."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        # The terminal is gone, and there is nowhere left to say it; Python must not try again at its end.
        sys.stderr = open(os.devnull, "w")


def columns(stream: TextIO) -> int | None:
    """How many characters fit on a line there; None where there is room for any, as in a pipe."""
    try:
        return (os.get_terminal_size(stream.fileno()).columns or 80) if stream.isatty() else None
    except (OSError, ValueError):
        return None


def folded(text: str, width: int | None) -> str:
    """The text with long lines broken; what goes on of a row stands under the row's last column."""
    if width is None or max(map(cells, text.split("\n"))) <= width:
        return text
    return "\n".join(_fitting(line, width) if cells(line) > width else line for line in text.split("\n"))


def _fitting(line: str, width: int) -> str:
    indent = len(line) - len(line.lstrip())
    # A word or a few, and then a gap: the first column of a table.
    column = re.match(r"\s*\S+(?: \S+)*\s{2,}(?=\S)", line)
    hang = cells(column[0]) if column else indent + 2 if indent else 0
    if hang > width // 2:
        hang = indent
    return "\n".join(wrapped(line, width, " " * hang))


LONGEST_LINE = 4096
"""More bytes than any answer needs, and enough for the longest name of a file."""
ENDLESS = 1 << 28
"""A line of more bytes than this has no end: nobody is typing there."""
HINTS: Final = "Hints are about a move: type hint in a game, when it is your turn."
RULES: Final = "Type rules in a game, or in the menu with the number of a game, such as rules 2."
MOST_REFUSED: Final = 100
"""After so many answers in a row that cannot be taken, nobody is thought to be there."""


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
        self._source, self._sink, self._keyboard, self._echo = source, sink, keyboard, echo
        self._refused, self._in_a_row = False, 0
        self.colour, self.rich, self.plain = colour, rich, plain
        """Whether somebody asked for the words alone: then they tell at every turn where the game stands."""

    @classmethod
    def standard(cls, *, plain: bool = False) -> Console:
        """The console of this process: rich only where people look at a terminal."""
        sink = sys.stdout
        keyboard = sys.stdin is not None and sys.stdin.isatty()
        rich = not plain and keyboard and sink.isatty()
        colour = rich and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        source = sys.stdin.buffer if sys.stdin is not None else None
        typed = Keyboard() if keyboard and sink.isatty() else None
        return cls(source, sink, rich=rich, colour=colour, echo=not keyboard, keyboard=typed, plain=plain)

    def say(self, text: str = "", style: str | None = None) -> None:
        if self.rich and "\x1b" not in text:
            text = folded(text, self.width)
        self._write(f"{self.paint(text, style)}\n")

    def say_row(self, key: str, name: str, text: str) -> None:
        """One row of a list; where it is too long for the terminal, its text goes on below itself."""
        hang = len(key) + len(name) + 3
        row = f"{key} {self.paint(name, 'heading')}"
        if not self.rich or hang + cells(text) <= self.width:
            self._write(f"{row}  {text}\n")
        elif self.width - hang >= 20:
            self._write(f"{row}  {f'{chr(10):<{hang + 1}}'.join(wrapped(text, self.width - hang))}\n")
        else:
            self._write("\n".join([row.rstrip(), *wrapped(f"  {text}", self.width, "  "), ""]))

    @property
    def width(self) -> int:
        """How many characters fit on a line of the terminal."""
        return self.room or 80

    @property
    def room(self) -> int | None:
        """The same for a table; None where there is room for any, as in a pipe."""
        return columns(self._sink)

    def hand_over(self, name: str) -> bool:
        """Clear the screen and wait until this player looks at it alone; False in a pipe, which cannot be cleared."""
        if self.room is None:
            return False
        self._write(CLEARED)
        self.read(f"{name}, press Enter when nobody else looks: ")
        self._write(CLEARED)
        return True

    def refuse(self, reason: object) -> None:
        """Say why an answer cannot be taken, as a sentence."""
        self._refused = True
        self.say(sentence(reason), "refusal")

    def paint(self, text: str, style: str | None) -> str:
        code = STYLES.get(style or "")
        return f"\x1b[{code}m{text}\x1b[0m" if text and code and self.colour else text

    def tracks(self, rows: Sequence[tuple[str, int]], target: int) -> None:
        """How far it is to the target: at a terminal a picture, and always the words, a row for each player."""
        # As long for both, however long their words are: who has as much is as far.
        room = min(30, self.width - max(cells(words) for words, _ in rows) - (2 if self.colour else 4))
        for player, (words, done) in enumerate(rows):
            drawn, filled = "", max(0, min(room, round(room * done / max(target, 1))))
            if self.colour and room >= 8:
                # Drawn with coloured spaces, so that a screen reader passes over it.
                drawn = f"\x1b[{FILLED[player]}m{' ' * filled}\x1b[100m{' ' * (room - filled)}\x1b[0m "
            elif self.rich and room >= 8:
                drawn = f"[{'#' * filled:-<{room}}] "
            self.say(f"{drawn}{words}")

    def read(self, prompt: str) -> str:
        """The answer to a question, without the blanks around it. `Gone` when there is nobody to give one."""
        self._count()
        short = folded(prompt, self.room)
        prompt = prompt if short == prompt else f"{short} "
        while True:
            if self._keyboard is None:
                self._write(self.paint(prompt, "heading"))
                line = self._line()
            else:
                line = self._keyboard.line(prompt, lambda text: self.paint(text, "heading"))
            if line is None:
                self._write("\n")
                raise Gone
            # The typed line is in the transcript of a terminal anyway; here it makes a pipe's the same.
            if self._echo:
                self._write(f"{visible(line)}\n")
            if len(line) < LONGEST_LINE:
                return line.strip()
            self.refuse("That line is too long to be an answer.")
            self._count()

    def _count(self) -> None:
        self._in_a_row, self._refused = self._in_a_row + 1 if self._refused else 0, False
        if self._in_a_row >= MOST_REFUSED:
            raise Unable(f"{MOST_REFUSED} answers in a row could not be taken, so nobody is asked any more")

    def question(self, prompt: str, help_: str, rules: Callable[[str], str] = lambda _: RULES) -> str:
        """The answer to a question that is no move; `help`, `hint` and `rules` are understood there too."""
        while True:
            text = self.read(prompt)
            word, _, rest = text.lower().removeprefix("/").partition(" ")
            told = {"help": help_, "?": help_, "hint": HINTS}.get(word) if not rest else None
            if told is None and word != "rules":
                return text
            self.say(told or rules(rest.strip()))

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
    return shortened("".join(char if printable(char) else "�" for char in text), longest)


HEARD_WITHIN = 0.5
"""So many seconds after it was pressed Ctrl-C is heard at the latest."""


class _Back(Exception):
    """The program was stopped while it waited for an answer, and goes on: the prompt is not on the screen any more."""


class Keyboard:
    """Reads lines from the terminal of this process. Where there is no readline, the terminal's own editing must do."""

    leaving: ClassVar[bool] = False
    """Whether the program has been told to end: then no prompt is shown again, even if it goes on just for that."""

    def __init__(self) -> None:
        self._ready = False
        self._readline: Any = None
        self._begun = ""
        self._waiting = False

    def line(self, prompt: str, paint: Callable[[str], str]) -> str | None:
        """What is typed after the prompt; None where nobody is there any more."""
        self._prepare()
        *above, prompt = prompt.split("\n")
        while True:
            for text in above:
                print(paint(text))
            before = self._listen_for_coming_back()
            shown = paint(prompt)
            if self._readline is not None:
                # Colours are marked as taking no room, without which the arrow keys go astray.
                shown = re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", shown)
            try:
                self._waiting = True
                _wake_up_every(HEARD_WITHIN)
                # `input` shows the prompt itself, and knows how to draw it again.
                return input(shown)
            except _Back:
                continue
            except (EOFError, OSError):
                # A terminal that went away answers with an input/output error.
                return None
            finally:
                # Before anything else is called, which might be interrupted in its turn.
                self._waiting = False
                _wake_up_every(0)
                if before is not None:
                    signal.signal(signal.SIGCONT, before)

    def _prepare(self) -> None:
        if self._ready:
            return
        self._ready = True
        # What is no text at all must be refused as an answer, and not end the game.
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        with suppress(ImportError):
            import readline

            self._readline = readline
            # Signs for the terminal alone, which a screen reader or a log would show.
            readline.parse_and_bind("set enable-bracketed-paste off")
            readline.parse_and_bind("set enable-meta-key off")
            readline.set_startup_hook(self._put_back)

    def _put_back(self) -> None:
        """What had been typed before Ctrl-Z stands in the line again."""
        begun, self._begun = self._begun, ""
        if begun:
            self._readline.insert_text(begun)

    def _listen_for_coming_back(self) -> Any:
        """Have the prompt shown again when the program is continued; what was listened to before, or None."""
        if not hasattr(signal, "SIGCONT"):
            return None

        def back(_: int, __: FrameType | None) -> None:
            if Keyboard.leaving or not self._waiting:
                return
            if self._readline is not None:
                self._begun = self._readline.get_line_buffer()
            raise _Back

        return signal.signal(signal.SIGCONT, back)


def _wake_up_every(seconds: float) -> None:
    """Look up so often from waiting for a key; 0: never more.

    What comes in the moment between the prompt and the waiting, as Ctrl-C may, is otherwise heard at the next key.
    """
    if hasattr(signal, "setitimer"):
        if seconds:
            signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


def silenced() -> Callable[[], None]:
    """Let nothing that is typed be shown until what this returns is called; it is kept for the next question."""
    try:
        import termios
    except ImportError:
        return lambda: None
    try:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        silent = termios.tcgetattr(terminal)
        silent[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, silent)
    except (AttributeError, OSError, ValueError, termios.error):
        # No terminal, or one that cannot be asked.
        return lambda: None

    def loud() -> None:
        with suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSANOW, before)

    return loud
