"""Players for a server that is killed under them, and a look at its database afterwards.

They play whole matches of all games, through the client and through live connections, each request with its key, and
after a lost connection they ask again by themselves. Everything anybody was shown or told is noted, and must be what
the log in the database says.
"""

import asyncio
import http.client
import os
import queue
import random
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from numberquest.client import Client, Seat, ServerSaid, new_key
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.boards import Showing
from numberquest.server.hub import AT_ANY_TIME
from numberquest.server.match.entries import Action, Entry, Move
from numberquest.server.match.state import new_state
from tests.server.keeping import opened
from tests.server.running import Running
from tests.server.websocket import followed
from tests.study.running import until

T = TypeVar("T")
PATIENCE = 60.0
"""After so many seconds without the server, a player gives up, and the test has failed."""
PAUSE = 0.02
"""Before a live connection is tried again."""


class Ended(Exception):
    """The test does not want the players to go on."""


class Acknowledged(NamedTuple):
    """A request that the server said is done."""

    match: str
    ply: int
    text: str
    key: str
    tries: int
    asked: float
    """When it was asked the last time, in seconds since 1970."""


class World:
    """All that the players were shown and told."""

    def __init__(self, *ports: int, servers: int = 0) -> None:
        """`servers`: how many there are behind these ports; one behind each if left out."""
        self.ports = ports
        self.servers = servers or len(ports)
        self.acknowledged: list[Acknowledged] = []
        self.shown: dict[tuple[str, int], bytes] = {}
        self.created: list[str] = []
        self.troubles: list[str] = []
        self.late = 0
        self.not_stored = 0
        self.last_round = threading.Event()
        """Set: whoever has played a match to its end begins no other."""
        self.ended = False
        self.began = time.monotonic()
        self._threads: list[threading.Thread] = []
        self._news = threading.Condition()

    def saw(self, state: wire.State) -> wire.State:
        """A state was shown: the same one whenever and to whomever that ply of that match is shown."""
        # Why the computer's move does not come yet is told beside the match, and not kept with it.
        raw = msgspec.json.encode(msgspec.structs.replace(state, computer=None))
        if self.shown.setdefault((state.match, state.ply), raw) != raw:
            self.troubles.append(f"match {state.match} was shown in two ways at ply {state.ply}")
        return state

    def done(self, acknowledged: Acknowledged) -> None:
        with self._news:
            self.acknowledged.append(acknowledged)
            self._news.notify_all()

    def wait_for_more(self, moves: int = 1) -> None:
        """Until so many more moves have been acknowledged: everybody goes on."""
        with self._news:
            wanted = len(self.acknowledged) + moves
            assert self._news.wait_for(lambda: len(self.acknowledged) >= wanted, PATIENCE), self.troubles

    def go(self, work: Callable[[], None]) -> None:
        def guarded() -> None:
            try:
                work()
            except Ended:
                return
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                self.troubles.append(f"a player gave up: {type(error).__name__}: {error} ({where.name}: {where.line})")

        thread = threading.Thread(target=guarded, daemon=True)
        self._threads.append(thread)
        thread.start()

    def finish(self) -> None:
        """Let everybody play their match to its end."""
        self.last_round.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        self.troubles += ["a player did not come to an end" for thread in self._threads if thread.is_alive()]

    def abandon(self) -> None:
        """Nobody needs to come to an end."""
        self.ended = True
        self.finish()

    def check_going_on(self) -> None:
        if self.ended:
            raise Ended


