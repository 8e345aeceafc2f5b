"""The player that learns: its score rises, what it gives away falls, and the commands know it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.terminal.session import piped

LEARNER = Path(__file__).parent.parent.parent / "examples" / "learner.py"


@pytest.fixture
def learner(tmp_path: Path) -> Path:
    return Path(shutil.copy(LEARNER, tmp_path))


@in_ci
@pytest.mark.timeout(300)
def test_it_learns_and_the_figures_say_so(learner: Path) -> None:
    asked = ["--steps", "1000", "--deals", "10", "--looks", "1", "--plot", str(learner.with_suffix(".svg"))]
    done = subprocess.run([sys.executable, str(learner), *asked], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = [line.replace("%", "").replace(",", "").split() for line in done.stdout.splitlines()[1:]]
    (games, score, regret, _), (more_games, better, less, _) = [map(float, row) for row in rows]
    assert games == 0 < more_games
    # Before the first game it plays at random.
    assert abs(score) < 10
    assert better > 50
    assert less < 0.7 * regret
    assert learner.with_suffix(".svg").read_text().count("<polyline ") == 2
    exam = piped(["exam", "--game", "mystic", "--who", f"{learner}:Learned", "--json"])
    assert json.loads(exam.stdout)["score"] == pytest.approx(better, abs=1)


def test_without_its_table_it_says_what_to_do(learner: Path) -> None:
    done = piped(["exam", "--game", "mystic", "--who", f"{learner}:Learned"])
    assert done.returncode
    assert "it has not learnt yet" in done.stderr
    assert "Traceback" not in done.stderr
