"""CONTRIBUTING's two steps are all: a file becomes a game of this house, and lint and the loops over all games pass."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ALL

HOUSE = Path(__file__).parent.parent
LOOPS = ["tests/laws", "tests/core", "tests/explain", "tests/server/test_boards.py", "tests/server/test_worker.py"]
MORE = ["tests/study", "tests/terminal", "tests/server", "tests/envs", "tests/page", "tests/solver", "tests/players"]
CORE = """\
from numberquest.core.contract import Game, Outcome
from numberquest.core.settings import whole, yes_no
from numberquest.core.view import Cells
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this house with a sixth game in it: its rules and an empty `__init__.py`, and nothing else."""
    copy = tmp_path_factory.mktemp("house")
    for name in ("src", "tests", "docs", "examples"):
        shutil.copytree(HOUSE / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(HOUSE / name, copy)
    folder = copy / "src" / "numberquest" / "games" / "heaps"
    folder.mkdir()
    (folder / "__init__.py").touch()
    rules = (HOUSE / "examples" / "nim.py").read_text().replace("import numberquest as nq\n", CORE).replace("nq.", "")
    (folder / "rules.py").write_text(rules.replace('slug = "nim"', 'slug = "heaps"').replace('"Nim"', '"Heaps"'))
    return copy


def run(house: Path, *command: str) -> str:
    """What a command of Python says there; it must not fail."""
    paths = os.pathsep.join((str(house / "src"), str(house)))
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=house,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_lint_and_check_find_nothing_wrong(house: Path) -> None:
    run(house, "ruff", "check", "src/numberquest/games/heaps")
    run(house, "ruff", "format", "--check", "src/numberquest/games/heaps")
    assert "heaps" in run(house, "numberquest", "list")
    run(house, "numberquest", "check", "src/numberquest/games/heaps")


def test_the_loops_over_all_games_pass_for_it_and_what_is_fixed_for_ours_stays(house: Path) -> None:
    """In CI all loops; of the daily puzzle which games its days have, with which the rest of it is as in this house."""
    loops = [*LOOPS, *MORE] if ALL else LOOPS
    chosen = "heaps or (test_daily and not begins_really_easy)"
    found = run(house, "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "-k", chosen, "-rA", *loops)
    passed = re.findall(r"^PASSED (.*)", found, re.MULTILINE)
    assert sum("heaps" in name for name in passed) > 15
    assert any("test_the_three_games_of_these_days_never_change" in name for name in passed)
