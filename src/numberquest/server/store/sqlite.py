"""Matches in one SQLite file: one thread writes, everything that waits in one transaction, and acknowledges after it.

The writer is the only one who ever writes (a lock on a file beside the database sees to that), so it may remember how
long the log of a match is, instead of asking; where the keeper prunes beside it, it notices. Its waiting rows go into
the database as one statement, because Python lets another thread in at each statement's end, and a busy event loop does
not give the turn back soon.

Before and after each commit it looks whether the file is still the one that whoever starts a server next will find:
one that was deleted, moved away or replaced can be written to as before, and all of it would be lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import sqlite3
import threading
import time
from asyncio import Future
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from msgspec import Struct

from numberquest.core.errors import UsageError
from numberquest.server.clock import Lived
from numberquest.server.match.entries import Entry, MatchHeader
from numberquest.server.store import base, sqlite_file
from numberquest.server.store.base import Logged, Order, Read, SqlStore, StoreError
from numberquest.server.store.sqlite_file import BESIDE_GONE, CUT, DELETED, MOVED, STEPS, SqliteFile

LOG_LENGTH: Final = """
    SELECT number, coalesce((SELECT max(ply) FROM log WHERE log.match = number) + 1, 0) FROM matches WHERE match = ?"""
MOST_ROWS: Final = 128
"""Rows of one statement at most; there is one text for each number of rows."""
MOST_AT_ONCE: Final = 16
"""Rows of one statement at most, for new matches and for those that are over."""


def _for_rows(before: str, columns: int, after: str, most: int) -> tuple[str, ...]:
    row = f"({', '.join('?' * columns)})"
    return tuple(f"{before} {', '.join([row] * rows)}{after}" for rows in range(most + 1))


APPEND: Final = _for_rows(f"INSERT INTO log (match, {base.ENTRY}) VALUES", 7, "", MOST_ROWS)
NEW: Final = f"INSERT INTO matches ({base.COLUMNS}, size) SELECT * FROM (VALUES"  # noqa: S608
# The last of the columns is the class.
OF_A_CLASS: Final = f""") WHERE column{base.HOW_MANY} = '' OR EXISTS (
    SELECT 1 FROM classes WHERE classroom = column{base.HOW_MANY}) ON CONFLICT (match) DO NOTHING"""  # noqa: S608
CREATE: Final = _for_rows(NEW, base.HOW_MANY + 1, OF_A_CLASS, MOST_AT_ONCE)
ENDED: Final = "UPDATE matches SET over = column2, size = size + column3 FROM (VALUES"
OVER: Final = _for_rows(ENDED, 3, ") WHERE number = column1", MOST_AT_ONCE)
APPEND_TO_CLASS: Final = """
    INSERT INTO class_log (classroom, number, event) SELECT $1, $2, $3
    WHERE EXISTS (SELECT 1 FROM classes WHERE classroom = $1)
        AND ($2 = 0 OR EXISTS (SELECT 1 FROM class_log WHERE classroom = $1 AND number = $2 - 1))
    ON CONFLICT DO NOTHING RETURNING number"""
TOUCH: Final = """
    INSERT INTO meta VALUES ('touched', randomblob(16)) ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
"""Writes a value that is never read, all the way to the disk: the same value again would not get there."""
ELSEWHERE: Final = "The file with the matches is not in its place any more"
HARMS: Final = {CUT: "The file with the matches was cut short by somebody else", DELETED: ELSEWHERE, MOVED: ELSEWHERE}
FAREWELL: Final = {
    CUT: "was cut short while the server ran: moves may be lost. {} takes up a backup.",
    DELETED: "was deleted while the server ran, and no copy of it could be written: {} takes up a backup.",
    MOVED: "is not in its place any more. Every move is kept in it: put it back before you start again.",
}
"""Messages for the keeper at the end."""
WATCH: Final = 1.0
"""Seconds between two looks at the file while there is nothing to write."""
TRIES, PAUSE = 10, 0.1
"""Attempts to empty the journal, and seconds between them."""
MOST_HEADS: Final = 200_000
"""Logs whose length the writer remembers before it forgets all of them."""

BAD_VALUES: Final = (
    *(ValueError, OverflowError),
    *(sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, sqlite3.InterfaceError),
)
"""Errors that one row causes, without a fault of the database or of other rows."""

T = TypeVar("T")
A = TypeVar("A")


class _Head(Struct, gc=False):
    """The length of the log of a match."""

    number: int
    next: int


