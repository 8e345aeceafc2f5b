"""A server that is killed under load, again and again, loses nothing that it has acknowledged."""

import contextlib
import random
import threading
import time
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.server.running import Running
from tests.torture.campaign import length
from tests.torture.playing import World, check, look_at, start_players

KILLS = length(short=5, long=220)
PAIRS, ALONE = length(short=5, long=10), 2


class EarlyServer(Running):
    program = (str(Path(__file__).with_name("early_server.py")),)


def kill_at_a_random_moment(server: Running, world: World, dice: random.Random) -> None:
    """In the middle of moves; the clients must have come back from the kill before."""
    world.wait_for_more(dice.randrange(1, 20))
    time.sleep(dice.random() * 0.1)
    server.kill()


def start_again(server: Running, dice: random.Random) -> int:
    """Start it anew; sometimes it is killed before it is ready. Returns how often that was so."""
    if dice.random() < 0.1:

        def kill() -> None:
            server.process.kill()  # whichever it is by then

        timer = threading.Timer(dice.random() * 0.7, kill)
        timer.start()
        with contextlib.suppress(AssertionError):
            server.again()
        timer.join()
        server.kill()
        return 1 + start_again(server, dice)
    server.again()
    return 0


@in_ci
@pytest.mark.timeout(1800)
def test_a_killed_server_has_everything_acknowledged_and_all_go_on(tmp_path: Path) -> None:
    dice, kills = random.Random(4), 0
    with Running(tmp_path) as server:
        world = World(server.port)
        start_players(world, PAIRS, ALONE)
        while kills < KILLS:
            kill_at_a_random_moment(server, world, dice)
            kills += 1 + start_again(server, dice)
        found = check(world, f"{kills} kills", server)
    assert len(world.acknowledged) > 5 * KILLS
    if KILLS >= 200:
        assert found.same_answer > 0, "no kill came between the disk and the answer"


def test_a_server_that_acknowledges_too_early_is_caught(tmp_path: Path) -> None:
    dice = random.Random(5)
    with EarlyServer(tmp_path) as server:
        world = World(server.port)
        start_players(world, PAIRS, 0)
        kill_at_a_random_moment(server, world, dice)
        world.abandon()
    look_at(server.db, world, everything_over=False)
    assert [trouble for trouble in world.troubles if trouble.startswith("lost: ")]
