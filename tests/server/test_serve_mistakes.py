"""Whatever is wrong with the way a server is started: one clear sentence and an exit code, and nothing is changed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import numberquest
from numberquest.cli import main
from numberquest.mistake import Mistake
from numberquest.server.listening import Listening
from tests.server.running import Running

WHOLE = "takes a whole number from"
NEEDS = "--db needs a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE."

SPOILT = (
    "or its beginning is damaged. If there were matches in it, 'numberquest db restore --db {} FILE' takes up a backup;"
    " or name another file with --db."
)


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code and the sentence; nothing else is said, and nothing is served."""
    code = main(["serve", *arguments])
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("numberquest: ")
    assert said.err.count("\n") == 1
    return code, said.err.removeprefix("numberquest: ").rstrip("\n")


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
        (["--db", ""], NEEDS),
        (["--db", "sqlite://"], NEEDS),
        (["--db", "sqlite://host/file"], NEEDS),
        (["--db", "mysql://ann:open-sesame@host/games"], NEEDS),
    ],
)
def test_an_option_that_cannot_be_is_told_in_a_sentence(
    arguments: list[str], sentence: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    others = {"--host": "127.0.0.1", "--port": "0", "--db": str(home / "games.db"), "--log": "none"}
    rest = [word for name, value in others.items() if name not in arguments for word in (name, value)]
    assert told(capfd, *arguments, *rest) == (2, sentence)
    assert list(home.iterdir()) == []


def test_a_file_that_is_no_database_of_ours_is_told_and_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
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
            assert told(capfd, "--port", "0", "--db", str(path), "--log", "none", *more) == (1, sentence)
        assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_database_of_a_newer_version_is_told_and_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Running(tmp_path) as server:
        server.stop()
    with closing(sqlite3.connect(server.db)) as db:
        db.execute("PRAGMA user_version = 1000")
    assert told(capfd, "--port", "0", "--db", server.db) == (
        1,
        f"{server.db} was made by a newer version of Number Quest.",
    )
    with closing(sqlite3.connect(server.db)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1000,)


def test_a_second_server_on_the_same_file_or_port_is_told_and_the_first_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Running(tmp_path) as server:
        seat = server.client().create("sumquest", opponent="screen")
        link = tmp_path / "link.db"
        link.symlink_to(server.db)
        taken = f"Another server is using {server.db}: stop it, or name another file with --db."
        for name in (server.db, f"sqlite:///{server.db}", str(link)):
            assert told(capfd, "--host", "127.0.0.1", "--port", "0", "--db", name, "--log", "none") == (1, taken)
        assert told(capfd, "--db", server.db, "--export", str(tmp_path / "out")) == (1, taken)
        busy = f"port {server.port} is in use already: choose another with --port"
        elsewhere = str(tmp_path / "other.db")
        for host in ("127.0.0.1", "0.0.0.0"):  # noqa: S104
            said = told(capfd, "--host", host, "--port", str(server.port), "--db", elsewhere, "--log", "none")
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
        with pytest.raises(Mistake, match=f"^port {first - 1} is not open to you: choose one above 1023 with --port$"):
            Listening("127.0.0.1", first - 1)
    finally:
        os.seteuid(before)


@pytest.mark.parametrize("at", ["missing/serve.log", "."])
def test_a_log_that_cannot_be_written_is_told(at: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = os.path.join(tmp_path, at)
    code, sentence = told(capfd, "--host", "127.0.0.1", "--port", "0", "--db", str(tmp_path / "a.db"), "--log", path)
    assert code == 1
    assert sentence.startswith(f"--log {path} cannot be written: ")


def test_an_export_that_cannot_be_written_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Running(tmp_path) as server:
        server.client().create("sumquest", opponent="screen").act("resign")
        server.stop()
    blocked = tmp_path / "file"
    blocked.write_text("")
    for folder, why in ((blocked, "File exists"), (blocked / "in it", "Not a directory")):
        said = told(capfd, "--db", server.db, "--export", str(folder))
        assert said == (1, f"--export {folder} cannot be written: {why}")


def test_nothing_is_exported_from_a_file_that_is_not_there(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "mistyped.db"
    said = told(capfd, "--db", str(missing), "--export", str(tmp_path / "out"))
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
    address: str, sentence: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "0")
    assert told(capfd, "--host", "127.0.0.1", "--port", "0", "--db", address, "--log", "none") == (1, sentence)


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
    sentence = "the server needs a few more packages: pip install 'numberquest[server]', or use make serve"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"numberquest: {sentence}\n")
