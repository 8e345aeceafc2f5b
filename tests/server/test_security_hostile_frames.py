"""Whatever is sent as a frame or a body: an answer in plain words or a closed connection, and the game goes on."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.attacked import Friends, clean, friends, in_plain_words
from tests.server.running import Running, wait_until
from tests.server.websocket import (
    BINARY,
    CONT,
    PING,
    PONG,
    TEXT,
    Answer,
    WebSocket,
    asked,
    connected,
    ended,
    posted,
    read_answer,
    request,
)

NOT_UNDERSTOOD = 4007
LARGEST = 8 * 1024

BAD_PLIES = [
    *(b'"1"', b"1.5", b"true", b"null", b"[1]", b"-1", b"100001", b"NaN", b"Infinity", b"1e999", b"9" * 4000),
    *(b"18446744073709551617", b"0x1"),
]
BAD_MOVES = [
    *(
        b"1",
        b'""',
        b'"' + b"1" * 21 + b'"',
        b"null",
        b'["1"]',
        b'{"1": "1"}',
        b'"\\ud800"',
        b'"\\u12"',
        b'"\xff"',
        b'"\n"',
    ),
    b"[" * 3900 + b"]" * 3900,
]
BAD_EXTRAS = [
    *(b'"seat": 1', b'"__proto__": {}', b'"' + b"x" * 3000 + b'": 1', b'"key": ""', b'"key": "' + b"k" * 65 + b'"'),
    *(b'"key": 5', b'"x": ' + b'[{"a":' * 900 + b"1" + b"}]" * 900),
]
RIGHT = b'{"ply": 1, "move": "1"}'
BAD_JSON: list[bytes] = [
    *(b'{"ply": %b, "move": "1"}' % ply for ply in BAD_PLIES),
    *(b'{"ply": 1, "move": %b}' % move for move in BAD_MOVES),
    *(b'{"ply": 1, "move": "1", %b}' % more for more in BAD_EXTRAS),
    *(b'{"ply": 1}', b'{"move": "1"}', b"{}", b"", b" ", b"null", b"1", b'"hello"', b"[]", b"{"),
    *(RIGHT[:-1], RIGHT + b"}", RIGHT + b" " + RIGHT, RIGHT[:-1] + b",}", RIGHT + b"\x00", b"\xef\xbb\xbf" + RIGHT),
    *(b"{'ply': 1, 'move': '1'}", "{'ply': 1, 'move': '1'}".encode("utf-16"), b"<move>1</move>"),
    *(b"[" * 4000, b"[" * 4000 + b"]" * 4000, b'{"a":' * 1300 + b"1" + b"}" * 1300),
    *(b"\x00" * 100, bytes(range(256))),
]


@pytest.fixture(scope="module")
def match(server: Running) -> Friends:
    return friends(server)


@pytest.fixture(autouse=True)
def the_game_goes_on(match: Friends) -> Iterator[None]:
    """After each attack the match stands where it stood, and the server still answers."""
    yield
    assert match.look()["ply"] == 1


@contextlib.contextmanager
def trying(what: object) -> Iterator[None]:
    """Say which of many things it was that failed."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"It was {what!r:.300}")
        raise


def closed_with(live: WebSocket) -> int:
    """The code that the server closes this connection with; then it must end."""
    code = live.closing()
    assert ended(live.plug)
    return code


# ---- what stands in frames and bodies


def test_a_body_that_is_not_as_it_should_be_is_refused_with_a_sentence(match: Friends) -> None:
    for body in BAD_JSON:
        with trying(body):
            answer = posted(match.port, f"/api/matches/{match.match}/moves", body, match.one)
            assert "\x00" not in clean(answer, 400, "bad-request")


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_a_frame_that_is_not_as_it_should_be_closes_the_connection(match: Friends, opcode: int) -> None:
    for body in BAD_JSON:
        key = b"" if b'"key": ' in body else b'"key": "k", '
        frame = body.replace(b'{"ply"', b'{"type": "move", ' + key + b'"ply"', 1)
        with trying(frame), match.live(match.one) as live:
            live.send(frame, opcode)
            # 1007: not even text.
            assert closed_with(live) in (NOT_UNDERSTOOD, *([1007] if opcode == TEXT else []))


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_the_first_frame_must_be_a_hello(match: Friends, opcode: int) -> None:
    token = f'"token": "{match.one}"'.encode()
    for frame in (
        *BAD_JSON[::3],
        b'{"type": "move", "ply": 1, "move": "1", "key": "k"}',
        b'{"type": "goodbye"}',
        b'{"type": ["hello"]}',
        b'{"type": "hello", "token": 1}',
        b'{"type": "hello", "token": ""}',
        b'{"type": "hello", "token": "' + b"a" * 65 + b'"}',
        b'{"type": "hello", "match": "../../etc"}',
        b'{"type": "hello", ' + token + b', "more": 1}',
        b"{" + token + b"}",
    ):
        with trying(frame), WebSocket(match.port, match.match) as live:
            live.send(frame, opcode)
            assert closed_with(live) in (NOT_UNDERSTOOD, 1007)


