"""`check`, `cache` and `verify`: a game in a file, the solved games on disk, records and strategies, looked after."""

import os
from collections.abc import Iterator
from typing import Annotated

from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.laws import report
from numberquest.core.record import Record, sealed_choices
from numberquest.core.registry import GAMES, kind_in
from numberquest.report.report import counted
from numberquest.solver.budget import in_words
from numberquest.solver.table import folder, kept
from numberquest.terminal.commands.arguments import read_each
from numberquest.terminal.commands.strategy import is_strategy, verified
from numberquest.terminal.options import File, Files, option
from numberquest.terminal.prompt.console import show


def run_check(file: File) -> int:
    lines, holds = report(file, GAMES.own, kind_in)
    for line in lines:
        show(line)
    return 0 if holds else FAILURE


def run_cache(clear: Annotated[bool, option("remove them")] = False) -> None:
    files = list(kept())
    if clear:
        print(_clear_cache())
    elif not files:
        print(f"Nothing is kept in {folder()}.")
    else:
        print(f"Kept in {folder()}:")
        for path, size in files:
            print(f"  {in_words(size):>8}  {os.path.basename(path)}")
        print(f"  {in_words(sum(size for _, size in files)):>8}  in all; numberquest cache --clear removes it")


def _clear_cache() -> str:
    removed, size = 0, 0
    for path, bytes_in_it in kept():
        try:
            os.unlink(path)
        except FileNotFoundError:
            # Somebody else has cleared it in the meantime.
            continue
        except OSError as error:
            raise UsageError(f"{path} cannot be removed: {error.strerror}", FAILURE) from None
        removed += 1
        size += bytes_in_it
    return f"Removed {removed} {'file' if removed == 1 else 'files'}, {in_words(size)}."


def run_verify(files: Files) -> None:
    for path in filter(is_strategy, files):
        for line in verified(path):
            print(line)
    records = [path for path in files if not is_strategy(path)]
    for path, record in read_each(records) if records else ():
        for line in _truths(path, record):
            print(line)


def _truths(path: str, record: Record) -> Iterator[str]:
    match, dealer = record.match, record.match.dealer
    yield f"{path}: a game of {match.game.slug} that keeps the rules."
    given = record.given
    if given is not None:
        moves = "1 move" if given == 1 else f"{given} moves"
        yield f"This was practice: it began after {moves}, at a position that somebody chose."
    elif record.practice:
        yield "This was practice: it was taken up from a record, at a position that somebody chose."
    if record.practice and match.game.chance:
        # A seal says that the deal was settled beforehand; here somebody may have had the seed before it was sealed.
        yield "The deal was known beforehand to whoever chose it: what is sealed in it proves nothing."
    elif dealer.commitment is not None:
        what = "deal" if match.game.chance else "seed"
        yield f"The {what} is the one that was sealed: SHA-256 of the seed {dealer.seed} is {dealer.commitment}."
    elif dealer.given:
        yield "The hidden numbers were written down, not sealed beforehand."
    elif match.game.chance:
        yield f"The deal follows from the seed {dealer.seed}, which was not sealed beforehand."
    elif match.game.has_secrets:
        yield f"The secret choices follow no seal: the seed {dealer.seed} was not sealed beforehand."
    else:
        yield "Nothing is hidden in this game."
    sealed = 0 if record.practice else len(sealed_choices(match.line))
    if sealed:
        yield f"{counted(sealed, 'secret choice')}, sealed when made: each seal is the SHA-256 of SEED/PLACE/MOVE."
