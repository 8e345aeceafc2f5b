"""A file that a command makes for somebody: whole or not at all, and over none that is there unless they say so."""

from __future__ import annotations

import os

from numberquest.files import write_whole
from numberquest.mistake import FAILURE, Mistake


def check_new(path: str, what: str, *, force: bool = False) -> None:
    """`Mistake` where nothing can be written there; said before the work is done, not after it."""
    if not path:
        raise Mistake(f"the {what} needs the name of a file")
    if os.path.isdir(path):
        raise Mistake(f"{path} is a folder; choose another name for the {what}")
    if not os.path.lexists(path):
        return
    if not force:
        raise Mistake(f"{path} exists already; choose another name for the {what}, or say --force")
    if not os.path.isfile(path):
        # A device must stay what it is.
        raise Mistake(f"{path} is no file that can be written over; choose another name for the {what}")


def write_new(path: str, text: str, what: str, *, force: bool = False) -> None:
    """Write the text there."""
    check_new(path, what, force=force)
    try:
        write_whole(os.path.realpath(path), [text.encode()])
    except OSError as error:
        raise Mistake(f"{path} cannot be written: {error.strerror}", FAILURE) from None
