"""The interface of a store of matches, and the common part of the two stores, `sqlite.py` and `postgres.py`.

A match is one row of a table, and an entry of its log one of another: the same columns in both. The questions are the
same too, but for the column that says whose log an entry is in (`key`).
"""

import asyncio
from abc import ABC, abstractmethod
from asyncio import Future
from collections.abc import AsyncIterator, Callable, Container, Iterable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from msgspec import Struct

from numberquest.core.sentences import Said
from numberquest.server.background import Background
from numberquest.server.clock import NOTED, Lived
from numberquest.server.match.entries import JOIN, SEAT, Action, Entry, MatchHeader, Move
from numberquest.server.refusal import Refusal

COLUMNS: Final = (
    "match, game, settings, seed, start, opponent, name1, name2, kind1, kind2, token1, token2, invite,"
    " round, rounds, points1, points2, created, owner, date, marks, classroom"
)
HOW_MANY: Final = COLUMNS.count(",") + 1
ENTRY: Final = "ply, seat, deed, text, key, at"
ROW_BYTES: Final = 400
"""Bytes of a match on the disk, about, besides the record that it goes on from."""
ENTRY_BYTES: Final = 100
"""Bytes of an entry, about: with a long key and a name it may be twice as much."""
NEVER: Final = float("-inf")
AFTER_COMMIT: Final = 3
"""Turns of the event loop from one commit to the next: an immediate answer to one is in the next."""
REMOVED_AT_ONCE: Final = 100
READ_AT_ONCE: Final = 100

# What nobody but its maker ever touched: no person has done anything in it but taken the invitation back. A match that
# follows another one both have wished for. Those of a class go with it.
UNTOUCHED: Final = """(
    over IS NULL AND round = 1 AND classroom = '' AND (opponent <> 'friend' OR length(token1) = 0 OR length(token2) = 0)
    AND NOT EXISTS (SELECT 1 FROM log WHERE log.match = matches.{key} AND deed <> 'withdraw'
        AND CASE seat WHEN 0 THEN kind1 ELSE kind2 END = 'human'))"""
JUST_MADE: Final = 60.0
"""Seconds in which the maker of a match may begin, or send the link, before it is removed to make room."""
# First of those networks that have most of them, and of these the oldest.
UNTOUCHED_FIRST: Final = f"""
    SELECT key, match FROM (
        SELECT {{key}} AS key, match, created,
            row_number() OVER (PARTITION BY substr(owner, 1, 16) ORDER BY created DESC) AS place
        FROM matches WHERE {UNTOUCHED} AND created < $1 AND ($2 = '' OR substr(owner, 1, 16) = $2)) AS counted
    ORDER BY place DESC, created"""  # noqa: S608
# Removed are: those that are over; those nobody went on with; those where a friend was awaited who never came; and,
# where none is, those that nobody has begun. A match that follows another one has both seats taken from the start, so
# nobody is awaited there.
DUE: Final = f"""(
    CASE WHEN over IS NOT NULL THEN over < $1
    ELSE coalesce((SELECT at FROM log WHERE log.match = matches.{{key}} ORDER BY ply DESC LIMIT 1), created) < $2
        OR (opponent = 'friend' AND created < $3 AND (length(token1) = 0 OR length(token2) = 0)
            AND NOT EXISTS (SELECT 1 FROM log WHERE log.match = matches.{{key}} AND deed = 'join'))
        OR (opponent <> 'friend' AND created < $4 AND {UNTOUCHED})
    END)"""  # noqa: S608
IS_OVER: Final = "over IS NOT NULL"
OLDEST_OVER: Final = "SELECT {key}, match FROM matches WHERE over IS NOT NULL ORDER BY over"
# What lies beyond the share, counted from what goes on and from the newest end.
BEYOND_SHARE: Final = """
    SELECT key, match FROM (
        SELECT {key} AS key, match, over,
            sum(size) OVER (PARTITION BY owner ORDER BY over IS NOT NULL, over DESC, {key}) AS up_to
        FROM matches
        WHERE owner IN (SELECT owner FROM matches WHERE owner <> '' GROUP BY owner HAVING sum(size) > $1)) AS counted
    WHERE over IS NOT NULL AND up_to > $1"""
