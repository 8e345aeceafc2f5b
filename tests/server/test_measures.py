"""What a rule set is like, asked over the API: the same figures as everywhere, and bounded."""

from __future__ import annotations

import msgspec
import pytest

import numberquest as nq
from numberquest.lab.measures import MEASURES, measure
from numberquest.server import wire
from numberquest.server.think import tasks, worker
from numberquest.solver import budget


def asked(task: tasks.Measure) -> tasks.Answer:
    return worker.answered(msgspec.json.encode(task))


def test_the_figures_are_those_of_the_laboratory() -> None:
    answer = asked(tasks.Measure("sumquest", "target=12", ("hard", "easy")))
    assert isinstance(answer, tasks.Made)
    said = msgspec.json.decode(answer.json, type=wire.Measures)
    known = measure(nq.game("sumquest", target=12), ("hard", "easy"))
    assert [one.name for one in said.measures] == [name for name in MEASURES if name != "ladder"]
    for one in said.measures:
        assert one.value == getattr(known, one.name)
        assert one.meaning == MEASURES[one.name]
        assert one.why == known.why.get(one.name)
    assert known.ladder is not None
    assert tuple(step.gain for step in said.ladder) == known.ladder
    assert (said.ladder[0].better, said.ladder[0].worse) == ("perfect", "hard")


def test_what_takes_too_long_is_refused_as_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(worker.PATIENCE, tasks.Measure, 0.0001)
    monkeypatch.setattr(budget, "_given_up", {})
    answer = asked(tasks.Measure("mystic", "copies=1", ("medium", "medium")))
    assert isinstance(answer, tasks.Failed)
    assert answer.code == "too-large"


def test_settings_that_cannot_be_are_refused_in_a_sentence() -> None:
    answer = asked(tasks.Measure("sumquest", "target=1", ("medium", "medium")))
    assert isinstance(answer, tasks.Failed)
    assert "target must be a whole number from 2 to 999" in answer.said.facts["why"]
