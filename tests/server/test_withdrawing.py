"""An invitation can be taken back while nobody has come: then the link says so, for good, and nobody sits down."""

from functools import partial
from typing import Any

import pytest

from numberquest.client import Client
from numberquest.server.match.entries import JOIN, WITHDRAW, Action, Move
from numberquest.server.match.state import new_state
from numberquest.server.refusal import Refusal
from tests.conftest import in_ci
from tests.server.attacked import Friends, at_once, clean
from tests.server.keeping import a_match
from tests.server.running import Running
from tests.server.websocket import WebSocket, posted

RACES = 20


def invited(server: Running, **wishes: Any) -> Any:
    return posted(server.port, "/api/matches", {"game": "sumquest", "name": "Ann", **wishes}).json


def act(server: Running, made: Any, ply: int = 0, key: str = "k", token: str | None = None) -> Any:
    wish = {"ply": ply, "do": "withdraw", "key": key}
    return posted(server.port, f"/api/matches/{made['match']}/actions", wish, token or made["token"])


def join(server: Running, made: Any) -> Any:
    return posted(server.port, f"/api/matches/{made['match']}/join", {"invite": made["invite"], "name": "Bo"})


def test_a_withdrawn_invitation_says_who_has_withdrawn_it_and_gives_no_seat(server: Running, client: Client) -> None:
    made = invited(server)
    done = act(server, made)
    assert done.json["withdrawn"] is True
    assert clean(join(server, made), 409, "not-allowed") == "Ann has withdrawn this invitation."
    state = client.look(made["match"])
    assert state.withdrawn
    assert not all(player.joined for player in state.players)


def test_over_the_live_connection_it_is_the_same_and_whoever_looks_is_told(server: Running) -> None:
    made = invited(server)
    with WebSocket(server.port, made["match"]) as ann, WebSocket(server.port, made["match"]) as watcher:
        ann.hello(made["token"])
        watcher.hello()
        ann.say(type="act", ply=0, do="withdraw", key="k")
        told = ann.frame().json
        assert told["done"] == ["k"]
        assert told["change"] == {"ply": 1, "withdrawn": True}
        assert watcher.frame().json["change"] == told["change"]
    assert join(server, made).status == 409


@in_ci
def test_it_stays_withdrawn_when_the_server_is_killed(fresh: Running) -> None:
    made = invited(fresh)
    assert act(fresh, made).status == 200
    fresh.kill()
    fresh.again()
    assert "Ann has withdrawn" in clean(join(fresh, made), 409, "not-allowed")


def test_nobody_else_can_withdraw_it(server: Running) -> None:
    made, other = invited(server), invited(server)
    clean(act(server, made, token=other["token"]), 403, "no-seat")
    clean(act(server, made, token=made["invite"]), 403, "no-seat")
    assert join(server, made).status == 200


def test_once_somebody_has_come_there_is_nothing_to_withdraw(match: Friends) -> None:
    for token in (match.one, match.two):
        clean(match.act(token, 1, "withdraw"), 409, "not-allowed")
    assert match.look()["withdrawn"] is False


@pytest.mark.parametrize("opponent", ["screen", "easy"])
def test_where_nobody_was_invited_there_is_nothing_to_withdraw(server: Running, opponent: str) -> None:
    made = invited(server, opponent=opponent, seat=1)
    clean(act(server, made), 409, "not-allowed")


def test_of_joining_and_withdrawing_at_once_exactly_one_happens(server: Running, client: Client) -> None:
    for race in range(RACES):
        made = invited(server)
        both = (act, join) if race % 2 else (join, act)
        answers = at_once([partial(what, server, made) for what in both])
        statuses = {what: answer.status for what, answer in zip(both, answers, strict=True)}
        assert sorted(statuses.values()) == [200, 409]
        state = client.look(made["match"])
        assert state.withdrawn is (statuses[act] == 200)
        assert all(player.joined for player in state.players) is (statuses[join] == 200)


# ---- the fold


def test_nothing_goes_on_in_a_match_whose_invitation_was_withdrawn() -> None:
    state = new_state(a_match("m", opponent="friend", tokens=(b"\x01" * 32, b"")))
    gone = state.apply(Action(0, 0, "", 0.0, WITHDRAW))
    assert gone.withdrawn
    assert not gone.over
    for entry in (
        Action(1, 1, "", 0.0, JOIN, b"\x02" * 32, "Bo"),
        Action(1, 0, "", 0.0, WITHDRAW),
        Action(1, 0, "", 0.0, "resign"),
        Move(1, 0, "", 0.0, "add"),
    ):
        with pytest.raises(Refusal, match="Ann has withdrawn this invitation"):
            gone.apply(entry)
