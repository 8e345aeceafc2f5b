"""Whatever a request says about hosts, origins, prefixes and those it comes from: nobody is taken for somebody else."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import NamedTuple

import pytest

from numberquest.server.web.oversight import LARGEST_HEAD
from tests.conftest import in_ci
from tests.server.running import Running
from tests.server.websocket import Answer, connected, read_answer
from tests.torture.campaign import length

REQUESTS = length(short=1500, long=100_000)
OURS = ("games.example", "127.0.0.1", "[::1]")
BELIEVED, STRANGER = "127.0.0.9", "127.0.0.8"
MARK = "evil"
"""In everything that is made up: no answer may have it."""

HOSTS = [
    *OURS,
    *("GAMES.example", "games.example:80", "[::1]:443", "127.0.0.1:99999"),
    *("evil.example", "games.example.evil", "evilgames.example", "games.example@evil", "games.example:evil"),
    *("games.example/evil", "games.example?evil", "games.example#evil", "games.example, evil", "games.example evil"),
    *("", ":", ":80", "[", "]", "[]", "[::1", "::1", "[::1]evil", "*", ".", "games.example.", "0", "127.1", "\xe9vil"),
    *("evil" * 2000, "games.example\tevil", "http://games.example", "GAMES.EXAMPLE:evil:80"),
]
CAME_FROM = [
    *("10.1.1.1", "2001:db8::1", "::ffff:10.1.1.1", f"10.1.1.1, {BELIEVED}", f"evil, {BELIEVED}"),
    *(f"10.6.6.6, {STRANGER}", "evil", "", ",", ",,,,", "10.1.1.1:80", "[2001:db8::1]:80", "10.1.1", "999.1.1.1"),
    *("unknown", "_evil", "::1%evil"),
    *("127.0.0.1", f"{BELIEVED}, {BELIEVED}", "evil" * 2000, '{"evil":1}', "10.1.1.1\tevil", "\xe9vil", "0x7f.1"),
]
ORIGINS = [
    *("http://{host}", "https://{host}", "http://evil.example", "null", "", "evil", "://", "://{host}evil"),
    *("http://{host}.evil", "http://{host}@evil", "http://evil/{host}", "http://{host} evil", "file://evil"),
]
NAMES = ("X-Forwarded-Host", "X-Forwarded-Prefix", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Server",
         "X-Script-Name", "X-Original-URL", "X-Rewrite-URL", "X-Real-IP", "X-Client-IP", "True-Client-IP", "Forwarded",
         "X-Host", "X-HTTP-Method-Override", "Via")  # fmt: skip
PASSED_ON = ("X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via")
"""A request with one of these comes from elsewhere."""
CLAIMS = ("/evil", "evil.example", "for=evil;host=evil;proto=evil", "//evil", "/../evil", "DELETE evil")
PATHS = {
    "/play/": 200,
    "/play": 200,
    "/play/m/abcdefghijkl": 200,
    "/play/api/games": 200,
    "/play/api/matches/abcdefghijkl": 404,
    "/play/healthz": 200,
    "/play/metrics": 200,
    "/play/ws/abcdefghijkl": 400,
    "/": 404,
    "/api/games": 404,
    "/playevil/": 404,
    "/play/../api/games": 404,
    "//play/": 404,
    "/metrics": 404,
    "http://evil.example/play/api/games": 200,
}
"""What is answered to a request in which nothing else is wrong."""


class Asked(NamedTuple):
    """One request."""

    source: str
    path: str
    host: str | None
    origin: str | None
    came_from: list[str]
    claims: list[str]

    @property
    def sent(self) -> bytes:
        lines = [f"GET {self.path} HTTP/1.1", *([] if self.host is None else [f"Host: {self.host}"])]
        lines += [] if self.origin is None else [f"Origin: {self.origin}"]
        lines += [f"X-Forwarded-For: {one}" for one in self.came_from]
        return "\r\n".join([*lines, *self.claims, "Accept: text/html", "Connection: close", "", ""]).encode("latin-1")


def made_up(dice: random.Random) -> Asked:
    host = dice.choice(HOSTS) if dice.random() < 0.6 else dice.choice(OURS)
    origin = dice.choice(ORIGINS).format(host=host) if dice.random() < 0.4 else None
    came_from = [dice.choice(CAME_FROM) for _ in range(dice.choice((0, 0, 1, 1, 1, 2, 3)))]
    claims = [f"{dice.choice(NAMES)}: {dice.choice(CLAIMS)}" for _ in range(dice.choice((0, 0, 1, 2, 8)))]
    return Asked(
        dice.choice((BELIEVED, STRANGER)),
        dice.choice(list(PATHS)),
        None if dice.random() < 0.02 else host,
        origin,
        came_from,
        claims,
    )


def is_ours(host: str | None) -> bool:
    """Whether the server is called that."""
    name, colon, port = (host or "").rpartition(":")
    return ((name if colon and port.isdigit() else host) or "").lower() in OURS


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    options = ("--prefix", "/play", "--hosts", ",".join(OURS), "--proxy", BELIEVED, "--metrics", "local")
    with Running(tmp_path, *options) as running:
        yield running


@in_ci
@pytest.mark.timeout(1800)
def test_no_header_makes_the_server_answer_as_somebody_else_or_to_somebody_else(server: Running) -> None:
    dice = random.Random(9)
    statuses: Counter[int] = Counter()
    for _ in range(REQUESTS):
        wish = made_up(dice)
        with connected(server.port, wish.source) as plug:
            plug.sendall(wish.sent)
            answer = read_answer(plug)
        statuses[answer.status] += 1
        assert is_right(wish, answer), (wish, answer)
    assert server.stop() == 0
    events = server.events()
    print(f"{REQUESTS} requests, answers {dict(statuses)}")
    assert set(statuses) >= {200, 400, 403, 404, 421}
    assert "Traceback" not in server.said
    assert not [event for event in events if event["event"] == "error"]
    seen = {str(event["address"]) for event in events if "address" in event}
    for address in seen:
        # Only addresses: whatever else was claimed is nobody.
        ip_network(address)
    assert seen >= {STRANGER, BELIEVED, "10.1.1.1", "2001:db8::/64"}
    for event in events:
        assert MARK not in json.dumps(event), event


def is_right(wish: Asked, answer: Answer) -> bool:
    """Whether this is an answer that such a request may get."""
    whole = answer.raw.decode("latin-1") + answer.body.decode("latin-1")
    page = answer.body.startswith(b"<!doctype") and answer.status != 421
    if MARK in whole or (page and b'<base href="/play/">' not in answer.body):
        return False
    if answer.status == 413:
        return len(wish.sent) > LARGEST_HEAD
    if wish.host is None:
        return answer.status == 400
    path = wish.path.removeprefix("http://evil.example")
    if path == "/play/healthz":
        return answer.status == 200
    if not is_ours(wish.host):
        return answer.status == 421
    if path.startswith(("/play/api/", "/play/ws/")) and not is_own(wish.origin, wish.host):
        return answer.status == 403
    if path == "/play/metrics":
        passed_on = wish.came_from or any(claim.startswith(PASSED_ON) for claim in wish.claims)
        return answer.status == (404 if passed_on else 200)
    return answer.status == PATHS[wish.path]


def is_own(origin: str | None, host: str) -> bool:
    """Whether it is a page of ours that asks, or no page at all."""
    return origin is None or origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
