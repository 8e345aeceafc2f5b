"""Two servers that are alike in everything but what lies hidden, and random games played on both at once.

Both have the same clock, keys, seeds, commitments and requests. Only the deal that the dealer holds differs, in places
that nobody has seen. Whatever either of them says must be the same, to the byte, until a place is uncovered in which
they differ.
"""

from __future__ import annotations

import asyncio
import functools
import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from aiohttp import web

from numberquest.core import dealer as dealers
from numberquest.core.contract import Game
from numberquest.core.dealer import Dealer
from numberquest.core.registry import game as make_game
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.store.sqlite import SqliteStore
from numberquest.server.think import tasks, worker
from numberquest.server.think.pool import Thinking
from numberquest.server.web.app import App
from numberquest.server.web.connection import Connection
from numberquest.server.web.oversight import Oversight
from tests.server.websocket import request

FREE = Limits(1e9, 10**9, 10**9, 1e9, 1e9, 10**9)
UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
sealed = dealers.sealed


class Difference(AssertionError):
    """The worlds can be told apart before they may."""


of_no_match = functools.cache(worker.answered)
"""Answers that every server asks for when it starts: both worlds get the same ones, worked out once."""


class Here(Thinking):
    """Thinks at once and in this process, with the very same code as a worker."""

    stopped = False

    async def ask(
        self, task: tasks.Task, address: str, match: str = "", wanted: Callable[[], bool] = lambda: True
    ) -> tasks.Answer:
        line = msgspec.json.encode(task)
        return of_no_match(line) if isinstance(task, tasks.Games | tasks.Prepare) else worker.answered(line)


