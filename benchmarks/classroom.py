"""Whole classes of scripted pupils at a real server: how long a move takes when twenty classes of thirty play at once.

    python -m benchmarks.classroom                          20 classes of 30, a move every 2.5 s, on one core
    python -m benchmarks.classroom --classes 5 --pace 1

A pupil reads the events of the class and plays what it is put at, over a live connection of its own, as the page does.
A teacher reads the board all the while. Where a line breaks, it is made anew, and what was asked is asked again with
the same key; so the campaigns of `tests/torture` use the same pupils on servers that are killed and networks that lose.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import aiohttp
import uvloop

from benchmarks.load import Server

SECONDS: Final = 20.0
"""How long is measured, after a start that is not."""
START: Final = 15.0
PATIENCE: Final = 20.0
"""A line on which nothing comes for so many seconds is taken for broken: there is a word every 15."""
AGAIN: Final = 0.2
"""Seconds until a broken line is made anew."""
BROKEN: Final = (aiohttp.ClientError, OSError, TimeoutError, ValueError)
"""What happens on a line that breaks; half a message is a ValueError."""


class World:
    """What all pupils of all classes together have seen."""

    def __init__(self, seed: int = 1) -> None:
        self.dice = random.Random(seed)
        self.took: list[float] = []
        """Seconds of each move, from sending it to being told that it is on disk."""
        self.counting = False
        self.acknowledged = 0
        self.results: dict[str, int | None] = {}
        """Of each match that somebody has seen end with a result: who won."""
        self.free: dict[str, float] = {}
        """Since when each pupil who has nobody to play waits."""
        self.longest_wait = 0.0
        self.broken = 0
        self.refused: list[str] = []
        self.stopping = False


class ScriptedClass:
    """A class: its teacher, and what they have opened."""

    def __init__(self, world: World, session: aiohttp.ClientSession, url: str, pace: float) -> None:
        self.world, self.session, self.url, self.pace = world, session, url, pace
        self.board: Any = None
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self, pupils: int, **wishes: Any) -> None:
        """Open it, let everybody in, and begin."""
        key = f"{self.world.dice.getrandbits(128):032x}"
        opened = await self.asked("POST", "/api/classes", {"game": "sumquest", "minutes": 180, "key": key, **wishes})
        self.name, self.code, self.token = opened["classroom"], opened["code"], opened["token"]
        self.tasks.append(asyncio.create_task(self._teach()))
        for number in range(pupils):
            self.tasks.append(asyncio.create_task(Scripted(self, number).attend()))
        while self.board is None or len(self.board["pupils"]) < pupils:
            await asyncio.sleep(0.05)
        await self.does("begin", key="begin")

    async def does(self, do: str, **more: Any) -> Any:
        """Something that the teacher does; returns the board."""
        return await self.asked("POST", f"/api/classes/{self.name}/board", {"do": do, **more}, self.token)

    async def asked(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """A request, until it is answered; what is refused for good is told."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            try:
                async with self.session.request(method, self.url + path, json=body, headers=headers) as answer:
                    if answer.status < 400:
                        return await answer.json()
                    if answer.status < 429:
                        raise SystemExit(f"{method} {path}: {await answer.text()}")
                    self.world.refused.append(str(answer.status))
            except BROKEN:
                self.world.broken += 1
            await asyncio.sleep(AGAIN)

    async def lines(self, token: str) -> AsyncIterator[Any]:
        """What is told in the class to whoever has this token, over as many lines as it takes."""
        headers = {"Authorization": f"Bearer {token}"}
        patience = aiohttp.ClientTimeout(total=None, sock_read=PATIENCE)
        while not self.world.stopping:
            try:
                path = f"{self.url}/api/classes/{self.name}/events"
                async with self.session.get(path, headers=headers, timeout=patience) as answer:
                    answer.raise_for_status()
                    async for line in answer.content:
                        yield json.loads(line)
            except BROKEN:
                self.world.broken += 1
            await asyncio.sleep(AGAIN)

    async def _teach(self) -> None:
        async for line in self.lines(self.token):
            self.board = line.get("board", self.board)

    async def leave(self) -> None:
        """Everybody goes home."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class Scripted:
    """A pupil: reads the class, and plays where they are put."""

    def __init__(self, taught: ScriptedClass, number: int) -> None:
        self.taught, self.world, self.name = taught, taught.world, f"Pupil {number + 1}"
        self.key = f"{self.world.dice.getrandbits(128):032x}"
        self.match = ""
        self.playing: asyncio.Task[None] | None = None

    async def attend(self) -> None:
        """Come in, and be there until the end."""
        wish = {"code": self.taught.code, "name": self.name, "key": self.key}
        seated = await self.taught.asked("POST", "/api/classes/join", wish)
        try:
            async for line in self.taught.lines(seated["token"]):
                if "seat" in line:
                    self._seated(line["seat"])
        finally:
            if self.playing is not None:
                self.playing.cancel()

    def _seated(self, seat: Any) -> None:
        world, who, now = self.world, f"{self.taught.code} {self.name}", time.monotonic()
        if seat["free"]:
            world.free.setdefault(who, now)
        elif who in world.free:
            world.longest_wait = max(world.longest_wait, now - world.free.pop(who))
        if seat["match"] and seat["match"] != self.match and not seat["free"]:
            self.match = seat["match"]
            if self.playing is not None:
                self.playing.cancel()
            self.playing = asyncio.create_task(self._play(seat["match"], seat["token"], seat["seat"]))

    async def _play(self, match: str, token: str, seat: int) -> None:
        state: Any = None
        while state is None or state["outcome"] is None:
            try:
                async with self.taught.session.ws_connect(f"{self.taught.url}/ws/{match}") as live:
                    await live.send_json({"type": "hello", "token": token})
                    state = await self._moves(live, seat)
            except BROKEN:
                self.world.broken += 1
            await asyncio.sleep(AGAIN)
        if state["outcome"]["reason"] != "class-stopped":
            self.world.results[match] = state["outcome"]["winner"]

    async def _moves(self, live: aiohttp.ClientWebSocketResponse, seat: int) -> Any:
        """Play on one line for as long as it lasts; returns how the match stands then."""
        state: Any = None
        sent = 0.0
        while state is None or state["outcome"] is None:
            message = await asyncio.wait_for(live.receive(), None if not sent else PATIENCE)
            if message.type is not aiohttp.WSMsgType.TEXT:
                self.world.broken += 1
                return state or {"outcome": None}
            told = json.loads(message.data)
            if told["type"] == "refused":
                sent = 0.0
            if told.get("done"):
                self.world.acknowledged += 1
                if self.world.counting:
                    self.world.took.append(time.perf_counter() - sent)
                sent = 0.0
            state = told.get("state") or {**(state or {}), **told.get("change", {})}
            if state["outcome"] is None and state["turn"] == seat and not sent:
                await asyncio.sleep(self.world.dice.expovariate(1 / self.taught.pace) if self.taught.pace else 0)
                move = self.world.dice.choice(state["moves"])["move"]
                sent = time.perf_counter()
                key = f"{self.key[:8]}{state['ply']}"
                await live.send_json({"type": "move", "ply": state["ply"], "move": move, "key": key})
        return state


async def played(port: int, classes: int, pupils: int, pace: float, server: Server) -> dict[str, float]:
    """Let them all play, and measure."""
    world = World()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        taught = [ScriptedClass(world, session, f"http://127.0.0.1:{port}", pace) for _ in range(classes)]
        for one in taught:
            await one.open(pupils)
        await asyncio.sleep(START)
        world.counting, began, busy = True, time.perf_counter(), server.cpu()
        await asyncio.sleep(SECONDS)
        world.counting = False
        seconds, busy = time.perf_counter() - began, server.cpu() - busy
        boards = [one.board for one in taught]
        world.stopping = True
        for one in taught:
            await one.leave()
    took = sorted(world.took)
    return {
        "classes": classes,
        "pupils": classes * pupils,
        "moves_per_second": len(took) / seconds,
        "p50_ms": 1000 * took[len(took) // 2],
        "p99_ms": 1000 * took[len(took) * 99 // 100],
        "longest_ms": 1000 * took[-1],
        "core_busy": busy / seconds,
        "memory_mb": server.memory(),
        "games_over": sum(board["played"] for board in boards),
        "longest_wait_s": world.longest_wait,
        "refused": len(world.refused),
        "broken": world.broken,
    }


def main() -> int:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom", description=__doc__)
    parser.add_argument("--classes", type=int, default=20)
    parser.add_argument("--pupils", type=int, default=30)
    parser.add_argument("--pace", type=float, default=2.5, help="seconds that a pupil thinks, on average")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, {1})
    with tempfile.TemporaryDirectory(dir=".") as folder:
        server = Server(Path(folder), core=0)
        try:
            found = uvloop.run(played(server.port, options.classes, options.pupils, options.pace, server))
        finally:
            server.stop()
    for name, figure in found.items():
        print(f"{name:>18} {figure:>10,.1f}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
