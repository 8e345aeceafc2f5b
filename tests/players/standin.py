"""A server of models for tests: answers each request with the next thing that it was given."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Reply(NamedTuple):
    """What is answered: a status, a body, and further headers; with `hangs`, nothing at all until the end."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    hangs: bool = False
    shorter_than_said: bool = False


def says(text: Any, **usage: int) -> Reply:
    """An answer of a model, with the tokens that its provider counts."""
    message = {"role": "assistant", "content": text}
    counts = {"usage": usage} if usage else {}
    return Reply(200, json.dumps({"choices": [{"index": 0, "message": message}], **counts}).encode())


class StandIn:
    """What was asked, and where."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self.replies = list(replies)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.url = ""
        self.ends = threading.Event()


@contextmanager
def serving(*replies: Reply) -> Iterator[StandIn]:
    """Serve these replies in turn, the last one over and over, at `url`."""
    stand_in = StandIn(replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            stand_in.asked.append(json.loads(body))
            stand_in.headers.append(dict(self.headers.items()))
            stand_in.paths.append(self.path)
            reply = stand_in.replies[min(len(stand_in.asked), len(stand_in.replies)) - 1]
            if reply.hangs:
                stand_in.ends.wait(60)
                return
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body) + 10 * reply.shorter_than_said))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Quietly."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    stand_in.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield stand_in
    finally:
        stand_in.ends.set()
        server.shutdown()
        thread.join()
        server.server_close()
