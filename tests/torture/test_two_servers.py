"""Two servers on one PostgreSQL database: one is killed, or the database is; nothing acknowledged is lost."""

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
from tests.torture.playing import World, check, start_players

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


@in_ci
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("what", "times", "moves"), [("kill", KILLS, 20), ("crash", CRASHES, 60)])
def test_a_server_is_killed_or_the_database_crashes_and_all_go_on(
    what: str, times: int, moves: int, servers: list[Running]
) -> None:
    dice = random.Random(what)
    world = World(*(server.port for server in servers))
    start_players(world, PAIRS, ALONE)
    for number in range(times):
        world.wait_for_more(dice.randrange(1, moves))
        time.sleep(dice.random() * 0.1)
        if what == "kill":
            servers[number % 2].kill()
            servers[number % 2].again()
        else:
            postgres_server().stop("immediate")
            postgres_server().start()
    world.wait_for_more(20)
    check(world, f"{times} times {what}", *servers)
