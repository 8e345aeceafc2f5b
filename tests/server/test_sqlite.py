"""The SQLite store: its file, its lock, its versions, and what happens when the disk does not play along."""

import asyncio
import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from numberquest.core.errors import UsageError
from numberquest.server.store.base import Retention, SqlStore, StoreError
from numberquest.server.store.sqlite import SqliteStore
from numberquest.server.store.sqlite_file import APPLICATION, CUT, STEPS, SqliteFile
from numberquest.server.store.stores import open_store
from tests.conftest import in_ci
from tests.server.keeping import NOW, a_match, an_entry, fill, hub_at, log_of, opened, small_disk, text_of, until

T = TypeVar("T")


async def mistake(address: str) -> str:
    """The sentence that somebody gets who names this database."""
    with pytest.raises(UsageError) as caught:
        await open_store(address)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


async def make(path: Path, *entries: str) -> None:
    async with opened(str(path)) as store:
        await store.create(a_match("m"))
        for ply, text in enumerate(entries):
            assert await store.append("m", an_entry(ply, text), over=False)


OLD_LOG = ["5", "!join 00ff Ben the Second", "!take-back", "!agree", "!resign", "6"]


async def contents(path: Path) -> list[str]:
    async with opened(str(path)) as store:
        return [text_of(entry) for entry in await log_of(store, "m")]


# ---- where it is, and who may use it


async def test_without_an_address_it_is_a_file_in_the_users_data_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_store(None)).close()
    assert (home / ".local/share/numberquest/games.db").exists()
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "elsewhere"))
    await (await open_store(None)).close()
    assert (home / "elsewhere/numberquest/games.db").exists()


async def test_an_address_may_be_a_path_or_begin_with_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    await make(Path("here.db"), "one")
    async with opened(f"sqlite:///{tmp_path}/here.db") as store:
        assert await store.load("m") == (a_match("m"), [an_entry(0, "one")])


async def test_the_files_are_for_the_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with opened(str(tmp_path / "new" / "games.db")) as store:
            await store.create(a_match("m"))
            modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(["games.db", "games.db-wal", "games.db-shm", "games.db.lock"], 0o600)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


HOLD = """
import asyncio, sys
from numberquest.server.store.stores import open_store
async def main():
    store = await open_store(sys.argv[1])
    print("open", flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


async def test_two_servers_do_not_share_a_file_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "open\n"
            assert (await mistake(str(path))).startswith(f"Another server is using {path}")
            # Neither by another name.
            (tmp_path / "link.db").symlink_to(path)
            assert "Another server" in await mistake(str(tmp_path / "link.db"))
        finally:
            holder.send_signal(signal.SIGKILL)
    await make(path, "one")


async def test_one_process_does_not_open_a_file_twice(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "games.db")):
        with pytest.raises(UsageError, match="Another server"):
            await open_store(str(tmp_path / "games.db"))
    async with opened(str(tmp_path / "games.db")):
        pass


# ---- mistakes


async def test_a_place_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert await mistake(str(tmp_path)) == f"Cannot keep matches in {tmp_path}: that is a folder."
    assert "Not a directory" in await mistake(str(tmp_path / "file" / "games.db"))
    assert "No such file or directory" in await mistake("/proc/nowhere/games.db")


ASK = """
import asyncio, os, sys
import numberquest.server.store.sqlite, numberquest.server.store.upkeep
from numberquest.core.errors import UsageError
from numberquest.server.db import check
from numberquest.server.store.stores import open_store
# Nobody may not look into root's home, where this Python may be: so it becomes nobody when all is imported.
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    asyncio.run(open_store(sys.argv[1])) if len(sys.argv) < 3 else check(sys.argv[1])
except UsageError as mistake:
    print(mistake)
