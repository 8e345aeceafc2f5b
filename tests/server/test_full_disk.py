"""A disk that is full, or can only be read: a clear sentence, nothing acknowledged falsely, nothing shown too early."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from websockets.sync.client import connect

from numberquest.client import ServerSaid, new_key
from numberquest.server import wire
from tests.conftest import in_ci
from tests.server.keeping import small_disk
from tests.server.running import Running
from tests.server.websocket import followed

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


class Watching:
    """Somebody on a live connection."""

    def __init__(self, server: Running, match: str, token: str | None = None) -> None:
        self._opened = ExitStack()
        self._live = self._opened.enter_context(connect(f"ws://127.0.0.1:{server.port}/ws/{match}", proxy=None))
        self.send(wire.Hello(token))
        self.known = followed(None, self._live.recv(60))

    def send(self, frame: wire.Request) -> None:
        self._live.send(msgspec.json.encode(frame).decode())

    def next(self) -> wire.Update | wire.Refused:
        frame = self._live.recv(60)
        self.known = followed(self.known, frame)
        return msgspec.json.decode(frame, type=wire.Update | wire.Refused)

    def state(self) -> wire.State:
        """How the match stands when the next frame has come."""
        self.next()
        return self.known

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()


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
        player = watching.enter_context(Watching(server, seat.match, seat.token))
        ballast = fill(disk)
        wish = wire.Move(before.ply, "7", new_key())
        for _ in range(3):
            with pytest.raises(ServerSaid) as said:
                client.post(f"/api/matches/{seat.match}/moves", wish, wire.State, seat.token)
            assert (said.value.status, said.value.code, str(said.value)) == (503, "not-stored", FULL)
            assert client.look(seat.match) == before
        with pytest.raises(ServerSaid) as said:
            client.create("fifty", opponent="screen")
        assert (said.value.status, said.value.code) == (503, "not-stored")
        assert str(said.value) == FULL
        # On a live connection the same.
        player.send(wire.Move(before.ply, "9", "live"))
        told = player.next()
        assert isinstance(told, wire.Refused)
        assert (told.key, told.code, told.error) == ("live", "not-stored", FULL)
        assert not isinstance(told.state, msgspec.UnsetType)
        assert msgspec.json.decode(told.state, type=wire.State) == before
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
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"numberquest: Cannot keep matches in {disk}/games.db: The disk is full.\n"


@in_ci
def test_a_folder_that_can_only_be_read_is_told_at_the_start(disk: Path, tmp_path: Path) -> None:
    path = disk / "games.db"
    with Running(tmp_path, db=str(path)) as server:
        server.client().create("sumquest", opponent="screen")
        server.stop()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)  # noqa: S607
    done = started("--db", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"numberquest: Cannot keep matches in {path}: Read-only file system.\n"
    done = started("--db", str(disk / "new" / "games.db"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"numberquest: Cannot keep matches in {disk}/new/games.db: Read-only file system.\n"
    done = started("--db", str(tmp_path / "games.db"), "--log", str(disk / "log"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"numberquest: --log {disk}/log cannot be written: Read-only file system\n"
