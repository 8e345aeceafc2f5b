"""A player in a process of its own: asked in lines, whatever it answers, and ended with its children."""

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.contract import CHANCE
from numberquest.core.stream import Stream
from numberquest.core.view import shown
from numberquest.players import engine as protocol
from numberquest.players.answers import read_move
from numberquest.players.asking import Illegal, ProviderError, Reply, ask, leads_to
from numberquest.players.engine import Engine
from numberquest.players.named import who
from tests.conftest import a_few
from tests.players.readings import READINGS
from tests.strategies import KINDS, matches
from tests.study.running import runs, until

ROGUE = Path(__file__).parent / "rogue.py"
SUM = nq.game("sumquest")
Start = Callable[..., Engine]
ON_LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="nothing shows whose child has left")
Notes = Callable[[], list[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """An engine that behaves in that way; ended after the test."""
    started: list[Engine] = []

    def starting(way: str = "good") -> Engine:
        engine = who(f"cmd:{sys.executable} -S {ROGUE} {way} {tmp_path / 'notes'}")
        assert isinstance(engine, Engine)
        started.append(engine)
        return engine

    yield starting
    for engine in started:
        engine.close()


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return lambda: (tmp_path / "notes").read_text().splitlines() if (tmp_path / "notes").exists() else []


def dice() -> Stream:
    return Stream("1", "a")


def asked_of(engine: Engine, tries: int = 3) -> Reply:
    return ask(engine, SUM, SUM.start(), dice(), (), tries)


def allow(monkeypatch: pytest.MonkeyPatch, grace: float) -> None:
    """So many seconds an engine has to end by itself."""
    for module in ("engine", "process"):
        monkeypatch.setattr(f"numberquest.players.{module}.GRACE", grace)


def test_it_is_asked_and_answers_and_ends_by_itself_at_once(
    start: Start, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, 100)
    engine = start()
    assert asked_of(engine) == Reply("1")
    question = json.loads(notes()[0])
    assert question == {
        "type": "question",
        "id": 1,
        "seat": 1,
        "position": {"total": 0, "barred": None},
        "words": ["Sum: 0 of 23", "Barred now: no number"],
        "history": [],
        "moves": list("123456789"),
        "seed": dice().below(2**53),
        "seconds": 10.0,
    }
    process, before = engine._process, time.monotonic()
    assert process is not None
    engine.close()
    assert notes()[-1] == "goodbye"
    assert process._child.returncode == 0
    assert time.monotonic() - before < 50


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_a_whole_game_of_any_kind_is_told_as_facts(kind: Any, start: Start, notes: Notes) -> None:
    engine, game = start(), kind()
    match, heard = nq.Match(game, seed=7), 0
    # A game without an end is left after so many moves.
    while match.outcome is None and len(match.history) < 40:
        position, history = match.position, match.history
        move = ask(engine, game, position, dice(), history).move
        question = json.loads(notes()[heard])
        heard += 1
        assert move == match.moves[0]
        assert question["moves"] == list(match.moves)
        assert question["position"] == json.loads(json.dumps(shown(game, position)))
        assert [entry["move"] for entry in question["history"]] == list(history)
        movers = [game.player(p) for p in match.positions[:-1]]
        assert [entry["by"] for entry in question["history"]] == [None if by == CHANCE else by + 1 for by in movers]
        assert question["seat"] == match.player + 1
        match.play(move)


def test_another_game_is_told_before_it_is_asked_about(start: Start) -> None:
    engine = start()
    for game in (SUM, nq.game("sumquest", target=30), nq.game("fifty"), SUM):
        assert ask(engine, game, game.start(), dice(), ()).move == game.moves(game.start())[0]


def test_a_history_that_does_not_lead_there_is_not_told(start: Start, notes: Notes) -> None:
    engine = start()
    engine.follow(["5", "6"])
    engine.choose(SUM, SUM.start(), dice())
    assert json.loads(notes()[0])["history"] is None


@pytest.mark.parametrize("way", ["wrong-at-first", "no-json", "no-object", "no-id", "no-move"])
def test_a_wrong_answer_is_told_why_and_asked_for_again(way: str, start: Start, notes: Notes) -> None:
    asked = asked_of(start(way))
    assert asked.move == "1"
    assert len(asked.illegal) == 1
    first, second = map(json.loads, notes())
    assert "refused" not in first
    assert second["refused"] == {"said": asked.illegal[0].said, "why": asked.illegal[0].why}
    assert second["id"] == 2


def test_who_goes_on_being_wrong_has_forfeited(start: Start, notes: Notes) -> None:
    asked = asked_of(start("wrong"), tries=4)
    assert asked.move is None
    assert [wrong.said for wrong in asked.illegal] == ["nonsense"] * 4
    assert len(notes()) == 4
    assert str(asked.illegal[0]) == "'nonsense' names no allowed move; allowed is 1 to 9"


def test_a_reproach_belongs_to_its_position(start: Start, notes: Notes) -> None:
    engine = start("wrong")
    with pytest.raises(Illegal):
        engine.choose(SUM, SUM.start(), dice())
    with pytest.raises(Illegal):
        engine.choose(SUM, SUM.play(SUM.start(), "5"), dice())
    assert "refused" not in json.loads(notes()[1])


@pytest.mark.parametrize(("way", "times"), [("old-answers", 1), ("number", 1), ("deaf", 1), ("loud", 2)])
def test_what_harms_nobody_is_let_pass(way: str, times: int, start: Start) -> None:
    engine = start(way)
    for _ in range(times):
        assert asked_of(engine) == Reply("1")


@pytest.mark.parametrize("way", ["silent", "late", "chatters"])
def test_who_is_late_has_an_error_and_is_ended(way: str, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERQUEST_SECONDS", "0.3")
    engine = start(way)
    engine.prepare(SUM, print)
    process = engine._process
    assert process is not None
    with pytest.raises(ProviderError, match=r"cmd:.*: it gave no answer within 0\.3 s"):
        asked_of(engine)
    assert not runs(process._child.pid)


@pytest.mark.parametrize(
    ("way", "why"),
    [
        ("dies", "it ended with exit code 3 before it answered; its last words: 'about to fail / out of cheese'"),
        ("killed", "it was ended by signal 9 before it answered"),
        ("closes", "it closed its output before it answered"),
        ("endless-line", "it said more than 1,048,576 bytes in one line"),
    ],
)
def test_who_ends_has_an_error_that_says_how(way: str, why: str, start: Start) -> None:
    engine = start(way)
    for _ in range(2):
        # It is started anew with the next question.
        with pytest.raises(ProviderError) as error:
            asked_of(engine)
        assert str(error.value) == f"{engine.name}: {why}"
        if way == "closes":
            break


def test_an_engine_may_say_that_it_has_an_error_and_goes_on(start: Start) -> None:
    engine = start("error")
    with pytest.raises(ProviderError, match="it reports an error: 'the server that I ask is down'"):
        asked_of(engine)
    process = engine._process
    assert asked_of(engine).move == "1"
    assert engine._process is process


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("true", "it ended with exit code 0 before it answered"),
        ("cat", "it does not speak the protocol: it says back what it is told"),
        ("sh -c 'echo Welcome; read x'", "it does not speak the protocol: 'Welcome' is no JSON object"),
        (f"{sys.executable} -S {ROGUE} other-version", "it speaks version '2' of the protocol, and this is version 1"),
    ],
)
def test_what_is_no_engine_is_told_before_the_game(command: str, why: str) -> None:
    engine = who(f"cmd:{command}")
    with pytest.raises(ProviderError) as error:
        engine.prepare(SUM, print)
    assert str(error.value) == f"cmd:{command}: {why}"


def test_who_does_not_say_that_it_is_ready_is_late(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.players.engine.START", 0.2)
    monkeypatch.setenv("NUMBERQUEST_SECONDS", "0.2")
    with pytest.raises(ProviderError, match=r"it gave no answer within 0\.2 s"):
        start("speechless").prepare(SUM, print)


@pytest.mark.parametrize("way", ["children", "stubborn", pytest.param("leaves", marks=ON_LINUX)])
def test_it_ends_with_its_children(way: str, start: Start, notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, 0.1)
    engine = start(way)
    assert asked_of(engine).move == "1"
    pids = [int(line) for line in notes()[:2]]
    assert all(map(runs, pids))
    engine.close()
    until(lambda: not any(map(runs, pids)))


def test_it_ends_when_nobody_has_it_any_more() -> None:
    engine = who(f"cmd:{sys.executable} -S {ROGUE}")
    engine.prepare(SUM, print)
    assert isinstance(engine, Engine)
    assert engine._process is not None
    pid = engine._process._child.pid
    assert runs(pid)
    del engine
    gc.collect()
    until(lambda: not runs(pid))


@pytest.mark.parametrize("end", a_few([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None], 1))
@pytest.mark.parametrize("way", ["children", pytest.param("leaves", marks=ON_LINUX)])
def test_it_ends_with_its_children_when_we_do(way: str, end: int | None, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    ours = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, numberquest as nq\n"
            "engine = nq.player(sys.argv[1])\n"
            "engine.prepare(nq.game('sumquest'), print)\n"
            "print('ready', flush=True)\n"
            "sys.stdin.readline()\n",
            f"cmd:{sys.executable} -S {ROGUE} {way} {notes}",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == b"ready\n"
        pids = [int(line) for line in notes.read_text().splitlines()]
        assert all(map(runs, pids))
        if end is None:
            ours.communicate(b"\n")
        else:
            ours.send_signal(end)
        until(lambda: not any(map(runs, pids)))


def test_a_copy_of_ours_does_not_end_it(start: Start) -> None:
    engine = start()
    engine.prepare(SUM, print)
    copy = os.fork()
    if not copy:
        engine.close()
        os._exit(0)
    os.waitpid(copy, 0)
    assert asked_of(engine).move == "1"


def test_closing_it_twice_is_fine_and_it_can_be_asked_again(start: Start) -> None:
    engine = start()
    assert asked_of(engine).move == "1"
    engine.close()
    engine.close()
    assert asked_of(engine).move == "1"


ALLOWED = ("1", "2")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
LINES = st.one_of(
    st.binary(max_size=50),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["answer", "ready", "error", "info"]) | JSON,
            "id": st.integers(0, 3) | JSON,
            "move": st.sampled_from(["1", "2", "3", 1, 2, 3]) | JSON,
            "error": JSON,
            "protocol": st.integers(0, 2) | JSON,
        },
    ).map(lambda value: json.dumps(value).encode()),
)


