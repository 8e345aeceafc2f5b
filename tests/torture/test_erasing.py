"""Classes erased at random moments, most of them while their pupils are being paired: no name stays in the database."""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.classes import Classes
from tests.server.classroom.stored import stored
from tests.server.classroom.taught import Clock, Taught, hub_of
from tests.server.keeping import opened
from tests.server.postgres_server import new_database
from tests.torture.campaign import length

ERASED = length(short=12, long=200)
AT_ONCE = 6
PUPILS = 6
LATEST = 0.03
"""Seconds after the beginning, at most, in which a class is erased."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_of_classes_erased_at_random_moments_no_name_stays(tmp_path: Path, kind: str) -> None:
    address = str(tmp_path / "games.db") if kind == "sqlite" else new_database()
    asyncio.run(_erase_all(address, servers=1 if kind == "sqlite" else 2))
    kept = asyncio.run(stored(address))
    assert b"Kept0" in kept, "another class is as it was"
    assert {number for number in range(ERASED) if f"Pupil{number}x".encode() in kept} == set()


async def _erase_all(address: str, servers: int) -> None:
    dice = random.Random(31)
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(opened(address)) for _ in range(servers)]
        clock = Clock()
        everywhere = [Classes(hub_of(store, clock), lambda: 0) for store in stores]
        for classes in everywhere:
            stack.push_async_callback(classes.hub.close)
            classes.hub.store.on_change(classes._changed_elsewhere)
        kept = await _taught(everywhere[0], clock, "kept", [f"Kept{number}" for number in range(PUPILS)])
        await kept.does("begin")
        await kept.seconds(1)
        for first in range(0, ERASED, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, ERASED))
            await asyncio.gather(*(_erased(everywhere, clock, number, dice.random()) for number in numbers))
        assert not any(many for classes in everywhere for many in classes.hub.log.errors.values())


async def _taught(classes: Classes, clock: Clock, name: str, pupils: list[str]) -> Taught:
    taught = Taught(classes, clock, await classes.open(messages.NewClass("sumquest"), f"10.1.0.{name}"))
    await taught.come(*pupils)
    return taught


async def _erased(everywhere: list[Classes], clock: Clock, number: int, moment: float) -> None:
    """A class whose arena has just begun, at one server, and which is erased at another where there is one."""
    taught = await _taught(everywhere[0], clock, str(number), [f"Pupil{number}x{one}" for one in range(PUPILS)])
    name = taught.opened.classroom
    live = await taught.live()
    await everywhere[-1].live(name)
    await taught.classes.teach(live, messages.TeacherAct("begin"))
    live.stay(range(1, PUPILS + 1), taught.hub.time.now())
    ticking = asyncio.create_task(taught.classes.tick(live, taught.hub.time.now()))
    await asyncio.sleep(LATEST * moment**2)
    await everywhere[number % len(everywhere)].erase(name)
    await asyncio.gather(ticking, return_exceptions=True)
    while live.settling.locked():
        await asyncio.sleep(0.001)
