"""Another site's page, open in the same browser, can do nothing here."""

from __future__ import annotations

import json

import pytest

from tests.server.attacked import clean, friends
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, posted

EVIL = [
    *("https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1"),
    *("http://localhost.evil.example", "", "://", "http://", "evil", "http://HOST.evil.example"),
    *("http://evil.example/HOST", "http://HOST@evil.example", "http://evil.example#HOST", "http://HOST/"),
    *("http://HOST http://HOST", "file://"),
]


@pytest.mark.parametrize("origin", EVIL)
def test_a_live_connection_from_another_site_is_refused(server: Running, origin: str) -> None:
    match = friends(server)
    with WebSocket(server.port, match.match, origin=origin.replace("HOST", f"127.0.0.1:{server.port}")) as live:
        assert clean(live.answer, 403, "wrong-origin")


def test_our_own_page_and_a_program_get_a_live_connection(server: Running) -> None:
    match = friends(server)
    for origin in (None, f"http://127.0.0.1:{server.port}", f"https://127.0.0.1:{server.port}"):
        with WebSocket(server.port, match.match, origin=origin) as live:
            assert live.hello(match.one)["seats"] == [1]


@pytest.mark.parametrize("origin", EVIL)
def test_requests_from_another_site_are_refused(server: Running, origin: str) -> None:
    match = friends(server)
    said = f"Origin: {origin.replace('HOST', f'127.0.0.1:{server.port}')}"
    seat, kind = f"Authorization: Bearer {match.one}", "Content-Type: application/json"
    body = json.dumps({"ply": 1, "move": "1"}).encode()
    assert clean(
        asked(server.port, "POST", f"/api/matches/{match.match}/moves", said, seat, kind, body=body),
        403,
        "wrong-origin",
    )
    assert clean(asked(server.port, "GET", f"/api/matches/{match.match}", said), 403, "wrong-origin")
    assert match.look()["ply"] == 1


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/jsonp",
        "*/*",
    ],
)
def test_what_a_form_of_another_site_can_send_is_refused(server: Running, kind: str) -> None:
    """A form needs no permission to post, but it cannot say that it posts JSON."""
    match = friends(server)
    seat = f"Authorization: Bearer {match.one}"
    for body in (json.dumps({"ply": 1, "move": "1"}).encode(), b"ply=1&move=1"):
        answer = asked(
            server.port, "POST", f"/api/matches/{match.match}/moves", seat, f"Content-Type: {kind}", body=body
        )
        assert clean(answer, 415, "not-json")
    assert match.look()["ply"] == 1


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/", "GET, HEAD"),
        ("PUT", "/healthz", "GET, HEAD"),
        ("POST", "/api/openapi.json", "GET, HEAD"),
        ("DELETE", "/api/matches", "POST"),
        ("POST", "/api/games", "GET, HEAD"),
        ("GET", "/api/matches/{match}/moves", "POST"),
        ("PATCH", "/api/matches/{match}", "GET, HEAD"),
    ],
)
def test_where_something_cannot_be_done_it_is_said_what_can(
    server: Running, method: str, path: str, allowed: str
) -> None:
    answer = asked(server.port, method, path.replace("{match}", friends(server).match))
    assert clean(answer, 405, "not-there")
    assert answer.headers["allow"] == allowed


def test_no_browser_is_ever_given_leave_to_read_answers_across_sites(server: Running) -> None:
    match = friends(server)
    evil = "Origin: https://evil.example"
    answers = [
        asked(server.port, "OPTIONS", path, evil, "Access-Control-Request-Method: POST")
        for path in ("/api/matches", f"/api/matches/{match.match}/moves", "/", "/static/style/page.css", "*")
    ]
    for answer in answers:
        assert clean(answer, 405, "not-there")
    answers += [asked(server.port, "GET", path, evil) for path in ("/", "/api/games", "/healthz", "/api/openapi.json")]
    answers += [posted(server.port, "/api/matches", {"game": "grid"})]
    for answer in answers:
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_nothing_is_kept_in_the_browser_that_it_would_send_by_itself(server: Running) -> None:
    """There are no cookies and no passwords, so there is nothing that another site could make use of."""
    match = friends(server)
    for answer in (asked(server.port, "GET", "/"), match.move(match.one, 1, "1"), match.move("wrong", 2, "1")):
        assert "set-cookie" not in answer.headers
        assert "www-authenticate" not in answer.headers
    assert clean(
        asked(server.port, "GET", f"/api/matches/{match.match}/coach", f"Cookie: seat={match.one}"), 403, "no-seat"
    )
