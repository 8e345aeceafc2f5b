"""Where the server is found: behind a proxy, below a prefix, by some names alone, by IPv6; and who may see what."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from multidict import CIMultiDict

from numberquest.server.listening import EVERYWHERE, Listening, can_speak_ipv6
from numberquest.server.serve import ServeOptions, public_address, welcome
from numberquest.server.web.public_address import is_here
from tests.conftest import in_ci, required
from tests.server.attacked import clean
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, connected, posted, read_answer, request


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a prefix and two names."""
    options = ("--prefix", "/games/", "--hosts", "example.org,Play.example.org", "--metrics", "none")
    with Running(tmp_path_factory.mktemp("below"), *options) as running:
        yield running


# ---- names


def test_it_answers_to_its_names_alone_with_any_port(below: Running) -> None:
    for host in ("example.org", "EXAMPLE.org:8000", "play.example.org"):
        assert asked(below.port, "GET", "/games/", host=host).status == 200
    for host in ("evil.example", "example.org.evil.example", "127.0.0.2", "xexample.org", ""):
        plug = connected(below.port)
        with plug:
            plug.sendall(request("GET", "/games/api/openapi.json", host=host))
            assert "name" in clean(read_answer(plug), 421, "wrong-host")


def test_whoever_looks_after_it_is_answered_by_any_name(below: Running) -> None:
    for path in ("/games/healthz", "/games/readyz", "/healthz", "/readyz"):
        assert asked(below.port, "GET", path, host="10.0.0.7").json == {"ok": True}


def test_on_this_computer_it_answers_to_the_names_of_every_computer(below: Running) -> None:
    for host in ("localhost", "127.0.0.1:8000", "[::1]"):
        assert asked(below.port, "GET", "/games/", host=host).status == 200
        # A proxy here asks for somebody elsewhere.
        for passed_on in ("X-Forwarded-For: 203.0.113.7", "Forwarded: for=203.0.113.7", "Via: 1.1 proxy"):
            assert asked(below.port, "GET", "/games/", passed_on, host=host).status == 421


def test_who_comes_by_a_wrong_name_in_a_browser_reads_a_page(below: Running) -> None:
    answer = asked(below.port, "GET", "/games/m/abc", "Accept: text/html,*/*;q=0.8", host="10.0.0.7:8000")
    assert answer.status == 421
    assert answer.headers["content-type"].startswith("text/html")
    assert b"<p>This server does not answer to that name." in answer.body


@pytest.mark.parametrize(
    ("host", "hosts", "proxied", "found"),
    [
        (EVERYWHERE, ("games.example", "other.example"), False, ["localhost:PORT", "games.example:PORT"]),
        (EVERYWHERE, ("localhost", "games.example"), False, ["localhost:PORT", "games.example:PORT"]),
        (EVERYWHERE, ("games.example",), True, ["localhost:PORT", "games.example"]),
        (EVERYWHERE, ("localhost",), False, ["localhost:PORT"]),
        ("127.0.0.1", ("games.example",), False, ["127.0.0.1:PORT"]),
        ("127.0.0.1", ("games.example",), True, ["127.0.0.1:PORT", "games.example"]),
    ],
)
def test_only_names_that_are_answered_to_are_told(
    host: str, hosts: tuple[str, ...], proxied: bool, found: list[str]
) -> None:
    with Listening(host, 0) as listening:
        told = [f"http://{name}/play/".replace("PORT", str(listening.port)) for name in found]
        assert listening.addresses("/play", hosts, proxied) == told
        outside = None if len(told) == 1 else told[-1].rstrip("/")
        assert listening.outside("/play", hosts, proxied) == outside


@in_ci
def test_the_page_is_told_the_first_of_the_names(tmp_path: Path) -> None:
    with Running(tmp_path, "--hosts", "games.example,other.example", host=None) as server:
        answer = asked(server.port, "GET", "/api/games", host="localhost")
        assert answer.json["address"] == f"http://games.example:{server.port}"
        server.stop()
    assert f"http://games.example:{server.port}/" in server.said


# ---- a prefix


def test_everything_lies_below_the_prefix_and_nothing_beside_it(below: Running) -> None:
    def get(path: str) -> Any:
        return asked(below.port, "GET", path, host="example.org")

    for path in ("", "/", "/m/abc", "/static/style/page.css", "/api/openapi.json", "/healthz"):
        assert get(f"/games{path}").status == 200
    for path in (
        "/",
        "/api/openapi.json",
        "/metrics",
        "/static/index.html",
        "/gamesapi/openapi.json",
        "/games/games/api/openapi.json",
    ):
        assert clean(get(path), 404, "not-found")
    document = get("/games/api/openapi.json").json
    assert document["servers"] == [{"url": "/games"}]
    assert b'<base href="/"' not in get("/games/").body


def test_a_match_is_played_live_below_the_prefix(below: Running) -> None:
    body = json.dumps({"game": "sumquest", "opponent": "screen"}).encode()
    kind = "Content-Type: application/json"
    seat = asked(below.port, "POST", "/games/api/matches", kind, body=body, host="example.org").json
    with WebSocket(below.port, seat["match"], prefix="/games", host="example.org") as live:
        assert live.hello(seat["token"])["seats"] == [1, 2]
    with WebSocket(below.port, seat["match"], prefix="", host="example.org") as live:
        assert clean(live.answer, 404, "not-found")