"""


def asked_without_rights(address: Path, *words: str) -> str:
    """What somebody is told who is not root: file rights do not hold for root."""
    done = subprocess.run([sys.executable, "-c", ASK, str(address), *words], capture_output=True, text=True, cwd="/")
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def open_to_all(tmp_path: Path) -> Path:
    """A folder that everybody can get to; also later, for other tests may be in those above it at the same time."""
    for folder in (tmp_path, *tmp_path.parents):
        mode = folder.stat().st_mode & 0o7777
        if folder.owner() == Path.home().owner() and not mode & 0o001 and os.access(folder, os.W_OK):
            folder.chmod(mode | 0o011)
    return tmp_path


async def test_a_folder_or_a_file_without_the_right_to_write_gets_a_sentence(open_to_all: Path) -> None:
    folder = open_to_all / "shut"
    folder.mkdir(0o555)
    assert (
        asked_without_rights(folder / "games.db") == f"Cannot keep matches in {folder}/games.db: Permission denied.\n"
    )
    folder.chmod(0o777)
    await make(folder / "games.db", "one")
    (folder / "games.db").chmod(0o444)
    (folder / "games.db.lock").chmod(0o666)
    assert (
        asked_without_rights(folder / "games.db") == f"Cannot keep matches in {folder}/games.db: Permission denied.\n"
    )
    (folder / "games.db").chmod(0o600)
    assert await contents(folder / "games.db") == ["one"]


# ---- versions


async def test_an_older_database_is_brought_to_the_newest_version_step_by_step(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await make(path, "one", "two")
    steps = (
        *STEPS,
        "CREATE TABLE extra (word TEXT); INSERT INTO extra VALUES ('second');",
        "UPDATE extra SET word = word || ' third'; ALTER TABLE log ADD COLUMN thought REAL;",
    )
    for known in (steps[:-1], steps, steps):
        store = await SqliteStore.open(str(path), known)
        assert await store.load("m") == (a_match("m"), [an_entry(0, "one"), an_entry(1, "two")])
        await store.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT word FROM extra").fetchall() == [("second third",)]
        assert db.execute("PRAGMA user_version").fetchone() == (len(steps),)
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION,)


async def test_a_step_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await make(path, "one")
    with pytest.raises(UsageError):
        await SqliteStore.open(str(path), (*STEPS, "CREATE TABLE extra (word TEXT); INSERT INTO nowhere VALUES (1);"))
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
        assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'").fetchone() == (0,)
    assert await contents(path) == ["one"]


# ---- removing


async def test_a_new_match_does_not_get_the_moves_of_a_removed_one(store: SqlStore) -> None:
    await store.create(a_match("old", created=0))
    assert await store.prune(Retention(), NOW) == ["old"]
    # It may well stand in the same place of the table.
    await store.create(a_match("new"))
    assert not await store.append("old", an_entry(0), over=False)
    assert await store.load("new") == (a_match("new"), [])


class TouchedInBetween(SqliteStore):
    """Somebody goes on with `m` after it was found to be old, and before it is removed."""

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        found = await super()._read(work)
        await self.append("m", an_entry(0), over=False)
        return found


async def test_a_match_that_somebody_goes_on_with_at_the_last_moment_stays(tmp_path: Path) -> None:
    store = await TouchedInBetween.open(str(tmp_path / "games.db"))
    await store.create(a_match("m", created=0))
    await store.create(a_match("n", created=0))
    assert await store.prune(Retention(), NOW) == ["n"]
    assert await store.load("m") == (a_match("m", created=0), [an_entry(0)])
    await store.close()


# ---- the disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 7) as place:
        yield place


async def test_a_full_disk_is_told_and_nothing_is_acknowledged_falsely(disk: Path) -> None:
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(4_000_000))

    async with opened(str(disk / "games.db")) as store:
        assert await fill(store, ballast.unlink) == "The disk is full: it was not written down."


async def test_a_file_that_may_not_grow_is_told_and_nothing_is_acknowledged_falsely(store: SqlStore) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, hard))
    try:
        told = await fill(store, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert told == "The disk does not work: it was not written down."


async def test_a_database_that_can_only_be_read_is_told(store: SqlStore) -> None:
    assert isinstance(store, SqliteStore)
    await store.create(a_match("m"))
    store._writing.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=r"^The database can only be read: it was not written down\.$"):
        await store.append("m", an_entry(0), over=False)
    assert await store.load("m") == (a_match("m"), [])
    store._writing.execute("PRAGMA query_only = OFF")
    assert await store.append("m", an_entry(0), over=False)


async def test_another_program_that_holds_the_database_is_told(store: SqlStore, tmp_path: Path) -> None:
    assert isinstance(store, SqliteStore)
    await store.create(a_match("m"))
    store._writing.execute("PRAGMA busy_timeout = 50")
    with contextlib.closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"^Another program holds the database: it was not written down\.$"):
            await store.append("m", an_entry(0), over=False)
        other.execute("ROLLBACK")
    assert await store.append("m", an_entry(0), over=False)


@in_ci
async def test_commits_wait_for_the_disk_and_the_journal_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with opened(str(path)) as store:
        assert isinstance(store, SqliteStore)
        db = store._writing
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)
        await asyncio.gather(*(store.create(a_match(f"m{match}")) for match in range(50)))
        for ply in range(300):
            await asyncio.gather(
                *(store.append(f"m{match}", an_entry(ply, "x" * 200), over=False) for match in range(50))
            )
        assert path.stat().st_size > 3_000_000
        assert (tmp_path / "games.db-wal").stat().st_size < 40_000_000


async def test_deeds_that_an_older_version_wrote_among_the_moves_are_read_as_deeds(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    await make(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        columns = (
            "number, match, game, settings, seed, start, opponent, name1, name2, kind1, kind2, token1, token2, invite"
        )
        columns += ", round, rounds, points1, points2, created, over"
        row = db.execute(f"SELECT {columns} FROM matches").fetchone()  # noqa: S608
    old = tmp_path / "older.db"
    with contextlib.closing(sqlite3.connect(old)) as db:
        db.executescript(f"{STEPS[0]}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1")
        db.execute(f"INSERT INTO matches ({columns}) VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
        for ply, text in enumerate(OLD_LOG):
            db.execute("INSERT INTO log VALUES (?, ?, ?, ?, '', 0)", (row[0], ply, ply % 2, text))
        db.execute("INSERT INTO meta VALUES ('secret', zeroblob(32))")
        db.commit()
    assert await contents(old) == OLD_LOG


async def test_a_second_server_does_not_open_it_by_a_hard_link(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with opened(str(tmp_path / "games.db")) as store:
        await store.create(a_match("m"))
        os.link(tmp_path / "games.db", tmp_path / "other" / "link.db")
        assert (await mistake(str(tmp_path / "other" / "link.db"))).startswith("Another server is using")
        # Who was refused has not taken SQLite's own locks away.
        assert await store.append("m", an_entry(0), over=False)
    async with opened(str(tmp_path / "other" / "link.db")) as again:
        assert await log_of(again, "m") == [an_entry(0)]


def test_a_folder_above_that_cannot_be_read_does_not_refuse_the_start(open_to_all: Path) -> None:
    inner = open_to_all / "above" / "inner"
    inner.mkdir(parents=True)
    inner.chmod(0o777)
    inner.parent.chmod(0o711)
    assert asked_without_rights(inner / "games.db") == ""
    assert (inner / "games.db").exists()


@pytest.mark.skipif(
    not all(folder.stat().st_mode & 0o001 for folder in Path(sys.prefix).parents),
    reason="SKIPPED: others than its owner may not look into the folder of this environment",
)
async def test_a_check_without_rights_says_so(open_to_all: Path) -> None:
    path = open_to_all / "shut" / "games.db"
    await make(path, "one")
    shut = f"You may not read {path}: do it as the user of the server, or as root.\n"
    assert asked_without_rights(path, "check") == shut  # the folder
    path.parent.chmod(0o755)
    assert asked_without_rights(path, "check") == shut  # the file


def test_two_threads_that_look_at_the_file_at_once_do_not_take_it_for_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SqliteFile(str(tmp_path / "matches.db"), STEPS, "FULL")
    states = file._states

    def seen_late() -> list[tuple[int, int, int]]:
        """What the reader sees; before it has compared it, the writer writes more and looks too."""
        found = states()
        monkeypatch.setattr(file, "_states", states)
        with file.writing:
            file.writing.execute("INSERT INTO meta VALUES ('more', randomblob(20000))")
        assert file.harm == ""
        return found

    monkeypatch.setattr(file, "_states", seen_late)
    assert file.harm == ""
    os.truncate(file.path + "-wal", 100)
    assert file.harm == CUT
    file.close()


async def test_the_file_is_watched_again_after_an_error_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberquest.server.background.RESTART_AFTER", 0.01)
    monkeypatch.setattr("numberquest.server.store.sqlite.WATCH", 0.01)
    async with opened(str(tmp_path / "games.db")) as store, hub_at(store) as hub:
        assert isinstance(store, SqliteStore)
        scribe, store._scribe = store._scribe, ThreadPoolExecutor(1)
        store._scribe.shutdown()
        await until(lambda: hub.stopped_tasks == {"database file"})
        store._scribe = scribe
        await until(lambda: not hub.stopped_tasks)
        assert hub.log.errors["task"] >= 1
