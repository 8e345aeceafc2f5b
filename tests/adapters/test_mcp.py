"""`numberquest mcp`, with the client of the official SDK: over standard input and output, and over HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

from tests.adapters.environment import needed

needed("mcp", "mcp")

from mcp import Client, StdioServerParameters  # noqa: E402

from numberquest.core.registry import GAMES  # noqa: E402
from numberquest.envs.mcp import server  # noqa: E402
from numberquest.envs.tool_session import ToolSession  # noqa: E402

PLAYING = {"list_games", "rules", "begin", "look", "move", "resign", "review"}
ANALYSIS = {"value", "best_moves"}
PROGRAM = [sys.executable, "-m", "numberquest", "mcp"]


@contextmanager
def over_http(*options: str) -> Iterator[str]:
    """The address of a server over HTTP."""
    with subprocess.Popen([*PROGRAM, "--http", "0", *options], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "http://127.0.0.1:" in line, line
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(100) == 130


@asynccontextmanager
async def connected(how: str, *options: str) -> AsyncIterator[Client]:
    if how == "stdio":
        env = {name: os.environ[name] for name in ("HOME", "PYTHONPATH") if name in os.environ}
        async with Client(StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], *options], env=env)) as client:
            yield client
    else:
        with over_http(*options) as address:
            async with Client(address) as client:
                yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


@pytest.mark.parametrize("how", ["stdio", "http"])
def test_a_model_can_play_every_game_to_its_end_and_see_the_review(how: str) -> None:
    async def session() -> None:
        async with connected(how) as client:
            listed = await call(client, "list_games")
            assert [one["game"] for one in listed["games"]] == list(GAMES)
            # One game is enough to see that another way of talking changes nothing.
            for slug in list(GAMES)[: None if how == "stdio" else 1]:
                assert (await call(client, "rules", game=slug))["rules"]
                state = await call(client, "begin", game=slug, opponent="random", seat=2)
                assert "error" in await call(client, "review", id=state["id"])
                while not state["over"]:
                    assert state == await call(client, "look", id=state["id"])
                    state = await call(client, "move", id=state["id"], move=f"[{state['moves'][0]}]")
                    assert state.pop("accepted"), state
                    del state["played"]
                reviewed = await call(client, "review", id=state["id"])
                made = [one for one in state["history"] if one["by"] is not None]
                assert [one["move"] for one in reviewed["moves"]] == [one["move"] for one in made]

    asyncio.run(session())


@pytest.mark.parametrize("how", ["stdio", "http"])
def test_what_is_wrong_is_an_answer_and_the_game_goes_on(how: str) -> None:
    async def session() -> None:
        async with connected(how) as client:
            begun = await call(client, "begin", game="fifty", settings={"target": "30"}, opponent="random")
            assert begun["settings"]["target"] == 30
            refused = await call(client, "move", id=begun["id"], move="99*")
            assert refused["accepted"] is False
            assert "allowed" in refused["error"]
            assert refused["moves"] == begun["moves"]
            assert "no game called" in (await call(client, "begin", game="chess"))["error"]
            assert (await call(client, "move", id=begun["id"], move=begun["moves"][0]))["accepted"]
            assert (await call(client, "resign", id=begun["id"]))["winner"] == 2

    asyncio.run(session())


@pytest.mark.parametrize(("analysis", "tools"), [(False, PLAYING), (True, PLAYING | ANALYSIS)])
def test_the_tools_of_analysis_are_there_only_where_that_is_wished(analysis: bool, tools: set[str]) -> None:
    async def session() -> None:
        async with Client(server(ToolSession(analysis=analysis))) as client:
            found = (await client.list_tools()).tools
            assert {tool.name for tool in found} == tools
            assert all(tool.description for tool in found)
            begun = await call(client, "begin", game="sumquest", opponent="random")
            if analysis:
                assert (await call(client, "best_moves", id=begun["id"]))["best"]
                assert (await call(client, "value", id=begun["id"]))["player"] == 1

    asyncio.run(session())


def test_several_play_over_http_each_their_own_game() -> None:
    async def session() -> None:
        with over_http("--seed", "1", "--analysis") as address:
            async with Client(address) as one, Client(address) as two:
                games = [await call(client, "begin", game="sumquest", opponent="random") for client in (one, two)]
                assert games[0]["id"] != games[1]["id"]
                moved = await call(one, "move", id=games[0]["id"], move="5")
                assert len(moved["history"]) == 2
                assert (await call(two, "look", id=games[1]["id"]))["history"] == []
                assert (await call(two, "best_moves", id=games[1]["id"]))["best"]

    asyncio.run(session())


def test_a_game_belongs_to_the_session_that_began_it() -> None:
    async def session() -> None:
        with over_http("--analysis") as address:
            async with Client(address, mode="legacy") as one, Client(address, mode="legacy") as two:
                id_ = (await call(one, "begin", game="sumquest", opponent="random"))["id"]
                for tool in ("look", "resign", "review", "value", "best_moves"):
                    assert "there is no game" in (await call(two, tool, id=id_))["error"]
                assert "there is no game" in (await call(two, "move", id=id_, move="5"))["error"]
                assert (await call(one, "look", id=id_))["history"] == []

    asyncio.run(session())


def test_on_standard_input_ctrl_c_ends_it_and_so_does_the_end_of_the_input() -> None:
    for end, code in (("interrupt", 130), ("close", 0)):
        with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            process.stdin.flush()
            assert process.stdout.readline()
            if end == "close":
                process.stdin.close()
            else:
                process.send_signal(signal.SIGINT)
            assert process.wait(100) == code


def test_a_port_that_is_taken_gets_one_sentence() -> None:
    with over_http() as address:
        port = address.rpartition(":")[2].partition("/")[0]
        done = subprocess.run([*PROGRAM, "--http", port], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"numberquest: port {port} cannot be used: ")
        assert len(done.stderr.splitlines()) == 1