def test_a_name_that_stands_twice_counts_once_and_harms_nobody(match: Friends) -> None:
    """The last one counts, as in most readers of JSON; what comes of it is checked like anything else."""
    body = b'{"ply": 1, "ply": 7, "move": "1"}'
    assert clean(posted(match.port, f"/api/matches/{match.match}/moves", body, match.one), 409, "late")
    with match.live(match.one) as live:
        live.send(b'{"type": "hello", "type": "move", "ply": 1, "ply": 7, "move": "1", "key": "k", "key": "l"}')
        frame = live.frame()
        assert frame.opcode != TEXT or frame.json["code"] == "late"


def test_an_unknown_match_is_told_and_closed(match: Friends) -> None:
    for name in ("a" * 20, "x", "../../etc/passwd", "%00", "a" * 3000, ""):
        with WebSocket(match.port, name) as live:
            live.say(type="hello")
            assert live.frame().json["code"] == "not-found"
            assert closed_with(live) == NOT_UNDERSTOOD


# ---- how frames are written


def test_a_frame_of_8_kilobytes_is_read_and_a_longer_one_closes_the_connection(match: Friends) -> None:
    hello = b'{"type": "hello"}'
    with WebSocket(match.port, match.match) as live:
        live.send(hello + b" " * (LARGEST - len(hello)))
        assert live.frame().json["type"] == "welcome"
        live.send(hello + b" " * (LARGEST + 1 - len(hello)))
        assert closed_with(live) == 1009


def test_a_message_in_a_few_fragments_is_read(match: Friends) -> None:
    with WebSocket(match.port, match.match) as live:
        for frame in fragments(b'{"type"', b"", b': "hel', b'lo"}'):
            live.send(**frame)
        assert live.frame().json["type"] == "welcome"


def fragments(*pieces: bytes) -> list[dict[str, Any]]:
    """One message in several frames."""
    last = len(pieces) - 1
    return [{"data": piece, "opcode": CONT if at else TEXT, "fin": at == last} for at, piece in enumerate(pieces)]


MOVE = b'{"type": "move", "ply": 1, "move": "1", "key": "k"}'
CLOSE_THE_CONNECTION: dict[str, tuple[list[dict[str, Any]], int]] = {
    "only says that it is long": ([{"data": b"{", "length": 1 << 31}], 1009),
    "fragments that add up to more": (fragments(b" " * 4000, b" " * 4000, b" " * 200, b"")[:-1], 1009),
    "a reserved bit": ([{"data": b"{}", "reserved": 4}], 1002),
    "without a mask": ([{"data": MOVE, "masked": False}], 1002),
    "no unicode": ([{"data": b"\xff"}], 1007),
    "half a pair": (fragments(b'{"type": "hel', b"\xed\xa0\x80", b'lo"}'), 1007),
    "half a character": (fragments(b"\xc3", b"("), 1007),
    "a message in the middle of another": ([{"data": b"{", "fin": False}, {"data": b'{"type": "hello"}'}], 1002),
}
"""What is read by us, or bounded by what we say; the rest of RFC 6455 is the affair of `websockets`."""


def test_frames_that_are_too_long_or_not_allowed_close_the_connection(match: Friends) -> None:
    for what, (frames, code) in CLOSE_THE_CONNECTION.items():
        with trying(what), match.live() as live:
            # What is sent after the end may find nobody there.
            with contextlib.suppress(ConnectionError):
                for frame in frames:
                    live.send(**frame)
            assert closed_with(live) == code


def test_endless_empty_fragments_close_the_connection(match: Friends) -> None:
    with match.live() as live:
        for frame in fragments(b"{", *[b""] * 3001)[:-1]:
            live.send(**frame)
        # It ends some seconds later: what came behind the bound was not read, so nobody is known to have agreed.
        assert live.closing() == 1009


def test_what_comes_behind_the_end_is_not_looked_at(match: Friends) -> None:
    with match.live() as live:
        text = bytes([0x81, 0x81]) + bytes(4) + b"\xff"
        live.plug.sendall(bytes([0x88, 0x82]) + bytes(4) + b"\x03\xe8" + 50 * text)
        assert closed_with(live) == 1000
    with match.live() as live:
        live.plug.sendall(text + bytes([0x88, 0x82]) + bytes(4) + b"\x03\xe8" + 50 * text)
        assert closed_with(live) in (1000, 1007)


