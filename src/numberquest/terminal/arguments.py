"""What somebody named on the command line: a game with its rule changes, or the record in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate.who import is_level, is_program, maker
from numberquest.games import game as make_game
from numberquest.mistake import FAILURE, Mistake
from numberquest.record import HUMAN, LONGEST_TEXT, Record, read
from numberquest.settings import BadSetting, read_settings
from numberquest.terminal import saves
from numberquest.terminal.messages import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numberquest.contract import Game


def game_with(name: str, changes: Iterable[str] = ()) -> Game[Any]:
    """The game of that name, or in that file, with rule changes as they are typed: `target=30`."""
    try:
        return make_game(name, **read_settings(changes))
    except BadSetting as error:
        raise Mistake(str(error)) from None


def read_record(path: str) -> Record:
    """The record in a file; `Mistake` where there is none."""
    try:
        return saves.load(path)
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}", FAILURE) from None
    except ValueError as error:
        raise Mistake(f"{path} is not a record: {error}", FAILURE) from None


STDIN: Final = "-"
"""In place of a file's name: standard input."""


def read_each(paths: Sequence[str]) -> Iterator[tuple[str, Record]]:
    """The records in files, one by one. What is wrong with one of several is told, and the others follow.

    `Mistake` where there is one alone, and, behind the last, where not all of several could be read.
    """
    bad = 0
    for path in paths:
        try:
            record = _standard_input() if path == STDIN else read_record(path)
        except Mistake as mistake:
            if len(paths) == 1:
                raise
            tell(f"numberquest: {mistake}")
            bad += 1
        else:
            yield path, record
    if bad:
        what = "a record" if bad == 1 else "records"
        raise Mistake(f"{bad} of {len(paths)} files could not be read as {what}", FAILURE)


def _standard_input() -> Record:
    """The record on standard input."""
    import sys

    try:
        data = b"" if sys.stdin is None else sys.stdin.buffer.read(4 * LONGEST_TEXT + 1)
        return read(data)
    except OSError as error:
        raise Mistake(f"standard input cannot be read: {error.strerror}", FAILURE) from None
    except ValueError as error:
        raise Mistake(f"standard input is not a record: {error}", FAILURE) from None


def check_players(
    path: str, record: Record, *, named: tuple[str | None, str | None] = (None, None), how: str = "--from"
) -> None:
    """`Mistake` where a computer player of the record does not exist here, or is a program that nobody has named.

    `named` are those that were named on the command line, and `how` is the option of `play` with which they can be.
    """
    for option, kind, asked in zip(("--p1", "--p2"), record.kinds, named, strict=True):
        if kind == HUMAN or is_level(kind) or asked is not None:
            continue
        if ":" not in kind:
            raise Mistake(f"{path}: there is no computer player called {kind}", FAILURE)
        if not (saves.is_kept_here(path) or saves.is_finished(path)):
            # Whoever opens a file that somebody sent must not run what it says.
            import shlex

            raise Mistake(
                f"{path} was played by {kind}, and a program is run only where you name it yourself: "
                f"numberquest play {how} {shlex.quote(path)} {option} {shlex.quote(kind)}",
                FAILURE,
            )
        check_who(path, kind)


def check_who(where: str, kind: str) -> None:
    """`Mistake` where there is no such player; `where` says where it was named."""
    try:
        if is_program(kind):
            maker(kind)
    except BadSetting as error:
        raise Mistake(f"{where}: {error}") from None
