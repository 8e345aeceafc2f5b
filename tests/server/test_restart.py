"""A server that is stopped and started again: no match notices."""

import json
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from numberquest.client import Seat
from numberquest.core.registry import GAMES
from numberquest.server import wire
from tests.conftest import in_ci
from tests.server.running import Running, wait_until
from tests.torture.playing import World, look_at, no_worker_is_left, start_players, workers_of

STOPS = 5


def gave_up(server: Running) -> list[str]:
    """What the log says of connections that did not end by themselves, and of anything else that went wrong."""
    return [str(event.get("what")) for event in server.events() if event["event"] == "error"]


def in_the_middle(server: Running, game: str, dice: random.Random) -> Seat:
    """A match of two at one screen after a few moves."""
    seat = server.client().create(game, opponent="screen")
    for _ in range(3):
        if seat.state.outcome is None:
            seat.play(dice.choice(seat.state.moves).move)
    return seat


@contextmanager
def live(server: Running, seat: Seat) -> Iterator[tuple[ClientConnection, wire.Welcome]]:
    """A live connection, as the page has it."""
    with connect(f"ws://127.0.0.1:{server.port}/ws/{seat.match}", proxy=None) as connection:
        connection.send(msgspec.json.encode(wire.Hello(seat.token)).decode())
        yield connection, msgspec.json.decode(connection.recv(60), type=wire.Welcome)


def stopped(server: Running, how: signal.Signals) -> int:
    """The exit code."""
    server.process.send_signal(how)
    code = server.process.wait(30)
    server.kill()  # so that what it said is read
    return code


@in_ci
@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_stop_waits_for_nobody_and_afterwards_every_match_stands_as_it_stood(
    how: signal.Signals, code: int, tmp_path: Path
) -> None:
    dice = random.Random(3)
    with Running(tmp_path) as server, ExitStack() as open_until_then:
        seats = [in_the_middle(server, game, dice) for game in GAMES for _ in range(2)]
        connections = [open_until_then.enter_context(live(server, seat))[0] for seat in seats]
        streamed: list[wire.State] = []
        watching = server.client(patience=0.0)
        stream = threading.Thread(target=lambda: streamed.extend(watching.events(seats[0].match)))
        stream.start()
        while not streamed:
            assert stream.is_alive()
            stream.join(0.01)
        ended = stopped(server, how)
        assert ended == code
        assert gave_up(server) == []
        stream.join(60)
        assert not stream.is_alive(), "the stream has an end"
        for connection in connections:
            with pytest.raises(ConnectionClosed) as closed:
                connection.recv(60)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012, "the page is told that the server starts again"
        assert no_worker_is_left([tmp_path])
        server.again()
        for seat in seats:
            before = seat.state
            assert seat.look() == before
            with live(server, seat) as (_, welcome):
                assert welcome.seats == [1, 2]
                assert msgspec.json.decode(welcome.state, type=wire.State) == before
            if before.outcome is None:
                assert seat.play(before.moves[0].move).ply == before.ply + 1
        assert server.stop() == 0
        assert "Traceback" not in server.said


@in_ci
def test_players_at_full_speed_notice_nothing_of_three_restarts(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        world = World(server.port)
        start_players(world, pairs=5, alone=2, seed=9)
        for _ in range(3):
            world.wait_for_more(20)
            assert server.stop() == 0
            assert gave_up(server) == []
            assert "Traceback" not in server.said
            server.again()
        world.finish()
        server.stop()
    look_at(server.db, world)
    assert world.troubles == []
    assert no_worker_is_left([tmp_path])


@in_ci
def test_who_comes_and_goes_while_the_server_stops_does_not_hold_it_up(fresh: Running) -> None:
    seat = fresh.client().create("sumquest", opponent="screen")
    for _ in range(STOPS):
        over = threading.Event()
        came = [0] * 8

        def come_and_go(number: int, came: list[int] = came, over: threading.Event = over) -> None:
            while not over.is_set():
                with suppress(OSError, WebSocketException), live(fresh, seat):
                    came[number] += 1

        visitors = [threading.Thread(target=come_and_go, args=(number,)) for number in range(len(came))]
        for visitor in visitors:
            visitor.start()
        while min(came) < 5:
            assert all(visitor.is_alive() for visitor in visitors)
            time.sleep(0.01)  # they need the processor more
        code = fresh.stop()
        over.set()
        for visitor in visitors:
            visitor.join()
        assert code == 0
        assert "Traceback" not in fresh.said
        assert gave_up(fresh) == []
        fresh.again()


def test_whoever_waits_for_a_review_is_told_to_ask_again(fresh: Running, tmp_path: Path) -> None:
    # So large that it cannot be worked out in the time that this test has.
    seat = fresh.client().create("fifty", opponent="screen", settings={"copies": 4, "target": 200})
    seat.act("resign")
    asking = HTTPConnection("127.0.0.1", fresh.port, timeout=30)
    asking.request("GET", f"/api/matches/{seat.match}/review")
    # When the worker has begun, there is a second one: the first is kept free for moves.
    wait_until(lambda: len(workers_of(tmp_path)) >= 2)
    ended = stopped(fresh, signal.SIGTERM)
    assert ended == 0
    assert gave_up(fresh) == []
    answer = asking.getresponse()
    assert (answer.status, json.loads(answer.read())["code"]) == (503, "busy")
    asking.close()
    assert no_worker_is_left([tmp_path])


@in_ci
def test_a_computer_that_was_thinking_moves_after_the_restart(fresh: Running, tmp_path: Path) -> None:
    # So large that it thinks for a while.
    seat = fresh.client().create("fifty", opponent="perfect", seat=2, settings={"copies": 4, "target": 200})
    ended = stopped(fresh, signal.SIGTERM)
    assert ended == 0
    assert gave_up(fresh) == []
    assert no_worker_is_left([tmp_path])
    fresh.again()
    assert [line.player for line in seat.wait().history] == [1]