def test_endless_pings_close_the_connection(match: Friends) -> None:
    """As many as are looked at together: behind them the end that the other side agrees to is still found."""
    for opcode in (PING, PONG):
        with trying(opcode), match.live() as live:
            live.plug.sendall((bytes([0x80 | opcode, 0x80]) + bytes(4)) * 300)
            assert closed_with(live) == 1008


STRANGE_UPGRADES = [
    ["Sec-WebSocket-Extensions: permessage-deflate; " + "x=1; " * 500],
    ["X-Long: " + "a" * 9000],
    [f"X-{at}: y" for at in range(150)],
    ["Sec-WebSocket-Key: short"],
    ["Sec-WebSocket-Version: 99"],
    ["Sec-WebSocket-Protocol: " + "x," * 1500],
    ["Content-Length: 5"],
    ["Transfer-Encoding: chunked"],
]


def test_a_strange_request_for_a_live_connection_is_answered(match: Friends) -> None:
    for headers in STRANGE_UPGRADES:
        with trying(headers), WebSocket(match.port, match.match, *headers) as live:
            if live.open:
                assert live.hello(match.one)["seats"] == [1]
            else:
                assert live.answer.status in (400, 413, 426)
                assert clean(live.answer, live.answer.status, live.answer.json["code"])


def test_compression_is_not_offered(match: Friends) -> None:
    """So that no small frame can become a large one."""
    with WebSocket(match.port, match.match, "Sec-WebSocket-Extensions: permessage-deflate") as live:
        assert live.open
        assert "sec-websocket-extensions" not in live.answer.headers


# ---- how requests are written


def sent(match: Friends, data: bytes) -> Answer:
    with connected(match.port) as plug:
        plug.sendall(data)
        return read_answer(plug)


def a_move(match: Friends, *headers: str, body: bytes = b"") -> bytes:
    """A request that would make a move, if it were one."""
    seat, kind = f"Authorization: Bearer {match.one}", "Content-Type: application/json"
    return request("POST", f"/api/matches/{match.match}/moves", seat, kind, *headers, body=body)


def test_a_body_over_the_limit_is_refused_with_and_without_its_length(match: Friends) -> None:
    long = b'{"ply": 1, "move": "' + b" " * LARGEST + b'"}'
    assert "8192 bytes" in clean(sent(match, a_move(match, body=long)), 413, "too-long")
    pieces = b"".join(b"400\r\n" + b" " * 1024 + b"\r\n" for _ in range(9))
    chunked = a_move(match, "Transfer-Encoding: chunked") + pieces
    assert clean(sent(match, chunked), 413, "too-long")
    # Refused by what it says, before any of it is there.
    assert clean(sent(match, a_move(match, "Content-Length: 1000000000")), 413, "too-long")
    for path in ("/api/reviews", "/api/matches"):
        big = json.dumps({"record": "x" * 70_000, "game": "grid"}).encode()
        answer = sent(match, request("POST", path, "Content-Type: application/json", body=big))
        assert "65536 bytes" in clean(answer, 413, "too-long")


NO_HEADS = [
    ["Content-Length: -1"],
    ["Content-Length: abc"],
    ["Content-Length: 1e3"],
    ["Content-Length: 99999999999999999999999999"],
    ["Content-Length: " + "9" * 5000],
    ["Content-Length: 5", "Content-Length: 6"],
    ["Content-Length: 5", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: gzip"],
    ["Transfer-Encoding: chunked, identity"],
    ["X\x00: y"],
    ["X: a\x00b"],
    ["X: a\rb"],
    [": y"],
    ["no colon"],
    [" folded"],
]


def test_a_head_that_lies_or_is_no_head_is_refused(match: Friends) -> None:
    for headers in NO_HEADS:
        lines = "\r\n".join(headers).encode("latin-1")
        with trying(headers):
            answer = sent(match, b"POST /api/matches HTTP/1.1\r\nHost: x\r\n" + lines + b"\r\n\r\n0\r\n\r\n")
            assert answer.status in (400, 413, 415), answer
            assert clean(answer, answer.status, answer.json["code"])


def test_a_body_shorter_than_it_says_waits_and_does_nothing(match: Friends) -> None:
    with connected(match.port) as plug:
        plug.sendall(a_move(match, "Content-Length: 100", body=b'{"ply": 1, "move": "1"}'))
        plug.settimeout(0.2)
        with pytest.raises(TimeoutError):
            plug.recv(1)
        plug.shutdown(1)
    assert match.look()["ply"] == 1


def test_what_follows_a_body_is_not_taken_for_a_part_of_it(match: Friends) -> None:
    """A second request hidden behind a first one is a request like any other, with no seat of its own."""
    hidden = request("POST", f"/api/matches/{match.match}/moves", "Content-Type: application/json", body=b"{}")
    with connected(match.port) as plug:
        plug.sendall(request("GET", f"/api/matches/{match.match}") + hidden)
        said = b""
        while said.count(b"HTTP/1.1 ") < 2 or not said.endswith(b"}"):
            said += plug.recv(1 << 16)
        assert said.startswith(b"HTTP/1.1 200 ")
        assert b"HTTP/1.1 403 " in said


NO_REQUESTS = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x00" * 64,
    b"GET",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"EVIL / HTTP/1.1\r\nHost: x\r\n\r\n",
]


