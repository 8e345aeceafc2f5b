"""A designer's afternoon: every command of it runs, and comes to what is told."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from numberquest.core.registry import kind_in
from numberquest.study.row import read_table
from tests.conftest import in_ci
from tests.terminal.session import piped

ROOT = Path(__file__).parent.parent.parent
STORY = (ROOT / "examples" / "designing" / "README.md").read_text()
PIG = kind_in(str(ROOT / "examples" / "designing" / "designed_pig.py"))


@in_ci
def test_the_afternoon_goes_from_unfair_to_fair_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    commands = re.findall(r"```\nnumberquest (.*)\n```", STORY)
    assert [command.split()[0] for command in commands] == ["solve", "sweep", "design", "play"]
    said = []
    for command in commands:
        done = piped(shlex.split(command), ["quit"] if command.startswith("play") else [])
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    for told in re.findall(r"^> (.*)$", STORY, re.MULTILINE):
        assert any(told in one for one in said), told
    rows = read_table("pig.csv", PIG, [])
    assert [row.settings["start_points"] for row in rows] == [9, 12, 6, 15, 3, 0]
    assert "start_points" in Path("pig.svg").read_text()
    assert "numberquest play ./examples/designing/designed_pig.py --set start_points=10" in Path("pig.html").read_text()


def test_points_for_player_2_are_on_the_board_from_the_start() -> None:
    assert PIG(start_points=7).start().scores == (0, 7)
    assert "begins with some points" in PIG(start_points=7).told(PIG.rules)
    assert "begins with some points" not in PIG().told(PIG.rules)
