"""Raw sockets for tests that attack: HTTP and WebSocket by hand, so that anything at all can be sent."""

import base64
import contextlib
import json
import os
import socket
import struct
from typing import Any, NamedTuple, Self

import msgspec

from numberquest.server import wire

TEXT, BINARY, CONT, CLOSE, PING, PONG = 0x1, 0x2, 0x0, 0x8, 0x9, 0xA
PATIENCE = 60.0
"""Seconds in which anything at all must come: only what never comes takes so long, on however busy a machine."""


class Answer(NamedTuple):
    """An answer to a request. Of a header that stands twice, `headers` has the last."""

    status: int
    headers: dict[str, str]
    body: bytes
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def connected(port: int, source: str | None = None, window: int | None = None) -> socket.socket:
    """A connection; from this address of the loopback network, and taking no more than so many bytes unread."""
    plug = socket.socket()
    plug.settimeout(PATIENCE)
    if window is not None:
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    if source is not None:
        plug.bind((source, 0))
    plug.connect(("127.0.0.1", port))
    return plug


def request(method: str, path: str, *headers: str, body: bytes = b"", host: str = "127.0.0.1") -> bytes:
    """The bytes of a request, with nothing added but the host and, where there is a body, how long it is."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers]
    if body and not any(header.lower().startswith(("content-length", "transfer-encoding")) for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def read_answer(plug: socket.socket, bodiless: bool = False) -> Answer:
    """The next answer on a connection; ConnectionError where it ends before."""
    return _answer(plug, bodiless)[0]


def _answer(plug: socket.socket, bodiless: bool = False) -> tuple[Answer, bytes]:
    """The same, and what has come after it already."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(plug)
    head, _, rest = data.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = 0 if bodiless else int(headers.get("content-length", "0"))
    while len(rest) < length:
        rest += _some(plug)
    return Answer(int(status.split()[1]), headers, rest[:length], head), rest[length:]


def _some(plug: socket.socket) -> bytes:
    data = plug.recv(1 << 16)
    if not data:
        raise ConnectionError("the server has ended the connection")
    return data


def asked(
    port: int, method: str, path: str, *headers: str, body: bytes = b"", source: str | None = None, host: str = ""
) -> Answer:
    """One request on a connection of its own."""
    with connected(port, source) as plug:
        plug.sendall(request(method, path, *headers, body=body, host=host or f"127.0.0.1:{port}"))
        return read_answer(plug, method == "HEAD")


def posted(port: int, path: str, wish: Any, token: str | None = None, source: str | None = None) -> Answer:
    """JSON sent as the page does; `wish` may also be bytes that are no JSON at all."""
    headers = ["Content-Type: application/json", *([f"Authorization: Bearer {token}"] if token else [])]
    body = wish if isinstance(wish, bytes) else json.dumps(wish).encode()
    return asked(port, "POST", path, *headers, body=body, source=source)


def ended(plug: socket.socket) -> bool:
    """Whether the server ends this connection; what it still says is thrown away."""
    plug.settimeout(PATIENCE)
    try:
        while plug.recv(1 << 16):
            continue
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


class Frame(NamedTuple):
    opcode: int
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def code(self) -> int:
        """Why the connection is closed."""
        assert self.opcode == CLOSE, self
        return int.from_bytes(self.data[:2], "big")


class WebSocket:
    """A live connection that can misbehave."""

    def __init__(
        self,
        port: int,
        match: str,
        *headers: str,
        origin: str | None = None,
        source: str | None = None,
        window: int | None = None,
        prefix: str = "",
        host: str = "",
    ) -> None:
        self.plug = connected(port, source, window)
        lines = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines.append(f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}")
        lines += [f"Origin: {origin}"] if origin is not None else []
        self.plug.sendall(request("GET", f"{prefix}/ws/{match}", *lines, *headers, host=host or f"127.0.0.1:{port}"))
        self.answer, self._left = _answer(self.plug)

    @property
    def open(self) -> bool:
        return self.answer.status == 101

    def hello(self, token: str | None = None, match: str | None = None) -> Any:
        """Say hello and return the welcome."""
        self.say(type="hello", token=token, match=match)
        return self.frame().json

    def say(self, **message: Any) -> None:
        self.send(json.dumps(message).encode())

    def send(
        self,
        data: bytes,
        opcode: int = TEXT,
        fin: bool = True,
        masked: bool = True,
        reserved: int = 0,
        length: int | None = None,
    ) -> None:
        """One frame. `length` is what its head says, the true one if left out."""
        said = len(data) if length is None else length
        head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
        bit = 0x80 if masked else 0
        if said < 126:
            head += bytes([bit | said])
        elif said < 1 << 16:
            head += bytes([bit | 126]) + struct.pack("!H", said)
        else:
            head += bytes([bit | 127]) + struct.pack("!Q", said)
        # A mask of zeros leaves the data as they are.
        self.plug.sendall(head + (bytes(4) if masked else b"") + data)

    def frame(self) -> Frame:
        """The next frame of the server; answers its pings."""
        while True:
            first, second = self._exactly(2)
            length = second & 0x7F
            if length == 126:
                length = int.from_bytes(self._exactly(2), "big")
            elif length == 127:
                length = int.from_bytes(self._exactly(8), "big")
            frame = Frame(first & 0xF, self._exactly(length))
            if frame.opcode != PING:
                return frame
            self.send(frame.data, PONG)

    def closing(self) -> int:
        """Read on until the server closes, agree, and return why."""
        while True:
            frame = self.frame()
            if frame.opcode == CLOSE:
                # It may be gone already.
                with contextlib.suppress(OSError):
                    self.send(frame.data, CLOSE)
                return frame.code

    def _exactly(self, count: int) -> bytes:
        while len(self._left) < count:
            self._left += _some(self.plug)
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def close(self) -> None:
        self.plug.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def followed(known: wire.State | None, frame: str | bytes) -> wire.State:
    """How the match stands after this frame: told as a whole, or as what one entry has changed in what was known."""
    told = msgspec.json.decode(frame, type=wire.FromServer)
    if isinstance(told, wire.Presence | wire.Sign):
        assert known is not None
        return known
    if isinstance(told, wire.Update) and told.change is not msgspec.UNSET:
        assert known is not None
        assert told.change.ply == known.ply + 1
        return wire.changed(known, told.change)
    assert told.state is not msgspec.UNSET
    return msgspec.json.decode(told.state, type=wire.State)
