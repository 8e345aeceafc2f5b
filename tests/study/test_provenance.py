"""Where figures come from is told with them, a changed agent is noticed, and figures are written as files."""

import csv
import json
import re
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from numberquest import __version__
from numberquest.core.errors import UsageError
from numberquest.study.provenance import FILE, hash_of_agent, keep, provenance
from tests.terminal.session import here, piped, run_program

FIRST = "class Me:\n    def choose(self, game, position, dice):\n        return game.moves(position)[0]\n"
EVALUATE = ("--deals", "3", "--seed", "7", "--against", "random", "--json")


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_text(FIRST)
    return path


def test_every_answer_says_where_it_comes_from(agent: Path, tmp_path: Path) -> None:
    name, digest = f"{agent}:Me", sha256(FIRST.encode()).hexdigest()
    commands = {
        "7": ["evaluate", "sumquest", name, *EVALUATE],
        "8": ["league", "sumquest", name, "random", "--deals", "2", "--seed", "8", "--json"],
        None: ["exam", "--who", name, "--game", "grid", "--count", "1", "--json"],
    }
    for seed, command in commands.items():
        page = tmp_path / f"{command[0]}.html"
        made = json.loads(here(*command, "--out", str(tmp_path / command[0]), "--report", str(page)))["provenance"]
        assert made["agents"][0] == {"name": name, "sha256": digest}
        assert (made["program"], made["seed"]) == (f"numberquest {__version__}", seed)
        assert made["date"] == datetime.now(UTC).date().isoformat()
        assert made["numpy"] == np.__version__
        assert made["python"].startswith("3.")
        assert json.loads((tmp_path / command[0] / FILE).read_text()) == [made]
        assert digest in page.read_text()
        assert json.loads(page.with_suffix(".json").read_text())["provenance"] == made


def test_the_command_is_told_as_it_was_given(agent: Path) -> None:
    command = ["evaluate", "sumquest", f"{agent}:Me", *EVALUATE]
    assert (
        json.loads(run_program(command, code=0).stdout)["provenance"]["command"] == f"numberquest {' '.join(command)}"
    )


def test_an_agent_that_has_changed_is_refused_where_its_old_games_are(agent: Path, tmp_path: Path) -> None:
    for command in (
        ["evaluate", "sumquest", f"{agent}:Me", *EVALUATE],
        ["exam", "--who", f"{agent}:Me", "--count", "1"],
    ):
        agent.write_text(FIRST)
        out = tmp_path / command[0]
        here(*command, "--out", str(out))
        here(*command, "--out", str(out))
        agent.write_text(FIRST.replace("[0]", "[-1]"))
        before = {path: path.read_bytes() for path in out.iterdir()}
        refused = piped([*command, "--out", str(out)], code=1).stderr
        assert "agent.py:Me has changed since" in refused
        assert "--anyway" in refused
        assert {path: path.read_bytes() for path in out.iterdir()} == before
        here(*command, "--out", str(out), "--anyway")


@pytest.mark.parametrize("damaged", ['[{"a', "{}]", "[7]", '[{"agents": 7}]'])
def test_of_a_folder_that_does_not_say_what_was_played_there_a_sentence_tells(damaged: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(damaged)
    with pytest.raises(UsageError, match="does not say what was played there"):
        keep(str(tmp_path), provenance("7", ["hard"]), anyway=False)


def test_a_hash_is_of_the_file_that_plays(agent: Path) -> None:
    digest = hash_of_agent(f"{agent}:Me")
    assert digest == hash_of_agent(f"cmd:python3 {agent} --fast")
    assert hash_of_agent("tests.study.small:Odd") not in (None, digest)
    assert hash_of_agent("hard") is hash_of_agent("llm:some/model") is None
    assert [one["sha256"] for one in provenance(None, ["hard", f"{agent}:Me"])["agents"]] == [None, digest]


def test_figures_are_written_as_svg_and_csv(agent: Path, tmp_path: Path) -> None:
    commands = (
        ["evaluate", "mystic", f"{agent}:Me", "--deals", "4", "--seed", "1", "--set", "target=8", "--set", "high=4"],
        ["league", "sumquest", f"{agent}:Me", "random", "hard", "--deals", "3", "--seed", "1"],
        ["exam", "--who", f"{agent}:Me"],
    )
    for command in commands:
        folder = tmp_path / f"{command[0]}-figures"
        here(*command, "--figures", str(folder))
        kinds = {kind: sorted(folder.glob(f"*.{kind}")) for kind in ("svg", "csv")}
        assert all(kinds.values()), command
        for path in kinds["svg"]:
            # It is our own.
            assert ElementTree.parse(path).getroot().get("width") == "640"  # noqa: S314
        for path in kinds["csv"]:
            rows = list(csv.reader(path.read_text().splitlines()))
            assert len({len(row) for row in rows}) == 1
            # Programs read these: numbers as they are, and shares from 0 to 1.
            assert not [cell for row in rows[1:] for cell in row if re.fullmatch(r"[\d.]+ %|[\d,]+,\d+", cell)], path
        assert here(*command, "--figures", str(folder), code=2) == ""
    (given_away,) = (tmp_path / "evaluate-figures").glob("*-what-its-choices-gave-away.csv")
    first = next(csv.DictReader(given_away.read_text().splitlines()))
    best = float(first["best move"]) * int(first["mattered"])
    assert 0 <= best <= int(first["mattered"])
    # Unrounded: so many of them.
    assert best == pytest.approx(round(best), abs=1e-9)
    assert list((tmp_path / "evaluate-figures").glob("*-what-it-wins-without-luck-against-perfect.svg"))
    scores = next(path for path in (tmp_path / "exam-figures").glob("*.csv")).read_text()
    assert scores.startswith("questions of,score,score low,score high,grade 1")
