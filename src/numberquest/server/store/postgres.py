"""Matches in PostgreSQL, for several servers at once.

Each server writes what waits in one statement, which is one transaction, and tells the others with NOTIFY in the same
one: they hear of it exactly if it is written down.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]

from numberquest.core.errors import FAILURE, UsageError
from numberquest.server.clock import Lived
from numberquest.server.match.entries import MatchHeader
from numberquest.server.store import base
from numberquest.server.store.base import Logged, Order, Read, SqlStore, StoreError

SCHEMA: Final = "numberquest"
CHANNEL: Final = "numberquest"
WORDS: Final = "numberquest_words"
"""The channel of notifications that are not kept."""
MOST_WORDS: Final = 20_000
"""Notifications that may wait to be sent; further ones are lost."""
SERVER_SETTINGS: Final = {
    "application_name": "numberquest",
    "search_path": SCHEMA,
    # What is acknowledged is on disk, whatever the database is set to otherwise.
    "synchronous_commit": "on",
    # We ask for a few rows by their keys. A plan from the first minute, when walking through the whole table was
    # cheapest, must not be kept while the table grows.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
PATIENCE: Final = 5.0
"""An answer that takes longer, in seconds, does not come."""
LONG_PATIENCE: Final = 60.0
"""Seconds of the same for questions about the whole database."""
CONNECTION: Final[dict[str, Any]] = {
    "timeout": PATIENCE,
    # Later than `_asking` gives it up: asyncpg asks the other side to stop, and waits for that as long again.
    "command_timeout": 2 * LONG_PATIENCE,
    "server_settings": SERVER_SETTINGS,
}
READERS: Final = 4
"""Connections, at most, for everything but moves."""
HEARTBEAT: Final = 2.0
"""A network can go without a word: so often, in seconds, it is asked for a sign of life, and waited for it as long."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
"""Between two attempts to reach a server that has gone."""
SAID: Final = 5.0
"""Seconds between two messages that a starting database is waited for."""

# The last of the columns is the class. Its row is locked: whoever erases it waits, and finds the match.
CREATE: Final = f"""
    WITH class AS (SELECT FROM classes WHERE classroom = ${base.HOW_MANY} FOR KEY SHARE)
    INSERT INTO matches ({base.COLUMNS}, size)
        SELECT {", ".join(f"${number}" for number in range(1, base.HOW_MANY + 2))}
        WHERE ${base.HOW_MANY} = '' OR EXISTS (SELECT FROM class)
    ON CONFLICT DO NOTHING RETURNING true"""  # noqa: S608
# In the order of the names, so that two servers with the same matches never wait for each other in a ring.
APPEND: Final = f"""
    WITH waiting AS (
        SELECT * FROM unnest($1::text[], $2::int[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::float8[],
            $8::bool[]) AS w (match, ply, seat, deed, text, key, at, over)
    ), written AS (
        INSERT INTO log (match, {base.ENTRY})
            SELECT w.match, w.ply, w.seat, w.deed, w.text, w.key, w.at FROM waiting w
            WHERE EXISTS (SELECT FROM matches m WHERE m.match = w.match)
                AND (w.ply = 0 OR EXISTS (SELECT FROM log l WHERE l.match = w.match AND l.ply = w.ply - 1))
            ORDER BY w.match COLLATE "C"
        ON CONFLICT DO NOTHING RETURNING match
    ), ended AS (
        UPDATE matches m SET over = w.at, size = m.size + {base.ENTRY_BYTES} * (w.ply + 1) FROM waiting w, written
            WHERE w.over AND w.match = written.match AND m.match = w.match
    )
    SELECT match, pg_notify($9, $10 || ' ' || match) FROM written"""  # noqa: S608
LOG: Final = f"ARRAY(SELECT ROW({base.ENTRY}) FROM log WHERE log.match = matches.match ORDER BY ply)"  # noqa: S608
SAY: Final = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word"
APPEND_TO_CLASS: Final = """
    WITH written AS (
        INSERT INTO class_log (classroom, number, event) SELECT c.classroom, $2::int, $3::bytea FROM classes c
            WHERE c.classroom = $1::text
                AND ($2::int = 0 OR EXISTS (SELECT FROM class_log l WHERE l.classroom = $1 AND l.number = $2 - 1))
        ON CONFLICT DO NOTHING RETURNING number
    )
    SELECT number, pg_notify($4::text, $5::text || ' ' || $1) FROM written"""
