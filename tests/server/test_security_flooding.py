"""Whoever asks too much, too slowly, or never listens is stopped; everybody else plays on."""

import contextlib
import json
import select
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import pytest

from numberquest.client import Client
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.web import oversight
from tests.conftest import a_few, in_ci
from tests.server.attacked import Friends, clean, friends
from tests.server.running import Running, wait_until
from tests.server.websocket import (
    PATIENCE,
    Answer,
    WebSocket,
    asked,
    connected,
    ended,
    followed,
    posted,
    read_answer,
    request,
)

ELSEWHERE = "127.0.0.2"
"""Another address that also leads here."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="only there all of 127.0.0.0/8 is this computer")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with small bounds."""
    options = ("--rate", "20", "--connections", "5", "--matches", "40")
    with Running(tmp_path_factory.mktemp("strict"), *options, generous=False) as running:
        yield running


def read_status(answers: BinaryIO) -> int:
    """The status of the next of several answers behind each other."""
    status = int(answers.readline().split()[1])
    length = 0
    while (line := answers.readline()) != b"\r\n":
        if line.lower().startswith(b"content-length:"):
            length = int(line.split()[1])
    answers.read(length)
    return status


def memory(server: Running) -> int:
    """How much memory the server uses, in bytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return 1024 * int(status.partition("VmRSS:")[2].split()[0])


# ---- too much


@linux
def test_requests_over_the_rate_are_refused_and_other_addresses_are_served(strict: Running) -> None:
    def until_refused(path: str) -> int:
        """How often it was answered before it was refused: on a slow machine more, for time goes by as well."""
        for served in range(5000):
            answer = asked(strict.port, "GET", path)
            if answer.status != 200:
                assert "too much" in clean(answer, 429, "too-many")
                return served
        raise AssertionError("never refused")

    assert until_refused("/api/openapi.json") >= 50
    assert asked(strict.port, "GET", "/api/openapi.json", source=ELSEWHERE).status == 200
    until_refused("/healthz")
    # What the page needs to show itself is not counted: a whole class may open it at once.
    assert asked(strict.port, "GET", "/").status == 200
    # Each is counted; on a slow machine some are let in meanwhile.
    for _ in range(1000):
        with WebSocket(strict.port, "a" * 20) as live:
            if live.answer.status != 101:
                break
    assert clean(live.answer, 429, "too-many")


@linux
def test_frames_over_the_rate_close_the_connection_and_not_that_of_the_other_player(strict: Running) -> None:
    source = "127.0.0.3"
    made = posted(strict.port, "/api/matches", {"game": "sumquest"}, source=source).json
    wish = {"invite": made["invite"]}
    joined = posted(strict.port, f"/api/matches/{made['match']}/join", wish, source="127.0.0.4").json
    with WebSocket(strict.port, made["match"], source=source) as flood:
        flood.hello(made["token"])
        with WebSocket(strict.port, made["match"], source="127.0.0.4") as other:
            other.hello(joined["token"])
            for _ in range(100):
                flood.say(type="move", ply=1, move="wrong", key="k")
            assert flood.closing() == 4008
            other.say(type="act", ply=1, do="resign", key="k")
            while (told := other.frame().json)["type"] == "presence":
                continue
            assert told["done"] == ["k"]


@linux
def test_spectators_cannot_use_up_what_the_players_may_ask(strict: Running) -> None:
    """All who know the public name, from many addresses, flood the match; its players play."""
    made = posted(strict.port, "/api/matches", {"game": "sumquest", "opponent": "screen"}, source="127.0.0.5").json
    path = f"/api/matches/{made['match']}"
    look = request("GET", path, f"Authorization: Bearer {'w' * 43}")
    for address in range(1, 5):
        with connected(strict.port, f"127.0.1.{address}") as plug, plug.makefile("rb") as answers:
            # Many behind each other, so that they are soon too many, on however slow a machine.
            statuses: Counter[int] = Counter()
            while statuses[429] < 10:
                plug.sendall(20 * look)
                statuses.update(read_status(answers) for _ in range(20))
            assert set(statuses) == {200, 429}
    for ply in range(6):
        wish = {"ply": ply, "move": "12"[ply % 2]}
        answer = posted(strict.port, f"{path}/moves", wish, made["token"], source="127.0.0.5")
        assert answer.status == 200, answer.body


@linux
def test_one_address_has_a_bounded_number_of_live_connections_and_streams(strict: Running) -> None:
    match = posted(strict.port, "/api/matches", {"game": "sumquest"}, source="127.0.0.6").json["match"]
    with contextlib.ExitStack() as stack:
        for number in range(5):
            if number % 2:
                stream = stack.enter_context(connected(strict.port, "127.0.0.6"))
                stream.sendall(request("GET", f"/api/matches/{match}/events"))
                assert read_answer(stream).status == 200
            else:
                stack.enter_context(WebSocket(strict.port, match, source="127.0.0.6")).hello()
        with WebSocket(strict.port, match, source="127.0.0.6") as live:
            assert clean(live.answer, 429, "too-many")
        answer = asked(strict.port, "GET", f"/api/matches/{match}/events", source="127.0.0.6")
        assert "connections" in clean(answer, 429, "too-many")
        with WebSocket(strict.port, match, source="127.0.0.7") as live:
            assert live.hello()["type"] == "welcome"
    # When they are gone, there is room again.

    def has_room() -> bool:
        with WebSocket(strict.port, match, source="127.0.0.6") as live:
            return live.open and live.hello()["type"] == "welcome"

    wait_until(has_room)


@linux
def test_one_address_has_a_bounded_number_of_connections_that_ask(strict: Running) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(connected(strict.port, "127.0.0.8")).sendall(b"GET /")
        with connected(strict.port, "127.0.0.8") as plug:
            assert "connections" in clean(read_answer(plug), 429, "too-many")
            assert ended(plug)
        assert asked(strict.port, "GET", "/", source="127.0.0.9").status == 200


@in_ci
@linux
def test_new_matches_over_the_rate_are_refused_and_other_addresses_are_served(tmp_path: Path) -> None:
    wish = {"game": "sumquest"}
    with Running(tmp_path, generous=False) as server:
        answers = [posted(server.port, "/api/matches", wish)]
        while answers[-1].status == 201:
            answers.append(posted(server.port, "/api/matches", wish))
        assert "Wait a minute" in clean(answers[-1], 429, "too-many")
        assert answers[-1].headers["retry-after"] == "60"
        # A class of thirty starts twice within a minute, and some more.
        assert len(answers) > 2 * 30 + 20
        assert posted(server.port, "/api/matches", wish, source=ELSEWHERE).status == 201


@in_ci
@linux
def test_one_address_has_a_share_of_the_open_matches_and_all_have_a_bound(tmp_path: Path) -> None:
    def filled(source: str) -> list[Answer]:
        """The matches that an address gets, and the refusal of the next one."""
        answers = [posted(server.port, "/api/matches", {"game": "sumquest"}, source=source)]
        while answers[-1].status == 201:
            answers.append(posted(server.port, "/api/matches", {"game": "sumquest"}, source=source))
        return answers

    with Running(tmp_path, "--matches", "40", generous=False) as server:
        wish = {"game": "sumquest", "key": "k" * 40}
        first = posted(server.port, "/api/matches", wish)
        *mine, refused = filled("127.0.0.1")
        assert "for this address" in clean(refused, 429, "too-many")
        assert len(mine) < 10
        # Asked again with the key of one that is there, it is no new one.
        assert posted(server.port, "/api/matches", wish).body == first.body
        # Everybody else gets some, the later the fewer, until there is no room at all.
        got = []
        for number in range(1, 60):
            *theirs, refused = filled(f"127.0.3.{number}")
            got.append(len(theirs))
            if "for this address" not in clean(refused, 429, "too-many"):
                break
        assert "as many open matches" in clean(refused, 429, "too-many")
        assert got[0] > 1
        assert got[:-1] == sorted(got[:-1], reverse=True)
        # One that came while the server counted at its start may count twice until it counts again: never too many.
        assert 39 <= 1 + len(mine) + sum(got) <= 40
        # Matches go on; and one that is over makes room for another, of somebody who has few.
        made = mine[0].json
        path = f"/api/matches/{made['match']}"
        seated = posted(server.port, f"{path}/join", {"invite": made["invite"]}).json
        assert posted(server.port, f"{path}/actions", {"ply": 1, "do": "resign"}, seated["token"]).status == 200
        assert posted(server.port, "/api/matches", {"game": "sumquest"}).status == 429
        assert posted(server.port, "/api/matches", {"game": "sumquest"}, source="127.0.0.2").status == 201


@in_ci
@linux
def test_spectators_cannot_keep_the_invited_friend_from_joining(tmp_path: Path) -> None:
    """They flood the match from many addresses while the friend comes and plays; before, from the friend's own too."""
    friend = "127.0.0.9"
    with Running(tmp_path, "--rate", "40", generous=False) as server:
        made = posted(server.port, "/api/matches", {"game": "sumquest"}, source="127.0.0.8").json
        path = f"/api/matches/{made['match']}"
        over = threading.Event()
        statuses: list[int] = []

        def look(plug: socket.socket) -> int:
            plug.sendall(request("GET", path))
            statuses.append(read_answer(plug).status)
            return statuses[-1]

        def flood(source: str) -> None:
            with connected(server.port, source) as plug:
                while not over.is_set():
                    look(plug)

        # At the friend's own address, somebody uses up what spectators there may ask, not all that the address may.
        with connected(server.port, friend) as plug:
            while look(plug) != 429:
                continue
        threads = [threading.Thread(target=flood, args=(f"127.0.4.{at}",), daemon=True) for at in range(1, 7)]
        for thread in threads:
            thread.start()
        try:
            wait_until(lambda: statuses.count(429) >= 500)
            joined = posted(server.port, f"{path}/join", {"invite": made["invite"]}, source=friend)
            assert joined.status == 200, joined.body
            with WebSocket(server.port, made["match"], source=friend) as live:
                live.hello(joined.json["token"])
                for ply in range(1, 7):
                    if ply % 2:
                        wish = {"ply": ply, "move": "1"}
                        assert posted(server.port, f"{path}/moves", wish, made["token"], "127.0.0.8").status == 200
                    else:
                        live.say(type="move", ply=ply, move="2", key=f"k{ply}")
                        while f"k{ply}" not in live.frame().json.get("done", []):
                            continue
        finally:
            over.set()
            for thread in threads:
                thread.join(20)
        # Somebody else who only wants to look can do that too.
        assert asked(server.port, "GET", path, source="127.0.0.10").status == 200


