"""The tables in PostgreSQL, in a schema of their own, and how they get to the newest version."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final

from numberquest.mistake import FAILURE, Mistake
from numberquest.server.clock import Lived

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA: Final = "numberquest"
LOCK: Final = 0x4E51_0001
"""Whoever changes the tables holds this lock, so that of two servers that start at once one waits."""

PATIENCE: Final = 3600.0
"""A step may go through all that there is, and another server waits for it: so many seconds, at most."""

STEPS: Final[tuple[str, ...]] = (
    # 1. Names are compared byte by byte: that is quicker, and does not depend on the server's language.
    """
    CREATE TABLE matches (
        match text COLLATE "C" PRIMARY KEY,
        game text NOT NULL,
        settings text NOT NULL,
        seed text NOT NULL,
        start text NOT NULL,
        opponent text NOT NULL,
        name1 text NOT NULL,
        name2 text NOT NULL,
        kind1 text NOT NULL,
        kind2 text NOT NULL,
        token1 bytea NOT NULL,
        token2 bytea NOT NULL,
        invite bytea NOT NULL,
        round integer NOT NULL,
        rounds integer NOT NULL,
        points1 integer NOT NULL,
        points2 integer NOT NULL,
        created double precision NOT NULL,
        over double precision
    );
    CREATE INDEX matches_by_age ON matches (created, match);
    CREATE INDEX matches_going_on ON matches (created) WHERE over IS NULL;
    CREATE TABLE log (
        match text COLLATE "C" NOT NULL REFERENCES matches ON DELETE CASCADE,
        ply integer NOT NULL,
        seat smallint NOT NULL,
        text text NOT NULL,
        key text NOT NULL,
        at double precision NOT NULL,
        PRIMARY KEY (match, ply)
    );
    """,
    # 2: who made a match, and about how many bytes it takes: written when it is made, and with its log when it is over.
    # What is done besides moves has a column of its own; before, it stood with the moves, as `!join HASH NAME`.
    """
    ALTER TABLE matches ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '';
    ALTER TABLE log ADD COLUMN deed text NOT NULL DEFAULT '';
    UPDATE log SET deed = substr(split_part(text, ' ', 1), 2), text = substr(text, length(split_part(text, ' ', 1)) + 2)
        WHERE text LIKE '!%';
    ALTER TABLE matches ADD COLUMN size integer NOT NULL DEFAULT 400;
    UPDATE matches SET size = size + length(start) + CASE WHEN over IS NULL THEN 0
        ELSE 100 * (SELECT count(*) FROM log WHERE log.match = matches.match) END;
    CREATE INDEX matches_by_owner ON matches (owner) WHERE owner <> '';
    CREATE INDEX matches_by_end ON matches (over) WHERE over IS NOT NULL;
    """,
    # 3: ages are counted by the store's own time, which begins with the clock's, or with the last that happened; what
    # the clock says is kept for the record alone.
    """
    ALTER TABLE matches ADD COLUMN date text NOT NULL DEFAULT '';
    UPDATE matches SET date = to_char(to_timestamp(created) AT TIME ZONE 'UTC', 'YYYY-MM-DD');
    CREATE TABLE life (time double precision NOT NULL, boot text NOT NULL, steady double precision NOT NULL);
    INSERT INTO life SELECT coalesce(max(time), extract(epoch FROM clock_timestamp())), '', 0 FROM (
        SELECT created AS time FROM matches UNION ALL SELECT over FROM matches UNION ALL SELECT at FROM log) times;
    """,
    # 4: how often each step of a day's puzzle was answered, and how often rightly.
    """
    CREATE TABLE answers (
        day text COLLATE "C" NOT NULL,
        step smallint NOT NULL,
        tries integer NOT NULL,
        correct integer NOT NULL,
        PRIMARY KEY (day, step)
    );
    """,
    # 5: whether a board says of each move what it comes to.
    """
    ALTER TABLE matches ADD COLUMN marks smallint NOT NULL DEFAULT 1;
    """,
)
"""What makes tables of version n + 1 out of those of version n."""


async def prepare(db: Any, steps: Sequence[str]) -> tuple[bytes, Lived]:
    """Bring the tables to the newest version; returns the secret, and how far the store's own time has come.

    `db` is an asyncpg connection.
    """
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", LOCK, timeout=PATIENCE)
        # Only if it is missing: to ask for it needs a right that a careful owner takes away again.
        if await db.fetchval("SELECT to_regclass($1)", f"{SCHEMA}.meta") is None:
            await db.execute(
                f"CREATE SCHEMA IF NOT EXISTS {SCHEMA};"
                "CREATE TABLE meta (version integer NOT NULL, secret bytea NOT NULL);"
            )
            await db.execute("INSERT INTO meta VALUES (0, $1)", secrets.token_bytes(32))
        row = await db.fetchrow("SELECT version, secret FROM meta")
        if row["version"] > len(steps):
            raise Mistake("That database was made by a newer version of Number Quest.", FAILURE)
        for number in range(row["version"], len(steps)):
            await db.execute(steps[number], timeout=PATIENCE)
            await db.execute("UPDATE meta SET version = $1", number + 1)
        life = await db.fetchrow("SELECT time, boot, steady FROM life")
        return bytes(row["secret"]), Lived(*life)
