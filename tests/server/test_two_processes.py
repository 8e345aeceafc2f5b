"""Two servers on one PostgreSQL database: two players at two of them play one match."""

import asyncio
import secrets
import threading
import time
from functools import partial
from typing import Any

import msgspec
import pytest

from numberquest.client import Client, Seat, ServerSaid
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.match.entries import Entry
from tests.conftest import a_few, in_ci
from tests.server.attacked import at_once
from tests.server.keeping import log_of, opened
from tests.server.running import Running
from tests.server.websocket import WebSocket, followed
from tests.torture.campaign import length

RACES = 100


def friends(servers: tuple[Running, Running], game: str = "sumquest", **wishes: Any) -> tuple[Seat, Seat]:
    """A match made at one server and joined at the other."""
    ann = servers[0].client().create(game, name="Ann", **wishes)
    assert ann.invite is not None
    return ann, servers[1].client().join(ann.match, ann.invite, "Ben")


@in_ci
@pytest.mark.parametrize("game", GAMES)
def test_a_match_made_at_one_server_is_joined_watched_and_played_at_the_other(
    servers: tuple[Running, Running], game: str
) -> None:
    ann, ben = friends(servers, game)
    assert ann.wait(lambda state: all(player.joined for player in state.players)).players[1].name == "Ben"
    watched: list[wire.State] = []
    watching = threading.Thread(target=lambda: watched.extend(servers[1].client().events(ann.match)))
    watching.start()
    players = (ann, ben)
    while ann.state.outcome is None:
        mover = players[ann.state.turn == 2]
        mover.wait()
        mover.play(mover.state.moves[0].move)
        for player in players:
            player.wait(lambda state, ply=mover.state.ply: state.ply >= ply)  # type: ignore[misc]
    assert ann.state == ben.state == servers[0].client().look(ann.match)
    watching.join(60)
    assert watched[-1] == ann.state
    assert servers[0].client().record(ann.match) == servers[1].client().record(ann.match)


@in_ci
def test_a_move_at_one_server_is_seen_at_the_other_within_a_second(servers: tuple[Running, Running]) -> None:
    ann, ben = friends(servers, settings={"target": 999})
    ann.wait()
    took: list[float] = []
    with WebSocket(servers[1].port, ben.match) as live:
        welcome = live.hello(ben.token)
        assert welcome["seats"] == [2]
        state = msgspec.convert(welcome["state"], wire.State)
        # At least once, on however busy a machine: what is not told at once takes many seconds each time.
        while not took or (min(took) >= 1 and len(took) < 10):
            began = time.monotonic()
            made = ann.play("1")
            while state.ply < made.ply:
                state = followed(state, live.frame().data)
            took.append(time.monotonic() - began)
            assert state == made
            ben.look()
            ben.play("2")
            ann.wait()
            while state.ply < ann.state.ply:
                state = followed(state, live.frame().data)
    assert min(took) < 1


@in_ci
def test_of_two_servers_racing_for_one_ply_exactly_one_wins(servers: tuple[Running, Running]) -> None:
    # Both at one screen, so that one token may ask at both servers; a long game, so that there is a ply for each race.
    here = servers[0].client().create("sumquest", opponent="screen", settings={"target": 999})
    path = f"/api/matches/{here.match}/moves"
    clients = [server.client() for server in servers]

    def ask(race: int, at: int) -> wire.State | ServerSaid:
        try:
            wish = wire.Move(race, str(at + 1 + race % 2 * 2), f"{race}-{at}")
            return clients[at].post(path, wish, wire.State, here.token)
        except ServerSaid as said:
            return said

    for race in range(RACES):
        answers = at_once([partial(ask, race, at) for at in (0, 1)])
        winners = [at for at in (0, 1) if isinstance(answers[at], wire.State)]
        assert len(winners) == 1, answers
        winner = winners[0]
        told, refused = answers[winner], answers[1 - winner]
        assert isinstance(told, wire.State)
        assert isinstance(refused, ServerSaid)
        assert (refused.status, refused.code) == (409, "late")
        assert told.ply == race + 1
        # And the one who lost sees at once, at the same server, how the match really stands.
        assert clients[1 - winner].look(here.match) == told
        # Asked again, both get the same answers again, wherever they ask.
        again = wire.Move(race, str(winner + 1 + race % 2 * 2), f"{race}-{winner}")
        assert clients[1 - winner].post(path, again, wire.State, here.token) == told


@in_ci
def test_who_has_seen_more_at_one_server_is_not_taken_for_late_at_the_other(servers: tuple[Running, Running]) -> None:
    at_both = [server.client() for server in servers]
    here = at_both[0].create("sumquest", opponent="screen", settings={"target": 999})
    path = f"/api/matches/{here.match}/moves"
    for ply in range(60):
        # Each at once after the other: word of the last move is often still on its way.
        state = at_both[ply % 2].post(path, wire.Move(ply, str(1 + ply % 2), str(ply)), wire.State, here.token)
        assert state.ply == ply + 1


@in_ci
def test_a_seat_taken_at_one_server_is_one_at_the_other_at_once(servers: tuple[Running, Running]) -> None:
    one, two = (server.client() for server in servers)
    for _ in range(10):
        ann = one.create("sumquest")
        assert ann.invite is not None
        one.look(ann.match)
        ben = two.join(ann.match, ann.invite)
        with WebSocket(servers[0].port, ann.match) as live:
            assert live.hello(ben.token)["seats"] == [2]


@in_ci
def test_the_computer_does_not_move_twice_though_two_servers_know_the_match(servers: tuple[Running, Running]) -> None:
    one, two = (server.client() for server in servers)
    for game in GAMES:
        seat = one.create(game, opponent="random")
        other = Seat(two, wire.Seated(seat.match, seat.seats, seat.token, None, two.look(seat.match)))
        at = [seat, other]
        while at[0].wait().outcome is None:
            state = at[0].play(at[0].state.moves[0].move)
            at.reverse()
            at[0].wait(lambda now, ply=state.ply: now.ply > ply or now.outcome is not None)  # type: ignore[misc]
        people = [entry.key != "" for entry in asyncio.run(stored(servers[0], seat.match))]
        lines = [line for line in at[0].state.history if line.player]
        assert len(lines) == len(people)
        # A person's move has a key; who has the turn is checked by the fold, which did not fail.
        assert [line.player == 1 for line in lines] == people


async def stored(server: Running, match: str) -> list[Entry]:
    async with opened(server.db) as store:
        return await log_of(store, match)


# ---- the same request sent to both at once happens once, and both give the same answer

TIMES = length(short=5, long=200)


class Both:
    """Two servers that are asked the same at the same moment."""

    def __init__(self, servers: tuple[Running, Running]) -> None:
        self.clients: list[Client] = [server.client() for server in servers]

    def ask(self, path: str, wish: Any, kind: Any, token: str | None = None) -> Any:
        """The answer, which is one."""

        def one(client: Client) -> Any:
            try:
                return client.post(path, wish, kind, token)
            except ServerSaid as said:
                return said.status, said.code, str(said)

        first, second = at_once([partial(one, client) for client in self.clients])
        assert first == second
        return first


@pytest.fixture(scope="module")
def both(servers: tuple[Running, Running]) -> Both:
    return Both(servers)


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
