"""`numberquest db`: what the keeper of a server does with its database: a backup, a check, a backup put back."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from numberquest.core.errors import FAILURE, UsageError
from numberquest.server.serve import check_packages

if TYPE_CHECKING:
    from numberquest.server.store.upkeep import Contents


def backup(file: str, db: str | None, force: bool) -> int:
    """Write everything to one file; returns the exit code."""
    path = _file("backup", file, db)
    from numberquest.server.store import upkeep

    found = upkeep.backup(path, file, force, partial(print, file=sys.stderr, flush=True))
    print(f"Backup written to {file}: {found}.")
    _tell_unknown(found)
    return 0


def restore(file: str, db: str | None) -> int:
    """Put a backup in the place of the database; returns the exit code."""
    path = _file("restore", file, db)
    folder = os.path.dirname(os.path.abspath(path))
    if db is not None and not os.path.isdir(folder):
        raise UsageError(f"There is no folder {folder}: make it first, or look again at what --db says.", FAILURE)
    from numberquest.server.store import upkeep

    found, kept = upkeep.restore(path, file, partial(print, file=sys.stderr, flush=True))
    print(f"Restored to {path}: {found}.")
    if kept is not None:
        print(f"What was there before is kept in {kept}.")
    _tell_unknown(found)
    return 0


def _file(what: str, file: str, db: str | None) -> str:
    """Where the database is, which must be a file."""
    check_packages()
    from numberquest.server.store.stores import file_of

    path = file_of(db)
    if path is None:
        raise UsageError(for_postgres(what, file, db or ""), FAILURE)
    return path


def _tell_unknown(found: Contents) -> None:
    if found.unknown:
        games = ", ".join(sorted(found.unknown))
        print(f"Matches of {games} were not played through: name the files with --with.")


def prune(db: str | None) -> int:
    """Remove what nobody but its maker ever touched; returns the exit code."""
    check_packages()
    from numberquest.server.clock import StoreClock
    from numberquest.server.store.stores import opened

    async def remove() -> tuple[int, int]:
        async with opened(db, new=False, beside=True) as store:
            # What the server has noted may be minutes old.
            removed = await store.clear_untouched(StoreClock(store.lived).now(), 10_000_000)
            return len(removed), (await store.totals()).unfinished

    removed, left = asyncio.run(remove())
    matches = (
        "1 open match that nobody but its maker"
        if removed == 1
        else f"{removed} open matches that nobody but their maker"
    )
    print(f"Removed {matches} ever touched. Still open: {left}.")
    return 0


def check(db: str | None) -> int:
    """Read everything; returns the exit code."""
    check_packages()
    from numberquest.server.store.stores import file_of, opened
    from numberquest.server.store.upkeep import check_file, check_store

    path = file_of(db)
    if path is not None:
        found = check_file(path)
    else:

        async def read() -> Contents:
            async with opened(db) as store:
                return await check_store(store)

        found = asyncio.run(read())
    _tell_unknown(found)
    if not found.wrong:
        print(f"Nothing is wrong: {found}.")
        return 0
    for sentence in found.wrong:
        print(sentence)
    from numberquest.server.store.sqlite_file import command

    restored = "pg_restore" if path is None else f"{command('restore', path)} FILE"
    print(f"The database is damaged. '{restored}' takes up a backup.")
    return FAILURE


def for_postgres(what: str, file: str, address: str) -> str:
    """What to do with a PostgreSQL database instead; without the password, which has no place on a screen."""
    try:
        parts = urlsplit(address)
        query = urlencode([(name, value) for name, value in parse_qsl(parts.query) if name != "password"])
        user, _, where = parts.netloc.rpartition("@")
        place = f"{user.partition(':')[0]}@{where}" if user else where
        database = shlex.quote(parts._replace(netloc=place, query=query).geturl())
    except ValueError:
        database = "postgresql://USER@HOST/DATABASE"
    where = f"--dbname {database}"
    if what == "backup":
        command = f"pg_dump --format custom --schema numberquest --file {shlex.quote(file)} {where}"
    else:
        command = f"pg_restore --clean --if-exists --single-transaction {where} {shlex.quote(file)}"
    return f"PostgreSQL has its own programs for that, which ask for the password: {command}"