# The log of a match that is over is in its size already.
SHARES: Final = """
    SELECT owner, count(*) FILTER (WHERE over IS NULL), sum(size + CASE WHEN over IS NULL THEN
        {bytes} * coalesce((SELECT ply + 1 FROM log WHERE log.match = matches.{key} ORDER BY ply DESC LIMIT 1), 0)
        ELSE 0 END)
    FROM matches WHERE owner <> '' GROUP BY owner"""
TOTALS: Final = """
    SELECT (SELECT count(*) FROM matches WHERE over IS NULL), (SELECT count(*) FROM matches WHERE over IS NOT NULL),
        {size}"""
LIVE: Final = "UPDATE life SET time = $1, boot = $2, steady = $3 WHERE time <= $1"
LIVED: Final = "SELECT time, boot, steady FROM life"
COUNT: Final = """
    INSERT INTO answers VALUES ($1, $2, 1, $3)
    ON CONFLICT (day, step) DO UPDATE SET tries = answers.tries + 1, correct = answers.correct + excluded.correct"""
OPEN_CLASS: Final = """
    INSERT INTO classes VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING classroom"""
CLASS: Final = "SELECT header FROM classes WHERE classroom = $1"
CLASS_LOG: Final = "SELECT event FROM class_log WHERE classroom = $1 AND number >= $2 ORDER BY number"
CLASS_OF_CODE: Final = "SELECT classroom FROM classes WHERE code = $1"
# Matches of a class that is not there are left by an erasing that an older version was disturbed in.
CLASSES_DUE: Final = """
    SELECT classroom FROM classes WHERE created < $1 OR opened < $2 OR (created < $3 AND NOT EXISTS (
        SELECT 1 FROM class_log WHERE class_log.classroom = classes.classroom AND {has_tag})) UNION
    SELECT classroom FROM matches
    WHERE classroom <> '' AND NOT EXISTS (SELECT 1 FROM classes WHERE classes.classroom = matches.classroom)"""
CLASS_HEADERS: Final = "SELECT header FROM classes"
ERASE: Final = ("DELETE FROM class_log WHERE classroom = $1", "DELETE FROM classes WHERE classroom = $1")
ERASE_MATCHES: Final = "DELETE FROM matches WHERE classroom = $1 AND classroom <> '' RETURNING match"