# ---- too slowly


def test_half_open_requests_do_not_keep_others_from_being_served(server: Running, match: Friends) -> None:
    beginnings = [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ]
    with contextlib.ExitStack() as stack:
        waiting = [stack.enter_context(connected(server.port)) for _ in range(400)]
        for number, plug in enumerate(waiting):
            plug.sendall(beginnings[number % 4])
        for ply in range(1, 7):
            token = (match.one, match.two)[1 - ply % 2]
            assert match.move(token, ply, "12"[ply % 2]).status == 200
        # They are still there: nobody had to wait until the server had given them all up.
        assert len(select.select(waiting, [], [], 0)[0]) < len(waiting)


@in_ci
def test_a_request_that_never_ends_is_ended(impatient: Running) -> None:
    """Nothing at all, half a head, half a body, a byte now and then, and a line's end after an answer."""
    head = b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    with contextlib.ExitStack() as stack:
        plugs = []
        for beginning in (b"", b"GET / HTTP/1.1\r\nHo", head, head + b"{", b"G"):
            plugs.append(stack.enter_context(connected(impatient.port)))
            plugs[-1].sendall(beginning)
        assert all(ended(plug) for plug in plugs)
    with connected(impatient.port) as plug:
        plug.sendall(head)
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - began < 30:
                plug.sendall(b" ")
                time.sleep(0.2)
        assert time.monotonic() - began < 30
    with connected(impatient.port) as plug:
        plug.sendall(request("GET", "/healthz"))
        assert read_answer(plug).status == 200
        plug.sendall(b"\r\n")
        assert ended(plug)
    # Answered before all of it was there, and then never finished.
    with connected(impatient.port) as plug:
        plug.sendall(request("POST", "/nowhere", "Content-Length: 100", body=b"x"))
        assert read_answer(plug).status == 405
        plug.sendall(b"x")
        assert ended(plug)


