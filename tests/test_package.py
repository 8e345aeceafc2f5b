"""The public Python names, and that importing them is light."""

import doctest
import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.core.errors import PACKAGE
from numberquest.terminal.commands import COMMANDS

ROOT = Path(__file__).parent.parent


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_public_names_are_there() -> None:
    fifty = nq.game("fifty", target=30, copies=1)
    match = nq.Match(fifty, seed=7)
    match.play("5+")
    assert (match.moves[0], match.player, match.outcome) == ("1+", 1, None)
    assert match.undo() == "5+"
    assert nq.player("random").name == "random"
    assert nq.player("random").choose(fifty, match.position, nq.Stream("7", "me")) in match.moves
    assert set(nq.__all__) <= set(dir(nq))


def test_importing_the_package_imports_nothing_else_of_it_and_game_stays_the_function_whatever_comes_first() -> None:
    code = "import sys, numberquest; print(sorted(name for name in sys.modules if name.startswith('numberquest.')))"
    assert run(code) == "[]"
    modules = "numberquest.core.contract, numberquest.games.fifty.rules"
    assert run(f"import {modules}, numberquest as nq; print(nq.game('fifty').slug)") == "fifty"


def test_playing_needs_nothing_beyond_the_standard_library() -> None:
    code = (
        "import sys, numberquest.cli as cli\n"
        "cli.main(['play', 'mystic', '--p1', 'random', '--p2', 'random', '--seed', '1'])\n"
        "known = sys.stdlib_module_names | {'numberquest', '__main__'}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - known))"
    )
    # -S keeps what a virtual environment itself loads at its start out of the answer.
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip().split("\n")[-1] == "[]"


def test_the_version_is_the_same_wherever_it_is_told() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^ *version: (.*)$", citation, re.MULTILINE) == [nq.__version__] * 2
    released = re.findall(r"^## (?!Unreleased$)(\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released[0] == nq.__version__


def test_every_public_name_is_listed_once_and_is_there() -> None:
    assert len(nq.__all__) == len(set(nq.__all__))
    listed = (ROOT / "src" / "numberquest" / "__init__.py").read_text().split("_PUBLIC")[1]
    for name in nq.__all__:
        assert getattr(nq, name) is not None
        assert len(re.findall(rf"\b{name}\b", listed)) <= 2, "as a name, and perhaps as the module it is in"
    # The import system would put a module of that name in its place.
    assert not {path.stem for path in (ROOT / "src" / "numberquest").iterdir()} & set(nq.__all__)


HIDDEN = """
import sys
import tomllib

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl", "termios", "readline"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
for name in ("resource", "fcntl", "termios", "readline"):
    sys.modules.pop(name, None)

import importlib, pkgutil
import numberquest as nq
from numberquest.core.errors import PACKAGE

SMALL = {"high": 3, "copies": 1, "side": 2, "target": 5, "picks": 2}
for slug, kind in nq.GAMES.items():
    game = nq.game(slug, **{name: value for name, value in SMALL.items() if name in kind.fields})
    solution = nq.solve(game)
    print(slug, float(solution.value(game.start())))
for module in pkgutil.walk_packages(nq.__path__, "numberquest."):
    # All but what needs packages of other people's.
    others = ("numberquest.server", "numberquest.envs", "numberquest.envs.")
    if not module.name.startswith(others) and not module.name.endswith(("__main__", ".board", ".batch")):
        importlib.import_module(module.name)
import numberquest.server.store.sqlite_file
assert not {"resource", "fcntl", "termios", "readline"} & set(sys.modules)
"""


def test_all_games_are_imported_and_solved_where_nothing_of_posix_is_there(tmp_path: Path) -> None:
    # As on Windows, and in WebAssembly.
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", HIDDEN], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(nq.GAMES.own)


@pytest.mark.parametrize("name", ["", ".core.match", ".explain.review", ".players.named", "README.md"])
def test_the_examples_in_the_docstrings_and_the_readme_are_true(name: str) -> None:
    if name == "README.md":
        found = doctest.testfile(str(ROOT / name), module_relative=False)
    else:
        found = doctest.testmod(importlib.import_module(f"numberquest{name}"), extraglobs={"nq": nq})
    assert (found.attempted > 0, found.failed) == (True, 0)


def test_the_readme_has_every_command_in_its_table() -> None:
    table = [line for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("| `")]
    named = {word for line in table for word in re.findall(r"`(\w+)", line.split(" | ")[0])}
    assert set(COMMANDS) - {"completion"} <= named


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERSIONS = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))


def interpreter(version: str) -> str | None:
    """A Python of that version on this machine."""
    beside = Path(sys.base_prefix).parent.glob(f"{version}.*/bin/python{version}")
    for path in [*map(str, beside), shutil.which(f"python{version}")]:
        # A name may be there, and no Python behind it.
        if path is not None and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
            return path
    return None


@pytest.mark.parametrize("version", VERSIONS)
def test_each_python_that_is_named_plays_a_game(version: str) -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert here in VERSIONS
    python = sys.executable if version == here else interpreter(version)
    if python is None:
        pytest.skip(f"SKIPPED: Python {version} is not on this machine")
    code = (
        "import numberquest as nq\n"
        "for slug in nq.GAMES:\n"
        "    match, dice = nq.Match(nq.game(slug), seed=1), nq.Stream('1', 'me')\n"
        "    while match.outcome is None:\n"
        "        match.play(dice.choose(match.moves))\n"
        "print(len(nq.GAMES))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([python, "-W", "error", "-c", code], capture_output=True, text=True, env=environment)
    assert (done.stdout, done.stderr) == (f"{len(nq.GAMES)}\n", "")


def test_what_developers_need_is_not_published() -> None:
    groups = PROJECT["dependency-groups"]
    assert {"dev", "docs", "bench", "gambit"} == set(groups)
    assert not set(groups) & set(PROJECT["project"]["optional-dependencies"])
    (builds,) = PROJECT["build-system"]["requires"]
    assert re.fullmatch(r"hatchling>=[0-9.]+", builds)
    assert re.search(r"^hatchling==[0-9.]+ ", (ROOT / "requirements" / "build.lock").read_text(), re.MULTILINE)


def test_every_line_that_installs_us_says_what_is_true_today() -> None:
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*"), *ROOT.glob("src/**/*.py")]
    lines = [line for path in files if path.suffix in (".md", ".py") for line in path.read_text().splitlines()]
    installed = [line.partition("pip install")[2] for line in lines if "pip install" in line]
    other = "numberquest" if PACKAGE == "." else r"\."
    wrong = [line for line in installed if re.search(rf"(^| )[\"']?{other}(\[|[ `\"']|$)", line.partition("&&")[0])]
    assert len(installed) > 20
    assert wrong == []
