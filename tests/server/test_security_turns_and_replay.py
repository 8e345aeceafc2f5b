"""A move is made by whose turn it is, once, whatever is sent again, late, or by two at the same moment."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from numberquest.server import wire
from tests.conftest import in_ci
from tests.server.attacked import Friends, at_once, clean, friends
from tests.server.running import Running
from tests.server.websocket import Answer, WebSocket, asked, followed, posted

# ---- who may


def test_moving_for_the_other_seat_is_refused(server: Running, match: Friends) -> None:
    assert clean(match.act(match.two, 1, "resign", seat=1), 403, "no-seat")
    assert clean(match.act(match.one, 1, "resign", seat=2), 403, "no-seat")
    with WebSocket(server.port, match.match) as live:
        assert live.hello(match.two)["seats"] == [2]
        live.say(type="act", ply=1, do="resign", seat=1, key="a")
        assert live.frame().json["code"] == "no-seat"
        live.say(type="move", ply=1, move="1", key="b")
        assert live.frame().json["code"] == "not-allowed"
    assert match.look()["outcome"] is None


def test_a_spectator_can_do_nothing(server: Running, match: Friends) -> None:
    assert clean(match.move(None, 1, "1"), 403, "no-seat")
    assert clean(match.act(None, 1, "resign"), 403, "no-seat")
    path = f"/api/matches/{match.match}/hints"
    assert clean(posted(server.port, path, {"ply": 1, "step": 1}), 403, "no-seat")
    assert clean(asked(server.port, "GET", f"/api/matches/{match.match}/coach"), 403, "no-seat")
    with WebSocket(server.port, match.match) as live:
        assert live.hello()["seats"] == []
        for frame in ({"type": "move", "move": "1"}, {"type": "act", "do": "resign"}, {"type": "act", "do": "rematch"}):
            live.say(**frame, ply=1, key="k")
            refused = live.frame().json
            assert (refused["type"], refused["code"]) == ("refused", "no-seat")
        # With the right ply or a wrong one, with somebody's key or not: nothing is told that others may not know.
        live.say(type="move", move="1", ply=0, key="k")
        assert live.frame().json["code"] == "no-seat"
    assert match.look()["ply"] == 1


def test_the_token_of_another_match_opens_nothing(server: Running) -> None:
    match, other = friends(server), friends(server)
    assert clean(match.move(other.one, 1, "1"), 403, "no-seat")
    assert clean(match.act(other.one, 1, "resign"), 403, "no-seat")
    with WebSocket(server.port, match.match) as live:
        assert live.hello(other.one)["seats"] == []
        # Sent on to the other match, it has its own seat there, and none when it comes back.
        assert live.hello(other.one, other.match)["seats"] == [1]
        assert live.hello(other.one, match.match)["seats"] == []
    assert match.look()["ply"] == 1


@pytest.mark.parametrize(
    "move", ["!resign", "!join x y", "!hint", "resign", "1 ", " 1", "１", "1\x00", "01", "+1", "0"]
)
def test_only_a_move_of_the_game_is_a_move(match: Friends, move: str) -> None:
    assert clean(match.move(match.one, 1, move), 409, "not-allowed")
    with match.live(match.one) as live:
        live.say(type="move", ply=1, move=move, key="k")
        assert live.frame().json["code"] == "not-allowed"
    assert match.look()["ply"] == 1


def test_hidden_numbers_cannot_be_chosen_for_chance(server: Running) -> None:
    for game in ("grid", "mystic"):
        match = friends(server, game)
        assert clean(match.move(match.one, 1, "5"), 409, "not-allowed")


# ---- again, and late


@in_ci
def test_the_same_request_again_has_the_same_answer_and_happens_once(fresh: Running) -> None:
    """At once, after other moves, and after the server was killed and started again."""
    keys = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    create = {"game": "mystic", "key": keys[0], "seat": "toss", "name": "Ann"}
    one = posted(fresh.port, "/api/matches", create)
    join = {"invite": one.json["invite"], "key": keys[1], "name": "Ben"}
    path = f"/api/matches/{one.json['match']}"
    two = posted(fresh.port, f"{path}/join", join)
    tokens = {one.json["seats"][0]: one.json["token"], two.json["seats"][0]: two.json["token"]}
    sent: list[tuple[str, Any, str | None, Answer]] = [
        ("/api/matches", create, None, one),
        (f"{path}/join", join, None, two),
    ]
    state = two.json["state"]
    for number in range(4):
        # Two with a key, two without one.
        wish = {"ply": state["ply"], "move": "pass", "key": f"move {number}" if number % 2 else None}
        answer = posted(fresh.port, f"{path}/moves", wish, tokens[state["turn"]])
        sent.append((f"{path}/moves", wish, tokens[state["turn"]], answer))
        state = answer.json
    resign = {"ply": state["ply"], "do": "resign", "key": "r"}
    sent.append((f"{path}/actions", resign, tokens[1], posted(fresh.port, f"{path}/actions", resign, tokens[1])))
    for loser in (1, 2):
        again = {"ply": state["ply"] + loser, "do": "rematch", "key": "m"}
        answer = posted(fresh.port, f"{path}/actions", again, tokens[loser])
        sent.append((f"{path}/actions", again, tokens[loser], answer))
    assert all(answer.status in (200, 201) for *_, answer in sent), [answer.body for *_, answer in sent]
    end = asked(fresh.port, "GET", path).body
    for _ in range(2):
        for where, wish, token, answer in sent:
            again_ = posted(fresh.port, where, wish, token)
            assert (again_.status, again_.body) == (answer.status, answer.body), where
        assert asked(fresh.port, "GET", path).body == end
        fresh.kill()
        fresh.again()
    assert asked(fresh.port, "GET", path).body == end


def test_over_a_live_connection_too(server: Running, match: Friends) -> None:
    with WebSocket(server.port, match.match) as live, WebSocket(server.port, match.match) as other:
        before = msgspec.convert(live.hello(match.one)["state"], wire.State)
        other.hello(match.one)
        for connection in (live, live, other):
            connection.say(type="move", ply=1, move="1", key="the same")
        states = []
        for connection, answers in ((live, 2), (other, 1)):
            done: list[str] = []
            state = before
            while len(done) < answers:
                # One in between may be the news of what the other connection has done.
                frame = connection.frame()
                state = followed(state, frame.data)
                states.append(state)
                done += frame.json.get("done", [])
            assert done == ["the same"] * answers
        assert {state.ply for state in states} == {2}
    assert len(match.look()["history"]) == 1


def test_the_same_place_with_another_key_or_move_is_late(match: Friends) -> None:
    assert match.move(match.one, 1, "1", "a").status == 200
    for token, move, key in (
        (match.one, "1", "b"),
        (match.one, "2", "a"),
        (match.one, "1", None),
        (match.two, "1", "a"),
    ):
        assert "happened first" in clean(match.move(token, 1, move, key), 409, "late")
    # A key that somebody has seen in the other player's request is worth nothing without the seat.
    assert clean(match.move(None, 1, "1", "a"), 403, "no-seat")
    for ply in (3, 100, 100_000):
        assert clean(match.move(match.two, ply, "2"), 409, "late")
    assert match.look()["ply"] == 2


# ---- races


def test_of_two_who_race_for_one_place_exactly_one_wins(server: Running) -> None:
    """Two tabs of one player, with two moves: 50 rounds, over connections of their own."""
    for round_ in range(50):
        match = friends(server)
        answers = at_once([partial(match.move, match.one, 1, "1", "x"), partial(match.move, match.one, 1, "2", "y")])
        assert sorted(answer.status for answer in answers) == [200, 409], round_
        lost = next(answer for answer in answers if answer.status == 409)
        assert clean(lost, 409, "late")
        history = match.look()["history"]
        assert [line["entry"] for line in history] == ["1" if answers[0].status == 200 else "2"]


def test_a_move_a_resignation_and_a_take_back_at_one_moment_leave_one_order(server: Running) -> None:
    for _ in range(15):
        match = friends(server)
        assert match.move(match.one, 1, "1").status == 200
        deeds: list[Callable[[], Answer]] = [
            partial(match.move, match.two, 2, "2"),
            partial(match.act, match.one, 2, "resign"),
            partial(match.act, match.one, 2, "take-back"),
            partial(match.act, match.two, 2, "resign"),
        ]
        moved, one, back, two = (answer.status == 200 for answer in at_once(deeds))
        # The move and the question are for one and the same position; one of the two resigns in any case.
        assert one + two == 1
        assert moved + back < 2
        assert match.look()["ply"] == 3 + moved + back


def test_of_ten_who_race_for_a_seat_one_gets_it(server: Running) -> None:
    for _ in range(5):
        made = posted(server.port, "/api/matches", {"game": "sumquest"}).json
        path = f"/api/matches/{made['match']}"
        wish = {"invite": made["invite"]}
        answers = at_once([partial(posted, server.port, f"{path}/join", wish) for _ in range(10)])
        assert sorted(answer.status for answer in answers) == [200] + 9 * [409]
        for answer in answers:
            if answer.status == 409:
                assert "taken" in clean(answer, 409, "not-allowed")
        seated = next(answer.json for answer in answers if answer.status == 200)
        match = Friends(server.port, made["match"], made["token"], seated["token"], made["invite"], ("", ""))
        assert match.move(match.one, 1, "1").status == 200
        assert match.move(match.two, 2, "2").status == 200


def test_one_key_sent_by_ten_at_once_makes_one_match(server: Running) -> None:
    wish = {"game": "mystic", "key": secrets.token_urlsafe(24), "seat": "toss"}
    answers = at_once([partial(posted, server.port, "/api/matches", wish) for _ in range(10)])
    assert {(answer.status, answer.body) for answer in answers} == {(201, answers[0].body)}
