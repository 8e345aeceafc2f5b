"""What a person can get wrong is told in plain words, over HTTP and on a live connection alike."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.attacked import Friends, clean, friends, in_plain_words
from tests.server.running import Running
from tests.server.websocket import WebSocket, connected, posted, read_answer, request

BAD_KEYS = ["", "x" * 65, "a\0b", "\0"]


@pytest.fixture(scope="module")
def match(server: Running) -> Friends:
    return friends(server)


@pytest.mark.parametrize("key", BAD_KEYS, ids=ascii)
def test_what_cannot_be_a_key_is_told_in_plain_words_and_nothing_happens(match: Friends, key: str) -> None:
    stands = match.look()
    for answer in (
        match.move(match.one, stands["ply"], "5", key),
        match.act(match.one, stands["ply"], "resign", key=key),
    ):
        assert "A key" in in_plain_words(clean(answer, 400, "bad-request"))
    with match.live(match.one) as live:
        live.say(type="move", ply=stands["ply"], move="5", key=key)
        told = live.frame().json
        assert (told["type"], told["key"], told["code"]) == ("refused", key, "bad-request")
        assert "A key" in in_plain_words(told["error"])
    assert match.look() == stands


@pytest.mark.parametrize("text", [r"\ud800", r"a\udc00"])
def test_what_is_no_text_is_refused(match: Friends, text: str) -> None:
    body = f'{{"game":"fifty","name":"{text}"}}'.encode()
    assert clean(posted(match.port, "/api/matches", body), 400, "bad-request")


@pytest.mark.parametrize(
    "settings",
    [{"target": 3.5}, {"target": None}, {"target": [3]}, {"target": "y" * 500}, {"x" * 500: 1}, {"self": 1}, {"\0": 1}],
    ids=lambda settings: ascii(settings)[:20],
)
def test_what_cannot_be_a_setting_is_told_in_plain_words(server: Running, settings: dict[str, Any]) -> None:
    answer = posted(server.port, "/api/matches", {"game": "fifty", "settings": settings})
    assert in_plain_words(clean(answer, 400, "bad-request"))


def test_a_request_for_another_place_in_the_match_is_told_so_in_plain_words(match: Friends) -> None:
    stands = match.look()["ply"]
    for ply in (0, stands + 1):
        assert in_plain_words(clean(match.move(match.one, ply, "5"), 409, "late"))


def test_many_small_headers_are_too_many_headers_and_no_long_head(server: Running) -> None:
    with connected(server.port) as plug:
        plug.sendall(request("GET", "/", *(f"X-{at}: 1" for at in range(120))))
        assert "100 headers" in clean(read_answer(plug), 413, "too-long")


# ---- tokens


@pytest.mark.parametrize("token", ["", "short", "x" * 101, "\u00e9" * 40])
def test_what_is_no_token_is_told_so_in_a_hello(match: Friends, token: str) -> None:
    with WebSocket(match.port, match.match) as live:
        live.say(type="hello", token=token)
        told = live.frame().json
        assert (told["type"], told["key"], told["said"]["code"]) == ("refused", "", "token-none")
        assert "state" not in told
        assert live.closing() == 4007


def test_a_token_that_opens_nothing_here_may_look_and_do_nothing_on_both_ways(match: Friends) -> None:
    wrong, stands = "w" * 43, match.look()["ply"]
    opens_nothing = clean(match.move(wrong, stands, "5"), 403, "no-seat")
    with WebSocket(match.port, match.match) as live:
        assert live.hello(wrong)["seats"] == []
        live.say(type="move", ply=stands, move="5", key="k")
        told = live.frame().json
        assert (told["type"], told["code"], told["error"]) == ("refused", "no-seat", opens_nothing)
    assert match.look()["ply"] == stands


def test_every_frame_says_what_it_is(match: Friends) -> None:
    with WebSocket(match.port, match.match) as live:
        live.say(type="move", ply=0, move="5")
        told = live.frame().json
        assert (told["type"], told["key"], told["said"]["code"]) == ("refused", "", "hello-first")