@in_ci
def test_a_live_connection_that_never_says_hello_is_ended(impatient: Running) -> None:
    with WebSocket(impatient.port, "a" * 20) as live:
        assert live.frame().json["code"] == "bad-request"
        assert live.closing() == 4007


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose times are short: the same code, started by a line that sets them."""
    with Impatient(tmp_path_factory.mktemp("impatient")) as running:
        yield running


class Impatient(Running):
    program = (
        "-c",
        "from numberquest.server.web import connection, oversight; import numberquest.cli, sys;"
        "oversight.ASK_WITHIN = oversight.LET_GO_WITHIN = connection.HELLO_WITHIN = 2.0;"
        "oversight.READ_WITHIN = 3.0; connection.PING_EVERY = 5.0;"
        "sys.exit(numberquest.cli.main())",
    )


def test_the_times_are_bounded_for_everybody_else_too() -> None:
    assert max(oversight.ASK_WITHIN, oversight.READ_WITHIN, oversight.LET_GO_WITHIN) <= 30


# ---- never listening


@in_ci
def test_a_live_connection_that_is_never_read_is_closed_and_takes_bounded_memory(impatient: Running) -> None:
    """Its match goes on and it keeps asking, by each of the ways to make the server say something."""
    match = friends(impatient)
    before = memory(impatient)
    flood = [
        json.dumps({"type": "move", "ply": 1, "move": "wrong", "key": "k" * 64}).encode(),
        b'{"type": "hello"}',
    ]
    for frame in flood:
        with WebSocket(impatient.port, match.match, window=2048) as live:
            live.hello(match.one)
            live.plug.settimeout(3)
            # Until there is no more room to send, or the server has closed.
            with contextlib.suppress(OSError):
                while True:
                    live.send(frame)
            wait_until(lambda: not is_open(live.plug, impatient))
    assert memory(impatient) - before < 20_000_000
    assert match.move(match.one, 1, "1").status == 200


@in_ci
def test_a_live_connection_that_is_silent_is_ended_and_one_that_answers_pings_is_not(impatient: Running) -> None:
    match = friends(impatient)
    with match.live() as silent, match.live() as awake:
        awake.plug.settimeout(0.2)
        until = time.monotonic() + 60
        while is_open(silent.plug, impatient) and time.monotonic() < until:
            # Answers the pings.
            with contextlib.suppress(TimeoutError):
                awake.frame()
        assert not is_open(silent.plug, impatient)
        awake.plug.settimeout(PATIENCE)
        awake.say(type="hello")
        assert awake.frame().json["type"] == "welcome"


def test_a_closed_connection_whose_last_words_are_never_read_is_let_go_of() -> None:
    """How much the system takes in between is not known outside: here it takes nothing, and the line never ends."""

    class Full:
        closing = ended = False

        def is_closing(self) -> bool:
            return self.closing

        def abort(self) -> None:
            self.ended = True

    line = Full()
    watched = oversight.Watched()
    watched.line = line  # type: ignore[assignment]
    watched._stalled = watched._closed = oversight.NEVER
    watched.check(1000.0)
    line.closing = True
    watched.check(1001.0)
    watched.check(1000.0 + oversight.LET_GO_WITHIN)
    assert not line.ended
    watched.check(1002.0 + oversight.LET_GO_WITHIN)
    assert line.ended


def test_heads_that_are_never_finished_are_bounded_altogether(server: Running) -> None:
    """Each line is short enough, and so is their number; without a bound, sixty of them took 88 MB."""
    head = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: %b\r\n" % (at, b"a" * 8000) for at in range(5))
    with connected(server.port) as plug:
        plug.sendall(head)
        assert clean(read_answer(plug), 413, "too-long")
        assert ended(plug)


def is_open(plug: socket.socket, server: Running) -> bool:
    """Whether the server still has this connection, whatever lies in between: the system's own list says so."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, ours, theirs, state, *_ = line.split()
        ports = [int(end.partition(":")[2], 16) for end in (ours, theirs)]
        if state == "01" and ports == [server.port, plug.getsockname()[1]]:
            return True
    return False


