"""Two servers on one PostgreSQL database: one is killed, or the database is; nothing acknowledged is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.server.postgres_server import new_database, postgres_server
from tests.server.running import Running
from tests.torture.campaign import length
from tests.torture.playing import World, look_at, no_worker_is_left, start_players

KILLS = length(short=3, long=200)
CRASHES = length(short=1, long=20)
PAIRS, ALONE = length(short=6, long=9), 2


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[Running]]:
    """Two of them, with the two players of each pair at different ones; every third pair goes to and fro."""
    address = new_database()
    with ExitStack() as running:
        found = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            found.append(running.enter_context(Running(tmp_path / name, db=address)))
        yield found


def check(servers: list[Running], world: World, what: str, began: float) -> None:
    world.finish()
    for server in servers:
        server.kill()
    found = look_at(servers[0].db, world)
    print(
        f"{what}, {len(world.acknowledged)} acknowledged, {found}, late {world.late}, not stored {world.not_stored}, "
        f"{time.monotonic() - began:.0f} s"
    )
    assert world.troubles == []
    assert no_worker_is_left([server.folder for server in servers])


@in_ci
@pytest.mark.timeout(1800)
def test_one_of_two_servers_is_killed_and_all_go_on(servers: list[Running]) -> None:
    dice, began = random.Random(6), time.monotonic()
    world = World(*(server.port for server in servers))
    start_players(world, PAIRS, ALONE)
    for kill in range(KILLS):
        world.wait_for_more(dice.randrange(1, 20))
        time.sleep(dice.random() * 0.1)
        servers[kill % 2].kill()
        servers[kill % 2].again()
    check(servers, world, f"{KILLS} kills", began)


@in_ci
@pytest.mark.timeout(1800)
def test_the_database_crashes_and_all_go_on(servers: list[Running]) -> None:
    dice, began = random.Random(7), time.monotonic()
    world = World(*(server.port for server in servers))
    start_players(world, PAIRS, ALONE)
    for _ in range(CRASHES):
        world.wait_for_more(dice.randrange(1, 60))
        time.sleep(dice.random() * 0.1)
        postgres_server().stop("immediate")
        postgres_server().start()
    world.wait_for_more(20)
    check(servers, world, f"{CRASHES} crashes", began)
