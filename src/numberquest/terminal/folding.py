"""Lines that fit a terminal: broken between words, and never so that a row of a table falls apart."""

from __future__ import annotations

import os
import re
from typing import TextIO


def columns(stream: TextIO) -> int | None:
    """How many characters fit on a line there; None where there is room for any, as in a pipe."""
    try:
        return (os.get_terminal_size(stream.fileno()).columns or 80) if stream.isatty() else None
    except (OSError, ValueError):
        return None


def folded(text: str, width: int | None) -> str:
    """The text with long lines broken; what goes on of a row stands under the row's last column."""
    if width is None or max(map(len, text.split("\n"))) <= width:
        return text
    return "\n".join(_fitting(line, width) if len(line) > width else line for line in text.split("\n"))


def _fitting(line: str, width: int) -> str:
    from textwrap import fill

    indent = len(line) - len(line.lstrip())
    # A word or a few, and then a gap: the first column of a table.
    column = re.match(r"\s*\S+(?: \S+)*\s{2,}(?=\S)", line)
    hang = column.end() if column else indent + 2 if indent else 0
    if hang > width // 2:
        hang = indent
    return fill(line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