class SqliteStore(SqlStore):
    """A store in one file, for one process. Made by `await SqliteStore.open(path)`."""

    key = "number"
    size = """(SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size)"""
    has_tag = "instr(event, $4) > 0"

    def __init__(self, file: SqliteFile) -> None:
        super().__init__(file.secret, Lived(*file.writing.execute(base.LIVED).fetchone()))
        self._file = file
        self._writing, self._reading = file.writing, file.reading
        self._reads = threading.Lock()
        self._saved = False
        """Whether all that was written is in the tables, since they have been elsewhere."""
        self._rescued = ""
        """The file to which everything was written when the database was deleted."""
        self._appended = 0
        self._heads: dict[str, _Head] = {}
        self._events: list[tuple[tuple[str, int, bytes], Future[bool]]] = []
        self._event_writer: asyncio.Task[None] | None = None
        self._reader, self._scribe = ThreadPoolExecutor(1, "store-reader"), ThreadPoolExecutor(1, "store-writer")
        self._watch = self._loop.create_task(self.background.keep_running("database file", self._watch_forever))

    @classmethod
    async def open(
        cls, path: str, steps: Sequence[str] = STEPS, synchronous: str = "FULL", beside: bool = False
    ) -> SqliteStore:
        """Open the file, or make it. `synchronous` is there for the test that proves that FULL is needed.

        `beside`: also where a server has it, to remove something.
        """
        loop = asyncio.get_running_loop()
        return cls(await loop.run_in_executor(None, SqliteFile, path, steps, synchronous, beside))

    async def load(self, match: str) -> Logged | None:
        def work(db: sqlite3.Connection) -> Logged | None:
            row = db.execute(f"SELECT number, {base.COLUMNS} FROM matches WHERE match = ?", (match,)).fetchone()  # noqa: S608
            return None if row is None else (base.header_of(row[1:]), _log(db, row[0]))

        return await self._read(work)

    # ---- in the event loop

    async def _create(self, header: MatchHeader) -> bool:
        answer: Future[bool] = self._loop.create_future()
        self._put(Order(answer, header.match, None, False, header))
        return await answer

    async def _touch(self) -> None:
        await self._write(lambda db: db.execute(TOUCH))

    async def _rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._read(lambda db: db.execute(question, _named(values)).fetchall())

    async def _change(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._write(lambda db: db.execute(statement, _named(values)).fetchall())

    async def append_to_class(self, classroom: str, number: int, event: bytes) -> bool:
        """With all others that wait: a move that comes meanwhile waits for one commit, not for twenty."""
        answer: Future[bool] = self._loop.create_future()
        self._events.append(((classroom, number, event), answer))
        if self._event_writer is None:
            self._event_writer = self._loop.create_task(self._write_events())
        return await answer

    async def _write_events(self) -> None:
        await asyncio.sleep(0)
        while self._events:
            batch, self._events = self._events, []
            rows = [row for row, _ in batch]
            answers: Sequence[bool | Exception]
            try:
                answers = await self._write(partial(_append_events, rows=rows))
            except Exception as trouble:
                # Whoever waits must hear of it, and the task must live.
                answers = [trouble for _ in batch]
            for (_, waits), answer in zip(batch, answers, strict=True):
                if not waits.done():
                    base.answered(waits, answer)
        self._event_writer = None

    async def erase_class(self, classroom: str) -> list[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            self._heads.clear()
            gone = db.execute(base.ERASE_MATCHES, _named((classroom,))).fetchall()
            for statement in base.ERASE:
                db.execute(statement, _named((classroom,)))
            return [match for (match,) in gone]

        matches = await self._write(work)
        await self._in_words(self._take_in, None)
        return matches

    async def _remove(self, keys: list[int], still: str, values: tuple[float, ...]) -> list[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            self._heads.clear()
            which = f"number IN ({', '.join(map(str, keys))}) AND {still}"
            gone = db.execute(f"DELETE FROM matches WHERE {which} RETURNING match", _named(values))  # noqa: S608
            return [match for (match,) in gone]

        return await self._write(work)

    async def _matches_after(self, after: tuple[float, int] | None, careful: bool) -> list[Read]:
        return await self._read(partial(matches_after, after=after, careful=careful))

    async def _close(self) -> None:
        self._watch.cancel()
        self.farewell = await self._loop.run_in_executor(self._scribe, self._part)
        self._scribe.shutdown()
        self._reader.shutdown()

    async def _answers(self, batch: list[Order]) -> Sequence[bool | Exception]:
        return await self._in_words(self._written, batch)

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Have the writing thread do it, in a transaction of its own."""
        self._check_open()
        return await self._in_words(self._commit, work)

    async def _in_words(self, work: Callable[[A], T], argument: A) -> T:
        try:
            return await self._loop.run_in_executor(self._scribe, work, argument)
        except StoreError as trouble:
            self.failed(trouble)
            raise
        except sqlite3.Error as trouble:
            self.failed(refused := _not_written(trouble))
            raise refused from trouble

    async def _watch_forever(self) -> None:
        """Look at the file while there is nothing to write: what can be saved is saved now."""
        while True:
            await asyncio.sleep(WATCH)
            # Whoever asks next is told what is wrong.
            with contextlib.suppress(sqlite3.Error, StoreError):
                await self._loop.run_in_executor(self._scribe, self._look_around)

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Have the reading thread do it, on one state of the database."""
        self._check_open()
        return await self._loop.run_in_executor(self._reader, self._look, work)

    # ---- in the two threads

    def _look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if (harm := self._file.harm) in HARMS:
            raise StoreError(f"{HARMS[harm]}: it could not be read.", harm)
        try:
            with self._reads:
                self._reading.execute("BEGIN")
                try:
                    return work(self._reading)
                finally:
                    sqlite_file.leave(self._reading)
        except sqlite3.Error as trouble:
            raise StoreError(f"{sqlite_file.what_is_wrong(trouble)}: it could not be read.") from trouble
        except UnicodeError as trouble:
            raise StoreError("A name with characters that cannot be written down.") from trouble

    def _look_around(self) -> None:
        self._check_place()
        self._check_others()

    def _check_others(self) -> None:
        """Forget what is remembered if another process has written, and tell the listeners."""
        if self._file.changed_elsewhere:
            self._heads.clear()
            for told in self._told:
                self._loop.call_soon_threadsafe(told, "")

    def _check_place(self) -> None:
        """Refuse to write what a restart would not find; mend what can be mended."""
        file = self._file
        harm = file.harm
        if not harm:
            self._saved = False
            return
        self._heads.clear()
        with self._reads:
            if harm == BESIDE_GONE:
                harm = self._mend()
            elif harm in (DELETED, MOVED) and not self._saved:
                if harm == DELETED:
                    self._rescued = file.rescue()
                file.save()
                self._saved = True
        if harm:
            raise StoreError(f"{HARMS[harm]}: it may not have been written down.", harm)

    def _take_in(self, _: None) -> None:
        """Have nothing lie in the journal any more: what was removed from the tables is still to be read there."""
        for left in reversed(range(TRIES)):
            self._check_place()
            try:
                with self._reads:
                    self._file.save()
                return
            except sqlite3.OperationalError:
                # Somebody copies the file just now.
                if not left:
                    raise
                time.sleep(PAUSE)

    def _mend(self) -> str:
        """Take over what was in the journal, and begin a new one; returns what is wrong where that cannot be."""
        try:
            self._file.mend()
        except (UsageError, OSError) as trouble:
            raise StoreError("The database cannot be opened: it was not written down.") from trouble
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode != sqlite3.SQLITE_IOERR_SHORT_READ:
                raise
            return CUT
        self._writing, self._reading = self._file.writing, self._file.reading
        return ""

    def _part(self) -> str:
        """Close the file; returns what its keeper must know."""
        file, harm = self._file, ""
        try:
            self._check_place()
        except StoreError as trouble:
            harm = trouble.cause
        except (OSError, sqlite3.Error):
            harm = file.harm
        file.close()
        if harm == DELETED and self._rescued:
            said = "was deleted while the server ran. Every move is kept in a copy: {} puts it in its place."
        else:
            said = FAREWELL.get(harm, "")
        restored = f"'{sqlite_file.command('restore', file.path)} {shlex.quote(self._rescued or 'FILE')}'"
        return said and f"{file.path} {said.format(restored)}"

    def _written(self, orders: list[Order]) -> Sequence[bool | Exception]:
        try:
            return self._commit(lambda _: self._together(orders))
        except BAD_VALUES:
            return self._commit(lambda _: self._one_by_one(orders))

    def _commit(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._check_place()
        db, began = self._writing, time.perf_counter()
        self._appended = 0
        try:
            db.execute("BEGIN IMMEDIATE")
            self._check_others()
            answer = work(db)
            db.execute("COMMIT")
        except BaseException:
            # Nothing of it has happened, so what is remembered of it is wrong.
            self._heads.clear()
            sqlite_file.leave(db)
            raise
        self._check_place()
        self.figures.commits += 1
        self.figures.entries += self._appended
        self.figures.seconds += time.perf_counter() - began
        return answer

    def _together(self, orders: list[Order]) -> list[bool]:
        heads, db = self._heads, self._writing
        answers: list[bool] = []
        values: list[int | str | float] = []
        over: list[int | float] = []
        for order in orders:
            row = order.row
            if row is not None:
                head = heads.get(order.match) or self._find(order.match)
                if head is None or head.next != row[0]:
                    answers.append(False)
                    continue
                head.next += 1
                values.append(head.number)
                values += row
                if order.over:
                    over += (head.number, row[5], base.ENTRY_BYTES * (row[0] + 1))
            answers.append(True)
        for first in range(0, len(values), 7 * MOST_ROWS):
            some = values[first : first + 7 * MOST_ROWS]
            db.execute(APPEND[len(some) // 7], some)
        for first in range(0, len(over), 3 * MOST_AT_ONCE):
            ended = over[first : first + 3 * MOST_AT_ONCE]
            db.execute(OVER[len(ended) // 3], ended)
        self._appended += len(values) // 7
        # Only now: of an entry that cannot be written nothing comes.
        new = [order.new for order, written in zip(orders, answers, strict=True) if order.new is not None and written]
        for first in range(0, len(new), MOST_AT_ONCE):
            if not self._make(new[first : first + MOST_AT_ONCE]):
                if len(orders) > 1:
                    raise sqlite3.IntegrityError("one of them is there already: which, is seen one by one")
                answers[0] = orders[0].row is not None
        return answers

    def _one_by_one(self, orders: list[Order]) -> list[bool | Exception]:
        answers: list[bool | Exception] = []
        for order in orders:
            try:
                answers += self._together([order])
            except BAD_VALUES as trouble:
                self._heads.clear()
                answers.append(_not_written(trouble))
        return answers

    def _make(self, new: list[MatchHeader]) -> bool:
        values = [value for header in new for value in (*base.row_of(header), base.size_of(header))]
        done = self._writing.execute(CREATE[len(new)], values)
        if done.rowcount != len(new) or done.lastrowid is None:
            return False
        # Nobody else writes, so their numbers follow each other.
        for number, header in enumerate(new, done.lastrowid - len(new) + 1):
            self._remember(header.match, _Head(number, 0))
        return True

    def _find(self, match: str) -> _Head | None:
        found = self._writing.execute(LOG_LENGTH, (match,)).fetchone()
        return None if found is None else self._remember(match, _Head(*found))

    def _remember(self, match: str, head: _Head) -> _Head:
        if len(self._heads) >= MOST_HEADS:
            self._heads.clear()
        self._heads[match] = head
        return head


def _named(values: Sequence[Any]) -> dict[str, Any]:
    """The values of `$1` and so on, by name."""
    return {str(number): value for number, value in enumerate(values, 1)}


def _append_events(db: sqlite3.Connection, rows: Sequence[tuple[str, int, bytes]]) -> list[bool]:
    """Write events of classes down; each answer is whether it was the next one of its class."""
    return [bool(db.execute(APPEND_TO_CLASS, _named(row)).fetchall()) for row in rows]


def matches_after(db: sqlite3.Connection, after: tuple[float, int] | None, careful: bool = False) -> list[Read]:
    """The next matches by age, as `Store` asks for them."""
    # The places are in an index: they can be read where a match itself cannot.
    places = db.execute(
        "SELECT created, number FROM matches WHERE (created, number) > (?, ?) ORDER BY created, number LIMIT ?",
        (*(after or (base.NEVER, 0)), base.READ_AT_ONCE),
    ).fetchall()
    return [Read(place, _match(db, place[1], careful)) for place in places]


def _match(db: sqlite3.Connection, number: int, careful: bool) -> Logged | str:
    try:
        row = db.execute(f"SELECT {base.COLUMNS} FROM matches WHERE number = ?", (number,)).fetchone()  # noqa: S608
        if row is None:
            raise sqlite3.DatabaseError("an index leads nowhere")
        return base.header_of(row), _log(db, number)
    except (sqlite3.DatabaseError, UnicodeError):
        if not careful:
            raise
    try:
        return str(db.execute("SELECT match FROM matches WHERE number = ?", (number,)).fetchone()[0])
    except (sqlite3.DatabaseError, UnicodeError, TypeError):
        return f"number {number}"


def _log(db: sqlite3.Connection, number: int) -> list[Entry]:
    rows = db.execute(f"SELECT {base.ENTRY} FROM log WHERE match = ? ORDER BY ply", (number,))  # noqa: S608
    return [base.entry_of(*row) for row in rows.fetchall()]


def _not_written(trouble: Exception) -> StoreError:
    cause = getattr(trouble, "sqlite_errorname", type(trouble).__name__)
    return StoreError(f"{sqlite_file.what_is_wrong(trouble)}: it was not written down.", cause)
