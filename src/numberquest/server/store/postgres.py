"""Matches in PostgreSQL, for several servers at once.

Each server writes what waits in one statement, which is one transaction, and tells the others with NOTIFY in the same
one: they hear of it exactly if it is written down.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import TYPE_CHECKING, Any, Final, TypeVar

import asyncpg  # type: ignore[import-untyped]
from msgspec import Struct

from numberquest.mistake import FAILURE, Mistake
from numberquest.server.clock import Lived
from numberquest.server.store.contract import Figures, Retention, Share, StoreError, Totals
from numberquest.server.store.postgres_schema import SCHEMA, STEPS, prepare
from numberquest.server.store.rows import (
    COLUMNS,
    ENTRY_BYTES,
    HOW_MANY,
    check_texts,
    entry_of,
    kept_of,
    row_of,
    size_of,
    written,
)

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from numberquest.server.match.entries import Entry, Kept

CHANNEL: Final = "numberquest"
WORDS: Final = "numberquest_words"
"""Where servers tell each other what is not kept."""
MOST_WORDS: Final = 20_000
"""So many may wait to be said; beyond that they are lost."""
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
"""The same for questions about the whole database."""
CONNECTION: Final[dict[str, Any]] = {
    "timeout": PATIENCE,
    "command_timeout": PATIENCE,
    "server_settings": SERVER_SETTINGS,
}
READERS: Final = 4
"""So many connections, at most, for everything but moves."""
HEARTBEAT: Final = 2.0
"""A network can go without a word: so often, in seconds, it is asked for a sign of life, and waited for it as long."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
"""Between two attempts to reach a server that has gone."""
SAID: Final = 5.0
"""So often, in seconds, it is said that a server that is starting is waited for."""

CREATE: Final = (
    f"INSERT INTO matches ({COLUMNS}, size)"  # noqa: S608
    f" VALUES ({', '.join(f'${number}' for number in range(1, HOW_MANY + 2))})"
    " ON CONFLICT DO NOTHING RETURNING true"
)
# In the order of the names, so that two servers with the same matches never wait for each other in a ring.
APPEND: Final = f"""
    WITH waiting AS (
        SELECT * FROM unnest($1::text[], $2::int[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::float8[],
            $8::bool[]) AS w (match, ply, seat, deed, text, key, at, over)
    ), written AS (
        INSERT INTO log (match, ply, seat, deed, text, key, at)
            SELECT w.match, w.ply, w.seat, w.deed, w.text, w.key, w.at FROM waiting w
            WHERE EXISTS (SELECT FROM matches m WHERE m.match = w.match)
                AND (w.ply = 0 OR EXISTS (SELECT FROM log l WHERE l.match = w.match AND l.ply = w.ply - 1))
            ORDER BY w.match COLLATE "C"
        ON CONFLICT DO NOTHING RETURNING match
    ), ended AS (
        UPDATE matches m SET over = w.at, size = m.size + {ENTRY_BYTES} * (w.ply + 1) FROM waiting w, written
            WHERE w.over AND w.match = written.match AND m.match = w.match
    )
    SELECT match, pg_notify($9, $10 || ' ' || match) FROM written"""  # noqa: S608
LOG: Final = "ARRAY(SELECT ROW(ply, seat, deed, text, key, at) FROM log WHERE log.match = matches.match ORDER BY ply)"
DUE: Final = """(
    CASE WHEN over IS NOT NULL THEN over < $1
    ELSE coalesce((SELECT at FROM log l WHERE l.match = matches.match ORDER BY ply DESC LIMIT 1), created) < $2
        OR (opponent = 'friend' AND created < $3 AND (length(token1) = 0 OR length(token2) = 0)
            AND NOT EXISTS (SELECT FROM log l WHERE l.match = matches.match AND l.deed = 'join'))
    END)"""
OLDEST_OVER: Final = "match IN (SELECT match FROM matches WHERE over IS NOT NULL ORDER BY over LIMIT $1)"
# What lies beyond the share, counted from what goes on and from the newest end.
BEYOND_SHARE: Final = """match IN (
    SELECT match FROM (
        SELECT match, over, sum(size) OVER (PARTITION BY owner ORDER BY over IS NOT NULL, over DESC, match) AS up_to
        FROM matches
        WHERE owner IN (SELECT owner FROM matches WHERE owner <> '' GROUP BY owner HAVING sum(size) > $1)) counted
    WHERE over IS NOT NULL AND up_to > $1)"""
