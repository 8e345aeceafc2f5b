"""The same request sent to two servers on one database, at once: it happens once, and both give the same answer."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from numberquest.client import Client, ServerSaid
from numberquest.games import GAMES
from numberquest.server import wire
from tests.conftest import a_few
from tests.server.postgres_server import new_database
from tests.server.running import Running
from tests.torture.campaign import length

TIMES = length(short=5, long=200)


class Both:
    """Two servers that are asked the same at the same moment."""

    def __init__(self, servers: list[Running]) -> None:
        self._threads = ThreadPoolExecutor(2)
        self.clients: list[Client] = [server.client() for server in servers]

    def ask(self, path: str, wish: Any, kind: Any, token: str | None = None) -> Any:
        """The answer, which is one."""
        start = threading.Barrier(2)

        def one(client: Client) -> Any:
            start.wait()
            try:
                return client.post(path, wish, kind, token)
            except ServerSaid as said:
                return said.status, said.code, str(said)

        first, second = self._threads.map(one, self.clients)
        assert first == second
        return first


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    address = new_database()
    with ExitStack() as running:
        yield Both(
            [running.enter_context(Running(tmp_path_factory.mktemp(name), db=address)) for name in ("one", "two")]
        )


@pytest.mark.parametrize("game", a_few(GAMES, 1))
def test_a_match_is_made_and_joined_and_played_once(both: Both, game: str) -> None:
    for _ in range(TIMES):
        wish = wire.NewMatch(game, name="Ann", seat="toss", key=secrets.token_urlsafe(20))
        ann = both.ask("/api/matches", wish, wire.Seated)
        join = wire.Join(ann.invite, "Ben", secrets.token_urlsafe(20))
        ben = both.ask(f"/api/matches/{ann.match}/join", join, wire.Seated)
        tokens = {ann.seats[0]: ann.token, ben.seats[0]: ben.token}
        assert set(tokens) == {1, 2}
        state = ben.state
        while state.outcome is None:
            move = wire.Move(state.ply, state.moves[0].move, secrets.token_hex(4))
            after = both.ask(f"/api/matches/{ann.match}/moves", move, wire.State, tokens[state.turn])
            assert after.ply == state.ply + 1
            state = after
        # All of it again, afterwards: the same answers still.
        assert both.ask("/api/matches", wish, wire.Seated) == ann
        assert both.ask(f"/api/matches/{ann.match}/join", join, wire.Seated) == ben


def test_a_match_against_the_computer_is_answered_alike_though_the_computer_moves_at_once(both: Both) -> None:
    for _ in range(TIMES):
        wish = wire.NewMatch("sumquest", opponent="random", key=secrets.token_urlsafe(20))
        seat = both.ask("/api/matches", wish, wire.Seated)
        move = wire.Move(0, "5", "k")
        after = both.ask(f"/api/matches/{seat.match}/moves", move, wire.State, seat.token)
        assert after.ply == 1
        assert both.ask(f"/api/matches/{seat.match}/moves", move, wire.State, seat.token) == after


def test_a_resignation_and_a_rematch_are_answered_alike(both: Both) -> None:
    for _ in range(TIMES):
        seat = both.ask(
            "/api/matches", wire.NewMatch("mystic", opponent="screen", key=secrets.token_urlsafe(20)), wire.Seated
        )
        path = f"/api/matches/{seat.match}/actions"
        assert both.ask(path, wire.Act(0, "resign", key="r"), wire.State, seat.token).outcome is not None
        after = both.ask(path, wire.Act(1, "rematch", key="s"), wire.State, seat.token)
        assert after.next is not None
        looks = [client.look(after.next) for client in both.clients]
        assert looks[0] == looks[1]
