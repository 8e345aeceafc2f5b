"""`numberquest db`: backups of a database that is being written to, checks, and backups put back."""

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from numberquest.cli import main
from numberquest.server.store.sqlite_file import STEPS, hold
from tests.conftest import in_ci
from tests.server.keeping import a_match, an_entry, lengths, make_games, opened
from tests.server.nginx import DEPLOY
from tests.server.postgres_server import PASSWORD, new_database
from tests.server.running import Running


def make(address: str, matches: int = 3, moves: str = "123") -> None:
    asyncio.run(make_games(address, matches, *moves))


class Said(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """`numberquest db` with these words."""
    return lambda *words: Said(main(["db", *map(str, words)]), *capfd.readouterr())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with three matches of three moves."""
    make(str(tmp_path / "games.db"))
    return tmp_path / "games.db"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a backup may go."""
    return tmp_path / "backup"


# ---- backups


@pytest.mark.parametrize("backups", [1, pytest.param(6, marks=in_ci)])
def test_a_backup_taken_under_load_has_every_move_that_was_acknowledged_before_it_began(
    backups: int, fresh: Running, tmp_path: Path
) -> None:
    acknowledged: dict[str, int] = {}
    stop, moved = threading.Event(), threading.Semaphore(0)

    def play() -> None:
        client = fresh.client()
        while not stop.is_set():
            seat = client.create("sumquest", opponent="screen", settings={"target": 999})
            while not stop.is_set() and seat.state.ply < 80:
                acknowledged[seat.match] = seat.play(seat.state.moves[0].move).ply
                moved.release()

    players = [threading.Thread(target=play) for _ in range(4)]
    for player in players:
        player.start()
    try:
        for number in range(backups):
            for _ in range(100):
                assert moved.acquire(timeout=60)
            before = dict(acknowledged)
            file = tmp_path / f"backup{number}"
            done = command("backup", str(file), "--db", fresh.db)
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout.startswith(f"Backup written to {file}: ")
            # One whole file, for its owner alone, and nothing else beside it.
            assert [name for name in os.listdir(tmp_path) if name.startswith(file.name)] == [file.name]
            assert file.stat().st_mode & 0o777 == 0o600
            restored = str(tmp_path / f"restored{number}.db")
            assert command("restore", str(file), "--db", restored).returncode == 0
            checked = command("check", "--db", restored)
            assert checked.returncode == 0, checked.stdout
            found = lengths(restored)
            assert all(found.get(match, 0) >= ply for match, ply in before.items())
            assert f"{len(found)} match" in done.stdout
            assert f"{sum(found.values())} entries" in done.stdout
        # The server's own can be checked while it is written to.
        assert command("check", "--db", fresh.db).returncode == 0
    finally:
        stop.set()
        for player in players:
            player.join()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "numberquest", "db", *words], capture_output=True, text=True, timeout=120
    )


@in_ci
def test_a_copy_of_the_file_alone_lacks_what_was_written_last(tmp_path: Path, run: Run) -> None:
    """Why there is a command for it, and the documents say what not to do."""
    path, copy, backup = tmp_path / "games.db", tmp_path / "copy.db", tmp_path / "backup.db"
    make(str(path), 1, "1")

    async def main() -> None:
        async with opened(str(path)) as store:
            assert await store.append("game0", an_entry(1, "2"), over=False)
            shutil.copy(path, copy)
            assert run("backup", backup, "--db", path).code == 0

    asyncio.run(main())
    assert lengths(str(copy)) == {"game0": 1}
    assert lengths(str(backup)) == {"game0": 2}


def test_a_backup_that_is_there_already_stays_unless_force_is_said(path: Path, file: Path, run: Run) -> None:
    file.write_text("precious")
    said = run("backup", file, "--db", path)
    assert (said.code, said.out) == (1, "")
    assert said.err == f"numberquest: {file} is there already: name another file, or add --force.\n"
    assert file.read_text() == "precious"
    assert run("backup", file, "--db", path, "--force").code == 0
    assert lengths(str(file)) == dict.fromkeys(("game0", "game1", "game2"), 3)


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", ".lock"])
def test_the_database_itself_is_never_taken_for_the_backup(ending: str, path: Path, run: Run) -> None:
    said = run("backup", f"{path}{ending}", "--db", path, "--force")
    assert said.code == 2
    assert "is the database itself" in said.err
    assert len(lengths(str(path))) == 3


