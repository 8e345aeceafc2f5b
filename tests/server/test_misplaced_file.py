"""The file of a running server is deleted, moved or replaced: no move is acknowledged that a restart would lose."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from numberquest.client import ServerSaid
from numberquest.server.store.base import StoreError
from tests.conftest import in_ci
from tests.server.keeping import a_match, an_entry, lengths, opened
from tests.server.running import Running
from tests.server.websocket import asked

ELSEWHERE = "The file with the matches is not in its place any more"


def delete(path: Path) -> None:
    path.unlink()


def delete_all(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        os.unlink(f"{path}{ending}")


def rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replace(path: Path) -> None:
    """By another database that is whole, as an owner does who takes up a copy without stopping the server."""

    async def another() -> None:
        async with opened(str(path.with_name("another.db"))) as store:
            await store.create(a_match("stranger"))

    asyncio.run(another())
    os.replace(path.with_name("another.db"), path)


@pytest.mark.parametrize("harm", [replace, *(pytest.param(harm, marks=in_ci) for harm in (delete, delete_all, rename))])
def test_nothing_is_acknowledged_that_a_restart_would_not_find(harm: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Running(tmp_path) as server:
        client = server.client(patience=0.0)
        seat = client.create("sumquest", opponent="screen")
        before = seat.play("5")
        assert asked(server.port, "GET", "/readyz").status == 200
        harm(path)
        for _ in range(3):
            with pytest.raises(ServerSaid) as said:
                seat.play("7")
            assert (said.value.status, said.value.code) == (503, "not-stored")
            assert str(said.value).startswith(ELSEWHERE)
            with pytest.raises(ServerSaid, match=ELSEWHERE):
                client.create("fifty", opponent="screen")
        # It was ready less than a second ago; a refused move has made that answer worthless.
        answer = asked(server.port, "GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "not-stored")
        assert str(tmp_path).encode() not in answer.body
        assert asked(server.port, "GET", "/healthz").status == 200
        if harm is rename:
            # All that was acknowledged is in the file, though it was moved without those beside it.
            with contextlib.closing(sqlite3.connect(tmp_path / "elsewhere.db")) as db:
                assert db.execute("SELECT count(*) FROM log").fetchone() == (1,)
            (tmp_path / "elsewhere.db").rename(path)
            again = server.client(patience=60.0)
            assert again.look(seat.match) == before
            assert seat.play("7").ply == 2
            until = time.monotonic() + 60
            while asked(server.port, "GET", "/readyz").status != 200:
                assert time.monotonic() < until
        server.kill()
        found = lengths(str(path)).get(seat.match)
        if harm is rename:
            assert found == 2
        elif harm is replace:
            # The file beside it was the old one's: it has not spoilt the new one.
            with contextlib.closing(sqlite3.connect(path)) as db:
                assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                assert db.execute("SELECT match FROM matches").fetchall() == [("stranger",)]


@pytest.mark.parametrize(
    "gone", [("-wal",), *(pytest.param(gone, marks=in_ci) for gone in (("-shm",), ("-wal", "-shm")))]
)
def test_where_the_files_beside_it_are_deleted_nothing_is_lost_and_play_goes_on(
    gone: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    with Running(tmp_path) as server:
        seat = server.client(patience=0.0).create("sumquest", opponent="screen")
        seat.play("5")
        for ending in gone:
            os.unlink(f"{path}{ending}")
        assert seat.play("7").ply == 2
        server.kill()
    assert lengths(str(path))[seat.match] == 2


@in_ci
def test_what_is_in_a_deleted_journal_is_saved_though_nobody_plays(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Running(tmp_path) as server:
        seat = server.client(patience=0.0).create("sumquest", opponent="screen")
        seat.play("5")
        os.unlink(f"{path}-wal")
        until = time.monotonic() + 60
        while not os.path.exists(f"{path}-wal"):
            assert time.monotonic() < until
            time.sleep(0.01)  # nobody tells of it
        server.kill()
    assert lengths(str(path))[seat.match] == 1


async def test_a_file_that_is_taken_away_between_a_write_and_its_acknowledgement_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async with opened(str(path)) as store:
        await store.create(a_match("m"))
        # Called by SQLite in the middle of the next commit.
        store._writing.create_function("taken", 0, lambda: shutil.move(path, tmp_path / "elsewhere.db") and 1)  # type: ignore[attr-defined]
        store._writing.execute(  # type: ignore[attr-defined]
            "CREATE TEMP TRIGGER away AFTER INSERT ON main.log BEGIN SELECT taken(); END"
        )
        with pytest.raises(StoreError, match=f"{ELSEWHERE}: it may not have been written down"):
            await store.append("m", an_entry(0), over=False)
        with pytest.raises(StoreError, match=f"{ELSEWHERE}: it could not be read"):
            await store.load("m")
