"""`make play` and `make serve`, left with Ctrl-C: nobody is told of an error."""

import os
import shutil
from pathlib import Path

import pexpect
import pytest

from tests.conftest import required
from tests.terminal.session import PATIENCE

ROOT = Path(__file__).parent.parent
PROGRAM = """\
#!/bin/sh
trap 'echo; exit CODE' INT
printf 'Which game? '
while :; do sleep 0.1; done
"""
"""A shell that waits in `read` misses a Ctrl-C that comes between the question and the waiting."""


def stand_in(folder: Path, code: int) -> Path:
    """A `.venv` that make takes for a finished one, with a program that waits, and ends at Ctrl-C with this code."""
    venv = folder / "venv"
    (venv / "bin").mkdir(parents=True)
    program = venv / "bin" / "numberquest"
    program.write_text(PROGRAM.replace("CODE", str(code)))
    program.chmod(0o755)
    # Newer than all that it could have been made from.
    future = max(path.stat().st_mtime for path in ROOT.iterdir()) + 1_000_000
    for number, name in enumerate(("bin/python", ".play", ".serve")):
        (venv / name).touch()
        os.utime(venv / name, (future + number, future + number))
    return venv


@pytest.mark.parametrize("goal", ["play", "serve"])
@pytest.mark.parametrize(("code", "quiet"), [(130, True), (3, False)])
def test_ctrl_c_is_no_error_of_make(goal: str, code: int, quiet: bool, tmp_path: Path) -> None:
    make = shutil.which("make")
    if make is None:
        required("make")
        return
    arguments = ["-C", str(ROOT), goal, f"VENV={stand_in(tmp_path, code)}"]
    child = pexpect.spawn(make, arguments, encoding="utf-8", timeout=PATIENCE)
    child.expect_exact("Which game? ")
    child.sendintr()
    child.expect(pexpect.EOF)
    shown = child.before or ""
    assert ("***" not in shown) == quiet, shown
    child.close()
