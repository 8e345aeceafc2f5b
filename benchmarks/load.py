"""Whole matches between scripted players on a real server, over loopback: how many durable moves, how fast.

    python -m benchmarks.load                     both measurements, and how they grow
    python -m benchmarks.load --players 100       as fast as it goes, with so many players
    python -m benchmarks.load --live 5000         so many live matches at human pace

The server runs on one core and the players on another. A move counts when its player has been told that it is on
disk; its time runs from sending it to that. Every match is looked at in the database afterwards.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import uvloop

from numberquest.client import Client
from numberquest.core.registry import GAMES
from numberquest.server import wire

SECONDS = 8.0
"""How long is measured, after a start that is not."""
START = 2.0
PACE = 2.5
"""Seconds that a scripted person thinks, on average: a quick human."""


class Option(msgspec.Struct):
    """Of a move only its name, and whether it loses at once."""

    move: str
    ends: str | None = None


class State(msgspec.Struct):
    """Of a state only what a scripted player looks at; the rest of the frame is skipped."""

    ply: int
    turn: int | None
    moves: list[Option]
    outcome: Any
    next: str | None
    rematch: list[int]


class Change(msgspec.Struct):
    """The same of a change."""

    ply: int
    turn: int | msgspec.UnsetType | None = msgspec.UNSET
    moves: list[Option] | msgspec.UnsetType = msgspec.UNSET
    outcome: Any = msgspec.UNSET
    next: str | msgspec.UnsetType = msgspec.UNSET
    rematch: list[int] | msgspec.UnsetType = msgspec.UNSET

    def put_into(self, state: State) -> State:
        """The state after it."""
        for name in ("ply", "turn", "moves", "outcome", "next", "rematch"):
            value = getattr(self, name)
            if value is not msgspec.UNSET:
                setattr(state, name, value)
        return state


class Frame(msgspec.Struct):
    """Any frame of the server."""

    type: str
    state: State | None = None
    change: Change | None = None
    done: list[str] = []
    error: str = ""


_decode = msgspec.json.Decoder(Frame).decode


class Tally:
    """What all players together have seen."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.counting = False
        self.playing = False
        self.refused: list[str] = []
        self.lost = 0
        self.acknowledged: list[tuple[str, int]] = []


