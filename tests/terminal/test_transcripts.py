"""Whole sessions as text files: the command, what is typed (`< `), and everything that is shown.

After a change of words that is meant, read the difference and write the files anew:
NUMBERQUEST_WRITE_TRANSCRIPTS=1 make test
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.terminal.session import piped

SESSIONS = sorted((Path(__file__).parent.parent / "transcripts" / "sessions").glob("*.txt"))
MESSAGES = "-- messages --\n"


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_the_session_reads_as_written_down(path: Path) -> None:
    head, _, expected = path.read_text().partition("\n\n")
    command, *typed = head.split("\n")
    arguments = shlex.split(command.removeprefix("$ numberquest"))
    done = piped(arguments, [line.removeprefix("<").removeprefix(" ") for line in typed])
    messages = re.sub(
        r"Go on with: .* play (\w+) --resume \S+", r"Go on with: numberquest play \1 --resume FILE", done.stderr
    )
    messages = re.sub(r"[0-9a-f]{16,}", "…", messages)
    shown = done.stdout + (MESSAGES + messages if messages else "")
    if os.environ.get("NUMBERQUEST_WRITE_TRANSCRIPTS"):
        path.write_text(f"{head}\n\n{shown}")
    assert shown == expected
    assert done.returncode == 0


def test_there_are_sessions_of_every_game() -> None:
    assert {path.stem.split("-")[0] for path in SESSIONS} >= {"showdown", "fifty", "grid", "sumquest", "mystic"}
