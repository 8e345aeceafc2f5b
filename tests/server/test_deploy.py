"""The samples of `deploy/`, each tried with the program that it is for."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from numberquest.client import Client
from numberquest.core.sentences import Said
from numberquest.server.refusal import Refusal
from numberquest.server.web.http import problem
from tests.conftest import required
from tests.server.nginx import DEPLOY, Nginx, free_port
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, connected, posted, read_answer, request
from tests.torture.campaign import only_long


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("server"), "--proxy", "127.0.0.1") as running:
        yield running


@pytest.fixture(scope="module")
def nginx(server: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    with Nginx(tmp_path_factory.mktemp("nginx"), server.port) as running:
        yield running


@pytest.fixture
def client(nginx: Nginx) -> Iterator[Client]:
    with Client(nginx.url) as one:
        yield one


def test_behind_nginx_the_page_is_as_it_was_and_a_game_is_played_to_its_end(
    server: Running, nginx: Nginx, client: Client
) -> None:
    for path in ("/", "/static/app.js", "/static/style/page.css"):
        for packed in ("gzip", "identity"):
            here, there = (asked(port, "GET", path, f"Accept-Encoding: {packed}") for port in (nginx.port, server.port))
            assert (here.status, here.body) == (200, there.body)
            assert here.headers.get("content-encoding") == there.headers.get("content-encoding")
            assert here.headers["content-security-policy"] == there.headers["content-security-policy"]
    seat = client.create("sumquest", opponent="easy")
    while seat.wait().outcome is None:
        seat.play(seat.state.moves[0].move)
    assert client.record(seat.match)


def test_behind_nginx_a_live_connection_plays_and_other_pages_have_none(nginx: Nginx, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen")
    own = f"http://127.0.0.1:{nginx.port}"
    with WebSocket(nginx.port, seat.match, origin=own) as live:
        assert live.hello(seat.token)["type"] == "welcome"
        live.say(type="move", ply=seat.state.ply, move=seat.state.moves[0].move, key="once")
        assert "once" in live.frame().json["done"]
    for elsewhere in ("https://a.example", "http://127.0.0.1:1", "null"):
        with WebSocket(nginx.port, seat.match, origin=elsewhere) as live:
            assert live.answer.status == 403


@pytest.mark.parametrize("bare", [False, True], ids=["as the sample", "knowing nothing but where the server is"])
def test_behind_nginx_each_line_of_a_stream_arrives_when_it_is_told(
    server: Running, tmp_path: Path, bare: bool
) -> None:
    with Nginx(tmp_path / "nginx", server.port, bare=bare) as nginx, connected(nginx.port) as plug:
        seat = server.client().create("sumquest", opponent="screen", settings={"target": 999})
        plug.sendall(request("GET", f"/api/matches/{seat.match}/events"))
        with plug.makefile("rb") as stream:
            for move in ("1", "2", "1"):
                # The stream goes on: what is held back until there is more of it is not here.
                assert next_event(stream)["type"] == "update"
                seat.play(move)


def next_event(stream: BinaryIO) -> Any:
    """The next line of JSON, of an answer that is sent in pieces."""
    while not (line := stream.readline()).startswith(b"{"):
        assert line, "the stream has ended"
    return json.loads(line)


def test_behind_nginx_those_who_ask_are_told_apart_and_cannot_say_they_are_others(tmp_path: Path) -> None:
    claims = ("X-Forwarded-For: 10.1.2.{}", "Forwarded: for=10.1.2.{}", "X-Real-IP: 10.1.2.{}")
    nothing = f"/api/matches/{'a' * 16}"
    with (
        Running(tmp_path, "--proxy", "127.0.0.1", "--rate", "5", generous=False) as server,
        Nginx(tmp_path / "nginx", server.port) as nginx,
    ):
        for number in range(250):
            claimed = [claim.format(number) for claim in claims]
            greedy = asked(nginx.port, "GET", nothing, *claimed, source="127.0.0.2")
            if greedy.status == 429:
                break
        assert greedy.status == 429
        assert asked(nginx.port, "GET", nothing, source="127.0.0.3").status == 404
        server.stop()
        refused = {(event["reason"], event["address"]) for event in server.events() if event["event"] == "refused"}
        assert refused == {("not-found", "127.0.0.2"), ("too-many", "127.0.0.2"), ("not-found", "127.0.0.3")}


def test_behind_nginx_a_slow_client_is_served_and_holds_up_nobody(nginx: Nginx, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen", settings={"target": 999})
    whole = request("GET", "/static/style/page.css")
    with connected(nginx.port) as sender, connected(nginx.port, window=2048) as reader:
        reader.sendall(whole)
        for ply, drop in enumerate(whole[at : at + 8] for at in range(0, len(whole), 8)):
            sender.sendall(drop)
            seat.play(seat.state.moves[ply % 2].move)
        assert read_answer(sender).body == read_answer(reader).body


def test_behind_nginx_too_much_is_refused_in_our_words(nginx: Nginx) -> None:
    answer = posted(nginx.port, "/api/reviews", b"x" * (64 * 1024 + 1))
    assert (answer.status, answer.json["code"]) == (413, "too-long")


# ---- the service

UNIT = DEPLOY / "numberquest@.service"
PROGRAM = "/opt/numberquest/%i/bin/numberquest"


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The sample, where the program is one that this machine has."""
    text = UNIT.read_text()
    assert PROGRAM in text
    copy = tmp_path / UNIT.name
    copy.write_text(text.replace(PROGRAM, sys.executable))
    return copy