# What makes a database of version n + 1 out of one of version n: the same tables in both stores, but for `words`.
_STEPS: Final = (
    # 1
    """
    CREATE TABLE matches (
        {match}, game TEXT NOT NULL, settings TEXT NOT NULL, seed TEXT NOT NULL, start TEXT NOT NULL,
        opponent TEXT NOT NULL, name1 TEXT NOT NULL, name2 TEXT NOT NULL, kind1 TEXT NOT NULL, kind2 TEXT NOT NULL,
        token1 {bytes} NOT NULL, token2 {bytes} NOT NULL, invite {bytes} NOT NULL,
        round INTEGER NOT NULL, rounds INTEGER NOT NULL, points1 INTEGER NOT NULL, points2 INTEGER NOT NULL,
        created {real} NOT NULL, over {real}
    ){strict};
    CREATE INDEX matches_by_age ON matches ({by_age});
    CREATE INDEX matches_going_on ON matches (created) WHERE over IS NULL;
    CREATE TABLE log (
        match {of_match} ON DELETE CASCADE, ply INTEGER NOT NULL, seat {small} NOT NULL,
        text TEXT NOT NULL, key TEXT NOT NULL, at {real} NOT NULL, PRIMARY KEY (match, ply)
    ){strict_by_key};
    {meta}
    """,
    # 2: who made a match, and about how many bytes it takes: written when it is made, and with its log when it is over.
    # What is done besides moves has a column of its own; before, it stood with the moves, as `!join HASH NAME`.
    """
    ALTER TABLE matches ADD COLUMN owner {word} NOT NULL DEFAULT '';
    ALTER TABLE log ADD COLUMN deed TEXT NOT NULL DEFAULT '';
    UPDATE log SET deed = substr(text, 2, {find}(text || ' ', ' ') - 2),
        text = substr(text, {find}(text || ' ', ' ') + 1) WHERE text LIKE '!%';
    ALTER TABLE matches ADD COLUMN size INTEGER NOT NULL DEFAULT 400;
    UPDATE matches SET size = size + length(start) + CASE WHEN over IS NULL THEN 0
        ELSE 100 * (SELECT count(*) FROM log WHERE log.match = matches.{key}) END;
    CREATE INDEX matches_by_owner ON matches ({by_owner}) WHERE owner <> '';
    CREATE INDEX matches_by_end ON matches (over) WHERE over IS NOT NULL;
    """,
    # 3: ages are counted by the store's own time, which begins with the clock's, or with the last that happened; what
    # the clock says is kept for the record alone.
    """
    ALTER TABLE matches ADD COLUMN date TEXT NOT NULL DEFAULT '';
    UPDATE matches SET date = {date};
    CREATE TABLE life (time {real} NOT NULL, boot TEXT NOT NULL, steady {real} NOT NULL){strict};
    INSERT INTO life SELECT coalesce(max(time), {now}), '', 0.0 FROM (
        SELECT created AS time FROM matches UNION ALL SELECT over FROM matches UNION ALL SELECT at FROM log) AS times;
    """,
    # 4: how often each step of a day's puzzle was answered, and how often rightly.
    """
    CREATE TABLE answers (
        day {word} NOT NULL, step {small} NOT NULL, tries INTEGER NOT NULL, correct INTEGER NOT NULL,
        PRIMARY KEY (day, step)
    ){strict_by_key};
    """,
    # 5: whether a board says of each move what it comes to.
    "ALTER TABLE matches ADD COLUMN marks {small} NOT NULL DEFAULT 1;",
    # 6: classes. What happens in one is kept in the order in which it comes, whatever class it is of.
    """
    ALTER TABLE matches ADD COLUMN classroom {word} NOT NULL DEFAULT '';
    CREATE INDEX matches_by_class ON matches (classroom) WHERE classroom <> '';
    CREATE TABLE classes (
        classroom {word} PRIMARY KEY, code {word} NOT NULL UNIQUE, header {bytes} NOT NULL,
        created {real} NOT NULL, opened {real} NOT NULL
    ){strict};
    CREATE TABLE class_log (
        {place}, classroom {word} NOT NULL REFERENCES classes ON DELETE CASCADE, number INTEGER NOT NULL,
        event {bytes} NOT NULL, UNIQUE (classroom, number)
    ){strict};
    """,
)


def steps(**words: str) -> tuple[str, ...]:
    """The steps from version n of a database to version n + 1, in one kind of SQL."""
    return tuple(step.format(**words) for step in _STEPS)


class StoreError(Refusal):
    """The store cannot do it now: a sentence for people, without addresses, passwords or SQL."""

    def __init__(self, why: str, cause: str = "") -> None:
        """`cause` is the code of it, as the database has it: for the keeper."""
        super().__init__("not-stored", Said("because", {"why": why}))
        self.cause = cause or "other"


class Retention(Struct, frozen=True):
    """How long matches stay, in seconds after they were made, last touched, or over; and how many that are over."""

    unjoined: float = 24 * 3600
    abandoned: float = 30 * 24 * 3600
    finished: float = 365 * 24 * 3600
    most_finished: int = 1_000_000
    """Beyond so many, those that have been over longest go before their time."""
    share: int = 48 * 1024 * 1024
    """Bytes of one owner, beyond which the oldest of their matches go too: a school has room again within a year."""
    at_once: int = 10_000
    """Matches that are removed in one go at most; the others stay until the next."""
    untouched: float = 6 * 3600
    """Seconds that a match stays in which no move was made and no friend is awaited."""


class Share(Struct, frozen=True):
    """The matches and bytes of one owner in the store."""

    open: int = 0
    """Matches that are not over."""
    bytes: int = 0
    """About so many, for all matches."""


class Totals(Struct, frozen=True):
    """The number and size of all matches in the store."""

    unfinished: int
    finished: int
    bytes: int
    """Bytes in use on the disk."""


class Figures(Struct):
    """Counters of a store since it was opened; only the store changes them."""

    commits: int = 0
    entries: int = 0
    """In all commits together."""
    seconds: float = 0.0
    """How long the commits took together."""


