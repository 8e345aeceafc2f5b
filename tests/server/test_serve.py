"""`numberquest serve`: what it shows at the start, where its log goes, what it exports.

Whatever is wrong with the way it is started: one clear sentence and an exit code, and nothing is changed.
"""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pexpect
import pytest

import numberquest
from numberquest.cli import main
from numberquest.core.errors import UsageError
from numberquest.core.record import Record
from numberquest.server.listening import EVERYWHERE, Listening
from numberquest.server.serve import ServeOptions, limits_of, run, welcome
from numberquest.server.store.base import SqlStore
from numberquest.server.store.sqlite_file import APPLICATION, STEPS
from numberquest.server.store.stores import export, open_store
from tests.server.keeping import NOW, a_game, an_entry, make_games
from tests.server.running import Running


def test_at_a_terminal_it_shows_the_addresses_and_a_code_for_the_phone(home: Path) -> None:
    import sys

    child = pexpect.spawn(
        sys.executable,
        ["-m", "numberquest", "serve", "--port", "0", "--db", str(home / "games.db")],
        encoding="utf-8",
        timeout=30,
        dimensions=(60, 120),
    )
    child.expect(r"On this computer: http://localhost:[0-9]+/")
    child.expect("Stop with Ctrl-C")
    shown = child.before or ""
    if "another computer on your network" in shown:
        assert "▀" in shown or "█" in shown
    # The log does not scroll the code away: it goes to a file.
    assert "serve.log" in shown
    assert '"event"' not in shown
    child.sendintr()
    child.expect("Every move is kept")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert '"event":"started"' in (home / ".local/state/numberquest/serve.log").read_text()