# The log of a match that is over is in its size already.
SHARES: Final = f"""
    SELECT owner, count(*) FILTER (WHERE over IS NULL), sum(size + CASE WHEN over IS NULL THEN
        {ENTRY_BYTES} * coalesce((SELECT ply + 1 FROM log WHERE log.match = matches.match ORDER BY ply DESC LIMIT 1), 0)
        ELSE 0 END)
    FROM matches WHERE owner <> '' GROUP BY owner"""  # noqa: S608
TOTALS: Final = """
    SELECT (SELECT count(*) FROM matches WHERE over IS NULL), (SELECT count(*) FROM matches WHERE over IS NOT NULL),
        pg_total_relation_size('matches') + pg_total_relation_size('log')"""
LIVE: Final = "UPDATE life SET time = $1, boot = $2, steady = $3 WHERE time <= $1"
SAY: Final = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word"
COUNT: Final = """
    WITH gone AS (DELETE FROM answers WHERE day <> $1)
    INSERT INTO answers VALUES ($1, $2, 1, $3)
    ON CONFLICT (day, step) DO UPDATE SET tries = answers.tries + 1, correct = answers.correct + excluded.correct
"""
PRUNED_AT_ONCE: Final = 100
NEVER: Final = float("-inf")
LATE: Final = 3600.0
"""So many seconds later than it could a match is removed: of several servers, one may be behind with that time."""
READ_AT_ONCE: Final = 100
MOST_ROWS: Final = 1000

