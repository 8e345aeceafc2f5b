"""Matches in one SQLite file: one thread writes, everything that waits in one transaction, and acknowledges after it.

The writer is the only one who ever writes (a lock on a file beside the database sees to that), so it may remember how
long the log of a match is, instead of asking. Its waiting rows go into the database as one statement, because Python
lets another thread in at each statement's end, and a busy event loop does not give the turn back soon.

Before and after each commit it looks whether the file is still the one that whoever starts a server next will find:
one that was deleted, moved away or replaced can be written to as before, and all of it would be lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from numberquest.mistake import Mistake
from numberquest.server.clock import Lived
from numberquest.server.store.contract import Figures, Retention, Share, StoreError, Totals
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
from numberquest.server.store.sqlite_file import STEPS, SqliteFile, leave, one, what_is_wrong

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future
    from collections.abc import AsyncIterator, Callable, Sequence

    from numberquest.server.match.entries import Entry, Kept

CREATE: Final = (
    f"INSERT INTO matches ({COLUMNS}, size) VALUES ({', '.join('?' * (HOW_MANY + 1))})"  # noqa: S608
    " ON CONFLICT (match) DO NOTHING"
)
LOG_LENGTH: Final = "SELECT number, (SELECT max(ply) FROM log WHERE log.match = number) FROM matches WHERE match = ?"
MOST_ROWS: Final = 128
"""So many rows go into one statement; there is one statement text for each number of rows up to it."""
APPEND: Final = tuple(
    "INSERT INTO log (match, ply, seat, deed, text, key, at) VALUES "  # noqa: S608
    + ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    for rows in range(MOST_ROWS + 1)
)
OVER: Final = "UPDATE matches SET over = ?, size = size + ? WHERE number = ?"
COUNT: Final = """
    INSERT INTO answers VALUES (?, ?, 1, ?)
    ON CONFLICT (day, step) DO UPDATE SET tries = tries + 1, correct = correct + excluded.correct
