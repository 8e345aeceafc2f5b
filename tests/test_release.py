"""What is released: the wheel and the source package, built, compared, installed where nothing is, and tried."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

import numberquest as nq
from tests.conftest import in_ci, required

ROOT = Path(__file__).parent.parent
PACKAGE = "src/numberquest"

SMALL = {"showdown": "high=5", "fifty": "copies=1", "grid": "side=2", "sumquest": "target=20", "mystic": "copies=1"}
"""Rules that are solved in a moment."""
COMMANDS = {
    ("serve",): "server",
    ("mcp",): "mcp",
    ("evaluate", "sumquest", "easy", "--deals", "2", "--cluster", "tcp://127.0.0.1:1"): "cluster",
}
"""What needs an extra, and which."""
MODULES = ("envs.gymnasium", "envs.pettingzoo", "envs.openspiel", "client")
"""What needs the extra that has its name."""

pytestmark = [in_ci, pytest.mark.timeout(600)]


def built(target: str, folder: Path, source: Path = ROOT) -> Path:
    """The package that is built from there, without looking anything up."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (package,) = folder.iterdir()
    return package


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Environment:
    """An environment with what a lock file names and our wheel, a home of its own, and a folder far from our source."""

    def __init__(self, folder: Path, lock: str) -> None:
        self.folder = folder / "elsewhere"
        self.folder.mkdir()
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        self.bin = folder / "venv" / "bin"
        self.variables = {"PATH": f"{self.bin}{os.pathsep}{os.defpath}", "HOME": str(self.folder)}
        self.install("--require-hashes", "-r", str(ROOT / "requirements" / f"{lock}.lock"))
        self.install("--no-deps", "--no-index", str(built("wheel", folder / "wheel")))

    def install(self, *what: str) -> None:
        pip = [str(self.bin / "pip"), "--disable-pip-version-check", "install", "--quiet", "--no-compile"]
        # Where packages come from is as it is for whoever runs the tests.
        subprocess.run([*pip, *what], check=True, env={**os.environ, "PATH": self.variables["PATH"]})

    def run(self, program: str, *options: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / program), *options]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=self.variables, input="")

    def told(self, *command: str) -> str:
        """What a command prints that must go well."""
        done = self.run(*command)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout


def test_the_wheel_holds_all_of_the_program_and_nothing_else(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        required("git, with the history of this repository,")
        return
    listed = [git, "ls-files", "--cached", "--others", "--exclude-standard", PACKAGE]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    wheel = contents(built("wheel", tmp_path / "wheel"))
    told = {name for name in wheel if ".dist-info/" in name}
    assert {f"src/{name}" for name in wheel.keys() - told} == {name for name in files if (ROOT / name).exists()}
    # Rules, drawn boards, pictures, the key of the exam, the page, and that it is typed.
    for slug in nq.GAMES.own:
        for part in ("rules.py", "board.js", "preview.png", "exam-1.jsonl"):
            assert f"numberquest/games/{slug}/{part}" in wheel
    assert {"numberquest/py.typed", "numberquest/server/page/index.html"} <= wheel.keys()
    about = wheel[f"numberquest-{nq.__version__}.dist-info/METADATA"].decode()
    assert f"\nVersion: {nq.__version__}\n" in about
    assert re.findall(r"^Requires-Dist: ([^;\n]+)$", about, re.MULTILINE) == ["numpy"]


def test_the_source_package_builds_the_same_wheel_and_has_all_that_tests_need(tmp_path: Path) -> None:
    with tarfile.open(built("sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    ours, theirs = contents(built("wheel", tmp_path / "a")), contents(built("wheel", tmp_path / "b", source))
    assert ours == theirs
    for name in ("Makefile", "README.md", "CHANGELOG.md", "CITATION.cff", "docs/index.md", "docs/site/conf.py"):
        assert (source / name).read_bytes() == (ROOT / name).read_bytes()
    for folder in ("benchmarks", "deploy", "examples", "requirements", "tests"):
        assert any((source / folder).iterdir())


def test_it_works_where_only_the_base_is_installed(tmp_path: Path) -> None:
    place = Environment(tmp_path, "base")
    assert place.told("python", "-m", "pip", "check").strip() == "No broken requirements found."
    assert place.told("nq", "--version") == f"numberquest {nq.__version__}\n"

    games_are_played(place)
    truth_is_told(place)
    what_is_missing_is_said(place)


def games_are_played(place: Environment) -> None:
    listed = place.told("numberquest", "list", "--plain").splitlines()
    assert [line.split()[0] for line in listed] == list(nq.GAMES.own)
    for slug in nq.GAMES.own:
        wishes = ("--p1", "random", "--p2", "easy", "--seed", "1", "--set", SMALL[slug], "--record", f"{slug}.nq")
        place.told("numberquest", "play", slug, *wishes)
        assert re.search(r'^\[Result "[01]-[01]"\]$', (place.folder / f"{slug}.nq").read_text(), re.MULTILINE)
        place.told("numberquest", "verify", f"{slug}.nq")
    shutil.copy(ROOT / "examples" / "nim.py", place.folder)
    place.told("numberquest", "check", "./nim.py")
    place.told("numberquest", "play", "./nim.py", "--p1", "perfect", "--p2", "random", "--seed", "1")


def truth_is_told(place: Environment) -> None:
    for slug in nq.GAMES.own:
        assert "Proved" in place.told("numberquest", "rules", slug)
    assert json.loads(place.told("numberquest", "solve", "sumquest", "--json"))["best"] == ["1", "6"]
    assert json.loads(place.told("numberquest", "solve", "grid", "--json"))["exact"] == "1039/2520"
    assert json.loads(place.told("numberquest", "exam", "--who", "perfect", "--count", "2", "--json"))["score"] == 100
    puzzles = place.told("numberquest", "puzzle", "sumquest", "--seed", "1", "--count", "3", "--json")
    assert len(json.loads(puzzles)) == 3
    place.told("numberquest", "review", "sumquest.nq", "--svg", "game.svg")
    assert (place.folder / "game.svg").read_text().startswith("<svg")
    batch = "from numberquest.envs.batch import Batch; b = Batch('sumquest', 8); b.step(b.sample()); print(b.size)"
    assert place.told("python", "-c", batch) == "8\n"


def what_is_missing_is_said(place: Environment) -> None:
    """In one sentence, with what to install; never with a traceback."""
    for command, extra in COMMANDS.items():
        done = place.run("numberquest", *command)
        assert done.returncode == 1
        assert re.fullmatch(
            rf"numberquest: .*pip install '\.\[{extra}\]' in the folder of Number Quest.*\n", done.stderr
        ), done.stderr
    for module in MODULES:
        last = place.run("python", "-c", f"import numberquest.{module}").stderr.splitlines()[-1]
        extra = module.split(".")[-1]
        words = rf"ModuleNotFoundError: (this|the) .*: pip install '\.\[{extra}\]' in the folder of Number Quest"
        assert re.fullmatch(words, last), last


def test_the_page_is_served_from_the_wheel(tmp_path: Path) -> None:
    place = Environment(tmp_path, "server")
    command = [str(place.bin / "numberquest"), "serve", "--port", "0", "--host", "127.0.0.1", "--log", "none"]
    server = subprocess.Popen(command, cwd=place.folder, env=place.variables, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:[0-9]+", server.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(f"{found[0]}/") as page:  # noqa: S310  # our own server
            assert "<title>Number Quest" in page.read().decode()
        with urllib.request.urlopen(f"{found[0]}/api/games") as games:  # noqa: S310
            assert [game["game"] for game in json.load(games)["games"]] == list(nq.GAMES.own)
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate()
