"""A game that somebody makes: its laws, a trial and its measures; and what is wrong in it, at its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from numberquest.server import wire
from numberquest.server.site import guest
from numberquest.server.think import drafts
from numberquest.server.think.worker import answered
from tests.own.secret.games import PATHS

ROOT = Path(__file__).parents[2]
LAST = (ROOT / "src/numberquest/server/starts/last.txt").read_text()
PIG = (ROOT / "examples/pig.py").read_text()


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """As guest.js asks, where Python is read."""
    monkeypatch.setattr(drafts, "reads", guest.python_kind)
    monkeypatch.chdir(tmp_path)
    return lambda task, text, **more: json.loads(guest.answer(json.dumps({"task": task, "text": text, **more})))


def test_a_game_that_keeps_the_laws_is_shown_with_each_of_them(ask: Any) -> None:
    found = ask("check-draft", LAST)["json"]
    assert found["info"]["title"] == "Who takes the last"
    assert {law["state"] for law in found["laws"]} == {"holds", "-"}
    assert (found["line"], found["ends"]) == (None, True)


@pytest.mark.parametrize(
    ("wrong", "line", "words"),
    [
        (LAST.replace("def play(self", "def play(self,,"), 29, "it does not load"),
        (
            LAST.replace("import numberquest as nq", "import numberquest as nq, nothing_of_that_name"),
            3,
            "nothing_of_that_name",
        ),
        (LAST.replace('slug = "last"', 'slug = "No Slug"'), None, "the slug is a short name"),
        ("x = 1", None, "holds no game"),
    ],
)
def test_what_is_no_game_yet_is_told_in_a_sentence_with_its_line(
    ask: Any, wrong: str, line: int | None, words: str
) -> None:
    failed = ask("check-draft", wrong)
    assert (failed["code"], failed.get("line")) == ("bad-request", line)
    assert words in failed["said"]["facts"]["why"]


def test_a_law_that_is_broken_by_a_mistake_in_the_rules_names_the_line(ask: Any) -> None:
    found = ask("check-draft", LAST.replace("Position(p.left - int(move)", "Position(p.left - len(mov)"))["json"]
    playing = found["laws"][0]
    assert (playing["name"], playing["state"]) == ("playing", "broken")
    assert "NameError" in playing["why"]
    assert found["line"] == 30
    failed = ask(
        "try-draft", LAST.replace("Position(p.left - int(move)", "Position(p.left - len(mov)"), seed="1", moves=["1"]
    )
    assert failed["line"] == 30


def test_a_trial_is_played_on_by_the_computer_and_the_same_from_the_same_seed(ask: Any) -> None:
    how = {"seed": "7", "moves": ["1"], "level": "perfect"}
    one, two = (ask("try-draft", LAST, **how)["json"] for _ in range(2))
    assert one == two
    assert [line["player"] for line in one["history"]] == [1, 2]
    assert (one["turn"], one["ending"]) == (1, None)
    while one["turn"]:
        one = ask("try-draft", LAST, **{**how, "moves": [*one["played"], one["moves"][0]["move"]]})["json"]
    assert one["ending"] == f"Player {one['winner']} took the last one"


def test_draws_of_a_trial_are_uncovered_by_themselves(ask: Any) -> None:
    found = ask("try-draft", PIG, seed="1", moves=["roll"])["json"]
    assert [line["player"] for line in found["history"]][:2] == [1, 0]
    assert found["played"] == ["roll"]


def test_whoever_tries_it_sees_no_more_than_a_player_does_until_it_is_over(ask: Any) -> None:
    kuhn, how = Path(PATHS["kuhn"]).read_text(), {"seed": "1", "level": "perfect"}
    found = ask("try-draft", kuhn, **how, moves=[])["json"]
    assert found["board"]["cards"][1] is None
    assert [line["entry"] for line in found["history"]][1:] == ["?"]
    while found["turn"]:
        found = ask("try-draft", kuhn, **how, moves=[*found["played"], found["moves"][0]["move"]])["json"]
    assert None not in found["board"]["cards"]


def test_what_is_true_of_it_is_measured_and_too_large_is_said(ask: Any) -> None:
    found = ask("measure-draft", LAST, players=["perfect", "perfect"])["json"]
    assert {one["name"]: one["value"] for one in found["measures"]}["value"] == 1
    large = PIG.replace("whole(100, 2, 200", "whole(900, 2, 999")
    assert ask("measure-draft", large, players=["perfect", "perfect"], patience=0.2)["code"] == "too-large"


def test_a_server_reads_no_python() -> None:
    answer = answered(json.dumps({"task": "check-draft", "text": LAST}).encode())
    assert wire.encode(answer).startswith(b'{"answer":"failed","code":"bad-request"')
