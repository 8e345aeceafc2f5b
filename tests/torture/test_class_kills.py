"""A running class of thirty whose server is killed again and again: no result is lost, and none counts twice."""

import asyncio
import random
import time
from collections import Counter
from pathlib import Path

import aiohttp
import msgspec
import pytest
from benchmarks.classroom import ScriptedClass, World

from numberquest.server.classroom import events
from numberquest.server.classroom.state import ClassState, folded
from numberquest.server.match.state import folded as match_folded
from tests.conftest import in_ci
from tests.server.keeping import opened
from tests.server.postgres_server import new_database
from tests.server.running import Running
from tests.torture.campaign import length, only_long

KILLS = length(short=2, long=100)
PUPILS = length(short=8, long=30)
PACE = 0.15
"""Seconds that a pupil thinks."""


@in_ci
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgresql", marks=only_long)])
def test_a_class_whose_server_is_killed_again_and_again_has_every_result_once(tmp_path: Path, store: str) -> None:
    db = new_database() if store == "postgresql" else None
    with Running(tmp_path, db=db) as server:
        world, name = asyncio.run(_taught(server))
        server.stop()
        results, matches = asyncio.run(_kept(server.db, name))
        assert len(world.results) > KILLS
        missing = {match: winner for match, winner in world.results.items() if match not in results}
        assert missing == {}, "a result that a pupil has seen is lost"
        for match, result in results.items():
            outcome = matches[match]
            won = None if outcome is None else outcome + 1
            assert result.winner == outcome, f"{match}: the class says {result.winner}, the match {outcome}"
            if match in world.results:
                assert world.results[match] == won
        print(
            f"{store}: {KILLS} kills, {len(results)} results, {world.acknowledged} moves, {world.broken} broken lines"
        )


async def _taught(server: Running) -> tuple[World, str]:
    """A class during which the server is killed; returns what its pupils have seen."""
    dice, world = random.Random(7), World(7)
    loop = asyncio.get_running_loop()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        taught = ScriptedClass(world, session, server.url, PACE)
        await taught.open(PUPILS)
        for _ in range(KILLS):
            await _more(world)
            await asyncio.sleep(dice.random() * 0.3)
            await loop.run_in_executor(None, server.kill)
            await loop.run_in_executor(None, server.again)
        await _more(world)
        await taught.does("end")
        # Those that were just over are taken down with the end.
        while any(table["outcome"] is None for table in (await _board(taught))["tables"]):
            await asyncio.sleep(0.1)
        world.stopping = True
        await taught.leave()
    return world, taught.name


async def _board(taught: ScriptedClass) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = await taught.asked(
        "GET", f"/api/classes/{taught.name}/board", None, taught.token
    )
    return found


async def _more(world: World) -> None:
    """Until some more games are over."""
    until, patience = len(world.results) + 1, time.monotonic() + 120
    while len(world.results) < until:
        assert time.monotonic() < patience, "nobody goes on"
        await asyncio.sleep(0.05)


async def _kept(db: str, name: str) -> tuple[dict[str, events.Result], dict[str, int | None]]:
    """What the database says: the results of the class, and who has won each of its matches."""
    async with opened(db) as store:
        found = await store.load_class(name)
        assert found is not None
        log = [msgspec.json.decode(one, type=events.AnyEvent) for one in found[1]]
        assert [event.number for event in log] == list(range(len(log)))
        state: ClassState = folded(msgspec.json.decode(found[0], type=events.ClassHeader), log)
        told = [event for event in log if isinstance(event, events.Result)]
        assert max(Counter(event.match for event in told).values()) == 1, "a result was counted twice"
        results = {event.match: event for event in told if event.counts}
        matches: dict[str, int | None] = {}
        for match in state.tables:
            kept = await store.load(match)
            assert kept is not None, "a match of the class is lost"
            played = match_folded(*kept)
            assert played.over
            if not played.unplayed:
                assert match in results, "a game that is over was not counted"
                matches[match] = None if played.outcome is None else played.outcome.winner
        points = sum(one.points for one in state.pupils)
        against_computer = sum(
            2
            for match, result in results.items()
            if result.winner is not None and state.tables[match].seating.pupils[result.winner] == events.COMPUTER
        )
        assert points == 2 * len(results) - against_computer
        return results, matches