def test_what_is_no_request_is_refused(match: Friends) -> None:
    for start in NO_REQUESTS:
        with trying(start), connected(match.port) as plug:
            plug.sendall(start + b"\r\n\r\n")
            assert clean(read_answer(plug), 400, "bad-request")
            assert ended(plug)


def test_a_head_without_an_end_is_refused_when_it_is_too_long(match: Friends) -> None:
    for beginning, piece in (
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"a" * 4096),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: y\r\n" * 512),
        (b"GET /", b"a" * 4096),
    ):
        with connected(match.port) as plug:
            plug.sendall(beginning)
            # What is sent after the refusal may find nobody there.
            with contextlib.suppress(ConnectionError):
                for _ in range(8):
                    plug.sendall(piece)
            assert clean(read_answer(plug), 413, "too-long")


def test_a_long_body_right_behind_a_short_head_is_read(match: Friends) -> None:
    """The bound is on the head alone, however the bytes of both arrive."""
    record = json.dumps({"record": "x" * 60_000}).encode()
    head = ["Content-Type: application/json", "X: " + "a" * 12_000]
    answer = sent(match, request("POST", "/api/reviews", *head, body=record))
    assert "record" in clean(answer, 400, "bad-request")


def test_deeply_nested_settings_and_names_are_refused(match: Friends) -> None:
    deep = b'{"game": "grid", "settings": ' + b'{"side":' * 7_000 + b"3" + b"}" * 7_000 + b"}"
    assert clean(posted(match.port, "/api/matches", deep), 400, "bad-request")
    assert clean(posted(match.port, "/api/matches", b"[" * 60_000), 400, "bad-request")
    # Brackets inside a text are no nesting.
    answer = posted(match.port, "/api/reviews", {"record": "[{" * 5000})
    assert "record" in clean(answer, 400, "bad-request")


def test_the_log_says_what_was_refused_in_whole_lines(server: Running) -> None:
    # Refusals are told in sums, about once a second.
    wait_until(lambda: {event["event"] for event in server.events()} >= {"refused", "created"})
    assert not [event for event in server.events() if event.get("reason") == "internal"]
    assert asked(server.port, "GET", "/healthz").json == {"ok": True}


def test_what_cannot_be_a_key_is_told_in_plain_words_and_nothing_happens(match: Friends) -> None:
    stands = match.look()
    for key in ("", "x" * 65, "a\0b", "\0"):
        with trying(key), match.live(match.one) as live:
            for answer in (
                match.move(match.one, stands["ply"], "5", key),
                match.act(match.one, stands["ply"], "resign", key=key),
            ):
                assert "A key" in in_plain_words(clean(answer, 400, "bad-request"))
            live.say(type="move", ply=stands["ply"], move="5", key=key)
            told = live.frame().json
            assert (told["type"], told["key"], told["code"]) == ("refused", key, "bad-request")
            assert "A key" in in_plain_words(told["error"])
    assert match.look() == stands


def test_what_is_no_text_is_refused(match: Friends) -> None:
    for text in (r"\ud800", r"a\udc00"):
        body = f'{{"game":"fifty","name":"{text}"}}'.encode()
        with trying(body):
            assert clean(posted(match.port, "/api/matches", body), 400, "bad-request")


NO_SETTINGS: list[dict[str, Any]] = [
    *({"target": value} for value in (3.5, None, [3], "y" * 500)),
    *({name: 1} for name in ("x" * 500, "self", "\0")),
]


def test_what_cannot_be_a_setting_is_told_in_plain_words(server: Running) -> None:
    for settings in NO_SETTINGS:
        with trying(settings):
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


def test_what_is_no_token_is_told_so_in_a_hello(match: Friends) -> None:
    for token in ("", "short", "x" * 101, "\u00e9" * 40):
        with trying(token), WebSocket(match.port, match.match) as live:
            live.say(type="hello", token=token)
            told = live.frame().json
            assert (told["type"], told["key"], told["said"]["code"]) == ("refused", "", "token-none")
            assert "state" not in told
            assert live.closing() == NOT_UNDERSTOOD


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
