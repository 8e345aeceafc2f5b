"""Ten thousand random games in two worlds that differ only in what lies hidden: see tests/server/two_worlds.py."""

from collections import Counter
from pathlib import Path

import pytest

from tests.server.test_non_interference import assert_telling, played
from tests.torture.campaign import only_long

GAMES, BATCH = 10_000, 500


@only_long
def test_nothing_hidden_shows_in_many_random_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lines, tally = 0, Counter[str]()
    for batch in range(0, GAMES, BATCH):
        folder = tmp_path / str(batch)
        folder.mkdir()
        happened, compared = played(folder, BATCH, 1000 + batch)
        tally += happened
        lines += compared
    assert tally["games"] == GAMES
    assert_telling(tally, lines)
    print(f"{GAMES} games, {lines} log lines, {dict(tally)}")
