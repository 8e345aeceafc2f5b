"""Which store an address means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from numberquest.files import user_folder
from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from numberquest.server.store.contract import Store


async def open_store(url: str | None, new: bool = True) -> Store:
    """Open a SQLite file (`PATH`, `sqlite:///PATH`, or None: the user's own), or a PostgreSQL database.

    `new` says whether a file that is missing is made.
    """
    if url is None:
        url = os.path.join(user_folder("XDG_DATA_HOME", ".local", "share"), "games.db")
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "sqlite", url
    # Three strokes and a file of this folder, four and a path from the root: as others write such addresses.
    if scheme == "sqlite" and separator and rest.startswith("/"):
        rest, separator = rest[1:], ""
    if scheme == "sqlite" and rest and not separator:
        from numberquest.server.store.sqlite import SqliteStore

        if not new and not os.path.exists(rest):
            raise Mistake(f"There are no matches in {rest}: the file does not exist.", FAILURE)
        return await SqliteStore.open(rest)
    if scheme in ("postgresql", "postgres"):
        from numberquest.server.store.postgres import PostgresStore

        return await PostgresStore.open(url)
    # The address is not repeated: there may be a password in it.
    raise Mistake("--db needs a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE.")
