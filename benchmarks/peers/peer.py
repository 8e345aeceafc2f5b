"""A server that does the same job, how it is installed, and one measurement of it."""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.server.postgres_server import new_database

from benchmarks.load import SECONDS, processor_time

HERE = Path(__file__).parent
PLAYERS = 100
SERVER_CORE, PLAYERS_CORE = 0, 1


class Peer(NamedTuple):
    """One way to do the job."""

    name: str
    script: str
    """The server's file, and the dialect that the players speak with it."""
    store: str
    kept: str
    """What of a move is kept where, for people."""


PEERS = (
    Peer("boardgame.io", "boardgameio", "", "in memory"),
    Peer("boardgame.io, FlatFile", "boardgameio", "files", "files, written after telling"),
    Peer("boardgame.io, bgio-postgres", "boardgameio", "postgresql", "PostgreSQL, written after telling"),
    Peer("Colyseus", "colyseus", "", "in memory"),
    Peer("bare Node and SQLite", "sqlite", "sqlite", "on disk before telling; no rules, no seats"),
    Peer("ws echo", "echo", "", "nothing: no game, each frame goes back"),
)


class Figures(NamedTuple):
    """One measurement."""

    moves_per_second: float
    p50_ms: float
    p99_ms: float
    server_busy: float
    """How busy the server's core was, and that of the players."""
    players_busy: float


def taken_by_others(seconds: float = 2.0) -> float:
    """How much of the cores is taken while nothing is measured."""

    def read() -> tuple[int, int]:
        times = [int(each) for each in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        return sum(times), times[3] + times[4]  # all, and idle or waiting for a disk

    before = read()
    time.sleep(seconds)
    every, idle = (after - earlier for after, earlier in zip(read(), before, strict=True))
    return 1 - idle / every


def install(folder: Path) -> dict[str, str]:
    """Put the servers and the players there, ready to run: the versions."""
    for file in (*HERE.glob("*.mjs"), HERE / "package.json"):
        shutil.copy(file, folder)
    subprocess.run(["cc", "-O2", "-o", folder / "players", HERE / "players.c"], check=True)  # noqa: S607
    # What has native parts is built here: a look for ready-made ones may wait for minutes where there is no way out.
    build = {**os.environ, "npm_config_build_from_source": "true"}
    npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error"]
    subprocess.run(npm, cwd=folder, env=build, check=True, stdout=subprocess.DEVNULL)
    versions: dict[str, str] = json.loads((folder / "package.json").read_text())["dependencies"]
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S607
    return {"node": node, **versions}


def new_store(peer: Peer, folder: Path) -> str:
    """An empty store, as the server's script takes it."""
    if peer.store == "postgresql":
        return new_database()
    return tempfile.mkdtemp(dir=folder) + ("/peer.db" if peer.store == "sqlite" else "") if peer.store else ""


def free_port() -> int:
    """A port that nobody has, and below those that the system gives to whoever connects somewhere."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port


class Server:
    """A peer's server on its core."""

    def __init__(self, peer: Peer, folder: Path, store: str) -> None:
        self.port = free_port()
        with (folder / "server.log").open("w") as log:
            command = ["taskset", "-c", str(SERVER_CORE), "node", f"{peer.script}.mjs", str(self.port)]
            self.process = subprocess.Popen(
                [*command, store] if store else command,
                cwd=folder,
                env={**os.environ, "NODE_ENV": "production"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        if not self.process.stdout or self.process.stdout.readline() != "ready\n":
            self.kill()
            raise ChildProcessError(f"{peer.name} did not start: {(folder / 'server.log').read_text()}")

    def kill(self) -> None:
        """Kill it without a warning."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@contextmanager
def running(peer: Peer, folder: Path, store: str) -> Iterator[Server]:
    """A server that is gone afterwards."""
    server = Server(peer, folder, store)
    try:
        yield server
    finally:
        server.kill()


def start_players(peer: Peer, folder: Path, port: int, seconds: float) -> subprocess.Popen[str]:
    """All players, on their core; with no seconds until the server is gone."""
    command = ["taskset", "-c", str(PLAYERS_CORE), "./players", str(port), str(seconds), peer.script, "shown"]
    players = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if players.stdin:
        players.stdin.write("".join(f"{path}\n" for path in paths(peer, port)))
        players.stdin.close()
    return players


def paths(peer: Peer, port: int) -> list[str]:
    """Where each player connects."""
    if peer.script == "boardgameio":
        return ["/socket.io/?EIO=4&transport=websocket"] * PLAYERS
    if peer.script != "colyseus":
        return [f"/{number // 2}" for number in range(PLAYERS)]
    found = []
    for _ in range(PLAYERS // 2):
        one = reserved(port, "create/sumquest", 0)
        two = reserved(port, f"joinById/{one['roomId']}", 1)
        found += [f"/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}" for seat in (one, two)]
    return found


def reserved(port: int, way: str, seat: int) -> dict[str, str]:
    """A seat in a room of Colyseus."""
    body, kind = json.dumps({"seat": seat}).encode(), {"Content-Type": "application/json"}
    with urllib.request.urlopen(
        urllib.request.Request(f"http://127.0.0.1:{port}/matchmake/{way}", body, kind)
    ) as answer:
        found: dict[str, str] = json.load(answer)
    return found


def measured(peer: Peer, folder: Path) -> Figures:
    """One measurement with a fresh server and a fresh store."""
    with running(peer, folder, new_store(peer, folder)) as server:
        players = start_players(peer, folder, server.port, SECONDS)
        if not players.stdout or players.stdout.readline() != "counting\n":
            raise ChildProcessError(f"the players of {peer.name} did not start")
        before = processor_time(server.process.pid)
        told = players.stdout.readline()
        busy = (processor_time(server.process.pid) - before) / SECONDS
        players.stdout.close()
        if players.wait():
            raise ChildProcessError(f"the players of {peer.name} gave up")
    return Figures(server_busy=busy, **json.loads(told))


def measured_ours(folder: Path) -> Figures:
    """The same job on our own server, as `benchmarks.load` measures it."""
    command = [sys.executable, "-m", "benchmarks.load", "--players", str(PLAYERS), "--games", "sumquest"]
    subprocess.run([*command, "--json", folder / "ours.json"], check=True, stdout=subprocess.DEVNULL)
    (found,) = json.loads((folder / "ours.json").read_text())
    names = ("moves_per_second", "p50_ms", "p99_ms", "core_busy", "players_busy")
    return Figures(*(found[name] for name in names))
