"""One address keeps the workers busy with large rules: nobody else waits for that, and no level is weaker."""

import functools
import http.client
import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.client import Client, Seat, ServerSaid
from numberquest.server import wire
from numberquest.solver import solve
from tests.conftest import in_ci
from tests.server.running import Running
from tests.torture.campaign import length

MATCHES = 60
LARGE = {"target": 200, "copies": 4}
MOVES = length(short=50, long=400)


def client_at(server: Running, address: str) -> Client:
    """One that comes from there: on Linux all of 127.0.0.0/8 is this machine."""
    client = server.client()
    client._kind = functools.partial(http.client.HTTPConnection, source_address=(address, 0))  # type: ignore[assignment]
    return client


@contextmanager
def under_attack(server: Running) -> Iterator[None]:
    """Somebody plays so many matches of large rules at once, and moves in each as soon as the computer has."""
    client, over = client_at(server, "127.0.0.2"), threading.Event()
    first = client.post("/api/matches", wire.NewMatch("fifty", dict(LARGE), "perfect", 2), wire.Seated)
    seats = [client.create("fifty", settings=LARGE, opponent="perfect", seat=2) for _ in range(MATCHES)]

    def play() -> None:
        dice = random.Random(1)
        while not over.is_set():
            for seat in seats:
                # It may be over, or taken as too much: just go on.
                with suppress(ServerSaid):
                    if seat.look().turn in seat.seats:
                        seat.play(dice.choice(seat.state.moves).move)

    attacker = threading.Thread(target=play)
    attacker.start()
    try:
        Seat(client_at(server, "127.0.0.2"), first).wait()
        yield
    finally:
        over.set()
        attacker.join()


def waits(client: Client, moves: int, dice: random.Random) -> list[float]:
    """Play against `perfect` until it has moved so often; how long it took each time. Each move must be a best one."""
    found: list[float] = []
    while len(found) < moves:
        seat = client.create(dice.choice(tuple(nq.GAMES)), opponent="perfect")
        seat.wait()
        while seat.state.outcome is None:
            began, entries = time.monotonic(), len(seat.state.history)
            seat.play(dice.choice(seat.state.moves).move)
            seat.wait()
            found.append(time.monotonic() - began)
            check(seat, entries)
            assert seat.state.computer is None
    return found


def check(seat: Seat, entries: int) -> None:
    """All that the computer has played since then is best."""
    game = nq.game(seat.state.game)
    solution, position = solve(game), game.start()
    for at, line in enumerate(seat.state.history):
        if at >= entries and line.player not in (0, *seat.seats):
            assert line.entry in solution.best(position), (seat.state.game, seat.state.history)
        position = game.play(position, line.entry)


@in_ci
@pytest.mark.timeout(3600)
def test_nobody_waits_for_the_large_games_of_another_and_perfect_stays_perfect(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        others = client_at(server, "127.0.0.3")
        others.games()
        dice = random.Random(2)
        idle = waits(others, MOVES, dice)
        with under_attack(server):
            busy = waits(others, MOVES, dice)
            found = server.metrics()
        for name, times in (("idle", idle), ("under attack", busy)):
            print(f"{name}: median {statistics.median(times):.3f} s, worst {max(times):.3f} s of {len(times)}")
        print({name: value for name, value in found.items() if "thinking" in name or "moves_total" in name})
        # Before, it was their turn after all of the large ones: 36 to 64 seconds.
        assert statistics.median(busy) < 10 * statistics.median(idle) + 1
        assert max(busy) < 10 * max(idle) + 5
        assert found["numberquest_weaker_moves_total"] == 0
        assert found["numberquest_looked_ahead_moves_total"] > 0
        assert found['numberquest_thinking_waiting{size="large"}'] > 0, "that was no attack"
