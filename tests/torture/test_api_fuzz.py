"""The API and the live connection under thousands of made-up requests and frames: no crash, no 5xx, no harm."""

import contextlib
import json
from pathlib import Path
from random import Random

from tests.conftest import in_ci
from tests.server.attacked import friends
from tests.server.running import Running
from tests.server.schemas import Api
from tests.server.websocket import BINARY, CLOSE, CONT, PING, PONG, TEXT, WebSocket, asked
from tests.torture.campaign import length

ACTIONS = ("take-back", "agree", "refuse")
NOISE = (b"{", b"[", b'"', b"\\", b"\xff", b"\x00", b"1e999", b"null", b"\\ud800", b",")


def unharmed(server: Running, *expected: str) -> None:
    """No error was logged but those, and it ends in good order."""
    assert {event["what"] for event in server.events() if event["event"] == "error"} <= {*expected}
    assert server.stop() == 0
    assert "Traceback" not in server.said, server.said


@in_ci
def test_schemathesis_finds_nothing_in_thousands_of_cases(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        api = Api(server, Random(7))
        try:
            wanted, number = length(30, 6000), 100
            while api.tally["cases"] < wanted:
                api.run(min(wanted, 3000), number, length(1, 0) * "moves")
                number += 1
        finally:
            api.close()
        print(f"{dict(api.tally)}")
        assert not [status for status in api.tally if status.startswith("5")]
        unharmed(server)


def frame(random: Random, match: str, token: str) -> bytes:
    """Something between a good frame and noise."""
    good = random.choice(
        [
            {"type": "hello", "token": token},
            {"type": "hello", "match": match},
            {"type": "move", "ply": random.randint(0, 5), "move": random.choice(["1", "2", "9", "x"]), "key": "k"},
            {"type": "act", "ply": random.randint(0, 5), "do": random.choice(ACTIONS), "key": "k"},
        ]
    )
    data = bytearray(json.dumps(good).encode())
    for _ in range(random.choice([0, 0, 0, 1, 1, 2, 10])):
        kind, at = random.random(), random.randrange(len(data) + 1)
        if kind < 0.4:
            data[at:at] = random.choice(NOISE)
        elif kind < 0.7:
            del data[at : at + random.randint(1, 5)]
        else:
            data[at : at + 1] = random.randbytes(1)
        data = data or bytearray(b"{}")
    return bytes(data)


def test_random_frames_close_connections_and_nothing_else(tmp_path: Path) -> None:
    random = Random(11)
    connections, sent, closed = length(60, 5000), 0, 0
    with Running(tmp_path) as server:
        match = friends(server)
        for _ in range(connections):
            with WebSocket(server.port, match.match) as live, contextlib.suppress(ConnectionError):
                for _ in range(random.randint(1, 12)):
                    data = frame(random, match.match, match.one)
                    if random.random() < 0.8:
                        live.send(data)
                    else:
                        live.send(
                            data,
                            random.choice([TEXT, BINARY, CONT, CLOSE, PING, PONG, 3, 11]),
                            fin=random.random() < 0.7,
                            masked=random.random() < 0.9,
                            reserved=random.choice([0, 0, 0, 1, 7]),
                            length=random.choice([None, None, None, 0, 1, 125, 126, 9000, 1 << 40]),
                        )
                    sent += 1
                live.send(b"\x03\xe8", CLOSE)
                live.plug.settimeout(2)
                with contextlib.suppress(TimeoutError):
                    live.closing()
                    closed += 1
        assert asked(server.port, "GET", "/healthz").json == {"ok": True}
        state = match.look()
        assert state["game"] == "sumquest"
        if state["outcome"] is None:
            mine = (match.one, match.two)[state["turn"] - 1]
            assert match.move(mine, state["ply"], state["moves"][0]["move"]).status == 200
        print(f"{connections} connections, {sent} frames, {closed} closings")
        unharmed(server, "UnicodeDecodeError")