@in_ci
def test_a_stream_that_is_never_read_is_closed_and_takes_bounded_memory(impatient: Running) -> None:
    match = friends(impatient, "sumquest", settings={"target": 999})
    before = memory(impatient)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(connected(impatient.port, window=2048)) for _ in range(20)]
        for stream in streams:
            stream.sendall(request("GET", f"/api/matches/{match.match}/events"))
        with WebSocket(impatient.port, match.match) as one, WebSocket(impatient.port, match.match) as two:
            players = (one, two)
            hellos = (one.hello(match.one), two.hello(match.two))
            known = [msgspec.convert(welcome["state"], wire.State) for welcome in hellos]
            # A machine with much to do takes long for each move: what ends it is what must happen, not a clock.
            until = time.monotonic() + 120
            ply = 1
            while any(is_open(stream, impatient) for stream in streams) and ply < 640 and time.monotonic() < until:
                for at, player in enumerate(players):
                    player.say(type="move", ply=ply, move="12"[at], key=str(ply))
                    ply += 1
                    done: list[str] = []
                    while str(ply - 1) not in done:
                        frame = player.frame()
                        known[at], done = followed(known[at], frame.data), frame.json.get("done", [])
                    # One that reads slowly is told less often, and never too little.
                    while known[1 - at].ply < ply:
                        known[1 - at] = followed(known[1 - at], players[1 - at].frame().data)
        assert memory(impatient) - before < 40_000_000
        wait_until(lambda: not any(is_open(stream, impatient) for stream in streams))