GONE: Final = "SELECT pg_notify($1::text, $2::text || ' ' || name) FROM unnest($3::text[]) AS name"
MOST_ROWS: Final = 1000

TROUBLES: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""All that asyncpg raises; a timeout is an OSError."""
STARTING: Final = (
    ConnectionError,
    FileNotFoundError,
    asyncpg.CannotConnectNowError,
    asyncpg.ConnectionDoesNotExistError,
)
"""Errors of a database that is starting: no answer, or that it is not ready."""
APART: Final = ("22", "23", "40")
"""The classes of errors that one row may have brought upon the others: bad values, broken bonds, a clash of locks."""

WRONG: Final = {"53100": "The disk of the database is full", "25006": "The database can only be read"}
"""Messages of some errors, by their code."""
WHY_NOT: Final = {
    asyncpg.InvalidAuthorizationSpecificationError: (
        "The PostgreSQL server does not let you in: the user or the password in --db is wrong."
    ),
    asyncpg.InvalidCatalogNameError: "The PostgreSQL server has no database of the name in --db.",
    asyncpg.InsufficientPrivilegeError: "The user in --db may not make tables in that database.",
    asyncpg.CannotConnectNowError: "The PostgreSQL server is not ready: it starts, stops or repairs itself.",
    OSError: "No PostgreSQL server answers at the address in --db.",
    (asyncpg.InterfaceError, ValueError): (
        "--db is not an address that PostgreSQL understands: postgresql://USER:PASSWORD@HOST:PORT/DATABASE."
    ),
    Exception: "The PostgreSQL database named in --db cannot be used.",
}
"""Messages of a database that cannot be opened."""

LOCK: Final = 0x4E51_0001
"""The lock of a server that changes the tables: of two that start at once one waits."""

STEP_PATIENCE: Final = 3600.0
"""Seconds, at most, of a step that goes through all matches while another server waits."""

# Names are compared byte by byte: that is quicker, and does not depend on the server's language.
STEPS: Final = base.steps(
    match='match text COLLATE "C" PRIMARY KEY',
    of_match='text COLLATE "C" NOT NULL REFERENCES matches',
    key="match",
    by_age="created, match",
    by_owner="owner",
    word='text COLLATE "C"',
    bytes="bytea",
    real="double precision",
    small="smallint",
    strict="",
    strict_by_key="",
    meta="",
    find="strpos",
    date="to_char(to_timestamp(created) AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
    place="place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    now="extract(epoch FROM clock_timestamp())",
)


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database. Made by `await PostgresStore.open(address)`."""

    key = "match"
    size = "pg_total_relation_size('matches') + pg_total_relation_size('log')"
    has_tag = "position($4 in event) > 0"
    late = 3600.0  # of several servers, one may be behind with that time

    def __init__(self, address: str, writing: Any, reading: Any, secret: bytes, lived: Lived) -> None:
        super().__init__(secret, lived)
        self._address = address
        self._writing = writing
        self._reading = reading
        self._name = secrets.token_hex(8)
        self._words: list[str] = []
        """Notifications that wait to be sent."""
        self._talking: asyncio.Task[None] | None = None
        self._doubts = asyncio.Event()
        """Set when a connection was lost: then the listening one may be lost too."""
        self._listening: Any = None
        """The connection that hears of changes, until `_listen_forever` takes it over."""
        self._listener: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls, address: str, steps: Sequence[str] = STEPS, wait: float = 0.0, say: Callable[[str], object] = str
    ) -> PostgresStore:
        """Reach the database, and bring its tables to the newest version.

        One that is just being started is waited for, so many seconds; `say` is told so every now and then.
        """
        loop = asyncio.get_running_loop()
        until, said = loop.time() + wait, float("-inf")
        while True:
            try:
                return await cls._open_now(address, steps)
            except UsageError as trouble:
                now = loop.time()
                if now >= until or not isinstance(trouble.__context__, STARTING):
                    raise
                if now - said >= SAID:
                    said = now
                    say(f"Waiting for the database: {trouble}")
                await asyncio.sleep(min(0.25, max(0.0, until - now)))

    @classmethod
    async def _open_now(cls, address: str, steps: Sequence[str]) -> PostgresStore:
        pools = []
        try:
            # Moves have a connection of their own: they never stand in line behind a thousand readers.
            for most in (1, READERS):
                pool = await asyncpg.create_pool(address, min_size=0, max_size=most, reset=_as_it_is, **CONNECTION)
                pools.append(pool)
            async with pools[0].acquire() as db:
                secret, lived = await _prepare(db, steps)
            store = cls(address, pools[0], pools[1], secret, lived)
            # From here on no change of another server goes unheard.
            store._listening = await store._listen()
        except BaseException as trouble:
            for pool in pools:
                pool.terminate()
            if isinstance(trouble, (*TROUBLES, ValueError)):
                # What went wrong may repeat the address, and with it a password.
                why = next(why for kind, why in WHY_NOT.items() if isinstance(trouble, kind))
                raise UsageError(why, FAILURE) from None
            raise
        store._listener = asyncio.create_task(
            store.background.keep_running("database notifications", store._listen_forever)
        )
        # From its first step on it lets the connection go when it is cancelled; before, nobody would.
        await asyncio.sleep(0)
        return store

    async def load(self, match: str) -> Logged | None:
        rows = await self._rows(f"SELECT {base.COLUMNS}, {LOG} FROM matches WHERE match = $1", match)  # noqa: S608
        return _match_of(rows[0]) if rows else None

    async def append_to_class(self, classroom: str, number: int, event: bytes) -> bool:
        return bool(await self._change(APPEND_TO_CLASS, classroom, number, event, CHANNEL, self._name))

    async def erase_class(self, classroom: str) -> list[str]:
        self._check_open()
        try:
            async with _asking(self._reading) as db, db.transaction():
                # First the class itself: what is being written to it waits for that, and finds it gone.
                for statement in reversed(base.ERASE):
                    await db.execute(statement, classroom)
                matches = [row[0] for row in await db.fetch(base.ERASE_MATCHES, classroom)]
                await db.execute(GONE, CHANNEL, self._name, [classroom, *matches])
        except TROUBLES as trouble:
            raise self._not_written(trouble) from trouble
        return matches

    def pass_on(self, match: str, word: str) -> None:
        if self._closed or len(self._words) >= MOST_WORDS:
            return
        self._words.append(f"{self._name} {match} {word}")
        if self._talking is None or self._talking.done():
            self._talking = self._loop.create_task(self._talk())

    # ---- inside

    async def _close(self) -> None:
        for task in (self._listener, self._talking):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        for pool in (self._writing, self._reading):
            try:
                await asyncio.wait_for(pool.close(), PATIENCE)
            except TROUBLES:
                # It does not even answer a farewell; and nothing of ours is left, all was acknowledged or refused.
                pool.terminate()

    async def _create(self, header: MatchHeader) -> bool:
        return bool(await self._change(CREATE, *base.row_of(header), base.size_of(header)))

    async def _touch(self) -> None:
        await self._change("UPDATE meta SET version = version")

    async def _change(self, statement: str, *values: Any) -> list[Any]:
        self._check_open()
        try:
            async with _asking(self._reading) as db:
                rows: list[Any] = await db.fetch(statement, *values)
        except (*TROUBLES, ValueError) as trouble:
            self._probed = base.NEVER
            raise self._not_written(trouble) from trouble
        return rows

    async def _rows(self, question: str, *values: Any) -> list[Any]:
        if self._closed:
            raise StoreError("The server is stopping: nothing more is read.")
        # What is about the whole database takes longer than what is about one match, or a few.
        patience = PATIENCE if base.COLUMNS in question else LONG_PATIENCE
        # Each connection may turn out to be a dead one. To ask again does no harm, and in the end there is a new one.
        asked = 0
        while True:
            try:
                async with _asking(self._reading, patience) as db:
                    rows: list[Any] = await db.fetch(question, *values)
                return rows
            except (*TROUBLES, ValueError) as trouble:
                self._doubt(trouble)
                asked += 1
                # Who did not answer in time will not do so the next time either.
                if asked > READERS or isinstance(trouble, TimeoutError) or not _is_lost(trouble):
                    raise StoreError(f"{_what_is_wrong(trouble)}: it could not be read.") from trouble

    async def _remove(self, keys: list[str], still: str, values: tuple[float, ...]) -> list[str]:
        self._check_open()
        last = len(values)
        try:
            async with _asking(self._reading) as db, db.transaction():
                # What another server is working on stays.
                locked = "SELECT match FROM matches WHERE match = ANY($1) FOR UPDATE SKIP LOCKED"
                found = [row[0] for row in await db.fetch(locked, keys)]
                # Asked once more, now that nobody can go on with it: somebody may have done so just before.
                gone = await db.fetch(
                    f"DELETE FROM matches WHERE match = ANY(${last + 1}) AND {still}"  # noqa: S608
                    f" RETURNING match, pg_notify(${last + 2}, ${last + 3} || ' ' || match)",
                    *(*values, found, CHANNEL, self._name),
                )
        except TROUBLES as trouble:
            raise StoreError(f"{_what_is_wrong(trouble)}: not all old matches could be removed.") from trouble
        return [row[0] for row in gone]

    async def _matches_after(self, after: tuple[float, str] | None, careful: bool) -> list[Read]:
        # PostgreSQL lets nothing in that cannot be read, so no single match is ever unreadable.
        question = (
            f"SELECT {base.COLUMNS}, {LOG} FROM matches WHERE (created, match) > ($1, $2)"  # noqa: S608
            f" ORDER BY created, match LIMIT {base.READ_AT_ONCE}"
        )
        rows = await self._rows(question, *(after or (base.NEVER, "")))
        return [Read((row["created"], row["match"]), _match_of(row)) for row in rows]

    def _next_batch(self) -> list[Order]:
        """All that waits; but only one entry for a match, for the next one asks whether this one is there."""
        first: dict[str, Order] = {}
        rest: list[Order] = []
        for order in self._waiting:
            if order.match in first or len(first) >= MOST_ROWS:
                rest.append(order)
            else:
                first[order.match] = order
        self._waiting = rest
        return list(first.values())

    async def _answers(self, batch: list[Order]) -> Sequence[bool | Exception]:
        try:
            return await self._write(batch)
        except (*TROUBLES, ValueError) as trouble:
            if len(batch) == 1 or not (isinstance(trouble, ValueError) or _sqlstate(trouble)[:2] in APART):
                raise self._not_written(trouble) from trouble
        answers: list[bool | Exception] = []
        for order in batch:
            try:
                answers += await self._answers([order])
            except Exception as why_not:
                answers.append(why_not)
        return answers

    async def _write(self, batch: list[Order]) -> list[bool]:
        began = self._loop.time()
        columns = zip(*(order.row for order in batch if order.row is not None), strict=True)
        values = [[order.match for order in batch], *map(list, columns), [order.over for order in batch]]
        new = {order.match: order.new for order in batch if order.new is not None}
        async with _asking(self._writing) as db, db.transaction() if new else contextlib.nullcontext():
            rows = await db.fetch(APPEND, *values, CHANNEL, self._name)
            for row in rows:
                if (kept := new.get(row[0])) is not None:
                    await db.fetch(CREATE, *base.row_of(kept), base.size_of(kept))
        self.figures.commits += 1
        self.figures.entries += len(rows)
        self.figures.seconds += self._loop.time() - began
        there = {row[0] for row in rows}
        return [order.match in there for order in batch]

    async def _listen(self) -> Any:
        db = await asyncpg.connect(self._address, **{**CONNECTION, "command_timeout": PATIENCE})
        try:
            for channel in (CHANNEL, WORDS):
                await db.add_listener(channel, self._heard)
        except BaseException:
            db.terminate()
            raise
        return db

    def _heard(self, _db: object, _process: int, _channel: str, payload: str) -> None:
        who, *about = payload.split(" ", 2)
        if who != self._name:
            self._tell(*about)

    async def _talk(self) -> None:
        """Say what waits, all in one statement; where the database does not answer, again a little later."""
        pause = SHORTEST_PAUSE
        while self._words and not self._closed:
            some = self._words[:MOST_ROWS]
            try:
                async with _asking(self._reading) as db:
                    await db.execute(SAY, WORDS, some)
            except TROUBLES as trouble:
                self._doubt(trouble)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                del self._words[: len(some)]

    def _tell(self, match: str, *word: str) -> None:
        told: Sequence[Callable[..., None]] = self._hearers if word else self._told
        for one in told:
            # Not from in here: whatever goes wrong there must not end the listening.
            self._loop.call_soon(one, match, *word)

    def _doubt(self, trouble: Exception) -> None:
        """Check at once whether the listening connection is still there, if another was lost."""
        if _is_lost(trouble):
            self.hears = False
            self._doubts.set()

    def _not_written(self, trouble: Exception) -> StoreError:
        self._doubt(trouble)
        # A connection can be lost before or after the commit: then nobody knows, until it is asked again.
        ending = "it may not have been written down" if _is_lost(trouble) else "it was not written down"
        cause = _sqlstate(trouble) or type(trouble).__name__
        self.failed(refused := StoreError(f"{_what_is_wrong(trouble)}: {ending}.", cause))
        return refused

    async def _listen_forever(self) -> None:
        """Listen; and where the connection is lost, say that anything may have changed, then and when it is back."""
        pause, db, self._listening = SHORTEST_PAUSE, self._listening, None
        try:
            # Not only until it is cancelled: Python 3.11 can lose that word when a connection ends at the same moment.
            while not self._closed:
                if db is not None:
                    pause = SHORTEST_PAUSE
                    await self._until_lost(db)
                    self.hears = False
                    self._tell("")
                    db.terminate()
                    db = None
                try:
                    db = await self._listen()
                except TROUBLES:
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                else:
                    self.hears = True
                    self._tell("")
        finally:
            self.hears = False
            if db is not None:
                db.terminate()

    async def _until_lost(self, db: Any) -> None:
        db.add_termination_listener(lambda _db: self._doubts.set())
        while not db.is_closed():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT):
                    await self._doubts.wait()
            self._doubts.clear()
            try:
                await db.execute("SELECT 1", timeout=HEARTBEAT)
            except TROUBLES:
                return
            # What it was told meanwhile it has heard.
            self.hears = not self._doubts.is_set()


