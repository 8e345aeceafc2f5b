"""Which store an address means; and what is in it as records, one file each."""

import contextlib
import os
from collections.abc import AsyncIterator, Callable
from typing import Final

from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import user_folder, write_whole
from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import Retention, SqlStore, StoreError

MOST_NAMED: Final = 10


async def open_store(
    url: str | None, new: bool = True, wait: float = 0.0, say: Callable[[str], object] = str, beside: bool = False
) -> SqlStore:
    """Open a SQLite file (`PATH`, `sqlite:///PATH`, or None: the user's own), or a PostgreSQL database.

    `new` says whether a file that is missing is made. A PostgreSQL server that is being started is waited for, so many
    seconds, and `say` is told. `beside`: also a file that a server has open, to remove something.
    """
    path = file_of(url)
    if path is not None:
        from numberquest.server.store.sqlite import SqliteStore

        if not new and not os.path.exists(path):
            raise UsageError(f"There are no matches in {path}: the file does not exist.", FAILURE)
        return await SqliteStore.open(path, beside=beside)
    from numberquest.server.store.postgres import PostgresStore

    return await PostgresStore.open(url or "", wait=wait, say=say)


@contextlib.asynccontextmanager
async def opened(url: str | None, new: bool = True, beside: bool = False) -> AsyncIterator[SqlStore]:
    """The same for a command, which ends with what the store says it cannot do."""
    store = await open_store(url, new, beside=beside)
    try:
        yield store
    except StoreError as error:
        raise UsageError(str(error), FAILURE) from None
    finally:
        await store.close()


def file_of(url: str | None) -> str | None:
    """The SQLite file that is meant; None where it is a PostgreSQL database."""
    if url is None:
        url = os.path.join(user_folder("XDG_DATA_HOME", ".local", "share"), "games.db")
    scheme, separator, rest = url.partition("://")
    # Three strokes and a file of this folder, four and a path from the root: as others write such addresses.
    path = url if not separator else rest[1:] if scheme == "sqlite" and rest.startswith("/") else ""
    if path:
        return path
    if scheme in ("postgresql", "postgres"):
        return None
    # The address is not repeated: there may be a password in it.
    raise UsageError("--db needs a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE.")


async def export(store: SqlStore, folder: str, now: float | None = None) -> int:
    """Write the records into the folder, and return how many. `now` is the store's own time.

    A match that still goes on is not among them: its record would tell the hidden numbers. Nor are those of a class, of
    which nothing is kept for longer than a day. What cannot be read is left out, and told at the end.
    """
    now = store.lived.time if now is None else now
    written, missing, unreadable = 0, set[str](), list[str]()
    try:
        os.makedirs(folder, exist_ok=True)
        async for header, log in store.everything(unreadable.append):
            if header.classroom:
                continue
            try:
                state = folded(header, log)
            except Exception as trouble:
                # Whatever a row that nobody of us has written may bring about.
                if isinstance(trouble, Refusal) and trouble.code == "not-found":
                    missing.add(header.game)
                else:
                    unreadable.append(header.match)
                continue
            touched = log[-1].at if log else header.created
            if state.over or (log and now - touched > Retention().abandoned):
                write_whole(os.path.join(folder, f"{header.game}-{header.match}.nq"), [state.record().text().encode()])
                written += 1
    except OSError as error:
        raise UsageError(f"--export {folder} cannot be written: {error.strerror}", FAILURE) from None
    except StoreError as trouble:
        raise UsageError(f"{written} records written to {folder}, then no more. {trouble}", FAILURE) from None
    left_out = []
    if missing:
        left_out.append(f"those of {', '.join(sorted(missing))} are left out: name the files with --with")
    if unreadable:
        others = f" and {len(unreadable) - MOST_NAMED} others" if len(unreadable) > MOST_NAMED else ""
        left_out.append(f"match {', '.join(unreadable[:MOST_NAMED])}{others} cannot be read: see numberquest db check")
    if left_out:
        raise UsageError("; ".join([f"{written} records written to {folder}", *left_out]), FAILURE)
    return written