"""
TOUCH: Final = "INSERT INTO meta VALUES ('touched', x'01') ON CONFLICT (name) DO UPDATE SET value = excluded.value"
"""Changes nothing that anybody reads, and goes all the way to the disk."""
LIVE: Final = "UPDATE life SET time = ?, boot = ?, steady = ?"
ELSEWHERE: Final = "The file with the matches is not in its place any more"
WATCH: Final = 1.0
"""Seconds between two looks at the file while there is nothing to write."""
GATHER: Final = 0.002
"""Seconds that the writer waits for others to come along."""
MANY: Final = 4
"""So many orders at once, and the next ones are waited for."""
MOST_HEADS: Final = 200_000
"""The writer remembers the length of so many logs before it forgets them all."""

# Removed are: those that are over; those nobody went on with; those where a friend was awaited who never came. A match
# that follows another one has both seats taken from the start, so nobody is awaited there.
DUE: Final = """(
    CASE WHEN over IS NOT NULL THEN over < :finished
    ELSE coalesce((SELECT at FROM log WHERE log.match = number ORDER BY ply DESC LIMIT 1), created) < :abandoned
        OR (opponent = 'friend' AND created < :unjoined AND (length(token1) = 0 OR length(token2) = 0)
            AND NOT EXISTS (SELECT 1 FROM log WHERE log.match = number AND deed = 'join'))
    END)"""
PRUNED_AT_ONCE: Final = 100
OLDEST_OVER: Final = "SELECT number FROM matches WHERE over IS NOT NULL ORDER BY over"
# What lies beyond the share, counted from what goes on and from the newest end.
BEYOND_SHARE: Final = """
    SELECT number FROM (
        SELECT number, over, sum(size) OVER (PARTITION BY owner ORDER BY over IS NOT NULL, over DESC, number) AS up_to
        FROM matches
        WHERE owner IN (SELECT owner FROM matches WHERE owner <> '' GROUP BY owner HAVING sum(size) > ?))
    WHERE over IS NOT NULL AND up_to > ?"""
# The log of a match that is over is in its size already.
SHARES: Final = f"""
    SELECT owner, count(*) FILTER (WHERE over IS NULL), sum(size + iif(over IS NULL,
        {ENTRY_BYTES} * (SELECT coalesce(max(ply) + 1, 0) FROM log WHERE log.match = number), 0))
    FROM matches WHERE owner <> '' GROUP BY owner"""  # noqa: S608
READ_AT_ONCE: Final = 100
NEVER: Final = float("-inf")

BAD_VALUES: Final = (
    *(ValueError, OverflowError),
    *(sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, sqlite3.InterfaceError),
)
"""What one row can do wrong by itself, through no fault of the database or of the other rows."""

T = TypeVar("T")
A = TypeVar("A")


class _Append(Struct, gc=False):
    answer: Future[Any]
    match: str
    entry: Entry
    over: bool


class _Create(Struct, gc=False):
    answer: Future[Any]
    kept: Kept


class _Job(Struct, gc=False):
    """Anything else for the writer: runs in a transaction of its own. Without `work`, the writer ends."""

    answer: Future[Any]
    work: Callable[[sqlite3.Connection], object] | None


class _Head(Struct, gc=False):
    """Where the log of a match stands."""

    number: int
    next: int


class SqliteStore:
    """A store in one file, for one process. Made by `await SqliteStore.open(path)`."""

    def __init__(self, loop: AbstractEventLoop, file: SqliteFile) -> None:
        self._loop = loop
        self._file = file
        self._writing, self._reading = file.writing, file.reading
        self._reads = threading.Lock()
        self._saved = False
        """Whether all that was written is in the tables, since they have been elsewhere."""
        self._lived = Lived(*file.writing.execute("SELECT time, boot, steady FROM life").fetchone())
        self._figures = Figures()
        self._appended = 0
        self._probe: Future[None] | None = None
        self._probed = NEVER
        """When it was asked last whether it can be written to; a refused write makes that answer worthless."""
        self._closed = False
        self._heads: dict[str, _Head] = {}
        self._orders: SimpleQueue[_Append | _Create | _Job] = SimpleQueue()
        self._put = self._orders.put
        self._new_future = loop.create_future
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._writer = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._writer.start()

    @classmethod
    async def open(cls, path: str, steps: Sequence[str] = STEPS, synchronous: str = "FULL") -> SqliteStore:
        """Open the file, or make it. `synchronous` is there for the test that proves that FULL is needed."""
        loop = asyncio.get_running_loop()
        return cls(loop, await loop.run_in_executor(None, SqliteFile, path, steps, synchronous))

    # ---- the protocol, in the event loop

    @property
    def secret(self) -> bytes:
        """32 random bytes, made with the database."""
        return self._file.secret

    @property
    def lived(self) -> Lived:
        """How far its own time had come when that was noted last."""
        return self._lived

    @property
    def figures(self) -> Figures:
        """What it has done so far."""
        return self._figures

    @property
    def hears(self) -> bool:
        """Nobody else can change anything in here."""
        return True

    async def ready(self) -> None:
        """A `StoreError` where nothing could be written now."""
        self._check_open()
        now = self._loop.time()
        if self._probe is None or (self._probe.done() and now - self._probed >= 1.0):
            self._probed = now
            self._probe = self._loop.create_future()
            self._put(_Job(self._probe, lambda db: db.execute(TOUCH)))
        await asyncio.wait([self._probe])
        self._probe.result()

    async def create(self, kept: Kept) -> bool:
        """Keep a new match; False where one of that name is there already."""
        self._check_open()
        check_texts(row_of(kept))
        answer: Future[bool] = self._new_future()
        self._put(_Create(answer, kept))
        return await answer

    async def append(self, match: str, entry: Entry, over: bool) -> bool:
        """Write an entry down; False where its ply is taken or not the next one."""
        if self._closed:
            self._check_open()
        check_texts((*written(entry), entry.key))
        answer: Future[bool] = self._new_future()
        self._put(_Append(answer, match, entry, over))
        return await answer

    async def load(self, match: str) -> tuple[Kept, list[Entry]] | None:
        """A match with its whole log, or None."""

        def work(db: sqlite3.Connection) -> tuple[Kept, list[Entry]] | None:
            row = db.execute(f"SELECT number, {COLUMNS} FROM matches WHERE match = ?", (match,)).fetchone()  # noqa: S608
            return None if row is None else (kept_of(row[1:]), _log(db, row[0]))

        return await self._read(work)

    async def count_answer(self, day: str, step: int, right: bool) -> None:
        """Count an answer to a step of that day's puzzle."""
        self._check_open()

        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM answers WHERE day <> ?", (day,))
            db.execute(COUNT, (day, step, int(right)))

        answer: Future[object] = self._new_future()
        self._put(_Job(answer, work))
        await answer

    async def answers(self, day: str) -> dict[int, tuple[int, int]]:
        """How many answers each step of that day has had, and how many of them were right."""

        def work(db: sqlite3.Connection) -> dict[int, tuple[int, int]]:
            rows = db.execute("SELECT step, tries, correct FROM answers WHERE day = ?", (day,))
            return {step: (tries, correct) for step, tries, correct in rows}

        return await self._read(work)

    async def totals(self) -> Totals:
        """How much there is."""

        def work(db: sqlite3.Connection) -> Totals:
            unfinished = one(db, "SELECT count(*) FROM matches WHERE over IS NULL")
            finished = one(db, "SELECT count(*) FROM matches WHERE over IS NOT NULL")
            pages = one(db, "PRAGMA page_count") - one(db, "PRAGMA freelist_count")
            return Totals(unfinished, finished, pages * one(db, "PRAGMA page_size"))

        return await self._read(work)

    async def shares(self) -> dict[str, Share]:
        """How much each owner has who is known and has anything."""

        def work(db: sqlite3.Connection) -> dict[str, Share]:
            return {row[0]: Share(row[1], row[2]) for row in db.execute(SHARES)}

        return await self._read(work)

    async def live(self, lived: Lived) -> Lived:
        """Note how far its own time has come."""
        self._check_open()
        if lived.time >= self._lived.time:
            answer: Future[object] = self._loop.create_future()
            self._put(_Job(answer, lambda db: db.execute(LIVE, (lived.time, lived.boot, lived.steady))))
            await answer
            self._lived = lived
        return self._lived

    async def prune(self, retention: Retention, now: float) -> list[str]:
        """Remove what has been there long enough: a few at a time, so that moves come in between."""
        before = {
            "finished": now - retention.finished,
            "abandoned": now - retention.abandoned,
            "unjoined": now - retention.unjoined,
        }

        def find_due(db: sqlite3.Connection) -> list[int]:
            found = db.execute(f"SELECT number FROM matches WHERE {DUE} LIMIT {retention.at_once}", before)  # noqa: S608
            return [number for (number,) in found]

        def find_too_many(db: sqlite3.Connection) -> list[int]:
            more = one(db, "SELECT count(*) FROM matches WHERE over IS NOT NULL") - retention.most_finished
            most = max(0, min(more, retention.at_once - len(removed)))
            return [number for (number,) in db.execute(f"{OLDEST_OVER} LIMIT {most}")]

        def find_beyond_share(db: sqlite3.Connection) -> list[int]:
            most = max(0, retention.at_once - len(removed))
            found = db.execute(f"{BEYOND_SHARE} LIMIT {most}", (retention.share, retention.share))
            return [number for (number,) in found]

        removed: list[str] = []
        removed += await self._remove(await self._read(find_due), DUE, before)
        removed += await self._remove(await self._read(find_too_many), "over IS NOT NULL", {})
        removed += await self._remove(await self._read(find_beyond_share), "over IS NOT NULL", {})
        return removed

    async def _remove(self, numbers: list[int], still: str, values: dict[str, float]) -> list[str]:
        """Remove these matches, of which that must still be true: in the meantime somebody may have gone on."""
        removed: list[str] = []
        for first in range(0, len(numbers), PRUNED_AT_ONCE):
            which = ", ".join(map(str, numbers[first : first + PRUNED_AT_ONCE]))

            def work(db: sqlite3.Connection, which: str = which) -> list[str]:
                self._heads.clear()
                gone = db.execute(
                    f"DELETE FROM matches WHERE number IN ({which}) AND {still} RETURNING match",  # noqa: S608
                    values,
                )
                return [match for (match,) in gone]

            self._check_open()
            answer: Future[list[str]] = self._loop.create_future()
            self._put(_Job(answer, work))
            removed += await answer
        return removed

    async def everything(
        self, unreadable: Callable[[str], object] | None = None
    ) -> AsyncIterator[tuple[Kept, list[Entry]]]:
        """Every match with its log, oldest first. One made in the meantime may be in it or not."""
        after = (NEVER, 0)
        while True:
            # Piece by piece: a long look at one state of the file would keep its journal from being taken in.
            some = await self._read(partial(matches_after, after=after, careful=unreadable is not None))
            if not some:
                return
            for found in some:
                if isinstance(found.what, str):
                    if unreadable is not None:
                        unreadable(found.what)
                else:
                    yield found.what
            after = some[-1].place

    def on_change(self, told: Callable[[str], None]) -> None:
        """Nobody else can change anything in here, so there is nothing to tell."""

    def pass_on(self, match: str, word: str) -> None:
        """There is nobody else to tell."""

    def on_word(self, told: Callable[[str, str], None]) -> None:
        """There is nobody else who could say anything."""

    async def close(self) -> None:
        """Write down what waits, and let go."""
        if self._closed:
            return
        self._closed = True
        ended: Future[None] = self._loop.create_future()
        self._put(_Job(ended, None))
        await ended
        await self._loop.run_in_executor(None, self._let_go)

    # ---- the two threads

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The server is stopping: nothing more is written down.")

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Have the reading thread do it, on one state of the database."""
        self._check_open()
        return await self._loop.run_in_executor(self._reader, self._look, work)

    def _look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if not self._file.is_there:
            raise StoreError(f"{ELSEWHERE}: it could not be read.")
        try:
            with self._reads:
                self._reading.execute("BEGIN")
                try:
                    return work(self._reading)
                finally:
                    leave(self._reading)
        except sqlite3.Error as trouble:
            raise StoreError(f"{what_is_wrong(trouble)}: it could not be read.") from trouble
        except UnicodeError as trouble:
            raise StoreError("A name with characters that cannot be written down.") from trouble

    def _write_forever(self) -> None:
        next_order, how_many = self._next_order, self._orders.qsize
        busy = False
        while True:
            batch = [next_order()]
            if busy:
                # Where many ask at once, a moment's wait saves half of the commits, and everybody's time.
                time.sleep(GATHER)
            batch += [self._orders.get() for _ in range(how_many())]
            busy = len(batch) >= MANY
            jobs = [order for order in batch if type(order) is _Job]
            rows = [order for order in batch if type(order) is not _Job] if jobs else batch
            if rows:
                # Only now, after the commit, does anybody hear of it; and all in one go.
                self._tell(rows, self._answers(rows))  # type: ignore[arg-type]
            for job in jobs:
                self._tell([job], [self._do(job)])
                if job.work is None:
                    return

    def _next_order(self) -> _Append | _Create | _Job:
        while True:
            try:
                return self._orders.get(timeout=WATCH)
            except Empty:
                # Whoever asks next is told what is wrong; but what can be saved is saved now.
                with contextlib.suppress(sqlite3.Error, StoreError):
                    self._check_place()

    def _check_place(self) -> None:
        """Refuse to write what nobody would find again; mend what can be mended."""
        file = self._file
        if file.is_whole:
            self._saved = False
            return
        self._heads.clear()
        with self._reads:
            if file.is_there:
                try:
                    file.mend()
                except (Mistake, OSError) as trouble:
                    raise StoreError("The database cannot be opened: it was not written down.") from trouble
                self._writing, self._reading = file.writing, file.reading
                return
            if not self._saved:
                file.save()
                self._saved = True
        raise StoreError(f"{ELSEWHERE}: it may not have been written down.")

    def _answers(self, rows: list[_Append | _Create]) -> Sequence[bool | Exception]:
        try:
            try:
                return self._commit(self._together, rows)
            except BAD_VALUES:
                return self._commit(self._one_by_one, rows)
        except sqlite3.Error as trouble:
            self._probed = NEVER
            return [_not_written(trouble) for _ in rows]
        except Exception as trouble:  # A mistake of ours: whoever waits must hear of it, and the thread must live.
            self._probed = NEVER
            return [trouble for _ in rows]

    def _do(self, job: _Job) -> object:
        try:
            return None if job.work is None else self._commit(lambda work: work(self._writing), job.work)
        except sqlite3.Error as trouble:
            return _not_written(trouble)
        except Exception as trouble:  # As above.
            return trouble

    def _commit(self, work: Callable[[A], T], argument: A) -> T:
        self._check_place()
        db, began = self._writing, time.perf_counter()
        self._appended = 0
        try:
            db.execute("BEGIN IMMEDIATE")
            answer = work(argument)
            db.execute("COMMIT")
        except BaseException:
            # Nothing of it has happened, so what is remembered of it is wrong.
            self._heads.clear()
            leave(db)
            raise
        self._check_place()
        self._figures.commits += 1
        self._figures.entries += self._appended
        self._figures.seconds += time.perf_counter() - began
        return answer

    def _together(self, orders: list[_Append | _Create]) -> list[bool]:
        heads, db = self._heads, self._writing
        answers: list[bool] = []
        values: list[int | str | float] = []
        over: list[tuple[float, int, int]] = []
        for order in orders:
            if type(order) is _Create:
                answers.append(self._make(order.kept))
                continue
            match, entry = order.match, order.entry  # type: ignore[union-attr]
            head = heads.get(match) or self._find(match)
            if head is None or head.next != entry.ply:
                answers.append(False)
                continue
            head.next += 1
            values += (head.number, entry.ply, entry.seat, *written(entry), entry.key, entry.at)
            if order.over:  # type: ignore[union-attr]
                over.append((entry.at, ENTRY_BYTES * (entry.ply + 1), head.number))
            answers.append(True)
        for first in range(0, len(values), 7 * MOST_ROWS):
            some = values[first : first + 7 * MOST_ROWS]
            db.execute(APPEND[len(some) // 7], some)
        if over:
            db.executemany(OVER, over)
        self._appended += len(values) // 7
        return answers

    def _one_by_one(self, orders: list[_Append | _Create]) -> list[bool | Exception]:
        answers: list[bool | Exception] = []
        for order in orders:
            try:
                answers += self._together([order])
            except BAD_VALUES as trouble:
                self._heads.clear()
                answers.append(_not_written(trouble))
        return answers

    def _make(self, kept: Kept) -> bool:
        done = self._writing.execute(CREATE, (*row_of(kept), size_of(kept)))
        if done.rowcount != 1 or done.lastrowid is None:
            return False
        self._remember(kept.match, _Head(done.lastrowid, 0))
        return True

    def _find(self, match: str) -> _Head | None:
        found = self._writing.execute(LOG_LENGTH, (match,)).fetchone()
        if found is None:
            return None
        number, last = found
        return self._remember(match, _Head(number, 0 if last is None else last + 1))

    def _remember(self, match: str, head: _Head) -> _Head:
        if len(self._heads) >= MOST_HEADS:
            self._heads.clear()
        self._heads[match] = head
        return head

    def _tell(self, orders: Sequence[_Append | _Create | _Job], answers: Sequence[object]) -> None:
        self._loop.call_soon_threadsafe(_settle, orders, answers)

    def _let_go(self) -> None:
        self._writer.join()
        self._reader.shutdown()
        self._file.close()


def _settle(orders: Sequence[_Append | _Create | _Job], answers: Sequence[object]) -> None:
    for order, answer in zip(orders, answers, strict=True):
        waiting = order.answer
        # Whoever asked may have gone away; it is written down all the same.
        if not waiting.done():
            if isinstance(answer, Exception):
                waiting.set_exception(answer)
            else:
                waiting.set_result(answer)


class Read(NamedTuple):
    """A match that was read; or, where it cannot be, its name."""

    place: tuple[float, int]
    what: tuple[Kept, list[Entry]] | str


def matches_after(db: sqlite3.Connection, after: tuple[float, int], careful: bool = False) -> list[Read]:
    """The next matches by age; `after` is the place of the last one.

    Where one cannot be read, none is; unless it is done carefully, one after the other.
    """
    # The places are in an index: they can be read where a match itself cannot.
    places = db.execute(
        "SELECT created, number FROM matches WHERE (created, number) > (?, ?) ORDER BY created, number LIMIT ?",
        (*after, READ_AT_ONCE),
    ).fetchall()
    return [Read(place, _match(db, place[1], careful)) for place in places]


def _match(db: sqlite3.Connection, number: int, careful: bool) -> tuple[Kept, list[Entry]] | str:
    try:
        row = db.execute(f"SELECT {COLUMNS} FROM matches WHERE number = ?", (number,)).fetchone()  # noqa: S608
        if row is None:
            raise sqlite3.DatabaseError("an index leads nowhere")
        return kept_of(row), _log(db, number)
    except (sqlite3.DatabaseError, UnicodeError):
        if not careful:
            raise
    try:
        return str(db.execute("SELECT match FROM matches WHERE number = ?", (number,)).fetchone()[0])
    except (sqlite3.DatabaseError, UnicodeError, TypeError):
        return f"number {number}"


def _log(db: sqlite3.Connection, number: int) -> list[Entry]:
    rows = db.execute("SELECT ply, seat, deed, text, key, at FROM log WHERE match = ? ORDER BY ply", (number,))
    return [entry_of(*row) for row in rows.fetchall()]


def _not_written(trouble: Exception) -> StoreError:
    error = StoreError(f"{what_is_wrong(trouble)}: it was not written down.")
    error.__cause__ = trouble
    return error