@in_ci
def test_answers_that_are_never_read_end_the_connection(impatient: Running) -> None:
    """Many requests behind each other, and nobody takes the answers."""
    before = memory(impatient)
    with connected(impatient.port, window=2048) as plug:
        plug.settimeout(3)
        with contextlib.suppress(OSError):
            for _ in range(200):
                plug.sendall(request("GET", "/api/openapi.json") * 100)
        wait_until(lambda: not is_open(plug, impatient))
    assert memory(impatient) - before < 20_000_000


# ---- thinking


@in_ci
@linux
def test_reviews_of_the_largest_games_keep_nobody_from_playing(fresh: Running) -> None:
    """A hundred of them at once: those who play do so, and the computer moves, long before the reviews are done."""
    many: list[Answer] = []
    alone: list[Answer] = []
    match = friends(fresh)
    computer = fresh.client().create("mystic", opponent="easy", settings={"high": 2, "copies": 1})

    def ask(number: int, source: str, answers: list[Answer]) -> None:
        record = f'[Game "mystic"]\n[Settings "target={20 + number % 40} high=9 copies=4"]\n[Seed "{number}"]\n\n'
        with contextlib.suppress(OSError):
            answers.append(posted(fresh.port, "/api/reviews", {"record": record}, source=source))

    def attack(sources: list[str], answers: list[Answer]) -> None:
        for number, source in enumerate(sources):
            threading.Thread(target=ask, args=(number, source, answers), daemon=True).start()

    attack([f"127.0.2.{1 + number % 10}" for number in range(100)], many)
    wait_until(lambda: waiting(fresh) > 50)
    for ply in range(1, 9):
        assert match.move((match.one, match.two)[1 - ply % 2], ply, "12"[ply % 2]).status == 200
    # The computer answers although so many reviews wait.
    while computer.state.outcome is None:
        if computer.my_turn:
            computer.play(computer.state.moves[0].move)
        computer.wait()
    assert waiting(fresh) > 20, "that was no attack"
    # One address alone cannot fill the line: what is too much is refused at once, and to nobody else.
    attack(["127.0.3.1"] * 200, alone)
    wait_until(lambda: "busy" in codes(alone))
    assert asked(fresh.port, "GET", "/api/puzzles/daily?date=2026-11-16&game=sumquest").status == 200
    assert codes(many) <= {"too-large"}
    assert codes(alone) <= {"busy", "too-large"}
    for answer in many + alone:
        assert answer.status == 200 or clean(answer, answer.status, answer.json["code"])
    assert memory(fresh) < 200_000_000
    computer._client.close()