class Noting(Client):
    """The client as it is, and what it was told is noted. A roaming one goes to the next server each time."""

    def __init__(self, world: World, home: int, roaming: bool = False) -> None:
        super().__init__(f"http://127.0.0.1:{world.ports[home % len(world.ports)]}", patience=PATIENCE)
        self._world, self._home, self._roaming = world, home, roaming
        self.sent: list[float] = []

    def _connection(self) -> http.client.HTTPConnection:
        self._world.check_going_on()
        if self._roaming:
            self._home += 1
            self._port = self._world.ports[self._home % len(self._world.ports)]
        connection = Sending(self._host, self._port, timeout=self.timeout)
        connection.sent = self.sent
        return connection

    def get(self, path: str, kind: type[T], token: str | None = None) -> T:
        answer = super().get(path, kind, token)
        if isinstance(answer, wire.State):
            self._world.saw(answer)
        return answer

    def post(self, path: str, wish: wire.Request, kind: type[T], token: str | None = None) -> T:
        self.sent.clear()
        answer = super().post(path, wish, kind, token)
        if isinstance(answer, wire.Seated | wire.State):
            self._world.saw(answer.state if isinstance(answer, wire.Seated) else answer)
        if isinstance(wish, wire.Move | wire.Act) and isinstance(answer, wire.State):
            text = wish.move if isinstance(wish, wire.Move) else f"!{wish.do}"
            # Resigning is done also where a move came first that they had not seen yet.
            ply = answer.ply - 1 if isinstance(wish, wire.Act) and wish.do in AT_ANY_TIME else wish.ply
            self._world.done(Acknowledged(answer.match, ply, text, str(wish.key), len(self.sent), self.sent[-1]))
            if answer.ply != ply + 1:
                self._world.troubles.append(f"the answer to ply {wish.ply} was the state at ply {answer.ply}")
        return answer

    def events(self, match: str, token: str | None = None) -> Iterator[wire.State]:
        for state in super().events(match, token):
            self._world.check_going_on()
            yield self._world.saw(state)


class Sending(http.client.HTTPConnection):
    """Notes when something is sent."""

    sent: list[float]

    def request(self, *arguments: Any, **more: Any) -> None:
        self.sent.append(time.time())
        super().request(*arguments, **more)


def play_by_requests(world: World, seat: Seat, dice: random.Random) -> None:
    """One match to its end, with the client."""
    while seat.wait().outcome is None:
        world.check_going_on()
        try:
            if dice.random() < 0.02:
                seat.act("resign", seat.state.turn)
            else:
                seat.play(dice.choice(seat.state.moves).move)
        except ServerSaid as said:
            # With two servers: this one was behind, and what we saw there was not the newest.
            if said.code != "late" or world.servers == 1:
                raise
            world.late += 1


class Pending(NamedTuple):
    """A move that is not acknowledged yet."""

    ply: int
    move: str
    key: str


