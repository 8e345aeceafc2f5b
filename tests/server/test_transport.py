"""How requests and answers travel: behind each other, in pieces, and as streams."""

from __future__ import annotations

import json

from tests.server.attacked import friends
from tests.server.running import Running
from tests.server.websocket import asked, connected, read_answer, request


def test_requests_behind_each_other_are_answered_in_their_order(server: Running) -> None:
    match = friends(server).match
    paths = [f"/api/matches/{match}", "/healthz", "/nothing", "/", "/api/openapi.json"]
    with connected(server.port) as plug:
        plug.sendall(b"".join(request("GET", path) for path in paths * 20))
        left = b""
        kinds = []
        for _ in range(100):
            while b"\r\n\r\n" not in left:
                left += plug.recv(1 << 16)
            head, _, left = left.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            while len(left) < length:
                left += plug.recv(1 << 16)
            body, left = left[:length], left[length:]
            kinds.append((int(head.split()[1]), body[:9]))
    assert kinds[:5] * 20 == kinds
    assert [status for status, _ in kinds[:5]] == [200, 200, 404, 200, 200]
    assert kinds[1][1] == b'{"ok":tru'


def test_a_request_in_single_bytes_is_answered(server: Running) -> None:
    body = json.dumps({"game": "sumquest"}).encode()
    data = request("POST", "/api/matches", "Content-Type: application/json", body=body)
    with connected(server.port) as plug:
        for at in range(len(data)):
            plug.sendall(data[at : at + 1])
        assert read_answer(plug).status == 201


def test_a_stream_is_not_to_be_kept_back_by_a_proxy(server: Running) -> None:
    match = friends(server).match
    with connected(server.port) as plug:
        plug.sendall(request("GET", f"/api/matches/{match}/events"))
        answer = read_answer(plug)
        assert answer.headers["x-accel-buffering"] == "no"
        assert answer.headers["cache-control"] == "no-store"
    head = asked(server.port, "HEAD", f"/api/matches/{match}/events")
    assert (head.status, head.headers["content-type"]) == (200, "application/x-ndjson")
