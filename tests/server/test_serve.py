"""`numberquest serve`: what it shows at the start, where its log goes, what it exports."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pexpect
import pytest

from numberquest.cli import main
from numberquest.record import Record
from numberquest.server.listening import EVERYWHERE, Listening
from numberquest.server.match.entries import Kept
from numberquest.server.serve import ServeOptions, limits_of, qr_code, welcome
from numberquest.server.store.export import export
from numberquest.server.store.stores import open_store
from tests.server.keeping import an_entry
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


def test_a_code_is_a_square_of_blocks_that_holds_the_address() -> None:
    import segno

    text = "http://192.168.1.20:8000/"
    lines = qr_code(text).splitlines()
    side = segno.make(text, error="m").symbol_size()[0]
    assert len(lines) == (side + 1) // 2


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


def test_every_event_is_one_line_of_the_log_and_moves_are_in_the_database_alone(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        with server.client() as client:
            one = client.create("sumquest", name="A very secret name")
            two = client.join(one.match, one.invite or "", "Another secret name")
            one.look()
            one.play("5")
            two.look()
            two.act("resign")
        assert server.stop() == 0
        events = [(event["event"], event.get("what")) for event in server.events()]
        assert events == [
            ("started", None),
            ("created", None),
            ("joined", None),
            ("over", None),
            ("stopped", None),
        ]
        written = server.log.read_text()
        for secret in (one.token, two.token, one.invite or "", "secret name"):
            assert secret not in written
        assert os.stat(server.log).st_mode & 0o077 == 0


def test_finished_and_abandoned_matches_are_exported_and_those_going_on_are_not(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        with server.client() as client:
            over = client.create("mystic", opponent="screen")
            over.act("resign")
            going_on = client.create("mystic", opponent="screen")
            going_on.play("add")
        server.stop()
    folder = tmp_path / "out"

    async def exported(now: float | None = None) -> int:
        store = await open_store(server.db)
        try:
            return await export(store, str(folder), now)
        finally:
            await store.close()

    assert asyncio.run(exported()) == 1
    (file,) = folder.iterdir()
    assert file.name == f"mystic-{over.match}.nq"
    assert Record.read(file.read_bytes()).match.resigned == 0
    # After a month without a move it counts as abandoned.
    assert asyncio.run(exported(now=2_000_000_000.0 + 10 * 365 * 24 * 3600)) == 2


def test_of_a_database_with_unreadable_rows_the_others_are_exported_and_those_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "games.db", tmp_path / "out"

    async def make() -> None:
        store = await open_store(str(path))
        for name in ("first", "broken", "foul", "last"):
            tokens = (b"\x01" * 32, b"\x01" * 32)
            await store.create(
                Kept(
                    name,
                    "sumquest",
                    "",
                    "",
                    "",
                    "screen",
                    ("Ann", "Ben"),
                    ("human", "human"),
                    tokens,
                    b"",
                    1,
                    1,
                    (0, 0),
                    0,
                )
            )
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


def test_an_address_that_is_not_ours_is_refused_with_a_sentence() -> None:
    from numberquest.mistake import Mistake

    with pytest.raises(Mistake, match="no address of this computer"):
        Listening("192.0.2.77", 0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Mistake, match=f"port {port} is in use already"):
            Listening("127.0.0.1", port)
