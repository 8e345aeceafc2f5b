"""Starts the real program: in a pipe, or at a real pseudo-terminal."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pexpect

from numberquest.cli import main
from numberquest.core.registry import GAMES

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "numberquest"]
PATIENCE = 110
"""So many seconds anything may take: these machines are shared, and a test that takes longer is ended anyhow."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def run_program(
    arguments: Sequence[str],
    lines: Sequence[str] | bytes = (),
    env: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
    code: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Start the real program with `lines` on its standard input; assert that it ends with `code` where one is given."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=_typed(lines),
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=patience,
    )
    assert code in (None, done.returncode), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def piped(
    arguments: Sequence[str],
    lines: Sequence[str] | bytes = (),
    env: Mapping[str, str] | None = None,
    code: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command in this process as `run_program` runs it in one of its own, which takes ten times as long to start.

    Its three streams are files, so that they have descriptors and bytes as those of a program have.
    """
    with ExitStack() as stack, TemporaryDirectory() as folder:
        typed, out, err = (Path(folder) / name for name in ("in", "out", "err"))
        typed.write_bytes(_typed(lines))
        for name, file, mode in (("stdin", typed, "r"), ("stdout", out, "w"), ("stderr", err, "w")):
            stack.enter_context(patch.object(sys, name, stack.enter_context(file.open(mode))))
        stack.enter_context(as_in_a_new_process())
        os.environ.update(env or {})
        try:
            ended = main(arguments)
        except SystemExit as exit_:
            ended = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        shown, told = out.read_bytes().decode(), err.read_bytes().decode()
    assert code in (None, ended), told
    return subprocess.CompletedProcess([*PROGRAM, *arguments], ended, shown, told)


def _typed(lines: Sequence[str] | bytes) -> bytes:
    return lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode()


@contextmanager
def as_in_a_new_process() -> Iterator[None]:
    """Forget the games, modules and signal handlers that a command brings, before and after it runs."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    loaded = set(sys.modules)
    with (
        patch.multiple(GAMES, _brought={}, _unlisted=set(), _complete=False),
        patch.dict(os.environ),
        patch.object(sys, "path", ["", *sys.path]),
    ):
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            if Path.cwd() != ROOT:
                for name in set(sys.modules) - loaded:
                    if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(Path.cwd())):
                        del sys.modules[name]


def here(*arguments: str, code: int = 0) -> str:
    """Return what a command prints that asks for nothing; the games that it brings stay until the test ends."""
    with redirect_stdout(StringIO()) as out:
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
