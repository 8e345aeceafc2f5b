"""Messages to the person, beside the data; and how this program can be called again."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from numberquest.loading import SOURCE

if TYPE_CHECKING:
    from numberquest.contract import Game


def tell(sentence: str) -> None:
    """A message to the person, beside the data. Nobody may be there to read it."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        # The terminal is gone, and there is nowhere left to say it; Python must not try again at its end.
        sys.stderr = open(os.devnull, "w")


def program(game: Game[Any] | None = None) -> str:
    """How this program can be called again from here; with the file of a game that somebody brought."""
    import shlex
    from shutil import which

    file = None if game is None else source_of(game)
    brought = "" if file is None else f" --with {shlex.quote(file)}"
    called = sys.argv[0]
    if os.path.basename(called) not in ("numberquest", "nq"):
        return f"{shlex.quote(sys.executable)} -m numberquest{brought}"
    found = which(os.path.basename(called))
    if found is not None and os.path.realpath(found) == os.path.realpath(called):
        return f"{os.path.basename(called)}{brought}"
    return f"{shlex.quote(os.path.relpath(called) if os.path.exists(called) else called)}{brought}"


def source_of(game: Game[Any]) -> str | None:
    """The file that somebody brought a game in, as it can be named from here; None where it is installed."""
    file: str | None = getattr(sys.modules[type(game).__module__], SOURCE, None)
    if file is None:
        return None
    try:
        near = os.path.relpath(file)
    except ValueError:
        # On Windows there is no way from one drive to another.
        return file
    return file if near.startswith(os.pardir) else near
