"""What whoever looks after the server can read of it."""

import asyncio
import json
import logging
from pathlib import Path

import pytest

from numberquest import __version__
from numberquest.server.log import ERRORS, Log, Metrics
from numberquest.server.store.sqlite import SqliteStore
from numberquest.server.think.pool import Thinking
from tests.server.attacked import clean, friends
from tests.server.keeping import until
from tests.server.running import Running, wait_until
from tests.server.two_worlds import World
from tests.server.websocket import asked, connected, read_answer, request


def test_every_request_is_counted_streams_live_connections_and_early_refusals_too(server: Running) -> None:
    def of(status: int) -> str:
        return f'numberquest_requests_total{{status="{status}"}}'

    match = friends(server)
    before = server.metrics()
    match.live(match.one).close()
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
    after = server.metrics()
    assert after[of(101)] == before.get(of(101), 0) + 1
    assert after[of(413)] == before.get(of(413), 0) + 1
    assert after[of(400)] == before.get(of(400), 0) + 1
    # The stream, and the question for the figures before.
    assert after[of(200)] == before[of(200)] + 2
    refused = 'numberquest_refused_total{reason="too-long"}'
    assert after[refused] == before.get(refused, 0) + 1


def test_whatever_is_counted_as_a_whole_is_there_from_the_start() -> None:
    lines = Metrics().text({}).splitlines()
    for name in ("moves", "matches_created", "matches_over", "weaker_moves", "looked_ahead_moves"):
        assert f"numberquest_{name}_total 0" in lines


def test_errors_are_counted_by_kind_from_the_start_also_without_a_log(server: Running) -> None:
    found = server.metrics()
    assert {f'numberquest_errors_total{{kind="{kind}"}}' for kind in ERRORS} <= set(found)
    log = Log(None)
    log.error("store", what="full")
    log.overhear("tests.overheard")
    logging.getLogger("tests.overheard").warning("something")
    logging.getLogger("tests.overheard").info("nothing")
    assert log.errors == {**dict.fromkeys(ERRORS, 0), "store": 1, "library": 1}


def test_what_libraries_complain_about_is_written_without_the_values(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w+") as stream:
        log = Log(stream, clock=lambda: 7.0)
        log.overhear("tests.overheard")
        logger = logging.getLogger("tests.overheard")
        logger.warning("bad request from %s", "Ann's secret")
        try:
            raise KeyError("Ann's secret")
        except KeyError:
            logger.exception("something failed")
        log.event("started", port=1)
        log.close()
        log.event("after", port=1)
        stream.seek(0)
        lines = [json.loads(line) for line in stream]
    assert [line["event"] for line in lines] == ["error", "error", "started"]
    assert [line.get("what") for line in lines] == ["bad request from %s", "KeyError", None]
    assert lines[1]["where"].startswith("test_log.py:")
    assert lines[2] == {"at": 7.0, "event": "started", "port": 1}
    assert log.dropped == 0


def test_lines_that_cannot_be_written_are_counted_and_so_are_those_beyond_the_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = (tmp_path / "log").open("w")
    stream.close()
    log = Log(stream)
    monkeypatch.setattr("numberquest.server.log.MOST_WAITING", 0)
    log.event("too", much=1)
    assert log.dropped == 1
    monkeypatch.undo()
    log.event("nobody", reads=1)
    log.close()
    assert log.dropped == 2


def test_the_figures_tell_how_late_the_loop_is_how_long_requests_take_and_what_the_server_uses(server: Running) -> None:
    asked(server.port, "GET", "/healthz")
    wait_until(lambda: server.metrics()["numberquest_loop_lag_seconds_count"] > 0)
    before, found = server.metrics(), server.metrics()
    assert found["numberquest_request_seconds_count"] == before["numberquest_request_seconds_count"] + 1
    assert found["numberquest_memory_bytes"] > 1_000_000
    assert found["numberquest_open_files"] > 3
    assert found[f'numberquest_info{{version="{__version__}"}}'] == 1
    assert found["numberquest_open_matches_limit"] > 0


def test_addresses_can_be_left_out_of_the_log_and_one_is_the_same_for_a_day(tmp_path: Path) -> None:
    path, times = tmp_path / "log", [0.0]
    with path.open("w", encoding="utf-8") as stream:
        log = Log(stream, lambda: times[-1], hides=True)
        for now in (0.0, 80_000.0, 90_000.0):
            times.append(now)
            log.refused("too-many", "192.0.2.7", None)
            log.sum_up()
            log.event("closed", reason="slow", address="192.0.2.7")
        log.event("closed", reason="slow", address="192.0.2.8")
        log.close()
    assert "192.0.2" not in path.read_text()
    *hidden, other = [json.loads(line)["address"] for line in path.read_text().splitlines()]
    assert len(set(hidden[:4])) == 1
    assert len(set(hidden)) == 2
    assert other not in hidden


def test_the_option_leaves_addresses_out(tmp_path: Path) -> None:
    with Running(tmp_path, "--hide-addresses") as server:
        asked(server.port, "GET", "/nowhere")
        server.stop()
        (refused,) = [event for event in server.events() if event["event"] == "refused"]
        assert "127.0.0.1" not in refused["address"]


async def test_a_background_task_that_ends_is_started_again_and_the_server_is_not_ready_meanwhile(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberquest.server.background.RESTART_AFTER", 0.01)
    world = World(await SqliteStore.open(address))
    world.hub.thinking = Thinking(1)  # nobody thinks: the games are not solved for this test
    await world.open()
    ends, starts = asyncio.Event(), 0

    async def work() -> None:
        nonlocal starts
        starts += 1
        if starts < 3:
            await ends.wait()
            raise KeyError("class")
        await asyncio.Event().wait()

    world.hub.go(world.hub.background.keep_running("clocks", work))
    assert (await world.ask("GET", "/readyz"))[0] == 200
    ends.set()
    await until(lambda: starts == 2)
    status, body = await world.ask("GET", "/readyz")
    assert status == 503
    assert b"clocks" in body
    await until(lambda: starts == 3 and not world.hub.stopped_tasks)
    assert (await world.ask("GET", "/readyz"))[0] == 200
    assert b'numberquest_task_restarts_total{task="clocks"} 2' in (await world.ask("GET", "/metrics"))[1]
    assert world.log.errors["task"] == 2
    await world.close()
