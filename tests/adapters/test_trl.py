"""GRPO with TRL for real: a tiny model, made here, gets better by the exact regret of its moves."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest

from tests.adapters.environment import needed

needed("trl", "trl")

from tests.examples.test_training import recipe  # noqa: E402

__all__ = ["recipe"]


@pytest.mark.timeout(600)
def test_the_reward_rises(recipe: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    rewards = recipe.train(40)
    assert len(rewards) == 40
    assert mean(rewards[-10:]) > mean(rewards[:10]) + 0.2
