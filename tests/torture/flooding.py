"""Somebody who wants a server for themselves, in a process of their own: `-m tests.torture.flooding KIND PORT`."""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Self

import numberquest as nq
from numberquest.core.match import Match
from numberquest.core.record import Record
from tests.server.websocket import connected, request

ATTACKER = "127.0.0.2"
UPGRADE = (
    *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
JSON = "Content-Type: application/json"
AT_ONCE = 8
"""So many connections at a time."""


def post(path: str, wish: object, *headers: str) -> bytes:
    return request("POST", path, JSON, *headers, body=json.dumps(wish).encode())


def record() -> str:
    """One that takes long to be played through."""
    match: Match[object] = Match(nq.game("sumquest", target=999))
    while len(match.moves) > 1 and len(match.history) < 900:
        match.play(match.moves[0])
    return Record(match).text()


def from_one_address() -> dict[str, Callable[[], tuple[bytes, int]]]:
    """What is sent on a connection, and how often before the next connection."""
    return {
        "unknown paths": lambda: (request("GET", "/nothing/at/all") * 50, 1000),
        "unknown paths, each on a connection of its own": lambda: (request("GET", "/nothing"), 1),
        "unknown paths of the API": lambda: (request("GET", "/api/nothing") * 50, 1000),
        "pages": lambda: (request("GET", "/", "Accept-Encoding: gzip") * 50, 1000),
        "files": lambda: (request("GET", "/static/page.js") * 50, 1000),
        "is it well": lambda: (request("GET", "/healthz") * 50, 1000),
        "no requests": lambda: (b"nonsense\r\n\r\n", 1),
        "connections": lambda: (b"", 1),
        "live connections": lambda: (request("GET", f"/ws/{'a' * 20}", *UPGRADE), 1),
        "new matches": lambda: (post("/api/matches", {"game": "sumquest", "opponent": "screen"}) * 20, 1000),
        "long records": lambda: (post("/api/matches", {"record": record(), "opponent": "screen"}) * 5, 1000),
        "brackets": lambda: (request("POST", "/api/matches", JSON, body=b"[" * 65_000), 1000),
        "maps": lambda: (request("GET", "/api/atlas?game=fifty") * 5, 1000),
        "reviews": lambda: (post("/api/reviews", {"record": record()}) * 5, 1000),
    }


def flood(data: bytes, times: int, port: int) -> None:
    """Send it on one connection after the other, and throw away what is answered."""
    while True:
        with suppress(OSError), connected(port, ATTACKER) as plug:
            reader = threading.Thread(target=_swallow, args=(plug,), daemon=True)
            reader.start()
            for _ in range(times):
                plug.sendall(data)
            plug.shutdown(socket.SHUT_WR)
            reader.join()


def _swallow(plug: socket.socket) -> None:
    with suppress(OSError):
        while plug.recv(1 << 18):
            continue


def addresses() -> Iterator[str]:
    """One of a network of 48 bits after the other, each of its own 64: as a proxy says it."""
    for at in itertools.count(os.getpid() % 1000 * 60):
        yield f"X-Forwarded-For: 2001:db8:7:{at % 65_536:x}::{at:x}"


def fill(port: int) -> None:
    """New matches, each from an address that was never seen before."""
    for places in _some(addresses(), 20):
        wish = {"game": "sumquest", "opponent": "screen"}
        with suppress(OSError), connected(port, ATTACKER) as plug:
            plug.sendall(b"".join(post("/api/matches", wish, place) for place in places[:-1]))
            plug.sendall(post("/api/matches", wish, places[-1], "Connection: close"))
            _swallow(plug)


def silence(port: int) -> None:
    """Matches against the computer with rules that nobody has worked out yet, each looked at from another address."""
    for at, place in enumerate(addresses()):
        settings = {"target": 20 + at % 180, "copies": 1 + at // 180 % 4}
        wish = {"game": "fifty", "settings": settings, "opponent": "perfect", "seat": 2}
        with suppress(OSError, ValueError, KeyError), connected(port, ATTACKER) as plug:
            plug.sendall(post("/api/matches", wish, place))
            data = b""
            while b'"match":"' not in data or b'"seats"' not in data:
                data += plug.recv(1 << 16) or _none()
                if data.startswith(b"HTTP/1.1 4"):
                    # Refused: the next one comes from another address, and does not wait for an end of this line.
                    _none()
            match = data.partition(b'"match":"')[2][:20].decode()
            plug.sendall(request("GET", f"/api/matches/{match}", place))
            plug.recv(1 << 16)


def _none() -> bytes:
    raise ConnectionError


def _some(places: Iterator[str], many: int) -> Iterator[list[str]]:
    while True:
        yield list(itertools.islice(places, many))


class Flood:
    """Somebody does that all the while, but for pauses. From elsewhere, nobody takes the server's own processor: so an
    attacker on this computer has what the others leave."""

    def __init__(self, kind: str, port: int) -> None:
        command = ["nice", "-n", "15", sys.executable, "-m", "tests.torture.flooding", kind, str(port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"begun\n"

    def pause(self) -> None:
        """For a while, nothing more is sent."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Begin again."""
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def main(kind: str, port: int) -> None:
    """Until it is ended."""
    whole: dict[str, Callable[[int], None]] = {"fill": fill, "silence": silence}
    work = partial(whole[kind], port) if kind in whole else partial(flood, *from_one_address()[kind](), port)
    threads = [threading.Thread(target=work) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    print("begun", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