TROUBLES: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""All that asyncpg raises; a timeout is an OSError."""
STARTING: Final = (
    ConnectionError,
    FileNotFoundError,
    asyncpg.CannotConnectNowError,
    asyncpg.ConnectionDoesNotExistError,
)
"""What a server that is being started may answer with: nothing, or that it is not ready."""
APART: Final = ("22", "23", "40")
"""The classes of errors that one row may have brought upon the others: bad values, broken bonds, a clash of locks."""

T = TypeVar("T")


class _Append(Struct, gc=False):
    answer: Future[bool]
    match: str
    entry: Entry
    over: bool


class PostgresStore:
    """A store in a PostgreSQL database. Made by `await PostgresStore.open(address)`."""

    def __init__(self, address: str, writing: Any, reading: Any, secret: bytes, lived: Lived) -> None:
        self._address = address
        self._writing = writing
        self._reading = reading
        self._secret = secret
        self._lived = lived
        self._loop = asyncio.get_running_loop()
        self._name = secrets.token_hex(8)
        self._told: list[Callable[[str], None]] = []
        self._hearers: list[Callable[[str, str], None]] = []
        self._words: list[str] = []
        """What is still to be said to the others."""
        self._talking: asyncio.Task[None] | None = None
        self._closed = False
        self._hears = True
        self._doubts = asyncio.Event()
        """Somebody has found a connection lost: then the listening one may be so too."""
        self._figures = Figures()
        self._probe: asyncio.Task[None] | None = None
        self._probed = NEVER
        """When it was asked last whether it can be written to; a refused write makes that answer worthless."""
        self._waiting: list[_Append] = []
        self._awake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
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
            except Mistake as trouble:
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
                secret, lived = await prepare(db, steps)
            store = cls(address, pools[0], pools[1], secret, lived)
            # From here on no change of another server goes unheard.
            listening = await store._listen()
        except BaseException as trouble:
            for pool in pools:
                pool.terminate()
            if isinstance(trouble, (*TROUBLES, ValueError)):
                # What went wrong may repeat the address, and with it a password.
                raise Mistake(_why_not(trouble), FAILURE) from None
            raise
        store._writer = asyncio.create_task(store._write_forever())
        store._listener = asyncio.create_task(store._listen_forever(listening))
        return store

    # ---- the protocol

    @property
    def secret(self) -> bytes:
        """32 random bytes, made with the database."""
        return self._secret

    @property
    def lived(self) -> Lived:
        """How far its own time had come when that was noted last, by any server."""
        return self._lived

    @property
    def figures(self) -> Figures:
        """What it has done so far."""
        return self._figures

    @property
    def hears(self) -> bool:
        """Whether it would hear now of what other servers change."""
        return self._hears

    async def ready(self) -> None:
        """A `StoreError` where nothing could be written now."""
        self._check_open()
        now = self._loop.time()
        if self._probe is None or (self._probe.done() and now - self._probed >= 1.0):
            self._probed = now
            self._probe = asyncio.create_task(self._touch())
        await asyncio.wait([self._probe])
        self._probe.result()

    async def _touch(self) -> None:
        try:
            # Changes nothing, and goes all the way to the disk.
            await self._reading.execute("UPDATE meta SET version = version")
        except TROUBLES as trouble:
            raise self._not_written(trouble) from trouble

    async def create(self, kept: Kept) -> bool:
        """Keep a new match; False where one of that name is there already."""
        self._check_open()
        check_texts(row_of(kept))
        try:
            return await self._reading.fetchval(CREATE, *row_of(kept), size_of(kept)) is True
        except (*TROUBLES, ValueError) as trouble:
            self._probed = NEVER
            raise self._not_written(trouble) from trouble

    async def append(self, match: str, entry: Entry, over: bool) -> bool:
        """Write an entry down; False where its ply is taken or not the next one."""
        self._check_open()
        check_texts((*written(entry), entry.key))
        answer: Future[bool] = self._loop.create_future()
        self._waiting.append(_Append(answer, match, entry, over))
        self._awake.set()
        return await answer

    async def load(self, match: str) -> tuple[Kept, list[Entry]] | None:
        """A match with its whole log, or None."""
        question = f"SELECT {COLUMNS}, {LOG} FROM matches WHERE match = $1"  # noqa: S608
        row = await self._read(lambda: self._reading.fetchrow(question, match))
        return None if row is None else _match_of(row)

    async def count_answer(self, day: str, step: int, right: bool) -> None:
        """Count an answer to a step of that day's puzzle."""
        self._check_open()
        try:
            await self._reading.execute(COUNT, day, step, int(right))
        except TROUBLES as trouble:
            raise self._not_written(trouble) from trouble

    async def answers(self, day: str) -> dict[int, tuple[int, int]]:
        """How many answers each step of that day has had, and how many of them were right."""
        question = "SELECT step, tries, correct FROM answers WHERE day = $1"
        return {row[0]: (row[1], row[2]) for row in await self._read(lambda: self._reading.fetch(question, day))}

    async def totals(self) -> Totals:
        """How much there is."""
        return Totals(*await self._read(lambda: self._reading.fetchrow(TOTALS, timeout=LONG_PATIENCE)))

    async def shares(self) -> dict[str, Share]:
        """How much each owner has who is known and has anything."""
        rows = await self._read(lambda: self._reading.fetch(SHARES, timeout=LONG_PATIENCE))
        return {row[0]: Share(row[1], int(row[2])) for row in rows}

    async def live(self, lived: Lived) -> Lived:
        """Note how far its own time has come, unless another server has noted more."""
        self._check_open()
        try:
            await self._reading.execute(LIVE, lived.time, lived.boot, lived.steady)
        except TROUBLES as trouble:
            raise self._not_written(trouble) from trouble
        row = await self._read(lambda: self._reading.fetchrow("SELECT time, boot, steady FROM life"))
        self._lived = Lived(*row)
        return self._lived

    async def prune(self, retention: Retention, now: float) -> list[str]:
        """Remove what has been there long enough, a few at a time. What another server is working on stays."""
        self._check_open()
        now -= LATE
        before = (now - retention.finished, now - retention.abandoned, now - retention.unjoined)
        removed: list[str] = []
        try:
            more = True
            while more and len(removed) < retention.at_once:
                gone, more = await self._prune_some(DUE, before, retention.at_once - len(removed))
                removed += gone
            most = retention.at_once - len(removed)
            too_many = min((await self.totals()).finished - retention.most_finished, most)
            while too_many > 0:
                some = min(too_many, PRUNED_AT_ONCE)
                gone, _ = await self._prune_some(OLDEST_OVER, (some,), some)
                removed += gone
                too_many -= some
            more = True
            while more and len(removed) < retention.at_once:
                gone, more = await self._prune_some(BEYOND_SHARE, (retention.share,), retention.at_once - len(removed))
                removed += gone
        except TROUBLES as trouble:
            raise StoreError(f"{_what_is_wrong(trouble)}: not all old matches could be removed.") from trouble
        return removed

    async def everything(
        self, unreadable: Callable[[str], object] | None = None
    ) -> AsyncIterator[tuple[Kept, list[Entry]]]:
        """Every match with its log, oldest first. One made in the meantime may be in it or not.

        PostgreSQL lets nothing in that cannot be read, so no single match is ever unreadable.
        """
        question = (
            f"SELECT {COLUMNS}, {LOG} FROM matches WHERE (created, match) > ($1, $2)"  # noqa: S608
            f" ORDER BY created, match LIMIT {READ_AT_ONCE}"
        )
        after = (float("-inf"), "")
        while True:

            def some(after: tuple[float, str] = after) -> Awaitable[list[Any]]:
                answer: Awaitable[list[Any]] = self._reading.fetch(question, *after)
                return answer

            rows = await self._read(some)
            if not rows:
                return
            for row in rows:
                yield _match_of(row)
            after = (rows[-1]["created"], rows[-1]["match"])

    def on_change(self, told: Callable[[str], None]) -> None:
        """Have this called with the name of a match that another server has changed; "" means any of them."""
        self._told.append(told)

    def pass_on(self, match: str, word: str) -> None:
        """Say something about a match to the other servers, soon."""
        if self._closed or len(self._words) >= MOST_WORDS:
            return
        self._words.append(f"{self._name} {match} {word}")
        if self._talking is None or self._talking.done():
            self._talking = self._loop.create_task(self._talk())

    def on_word(self, told: Callable[[str, str], None]) -> None:
        """Have this called with a match and what another server says about it."""
        self._hearers.append(told)

    async def close(self) -> None:
        """Write down what waits, and let go."""
        if self._closed:
            return
        self._closed = True
        self._awake.set()
        if self._writer is not None:
            await self._writer
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])
        if self._talking is not None:
            self._talking.cancel()
            await asyncio.wait([self._talking])
        for pool in (self._writing, self._reading):
            try:
                await asyncio.wait_for(pool.close(), PATIENCE)
            except TROUBLES:
                # It does not even answer a farewell; and nothing of ours is left, all was acknowledged or refused.
                pool.terminate()

    # ---- inside

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The server is stopping: nothing more is written down.")

    async def _read(self, ask: Callable[[], Awaitable[T]]) -> T:
        if self._closed:
            raise StoreError("The server is stopping: nothing more is read.")
        # Each connection may turn out to be a dead one. To ask again does no harm, and in the end there is a new one.
        for asked in range(READERS + 1):
            try:
                return await ask()
            except (*TROUBLES, ValueError) as trouble:
                self._doubt(trouble)
                # Who did not answer in time will not do so the next time either.
                if asked == READERS or isinstance(trouble, TimeoutError) or not _is_lost(trouble):
                    raise StoreError(f"{_what_is_wrong(trouble)}: it could not be read.") from trouble
        raise AssertionError("the last attempt answers or raises")

    async def _write_forever(self) -> None:
        while self._waiting or not self._closed:
            await self._awake.wait()
            self._awake.clear()
            while self._waiting:
                batch = self._next_batch()
                for order, answer in zip(batch, await self._answers(batch), strict=True):
                    # Whoever asked may have gone away; it is written down all the same.
                    if not order.answer.done():
                        if isinstance(answer, Exception):
                            order.answer.set_exception(answer)
                        else:
                            order.answer.set_result(answer)

    def _next_batch(self) -> list[_Append]:
        """All that waits; but only one entry for a match, for the next one asks whether this one is there."""
        first: dict[str, _Append] = {}
        rest: list[_Append] = []
        for order in self._waiting:
            if order.match in first or len(first) >= MOST_ROWS:
                rest.append(order)
            else:
                first[order.match] = order
        self._waiting = rest
        return list(first.values())

    async def _answers(self, batch: list[_Append]) -> Sequence[bool | Exception]:
        try:
            return await self._write(batch)
        except (*TROUBLES, ValueError) as trouble:
            if len(batch) == 1 or not (isinstance(trouble, ValueError) or _sqlstate(trouble)[:2] in APART):
                self._probed = NEVER
                return [self._not_written(trouble) for _ in batch]
            return [answer for order in batch for answer in await self._answers([order])]
        except Exception as trouble:  # A mistake of ours: whoever waits must hear of it, and the task must live.
            return [trouble for _ in batch]

    async def _write(self, batch: list[_Append]) -> list[bool]:
        entries, began = [order.entry for order in batch], self._loop.time()
        whats = [written(entry) for entry in entries]
        rows = await self._writing.fetch(
            APPEND,
            [order.match for order in batch],
            [entry.ply for entry in entries],
            [entry.seat for entry in entries],
            [deed for deed, _ in whats],
            [text for _, text in whats],
            [entry.key for entry in entries],
            [entry.at for entry in entries],
            [order.over for order in batch],
            CHANNEL,
            self._name,
        )
        self._figures.commits += 1
        self._figures.entries += len(rows)
        self._figures.seconds += self._loop.time() - began
        there = {row[0] for row in rows}
        return [order.match in there for order in batch]

    async def _prune_some(self, which: str, values: tuple[float, ...], most: int) -> tuple[list[str], bool]:
        """Remove some of those matches; and whether there are more."""
        most, last = min(most, PRUNED_AT_ONCE), len(values)
        async with self._reading.acquire() as db, db.transaction():
            found = await db.fetch(
                f"SELECT match FROM matches WHERE {which} LIMIT {most} FOR UPDATE SKIP LOCKED",  # noqa: S608
                *values,
                timeout=LONG_PATIENCE,
            )
            # Asked once more, now that nobody can go on with it: somebody may have done so just before.
            gone = await db.fetch(
                f"DELETE FROM matches WHERE match = ANY(${last + 1}) AND {which}"  # noqa: S608
                f" RETURNING match, pg_notify(${last + 2}, ${last + 3} || ' ' || match)",
                *(*values, [row[0] for row in found], CHANNEL, self._name),
            )
            return [row[0] for row in gone], len(found) == most

    async def _listen(self) -> Any:
        db = await asyncpg.connect(self._address, **CONNECTION)
        try:
            await db.add_listener(CHANNEL, self._heard)
            await db.add_listener(WORDS, self._heard_word)
        except BaseException:
            db.terminate()
            raise
        return db

    def _heard(self, _db: object, _process: int, _channel: str, payload: str) -> None:
        who, _, match = payload.partition(" ")
        if who != self._name:
            self._tell(match)

    def _heard_word(self, _db: object, _process: int, _channel: str, payload: str) -> None:
        who, match, word = payload.split(" ", 2)
        if who != self._name:
            for told in self._hearers:
                self._loop.call_soon(told, match, word)

    async def _talk(self) -> None:
        """Say what waits, all in one statement; where the database does not answer, again a little later."""
        pause = SHORTEST_PAUSE
        while self._words and not self._closed:
            some = self._words[:MOST_ROWS]
            try:
                await self._reading.execute(SAY, WORDS, some)
            except TROUBLES as trouble:
                self._doubt(trouble)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                del self._words[: len(some)]

    def _tell(self, match: str) -> None:
        for told in self._told:
            # Not from in here: whatever goes wrong there must not end the listening.
            self._loop.call_soon(told, match)

    def _doubt(self, trouble: Exception) -> None:
        """Where a connection was lost, see at once whether the one that listens is still there."""
        if _is_lost(trouble):
            self._hears = False
            self._doubts.set()

    def _not_written(self, trouble: Exception) -> StoreError:
        self._doubt(trouble)
        # A connection can be lost before or after the commit: then nobody knows, until it is asked again.
        ending = "it may not have been written down" if _is_lost(trouble) else "it was not written down"
        error = StoreError(f"{_what_is_wrong(trouble)}: {ending}.")
        error.__cause__ = trouble
        return error

    async def _listen_forever(self, db: Any) -> None:
        """Listen; and where the connection is lost, say that anything may have changed, then and when it is back."""
        pause = SHORTEST_PAUSE
        try:
            # Not only until it is cancelled: Python 3.11 can lose that word when a connection ends at the same moment.
            while not self._closed:
                if db is not None:
                    pause = SHORTEST_PAUSE
                    await self._until_lost(db)
                    self._hears = False
                    self._tell("")
                    db.terminate()
                    db = None
                try:
                    db = await self._listen()
                except TROUBLES:
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                else:
                    self._hears = True
                    self._tell("")
        finally:
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
            self._hears = not self._doubts.is_set()