class Line(asyncio.Transport):
    """The server's end of a connection without a socket: what is said is kept."""

    connection: asyncio.Protocol

    def __init__(self, heard: list[bytes]) -> None:
        super().__init__({"peername": ("10.0.0.1", 1)})
        self._heard = heard
        self.ended = asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._heard.append(_undated(bytes(data)))

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        assert isinstance(protocol, asyncio.Protocol)
        self.connection = protocol

    def is_closing(self) -> bool:
        return self.ended.is_set()

    def close(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            asyncio.get_running_loop().call_soon(self.connection.connection_lost, None)

    abort = close


class World:
    """A server without sockets: requests go straight to its connections."""

    def __init__(self, store: SqliteStore) -> None:
        self.lines = io.StringIO()
        self.log = Log(self.lines, clock=lambda: 1_700_000_000.0)
        self.seeds = iter(range(10**9))
        self.keys = iter(range(10**9))
        self.deals: dict[str, tuple[int | str, ...]] = {}
        """The deal behind each seed, where it is not the true one."""
        self.hub = Hub(
            store,
            Here(),
            Gate(FREE, clock=lambda: 0.0),
            self.log,
            clock=lambda: 1_700_000_000.0,
            steady=lambda: 0.0,
            new_seed=lambda: f"{next(self.seeds):032x}",
            new_key=lambda: f"{next(self.keys):032d}",
        )
        self.app = App(self.hub)
        self.heard: list[bytes] = []
        """What live connections and streams have been told since the last step."""

    def sealed(self, game: Game[Any], seed: str) -> Dealer:
        dealer = sealed(game, seed)
        return dealer._replace(deal=self.deals.get(seed, dealer.deal))

    async def open(self) -> None:
        """Take visitors in; they come without sockets."""
        runner = web.AppRunner(self.app.web)
        await runner.setup()
        assert runner.server is not None
        self._runner = runner
        self._oversight = Oversight(runner.server, self.hub.gate, self.log, self.hub.metrics, proxied=True)

    async def close(self) -> None:
        await self._runner.cleanup()
        await self.hub.store.close()
        self.log.close()

    def visit(self, asked: bytes, heard: list[bytes]) -> Line:
        """A new connection with this request on it."""
        line = Line(heard)
        line.connection = self._oversight.connection()
        line.connection.connection_made(line)
        line.connection.data_received(asked)
        return line

    async def ask(self, method: str, path: str, wish: Any = None, token: str | None = None) -> tuple[int, bytes]:
        body = wish if isinstance(wish, bytes) else b"" if wish is None else json.dumps(wish).encode()
        headers = ["Connection: close", f"Content-Length: {len(body)}"]
        headers += ["Content-Type: application/json"] if wish is not None else []
        headers += [f"Authorization: Bearer {token}"] if token is not None else []
        said: list[bytes] = []
        line = self.visit(request(method, path, *headers) + body, said)
        await line.ended.wait()
        answer = b"".join(said)
        return int(answer.split()[1]), answer

    async def watch(self, match: str, token: str | None) -> list[Line]:
        """A live connection and a stream of events; close them at the end."""
        live = self.visit(request("GET", f"/ws/{match}", *UPGRADE), self.heard)
        while not isinstance(live.connection, Connection):
            await asyncio.sleep(0)
        hello = json.dumps({"type": "hello", "token": token}).encode()
        live.connection.data_received(bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
        return [live, self.visit(request("GET", f"/api/matches/{match}/events"), self.heard)]

    async def settle(self, match: str) -> None:
        """Let the computer move and the news get about."""
        room = await self.hub.room(match)
        while room.thinking:
            await asyncio.sleep(0)
        for _ in range(12):
            await asyncio.sleep(0)
        following = json.loads(room.whole())["next"]
        if following is not None:
            await self.settle(following)


class Told(NamedTuple):
    """What was said in one step."""

    answer: tuple[int, bytes]
    heard: list[bytes]


class Worlds:
    """Both, and a way to do the same in both."""

    def __init__(self, one: World, two: World, random: Random) -> None:
        self.both = (one, two)
        self.random = random
        self.steps = 0
        self.tally: Counter[str] = Counter()
        self._asking = 0
        self._parted: set[int] = set()
        """The steps in which something was uncovered that differs."""

    @classmethod
    async def made(cls, folder: Path, random: Random) -> Worlds:
        first, second = folder / "one.db", folder / "two.db"
        # The same secret in both: one file is a copy of the other.
        await (await SqliteStore.open(str(first))).close()
        shutil.copy(first, second)
        stores = [await SqliteStore.open(str(path), synchronous="OFF") for path in (first, second)]
        worlds = cls(World(stores[0]), World(stores[1]), random)
        for world in worlds.both:
            await world.open()
        return worlds

    async def close(self) -> None:
        for world in self.both:
            await world.close()

    def sealed(self, game: Game[Any], seed: str) -> Dealer:
        """Put in the place of `dealer.sealed`: which world asks is known from the one that is being asked."""
        world = self.both[self._asking]
        return world.sealed(game, seed)

    async def do(self, method: str, path: str, wish: Any = None, token: str | None = None, match: str = "") -> Any:
        """The same request in both; returns the answer, which must be the same."""
        self.steps += 1
        told = []
        for at, world in enumerate(self.both):
            self._asking = at
            world.log.event("step", number=self.steps)
            answer = await world.ask(method, path, wish, token)
            if match:
                await world.settle(match)
            # Who of those who look at a match is told first is left open.
            told.append(Told(answer, sorted(world.heard)))
            world.heard.clear()
        status, body = told[0].answer
        self.tally[f"{status}"] += 1
        same = told[0] == told[1]
        if not same and not self._may_differ(match or _named(told[0].answer[1])):
            raise Difference(f"{method} {path} {wish}: {told[0]} and {told[1]}")
        said = body.partition(b"\r\n\r\n")[2]
        if self._may_differ(match):
            self._parted.add(self.steps)
        return json.loads(said) if said.startswith(b"{") else said

    def parted(self) -> bool:
        """Whether the last step has told the worlds apart."""
        return self.steps in self._parted

    def _may_differ(self, match: str) -> bool:
        """Whether a place has been uncovered in which the two deals differ: looked up behind the scenes."""
        histories = []
        for world in self.both:
            room = world.hub._rooms.get(match)
            histories.append([] if room is None else list(room.state.line.history))
        return histories[0] != histories[1]

    async def play(self, slug: str, settings: dict[str, Any]) -> None:
        """A random game with random requests between, until the worlds part or it is over."""
        random = self.random
        self.tally["games"] += 1
        game = make_game(slug, **settings)
        seed = f"{self.seeds_used():032x}"
        deal = sealed(game, seed).deal
        self.both[1].deals = {seed: permuted(random, deal)}
        opponent = random.choice(
            ["friend", "friend", "screen", "random", "easy" if quick(slug, settings) else "random"]
        )
        wish = {"game": slug, "settings": settings, "opponent": opponent, "name": "Ann", "seat": random.choice([1, 2])}
        seated = await self.do("POST", "/api/matches", wish)
        match, token = seated["match"], seated["token"]
        tokens = dict.fromkeys(seated["seats"], token)
        path = f"/api/matches/{match}"
        if await self._parted_at_once(match):
            return
        watching, watcher = [], random.choice([token, None])
        for at, world in enumerate(self.both):
            self._asking = at
            watching += await world.watch(match, watcher)
            # Accepted and welcomed, and the head and the first line of the stream.
            while len(world.heard) < 4:
                await asyncio.sleep(0)
            self.tally["watched"] += 1
        try:
            if opponent == "friend":
                if random.random() < 0.2:
                    await self.do("POST", f"{path}/moves", {"ply": 0, "move": "add"}, token, match)
                joined = await self.do("POST", f"{path}/join", {"invite": seated["invite"]}, None, match)
                tokens[joined["seats"][0]] = joined["token"]
            await self._rounds(path, match, tokens, opponent)
        finally:
            for line in watching:
                line.close()
            for world in self.both:
                world.heard.clear()
                world.hub._rooms.pop(match, None)

    async def _parted_at_once(self, match: str) -> bool:
        """Whether the first number of the pile, or what the computer uncovered, tells the worlds apart already."""
        for at, world in enumerate(self.both):
            self._asking = at
            await world.settle(match)
            world.heard.clear()
        if self._may_differ(match):
            self._parted.add(self.steps)
            self.tally["parted"] += 1
            return True
        return False

    def seeds_used(self) -> int:
        """The number of the next seed, the same in both."""
        following, key = next(self.both[0].seeds), next(self.both[0].keys)
        for world in self.both:
            world.seeds, world.keys = iter(range(following, 10**9)), iter(range(key, 10**9))
        return following

    async def _rounds(self, path: str, match: str, tokens: dict[int, str], opponent: str) -> None:
        random = self.random
        while True:
            state = await self.do("GET", path, None, None, match)
            if self.parted():
                self.tally["parted"] += 1
                return
            if state["outcome"] is not None:
                self.tally["over"] += 1
                await self.do("GET", f"{path}/record", None, None, match)
                if quick(state["game"], state["settings"]):
                    await self.do("GET", f"{path}/review", None, None, match)
                again = {"ply": state["ply"], "do": "rematch"}
                await self.do("POST", f"{path}/actions", again, next(iter(tokens.values())), match)
                return
            turn, ply = state["turn"], state["ply"]
            token = tokens.get(turn, next(iter(tokens.values())))
            other = tokens.get(3 - turn, "w" * 43)
            move = random.choice(state["moves"])["move"]
            kind = random.random()
            if kind < 0.5:
                await self.do("POST", f"{path}/moves", {"ply": ply, "move": move, "key": "k"}, token, match)
            elif kind < 0.6:
                wrong = random.choice(["9", "1,1", "9,9", "add", "subtract", "stand", "", "!resign", "\u202e"])
                await self.do(
                    "POST", f"{path}/moves", {"ply": ply, "move": wrong}, random.choice([token, other]), match
                )
            elif kind < 0.65:
                late = random.choice([0, max(0, ply - 1), ply + 1, 99])
                await self.do("POST", f"{path}/moves", {"ply": late, "move": move}, token, match)
            elif kind < 0.75:
                do = random.choice(["take-back", "take-back", "agree", "refuse", "rematch"])
                await self.do("POST", f"{path}/actions", {"ply": ply, "do": do}, random.choice([token, other]), match)
            elif kind < 0.83 and quick(state["game"], state["settings"]):
                wish = {"ply": ply, "step": random.choice([1, 2, 3])}
                await self.do("POST", f"{path}/hints", wish, token, match)
            elif kind < 0.88 and quick(state["game"], state["settings"]):
                await self.do("GET", f"{path}/coach", None, token, match)
            elif kind < 0.92:
                strange = random.choice(["record", "review", "events/", "seed", "deal"])
                await self.do("GET", f"{path}/{strange}", None, token, match)
            elif kind < 0.95:
                await self.do("POST", f"{path}/moves", random.choice([b"{", b"[]", b"{}"]), token, match)
            elif kind < 0.97:
                await self.do("POST", f"{path}/actions", {"ply": ply, "do": "resign"}, token, match)
            else:
                await self.do("GET", "/healthz", None, None, match)
            if self.parted():
                self.tally["parted"] += 1
                return

    def compare_logs(self) -> int:
        """Compare both logs, step by step, and return how many lines were the same."""
        for world in self.both:
            world.log.close()
        one, two = (self._by_step(world.lines.getvalue()) for world in self.both)
        for step, lines in one.items():
            if step not in self._parted and lines != two[step]:
                raise Difference(f"in step {step} the logs say {lines} and {two[step]}")
        return sum(len(lines) for step, lines in one.items() if step not in self._parted)

    def _by_step(self, log: str) -> dict[int, list[str]]:
        steps: dict[int, list[str]] = {0: []}
        for line in log.splitlines():
            event = json.loads(line)
            if event["event"] == "step":
                steps[event["number"]] = []
            else:
                steps[max(steps)].append(line)
        return steps


def _undated(said: bytes) -> bytes:
    """What was said, but not when: the worlds are asked one after the other."""
    return re.sub(rb"\r\nDate: [^\r]*", b"", said)


def _named(answer: bytes) -> str:
    """The match that an answer is about, where it is a new one."""
    said = answer.partition(b"\r\n\r\n")[2]
    return str(json.loads(said).get("match", "")) if said.startswith(b"{") else ""


def permuted(random: Random, deal: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """The same numbers, with some of them in other places: two, or all from somewhere on."""
    changed = list(deal)
    if random.random() < 0.6:
        one, two = random.sample(range(len(deal)), 2)
        changed[one], changed[two] = changed[two], changed[one]
    else:
        start = random.randrange(len(deal) - 1)
        rest = changed[start:]
        random.shuffle(rest)
        changed[start:] = rest
    return tuple(changed)


def quick(slug: str, settings: dict[str, Any]) -> bool:
    """Whether the game is small enough to be solved at once: only then is thinking the same every time."""
    if slug == "grid":
        return bool(settings["side"] <= 2 or (settings["side"] == 3 and not settings["stand"]))
    return bool(settings["high"] * settings["copies"] <= 8)


def settings_of(random: Random, slug: str) -> dict[str, Any]:
    if slug == "grid":
        return {
            "side": random.choice([2, 3, 3, 4]),
            "target": random.randint(5, 60),
            "stand": random.choice([True, False]),
        }
    return {"target": random.randint(5, 40), "high": random.randint(2, 9), "copies": random.randint(1, 4)}