@contextlib.asynccontextmanager
async def _asking(pool: Any, patience: float | None = None) -> AsyncIterator[Any]:
    """A connection to ask something; where no answer comes in time it is given up at once, and that is a timeout."""
    loop, db = asyncio.get_running_loop(), await pool.acquire()
    given_up = loop.call_later(PATIENCE if patience is None else patience, db.terminate)
    try:
        yield db
    except TROUBLES as trouble:
        if loop.time() >= given_up.when():
            raise TimeoutError from trouble
        raise
    finally:
        given_up.cancel()
        await pool.release(db)


async def _prepare(db: Any, steps: Sequence[str]) -> tuple[bytes, Lived]:
    """Bring the tables to the newest version; returns the secret, and how far the store's own time has come."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", LOCK, timeout=STEP_PATIENCE)
        # Only if it is missing: to ask for it needs a right that a careful owner takes away again.
        if await db.fetchval("SELECT to_regclass($1)", f"{SCHEMA}.meta") is None:
            await db.execute(
                f"CREATE SCHEMA IF NOT EXISTS {SCHEMA};"
                "CREATE TABLE meta (version integer NOT NULL, secret bytea NOT NULL);"
            )
            await db.execute("INSERT INTO meta VALUES (0, $1)", secrets.token_bytes(32))
        row = await db.fetchrow("SELECT version, secret FROM meta")
        if row["version"] > len(steps):
            raise UsageError("That database was made by a newer version of Number Quest.", FAILURE)
        for number in range(row["version"], len(steps)):
            await db.execute(steps[number], timeout=STEP_PATIENCE)
            await db.execute("UPDATE meta SET version = $1", number + 1)
        life = await db.fetchrow("SELECT time, boot, steady FROM life")
        return bytes(row["secret"]), Lived(*life)


async def _as_it_is(_db: object) -> None:
    """Reset nothing: our statements change nothing of a connection, so one question less is asked."""


def _match_of(row: Sequence[Any]) -> Logged:
    return base.header_of(row), [base.entry_of(*entry) for entry in row[base.HOW_MANY]]


def _sqlstate(trouble: Exception) -> str:
    return getattr(trouble, "sqlstate", None) or ""


def _is_lost(trouble: Exception) -> bool:
    """Whether the connection is gone, or in no state to be used; asyncpg has many names for that."""
    if isinstance(trouble, ValueError):
        return False
    return not isinstance(trouble, asyncpg.PostgresError) or isinstance(
        trouble, (asyncpg.PostgresConnectionError, asyncpg.exceptions.OperatorInterventionError)
    )


def _what_is_wrong(trouble: Exception) -> str:
    otherwise = "The database does not answer" if _is_lost(trouble) else "The database refuses"
    return WRONG.get(_sqlstate(trouble), otherwise)
