"""What docs/protocol.md, docs/agents.md and docs/evaluation.md say is so."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.core.stream import Stream
from numberquest.players import engine as protocol
from numberquest.players import llm
from numberquest.players.asking import TRIES, VARIABLE, Illegal, ProviderError
from numberquest.players.engine import SECONDS, START
from numberquest.players.levels import PLAYERS
from numberquest.players.named import who
from tests.conftest import in_ci

DOCS = Path(__file__).parent.parent.parent / "docs"
PROTOCOL, AGENTS = (DOCS / "protocol.md").read_text(), (DOCS / "agents.md").read_text()
SHOWN = {
    message["type"]: message
    for block in re.findall(r"```json\n(.*?)```", PROTOCOL, re.DOTALL)
    for message in [json.loads(block.replace("\n", ""))]
}
SUM = nq.game("sumquest")


def test_the_messages_that_are_shown_are_those_that_are_sent() -> None:
    hello = protocol.hello(SUM)
    assert list(SHOWN["hello"]) == list(hello)
    for name in ("protocol", "game", "title", "settings", "actions", "fields"):
        assert SHOWN["hello"][name] == hello[name]
    position = SUM.play(SUM.play(SUM.start(), "6"), "5")
    asked = protocol.question(SUM, position, ["6", "5"], number=3, seed=1, seconds=SECONDS)
    assert list(SHOWN["question"]) == list(asked)
    for name in ("seat", "position", "words", "history", "moves", "seconds"):
        assert SHOWN["question"][name] == json.loads(protocol.encoded(asked))[name]
    again = protocol.question(SUM, position, [], number=3, seed=1, seconds=SECONDS, refused=Illegal("x"))
    for name in again:
        assert f"| `{name}` |" in PROTOCOL or name == "type"
    assert set(again["refused"]) == {"said", "why"}
    assert SHOWN["goodbye"] == protocol.GOODBYE


def test_the_answers_that_are_shown_are_understood() -> None:
    assert protocol.is_ready(protocol.encoded(SHOWN["ready"]))
    asked = SHOWN["question"]
    assert (
        protocol.read_answer(protocol.encoded(SHOWN["answer"]), asked["id"], asked["moves"]) == SHOWN["answer"]["move"]
    )
    with pytest.raises(ProviderError, match="the server that I ask is down"):
        protocol.read_answer(protocol.encoded(SHOWN["error"]), asked["id"], asked["moves"])


def test_lines_are_ascii_and_begin_as_an_engine_in_the_shell_expects() -> None:
    text = protocol.encoded(protocol.hello(nq.game("fifty")))
    assert text.isascii()
    assert text.startswith(b'{"type":"hello",')
    assert text.endswith(b"}\n")
    assert text.count(b"\n") == 1


def test_the_numbers_are_right() -> None:
    assert f"has {START:g} seconds to start" in PROTOCOL
    assert f"after {TRIES} wrong answers" in PROTOCOL
    assert f"`{VARIABLE}` says how many seconds there are for one move ({SECONDS:g} where it is not set)" in PROTOCOL
    assert f"| `{VARIABLE}` | how many seconds there are for one move ({llm.SECONDS:g} where it is not set) |" in AGENTS
    for name in (llm.URL, llm.KEY, llm.OPTIONS, llm.USUAL_URL, llm.USUAL_KEY):
        assert f"`{name}`" in AGENTS
    for level in PLAYERS:
        assert f"`{level}`" in AGENTS


def test_the_player_that_is_shown_plays(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", AGENTS, re.DOTALL)
    (tmp_path / "agents.py").write_text(block)
    careful = who(f"{tmp_path / 'agents.py'}:Careful")
    position = SUM.start()
    for move in ("9", "8"):
        position = SUM.play(position, move)
    assert careful.choose(SUM, position, Stream("1", "a")) == "6"


PAGE = (Path(__file__).parent.parent.parent / "docs" / "evaluation.md").read_text()
HERE = f'pip() {{ :; }}\nnumberquest() {{ "{sys.executable}" -m numberquest "$@"; }}\nset -e\n'
"""Number Quest is installed where the tests run."""


@in_ci
@pytest.mark.timeout(300)
def test_ten_lines_make_a_report_of_an_agent(tmp_path: Path) -> None:
    lines = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0]
    assert lines.count("\n") == 10
    done = subprocess.run(["/bin/bash", "-c", HERE + lines], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "./agent.py:Careful in" in (tmp_path / "careful.html").read_text()
    assert (tmp_path / "careful.json").exists()
    assert (tmp_path / "exam.html").exists()
