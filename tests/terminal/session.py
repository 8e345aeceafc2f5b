"""Starts the real program: in a pipe, or at a real pseudo-terminal."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from unittest.mock import patch

import pexpect

from numberquest.cli import main

PROGRAM = [sys.executable, "-m", "numberquest"]
PATIENCE = 110
"""So many seconds anything may take: these machines are shared, and a test that takes longer is ended anyhow."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def piped(
    arguments: Sequence[str],
    lines: Sequence[str] | bytes = (),
    env: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
    code: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run with these lines on standard input; where an exit code is given, it must be that one."""
    data = lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode()
    done = subprocess.run(
        [*PROGRAM, *arguments], input=data, capture_output=True, env={**os.environ, **(env or {})}, timeout=patience
    )
    assert code in (None, done.returncode), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def here(*arguments: str, code: int = 0) -> str:
    """What a command prints that asks for nothing, run in this process: to start one takes longer than most do."""
    out = StringIO()
    with redirect_stdout(out):
        assert main(arguments) == code
    return out.getvalue()


def typed_here(arguments: Sequence[str], lines: Sequence[str], code: int = 0) -> str:
    """What is shown where these lines are typed, run in this process."""
    typed = TextIOWrapper(BytesIO("".join(f"{line}\n" for line in lines).encode()))
    with patch("sys.stdin", typed):
        return here(*arguments, code=code)


class Terminal:
    """The program at a pseudo-terminal, as a person sits in front of it."""

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str] | None = None,
        dimensions: tuple[int, int] = (50, 200),
    ) -> None:
        self.child: pexpect.spawn[str] = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *arguments],
            env={**os.environ, "TERM": "xterm-256color", **(env or {})},
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=dimensions,
        )
        self._seen = ""

    def answer(self, prompt: str, text: str) -> None:
        """Wait for the prompt, then type the text and Enter."""
        self.wait_for(prompt)
        self.child.sendline(text)

    def wait_for(self, text: str) -> None:
        """Wait until the text is shown."""
        self.child.expect_exact(text)
        self._seen += f"{self.child.before}{self.child.after}"

    def finish(self) -> str:
        """Wait for the end and return everything that was shown, as it was shown."""
        self.child.expect(pexpect.EOF)
        self._seen += f"{self.child.before}"
        self.child.close()
        return self._seen.replace("\r\n", "\n")

    @property
    def code(self) -> int | None:
        """The exit code, once it has finished."""
        return self.child.exitstatus


def sum_quest(moves: str, *options: str) -> Terminal:
    """A game of Sum Quest at a terminal, after these moves of one digit each."""
    terminal = Terminal(["play", "sumquest", *options])
    for move in moves:
        terminal.answer(" Input: ", move)
    return terminal


def without_colours(text: str) -> str:
    """The words alone."""
    return ANSI.sub("", text)


def told(stderr: str) -> str:
    """What was said there, without the lines of progress that a slow machine shows."""
    return "".join(line for line in stderr.splitlines(keepends=True) if not re.search(r": \d+ %$", line.rstrip()))


def way_on(shown: str) -> list[str]:
    """The arguments in the line that says how to go on with a game."""
    found = re.search(r"Game saved\. Go on with: .* (play \w+ --resume .*)\n", shown)
    assert found is not None, shown
    return shlex.split(found[1])


def at_forty(*arguments: str) -> list[str]:
    """The lines that a terminal of 40 columns shows."""
    # On a slow machine there is progress, which is written over itself.
    shown = re.sub(r"\r(Solving|Working) [^\r\n]*\n?", "", Terminal(arguments, dimensions=(60, 40)).finish())
    return without_colours(shown).split("\n")
