"""A report and the figures it shows, beside one another: FILE.html and FILE.json."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from numberquest.mistake import Mistake
from numberquest.terminal.messages import tell
from numberquest.terminal.new_file import check_new, write_new

if TYPE_CHECKING:
    from collections.abc import Mapping

REPORT, FIGURES = "report", "figures of the report"


def check_report(path: str | None, *, force: bool) -> None:
    """`Mistake` where a report cannot be written there; said before the first game is played."""
    if path is None:
        if force:
            raise Mistake("--force writes over a report, so say which: --report FILE")
        return
    check_new(path, REPORT, force=force)
    if beside(path) == path:
        raise Mistake(f"{path} is where its figures would go; give the report a name such as report.html")
    check_new(beside(path), FIGURES, force=force)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise Mistake(f"there is no folder {folder} for the report")


def write_report(path: str, text: str, data: Mapping[str, Any], *, force: bool) -> None:
    """Write both, and say so."""
    write_new(path, text, REPORT, force=force)
    write_new(beside(path), json.dumps(data, indent=1) + "\n", FIGURES, force=force)
    tell(f"The report: {path}")


def beside(path: str) -> str:
    """Where the figures go."""
    return f"{os.path.splitext(path)[0]}.json"