@pytest.mark.parametrize("host", [None, "[]", "{"])
def test_a_folder_without_a_page_is_told_before_a_database_is_made(host: str | None, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    if host is not None:
        (tmp_path / "static").mkdir()
        (tmp_path / "static/host.json").write_text(host)
    with pytest.raises(UsageError, match="there is no page in"):
        run(ServeOptions(host="127.0.0.1", port="0", db=str(database), log="none", site=str(tmp_path)))
    assert not database.exists()


def test_others_are_told_an_address_only_where_they_can_reach_it() -> None:
    with Listening(EVERYWHERE, 0) as listening:
        here, *others = listening.addresses()
        assert listening.outside() == (others[0].rstrip("/") if others else None) != here.rstrip("/")
    for host in ("127.0.0.1", "localhost"):
        with Listening(host, 0) as listening:
            assert listening.outside() is None


def test_a_server_for_everybody_names_this_computer_first() -> None:
    with Listening(EVERYWHERE, 0) as listening:
        port = listening.port
        assert listening.addresses()[0] == f"http://localhost:{port}/"
        assert next(welcome(listening.addresses(), "", rich=False)).endswith(f"http://localhost:{port}/")
    with Listening("127.0.0.1", 0) as listening:
        assert listening.addresses() == [f"http://127.0.0.1:{listening.port}/"]
    with Listening("::1", 0) as listening:
        assert listening.addresses()[0].startswith("http://[::1]:")


def test_a_higher_rate_also_allows_more_matches_and_thought() -> None:
    plain, generous = limits_of(ServeOptions()), limits_of(ServeOptions(rate="2000"))
    assert generous.rate == 2000
    assert (generous.created, generous.thought) == (10 * plain.created, 10 * plain.thought)
    assert limits_of(ServeOptions(rate="5")).created == plain.created


def test_every_event_is_one_line_of_the_log_and_moves_are_in_the_database_alone(fresh: Running) -> None:
    with fresh.client() as client:
        one = client.create("sumquest", name="A very secret name")
        two = client.join(one.match, one.invite or "", "Another secret name")
        one.look()
        one.play("5")
        two.look()
        two.act("resign")
    assert fresh.stop() == 0
    events = [(event["event"], event.get("what")) for event in fresh.events()]
    assert events == [
        ("started", None),
        ("created", None),
        ("joined", None),
        ("over", None),
        ("stopped", None),
    ]
    written = fresh.log.read_text()
    for secret in (one.token, two.token, one.invite or "", "secret name"):
        assert secret not in written
    assert os.stat(fresh.log).st_mode & 0o077 == 0


async def test_finished_and_abandoned_matches_are_exported_and_those_going_on_are_not(
    store: SqlStore, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    for name, entry in (("over", "!resign"), ("going_on", "5")):
        await store.create(a_game(name))
        await store.append(name, an_entry(0, entry), over=name == "over")
    assert await export(store, str(folder), NOW + 60) == 1
    (file,) = folder.iterdir()
    assert file.name == "sumquest-over.nq"
    assert Record.read(file.read_bytes()).match.resigned == 0
    # After a month without a move it counts as abandoned.
    assert await export(store, str(folder), NOW + 31 * 24 * 3600) == 2


def test_of_a_database_with_unreadable_rows_the_others_are_exported_and_those_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "games.db", tmp_path / "out"

    async def make() -> None:
        store = await open_store(str(path))
        for name in ("first", "broken", "foul", "last"):
            await store.create(a_game(name))
            await store.append(name, an_entry(0, "77" if name == "foul" else "!resign"), over=True)
        await store.close()

    asyncio.run(make())
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE matches SET name1 = CAST(x'ff' AS TEXT) WHERE match = 'broken'")
        db.commit()
    assert main(["serve", "--db", str(path), "--export", str(folder)]) == 1
    said = capfd.readouterr()
    assert said.err == (
        f"numberquest: 2 records written to {folder}; match broken, foul cannot be read: see numberquest db check\n"
    )
    assert sorted(os.listdir(folder)) == ["sumquest-first.nq", "sumquest-last.nq"]


# ---- what is wrong with the way it is started


WHOLE = "takes a whole number from"
NEEDS = "--db needs a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE."

ADDRESSES = ["", "sqlite://", "sqlite://host/file", "mysql://ann:open-sesame@host/games", "http://secret/", "://secret"]

SPOILT = (
    "or its beginning is damaged. If there were matches in it, 'numberquest db restore --db {} FILE' takes up a backup;"
    " or name another file with --db."
)


Told = Callable[..., tuple[int, str]]


@pytest.fixture
def told(capfd: pytest.CaptureFixture[str]) -> Told:
    """The exit code and the sentence of `serve` with these arguments; nothing else is said, and nothing is served."""

    def run(*arguments: str) -> tuple[int, str]:
        code = main(["serve", *arguments])
        said = capfd.readouterr()
        assert said.out == ""
        assert said.err.startswith("numberquest: ")
        assert said.err.count("\n") == 1
        return code, said.err.removeprefix("numberquest: ").rstrip("\n")

    return run


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "abc"], f"--port {WHOLE} 0 to 65535, not 'abc'"),
        (["--port", "65536"], f"--port {WHOLE} 0 to 65535, not '65536'"),
        (["--port", "-1"], f"--port {WHOLE} 0 to 65535, not '-1'"),
        (["--port", "٣"], f"--port {WHOLE} 0 to 65535, not '٣'"),
        (["--rate", "0"], f"--rate {WHOLE} 1 to 10000000, not '0'"),
        (["--rate", "fast"], f"--rate {WHOLE} 1 to 10000000, not 'fast'"),
        (["--rate", "1.5"], f"--rate {WHOLE} 1 to 10000000, not '1.5'"),
        (["--connections", ""], f"--connections {WHOLE} 1 to 10000000, not ''"),
        (["--matches", "9" * 50], f"--matches {WHOLE} 1 to 10000000, not '{'9' * 40}'"),
        (["--host", "nowhere.invalid"], "--host 'nowhere.invalid' is no address of this computer, such as 127.0.0.1"),
        (["--host", "192.0.2.1"], "--host '192.0.2.1' is no address of this computer, such as 127.0.0.1"),
        (["--host", "a..b"], "--host 'a..b' is no address of this computer, such as 127.0.0.1"),
        (["--host", ""], "--host '' is no address of this computer, such as 127.0.0.1"),
        (["--proxy", "bla"], "--proxy takes an address such as 127.0.0.1, not 'bla'"),
        *((["--db", address], NEEDS) for address in ADDRESSES),
    ],
)
def test_an_option_that_cannot_be_is_told_in_a_sentence(
    arguments: list[str], sentence: str, home: Path, told: Told
) -> None:
    others = {"--host": "127.0.0.1", "--port": "0", "--db": str(home / "games.db"), "--log": "none"}
    rest = [word for name, value in others.items() if name not in arguments for word in (name, value)]
    assert told(*arguments, *rest) == (2, sentence)
    assert list(home.iterdir()) == []


