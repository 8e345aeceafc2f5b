"""What whoever looks after the server can read of it."""

from __future__ import annotations

import logging
from pathlib import Path

from numberquest.server.log import ERRORS, Log
from numberquest.server.metrics import Metrics
from tests.server.attacked import clean, friends
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, connected, read_answer, request


def figures(server: Running) -> dict[str, float]:
    lines = asked(server.port, "GET", "/metrics").body.decode().splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


def test_every_request_is_counted_streams_live_connections_and_early_refusals_too(tmp_path: Path) -> None:
    def of(status: int) -> str:
        return f'numberquest_requests_total{{status="{status}"}}'

    with Running(tmp_path) as server:
        match = friends(server)
        before = figures(server)
        with WebSocket(server.port, match.match) as live:
            live.hello(match.one)
        with connected(server.port) as plug:
            plug.sendall(request("GET", f"/api/matches/{match.match}/events"))
            while b"update" not in plug.recv(1 << 16):
                continue
        with connected(server.port) as plug:
            plug.sendall(request("GET", "/", "X: " + "x" * 20_000))
            assert clean(read_answer(plug), 413, "too-long")
        with connected(server.port) as plug:
            plug.sendall(b"nonsense\r\n\r\n")
            assert clean(read_answer(plug), 400, "bad-request")
        after = figures(server)
    assert after[of(101)] == before.get(of(101), 0) + 1
    assert after[of(413)] == before.get(of(413), 0) + 1
    assert after[of(400)] == before.get(of(400), 0) + 1
    # The stream, and the question for the figures before.
    assert after[of(200)] == before[of(200)] + 2
    assert after['numberquest_refused_total{reason="too-long"}'] == 1


def test_whatever_is_counted_as_a_whole_is_there_from_the_start() -> None:
    lines = Metrics().text({}).splitlines()
    for name in ("moves", "matches_created", "matches_over", "weaker_moves", "looked_ahead_moves"):
        assert f"numberquest_{name}_total 0" in lines


def test_errors_are_counted_by_kind_from_the_start_also_without_a_log(server: Running) -> None:
    found = figures(server)
    assert {f'numberquest_errors_total{{kind="{kind}"}}' for kind in ERRORS} <= set(found)
    log = Log(None)
    log.error("store", what="full")
    log.overhear("tests.overheard")
    logging.getLogger("tests.overheard").warning("something")
    logging.getLogger("tests.overheard").info("nothing")
    assert log.errors == {**dict.fromkeys(ERRORS, 0), "store": 1, "library": 1}
