"""Games played by calls alone: every call is answered, and what is wrong is an answer too; and how adapters start."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.cli import main
from numberquest.core.stream import Stream
from numberquest.envs import tool_session as tool_sessions
from numberquest.envs.tool_session import ToolSession
from tests.players.readings import READINGS


def to_the_end(session: ToolSession, state: dict[str, Any], dice: Stream) -> dict[str, Any]:
    while not state["over"]:
        state = session.move(state["id"], dice.choose(state["moves"]))
        assert state["accepted"]
    return state


@given(st.sampled_from(list(nq.GAMES)), st.sampled_from([1, 2]), st.integers(0, 10**6))
def test_a_game_goes_to_its_end_and_every_answer_is_json(slug: str, seat: int, seed: int) -> None:
    session = ToolSession(seed=seed)
    state = session.begin(slug, None, "random", seat)
    assert state["you"] == seat
    while not state["over"]:
        assert list(json.loads(json.dumps(state))) == list(state)
        assert state["turn"] == seat
        assert state == session.look(state["id"])
        state = session.move(state["id"], Stream(str(seed), "here").choose(state["moves"]))
        assert state.pop("accepted")
        state.pop("played")
    assert state["moves"] == []
    assert state["turn"] is None
    match = nq.Match(nq.game(slug), seed=f"{seed}.1")
    for entry in state["history"]:
        if entry["by"] is not None:
            match.play(entry["move"])
    assert match.outcome is not None
    assert state["winner"] == (None if match.outcome.winner is None else match.outcome.winner + 1)
    assert state["you_won"] == (match.outcome.winner == seat - 1)


@pytest.mark.parametrize("typed", ["target=30 copies=1", "target=30, copies=1", " target=30;copies=1 "])
def test_settings_may_be_typed_as_people_do(typed: str) -> None:
    session = ToolSession(seed=1)
    assert session.begin("fifty", typed, "random")["settings"] == {"target": 30, "high": 9, "copies": 1, "ops": "+-*/"}
    assert session.rules("fifty", typed) == session.rules("fifty", {"target": 30, "copies": 1})
    assert session.begin("fifty", "", "random")["settings"] == session.begin("fifty", None, "random")["settings"]
    assert (
        session.rules("fifty", "thirty")["error"] == "a setting is written name=value, such as target=30, not 'thirty'"
    )


@pytest.mark.parametrize("slug", nq.GAMES)
def test_what_is_no_allowed_move_changes_nothing_and_says_why(slug: str) -> None:
    session = ToolSession(seed=1)
    before = session.begin(slug, None, "random")
    for wrong in ("", "nonsense", "[99999]", "\x00", "🎲" * 1000):
        answer = session.move(before["id"], wrong)
        assert answer["accepted"] is False
        assert answer["error"]
        assert {name: answer[name] for name in before} == before


@pytest.mark.parametrize("slug", READINGS)
def test_an_answer_means_what_it_means_everywhere(slug: str) -> None:
    session = ToolSession(seed=1)
    for said, move in READINGS[slug].items():
        assert session.move(session.begin(slug, None, "random")["id"], said).get("played") == move, said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda p: p.begin("chess"), "there is no game called 'chess'"),
        (lambda p: p.begin("./own.py"), "there is no game called './own.py'"),
        (lambda p: p.rules("chess"), "there is no game called"),
        (lambda p: p.begin("fifty", {"target": 7_000_000}), "target"),
        (lambda p: p.begin("fifty", {"colour": "red"}), "colour"),
        (lambda p: p.begin("fifty", None, "cmd:rm"), "there is no opponent called 'cmd:rm'"),
        (lambda p: p.begin("fifty", None, "hard", 3), "a seat is 1 or 2"),
        (lambda p: p.look("x"), "there is no game with the id 'x'"),
        (lambda p: p.review(p.begin("fifty", None, "random")["id"]), "not over"),
        (lambda p: p.value(p.begin("fifty", None, "random")["id"]), "analysis is off"),
        (lambda p: p.best_moves(p.begin("fifty", None, "random")["id"]), "analysis is off"),
    ],
)
def test_a_call_that_cannot_be_is_answered_with_one_sentence(call: Any, said: str) -> None:
    answer = call(ToolSession())
    assert list(answer) == ["error"]
    assert said in answer["error"]


def test_resigning_loses_and_comes_once() -> None:
    session = ToolSession()
    begun = session.begin("fifty", None, "random", 2)
    assert session.resign(begun["id"])["winner"] == 1
    assert "error" in session.resign(begun["id"])
    answer = session.move(begun["id"], "5+")
    assert (answer["accepted"], answer["error"]) == (False, "the game is over")


def test_the_review_is_that_of_the_game() -> None:
    session = ToolSession(seed=3)
    state = to_the_end(session, session.begin("sumquest", None, "random"), Stream("3", "here"))
    match = nq.Match(nq.game("sumquest"))
    for entry in state["history"]:
        match.play(entry["move"])
    found, told = nq.review(match), session.review(state["id"])
    assert [one["verdict"] for one in told["moves"]] == [one.verdict for one in found]
    assert [one["best"] for one in told["moves"]] == [list(one.best) for one in found]
    assert told["given_away"] == [float(one) for one in found.given_away]


def test_a_second_game_does_not_tell_what_is_best_in_the_first() -> None:
    session = ToolSession()
    first, second = (session.begin("sumquest", None, "random")["id"] for _ in range(2))
    session.resign(second)
    assert "still in play" in session.review(second)["error"]
    # Of another game, and with analysis, it holds nobody up.
    other = session.begin("showdown", None, "random")["id"]
    session.resign(other)
    assert "moves" in session.review(other)
    session.resign(first)
    assert "best" not in session.review(first)["moves"][-1]


def test_no_review_reaches_anybody_while_rules_of_the_same_game_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    session = ToolSession()
    open_ = session.begin("sumquest", {"target": 30}, "random", client="one")["id"]
    over = session.begin("sumquest", None, "random", client="two")["id"]
    session.resign(over, "two")
    said = "a game of somebody else with rules of sumquest is still in play: ask again when it has ended"
    assert session.review(over, "two") == {"error": said}
    # What was left for long holds nobody up, and nobody goes on with it afterwards.
    monkeypatch.setattr(tool_sessions, "IDLE", 0.0)
    assert "moves" in session.review(over, "two")
    for answer in (session.look(open_, "one"), session.move(open_, "5", "one"), session.resign(open_, "one")):
        assert answer == {"error": "this game was left for too long: begin another one"}


def test_a_game_that_is_begun_while_a_review_is_worked_out_holds_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    session = ToolSession()
    over = session.begin("sumquest", None, "random", client="one")["id"]
    session.resign(over, "one")

    def meanwhile(match: Any) -> Any:
        session.begin("sumquest", {"target": 30}, "random", client="two")
        return nq.review(match)

    monkeypatch.setattr(tool_sessions, "review", meanwhile)
    assert "still in play" in session.review(over, "one")["error"]


def test_a_game_belongs_to_its_client_and_has_an_id_of_128_bits() -> None:
    session = ToolSession(analysis=True)
    id_ = session.begin("sumquest", None, "random", client="one")["id"]
    assert len(id_) == 32
    for ask in (session.look, session.resign, session.review, session.value, session.best_moves):
        for other in ("two", ""):
            assert ask(id_, other) == {"error": f"there is no game with the id '{id_}': begin one"}
    assert "there is no game" in session.move(id_, "5", "two")["error"]
    assert session.look(id_, "one")["history"] == []


def test_while_one_has_something_worked_out_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    session = ToolSession()
    over = session.begin("sumquest", None, "random")["id"]
    session.resign(over)
    working, go_on, answers = threading.Event(), threading.Event(), []

    def slow(match: Any) -> Any:
        working.set()
        assert go_on.wait(60)
        return nq.review(match)

    monkeypatch.setattr(tool_sessions, "review", slow)
    reviewing = threading.Thread(target=lambda: answers.append(session.review(over)))
    reviewing.start()
    assert working.wait(60)

    def play() -> None:
        begun = session.begin("fifty", None, "random", client="two")
        answers.append(session.move(begun["id"], begun["moves"][0], "two"))
        answers.append(session.look(over))

    playing = threading.Thread(target=play)
    playing.start()
    playing.join(30)
    played = list(answers)
    go_on.set()
    for thread in (playing, reviewing):
        thread.join(60)
    assert [answer.get("accepted") for answer in played] == [True, None]
    assert "moves" in answers[-1]


def test_with_analysis_the_values_are_those_of_the_solver() -> None:
    session = ToolSession(analysis=True)
    state = session.begin("sumquest", None, "random")
    game = nq.game("sumquest")
    solution = nq.solve(game)
    assert session.value(state["id"])["value"] == solution.value(game.start())
    known = session.best_moves(state["id"])
    assert known["moves"] == {move: float(value) for move, value in solution.moves(game.start()).items()}
    assert known["best"] == solution.best(game.start())


def test_rules_that_are_too_large_are_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    session = ToolSession(analysis=True)
    state = session.begin("sumquest", None, "random")
    monkeypatch.setattr(tool_sessions, "solve", lambda _: (_ for _ in ()).throw(nq.TooLarge("they are huge")))
    assert session.value(state["id"]) == {"error": "that cannot be worked out: they are huge"}


def test_the_oldest_game_goes_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_sessions, "MOST", 2)
    session = ToolSession()
    ids = [session.begin("fifty", None, "random")["id"] for _ in range(3)]
    assert "error" in session.look(ids[0])
    assert "error" not in session.look(ids[1])


def test_a_seed_deals_the_same_games_again_and_each_another() -> None:
    def played(seed: int) -> list[Any]:
        session = ToolSession(seed=seed)
        states = [session.begin("mystic", None, "random") for _ in range(3)]
        return [to_the_end(session, state, Stream("1", "here"))["history"] for state in states]

    assert played(5) == played(5) != played(6)
    assert len({str(history) for history in played(5)}) == 3


@pytest.mark.skipif(importlib.util.find_spec("mcp") is not None, reason="mcp is installed here")
def test_without_its_package_it_names_the_extra(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp"]) == 1
    assert capfd.readouterr() == (
        "",
        "numberquest: this needs the package mcp: pip install '.[mcp]' in the folder of Number Quest\n",
    )


def test_an_adapter_is_imported_only_where_it_is_used() -> None:
    look = "print({'mcp', 'inspect_ai', 'textarena'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, numberquest.cli, numberquest.players.named; {look}"],
        capture_output=True,
        text=True,
    )
    assert done.stdout == "set()\n", done.stderr
