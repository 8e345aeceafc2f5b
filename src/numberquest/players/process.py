"""A process that is spoken to by lines: never waited for longer than said, and ended with all its children.

It runs in a session of its own, and has a mark in its environment, by which children are found that have left the
session (on Linux, whose `/proc` shows it). Its standard error is read away, so that a loud one is not stopped by a full
pipe, and the last lines are kept for when it fails. However we end, it ends too: we close it; where we die without
that, its standard input is closed, and a small shell that waits for nothing else ends the whole session.
"""

import os
import secrets
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from numberquest.players.asking import ProviderError, shown

LONGEST_LINE: Final = 2**20
GRACE: Final = 1.0
"""So many seconds a process has to end by itself, and again after it was told to."""
LAST_LINES: Final = 3
"""So many of the last lines on standard error are told when a process fails."""
PROCESSES: Final = "/proc"
MARK: Final = "NUMBERQUEST_ENGINE"
"""The environment variable that tells whose child a process is."""
_GUARD: Final = """read -r done && exit; kill -s TERM -- "-$0"; sleep 1; kill -s KILL -- "-$0"
for p in /proc/[0-9]*; do grep -qs "$1" "$p/environ" && kill -s KILL "${p#/proc/}"; done"""
"""What the shell runs: told that we are done, it goes; at the end of its input, which is our own, it kills."""


class Process:
    """A program that was started, with its three streams."""

    def __init__(self, words: Sequence[str]) -> None:
        """Start it; `ProviderError` where it cannot be."""
        self._mark = f"{MARK}={secrets.token_hex(8)}"
        name, _, value = self._mark.partition("=")
        try:
            self._child = subprocess.Popen(
                words,
                env={**os.environ, name: value},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C at our terminal is for us: we end the process in good order.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ProviderError(f"it cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._owner, self._ended = os.getpid(), False
        self._guard = _guarded(self._child.pid, self._mark)
        stdin, stdout, stderr = self._child.stdin, self._child.stdout, self._child.stderr
        if stdin is None or stdout is None or stderr is None:
            raise ProviderError("it has no streams")
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        for stream in (stdin, stdout, stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(stdout, selectors.EVENT_READ)
        self._selector.register(stderr, selectors.EVENT_READ)
        self._to_write = b""
        self._read = bytearray()
        self._heard_all = False
        self._errors: deque[bytes] = deque(maxlen=LAST_LINES)
        self._error = b""

    def say(self, line: bytes) -> None:
        """Send a line; it goes out while we wait for the answer, however full the pipe is."""
        if not self._to_write and not self._stdin.closed:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._to_write += line

    def hear(self, deadline: float, seconds: float) -> bytes:
        """The next line; `ProviderError` when it has ended, or the time, of so many seconds in all, is over."""
        while True:
            line, newline, rest = bytes(self._read).partition(b"\n")
            if newline:
                self._read = bytearray(rest)
                return line
            if len(self._read) > LONGEST_LINE:
                raise ProviderError(f"it said more than {LONGEST_LINE:,} bytes in one line")
            if self._heard_all:
                raise ProviderError(self._ending())
            left = deadline - time.monotonic()
            if left <= 0:
                raise ProviderError(f"it gave no answer within {seconds:g} s{self._last_words()}")
            self._pump(left)

    def _last_words(self) -> str:
        """What it wrote to standard error last, to stand behind a sentence; empty where that was nothing."""
        lines = [line for line in [*self._errors, self._error] if line.strip()][-LAST_LINES:]
        text = b" / ".join(line.strip() for line in lines).decode(errors="replace")
        return f"; its last words: {shown(text, 300)}" if text else ""

    def end(self, goodbye: bytes = b"", grace: float = GRACE) -> None:
        """Say goodbye, and see to it that the process and all its children end, by themselves within the grace."""
        if self._ended or os.getpid() != self._owner:
            # It has ended already; or this is a copy of ours, whose process it is not.
            return
        self._ended = True
        try:
            with suppress(ValueError, KeyError):
                self.say(goodbye)
                self._pump(0)
            with suppress(KeyError, ValueError):
                self._selector.unregister(self._stdin)
            with suppress(OSError):
                self._stdin.close()
            self._wait(grace)
            self._signal(signal.SIGTERM)
            if not self._is_gone(GRACE):
                self._signal(signal.SIGKILL)
        except BaseException:
            # Interrupted while it had its time to end: now it has none.
            self._signal(signal.SIGKILL)
            raise
        finally:
            self._child.wait()
            while self._end_marked():
                continue
            self._selector.close()
            for stream in (self._stdin, self._stdout, self._stderr):
                stream.close()
            if self._guard is not None and self._guard.stdin is not None:
                with suppress(OSError):
                    self._guard.stdin.write(b"done\n")
                    self._guard.stdin.close()
                self._guard.wait()

    def _pump(self, seconds: float) -> None:
        """Write what is to be written and read what is there, once something can be done or the time is over."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._stdin:
                self._write()
                continue
            read = b""
            with suppress(OSError):
                read = os.read(key.fd, 65536)
            if not read:
                self._selector.unregister(key.fileobj)
            if key.fileobj is self._stdout:
                self._read += read
                self._heard_all = not read
            else:
                *lines, self._error = (self._error + read).split(b"\n")
                self._errors += [line[-1000:] for line in lines]
                # A line without an end must not fill our memory.
                self._error = self._error[-1000:]

    def _write(self) -> None:
        try:
            self._to_write = self._to_write[os.write(self._stdin.fileno(), self._to_write) :]
        except BlockingIOError:
            return
        except OSError:
            # It listens no more; whether it has ended is seen at its output.
            self._to_write = b""
        if not self._to_write:
            self._selector.unregister(self._stdin)

    def _wait(self, seconds: float) -> None:
        """Wait for the process itself to end, at most so long; what it says meanwhile is read away."""
        deadline = time.monotonic() + seconds
        while self._child.poll() is None and time.monotonic() < deadline:
            if self._selector.get_map():
                self._pump(0.01)
            else:
                time.sleep(0.01)
            self._read.clear()

    def _is_gone(self, seconds: float) -> bool:
        """Whether the process and all its children have ended, after at most so long."""
        deadline = time.monotonic() + seconds
        while True:
            self._child.poll()
            try:
                os.killpg(self._child.pid, 0)
            except (ProcessLookupError, PermissionError):
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.01)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, number)

    def _end_marked(self) -> bool:
        """Kill the children that have left the session; whether there was one, which may have had another."""
        names = os.listdir(PROCESSES) if os.path.isdir(PROCESSES) else []
        found = [pid for pid in map(int, filter(str.isdecimal, names)) if self._is_marked(pid)]
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        return bool(found)

    def _is_marked(self, pid: int) -> bool:
        try:
            # Of one that has ended nothing can be read, also before anybody has asked how it ended.
            with open(f"{PROCESSES}/{pid}/environ", "rb") as file:
                return self._mark.encode() in file.read().split(b"\0")
        except OSError:
            return False

    def _ending(self) -> str:
        # Standard output was closed: the end, and the last words, are not far.
        self._wait(GRACE)
        deadline = time.monotonic() + 0.2
        while self._stderr in self._selector.get_map() and time.monotonic() < deadline:
            self._pump(0.02)
        code, how = self._child.poll(), "it closed its output"
        if code is not None:
            how = f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"
        return f"{how} before it answered{self._last_words()}"


def _guarded(group: int, mark: str) -> subprocess.Popen[bytes] | None:
    """A shell that ends this group of processes when we die without having done so; None where there is none."""
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, str(group), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except OSError:
        return None
