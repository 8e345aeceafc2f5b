"""The engines among the examples: each is a whole one, in its language."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.stream import Stream
from numberquest.players.asking import Reply, ask, closing
from numberquest.players.levels import Player
from numberquest.players.named import who
from numberquest.study.tournament import play_matchup
from tests.conftest import required
from tests.strategies import KINDS

ENGINES = Path(__file__).parent.parent.parent / "examples" / "engines"
RUN = {".py": sys.executable, ".sh": "/bin/sh", ".mjs": "node"}


@pytest.fixture(params=sorted(ENGINES.iterdir()), ids=lambda path: path.name)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    if which(RUN[found.suffix]) is None:
        required(RUN[found.suffix])
    return found


@pytest.fixture
def engine(path: Path) -> Iterator[Player]:
    engine = who(f"cmd:{shlex.join([RUN[path.suffix], str(path)])}")
    with closing(engine):
        yield engine


def test_it_plays_every_game(engine: Player) -> None:
    for kind in KINDS:
        game: Any = kind()
        match = nq.Match(game, seed=5)
        while match.outcome is None and len(match.history) < 10:
            asked = ask(engine, game, match.position, Stream("1", "a"), match.history)
            assert asked == Reply(asked.move)
            match.play(asked.move or "")


def test_it_can_be_started_by_itself_and_ends_when_its_input_does(path: Path) -> None:
    assert os.access(path, os.X_OK)
    assert path.read_text().startswith("#!/")
    done = subprocess.run([RUN[path.suffix], path], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_reckoner_never_gives_a_won_game_of_its_own_away() -> None:
    engine = who(f"cmd:{sys.executable} {ENGINES / 'reckoner.py'}")
    with closing(engine):
        for settings in ({}, {"target": 30, "high": 6}):
            game = nq.game("sumquest", **settings)
            solution, seen = nq.solve(game), 0
            match = nq.Match(game, seed=5)
            while match.outcome is None:
                move = ask(engine, game, match.position, Stream("1", "a"), match.history).move or ""
                before = solution.value(match.position)
                after = solution.value_for(match.player, match.play(move))
                assert after == before
                seen += before == 1
            assert seen


def test_the_shell_needs_nothing_but_sed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sed").symlink_to(which("sed") or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    engine = who(f"cmd:/bin/sh {ENGINES / 'first.sh'}")
    with closing(engine):
        assert play_matchup(nq.game("sumquest"), engine, who("random"), 2, "1").standing.games == 2
