"""`numberquest db`: what the keeper of a server does with its database: a backup, a check, a backup put back."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from numberquest.mistake import FAILURE, Mistake
from numberquest.server.serve import check_packages

if TYPE_CHECKING:
    from numberquest.server.store.check import Contents


class DbOptions(NamedTuple):
    """What was asked for on the command line."""

    what: str
    file: str = ""
    db: str | None = None
    force: bool = False


def run(options: DbOptions) -> int:
    """Do it, and return the exit code."""
    check_packages()
    from numberquest.server.store.stores import file_of

    if options.what == "check":
        return _check(options.db)
    path = file_of(options.db)
    if path is None:
        raise Mistake(for_postgres(options.what, options.file, options.db or ""), FAILURE)
    from numberquest.server.store.backup import backup, restore

    say = partial(print, file=sys.stderr, flush=True)
    if options.what == "backup":
        found = backup(path, options.file, options.force, say)
        print(f"Backup written to {options.file}: {found}.")
        _tell_unknown(found)
        return 0
    folder = os.path.dirname(os.path.abspath(path))
    if options.db is not None and not os.path.isdir(folder):
        raise Mistake(f"There is no folder {folder}: make it first, or look again at what --db says.", FAILURE)
    found, kept = restore(path, options.file, say)
    print(f"Restored to {path}: {found}.")
    if kept is not None:
        print(f"What was there before is kept in {kept}.")
    _tell_unknown(found)
    return 0


def _tell_unknown(found: Contents) -> None:
    if found.unknown:
        games = ", ".join(sorted(found.unknown))
        print(f"Matches of {games} were not played through: name the files with --with.")


def _check(db: str | None) -> int:
    from numberquest.server.store.check import check_file, check_store
    from numberquest.server.store.contract import StoreError
    from numberquest.server.store.stores import file_of, open_store

    path = file_of(db)
    if path is not None:
        found = check_file(path)
    else:

        async def check() -> None:
            nonlocal found
            store = await open_store(db)
            try:
                found = await check_store(store)
            except StoreError as error:
                raise Mistake(str(error), FAILURE) from None
            finally:
                await store.close()

        asyncio.run(check())
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