class LivePlayer:
    """One seat of one match on a live connection, as the page has it."""

    def __init__(self, world: World, seat: Seat, home: int, dice: random.Random, roaming: bool = False) -> None:
        self._world, self._seat, self._dice = world, seat, dice
        self._home, self._roaming = home, roaming
        self._pending: Pending | None = None
        self._state = seat.state
        self._tries = 0
        self._asked = 0.0

    def play(self) -> None:
        """To the end of the match, whatever happens to the connection."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self._world.check_going_on()
            port = self._world.ports[self._home % len(self._world.ports)]
            try:
                with connect(f"ws://127.0.0.1:{port}/ws/{self._seat.match}", close_timeout=0.1, proxy=None) as live:
                    self._send(live, wire.Hello(self._seat.token))
                    if self._pending is not None:
                        self._ask(live)
                    for frame in live:
                        deadline = time.monotonic() + PATIENCE
                        if self._told(live, frame):
                            return
            except (OSError, WebSocketException):
                self._home += self._roaming
            time.sleep(PAUSE)
        raise TimeoutError("the server has not come back")

    def _told(self, live: Any, frame: Any) -> bool:
        """Take a frame in, and go on; True when the match is over."""
        self._world.check_going_on()
        message = msgspec.json.decode(frame, type=wire.Welcome | wire.Update | wire.Refused | wire.Presence)
        if isinstance(message, wire.Presence):
            return False
        if isinstance(message, wire.Refused) and message.state is msgspec.UNSET:
            # Sent away because the database was; the connection ends with it.
            assert (message.key, message.code) == ("", "not-stored"), message
            self._world.not_stored += 1
            return False
        state = self._state = self._world.saw(followed(self._state, frame))
        pending = self._pending
        if isinstance(message, wire.Welcome):
            assert message.seats == self._seat.seats
        elif isinstance(message, wire.Update) and pending is not None and pending.key in message.done:
            assert state.ply > pending.ply
            self._world.done(Acknowledged(self._seat.match, *pending, self._tries, self._asked))
            self._pending = None
        elif isinstance(message, wire.Refused):
            assert pending is not None
            assert message.key == pending.key
            if message.code == "not-stored":
                self._world.not_stored += 1
                time.sleep(PAUSE)
                self._ask(live)
                return False
            assert message.code == "late", message.error
            assert self._world.servers > 1, f"{message.error} {pending}"
            self._world.late += 1
            self._pending = None
        if self._pending is None:
            if state.outcome is not None:
                return True
            if state.turn in self._seat.seats:
                self._pending = Pending(state.ply, self._dice.choice(state.moves).move, new_key())
                self._tries = 0
                self._ask(live)
        return False

    def _ask(self, live: Any) -> None:
        pending = self._pending
        assert pending is not None
        self._tries += 1
        self._asked = time.time()
        self._send(live, wire.Move(pending.ply, pending.move, pending.key))

    @staticmethod
    def _send(live: Any, message: wire.Request) -> None:
        live.send(msgspec.json.encode(message).decode())


def start_players(world: World, pairs: int, alone: int, seed: int = 1) -> None:
    """Pairs of friends, each pair with one who uses the client and one on a live connection; some against the computer,
    and as many who watch."""
    watched: queue.SimpleQueue[str] = queue.SimpleQueue()
    for number in range(pairs):
        _start_pair(world, number, watched, seed)
    for number in range(alone):
        _start_alone(world, number, seed)
        world.go(lambda number=number: _watch(world, number, watched))  # type: ignore[misc]


def _games(number: int) -> Iterator[str]:
    return islice(cycle(GAMES), number % len(GAMES), None)


def _start_pair(world: World, number: int, watched: queue.SimpleQueue[str], seed: int) -> None:
    invitations: queue.SimpleQueue[Seat | None] = queue.SimpleQueue()
    roaming = number % 3 == 2

    def first() -> None:
        dice, games = random.Random(f"first {seed} {number}"), _games(number)
        try:
            with Noting(world, number, roaming) as client:
                while not world.last_round.is_set():
                    seat = client.create(next(games), opponent="friend", name="Ann", seat=dice.choice([1, 2]))
                    world.created.append(seat.match)
                    watched.put(seat.match)
                    invitations.put(seat)
                    play_by_requests(world, seat, dice)
        finally:
            invitations.put(None)

    def second() -> None:
        dice = random.Random(f"second {seed} {number}")
        with Noting(world, number + 1, roaming) as client:
            while (invitation := invitations.get()) is not None:
                assert invitation.invite is not None
                seat = client.join(invitation.match, invitation.invite, "Ben")
                LivePlayer(world, seat, number + 1, dice, roaming).play()

    world.go(first)
    world.go(second)


def _start_alone(world: World, number: int, seed: int) -> None:
    def alone() -> None:
        dice, games = random.Random(f"alone {seed} {number}"), _games(number)
        with Noting(world, number) as client:
            while not world.last_round.is_set():
                seat = client.create(next(games), opponent=dice.choice(["easy", "random"]), seat="toss")
                world.created.append(seat.match)
                if number % 2:
                    play_by_requests(world, seat, dice)
                else:
                    LivePlayer(world, seat, number, dice).play()

    world.go(alone)


def _watch(world: World, number: int, watched: queue.SimpleQueue[str]) -> None:
    """Look on at one match after the other, until it is over."""
    with Noting(world, number) as client:
        while not world.last_round.is_set():
            with suppress(queue.Empty):
                match = watched.get(timeout=0.5)
                Seat(client, wire.Seated(match, [], "", None, client.look(match))).wait()


class Found(NamedTuple):
    """What the database has after all."""

    matches: int
    entries: int
    asked_again: int
    """Acknowledged requests that were asked more than once."""
    same_answer: int
    """Of those, how many were on disk when they were asked the last time: only the answer had been lost."""


def check(world: World, what: object, *servers: Running) -> Found:
    """Everybody plays to the end; then the database has all that they were told, and no worker is left."""
    world.finish()
    for server in servers:
        server.kill()
    found = look_at(servers[0].db, world)
    print(
        f"{what}, {len(world.acknowledged)} acknowledged, {found}, late {world.late}, not stored {world.not_stored}, "
        f"{time.monotonic() - world.began:.0f} s"
    )
    assert world.troubles == [], "\n".join(world.troubles)
    assert no_worker_is_left([server.folder for server in servers])
    return found


def look_at(db: str, world: World, everything_over: bool = True) -> Found:
    """Compare the database with what everybody was told; what is wrong goes to the world's troubles."""
    return asyncio.run(_look_at(db, world, everything_over))