class Order(Struct, gc=False):
    """Something to be written: an entry (its ply first), a new match, or both."""

    answer: Future[bool]
    match: str
    row: tuple[int, int, str, str, str, float] | None
    over: bool
    new: MatchHeader | None


Logged = tuple[MatchHeader, list[Entry]]
"""A match with its whole log."""


class Read(NamedTuple):
    """A match that was read; or, where it cannot be, its name."""

    place: tuple[float, Any]
    what: Logged | str


class ClassRow(NamedTuple):
    """A class that was opened."""

    classroom: str
    code: str
    header: bytes
    created: float
    """By the store's own time."""
    opened: float
    """By the clock."""


class Store(ABC):
    """Keeps matches. What `create` and `append` have answered survives a kill and a power cut.

    One that holds what a single person plays counts nothing and removes nothing, as it stands here.
    """

    hears = True
    """Whether changes of other processes are heard of now; if not, only reading shows them."""

    def __init__(self, secret: bytes, lived: Lived) -> None:
        self.secret = secret
        """32 random bytes, made with the store and the same for every process that uses it."""
        self.lived = lived
        """How far its own time had come when it was opened, or when `live` was asked last."""
        self.figures = Figures()
        self.failed: Callable[[StoreError], None] = lambda _: None
        """Told of everything that could not be written."""
        self.background = Background()
        self.farewell = ""
        """Message for the keeper when the store is closed; empty if everything is in place."""
        self._told: list[Callable[[str], None]] = []
        self._hearers: list[Callable[[str, str], None]] = []

    @abstractmethod
    async def ready(self) -> None:
        """A `StoreError` where nothing could be written now. Asked often, it looks at most once a second."""

    @abstractmethod
    async def create(self, header: MatchHeader) -> bool:
        """Keep a new match; False where one of that name is there, or its class is not (and nothing is changed)."""

    @abstractmethod
    async def append(self, match: str, entry: Entry, over: bool, new: MatchHeader | None = None) -> bool:
        """Write an entry down; False where its ply is taken or not the next one. `over`: the game ends with it.

        `new` is a match that comes of it, and is made in the same commit.
        """

    @abstractmethod
    async def load(self, match: str) -> Logged | None:
        """A match with its whole log, or None."""

    @abstractmethod
    async def count_answer(self, day: str, step: int, right: bool) -> None:
        """Count an answer to a step of that day's puzzle. Of other days nothing is kept."""

    async def answers(self, day: str) -> dict[int, tuple[int, int]]:
        """How many answers each step of that day has had, and how many of them were right."""
        return {}

    async def totals(self) -> Totals:
        """How much there is."""
        return Totals(0, 0, 0)

    async def shares(self) -> dict[str, Share]:
        """How much each owner has who is known and has anything."""
        return {}

    async def live(self, lived: Lived) -> Lived:
        """Note how far its own time has come, unless it is known to have come further; returns what it knows then."""
        self.lived = lived
        return lived

    async def clear_untouched(self, now: float, most: int, keep: Container[str] = (), network: str = "") -> list[str]:
        """Remove matches that only their maker touched, but not those to keep; returns their names.

        With a network, by the first part of its owners' names, only those that were made there.
        """
        return []

    async def prune(self, retention: Retention, now: float, keep: Container[str] = ()) -> list[str]:
        """Remove what has been there long enough by the store's time, but not those to keep; returns their names."""
        return []

    async def open_class(self, row: ClassRow) -> bool:
        """Keep a new class; False where one of that name or that code is there already."""
        raise StoreError("Classes are not kept here.")

    async def append_to_class(self, classroom: str, number: int, event: bytes) -> bool:
        """Write an event down; False where its number is taken or not the next one, or the class is gone."""
        return False

    async def load_class(self, classroom: str, number: int = 0) -> tuple[bytes, list[bytes]] | None:
        """How a class was opened, and its log from this number on; None where there is no such class."""
        return None

    async def class_of_code(self, code: str) -> str | None:
        """The class that has this code now."""
        return None

    async def class_headers(self) -> list[bytes]:
        """How every class was opened."""
        return []

    async def classes_due(self, created: float, opened: float, empty: float, joined: bytes) -> list[str]:
        """The classes that were made before this time of the store, or opened before this one of the clock.

        Also those that were made before `empty` and have no event with the bytes `joined`, and those of which nothing
        is left but matches.
        """
        return []

    async def erase_class(self, classroom: str) -> list[str]:
        """Remove all that is kept of a class and its matches; returns the names of the matches."""
        return []

    @abstractmethod
    async def close(self) -> None:
        """Write down what waits, and let go."""

    def on_change(self, told: Callable[[str], None]) -> None:
        """Have this called, in the event loop, with the name of a match that another process has changed.

        An empty name: word from the others is lost, or was for a while, and any match may have changed.
        """
        self._told.append(told)

    def pass_on(self, match: str, word: str) -> None:  # noqa: B027  # most have no others
        """Say something about a match to the other processes, soon. It is not kept: who does not listen misses it."""

    def on_word(self, told: Callable[[str, str], None]) -> None:
        """Have this called, in the event loop, with a match and what another process says about it."""
        self._hearers.append(told)


