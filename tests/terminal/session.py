"""Starts the real program: in a pipe, or at a real pseudo-terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO

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
) -> subprocess.CompletedProcess[str]:
    """Run with these lines on standard input."""
    data = lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode()
    done = subprocess.run(
        [*PROGRAM, *arguments], input=data, capture_output=True, env={**os.environ, **(env or {})}, timeout=patience
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def here(*arguments: str, code: int = 0) -> str:
    """What a command prints that asks for nothing, run in this process: to start one takes longer than most do."""
    out = StringIO()
    with redirect_stdout(out):
        assert main(arguments) == code
    return out.getvalue()


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


def without_colours(text: str) -> str:
    """The words alone."""
    return ANSI.sub("", text)


def told(stderr: str) -> str:
    """What was said there, without the lines of progress that a slow machine shows."""
    return "".join(line for line in stderr.splitlines(keepends=True) if not re.search(r": \d+ %$", line.rstrip()))