class Player(asyncio.Protocol):
    """One scripted player: a WebSocket of its own, and a move when it is its turn."""

    def __init__(self, match: str, seat: int, token: str, pace: float, tally: Tally) -> None:
        self.match, self.seat, self.token, self.pace, self.tally = match, seat, token, pace, tally
        self._read = b""
        self._shaken = False
        self._sent: float | None = None
        self._ply = -1
        self._asked = -1
        self._first: State | None = None
        self._state: State
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Shake hands."""
        self.transport = transport
        transport.write(
            f"GET /ws/{self.match} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        """Only the end of the measurement closes a connection."""
        self.tally.lost += self.tally.counting

    def send(self, frame: Any) -> None:
        """A frame of a client is masked; with zeros that is no work."""
        body = msgspec.json.encode(frame)
        length = bytes([0x81, 0x80 | len(body)]) if len(body) < 126 else b"\x81\xfe" + len(body).to_bytes(2, "big")
        self.transport.write(length + b"\0\0\0\0" + body)

    def data_received(self, data: bytes) -> None:
        """Take the frames apart."""
        data = self._read + data
        if not self._shaken:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._read = head
                return
            self._shaken = True
            self.send(wire.Hello(self.token))
        at = 0
        while len(data) - at >= 2:
            length, body = data[at + 1] & 127, at + 2
            if length == 126:
                length, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < body + length:
                break
            if data[at] & 15 == 1:
                self._frame(_decode(data[body : body + length]))
            elif data[at] & 15 == 9:
                self.transport.write(bytes([0x8A, 0x80 | length]) + b"\0\0\0\0" + data[body : body + length])
            at = body + length
        self._read = data[at:]

    def _frame(self, frame: Frame) -> None:
        if frame.done and self._sent is not None:
            if self.tally.counting:
                self.tally.took.append(time.perf_counter() - self._sent)
            self.tally.acknowledged.append((self.match, self._asked))
            self._sent = None
        elif frame.type == "refused":
            self.tally.refused.append(frame.error)
            self._sent = None
        state = frame.state
        if state is not None:
            self._state = state
        elif frame.change is not None:
            state = frame.change.put_into(self._state)
        if state is None or state.ply <= self._ply:
            return
        self._ply = state.ply
        if not self.ready.done():
            self.ready.set_result(None)
        if state.next is not None:
            # The same connection goes on with the rematch; seats change.
            self.match, self.seat, self._ply = state.next, 3 - self.seat, -1
            self.send(wire.Hello(self.token, self.match))
        elif state.outcome is not None:
            if self.seat not in state.rematch and len(state.rematch) == self.seat - 1:
                self.send(wire.Act(state.ply, "rematch", key="again"))
        elif not self.tally.playing:
            self._first = state
        elif state.turn == self.seat:
            if self.pace:
                wait = random.expovariate(1 / self.pace)
                asyncio.get_running_loop().call_later(wait, self._move, state)
            else:
                self._move(state)

    def begin(self) -> None:
        """Everybody is there: make the first move, if it is this player's."""
        state = self._first
        if state is not None and state.turn == self.seat:
            wait = random.uniform(0, 2 * self.pace)
            asyncio.get_running_loop().call_later(wait, self._move, state)

    def _move(self, state: State) -> None:
        if self.transport.is_closing():
            return
        self._asked, self._sent = state.ply, time.perf_counter()
        # Any move, but none that loses at once while there is another: as people play.
        moves = [option.move for option in state.moves if option.ends != "loses"] or [state.moves[0].move]
        self.send(wire.Move(state.ply, random.choice(moves), f"{state.ply}"))


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has taken so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """`numberquest serve` on one core, with a fresh database."""

    def __init__(self, folder: Path, core: int, db: str | None = None) -> None:
        self.database = folder / "load.db"
        command = [sys.executable, "-m", "numberquest", "serve", "--host", "127.0.0.1", "--port", "0"]
        command += ["--db", db or str(self.database), "--log", str(folder / "load.log")]
        # The limits are there to keep one address from taking everything; here one address is everybody.
        command += ["--rate", "1000000", "--connections", "100000", "--matches", "100000"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(self.process.pid, {core})
        line = self.process.stdout.readline() if self.process.stdout else ""
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/", line)
        if found is None:
            raise SystemExit(f"the server did not start: {line}")
        self.port = int(found[1])

    def memory(self) -> float:
        """Resident memory of the server process in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        return processor_time(self.process.pid)

    def stop(self) -> None:
        """Stop it gracefully."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()


class Figures(NamedTuple):
    """One measurement."""

    players: int
    pace: float
    moves_per_second: float
    p50_ms: float
    p99_ms: float
    memory_mb: float
    core_busy: float
    """How busy the server's core was, and that of the players."""
    players_busy: float
    refused: int
    lost_connections: int
    checked: int

    def line(self) -> str:
        """For people."""
        how = f"a move every {self.pace:.2f} s" if self.pace else "as fast as it goes"
        return (
            f"{self.players:>7} players, {how:<24}{self.moves_per_second:>8,.0f} moves/s   p50 {self.p50_ms:5.1f} ms   "
            f"p99 {self.p99_ms:5.1f} ms   {self.memory_mb:5.0f} MB   server {100 * self.core_busy:3.0f} % busy, "
            f"players {100 * self.players_busy:3.0f} %   "
            f"{self.refused} refused   {self.lost_connections} lost   {self.checked:,} entries found on disk"
        )


async def seat(port: int, players: int, pace: float, games: list[str], tally: Tally) -> list[Player]:
    """Connect all players, two to a match, and wait until each has seen its match."""
    loop = asyncio.get_running_loop()
    seated: list[Player] = []
    with Client(f"http://127.0.0.1:{port}") as client:
        for number in range(players // 2):
            one = client.create(games[number % len(games)], opponent="friend")
            two = client.join(one.match, one.invite or "")
            for seat, token in ((1, one.token), (2, two.token)):
                player = Player(one.match, seat, token, pace, tally)
                await loop.create_connection(lambda player=player: player, "127.0.0.1", port)  # type: ignore[misc]
                seated.append(player)
    await asyncio.gather(*(player.ready for player in seated))
    return seated


async def played(port: int, players: int, pace: float, server: Server, games: list[str]) -> Figures:
    """Seat the players, let them play, and measure."""
    tally = Tally()
    seated = await seat(port, players, pace, games, tally)
    # The players' own pauses are not the server's.
    gc.collect()
    gc.disable()
    tally.playing = True
    for player in seated:
        player.begin()
    await asyncio.sleep(START)
    tally.counting, began, busy, own = True, time.perf_counter(), server.cpu(), time.process_time()
    await asyncio.sleep(SECONDS)
    tally.counting = False
    gc.enable()
    seconds, busy, own = time.perf_counter() - began, server.cpu() - busy, time.process_time() - own
    memory = server.memory()
    for player in seated:
        player.transport.close()
    took = sorted(tally.took)
    return Figures(
        players,
        pace,
        len(took) / seconds,
        1000 * took[len(took) // 2],
        1000 * took[len(took) * 99 // 100],
        memory,
        busy / seconds,
        own / seconds,
        len(tally.refused),
        tally.lost,
        found_on_disk(server.database, tally.acknowledged),
    )


def missing_on_disk(database: Path, acknowledged: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Look every acknowledged move up in the database: those that are not there."""
    reader = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    there = set(reader.execute("SELECT matches.match, ply FROM log JOIN matches ON matches.number = log.match"))
    reader.close()
    return [move for move in acknowledged if move not in there]


def found_on_disk(database: Path, acknowledged: list[tuple[str, int]]) -> int:
    """How many moves were acknowledged; all must be on disk."""
    missing = missing_on_disk(database, acknowledged)
    if missing:
        raise SystemExit(f"{len(missing)} acknowledged moves are not on disk, such as {missing[0]}")
    return len(acknowledged)


def measured(players: int, pace: float, games: list[str]) -> Figures:
    """One measurement with a server of its own."""
    # The folder is on a real disk, not in memory, so that a sync costs what it costs.
    with tempfile.TemporaryDirectory(dir=".") as folder:
        server = Server(Path(folder), core=0)
        try:
            return uvloop.run(played(server.port, players, pace, server, games))
        finally:
            server.stop()


def main() -> int:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--players", type=int, nargs="*", default=None, metavar="N")
    parser.add_argument("--live", type=int, nargs="*", default=None, metavar="N")
    parser.add_argument("--pace", type=float, default=PACE)
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    fast, slow = options.players, options.live
    if fast is None and slow is None:
        fast, slow = [10, 30, 100, 300], [500, 1500, 5000]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, {1})
    results = []
    for players, pace in [(count, 0.0) for count in fast or []] + [(2 * count, options.pace) for count in slow or []]:
        results.append(measured(players, pace, options.games))
        print(results[-1].line(), flush=True)
    if options.json:
        options.json.write_text(json.dumps([each._asdict() for each in results], indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
