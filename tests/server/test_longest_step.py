"""Nothing that grows with what somebody sends is done in the event loop, where everybody would wait for it.

One turn of the loop is what all others wait for. What the longest takes while something hostile comes is held against
that of a plain move, both in the time that the processor spends on this thread: so neither a slow machine nor a busy
one makes a difference. Every field of every message of wire.py is tried, of those that come later too; what is not a
message (addresses, heads, frames, floods) is tried in `make torture`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import selectors
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, Final, get_args

import msgspec
import pytest
from aiohttp import web
from msgspec.structs import fields

import numberquest as nq
from numberquest.core.match import Match
from numberquest.core.recipe import link
from numberquest.core.record import Record
from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.match.entries import TAKE_BACK, Action, Entry, Move
from numberquest.server.store.stores import open_store
from numberquest.server.think import tasks
from numberquest.server.think.pool import Thinking
from numberquest.server.web import http
from numberquest.server.web.app import COUNTS_AS_ONE, App
from numberquest.server.web.classes import ALL_ROUTES
from numberquest.server.web.oversight import Oversight
from tests.recipes.hostile import DEEP, LARGEST_GAME, LONG
from tests.server.test_security_flooding import read_status
from tests.server.two_worlds import FREE
from tests.server.websocket import (
    BINARY,
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    Answer,
    WebSocket,
    asked,
    connected,
    posted,
    read_answer,
    request,
)
from tests.torture.campaign import only_long

AT_ONCE: Final = 50
"""So many times as long as for a plain move the longest turn may be for any one message."""
OF_MANY: Final = 50
"""The same where as much comes at once as the system takes."""
OF_PARTS: Final = 300
"""The same for the form of a request, which aiohttp and yarl read, and for a match of hundreds of moves: on a quiet
machine, less than 20 ms."""
TRIES: Final = 5
"""The shortest of so many counts: once in a while memory is tidied up, whatever comes."""
MAP: Final = json.dumps([at / 1_000_003 for at in range(100_000)]).encode()
"""A map of two million bytes, which is a large one."""
SAMPLES: Final[dict[str, Any]] = {
    "type": "",
    "game": "sumquest",
    "opponent": "screen",
    "invite": "a" * 40,
    "ply": 0,
    "move": "5",
    "do": "resign",
    "step": 1,
    "record": "x",
    "id": "x",
    "text": "x",
    "sign": "clap",
    "code": "BCDF",
    "key": "k" * 24,
}
OF_CLASSES: Final = {"TeacherAct": {"do": "ask"}, "PupilAct": {"do": "answer"}}
"""What is asked in the fields that are needed, while another one is hostile."""
MESSAGES: Final = wire.Request.__subclasses__()
Check = Callable[..., None]
LARGEST: Final = {
    "showdown": {"high": 13, "picks": 13},
    "fifty": {"target": 200, "high": 9, "copies": 4},
    "grid": {"side": 4, "target": 99, "stand": True},
    "sumquest": {"target": 999},
    "mystic": {"target": 60, "copies": 4},
}


class Turns(selectors.DefaultSelector):
    """Notes the longest turn of the loop: from one wait for news to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = self._began = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.longest = max(self.longest, time.thread_time() - self._began)
        found = super().select(timeout)
        self._began = time.thread_time()
        return found


class AtOnce(Thinking):
    """Answers without a worker: what is asked is too large, but for a map, which is a large one."""

    stopped = False

    async def ask(
        self, task: tasks.Task, address: str, match: str = "", wanted: Callable[[], bool] = lambda: True
    ) -> tasks.Answer:
        wire.encode(task)
        if isinstance(task, tasks.Map):
            return tasks.Made(msgspec.Raw(MAP))
        return tasks.Failed("too-large", wire.Said("thinking-long", {}))


