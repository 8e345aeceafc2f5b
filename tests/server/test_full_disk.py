"""A disk that is full, a file that is gone: nothing is acknowledged falsely, shown too early, or lost by a restart."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from numberquest.client import ServerSaid, new_key
from numberquest.server import wire
from numberquest.server.store.base import StoreError
from numberquest.server.store.stores import open_store
from tests.conftest import in_ci
from tests.server.keeping import a_match, an_entry, lengths, opened, small_disk
from tests.server.running import Running, wait_until
from tests.server.websocket import WebSocket, asked, followed

FULL = "The disk is full: it was not written down."


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 1) as place:
        yield place


def fill(disk: Path) -> Path:
    """Use up every byte."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return ballast


def started(*arguments: str, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """A server that does not come far."""
    return subprocess.run(
        [sys.executable, "-m", "numberquest", "serve", "--host", "127.0.0.1", "--port", "0", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **surroundings},
    )


class Watching(WebSocket):
    """Somebody on a live connection."""

    def __init__(self, server: Running, match: str) -> None:
        super().__init__(server.port, match)
        self.known = msgspec.convert(self.hello()["state"], wire.State)

    def state(self) -> wire.State:
        """How the match stands when the next frame has come."""
        self.known = followed(self.known, self.frame().data)
        return self.known


def silent(state: wire.State) -> wire.State:
    """The same, without what is told about the computer's move."""
    return msgspec.structs.replace(state, computer=None)


def test_on_a_full_disk_nothing_is_acknowledged_or_shown_and_later_the_same_request_succeeds(
    disk: Path, tmp_path: Path
) -> None:
    with Running(tmp_path, db=str(disk / "games.db")) as server, ExitStack() as watching:
        client = server.client(patience=0.0)
        seat = client.create("sumquest", opponent="screen")
        before = seat.play("5")
        spectator = watching.enter_context(Watching(server, seat.match))
        player = watching.enter_context(WebSocket(server.port, seat.match))
        player.hello(seat.token)
        ballast = fill(disk)
        wish = wire.Move(before.ply, "7", new_key())
        for _ in range(3):
            with pytest.raises(ServerSaid) as said:
                client.post(f"/api/matches/{seat.match}/moves", wish, wire.State, seat.token)
            assert (said.value.status, said.value.code, str(said.value)) == (503, "not-stored", FULL)
            assert client.look(seat.match) == before
        with pytest.raises(ServerSaid) as said:
            client.create("fifty", opponent="screen")
        assert (said.value.status, said.value.code, str(said.value)) == (503, "not-stored", FULL)
        # On a live connection the same.
        player.say(type="move", ply=before.ply, move="9", key="live")
        told = player.frame().json
        assert (told["type"], told["key"], told["code"], told["error"]) == ("refused", "live", "not-stored", FULL)
        assert msgspec.convert(told["state"], wire.State) == before
        # What is there can be read, and the server is well otherwise.
        assert client.get("/healthz", dict[str, bool]) == {"ok": True}
        ballast.unlink()
        after = client.post(f"/api/matches/{seat.match}/moves", wish, wire.State, seat.token)
        assert after.ply == before.ply + 1
        assert client.post(f"/api/matches/{seat.match}/moves", wish, wire.State, seat.token) == after
        # Whoever watched has seen the state before and the state after, and never one that was not on disk.
        assert spectator.known == before
        assert spectator.state() == after
        server.kill()
        server.again()
        assert server.client().look(seat.match) == after


def test_a_client_waits_until_there_is_room_again(disk: Path, tmp_path: Path) -> None:
    with Running(tmp_path, db=str(disk / "games.db")) as server:
        seat = server.client().create("sumquest", opponent="screen")
        ballast = fill(disk)
        playing = threading.Thread(target=seat.play, args=["5"])
        playing.start()
        while not [event for event in server.events() if event.get("reason") == "not-stored"]:
            assert playing.is_alive()
            playing.join(0.02)
        ballast.unlink()
        playing.join(60)
        assert [line.entry for line in seat.look().history] == ["5"]


def test_the_computer_moves_when_there_is_room_again_and_not_before(disk: Path, tmp_path: Path) -> None:
    with Running(tmp_path, db=str(disk / "games.db")) as server:
        seat = server.client(patience=0.0).create("sumquest", opponent="random")
        with Watching(server, seat.match) as spectator:
            ballast = fill(disk)
            # Just so much room that the person's move fits: then the computer's, which needs as much, does not.
            while seat.look().ply == 0:
                os.truncate(ballast, ballast.stat().st_size - 4096)
                with contextlib.suppress(ServerSaid):
                    seat.play("5")
            before = silent(seat.state)
            assert spectator.state() == before
            # The computer's move could not be written down: then it is not shown, and everybody is told why none comes.
            while not [event for event in server.events() if event["event"] == "error"]:
                assert silent(seat.look()) == before
            while spectator.known.computer != wire.Said("computer-could-not", {}):
                # On a slow machine they are told first that it is still thinking.
                assert silent(spectator.state()) == before
            assert silent(spectator.known) == silent(seat.look()) == before
            ballast.unlink()
            while (after := spectator.state()).ply == before.ply:
                continue
            assert (after.ply, after.computer) == (2, None)
            assert seat.wait().ply == 2


def test_a_server_that_cannot_start_on_a_full_disk_says_so(disk: Path) -> None:
    fill(disk)
    done = started("--db", str(disk / "games.db"))
    sentence = f"numberquest: Cannot keep matches in {disk}/games.db: The disk is full.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)


@in_ci
def test_a_folder_that_can_only_be_read_is_told_at_the_start(disk: Path, tmp_path: Path) -> None:
    path = disk / "games.db"
    with Running(tmp_path, db=str(path)) as server:
        server.client().create("sumquest", opponent="screen")
        server.stop()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)  # noqa: S607
    new, log = disk / "new" / "games.db", disk / "log"
    for arguments, sentence in (
        (["--db", str(path)], f"Cannot keep matches in {path}: Read-only file system."),
        (["--db", str(new)], f"Cannot keep matches in {new}: Read-only file system."),
        (
            ["--db", f"{tmp_path}/games.db", "--log", str(log)],
            f"--log {log} cannot be written: Read-only file system",
        ),
    ):
        done = started(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"numberquest: {sentence}\n")


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
def test_nothing_is_acknowledged_that_a_restart_would_not_find(
    harm: Callable[[Path], None], fresh: Running, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    client = fresh.client(patience=0.0)
    seat = client.create("sumquest", opponent="screen")
    before = seat.play("5")
    assert asked(fresh.port, "GET", "/readyz").status == 200
    harm(path)
    for _ in range(3):
        with pytest.raises(ServerSaid) as said:
            seat.play("7")
        assert (said.value.status, said.value.code) == (503, "not-stored")
        assert str(said.value).startswith(ELSEWHERE)
        with pytest.raises(ServerSaid, match=ELSEWHERE):
            client.create("fifty", opponent="screen")
    # It was ready less than a second ago; a refused move has made that answer worthless.
    answer = asked(fresh.port, "GET", "/readyz")
    assert (answer.status, answer.json["code"]) == (503, "not-stored")
    assert str(tmp_path).encode() not in answer.body
    assert asked(fresh.port, "GET", "/healthz").status == 200
    if harm is rename:
        # All that was acknowledged is in the file, though it was moved without those beside it.
        with contextlib.closing(sqlite3.connect(tmp_path / "elsewhere.db")) as db:
            assert db.execute("SELECT count(*) FROM log").fetchone() == (1,)
        (tmp_path / "elsewhere.db").rename(path)
        again = fresh.client(patience=60.0)
        assert again.look(seat.match) == before
        assert seat.play("7").ply == 2
        wait_until(lambda: asked(fresh.port, "GET", "/readyz").status == 200)
    fresh.kill()
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
        wait_until(lambda: os.path.exists(f"{path}-wal"))
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


def test_a_server_on_a_full_disk_says_that_it_is_not_ready_and_why(disk: Path, tmp_path: Path) -> None:
    with Running(tmp_path, db=str(disk / "games.db")) as server:
        assert asked(server.port, "GET", "/readyz").status == 200
        ballast = fill(disk)
        wait_until(lambda: asked(server.port, "GET", "/readyz").status == 503)
        told = [event for event in server.events() if event["event"] == "error"]
        wait_until(lambda: [event for event in server.events() if event.get("cause") == "SQLITE_FULL"] != [])
        assert server.metrics()['numberquest_store_failures_total{cause="SQLITE_FULL"}'] >= 1, told
        ballast.unlink()
        wait_until(lambda: asked(server.port, "GET", "/readyz").status == 200)


@pytest.mark.parametrize("ending", ["", "-wal"])
@pytest.mark.parametrize("left", [0, 1000])
async def test_a_file_that_was_cut_short_is_noticed_before_anything_more_is_acknowledged(
    ending: str, left: int, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    store = await open_store(str(path))
    await store.create(a_match("m"))
    for ply in range(20):
        await store.append("m", an_entry(ply), over=False)
    os.truncate(f"{path}{ending}", left)
    for _ in range(2):
        with pytest.raises(StoreError, match="was cut short by somebody else: it may not have been written down"):
            await store.append("m", an_entry(20), over=False)
        with pytest.raises(StoreError, match="was cut short"):
            await store.ready()
    await store.close()
    assert store.farewell.startswith(f"{path} was cut short while the server ran: moves may be lost.")


async def test_a_journal_that_was_taken_over_before_it_was_emptied_is_no_loss(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with opened(str(path)) as store:
        await store.create(a_match("m"))
        with contextlib.closing(sqlite3.connect(path)) as another:
            another.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert await store.append("m", an_entry(0), over=False)
    assert store.farewell == ""
    async with opened(str(path)) as again:
        assert await again.load("m") == (a_match("m"), [an_entry(0)])


def test_when_the_database_was_deleted_everything_is_rescued_and_the_goodbye_says_so(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Running(tmp_path) as server:
        seat = server.client(patience=0.0).create("sumquest", opponent="screen")
        seat.play("5")
        delete_all(path)
        assert server.stop() == 1
    (copy,) = tmp_path.glob("games.db.rescued-*")
    assert f"'numberquest db restore --db {path} {copy}' puts it in its place." in server.said
    assert "Stopped. " in server.said
    done = subprocess.run(
        [sys.executable, "-m", "numberquest", "db", "restore", "--db", str(path), str(copy)], capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert lengths(str(path)) == {seat.match: 1}


def test_an_emptied_database_with_its_journal_beside_it_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.touch()
    path.with_name("games.db-wal").write_bytes(b"moves")
    done = started("--db", str(path))
    assert done.returncode == 1
    assert f"{path} is damaged." in done.stderr