async def _as_it_is(_db: object) -> None:
    """Nothing that we do changes a connection, so there is nothing to set back, and a question less to ask."""


def _match_of(row: Sequence[Any]) -> tuple[Kept, list[Entry]]:
    return kept_of(row), [entry_of(*entry) for entry in row[HOW_MANY]]


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
    state = _sqlstate(trouble)
    if state == "53100":
        return "The disk of the database is full"
    if state == "25006":
        return "The database can only be read"
    if _is_lost(trouble):
        return "The database does not answer"
    return "The database refuses"


def _why_not(trouble: BaseException) -> str:
    if isinstance(trouble, asyncpg.InvalidAuthorizationSpecificationError):
        return "The PostgreSQL server does not let you in: the user or the password in --db is wrong."
    if isinstance(trouble, asyncpg.InvalidCatalogNameError):
        return "The PostgreSQL server has no database of the name in --db."
    if isinstance(trouble, asyncpg.InsufficientPrivilegeError):
        return "The user in --db may not make tables in that database."
    if isinstance(trouble, asyncpg.CannotConnectNowError):
        return "The PostgreSQL server is not ready: it starts, stops or repairs itself."
    if isinstance(trouble, OSError):
        return "No PostgreSQL server answers at the address in --db."
    if isinstance(trouble, (asyncpg.InterfaceError, ValueError)):
        return "--db is not an address that PostgreSQL understands: postgresql://USER:PASSWORD@HOST:PORT/DATABASE."
    return "The PostgreSQL database named in --db cannot be used."
