"""How an engine's lines are read: whatever they are, each is a move, a wrong answer, an error, or nothing to us."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.contract import CHANCE
from numberquest.evaluate import protocol
from numberquest.evaluate.trouble import Illegal, ProviderError
from tests.strategies import KINDS, matches

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
            assert (heard["type"], heard["id"], str(heard["move"])) == ("answer", 2, move)
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
    text = protocol.line(protocol.question(game, match.position, match.history, number=1, seed=2, seconds=3))
    assert text.count(b"\n") == 1
    asked = json.loads(text)
    assert asked["moves"] == list(match.moves)
    assert [entry["move"] for entry in asked["history"]] == list(match.history)
    assert [entry["by"] is None for entry in asked["history"]] == [
        game.player(p) == CHANCE for p in match.positions[:-1]
    ]
    names = [field["name"] for field in json.loads(protocol.line(protocol.hello(game)))["fields"]]
    assert list(asked["position"]) == names
    assert protocol.leads_to(game, match.history, match.position)
    assert not protocol.leads_to(game, [*match.history, "nonsense"], match.position)