class SqlStore(Store):
    """The common part of stores in SQL."""

    key: ClassVar[str]
    """The column of `matches` that the log refers to."""
    size: ClassVar[str]
    """The SQL of how many bytes are in use."""
    has_tag: ClassVar[str]
    """The SQL of whether the bytes `$4` are in an event."""
    late: ClassVar[float] = 0.0
    """Seconds by which matches are removed later than they could be."""

    def __init__(self, secret: bytes, lived: Lived) -> None:
        super().__init__(secret, lived)
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._probe: asyncio.Task[Any] | None = None
        self._probed = NEVER
        """The time of the last check that the store can be written to; `NEVER` after a refused write."""
        self._waiting: list[Order] = []
        self._writer: asyncio.Task[None] | None = None
        """Writes what waits, while there is any."""

    async def ready(self) -> None:
        """Check at most once a second that the store can be written to."""
        self._check_open()
        now = self._loop.time()
        if self._probe is None or (self._probe.done() and now - self._probed >= 1.0):
            self._probed = now
            self._probe = self._loop.create_task(self._touch())
        await asyncio.wait([self._probe])
        self._probe.result()

    async def create(self, header: MatchHeader) -> bool:
        self._check_open()
        check_texts(row_of(header))
        return await self._create(header)

    async def append(self, match: str, entry: Entry, over: bool, new: MatchHeader | None = None) -> bool:
        """In one commit with what else waits."""
        if self._closed:
            self._check_open()
        deed, text = written(entry)
        check_texts((deed, text, entry.key))
        if new is not None:
            check_texts(row_of(new))
        answer: Future[bool] = self._loop.create_future()
        self._put(Order(answer, match, (entry.ply, entry.seat, deed, text, entry.key, entry.at), over, new))
        return await answer

    async def count_answer(self, day: str, step: int, right: bool) -> None:
        await self._change("DELETE FROM answers WHERE day <> $1", day)
        await self._change(COUNT, day, step, int(right))

    async def answers(self, day: str) -> dict[int, tuple[int, int]]:
        rows = await self._rows("SELECT step, tries, correct FROM answers WHERE day = $1", day)
        return {row[0]: (row[1], row[2]) for row in rows}

    async def totals(self) -> Totals:
        return Totals(*(await self._rows(TOTALS.format(size=self.size)))[0])

    async def shares(self) -> dict[str, Share]:
        rows = await self._rows(SHARES.format(key=self.key, bytes=ENTRY_BYTES))
        return {row[0]: Share(row[1], int(row[2])) for row in rows}

    async def live(self, lived: Lived) -> Lived:
        await self._change(LIVE, lived.time, lived.boot, lived.steady)
        self.lived = Lived(*(await self._rows(LIVED))[0])
        return self.lived

    async def clear_untouched(self, now: float, most: int, keep: Container[str] = (), network: str = "") -> list[str]:
        """First of the networks that have most of them, and of these the oldest."""
        # Of several servers one is behind by what was not noted yet, and hardly by more: room is needed soon.
        before = (now - min(self.late, 2 * NOTED) - JUST_MADE,)
        return await self._take_away(UNTOUCHED_FIRST, f"{UNTOUCHED} AND created < $1", before, most, keep, network)

    async def _take_away(
        self, question: str, still: str, values: tuple[float, ...], most: int, keep: Container[str], *asked: object
    ) -> list[str]:
        """Remove at most `most` of the matches in question, in small steps, if `still` holds; returns their names."""
        removed, still = list[str](), still.format(key=self.key)
        rows = await self._rows(f"{question.format(key=self.key)} LIMIT {max(0, most)}", *values, *asked)
        keys = [row[0] for row in rows if row[1] not in keep]
        for first in range(0, len(keys), REMOVED_AT_ONCE):
            # In the meantime somebody may have gone on with one.
            removed += await self._remove(keys[first : first + REMOVED_AT_ONCE], still, values)
        return removed

    async def prune(self, retention: Retention, now: float, keep: Container[str] = ()) -> list[str]:
        now -= self.late
        ages = (retention.finished, retention.abandoned, retention.unjoined, retention.untouched)
        removed, removing = list[str](), self._take_away

        def left(most: int = retention.at_once) -> int:
            return min(most, retention.at_once - len(removed))

        due = f"SELECT {{key}}, match FROM matches WHERE {DUE}"  # noqa: S608
        removed += await removing(due, DUE, tuple(now - age for age in ages), left(), keep)
        over = await self._rows(f"SELECT count(*) FROM matches WHERE {IS_OVER}")  # noqa: S608
        removed += await removing(OLDEST_OVER, IS_OVER, (), left(over[0][0] - retention.most_finished), keep)
        removed += await removing(BEYOND_SHARE, IS_OVER, (), left(), keep, retention.share)
        return removed

    async def open_class(self, row: ClassRow) -> bool:
        return bool(await self._change(OPEN_CLASS, *row))

    async def load_class(self, classroom: str, number: int = 0) -> tuple[bytes, list[bytes]] | None:
        found = await self._rows(CLASS, classroom)
        if not found:
            return None
        return bytes(found[0][0]), [bytes(row[0]) for row in await self._rows(CLASS_LOG, classroom, number)]

    async def class_of_code(self, code: str) -> str | None:
        found = await self._rows(CLASS_OF_CODE, code)
        return str(found[0][0]) if found else None

    async def class_headers(self) -> list[bytes]:
        return [bytes(row[0]) for row in await self._rows(CLASS_HEADERS)]

    async def classes_due(self, created: float, opened: float, empty: float, joined: bytes) -> list[str]:
        due = CLASSES_DUE.format(has_tag=self.has_tag)
        return [row[0] for row in await self._rows(due, created, opened, empty, joined)]

    async def everything(self, unreadable: Callable[[str], object] | None = None) -> AsyncIterator[Logged]:
        """Every match with its log, oldest first. One made in the meantime may be in it or not.

        Where single ones cannot be read, `unreadable` is told their names; without it, and where nothing can be read
        any more, that is a `StoreError`.
        """
        after: tuple[float, Any] | None = None
        # Piece by piece: a long look at one state of the tables would keep what is written meanwhile waiting.
        while some := await self._matches_after(after, unreadable is not None):
            for found in some:
                if not isinstance(found.what, str):
                    yield found.what
                elif unreadable is not None:
                    unreadable(found.what)
            after = some[-1].place

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._writer is not None:
                await self._writer
            await self._close()

    # ---- everything that waits is written in one commit

    def _put(self, order: Order) -> None:
        self._waiting.append(order)
        if self._writer is None:
            self._writer = self._loop.create_task(self._write_waiting())

    async def _write_waiting(self) -> None:
        # What is asked at the same moment goes into the same commit; what is asked during a commit, into the next one.
        await asyncio.sleep(0)
        while self._waiting:
            batch = self._next_batch()
            answers: Sequence[bool | Exception]
            try:
                answers = await self._answers(batch)
            except Exception as trouble:
                # Also a mistake of ours: whoever waits must hear of it, and the task must live.
                self._probed = NEVER
                answers = [trouble for _ in batch]
            settle(batch, answers)
            for _ in range(AFTER_COMMIT):
                await asyncio.sleep(0)
        self._writer = None

    def _next_batch(self) -> list[Order]:
        batch, self._waiting = self._waiting, []
        return batch

    # ---- what a store has of its own

    @abstractmethod
    async def _touch(self) -> None:
        """Change nothing, and go all the way to the disk."""

    @abstractmethod
    async def _create(self, header: MatchHeader) -> bool: ...

    @abstractmethod
    async def _answers(self, batch: list[Order]) -> Sequence[bool | Exception]:
        """Write them in one commit; returns whether each was, or why not. An error is about all of them."""

    @abstractmethod
    async def _rows(self, question: str, *values: Any) -> Sequence[Sequence[Any]]:
        """Read something; `$1` in the question is the first value."""

    @abstractmethod
    async def _change(self, statement: str, *values: Any) -> Sequence[Sequence[Any]]:
        """Write something that no player waits for; returns the rows of the statement."""

    @abstractmethod
    async def _remove(self, keys: list[Any], still: str, values: tuple[float, ...]) -> list[str]:
        """Remove those of these matches for which `still` holds; returns the names of the removed."""

    @abstractmethod
    async def _matches_after(self, after: tuple[float, Any] | None, careful: bool) -> list[Read]:
        """The next matches by age; `after` is the place of the last one.

        Where one cannot be read, none is; unless it is done carefully, one after the other.
        """

    @abstractmethod
    async def _close(self) -> None: ...

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The server is stopping: nothing more is written down.")