@pytest.mark.parametrize("said", ["/other", "/evil"])
def test_nobody_is_believed_about_the_prefix(server: Running, said: str) -> None:
    answer = asked(server.port, "GET", "/", f"X-Forwarded-Prefix: {said}")
    assert answer.status == 200
    assert said.encode() not in answer.body


def test_the_addresses_that_are_shown_have_the_prefix() -> None:
    with Listening(EVERYWHERE, 0) as listening:
        assert next(welcome(listening.addresses("/games"), "", rich=False)).endswith(f":{listening.port}/games/")
        found = listening.outside("/games")
        assert found is None or found.endswith(f":{listening.port}/games")


# ---- who may read the metrics


def test_metrics_can_be_closed(below: Running, server: Running, tmp_path: Path) -> None:
    assert asked(server.port, "GET", "/metrics").status == 200
    assert clean(asked(below.port, "GET", "/games/metrics", host="example.org"), 404, "not-found")
    with Running(tmp_path, "--metrics", "local") as local:
        assert asked(local.port, "GET", "/metrics").status == 200
        # A proxy on this computer asks for somebody else.
        for passed_on in ("X-Forwarded-For: 203.0.113.7", "Forwarded: for=203.0.113.7", "Via: 1.1 proxy"):
            assert clean(asked(local.port, "GET", "/metrics", passed_on), 404, "not-found")


@pytest.mark.parametrize(
    ("peer", "here"), [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.9", True), ("10.0.0.1", False), ("", False)]
)
def test_local_is_this_computer(peer: str, here: bool) -> None:
    assert is_here(visit(peer)) == here


# ---- behind a proxy


def visit(peer: str, *forwarded: str) -> Any:
    """A request as far as it says where it comes from."""
    headers = CIMultiDict([("X-Forwarded-For", line) for line in forwarded])
    line = SimpleNamespace(get_extra_info=lambda _: (peer, 1) if peer else None)
    return SimpleNamespace(transport=line, headers=headers)


@pytest.mark.parametrize(
    ("proxy", "peer", "forwarded", "found"),
    [
        (None, "127.0.0.1", ["203.0.113.7"], "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", "127.0.0.1", [], "127.0.0.1"),
        # Whoever is not a proxy is not believed.
        ("127.0.0.1", "10.0.0.9", ["203.0.113.7"], "10.0.0.9"),
        # What a visitor has written stands to the left of what the proxy has.
        ("127.0.0.1", "127.0.0.1", ["1.1.1.1, 203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", "127.0.0.1", ["1.1.1.1", "203.0.113.7"], "203.0.113.7"),
        # Several proxies, one behind the other.
        ("127.0.0.1,10.0.0.0/8", "127.0.0.1", ["1.1.1.1, 203.0.113.7, 10.1.2.3"], "203.0.113.7"),
        ("127.0.0.1", "::ffff:127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("*", "10.0.0.9", ["203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", "127.0.0.1", ["2001:db8:1:2:3::4"], "2001:db8:1:2::/64"),
        ("127.0.0.1", "127.0.0.1", ["203.0.113.7, "], "127.0.0.1"),
        # What is no address says nothing.
        ("127.0.0.1", "127.0.0.1", ["203.0.113.7, unknown"], "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1", ["\udce9"], "127.0.0.1"),
        ("*", "10.0.0.9", ["x" * 9000, "10.0.0.8"], "10.0.0.8"),
    ],
)
def test_the_visitor_is_the_last_address_that_is_no_proxy(
    proxy: str | None, peer: str, forwarded: list[str], found: str
) -> None:
    assert public_address(ServeOptions(proxy=proxy)).visitor(visit(peer, *forwarded)) == found


@in_ci
def test_behind_a_proxy_each_visitor_has_a_rate_of_their_own(tmp_path: Path) -> None:
    with Running(tmp_path, "--proxy", "127.0.0.1", "--rate", "5", "--connections", "3", generous=False) as server:

        def until_refused(visitor: str) -> int:
            for served in range(2000):
                answer = asked(server.port, "GET", "/api/openapi.json", f"X-Forwarded-For: {visitor}")
                if answer.status != 200:
                    assert clean(answer, 429, "too-many")
                    return served
            raise AssertionError("never refused")

        assert until_refused("203.0.113.7") >= 10
        assert until_refused("203.0.113.8") >= 10
        # The proxy itself may have as many connections as it likes.
        plugs = [connected(server.port) for _ in range(30)]
        plugs[-1].sendall(request("GET", "/"))
        assert read_answer(plugs[-1]).status == 200
        for plug in plugs:
            plug.close()


# ---- IPv6


def test_by_default_both_kinds_of_addresses_are_answered(tmp_path: Path) -> None:
    if not can_speak_ipv6():
        required("IPv6")
    with Running(tmp_path, host=None) as server:
        assert posted(server.port, "/api/matches", {"game": "sumquest"}).status == 201
        with socket.create_connection(("::1", server.port), 5) as plug:
            plug.sendall(request("GET", "/api/openapi.json", host="[::1]"))
            assert read_answer(plug).status == 200


def test_a_name_stands_for_all_its_addresses() -> None:
    with Listening("localhost", 0) as listening:
        known = {found[4][0] for found in socket.getaddrinfo("localhost", 0, type=socket.SOCK_STREAM)}
        assert {each.getsockname()[0] for each in listening.sockets} <= known
        assert {each.getsockname()[1] for each in listening.sockets} == {listening.port}
        for each in listening.sockets:
            socket.create_connection(each.getsockname()[:2], 5).close()
