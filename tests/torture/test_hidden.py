"""Ten thousand random games in two worlds that differ only in what lies hidden: see tests/server/two_worlds.py."""

from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.server.test_non_interference import played
from tests.torture.campaign import length

BATCH = 500


@in_ci
def test_nothing_hidden_shows_in_many_random_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    games, lines, tally = length(50, 10_000), 0, Counter[str]()
    for batch in range(0, games, BATCH):
        folder = tmp_path / str(batch)
        folder.mkdir()
        happened, compared = played(folder, min(BATCH, games - batch), 1000 + batch)
        tally += happened
        lines += compared
    assert tally["games"] == games
    print(f"{games} games, {lines} log lines, {dict(tally)}")