def waiting(server: Running) -> float:
    """How many tasks wait for a worker."""
    return sum(value for name, value in server.metrics().items() if name.startswith("numberquest_thinking_waiting"))


def codes(answers: list[Answer]) -> set[str]:
    """Why some were refused."""
    return {answer.json["code"] for answer in list(answers) if answer.status != 200}


@in_ci
@linux
def test_one_address_has_a_budget_of_thinking_and_what_is_known_is_free(tmp_path: Path) -> None:
    """Reviews of large games, as many as it can send: some are taken, the others told to wait; others are served."""
    day = "/api/puzzles/daily?date=2026-11-16&game=sumquest"
    with Running(tmp_path, generous=False) as server, contextlib.ExitStack() as stack:
        assert asked(server.port, "GET", day).status == 200
        mine = posted(server.port, "/api/matches", {"game": "sumquest", "opponent": "easy", "seat": 1}).json
        plugs = []
        for number in range(300):
            record = f'[Game "mystic"]\n[Settings "target={20 + number % 40} high=9 copies=4"]\n[Seed "{number}"]\n\n'
            body = json.dumps({"record": record}).encode()
            plug = stack.enter_context(connected(server.port))
            plug.sendall(request("POST", "/api/reviews", "Content-Type: application/json", body=body))
            plugs.append(plug)
        # Those that are too many are told so at once, while others still wait.
        answered: list[Answer] = []
        while 429 not in {answer.status for answer in answered}:
            for plug in select.select(plugs, [], [], 60)[0]:
                answered.append(read_answer(plug))
                plugs.remove(plug)
            assert plugs, "never refused"
        refused = next(answer for answer in answered if answer.status == 429)
        assert "thought about" in clean(refused, 429, "too-many")
        hint = f"/api/matches/{mine['match']}/hints"
        assert asked(server.port, "GET", day).status == 200
        assert asked(server.port, "GET", "/api/games").status == 200
        assert posted(server.port, hint, {"ply": 0, "step": 1}, mine["token"], ELSEWHERE).status == 200


def largest(slug: str) -> dict[str, Any]:
    """The settings of a game that make it as large as it gets."""
    return {
        "showdown": {"high": 13, "picks": 13},
        "fifty": {"target": 200, "high": 9, "copies": 4},
        "grid": {"side": 4, "target": 99, "stand": True},
        "sumquest": {"target": 999},
        "mystic": {"target": 60, "copies": 4},
    }.get(slug, {})


@pytest.mark.parametrize("slug", a_few(GAMES, 2))
def test_the_computer_moves_in_the_largest_games_too(client: Client, slug: str) -> None:
    seat = client.create(slug, opponent="hard", seat=2, settings=largest(slug))
    seat.wait(lambda state: state.turn == 2 or state.outcome is not None)
    assert seat.state.history
