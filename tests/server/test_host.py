"""The hub in the page: the answers of a server, matches that a closed tab does not lose, and one wheel of ours."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from typing import Any

import msgspec
import pytest

from numberquest import GAMES
from numberquest.core.errors import UsageError
from numberquest.server import wire
from numberquest.server.site.files import own_wheel, python_files
from numberquest.server.site.host import Host
from numberquest.solver import table

SECRET = bytes(range(32))


class Rows(list[str]):
    """A row of the page's database, as Pyodide hands it over."""

    def to_py(self) -> list[str]:
        return list(self)


class Database:
    """What database.js does, in this process; full when it is told so."""

    def __init__(self) -> None:
        self.matches: dict[str, str] = {}
        self.log: dict[str, list[str]] = {}
        self.full = False

    async def create(self, match: str, row: str) -> bool:
        self._check()
        new = match not in self.matches
        if new:
            self.matches[match], self.log[match] = row, []
        return new

    async def append(self, match: str, ply: int, row: str, further: str, further_row: str) -> bool:
        self._check()
        if len(self.log[match]) != ply:
            return False
        self.log[match].append(row)
        if further:
            await self.create(further, further_row)
        return True

    async def load(self, match: str) -> Rows | None:
        return Rows([self.matches[match], *self.log[match]]) if match in self.matches else None

    def _check(self) -> None:
        if self.full:
            raise OSError("QuotaExceededError")


class Tab:
    """A tab of the browser."""

    def __init__(self, database: Database) -> None:
        self.host = Host(database, SECRET)

    async def ask(self, method: str, address: str, body: object = None, token: str = "") -> tuple[int, Any]:
        text = "" if body is None else json.dumps(body)
        status, kind, said = await self.host.answer(method, f"api/{address}", text, token)
        return status, json.loads(said) if kind == "application/json" else said

    async def start(self, **wishes: object) -> wire.Seated:
        status, made = await self.ask("POST", "matches", wishes)
        assert status == 201, made
        return msgspec.convert(made, wire.Seated)

    async def look(self, match: str) -> wire.State:
        status, state = await self.ask("GET", f"matches/{match}")
        assert status == 200
        return msgspec.convert(state, wire.State)


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page keeps no solved games in files; tests go on doing so."""
    monkeypatch.setattr(table, "keeping", table.keeping)


@pytest.mark.parametrize("slug", GAMES.own)
async def test_a_whole_game_against_the_computer_is_played_in_the_page(slug: str) -> None:
    tab = Tab(Database())
    seat = await tab.start(game=slug, opponent="easy")
    state = await tab.look(seat.match)
    while state.outcome is None:
        if state.turn == 1:
            move = {"ply": state.ply, "move": state.moves[-1].move}
            status, _ = await tab.ask("POST", f"matches/{seat.match}/moves", move, seat.token)
            assert status == 200
        await asyncio.sleep(0)
        state = await tab.look(seat.match)
    status, review = await tab.ask("GET", f"matches/{seat.match}/review")
    assert status == 200
    assert len(review["history"]) == len(state.history)
    status, record = await tab.ask("GET", f"matches/{seat.match}/record")
    assert (status, record[:6]) == (200, "[Game ")


async def test_a_closed_tab_loses_nothing_and_another_one_goes_on() -> None:
    database = Database()
    first = Tab(database)
    seat = await first.start(game="sumquest", opponent="screen")
    status, _ = await first.ask("POST", f"matches/{seat.match}/moves", {"ply": 0, "move": "5"}, seat.token)
    assert status == 200
    second = Tab(database)
    assert [line.entry for line in (await second.look(seat.match)).history] == ["5"]
    await second.ask("POST", f"matches/{seat.match}/moves", {"ply": 1, "move": "6"}, seat.token)
    # Both tabs are still open: what the one has written the other sees when it looks.
    assert [line.entry for line in (await first.look(seat.match)).history] == ["5", "6"]


async def test_what_the_browser_could_not_keep_did_not_happen() -> None:
    database = Database()
    tab = Tab(database)
    seat = await tab.start(game="sumquest", opponent="screen")
    database.full = True
    status, said = await tab.ask("POST", f"matches/{seat.match}/moves", {"ply": 0, "move": "5"}, seat.token)
    assert (status, said["code"]) == (503, "not-stored")
    assert "no room" in said["error"]
    database.full = False
    assert (await tab.look(seat.match)).history == []


async def test_a_live_connection_tells_moves_and_is_ended_by_what_no_page_sends() -> None:
    tab = Tab(Database())
    seat = await tab.start(game="sumquest", opponent="easy")
    heard: list[Any] = []
    tab.host.open(1, seat.match, lambda said: heard.append(json.loads(said)))
    assert await tab.host.hear(1, json.dumps({"type": "hello", "token": seat.token}))
    assert heard[0]["type"] == "welcome"
    assert heard[0]["seats"] == [1]
    assert await tab.host.hear(1, json.dumps({"type": "move", "ply": 0, "move": "5", "key": "k" * 16}))
    while len(heard) < 3:
        await asyncio.sleep(0)
    assert [frame["change"]["ply"] for frame in heard[1:3]] == [1, 2]
    assert not await tab.host.hear(1, "[[")
    tab.host.close(1)
    assert not await tab.host.hear(1, "{}")


async def test_what_is_asked_wrongly_is_refused_as_on_a_server() -> None:
    tab = Tab(Database())
    for method, address, status, code in (
        ("GET", "nothing", 404, "not-found"),
        ("GET", "rules?game=chess", 400, "bad-request"),
        ("GET", "rules", 400, "bad-request"),
        ("GET", "matches/there-is-none-of-it", 404, "not-found"),
        ("POST", "puzzles/answers", 400, "bad-request"),
    ):
        found, said = await tab.ask(method, address)
        assert (found, said["code"]) == (status, code), address
        assert said["error"]


def test_the_wheel_for_the_page_is_always_the_same_and_holds_what_the_hub_needs() -> None:
    wheel = own_wheel()
    assert wheel == own_wheel()
    names = zipfile.ZipFile(io.BytesIO(wheel)).namelist()
    needed = ("server/site/host.py", "solver/pools.wasm", *(f"games/{slug}/rules.py" for slug in GAMES.own))
    assert {f"numberquest/{name}" for name in needed} <= set(names)
    assert not [name for name in names if "/envs/" in name or "/page/" in name]


def test_a_folder_without_pyodide_is_said_to_be_none(tmp_path: Any) -> None:
    with pytest.raises(UsageError, match="npm package pyodide"):
        list(python_files(tmp_path))
