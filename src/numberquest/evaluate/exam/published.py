"""The published exam: each game's questions lie in its folder, in the file that `publish` wrote."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate.exam.making import VERSION, NoExam, questions_of
from numberquest.evaluate.exam.question import Exam, hash_of, line, read
from numberquest.files import write_whole
from numberquest.games import GAMES

if TYPE_CHECKING:
    from numberquest.contract import Game

SEED: Final = "1"
"""What the published exam was made from."""
HASHES: Final = {1: "fc6058d798875d0af8c596d7660f927255ecde790c78a5218d1f7867bd6bfc27"}
"""The SHA-256 of each version that was published: it never changes."""


def path_of(kind: type[Game[Any]], version: int = VERSION) -> str:
    """The file with the questions of a game, beside its rules."""
    folder = os.path.dirname(sys.modules[kind.__module__].__file__ or "")
    return os.path.join(folder, f"exam-{version}.jsonl")


@cache
def published(version: int = VERSION) -> Exam:
    """The published exam of that version, the newest where none is named; `NoExam` where a file is not as it was."""
    if version not in HASHES:
        raise NoExam(f"there is no version {version} of the exam; there is {', '.join(map(str, HASHES))}")
    found, lines = [], []
    for kind in GAMES.own.values():
        try:
            with open(path_of(kind, version), encoding="utf-8") as file:
                own = file.readlines()
        except FileNotFoundError:
            # A game that came later than that version.
            continue
        lines += own
        found += [read(text, kind) for text in own]
    if hash_of(lines) != HASHES[version]:
        raise NoExam(f"the questions of version {version} are not those that were published: install numberquest anew")
    return Exam(found, version, None)


def publish(kind: type[Game[Any]]) -> None:
    """Write the questions of a game into its folder: once for each version, by hand."""
    write_whole(path_of(kind), ["".join(map(line, questions_of(kind, SEED))).encode()])