async def _look_at(db: str, world: World, everything_over: bool) -> Found:
    wrong = world.troubles.append
    acknowledged = {(done.match, done.ply): done for done in world.acknowledged}
    if len(acknowledged) != len(world.acknowledged):
        wrong("one ply was acknowledged to two requests")
    shown = dict(world.shown)
    # Nobody here plays a second game, so it needs no name.
    showing = Showing(lambda _: "")
    keys: Counter[str] = Counter()
    matches, entries, same = set(), 0, 0
    async with opened(db) as store:
        async for kept, log in store.everything():
            matches.add(kept.match)
            if [entry.ply for entry in log] != list(range(len(log))):
                wrong(f"match {kept.match} has a gap, or a ply twice")
            state = new_state(kept)
            for ply, entry in enumerate([*log, None]):
                seen = shown.pop((kept.match, ply), None)
                if seen is not None and seen != _as_seen(showing.whole(state)):
                    wrong(f"match {kept.match} was shown otherwise at ply {ply}")
                if entry is None:
                    break
                state = state.apply(entry)
                entries += 1
                if entry.key:
                    keys[entry.key] += 1
                told = acknowledged.pop((kept.match, ply), None)
                if told is not None:
                    if (told.text, told.key) != (_text(entry), entry.key):
                        wrong(f"lost: another move stands at ply {ply} of {kept.match}")
                    same += told.tries > 1 and entry.at < told.asked
                elif everything_over and entry.key:
                    wrong(f"ply {ply} of {kept.match} was never acknowledged")
            if everything_over and not state.over:
                wrong(f"match {kept.match} did not come to its end")
    world.troubles += [f"lost: {done.text} at ply {done.ply} of {done.match}" for done in acknowledged.values()]
    world.troubles += [f"lost: ply {ply} of {match}, which was shown" for match, ply in shown]
    world.troubles += [f"request {key} happened {times} times" for key, times in keys.items() if times > 1]
    if set(world.created) - matches or len(world.created) != len(set(world.created)):
        wrong("lost: a match")
    if everything_over and matches - set(world.created):
        wrong("a match was made twice for one request")
    again = sum(done.tries > 1 for done in world.acknowledged)
    return Found(len(matches), entries, again, same)


def _as_seen(state: wire.State) -> bytes:
    """As players have it, who put it together from what they are told."""
    return msgspec.json.encode(msgspec.json.decode(msgspec.json.encode(state), type=wire.State))


def _text(entry: Entry) -> str:
    """An entry as `Acknowledged` has it."""
    return entry.move if isinstance(entry, Move) else f"!{entry.do}" if isinstance(entry, Action) else ""


def workers_of(home: Path) -> list[int]:
    """The processes that think for a server whose home this is, and which have not ended."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                command = Path(f"/proc/{name}/cmdline").read_bytes()
                surroundings = Path(f"/proc/{name}/environ").read_bytes()
            except OSError:
                continue  # Ended just now.
            if b"numberquest.server.think.worker" in command and f"HOME={home}".encode() in surroundings.split(b"\0"):
                found.append(int(name))
    return found


def no_worker_is_left(homes: Sequence[Path], patience: float = 20.0) -> bool:
    """Whether every worker of these homes ends by itself, once its server is gone."""
    with suppress(AssertionError):
        until(lambda: not any(map(workers_of, homes)), patience)
    return not any(map(workers_of, homes))