def test_a_backup_that_cannot_be_written_leaves_nothing(tmp_path: Path, path: Path, run: Run) -> None:
    before = sorted(os.listdir(tmp_path))
    for file, why in ((tmp_path / "no" / "backup", "No such file or directory"), (tmp_path, "is a folder")):
        said = run("backup", file, "--db", path)
        assert said.code in (1, 2)
        assert why in said.err
        assert said.err.count("\n") == 1
    said = run("backup", tmp_path / "b", "--db", tmp_path / "nowhere.db")
    assert said.err == f"numberquest: There are no matches in {tmp_path}/nowhere.db: the file does not exist.\n"
    assert sorted(os.listdir(tmp_path)) == before


def test_what_a_killed_backup_has_left_is_cleared_by_the_next_and_what_another_writes_is_not(
    tmp_path: Path, path: Path, file: Path, run: Run
) -> None:
    left, others = tmp_path / "backup.1.tmp", tmp_path / "backup.2.tmp"
    for name in (left, tmp_path / "backup.1.tmp-journal", others):
        name.touch()
    with others.open("rb+") as being_written:
        hold(being_written.fileno())
        assert run("backup", file, "--db", path).code == 0
    assert sorted(name for name in os.listdir(tmp_path) if name.startswith("backup")) == ["backup", "backup.2.tmp"]


def test_the_lines_of_the_document_are_right_as_they_stand(tmp_path: Path) -> None:
    """Each is run by a shell; only the places where a program, a database and backups are differ."""
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    text = text.partition("### Backups")[2].partition("### When")[0]
    program = tmp_path / "numberquest"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m numberquest "$@"\n')
    program.chmod(0o755)
    make(str(tmp_path / "data" / "numberquest" / "games.db"))
    make(str(tmp_path / "games.db"))
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "XDG_DATA_HOME": str(tmp_path / "data")}
    lines = [line for line in text.splitlines() if "numberquest db " in line and line[0] not in "`*A"]
    (cron,) = (line for line in lines if line.startswith("15 4 * * * "))
    assert len(lines) == 4
    for line in lines:
        if line == cron:
            service = (DEPLOY / "numberquest@.service").read_text()
            _, place, rest = line.partition("/opt/numberquest/8000/bin/numberquest ")
            assert place.strip().replace("8000", "%i") in service
            assert " --db /var/lib/numberquest/games.db " in rest
            assert "DB=/var/lib/numberquest/games.db" in service
            line = f"{program} {rest}".replace("\\%", "%").replace("/var/lib/numberquest", str(tmp_path))
            line = line.replace("/var/backups", str(tmp_path))
        done = subprocess.run(["/bin/sh", "-c", line], env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), line
    assert (tmp_path / "FILE").exists()
    assert [name for name in os.listdir(tmp_path) if re.fullmatch(r"numberquest-[1-7]\.db", name)]


# ---- checks