class Attacked:
    """A server in a thread of its own, whose turns are measured."""

    def __init__(self, db: str, limits: Limits = FREE) -> None:
        self.turns, self.port, self._limits = Turns(), 0, limits
        self._db, self._ready = db, threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(self.turns)) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        store, log = await open_store(self._db), Log(None)
        self.hub = Hub(store, AtOnce(1), Gate(self._limits), log)
        app = App(self.hub)
        runner = web.AppRunner(app.web)
        await runner.setup()
        assert runner.server is not None
        oversight = Oversight(runner.server, self.hub.gate, log, self.hub.metrics, proxied=False)
        door = await self._loop.create_server(oversight.connection, "127.0.0.1", 0)
        self.port = door.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        door.close()
        await runner.cleanup()
        await store.close()

    def __enter__(self) -> Attacked:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def longest(self, done: Callable[[], object]) -> float:
        """Seconds of the longest turn while this is done."""
        self._settle()
        self.turns.longest = 0.0
        done()
        self._settle()
        return self.turns.longest

    def play(self, match: str, moves: int) -> None:
        """Have this match of `sumquest` played on so far, all at once; each move is made, taken back and made again."""

        async def play() -> None:
            entries: list[Entry] = []
            for at in range(moves):
                seat, move, ply = at % 2, "12"[at % 2], 3 * at
                entries += [Move(ply + more, seat, str(ply + more), 0.0, move) for more in (0, 2)]
                entries.insert(-1, Action(ply + 1, seat, "", 0.0, TAKE_BACK))
            written = [self.hub.store.append(match, entry, over=False) for entry in entries]
            assert all(await asyncio.gather(*written))

        asyncio.run_coroutine_threadsafe(play(), self._loop).result()

    def forget(self, match: str) -> None:
        """Have a match read from disk when it is asked for next."""
        self._loop.call_soon_threadsafe(self.hub._rooms.pop, match, None)

    def _settle(self) -> None:
        """Wait until whatever came before is done: some turns of the loop."""

        async def turns() -> None:
            for _ in range(5):
                await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(turns(), self._loop).result()


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with Attacked(str(tmp_path_factory.mktemp("steps") / "games.db")) as running:
        yield running


def screen(attacked: Attacked, game: str = "sumquest", **settings: Any) -> Any:
    """A new match of two at one screen."""
    wish = {"game": game, "opponent": "screen", "settings": settings}
    return posted(attacked.port, "/api/matches", wish).json


@pytest.fixture(scope="module")
def plain(attacked: Attacked) -> float:
    """Seconds of the longest turn for a plain move."""
    match, found = screen(attacked, target=999), []
    with WebSocket(attacked.port, match["match"]) as live:
        live.hello(match["token"])

        def move(ply: int) -> None:
            live.say(type="move", ply=ply, move="12"[ply % 2], key=str(ply))
            assert live.frame().json["done"] == [str(ply)]

        found = [attacked.longest(partial(move, ply)) for ply in range(40)]
    return statistics.median(found)


@pytest.fixture
def harmless(attacked: Attacked, plain: float) -> Callable[..., None]:
    """That what is done keeps nobody else waiting."""

    def check(done: Callable[[], object], what: str, times: int = AT_ONCE) -> None:
        found: list[float] = []
        while not found or (min(found) > times * plain and len(found) < TRIES):
            found.append(attacked.longest(done))
        assert min(found) <= times * plain, f"{what}: {min(found) / plain:.0f} times as long as a plain move"

    return check


