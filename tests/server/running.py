"""A real server for tests: `numberquest serve` in a process of its own, on a free port and a database of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from numberquest.client import Client
from numberquest.core.registry import VARIABLE

READY = re.compile(r"http://(?:127\.0\.0\.1|localhost):([0-9]+)/")


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for what must happen, and of which nobody tells."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


class Running:
    """A server. `stop` and `kill` end it; `again` starts it anew on the same port and database."""

    program: tuple[str, ...] = ("-m", "numberquest")

    def __init__(
        self,
        folder: Path,
        *options: str,
        db: str | None = None,
        port: int = 0,
        generous: bool = True,
        games: Sequence[Path] = (),
        host: str | None = "127.0.0.1",
    ) -> None:
        """`games` are files with further games, as the command line's --with puts them into the environment."""
        self.folder = folder
        self.db = db or str(folder / "games.db")
        self.log = folder / "serve.log"
        self._options = options if host is None else ("--host", host, *options)
        self._generous = generous
        self._games = os.pathsep.join(map(str, games))
        self.port = port
        self.said = ""
        """What it printed after its first line, once it has ended; standard error too."""
        self._clients: list[Client] = []
        self.process: subprocess.Popen[str]
        self._start()

    def _start(self) -> None:
        command = [sys.executable, *self.program, "serve", "--port", str(self.port)]
        command += ["--db", self.db, "--log", str(self.log), *self._options]
        if self._generous:
            command += ["--rate", "100000", "--connections", "10000"]
        # A home of its own: no solved game is there, and nothing of it is left behind.
        home = {"HOME": str(self.folder), "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", VARIABLE: self._games}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **home}
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = READY.search(line)
        assert found is not None, f"the server did not start: {line}{self.process.stdout.read()}"
        self.port = int(found[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **wishes: Any) -> Client:
        """One that is closed with the server, if not before."""
        client = Client(self.url, **wishes)
        self._clients.append(client)
        return client

    def events(self) -> list[dict[str, Any]]:
        """The log, line by line."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def metrics(self) -> dict[str, float]:
        """What it counts, by name."""
        with urlopen(f"{self.url}/metrics", timeout=60) as answer:  # noqa: S310
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines) if name[0] != "#"}

    def stop(self) -> int:
        """Stop it as a service manager does, and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def kill(self) -> None:
        """End it without a warning."""
        if self.process.poll() is None:
            self.process.kill()
        self._ended()

    def again(self) -> None:
        """Start it anew."""
        self._start()

    def _ended(self) -> int:
        if self.process.stdout is not None and not self.process.stdout.closed:
            self.said += self.process.stdout.read()
            self.process.stdout.close()
        return self.process.wait(30)

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.close()
        self.kill()
