"""Which store an address means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from numberquest.files import user_folder
from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.server.store.contract import Store


async def open_store(url: str | None, new: bool = True, wait: float = 0.0, say: Callable[[str], object] = str) -> Store:
    """Open a SQLite file (`PATH`, `sqlite:///PATH`, or None: the user's own), or a PostgreSQL database.

    `new` says whether a file that is missing is made. A PostgreSQL server that is being started is waited for, so many
    seconds, and `say` is told.
    """
    path = file_of(url)
    if path is not None:
        from numberquest.server.store.sqlite import SqliteStore

        if not new and not os.path.exists(path):
            raise Mistake(f"There are no matches in {path}: the file does not exist.", FAILURE)
        return await SqliteStore.open(path)
    from numberquest.server.store.postgres import PostgresStore

    return await PostgresStore.open(url or "", wait=wait, say=say)


def file_of(url: str | None) -> str | None:
    """The SQLite file that is meant; None where it is a PostgreSQL database."""
    if url is None:
        url = os.path.join(user_folder("XDG_DATA_HOME", ".local", "share"), "games.db")
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "sqlite", url
    # Three strokes and a file of this folder, four and a path from the root: as others write such addresses.
    if scheme == "sqlite" and separator and rest.startswith("/"):
        rest, separator = rest[1:], ""
    if scheme == "sqlite" and rest and not separator:
        return rest
    if scheme in ("postgresql", "postgres"):
        return None
    # The address is not repeated: there may be a password in it.
    raise Mistake("--db needs a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE.")