def test_a_file_that_is_no_database_of_ours_is_told_and_left_alone(tmp_path: Path, told: Told) -> None:
    foreign, text, folder = tmp_path / "foreign.db", tmp_path / "text.db", tmp_path / "folder"
    with closing(sqlite3.connect(foreign)) as db:
        db.execute("CREATE TABLE recipes (cake)")
    text.write_text("Dear diary,\n" * 1000)
    folder.mkdir()
    for path, sentence in (
        (foreign, f"{foreign} is a database of another program."),
        (text, f"{text} is not a database, {SPOILT.format(text)}"),
        (folder, f"Cannot keep matches in {folder}: that is a folder."),
    ):
        before = path.read_bytes() if path.is_file() else b""
        for more in ([], ["--export", str(tmp_path / "out")]):
            assert told("--port", "0", "--db", str(path), "--log", "none", *more) == (1, sentence)
        assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_database_of_a_newer_version_is_told_and_left_alone(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"{STEPS[0]}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {len(STEPS) + 1}")
    before = path.read_bytes()
    sentence = f"{path} was made by a newer version of Number Quest."
    assert told("--port", "0", "--db", str(path)) == (1, sentence)
    assert path.read_bytes() == before


def test_a_second_server_on_the_same_file_or_port_is_told_and_the_first_goes_on(
    fresh: Running, tmp_path: Path, told: Told
) -> None:
    seat = fresh.client().create("sumquest", opponent="screen")
    link = tmp_path / "link.db"
    link.symlink_to(fresh.db)
    taken = f"Another server is using {fresh.db}: stop it, or name another file with --db."
    for name in (fresh.db, f"sqlite:///{fresh.db}", str(link)):
        assert told("--host", "127.0.0.1", "--port", "0", "--db", name, "--log", "none") == (1, taken)
    assert told("--db", fresh.db, "--export", str(tmp_path / "out")) == (1, taken)
    busy = f"port {fresh.port} is in use already: choose another with --port"
    elsewhere = str(tmp_path / "other.db")
    for host in ("127.0.0.1", "0.0.0.0"):  # noqa: S104
        said = told("--host", host, "--port", str(fresh.port), "--db", elsewhere, "--log", "none")
        assert said == (1, busy)
    assert not os.path.exists(elsewhere)
    assert seat.play("5").ply == 1


def test_a_port_for_the_system_is_not_open_to_everybody() -> None:
    first = int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text())
    if first < 2:
        pytest.skip("here every port is open to everybody")
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        with pytest.raises(
            UsageError, match=f"^port {first - 1} is not open to you: choose one above 1023 with --port$"
        ):
            Listening("127.0.0.1", first - 1)
    finally:
        os.seteuid(before)


@pytest.mark.parametrize("at", ["missing/serve.log", "."])
def test_a_log_that_cannot_be_written_is_told(at: str, tmp_path: Path, told: Told) -> None:
    path = os.path.join(tmp_path, at)
    code, sentence = told("--host", "127.0.0.1", "--port", "0", "--db", str(tmp_path / "a.db"), "--log", path)
    assert code == 1
    assert sentence.startswith(f"--log {path} cannot be written: ")


def test_an_export_that_cannot_be_written_is_told(tmp_path: Path, told: Told) -> None:
    path, blocked = tmp_path / "games.db", tmp_path / "file"
    blocked.write_text("")
    asyncio.run(make_games(str(path), 1, "!resign"))
    for folder, why in ((blocked, "File exists"), (blocked / "in it", "Not a directory")):
        said = told("--db", str(path), "--export", str(folder))
        assert said == (1, f"--export {folder} cannot be written: {why}")


def test_nothing_is_exported_from_a_file_that_is_not_there(tmp_path: Path, told: Told) -> None:
    missing = tmp_path / "mistyped.db"
    said = told("--db", str(missing), "--export", str(tmp_path / "out"))
    assert said == (1, f"There are no matches in {missing}: the file does not exist.")
    assert not missing.exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://ann:open-sesame@127.0.0.1:1/games", "No PostgreSQL server answers at the address in --db."),
        (
            "postgresql://ann:open-sesame@[bad/games",
            "--db is not an address that PostgreSQL understands: postgresql://USER:PASSWORD@HOST:PORT/DATABASE.",
        ),
    ],
)
def test_a_postgresql_server_that_is_not_there_is_told_without_the_password(
    address: str, sentence: str, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "0")
    assert told("--host", "127.0.0.1", "--port", "0", "--db", address, "--log", "none") == (1, sentence)


def test_without_the_packages_of_the_server_it_says_how_to_get_them(tmp_path: Path) -> None:
    # -S leaves out every package that was installed: what is left is Python alone, and Number Quest.
    source = os.path.dirname(os.path.dirname(numberquest.__file__))
    program = f"import sys; sys.path.insert(0, {source!r}); from numberquest.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, "serve", "--port", "0", "--db", str(tmp_path / "games.db")],
        capture_output=True,
        text=True,
        timeout=30,
    )
    sentence = (
        "the server needs a few more packages: pip install '.[server]' in the folder of Number Quest, or use make serve"
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"numberquest: {sentence}\n")
