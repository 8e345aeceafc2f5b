"""Somebody else's Python, in a frame of the page that can do nothing else: guest.js loads this into its own Pyodide.

Here, and nowhere else, the text of a game may be a file of rules. Whatever runs beside it in this Python may be lied
to by it: what comes from here is a claim of the game, and the page shows it as one.
"""

import os
from hashlib import sha256
from tempfile import mkdtemp
from typing import Final

from numberquest.core.laws import Kind
from numberquest.core.registry import kind_in
from numberquest.server import wire
from numberquest.server.think import drafts
from numberquest.server.think.worker import answered
from numberquest.solver import table

FILE: Final = "game.py"
"""What the file is called in what is said of it."""
_folder: Final = mkdtemp()


def python_kind(text: str) -> Kind:
    """The game in a file of rules; each text has a folder of its own, so that none is taken for another."""
    folder = os.path.join(_folder, sha256(text.encode()).hexdigest()[:16])
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, FILE), "w", encoding="utf-8") as file:
        file.write(text)
    os.chdir(folder)
    return kind_in(FILE)


def answer(question: str) -> str:
    """The answer to a task about a draft, as in a server's worker; both are JSON."""
    return wire.encode(answered(question.encode())).decode()


def start() -> None:
    """From now on Python is read; what was solved stays in memory, for there is no disk."""
    drafts.reads = python_kind
    table.keeping = False