def settle(orders: Iterable[Order], answers: Iterable[bool | Exception]) -> None:
    """Tell those who wait what has come of it."""
    for order, answer in zip(orders, answers, strict=True):
        # Whoever asked may have gone away; it is written down all the same.
        if not order.answer.done():
            answered(order.answer, answer)


def answered(waits: Future[bool], answer: bool | Exception) -> None:
    """Tell one who waits."""
    if isinstance(answer, Exception):
        waits.set_exception(answer)
    else:
        waits.set_result(answer)


# ---- rows


def size_of(header: MatchHeader) -> int:
    """Bytes of a new match, about."""
    return ROW_BYTES + len(header.start)


def check_texts(texts: Iterable[Any]) -> None:
    """Refuse what PostgreSQL cannot keep, and SQLite not surely: a NUL, and half a character.

    Asked by both stores before they write, so that what is refused by one is refused by the other.
    """
    together = "".join([text for text in texts if isinstance(text, str)])
    try:
        together.encode()
        kept = "\0" not in together
    except UnicodeEncodeError:
        kept = False
    if not kept:
        raise StoreError("There are characters in it that cannot be kept: it was not written down.")


def row_of(header: MatchHeader) -> tuple[Any, ...]:
    """The values of `COLUMNS`."""
    return (
        *(header.match, header.game, header.settings, header.seed, header.start, header.opponent),
        *(*header.names, *header.kinds, *header.tokens, header.invite),
        *(header.round, header.rounds, *header.points, header.created, header.owner, header.date, int(header.marks)),
        header.classroom,
    )


def header_of(row: Sequence[Any]) -> MatchHeader:
    """The match that is in such a row."""
    names, kinds, tokens, points = ((row[at], row[at + 1]) for at in (6, 8, 10, 15))
    values = [*row[:6], names, kinds, tokens, *row[12:15], points, *row[17:20], bool(row[20]), row[21]]
    return MatchHeader(*values)


def written(entry: Entry) -> tuple[str, str]:
    """The columns of an entry: the deed, empty for a move; and the move, or the player who has joined."""
    if type(entry) is Move:
        return "", entry.move
    if not isinstance(entry, Action):
        raise TypeError("an entry is a move or a deed")
    return entry.do, f"{entry.token.hex()} {entry.name}" if entry.do in (JOIN, SEAT) else ""


def entry_of(ply: int, seat: int, deed: str, text: str, key: str, at: float) -> Entry:
    """The entry that was written down so."""
    if not deed:
        return Move(ply, seat, key, at, text)
    token, _, name = text.partition(" ")
    try:
        return Action(ply, seat, key, at, deed, bytes.fromhex(token), name)
    except ValueError:
        # Nobody of us has written that: a deed that no match allows.
        return Action(ply, seat, key, at, f"{deed} {text}")