def sql(*statements: str) -> Callable[[Path], None]:
    def harm(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as db:
            for statement in statements:
                db.execute(statement)
            db.commit()

    return harm


def overwrite(path: Path) -> None:
    """Every page but the first looks like nothing."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))


def spoil(path: Path) -> None:
    """One page of the log alone, which nobody reads who only opens the file."""
    page = path.read_bytes().rindex(b"needle") // 4096
    with path.open("r+b") as file:
        file.seek(4096 * page)
        file.write(b"\xa5" * 4096)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def behead(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\xa5" * 50)


HARM = {
    "a gap": (sql("DELETE FROM log WHERE ply = 1"), "Match game0: an entry of its log is missing."),
    "no beginning": (sql("DELETE FROM log WHERE ply = 0"), "Match game0: an entry of its log is missing."),
    "orphans": (sql("DELETE FROM matches WHERE match = 'game1'"), "The table log: a row that belongs to no match."),
    "foul play": (
        sql("UPDATE log SET text = '77' WHERE ply = 2"),
        "Match game0: its log breaks the rules of the game.",
    ),
    "nonsense": (
        sql("UPDATE log SET deed = 'join', text = 'zz' WHERE ply = 2"),
        "Match game0: its log breaks the rules of",
    ),
    "unreadable": (
        sql("UPDATE matches SET name1 = CAST(x'ff' AS TEXT) WHERE match = 'game1'"),
        "Match game1: it cannot be read.",
    ),
    "no secret": (sql("DELETE FROM meta WHERE name = 'secret'"), "The table meta: the secret is missing"),
    "half a secret": (sql("UPDATE meta SET value = zeroblob(16) WHERE name = 'secret'"), "the secret is missing"),
    "overwritten": (overwrite, "The file: "),
    "cut": (cut, "The file: it is cut short, and ends after page "),
    "a spoilt head": (behead, "The file: it is not a database, or its beginning is damaged."),
}


@pytest.mark.parametrize(("harm", "sentence"), HARM.values(), ids=HARM.keys())
def test_a_check_finds_what_is_wrong_and_changes_nothing(
    harm: Callable[[Path], None], sentence: str, tmp_path: Path, path: Path, run: Run
) -> None:
    said = run("check", "--db", path)
    assert (said.code, said.out) == (0, "Nothing is wrong: 3 matches, 9 entries.\n")
    harm(path)
    before = path.read_bytes()
    said = run("check", "--db", path)
    assert said.code == 1
    assert sentence in said.out
    assert f"The database is damaged. 'numberquest db restore --db {path} FILE' takes up a backup." in said.out
    assert "db check" not in said.out
    assert path.read_bytes() == before
    # A backup looks as closely, and one that does not pass never takes the place of a good one.
    good, spoilt = tmp_path / "good", tmp_path / "good.damaged"
    good.write_text("good")
    said = run("backup", "--force", "--db", path, good)
    assert (said.code, said.out, good.read_text()) == (1, "", "good")
    assert "damaged" in said.err
    if spoilt.exists():
        assert f"What could be copied is in {spoilt}" in said.err
        said = run("restore", spoilt, "--db", tmp_path / "new.db")
        assert said.code == 1
        assert "is not taken" in said.err
        assert not (tmp_path / "new.db").exists()
    else:
        # Only where there is nothing that SQLite could copy.
        assert harm in (overwrite, cut, behead)


@pytest.mark.parametrize(
    "harm", [spoil, *(pytest.param(harm, marks=in_ci) for harm in (overwrite, cut, sql("DROP TABLE log")))]
)
def test_a_server_refuses_a_damaged_database_and_says_what_to_do(
    harm: Callable[[Path], None], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    make(str(path), 200)
    harm(path)
    before = path.read_bytes()
    assert main(["serve", "--host", "127.0.0.1", "--port", "0", "--db", str(path), "--log", "none"]) == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == (
        f"numberquest: {path} is damaged. 'numberquest db check --db {path}' says what is wrong,"
        f" 'numberquest db restore --db {path} FILE' takes up a backup; or name another file with --db.\n"
    )
    assert path.read_bytes() == before


def test_a_game_that_is_not_here_is_no_damage(path: Path, run: Run) -> None:
    sql("UPDATE matches SET game = 'chess' WHERE match = 'game1'")(path)
    said = run("check", "--db", path)
    assert said.code == 0
    assert said.out.startswith("Matches of chess were not played through: name the files with --with.\n")


def test_a_database_of_an_older_version_is_checked_and_backed_up_as_it_is(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(f"{STEPS[0]}; PRAGMA application_id = {0x4E510001}; PRAGMA user_version = 1")
    assert run("check", "--db", path).out == "Nothing is wrong: 0 matches, 0 entries.\n"
    assert run("backup", tmp_path / "backup", "--db", path).code == 0
    with contextlib.closing(sqlite3.connect(tmp_path / "backup")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


# ---- restoring


def test_restoring_keeps_what_was_there_and_the_secret_comes_back(tmp_path: Path, run: Run) -> None:
    path, file = tmp_path / "games.db", tmp_path / "backup"

    async def secret() -> bytes:
        async with opened(str(path)) as store:
            return store.secret

    make(str(path), 2)
    before = asyncio.run(secret())
    run("backup", file, "--db", path)
    path.unlink()
    make(str(path), 5)
    # As a kill leaves it: the last moves are not in the file yet.
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO log (match, ply, seat, text, key, at) SELECT number, 3, 1, '4', '', 0 FROM matches")
        db.commit()
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{tmp_path}/killed{ending}")
    for ending in ("", "-wal"):
        os.replace(f"{tmp_path}/killed{ending}", f"{path}{ending}")
    said = run("restore", file, "--db", path)
    assert said.code == 0
    first, second = said.out.splitlines()
    assert first == f"Restored to {path}: 2 matches, 6 entries."
    kept = second.removeprefix("What was there before is kept in ").removesuffix(".")
    assert lengths(str(path)) == dict.fromkeys(("game0", "game1"), 3)
    assert asyncio.run(secret()) == before
    assert lengths(kept) == {f"game{number}": 4 for number in range(5)}
    # A second time within the same second, neither writes over the other.
    assert run("restore", file, "--db", path).code == 0
    assert run("restore", file, "--db", path).code == 0
    assert lengths(kept) == {f"game{number}": 4 for number in range(5)}


def test_nothing_is_restored_while_a_server_uses_the_database(path: Path, file: Path, run: Run) -> None:
    run("backup", file, "--db", path)

    async def main() -> None:
        async with opened(str(path)) as store:
            await store.create(a_match("new"))
            said = run("restore", file, "--db", path)
            assert said.code == 1
            assert (
                said.err == f"numberquest: Another server is using {path}: stop it, or name another file with --db.\n"
            )
            assert await store.append("new", an_entry(0), over=False)

    asyncio.run(main())
    assert lengths(str(path))["new"] == 1


@pytest.mark.parametrize("harm", [overwrite, cut, sql("DELETE FROM log WHERE ply = 1"), lambda path: path.unlink()])
def test_a_damaged_backup_is_not_restored(
    harm: Callable[[Path], None], tmp_path: Path, path: Path, file: Path, run: Run
) -> None:
    run("backup", file, "--db", path)
    harm(file)
    before = path.read_bytes()
    said = run("restore", file, "--db", path)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("numberquest: ")
    assert said.err.count("\n") == 1
    assert path.read_bytes() == before
    assert [name for name in os.listdir(tmp_path) if name.startswith("games.db.2") or name.endswith(".tmp")] == []


def test_a_damaged_database_can_be_replaced_by_its_backup_and_is_kept(path: Path, file: Path, run: Run) -> None:
    run("backup", file, "--db", path)
    overwrite(path)
    damaged = path.read_bytes()
    said = run("restore", file, "--db", path)
    assert said.code == 0
    kept = said.out.splitlines()[1].removeprefix("What was there before is kept in ").removesuffix(".")
    assert len(lengths(str(path))) == 3
    with open(kept, "rb") as old:
        assert old.read() == damaged


def test_a_backup_is_restored_where_there_is_no_database_yet_but_a_mistyped_path_makes_no_folder(
    tmp_path: Path, path: Path, file: Path, run: Run
) -> None:
    run("backup", file, "--db", path)
    said = run("restore", file, "--db", tmp_path / "new.db")
    assert (said.code, said.out) == (0, f"Restored to {tmp_path}/new.db: 3 matches, 9 entries.\n")
    assert len(lengths(str(tmp_path / "new.db"))) == 3
    said = run("restore", file, "--db", tmp_path / "nodir" / "games.db")
    assert (said.code, said.out) == (1, "")
    assert f"There is no folder {tmp_path}/nodir: make it first" in said.err
    assert not (tmp_path / "nodir").exists()


@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="SKIPPED: only root gives files away")
@pytest.mark.parametrize("fresh", [False, True])
def test_a_database_restored_by_root_stays_that_of_its_server(fresh: bool, tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    path, file = folder / "games.db", tmp_path / "backup"
    make(str(path))
    run("backup", file, "--db", path)
    for name in [folder, *folder.iterdir()]:
        os.chown(name, 4321, 4322)
    if fresh:
        for name in folder.iterdir():
            name.unlink()
    else:
        path.chmod(0o660)
    assert run("check", "--db", path).code == (1 if fresh else 0)
    said = run("restore", file, "--db", path)
    assert said.code == 0
    for name in [path, *folder.iterdir()]:
        assert (name.stat().st_uid, name.stat().st_gid) == (4321, 4322), name
    assert path.stat().st_mode & 0o777 == (0o600 if fresh else 0o660)
    # And whoever looks at it as root leaves nothing there that the server could not write to.
    assert run("backup", file, "--force", "--db", path).code == 0
    assert {name.stat().st_uid for name in folder.iterdir()} == {4321}


# ---- PostgreSQL


def test_for_postgresql_the_command_is_named_without_the_password(run: Run) -> None:
    address = f"postgresql://ann:{PASSWORD}@db.example.org:5433/games?password={PASSWORD}&sslmode=require"
    plain = "'postgresql://ann@db.example.org:5433/games?sslmode=require'"
    said = run("backup", "my backup", "--db", address)
    assert said.code == 1
    assert said.err == (
        "numberquest: PostgreSQL has its own programs for that, which ask for the password: "
        f"pg_dump --format custom --schema numberquest --file 'my backup' --dbname {plain}\n"
    )
    said = run("restore", "b", "--db", address)
    assert f"pg_restore --clean --if-exists --single-transaction --dbname {plain} b\n" in said.err


@in_ci
def test_the_commands_named_for_postgresql_bring_everything_back(run: Run) -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("SKIPPED: pg_dump is not on this machine")
    import shlex
    import tempfile

    address = new_database()
    make(address)
    with tempfile.TemporaryDirectory() as folder:
        for what in ("backup", "restore"):
            words = shlex.split(run(what, f"{folder}/backup", "--db", address).err.partition("password: ")[2])
            subprocess.run(words, check=True, env={**os.environ, "PGPASSWORD": PASSWORD}, capture_output=True)
            if what == "backup":

                async def lose() -> None:
                    async with opened(address) as store:
                        await store.append("game0", an_entry(3, "4"), over=False)

                asyncio.run(lose())
    assert lengths(address) == dict.fromkeys(("game0", "game1", "game2"), 3)


def test_a_postgresql_database_is_checked_too(run: Run) -> None:
    address = new_database()
    make(address)
    assert run("check", "--db", address).out == "Nothing is wrong: 3 matches, 9 entries.\n"

    async def harm() -> None:
        async with opened(address) as store:
            await store._reading.execute("DELETE FROM log WHERE match = 'game1' AND ply = 1")  # type: ignore[attr-defined]

    asyncio.run(harm())
    said = run("check", "--db", address)
    assert said.code == 1
    assert said.out.startswith("Match game1: an entry of its log is missing.\n")


# ---- mistakes


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("backup",), "the following arguments are required: FILE. See: numberquest db backup --help"),
        (("restore",), "the following arguments are required: FILE. See: numberquest db restore --help"),
        (("check", "file"), "unrecognized arguments: file. See: numberquest --help"),
        ((), "the following arguments are required: backup, check, prune or restore. See: numberquest db --help"),
        (
            ("backup", "b", "--db", "mysql://x"),
            "--db needs a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE.",
        ),
    ],
)
def test_a_command_that_makes_no_sense_gets_a_sentence(words: tuple[str, ...], sentence: str, run: Run) -> None:
    said = run(*words)
    assert (said.code, said.out, said.err) == (2, "", f"numberquest: {sentence}\n")


def test_a_file_of_another_kind_gets_a_sentence(tmp_path: Path, run: Run) -> None:
    letter = tmp_path / "letter"
    letter.write_text("Dear Ann, " * 1000)
    (tmp_path / "empty").touch()
    said = run("backup", tmp_path / "b", "--db", letter)
    assert said.err.startswith(f"numberquest: {letter} is not a database, or its beginning is damaged. ")
    said = run("restore", letter, "--db", tmp_path / "games.db")
    assert said.err == f"numberquest: {letter} is damaged or no backup, and is not taken: name another.\n"
    said = run("check", "--db", tmp_path)
    assert (said.code, said.err) == (2, f"numberquest: {tmp_path} is a folder: name a file.\n")
    assert run("check", "--db", tmp_path / "empty").err.startswith("numberquest: There are no matches in ")
