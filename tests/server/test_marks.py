"""Whoever starts a match can switch the marks and sums off: then nobody is sent what a move comes to."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from numberquest.client import ServerSaid
from numberquest.games import GAMES
from numberquest.server import wire
from tests.conftest import in_ci
from tests.server.attacked import clean, friends
from tests.server.running import Running
from tests.server.websocket import WebSocket, posted


@pytest.mark.parametrize("game", GAMES)
def test_without_marks_a_move_is_told_by_its_name_alone_to_the_end(server: Running, game: str) -> None:
    with server.client() as client:
        seat = client.create(game, opponent="screen", marks=False)
        assert seat.state.marks is False
        while seat.state.outcome is None:
            assert seat.state.moves == [wire.Option(option.move) for option in seat.state.moves]
            seat.play(seat.state.moves[0].move)
        assert client.record(seat.match), "and it is recorded and reviewed as any other"


@pytest.mark.parametrize("game", GAMES)
def test_with_marks_everything_is_as_it_was(server: Running, game: str) -> None:
    with server.client() as client:
        state = client.create(game, opponent="screen").state
        assert state.marks
        # What a covered card holds nobody knows; of everything else something is said.
        assert game == "grid" or any(option != wire.Option(option.move) for option in state.moves)


def test_whoever_watches_is_told_no_more_than_the_players(server: Running) -> None:
    two = friends(server, marks=False)
    with WebSocket(server.port, two.match) as watcher:
        state = watcher.hello()["state"]
        assert state["marks"] is False
        assert all([*move] == ["move"] for move in state["moves"])
        two.move(two.one, 1, "5")
        assert all([*move] == ["move"] for move in watcher.frame().json["change"]["moves"])


def test_there_are_no_hints_and_no_coach_then(server: Running) -> None:
    with server.client() as client:
        seat = client.create("sumquest", opponent="easy", marks=False)
        for help_of_any_kind in (seat.hint, seat.coach):
            with pytest.raises(ServerSaid, match="without marks, hints and coach") as refused:
                help_of_any_kind()
            assert refused.value.code == "not-allowed"


@in_ci
def test_it_is_kept_through_a_kill_and_a_rematch(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.client() as client:
        seat = client.create("sumquest", opponent="screen", marks=False)
        server.kill()
        server.again()
        assert client.look(seat.match).marks is False
        seat.act("resign")
        following = seat.act("rematch").next
        assert following is not None
        assert client.look(following).marks is False


@in_ci
def test_a_match_of_a_database_from_before_has_marks(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.client() as client:
        seat = client.create("sumquest", opponent="screen")
        assert server.stop() == 0
        with closing(sqlite3.connect(server.db)) as db:
            db.executescript("ALTER TABLE matches DROP COLUMN marks; PRAGMA user_version = 4")
        server.again()
        assert client.look(seat.match).marks is True


def test_what_is_neither_yes_nor_no_is_refused(server: Running) -> None:
    clean(posted(server.port, "/api/matches", {"game": "sumquest", "marks": "no"}), 400, "bad-request")