def hostile(most: int) -> dict[str, bytes]:
    """Values of any field, as JSON, of so many bytes at most."""
    return {
        "brackets": b"[" * most,
        "braces": b'{"a":' * (most // 5),
        "text": b'"' + b"x" * (most - 2) + b'"',
        "escapes": b'"' + b"\\u0000" * (most // 6 - 1) + b'"',
        "accents": b'"' + "e\u0301".encode() * (most // 3 - 1) + b'"',
        "joined": b'"' + "\U0001f469\u200d".encode() * (most // 7 - 1) + b'"',
        "blanks": b" " * (most - 1) + b"1",
        "digits": b"9" * most,
        "fraction": b"0." + b"9" * (most - 2),
        "power": b"1e" + b"9" * (most - 2),
        "list": b"[" + b"1," * (most // 2 - 1) + b"1]",
        "fields": b"{" + b",".join(b'"%d":1' % at for at in range(most // 9)) + b"}",
        "long name": b'{"' + b"x" * (most - 8) + b'":1}',
        "long value": b'{"target":"' + b"x" * (most - 16) + b'"}',
        "long number": b'{"target":' + b"9" * (most - 12) + b"}",
    }


def hostile_bodies(message: type[Any], most: int, kind: str = "") -> Iterator[tuple[str, bytes]]:
    """The message with one field after the other hostile, and one that it does not have; as a frame with its kind."""
    needed = {field.encode_name for field in fields(message) if field.required}
    names = [field.encode_name for field in fields(message)]
    samples = {**SAMPLES, **OF_CLASSES.get(message.__name__, {})}
    for name in (*names, "unknown"):
        others = {other: samples[other] for other in needed - {name}} | ({"type": kind} if kind else {})
        before = json.dumps(others)[:-1] + (", " if others else "")
        room = most - len(before) - len(name) - 5
        for what, value in hostile(room).items():
            yield f"{message.__name__}.{name} {what}", f'{before}"{name}":'.encode() + value + b"}"


def opened(attacked: Attacked, match: Any, data: bytes, hello: bool = True) -> None:
    """A live connection on which this comes, as much at once as the system takes; until it is closed."""
    with WebSocket(attacked.port, match["match"]) as live, contextlib.suppress(OSError):
        if hello:
            live.hello(match["token"])
        live.plug.sendall(data)
        live.closing()


def frame(data: bytes, opcode: int = TEXT, fin: bool = True) -> bytes:
    """A frame of a page; a mask of zeros leaves it as it is."""
    length, first = len(data), (0x80 if fin else 0) | opcode
    head = bytes([first, 0x80 | length]) if length < 126 else bytes([first, 0xFE]) + length.to_bytes(2, "big")
    return head + bytes(4) + data


# ---- messages


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
def test_whatever_stands_in_a_field_of_a_message(message: type[Any], attacked: Attacked, harmless: Check) -> None:
    match = screen(attacked)
    routes = [route for route in ALL_ROUTES if route.body is message]
    for route in routes:
        made = match
        if "{classroom}" in route.path:
            made = posted(attacked.port, "/api/classes", {"game": "sumquest", "key": "k" * 24}).json
        path = re.sub(r"{(\w+)}", lambda found: str(made[found[1]]), route.path)  # noqa: B023  # used at once
        send = partial(posted, attacked.port, path, token=made["token"])
        for what, body in hostile_bodies(message, route.largest):
            harmless(partial(send, body), f"{route.path} {what}")
    kind = str(message.__struct_config__.tag or "")
    if message in get_args(wire.ToServer):
        for what, body in hostile_bodies(message, wire.LARGEST_FRAME, kind):
            data = frame(body) + frame(b"", CLOSE)
            harmless(lambda data=data: opened(attacked, match, data), f"frame {what}")
    assert routes or message in get_args(wire.ToServer)


def hostile_records() -> Iterator[tuple[str, str]]:
    """Texts that are long to read, or nearly records."""
    for slug in nq.GAMES:
        for most in (1_400, 60_000):
            numbers = " ".join("123456789"[at % 9] for at in range(most // 2))
            yield f"deal of {slug}", f'[Game "{slug}"]\n[Deal "{numbers}"]\n\n'
            yield f"seed of {slug}", f'[Game "{slug}"]\n[Seed "{"9" * most}"]\n\n'
            yield f"rules of {slug}", f'[Game "{slug}"]\n[Settings "{"target=9 " * (most // 9)}"]\n\n'
            yield f"moves of {slug}", f'[Game "{slug}"]\n\n{"1. 1 2 (9) " * (most // 11)}'
    match: Match[Any] = Match(nq.game("sumquest", target=999))
    while match.moves:
        match.play(match.moves[0])
    whole = Record(match).text()
    yield "a long game", whole.rpartition(" ")[0]
    yield "the longest game", whole
    yield "tags", "".join(f'[A{at} "x"]\n' for at in range(5_000))
    for piece in ("[", "{", "(", "#", "\n", "\\", "resign-1 ", '[Game "', "\0", "\u2028", "1 "):
        yield f"many {piece!r}", piece * (60_000 // len(piece.encode()))
        yield f"a game and many {piece!r}", '[Game "sumquest"]\n\n' + piece * (60_000 // len(piece.encode()))


def test_whatever_record_a_match_is_to_go_on_from(attacked: Attacked, harmless: Check) -> None:
    for what, record in hostile_records():
        for more in ({}, {"at": 0}):
            wish = {"record": record, "opponent": "screen", **more}
            harmless(lambda wish=wish: posted(attacked.port, "/api/matches", wish), what)


@only_long
@pytest.mark.parametrize("slug", nq.GAMES)
def test_the_largest_rules_of_a_game(slug: str, attacked: Attacked, harmless: Check) -> None:
    for more in ({}, {"seed": "x" * 60_000}, {"seed": 10**4000}):
        wish = {"game": slug, "settings": LARGEST.get(slug, {}), "opponent": "screen", **more}
        harmless(lambda wish=wish: posted(attacked.port, "/api/matches", wish), slug)
    words = "%20".join(f"{name}={'yes' if value is True else value}" for name, value in LARGEST.get(slug, {}).items())
    for route in ALL_ROUTES:
        if {"game", "settings"} <= {parameter.name for parameter in route.parameters}:
            path = f"{route.path}?game={slug}&settings={words}"
            harmless(lambda path=path: asked(attacked.port, "GET", path), path)


@pytest.mark.parametrize("form", [*DEEP, *LONG, "largest"])
def test_whatever_recipe_stands_in_a_name(form: str, attacked: Attacked, harmless: Check) -> None:
    """Each time another one, for what was read is remembered."""
    text, others = {**DEEP, **LONG, "largest": LARGEST_GAME}[form], count()

    def name() -> str:
        return link(f"{text}\n#{next(others)}")

    for route in ALL_ROUTES:
        known = {parameter.name for parameter in route.parameters}
        if "game" in known:
            path = f"{route.path}?{'date=2026-01-31&' if 'date' in known else ''}game="
            harmless(lambda path=path: asked(attacked.port, "GET", path + name()), route.path)
    rules = asked(attacked.port, "GET", f"/api/rules?game={name()}")
    assert rules.status == (200 if form == "largest" else 400), rules.body
    # A match shows all moves, and the largest game has hundreds.
    times = OF_PARTS if form == "largest" else AT_ONCE
    for path, more in (("/api/matches", {"opponent": "screen"}), ("/api/classes", {})):
        harmless(lambda path=path, more=more: posted(attacked.port, path, {"game": name(), **more}), path, times)


# ---- requests


@only_long
def test_whatever_stands_in_an_address(attacked: Attacked, harmless: Check) -> None:
    for route in ALL_ROUTES:
        path = route.path.replace("{match}", "a" * 20)
        for parameter in route.parameters:
            for text in ("x" * 950, "a=1%20" * 150, "%F0%9F%91%A9" * 75, "9" * 950):
                address = f"{path}?{parameter.name}={text}"
                harmless(lambda route=route, address=address: asked(attacked.port, route.method, address), address[:80])


@only_long
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/" + "%41" * 5000, []),
        ("/" + "x" * 15000, []),
        ("/?" + "a=b&" * 3700, []),
        ("/", ["X: " + "x" * 15000]),
        ("/", [f"X{at}: {'x' * 100}" for at in range(90)]),
        ("/", ["Cookie: " + "a=b; " * 3000]),
        ("/", ["Accept: " + "text/html," * 1500]),
        ("/", ["X-Forwarded-For: " + "192.0.2.1, " * 1300]),
        ("/api/games", ["Authorization: Bearer " + "x" * 15000]),
        ("/api/games", ["If-None-Match: " + '"x", ' * 3000]),
    ],
)
def test_whatever_stands_in_a_head(path: str, headers: list[str], attacked: Attacked, harmless: Check) -> None:
    harmless(lambda: asked(attacked.port, "GET", path, *headers), path[:20])


@only_long
def test_a_large_map_is_packed_elsewhere_and_counted_by_its_bytes(attacked: Attacked, harmless: Check) -> None:
    counted: list[float] = []
    uses = attacked.hub.gate.asked.uses

    def counting(name: str, much: float) -> None:
        counted.append(much)
        uses(name, much)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attacked.hub.gate.asked, "uses", counting)
        for headers in ([], ["Accept-Encoding: gzip"]):
            sent: list[Answer] = []

            def look(headers: list[str] = headers, sent: list[Answer] = sent) -> None:
                http.packed.cache_clear()
                sent.append(asked(attacked.port, "GET", "/api/atlas?game=fifty", *headers))

            harmless(look, "map")
            assert sent[-1].status == 200
            assert counted[-1] == len(sent[-1].body) // COUNTS_AS_ONE > 10


@only_long
def test_a_body_in_many_pieces(attacked: Attacked, harmless: Check) -> None:
    head = request("POST", "/api/matches", "Content-Type: application/json", "Transfer-Encoding: chunked")

    def send() -> None:
        with connected(attacked.port) as plug:
            plug.sendall(head + b"1\r\n \r\n" * 60_000 + b"0\r\n\r\n")
            assert read_answer(plug).status == 400

    harmless(send, "pieces", OF_PARTS)


@only_long
def test_an_address_with_many_steps_back(attacked: Attacked, harmless: Check) -> None:
    harmless(lambda: asked(attacked.port, "GET", "/" + "../" * 5000), "steps back", OF_PARTS)


@only_long
def test_many_requests_behind_each_other(attacked: Attacked, harmless: Check) -> None:
    def send() -> None:
        with connected(attacked.port) as plug, plug.makefile("rb") as answers:
            plug.sendall(request("GET", "/nothing") * 300)
            for _ in range(300):
                assert read_status(answers) == 404

    harmless(send, "requests", OF_MANY)


# ---- frames


FLOODS: Final[dict[str, tuple[bytes, bytes]]] = {
    "empty texts": (b"", frame(b"")),
    "pings": (b"", frame(b"", PING)),
    "pongs": (b"", frame(b"", PONG)),
    "bytes": (b"", frame(b"", BINARY)),
    "pieces of nothing": (frame(b"", TEXT, fin=False), frame(b"", CONT, fin=False)),
    "pieces": (frame(b"", TEXT, fin=False), frame(b"x", CONT, fin=False)),
    "half a head": (b"", b"\x81\xff"),
    "hellos": (b"", frame(b'{"type":"hello"}')),
    "moves": (b"", frame(b'{"type":"move","ply":0,"move":"77"}')),
    "late moves": (b"", frame(b'{"type":"move","ply":90000,"move":"77"}')),
    "deeds": (b"", frame(b'{"type":"act","ply":0,"do":"agree"}')),
    "signs": (b"", frame(b'{"type":"sign","sign":"clap"}')),
}


@only_long
@pytest.mark.parametrize("hello", [True, False], ids=["seated", "stranger"])
@pytest.mark.parametrize("what", FLOODS)
def test_whatever_comes_on_a_live_connection(what: str, hello: bool, attacked: Attacked, harmless: Check) -> None:
    first, again = FLOODS[what]
    match = screen(attacked)
    data = first + again * (256 * 1024 // len(again))
    harmless(lambda: opened(attacked, match, data, hello), what, OF_MANY)


@only_long
def test_a_match_of_very_many_moves(attacked: Attacked, harmless: Check) -> None:
    """Whoever looks at it, moves in it or repeats a move; and once nothing of it is in memory."""
    match, moves = screen(attacked, target=999), 600
    path = f"/api/matches/{match['match']}"
    attacked.play(match["match"], moves)

    def anew(path: str) -> None:
        attacked.forget(match["match"])
        asked(attacked.port, "GET", path)

    look = partial(asked, attacked.port, "GET")
    for done in (anew, look):
        harmless(partial(done, path), "looking")
    assert posted(attacked.port, f"{path}/actions", {"ply": 3 * moves, "do": "resign"}, match["token"]).status == 200
    for done in (anew, look):
        for what in ("", "/record", "/review"):
            harmless(partial(done, path + what), what)
    again = frame(b'{"type":"move","ply":2,"move":"1","key":"2"}') * 60 + frame(b"", CLOSE)
    for data in (frame(b"", CLOSE), again, frame(b'{"type":"move","ply":1790,"move":"2"}') * 60 + frame(b"", CLOSE)):
        harmless(lambda data=data: opened(attacked, match, data), "frames", OF_MANY)


# ---- the measure itself


@only_long
def test_a_check_that_grows_with_the_text_would_be_seen(
    attacked: Attacked, harmless: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As there was one, of how deep something is nested, sign by sign; here on a slower machine, to be sure."""
    decoded = http.decoded

    def slow(body: bytes, kind: Any) -> Any:
        in_text = escaped = False
        for sign in 5 * body.decode():
            escaped, in_text = in_text and sign == "\\" and not escaped, in_text != (sign == '"' and not escaped)
        return decoded(body, kind)

    monkeypatch.setattr(http, "decoded", slow)
    with pytest.raises(AssertionError, match="times as long"):
        harmless(lambda: posted(attacked.port, "/api/matches", b"[" * 65_000), "brackets")
