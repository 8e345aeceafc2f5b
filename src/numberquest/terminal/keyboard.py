"""A prompt as people know it: arrow keys, earlier lines, Ctrl-L, and the prompt again after Ctrl-Z and `fg`."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


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
            shown = self._shown(paint(prompt))
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

    def _shown(self, prompt: str) -> str:
        """The prompt with its colours marked as taking no room, without which the arrow keys go astray."""
        if self._readline is None or "\x1b" not in prompt:
            return prompt
        import re

        return re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", prompt)


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
