"""What was typed: a game with its rule changes, a position, records; what goes wrong in them, and what to type next."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.loading import SOURCE, what_happened
from numberquest.core.record import HUMAN, LONGEST_TEXT, Record, read
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import in_short
from numberquest.core.settings import BadSetting, read_settings, whole_in
from numberquest.players.levels import PLAYERS
from numberquest.players.named import is_level, is_program, maker
from numberquest.terminal.prompt import saves
from numberquest.terminal.prompt.console import tell


def game_with(name: str, changes: Iterable[str] = ()) -> Game[Any]:
    """The game of that name, or in that file, with rule changes as they are typed: `target=30`."""
    return make_game(name, **read_settings(changes))


MOST_JOBS: Final = 256
STDIN: Final = "-"
"""In place of a file's name: standard input."""


def read_record(path: str, *, stdin: bool = False) -> Record:
    """The record in a file, or on standard input; `UsageError` where there is none."""
    where = "standard input" if stdin else path
    try:
        if not stdin:
            return saves.load(path)
        return read(b"" if sys.stdin is None else sys.stdin.buffer.read(4 * LONGEST_TEXT + 1))
    except OSError as error:
        raise UsageError(f"{where} cannot be read: {error.strerror}", FAILURE) from None
    except ValueError as error:
        raise UsageError(f"{where} is not a record: {error}", FAILURE) from None


def read_each(paths: Sequence[str]) -> Iterator[tuple[str, Record]]:
    """The records in files. What is wrong with one of several is told, and behind the last there is a `UsageError`."""
    bad = 0
    for path in paths:
        try:
            record = read_record(path, stdin=path == STDIN)
        except UsageError as mistake:
            if len(paths) == 1:
                raise
            tell(f"numberquest: {mistake}")
            bad += 1
        else:
            yield path, record
    if bad:
        what = "a record" if bad == 1 else "records"
        raise UsageError(f"{bad} of {len(paths)} files could not be read as {what}", FAILURE)


def whole_number(option: str, text: str, least: int, most: int, *, what: str = "a whole number") -> int:
    """The number that was typed behind an option; `UsageError` where it is none, or too small or large."""
    number = whole_in(text)
    if number is None or not least <= number <= most:
        raise UsageError(f"{option} wants {what} from {least} to {most}, not {text}")
    return number


def jobs_in(text: str) -> int:
    return whole_number("--jobs", text, 1, MOST_JOBS)


def levels_in(text: str) -> tuple[str, str]:
    """The two levels that were typed behind `--players`: `hard,easy`."""
    one, _, two = text.lower().replace(" ", "").partition(",")
    if one not in PLAYERS or two not in PLAYERS:
        wanted = f"two of {', '.join(PLAYERS)} with a comma between, such as hard,easy"
        raise UsageError(f"--players wants {wanted}, not {text}")
    return one, two


def check_players(
    path: str, record: Record, *, named: tuple[str | None, str | None] = (None, None), how: str = "--from"
) -> None:
    """`UsageError` where a computer player of the record does not exist here, or is a program that nobody has named.

    `named` are those that were named on the command line, and `how` is the option of `play` with which they can be.
    """
    for option, kind, asked in zip(("--p1", "--p2"), record.kinds, named, strict=True):
        if kind == HUMAN or is_level(kind) or asked is not None:
            continue
        if ":" not in kind:
            raise UsageError(f"{path}: there is no computer player called {kind}", FAILURE)
        if not (saves.is_kept_here(path) or saves.is_finished(path)):
            # Whoever opens a file that somebody sent must not run what it says.
            import shlex

            raise UsageError(
                f"{path} was played by {kind}, and a program is run only where you name it yourself. Only if you trust "
                f"who sent it: numberquest play {how} {shlex.quote(path)} {option} {shlex.quote(kind)}",
                FAILURE,
            )
        check_who(path, kind)


def check_who(where: str, kind: str) -> None:
    """`UsageError` where there is no such player; `where` says where it was named."""
    try:
        if is_program(kind):
            maker(kind)
    except BadSetting as error:
        raise UsageError(f"{where}: {error}") from None


def position_after(game: Game[Any], text: str) -> tuple[list[str], Any]:
    """The moves and reveals that a text names, and the position they lead to; `UsageError` where one is not allowed."""
    # As in a record: numbers before moves do not matter, and a reveal may stand in brackets.
    words = [re.sub(r"^\(([^()]+)\)$", r"\1", word) for word in text.split() if not re.fullmatch(r"[0-9]+\.", word)]
    position = game.start()
    entries: list[str] = []
    while words:
        allowed = game.moves(position)
        entry = words.pop(0)
        if entry not in allowed and words and f"{entry} {words[0]}" in allowed:
            entry = f"{entry} {words.pop(0)}"
        if entry not in allowed:
            if words and any(move.startswith(f"{entry} ") for move in allowed):
                entry = f"{entry} {words[0]}"
            after = f"after {' '.join(entries)}" if entries else "at the start"
            what = in_short(allowed) if allowed else "nothing, because the game is over"
            raise UsageError(f"--after: {entry} is not possible {after}; possible is {what}")
        entries.append(entry)
        position = game.play(position, entry)
    return entries, position


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
    # A recipe says itself how it is named.
    own: str | None = getattr(game, "source", None)
    file: str | None = own or getattr(sys.modules[type(game).__module__], SOURCE, None)
    if file is None:
        return None
    try:
        near = os.path.relpath(file)
    except ValueError:
        # On Windows there is no way from one drive to another.
        return file
    return file if near.startswith(os.pardir) else near


def what_went_wrong(error: Exception) -> tuple[str, int] | None:
    """The sentence and the exit code for an error of somebody's game; None where it is an error of ours."""
    from traceback import walk_tb

    # Code of somebody's game is that of a file that holds or uses a game and is not ours.
    theirs = [
        frame.f_code.co_filename
        for frame, _ in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] != "numberquest"
        and any(isinstance(value, type) and issubclass(value, Game) for value in list(frame.f_globals.values()))
    ]
    return (f"{theirs[-1]}: {what_happened(error, theirs[-1])}", FAILURE) if theirs else None