@pytest.mark.parametrize("slug", READINGS)
def test_an_answer_means_what_it_means_everywhere(slug: str) -> None:
    match = nq.Match(nq.game(slug), seed=1)
    for said, move in READINGS[slug].items():
        line = protocol.encoded({"type": "answer", "id": 1, "move": said})
        try:
            read = protocol.read_answer(line, 1, match.moves, match.game.actions)
        except Illegal:
            read = None
        assert read == move, said


@given(LINES)
def test_whatever_a_line_says_it_is_read(line: bytes) -> None:
    try:
        move = protocol.read_answer(line, 2, ALLOWED)
    except (Illegal, ProviderError) as trouble:
        assert len(str(trouble)) < 500
        assert str(trouble).isprintable()
    else:
        assert move in (None, *ALLOWED)
        if move is not None:
            heard = json.loads(line)
            assert (heard["type"], heard["id"], read_move(str(heard["move"]), ALLOWED).move) == ("answer", 2, move)
    try:
        ready = protocol.is_ready(line)
    except ProviderError as trouble:
        assert str(trouble).isprintable()
    else:
        assert not ready or json.loads(line)["protocol"] == 1


@pytest.mark.parametrize("deep", [b"[" * 100_000, b'{"a":' * 100_000])
def test_a_line_that_is_nested_without_end_is_no_object(deep: bytes) -> None:
    with pytest.raises(Illegal, match="is no JSON object"):
        protocol.read_answer(deep, 1, ALLOWED)


@given(matches(KINDS))
def test_a_question_about_any_game_and_setting_is_one_line_of_facts(match: nq.Match[Any]) -> None:
    game = match.game
    if match.outcome is not None:
        return
    text = protocol.encoded(protocol.question(game, match.position, match.history, number=1, seed=2, seconds=3))
    assert text.count(b"\n") == 1
    asked = json.loads(text)
    assert asked["moves"] == list(match.moves)
    assert [entry["move"] for entry in asked["history"]] == list(match.history)
    assert [entry["by"] is None for entry in asked["history"]] == [
        game.player(p) == CHANCE for p in match.positions[:-1]
    ]
    names = [field["name"] for field in json.loads(protocol.encoded(protocol.hello(game)))["fields"]]
    assert list(asked["position"]) == names
    assert leads_to(game, match.history, match.position)
    assert not leads_to(game, [*match.history, "nonsense"], match.position)