def analyzed(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        required("systemd-analyze")
    return subprocess.run([str(program), "--man=no", *arguments], capture_output=True, text=True, timeout=60)


def test_systemd_understands_every_line_of_the_unit(unit: Path) -> None:
    found = analyzed("verify", str(unit))
    assert (found.returncode, found.stdout + found.stderr) == (0, "")
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", "ProtectSystem=sternly"))
    assert "sternly" in analyzed("verify", str(unit)).stderr


def test_systemd_finds_little_that_the_unit_leaves_open(unit: Path) -> None:
    # From 0, where nothing is open, to 10; a unit without a word about it has 9.6.
    found = analyzed("security", "--offline=true", "--threshold=15", "--no-pager", str(unit))
    assert found.returncode == 0, found.stdout


def test_the_unit_leaves_in_sight_what_the_server_reads() -> None:
    """With a smaller /proc no time would count while the server is stopped, and all memory would seem free."""
    assert "ProcSubset" not in re.findall(r"^(\w+)=", UNIT.read_text(), re.MULTILINE)


def test_the_command_of_the_unit_starts_a_server_that_stops_when_it_is_told_to(tmp_path: Path) -> None:
    said = dict(re.findall(r"^(ExecStart|KillSignal|DynamicUser)=(.*)$", UNIT.read_text(), re.MULTILINE))
    assert "KillSignal" not in said  # It is SIGTERM then.
    port = free_port()
    gaps = {PROGRAM: f"{sys.executable} -m numberquest", "%i": str(port), "${DB}": str(tmp_path / "db"), " $MORE": ""}
    command = said["ExecStart"]
    for gap, filled in gaps.items():
        assert gap in command
        command = command.replace(gap, filled)
    serves_and_stops(shlex.split(command), port)


def serves_and_stops(command: list[str], port: int, health: list[str] | None = None) -> None:
    """Run it, look whether it is well, and tell it to stop."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            assert "Number Quest is ready" in process.stdout.readline()
            assert asked(port, "GET", "/healthz").status == 200
            if health is not None:
                subprocess.run(health, check=True, timeout=60)
            process.terminate()
            assert process.wait(30) == 0
            if health is not None:
                assert subprocess.run(health, stderr=subprocess.DEVNULL, timeout=60).returncode
        finally:
            process.kill()


def test_the_service_says_when_it_can_be_asked_and_that_it_is_alive(tmp_path: Path) -> None:
    said = dict(re.findall(r"^(Type|WatchdogSec|MemoryMax)=(.*)$", UNIT.read_text(), re.MULTILINE))
    assert said["Type"] == "notify"
    assert "MemoryMax" in said
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, pytest.MonkeyPatch.context() as patch:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        patch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        with Running(tmp_path) as server:
            assert systemd.recv(100) == b"READY=1"
            assert asked(server.port, "GET", "/healthz").status == 200
            for _ in range(2):
                assert systemd.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize("prefix", ["", "/play"])
def test_nginx_is_a_wall_before_the_server_and_says_when_to_ask_again(prefix: str, tmp_path: Path) -> None:
    """In the words of the server, also in a folder of somebody's own host."""
    options = ("--prefix", prefix) if prefix else ()
    with (
        Running(tmp_path, *options) as server,
        Nginx(tmp_path / "nginx", server.port, rate=1, prefixed=bool(prefix)) as nginx,
    ):
        answers = [asked(nginx.port, "GET", f"{prefix}/healthz") for _ in range(10)]
        assert answers[0].status == 200
        refused = [answer for answer in answers if answer.status != 200]
        assert {answer.status for answer in refused} == {429}
        ours = problem(Refusal("too-many", Said("much-at-once")))
        assert {answer.headers["retry-after"] for answer in refused} == {ours.headers["Retry-After"]}
        assert {answer.body for answer in refused} == {ours.body}


# ---- the container

RECIPE = DEPLOY / "Containerfile"


def steps() -> list[tuple[str, str]]:
    """The steps of the recipe: what is done, and with what."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [(done, rest.strip()) for done, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


@only_long
@pytest.mark.timeout(600)
def test_the_steps_of_the_container_make_a_server_that_is_well(tmp_path: Path) -> None:
    """Without a container: in a folder that has only what is copied, with a fresh Python in place of the image's."""
    here, made = tmp_path / "here", tmp_path / "made"
    here.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "image")], check=True)
    surroundings = {"PATH": f"{tmp_path / 'image' / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    port, health, entry = free_port(), "", ""

    def moved(text: str) -> str:
        return text.replace("/opt/numberquest", str(made)).replace("8000", str(port)).replace("/data", str(tmp_path))

    for done, rest in steps():
        if done == "COPY" and not rest.startswith("--from"):
            *sources, target = rest.split()
            for source in sources:
                found, there = DEPLOY.parent / source, here / target
                if found.is_dir():
                    shutil.copytree(found, there, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(found, there)
        elif done == "RUN" and not rest.startswith("useradd"):
            ran = subprocess.run(moved(rest), shell=True, cwd=here, env=surroundings, capture_output=True, text=True)  # noqa: S602
            assert ran.returncode == 0, ran.stdout + ran.stderr
        elif done == "HEALTHCHECK":
            health = moved(rest.partition("CMD ")[2])
        elif done == "ENTRYPOINT":
            entry = moved(rest)
    program, *options = json.loads(entry)
    serves_and_stops([program, *options, "--host", "127.0.0.1"], port, json.loads(health))


def test_the_container_runs_as_nobody_and_keeps_its_games_outside() -> None:
    last = dict(steps())
    assert last["USER"] != "0"
    assert last["USER"] in last["RUN"]
    assert last["VOLUME"] == "/data"
    assert '"--db", "/data/games.db"' in last["ENTRYPOINT"]


@only_long
@pytest.mark.timeout(900)
def test_the_container_is_built_where_there_is_a_builder_that_has_python() -> None:
    image = next(rest for done, rest in reversed(steps()) if done == "FROM")
    for builder in ("podman", "buildah", "docker"):
        # An image is never fetched by a test.
        if shutil.which(builder) and not subprocess.run([builder, "inspect", image], capture_output=True).returncode:
            break
    else:
        pytest.skip(f"SKIPPED: no podman, buildah or docker with {image} is on this machine")
    subprocess.run([builder, "build", "-f", str(RECIPE), "-t", "numberquest-test", str(DEPLOY.parent)], check=True)
    subprocess.run([builder, "rmi", "numberquest-test"], check=True)
