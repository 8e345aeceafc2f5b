"""What a command has found: printed, or written to files that are whole or not there, and over none unless told so.

A report is two files beside one another: FILE.html and FILE.json.
"""

import os
from json import dumps
from typing import Any

from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import write_whole
from numberquest.report.report import PAGE, Paragraph, Report
from numberquest.report.words import words
from numberquest.study.provenance import sentence
from numberquest.terminal.prompt.console import show, tell

REPORT, FIGURES, PICTURE, DATASET = "report", "figures of the report", "picture", "dataset"


def answer(report: Report, *, json: bool) -> None:
    print(dumps(report.figures)) if json else show(words(report))


def check_report(path: str | None, folder: str | None = None, *, force: bool) -> None:
    """`UsageError` where a report, or its figures, cannot be written there; said before the first game is played."""
    if folder is not None and os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is no folder for figures; choose another name")
    if folder is not None and not force and os.path.isdir(folder) and os.listdir(folder):
        raise UsageError(f"{folder} is not empty; choose another folder for the figures, or say --force")
    if path is None:
        if force and folder is None:
            raise UsageError("--force writes over a report, so say which: --report FILE")
        return
    check_new(path, REPORT, force=force)
    if beside(path) == path:
        raise UsageError(f"{path} is where its figures would go; give the report a name such as report.html")
    check_new(beside(path), FIGURES, force=force)
    _check_folder(path, REPORT)


def check_picture(path: str | None, *, force: bool) -> None:
    """`UsageError` where a picture cannot be written there; said before the work is done, not after it."""
    if path is not None:
        check_new(path, PICTURE, force=force)
        _check_folder(path, PICTURE)


def _check_folder(path: str, what: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise UsageError(f"there is no folder {folder} for the {what}")


def signed(report: Report, made: dict[str, Any]) -> Report:
    """The report with where its figures come from, on its page."""
    return report._replace(blocks=[*report.blocks, [Paragraph(sentence(made), "faint small", PAGE)]])


def written(report: Report, path: str | None, folder: str | None = None, *, force: bool) -> Report:
    """Write a report and its figures, where somebody wants that, and say so."""
    if folder is not None:
        from numberquest.report.figures import figures

        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder} cannot be made: {error.strerror}", FAILURE) from None
        for name, text in figures(report).items():
            write_new(os.path.join(folder, name), text, FIGURES, force=force)
        tell(f"Pictures and tables: {folder}")
    if path is not None:
        from numberquest.report.html import html

        write_new(path, html(report), REPORT, force=force)
        write_new(beside(path), dumps(report.figures, indent=1) + "\n", FIGURES, force=force)
        tell(f"The report: {path}")
    return report


def write_picture(path: str, text: str, *, force: bool) -> None:
    write_new(path, text, PICTURE, force=force)
    tell(f"The picture: {path}")


def beside(path: str) -> str:
    return f"{os.path.splitext(path)[0]}.json"


def check_new(path: str, what: str, *, force: bool = False) -> None:
    """`UsageError` where nothing can be written there; said before the work is done, not after it."""
    if not path:
        raise UsageError(f"the {what} needs the name of a file")
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; choose another name for the {what}")
    if not os.path.lexists(path):
        return
    if not force:
        raise UsageError(f"{path} exists already; choose another name for the {what}, or say --force")
    if not os.path.isfile(path):
        # A device must stay what it is.
        raise UsageError(f"{path} is no file that can be written over; choose another name for the {what}")


def write_new(path: str, content: str | bytes, what: str, *, force: bool = False) -> None:
    check_new(path, what, force=force)
    try:
        write_whole(os.path.realpath(path), [content.encode() if isinstance(content, str) else content])
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", FAILURE) from None
