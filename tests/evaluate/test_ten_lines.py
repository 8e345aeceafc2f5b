"""docs/evaluation.md: from an agent to a report in ten lines, as they stand there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import in_ci

PAGE = (Path(__file__).parent.parent.parent / "docs" / "evaluation.md").read_text()
HERE = f'pip() {{ :; }}\nnumberquest() {{ "{sys.executable}" -m numberquest "$@"; }}\nset -e\n'
"""Number Quest is installed where the tests run."""


@in_ci
@pytest.mark.timeout(300)
def test_ten_lines_make_a_report_of_an_agent(tmp_path: Path) -> None:
    lines = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0]
    assert lines.count("\n") == 10
    done = subprocess.run(["/bin/bash", "-c", HERE + lines], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "./agent.py:Careful in" in (tmp_path / "careful.html").read_text()
    assert (tmp_path / "careful.json").exists()
    assert (tmp_path / "exam.html").exists()
