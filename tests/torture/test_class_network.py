"""A class on a school's wireless network: 400 ms there and back, lost packets, and lines that break."""

import asyncio
import random
import time
from pathlib import Path

import aiohttp
import pytest
from benchmarks.classroom import ScriptedClass, World

from tests.conftest import in_ci
from tests.server.running import Running
from tests.torture.campaign import length

PUPILS, GAMES = length(short=2, long=30), length(short=1, long=150)
ONE_WAY = 0.2
"""Seconds."""
LOST, AGAIN = 0.05, 0.4
"""So many pieces are lost; a lost one comes so many seconds later, and what follows waits for it, as TCP has it."""
BREAKS = 0.01
"""With so many pieces the line breaks for good."""


class BadNetwork:
    """Passes on what is said to a server, late, and not always."""

    def __init__(self, port: int) -> None:
        self._port, self._dice = port, random.Random(3)
        self._lines: set[asyncio.Task[None]] = set()
        self.lost = self.broken = 0
        self._server: asyncio.Server

    async def open(self) -> str:
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        self._server.close()
        for line in [*self._lines]:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            both = [asyncio.ensure_future(self._pass_on(*way)) for way in ((reader, back), (there, writer))]
            # Where one direction ends, so does the other.
            _, others = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for other in others:
                other.cancel()
            await asyncio.gather(*both, return_exceptions=True)
        finally:
            self._lines.discard(task)
            for end in (writer, back):
                end.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop, due = asyncio.get_running_loop(), 0.0
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def arrive() -> None:
            while True:
                at, data = await on_the_way.get()
                await asyncio.sleep(max(0.0, at - loop.time()))
                writer.write(data)

        arriving = asyncio.ensure_future(arrive())
        try:
            while data := await reader.read(1400):
                if self._dice.random() < BREAKS:
                    self.broken += 1
                    return
                late = AGAIN if self._dice.random() < LOST else 0.0
                self.lost += late > 0
                due = max(due, loop.time() + ONE_WAY + late)
                on_the_way.put_nowait((due, data))
        finally:
            arriving.cancel()


@in_ci
@pytest.mark.timeout(1800)
def test_on_a_slow_network_that_loses_things_a_class_plays_and_every_result_counts(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        asyncio.run(_taught(server))


async def _taught(server: Running) -> None:
    world, network = World(5), BadNetwork(server.port)
    began = time.monotonic()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        taught = ScriptedClass(world, session, await network.open(), pace=0.05)
        await taught.open(PUPILS)
        world.counting = True
        while len(world.results) < GAMES:
            assert time.monotonic() - began < 60 + 10 * GAMES, "nobody goes on"
            await asyncio.sleep(0.05)
        seen = dict(world.results)
        # The teacher asks over a line of their own.
        path = f"{server.url}/api/classes/{taught.name}"
        async with session.get(f"{path}/board", headers={"Authorization": f"Bearer {taught.token}"}) as answer:
            board = await answer.json()
        async with session.get(f"{path}/figures", headers={"Authorization": f"Bearer {taught.token}"}) as answer:
            figures = await answer.json()
        world.stopping = True
        await taught.leave()
    await network.close()
    assert network.lost > 0
    assert board["played"] >= len(seen) >= GAMES
    assert figures["games"] >= board["played"]
    assert sum(one["points"] for one in board["pupils"]) <= board["played"]
    took = sorted(world.took)
    # There and back is 400 ms; a lost piece costs as much again.
    assert 0.35 < took[len(took) // 2] < 1.5
    print(
        f"{len(seen)} games, {len(took)} moves, median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s;"
        f" {network.lost} pieces lost, {network.broken} lines broken; longest wait {world.longest_wait:.1f} s"
    )
