"""All that a database still says, once its store is closed: its bytes, and of PostgreSQL every row of every table."""

import re
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]


async def stored(address: str) -> bytes:
    """The bytes of a SQLite file with its journal, or the rows of a PostgreSQL database as text."""
    if not address.startswith("postgresql"):
        found = [Path(address + ending) for ending in ("", "-wal")]
        return b"".join(file.read_bytes() for file in found if file.exists())
    db = await asyncpg.connect(address)
    try:
        here = "table_schema NOT IN ('pg_catalog', 'information_schema')"
        tables = await db.fetch(f"SELECT table_schema, table_name FROM information_schema.tables WHERE {here}")  # noqa: S608
        assert {"classes", "class_log", "matches", "log"} <= {name for _, name in tables}
        rows = [row for at, name in tables for row in await db.fetch(f'SELECT t::text FROM "{at}"."{name}" t')]  # noqa: S608
    finally:
        await db.close()
    # Columns of bytes stand in the rows in hexadecimal.
    return b"".join(text.encode() + b"".join(map(_plain, re.findall(r"\\x([0-9a-f]+)", text))) for (text,) in rows)


def _plain(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal)
