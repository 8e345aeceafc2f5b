"""A server is replaced by another while everybody plays: nothing acknowledged is lost, and nobody is turned away."""

import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.server.nginx import Nginx, free_port
from tests.server.postgres_server import new_database
from tests.server.running import Running
from tests.server.websocket import asked
from tests.torture.campaign import length
from tests.torture.playing import World, check, no_worker_is_left, start_players

TIMES = length(short=2, long=100)
"""How often one takes the place of the other: there, and back again."""
PAIRS, ALONE = length(short=3, long=9), 2
MEANT = {101, 200, 201, 409}
"""What nginx may answer to players: yes, or that another move was first. Above all no 502."""


@in_ci
@pytest.mark.timeout(1800)
def test_a_server_is_replaced_by_another_and_no_move_is_lost(tmp_path: Path) -> None:
    dice, address, ports = random.Random(8), new_database(), (free_port(), free_port())
    with ExitStack() as running:

        def start(at: int) -> Running:
            folder = tmp_path / str(at)
            folder.mkdir(exist_ok=True)
            server = running.enter_context(Running(folder, "--proxy", "127.0.0.1", db=address, port=ports[at]))
            assert asked(server.port, "GET", "/readyz").status == 200
            return server

        old = start(0)
        nginx = running.enter_context(Nginx(tmp_path / "nginx", *ports))
        world = World(nginx.port, servers=2)
        start_players(world, PAIRS, ALONE)
        for replaced in range(1, TIMES + 1):
            world.wait_for_more(dice.randrange(1, 20))
            new = start(replaced % 2)
            world.wait_for_more(dice.randrange(1, 20))
            assert old.stop() == 0
            old = new
        world.wait_for_more(20)
        check(world, f"{TIMES} replacements", old)
        answers = Counter(status for status, _ in nginx.answers())
    print(f"answers {dict(answers)}")
    assert set(answers) <= MEANT, answers
    assert no_worker_is_left([tmp_path / "0", tmp_path / "1"])


@in_ci
@pytest.mark.timeout(1800)
def test_of_several_servers_each_may_be_stopped_or_killed_and_nobody_notices(tmp_path: Path) -> None:
    """nginx takes everybody to any of the two; one after the other is started again, or dies without a word."""
    dice, address, ports = random.Random(9), new_database(), (free_port(), free_port())
    with ExitStack() as running:
        servers = []
        for at, port in enumerate(ports):
            (folder := tmp_path / str(at)).mkdir()
            servers.append(running.enter_context(Running(folder, "--proxy", "127.0.0.1", db=address, port=port)))
        nginx = running.enter_context(Nginx(tmp_path / "nginx", *ports, several=True))
        world = World(nginx.port, servers=2)
        start_players(world, PAIRS, ALONE)
        for turn in range(2 * TIMES):
            world.wait_for_more(dice.randrange(5, 20))
            server = servers[turn % 2]
            if turn % 4 < 2:
                assert server.stop() == 0
            else:
                server.kill()
            # The other one has everybody.
            world.wait_for_more(dice.randrange(5, 20))
            server.again()
            assert asked(server.port, "GET", "/readyz").status == 200
        world.wait_for_more(20)
        check(world, f"{2 * TIMES} ends of one of two", servers[0])
        answers = Counter(status for status, _ in nginx.answers())
    print(f"answers {dict(answers)}")
    assert set(answers) <= MEANT, answers
