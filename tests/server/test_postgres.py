"""The PostgreSQL store: several servers on one database, and connections that are lost."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from numberquest.core.errors import UsageError
from numberquest.server import wire
from numberquest.server.match.entries import Entry, MatchHeader
from numberquest.server.store import postgres
from numberquest.server.store.base import COLUMNS, Retention, SqlStore, StoreError, row_of
from numberquest.server.store.postgres import STEPS, PostgresStore
from numberquest.server.store.stores import open_store
from tests.conftest import in_ci
from tests.server.keeping import (
    NOW,
    Held,
    Watcher,
    a_match,
    an_entry,
    fill,
    heard_at,
    hub_at,
    is_refused,
    log_of,
    opened,
    small_disk,
    text_of,
    until,
)
from tests.server.postgres_server import PASSWORD, new_database, postgres_server
from tests.torture.campaign import length


@pytest.fixture
def address() -> str:
    return new_database()


def named(address: str) -> str:
    return urlsplit(address).path[1:]


async def in_the_end(ask: Callable[[], Awaitable[bool]], patience: float = 60) -> bool:
    """Ask as a client does: again, for as long as the store cannot say."""
    async with asyncio.timeout(patience):
        while True:
            try:
                return await ask()
            except StoreError as error:
                clean(error)
                await asyncio.sleep(0.01)  # as a client does


def clean(error: BaseException) -> None:
    """Nothing in it that is for nobody's eyes."""
    for secret in (PASSWORD, "127.0.0.1", "INSERT", "SELECT", "tester", "Geheim"):
        assert secret not in str(error)
    # Neither in what a log would show of where it came from.
    cause: BaseException | None = error
    while cause is not None:
        assert PASSWORD not in str(cause)
        cause = cause.__cause__ if cause.__suppress_context__ else cause.__context__


# ---- several servers


async def test_two_servers_hear_of_each_others_changes_and_not_of_their_own(address: str) -> None:
    async with opened(address) as one, opened(address) as two:
        assert one.secret == two.secret
        hears_one, hears_two = heard_at(one), heard_at(two)
        await one.create(a_match("m"))
        assert await one.append("m", an_entry(0), over=False)
        await until(lambda: hears_two == ["m"])
        assert await two.load("m") == (a_match("m"), [an_entry(0)])
        assert await two.append("m", an_entry(1), over=True)
        await until(lambda: hears_one == ["m"])
        assert (await one.totals()).unfinished == 0
        # What was refused is no change.
        assert not await one.append("m", an_entry(1), over=False)
        assert await one.append("m", an_entry(2), over=False)
        await until(lambda: len(hears_two) >= 2)
        assert hears_two == ["m", "m"]
        assert hears_one == ["m"]


async def test_of_two_servers_that_race_for_each_ply_exactly_one_gets_it(address: str) -> None:
    async with opened(address) as one, opened(address) as two:
        names = [f"m{number}" for number in range(20)]
        await asyncio.gather(*(one.create(a_match(name)) for name in names))
        for ply in range(10):
            # In opposite orders, which is how two would wait for each other in a ring.
            first = [one.append(name, an_entry(ply, "one"), over=False) for name in names]
            second = [two.append(name, an_entry(ply, "two"), over=False) for name in reversed(names)]
            answers = await asyncio.gather(*first, *second)
            assert answers.count(True) == len(names)
            for name, by_one in zip(names, answers, strict=False):
                loaded = await log_of(two, name)
                assert [entry.ply for entry in loaded] == list(range(ply + 1))
                assert text_of(loaded[ply]) == ("one" if by_one else "two")


async def test_the_other_server_hears_of_a_match_that_was_removed(address: str) -> None:
    async with opened(address) as one, opened(address) as two:
        heard = heard_at(two)
        await one.create(a_match("old", NOW - 100 * 24 * 3600))
        removed = await asyncio.gather(one.prune(Retention(), NOW), one.prune(Retention(), NOW))
        assert removed[0] + removed[1] == ["old"]
        await until(lambda: heard == ["old"])


async def test_servers_that_start_at_once_make_the_tables_once(address: str) -> None:
    stores = await asyncio.gather(*(open_store(address) for _ in range(5)))
    assert len({store.secret for store in stores}) == 1
    assert await stores[0].create(a_match("m"))
    assert not await stores[4].create(a_match("m"))
    await asyncio.gather(*(store.close() for store in stores))


# ---- versions


async def test_older_tables_are_brought_to_the_newest_version_step_by_step(address: str) -> None:
    steps = (
        *STEPS,
        "CREATE TABLE extra (word text); INSERT INTO extra VALUES ('second')",
        "UPDATE extra SET word = word || ' third'; ALTER TABLE log ADD COLUMN thought double precision",
    )

    async with opened(address) as store:
        await store.create(a_match("m"))
        await store.append("m", an_entry(0), over=False)
    for known in (steps[:-1], steps, steps):
        later = await PostgresStore.open(address, known)
        assert await later.load("m") == (a_match("m"), [an_entry(0)])
        await later.close()
    db = await postgres_server().connect(named(address))
    assert await db.fetchval("SELECT word FROM numberquest.extra") == "second third"
    await db.close()
    with pytest.raises(UsageError, match=r"^That database was made by a newer version of Number Quest\.$"):
        await open_store(address)


async def test_deeds_that_an_older_version_wrote_among_the_moves_are_read_as_deeds(address: str) -> None:
    log = ["5", "!join 00ff Ben the Second", "!take-back", "!agree", "!resign", "6"]

    db = await postgres_server().connect(named(address))
    await db.execute("CREATE SCHEMA numberquest; SET search_path = numberquest")
    await db.execute("CREATE TABLE meta (version integer NOT NULL, secret bytea NOT NULL)")
    await db.execute("INSERT INTO meta VALUES (1, decode(repeat('ab', 32), 'hex'))")
    await db.execute(STEPS[0])
    # What there was then.
    columns = COLUMNS[: COLUMNS.index(", owner")]
    row = row_of(a_match("m"))[: columns.count(",") + 1]
    places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
    await db.execute(f"INSERT INTO numberquest.matches ({columns}) VALUES ({places})", *row)  # noqa: S608
    for ply, text in enumerate(log):
        await db.execute("INSERT INTO numberquest.log VALUES ('m', $1, $2, $3, '', 0)", ply, ply % 2, text)
    await db.close()
    async with opened(address) as store:
        assert [text_of(entry) for entry in await log_of(store, "m")] == log


# ---- trouble

LOSE_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND pid <> pg_backend_pid()"


async def test_it_goes_on_when_its_connections_are_lost_and_says_that_anything_may_have_changed(address: str) -> None:
    async with opened(address) as one, opened(address) as two:
        heard = heard_at(two)
        await one.create(a_match("m"))
        for ply in range(5):
            before = heard.count("")
            await postgres_server().execute(LOSE_ALL.format(named(address)))
            await until(lambda before=before: heard.count("") > before)  # type: ignore[misc]
            # Reading asks again by itself; writing is for the caller to ask again, who gets the true answer.
            assert len(await log_of(two, "m")) == ply
            # Who listens again only after that is told so by then: that anything may have changed, and this may be it.
            told = len(heard)
            await in_the_end(lambda ply=ply: one.append("m", an_entry(ply), over=False))  # type: ignore[misc]
            await until(lambda told=told: len(heard) > told)  # type: ignore[misc]
        assert not await one.append("m", an_entry(4), over=False)


async def test_it_listens_again_after_an_error_of_ours(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.server.background.RESTART_AFTER", 0.01)
    async with opened(address) as one, opened(address) as two, hub_at(two) as hub:
        assert isinstance(two, PostgresStore)
        await one.create(a_match("m"))
        heard = heard_at(two)
        two._address = 5  # type: ignore[assignment]  # what is no address at all is no trouble of the database
        await postgres_server().execute(LOSE_ALL.format(named(address)))
        await until(lambda: hub.stopped_tasks == {"database notifications"})
        assert not two.hears
        two._address = address
        await until(lambda: two.hears and not hub.stopped_tasks)
        await in_the_end(lambda: one.append("m", an_entry(0), over=False))
        await until(lambda: "m" in heard)


@in_ci
async def test_who_reads_does_not_notice_that_the_server_was_started_again(store: SqlStore) -> None:
    await asyncio.gather(*(store.create(a_match(f"m{number}")) for number in range(20)))
    # At one go, so that the store cannot see in between that its connections are dead.
    postgres_server().stop()
    postgres_server().start()
    assert await store.load("m1") == (a_match("m1"), [])


@in_ci
async def test_nothing_acknowledged_is_lost_and_nothing_is_there_twice_when_the_server_crashes_under_load(
    address: str,
) -> None:
    server = postgres_server()
    async with opened(address) as store:
        heard = heard_at(store)
        acknowledged = [0] * 20
        await asyncio.gather(*(store.create(a_match(f"m{number}")) for number in range(20)))
        troubles = [0]
        crashed = asyncio.Event()

        async def play(number: int) -> None:
            name = f"m{number}"
            while not crashed.is_set() or acknowledged[number] < 100:
                ply = acknowledged[number]
                try:
                    done = await store.append(name, an_entry(ply, f"{name} {ply}"), over=False)
                except StoreError as error:
                    clean(error)
                    troubles[0] += 1
                    await asyncio.sleep(0.01)  # as a client does
                    continue
                if not done:
                    # It was on disk, and not acknowledged: so it says when asked again.
                    loaded = await in_the_end_loaded(store, name)
                    assert loaded[ply] == f"{name} {ply}"
                acknowledged[number] += 1

        async def crash() -> None:
            loop = asyncio.get_running_loop()
            for _ in range(length(short=1, long=20)):
                await loop.run_in_executor(None, server.stop, "immediate")
                await loop.run_in_executor(None, server.start)
            crashed.set()

        async with asyncio.timeout(100):
            await asyncio.gather(crash(), *(play(number) for number in range(20)))
        assert troubles[0]
        for number, plies in enumerate(acknowledged):
            assert await in_the_end_loaded(store, f"m{number}") == [f"m{number} {ply}" for ply in range(plies)]
        await until(lambda: "" in heard)


async def in_the_end_loaded(store: SqlStore, name: str) -> list[str]:
    texts: list[str] = []

    async def ask() -> bool:
        texts[:] = [text_of(entry) for entry in await log_of(store, name)]
        return True

    await in_the_end(ask)
    return texts


async def test_a_database_that_can_only_be_read_is_told_and_not_ready(store: SqlStore, address: str) -> None:
    await store.create(a_match("m"))
    await store.ready()
    name = named(address)
    heard = heard_at(store)
    await postgres_server().execute(
        f"ALTER DATABASE {name} SET default_transaction_read_only = on", LOSE_ALL.format(name)
    )
    await until(lambda: "" in heard)
    told = ""
    while not told.startswith("The database can only be read"):
        with pytest.raises(StoreError) as caught:
            await store.append("m", an_entry(0), over=False)
        told = str(caught.value)
    assert told == "The database can only be read: it was not written down."
    assert await store.load("m") == (a_match("m"), [])
    async with asyncio.timeout(60):
        while not told.startswith("not ready: The database can only be read"):
            try:
                await store.ready()
            except StoreError as error:
                told = f"not ready: {error}"
            await asyncio.sleep(0.05)  # it looks once a second


@in_ci
def test_a_full_disk_is_told_and_nothing_is_acknowledged_falsely() -> None:
    server = postgres_server()
    name = f"full{os.urandom(6).hex()}"

    async def main(ballast: Path) -> None:
        async with opened(server.address(name)) as store:
            assert await fill(store, ballast.unlink) == "The disk of the database is full: it was not written down."

    with small_disk(Path(server.folder, name), 16) as disk:
        if os.getuid() == 0:
            os.chown(disk, server.user["user"], server.user["group"])
        asyncio.run(
            server.execute(f"CREATE TABLESPACE {name} LOCATION '{disk}'", f"CREATE DATABASE {name} TABLESPACE {name}")
        )
        (disk / "ballast").write_bytes(bytes(4_000_000))
        try:
            asyncio.run(main(disk / "ballast"))
        finally:
            # While the disk is still there, or the server would look for it when it starts again.
            asyncio.run(server.execute(f"DROP DATABASE {name} WITH (FORCE)", f"DROP TABLESPACE {name}"))


@in_ci
async def test_closing_does_not_wait_for_a_server_that_has_gone(address: str) -> None:
    server = postgres_server()
    store = await open_store(address)
    await asyncio.gather(*(store.create(a_match(f"m{number}")) for number in range(10)))
    server.stop("immediate")
    try:
        waiting = [asyncio.create_task(store.append(f"m{number}", an_entry(0), over=False)) for number in range(10)]
        await asyncio.sleep(0)  # they have asked now
        async with asyncio.timeout(5):
            await store.close()
            for answer in await asyncio.gather(*waiting, return_exceptions=True):
                assert isinstance(answer, StoreError)
                assert str(answer) == "The database does not answer: it may not have been written down."
                clean(answer)
    finally:
        server.start()


async def test_commits_wait_for_the_disk_whatever_the_database_is_set_to(address: str) -> None:
    await postgres_server().execute(f"ALTER DATABASE {named(address)} SET synchronous_commit = off")
    store = await PostgresStore.open(f"{address}?synchronous_commit=off")
    for pool in (store._writing, store._reading):
        assert await pool.fetchval("SHOW synchronous_commit") == "on"
    await store.close()


def test_mistakes_in_the_address_get_a_sentence_without_the_password(address: str) -> None:
    server, name = postgres_server(), named(address)
    asyncio.run(
        server.execute(
            f"CREATE USER guest_{name} PASSWORD '{PASSWORD}'", f"REVOKE CREATE ON DATABASE {name} FROM PUBLIC"
        )
    )
    wrong = {
        server.address(name, password="Geheim"): "does not let you in",  # noqa: S106
        server.address(name, user="nobody-knows"): "does not let you in",
        server.address("no-such-database"): "has no database of the name",
        server.address(name, user=f"guest_{name}"): "may not make tables",
        f"postgresql://tester:{PASSWORD}@127.0.0.1:1/x": "No PostgreSQL server answers",
        f"postgres://tester:{PASSWORD}@no.such.host.invalid/x": "No PostgreSQL server answers",
        f"postgresql://tester:{PASSWORD}@127.0.0.1:port/x": "is not an address",
        f"postgresql://tester:{PASSWORD}/x": "is not an address",
        f"postgresql://tester:{PASSWORD}@[::1/x": "is not an address",
        f"postgresql://tester:{PASSWORD}@127.0.0.1/x?sslmode={PASSWORD}": "is not an address",
    }
    for db, words in wrong.items():
        with pytest.raises(UsageError) as caught:
            asyncio.run(open_store(db))
        sentence = str(caught.value)
        assert words in sentence, db
        assert sentence.endswith(".")
        assert "\n" not in sentence
        clean(caught.value)


# ---- a server that is being started


@in_ci
async def test_a_server_that_is_just_being_started_is_waited_for(address: str) -> None:
    said: list[str] = []

    server = postgres_server()
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, server.stop)
    opening = asyncio.create_task(PostgresStore.open(address, wait=60, say=said.append))
    try:
        # It says so when it has found nobody there.
        await until(lambda: bool(said))
        assert not opening.done()
    finally:
        await loop.run_in_executor(None, server.start)
    store = await opening
    await store.ready()
    await store.close()
    assert said[0] == "Waiting for the database: No PostgreSQL server answers at the address in --db."


async def test_a_server_that_says_that_it_is_starting_is_waited_for_and_given_up_in_the_end() -> None:
    """Like one that repairs itself after a crash: it answers, and lets nobody in."""
    answer = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
    said: list[str] = []

    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"E" + (len(answer) + 4).to_bytes(4, "big") + answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as starting:
        port = starting.sockets[0].getsockname()[1]
        address = f"postgresql://tester:{PASSWORD}@127.0.0.1:{port}/x?sslmode=disable"
        with pytest.raises(UsageError, match=r"^The PostgreSQL server is not ready: it starts") as caught:
            await PostgresStore.open(address, wait=0.5, say=said.append)
        clean(caught.value)
    assert said == ["Waiting for the database: The PostgreSQL server is not ready: it starts, stops or repairs itself."]


def test_a_mistake_in_the_address_is_told_at_once_and_not_waited_for(address: str) -> None:
    said: list[str] = []
    with pytest.raises(UsageError, match="has no database of the name"):
        asyncio.run(PostgresStore.open(address + "-wrong", wait=600, say=said.append))
    assert said == []


# ---- a network that is cut


class Wire:
    """A way to the server that can be cut without a word to either end."""

    def __init__(self) -> None:
        self.cut = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        """Where to connect to instead of the server's port."""
        self._listening = await asyncio.start_server(self._came, "127.0.0.1", 0)
        return str(self._listening.sockets[0].getsockname()[1])

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", postgres_server().port)
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._carry(source, target))
            self._tasks.add(task)

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            if not self.cut:
                target.write(data)
        target.close()

    async def close(self) -> None:
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@in_ci
async def test_a_network_that_is_cut_without_a_word_is_noticed_though_nobody_asks(address: str) -> None:
    way = Wire()
    parts = urlsplit(address)
    through = address.replace(f":{parts.port}/", f":{await way.open()}/")
    async with opened(address) as other:
        store = await PostgresStore.open(through)
        heard = heard_at(store)
        assert store.hears
        await store.ready()
        way.cut = True
        await until(lambda: "" in heard and not store.hears)
        await other.create(a_match("m"))
        way.cut = False
        # Then it listens again by itself, and says once more that anything may have changed.
        await until(lambda: heard.count("") >= 2)
        assert store.hears
        assert await store.load("m") == (a_match("m"), [])
        await store.close()
    await way.close()


async def test_what_is_frozen_is_given_up_and_asked_again_elsewhere(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 0.5)
    # Nobody else gives it up in time.
    monkeypatch.setitem(postgres.CONNECTION, "command_timeout", 3600.0)
    async with opened(address) as store:
        await store.create(a_match("m"))
        await store.append("m", an_entry(0), over=False)
        db = await postgres_server().connect()
        frozen = await db.fetch("SELECT pid FROM pg_stat_activity WHERE datname = $1", named(address))
        try:
            for row in frozen:
                os.kill(row["pid"], signal.SIGSTOP)
            with pytest.raises(StoreError, match="The database does not answer: it may not have been written down"):
                await store.append("m", an_entry(1), over=False)
            # The process that does not answer is still there; a new connection leads to another one.
            assert await in_the_end(lambda: store.append("m", an_entry(1), over=False))
            with pytest.raises(StoreError, match="does not answer: it could not be read"):
                await store.load("m")
            assert await store.load("m") == (a_match("m"), [an_entry(0), an_entry(1)])
        finally:
            for row in frozen:
                os.kill(row["pid"], signal.SIGCONT)
            await db.close()


async def test_a_match_is_not_shown_as_it_was_while_no_word_from_the_others_comes(address: str) -> None:
    async with opened(address) as here, opened(address) as there, hub_at(here) as one, hub_at(there) as two:
        hubs = (one, two)
        for hub in hubs:
            hub.store.on_change(hub._changed_elsewhere)
        made = await hubs[0].create(wire.NewMatch("sumquest", opponent="screen"))
        seen = await hubs[1].room(made.match)
        assert isinstance(there, PostgresStore)
        # It has lost its listening connection, and does not get it back: nothing is heard any more.
        assert there._listener is not None
        there._listener.cancel()
        await asyncio.wait([there._listener])
        there._doubt(OSError())
        for ply in range(10):
            room = await hubs[0].room(made.match)
            await hubs[0].do(room, [0, 1], wire.Move(ply, str(1 + ply % 2)))
            assert (await hubs[1].room(made.match)).state.ply == ply + 1
        # Who holds it already is not let in with an old state either.
        await hubs[0].do(room, [0, 1], wire.Move(10, "3"))
        await is_refused(hubs[1].do(seen, [0, 1], wire.Move(10, "4")), "late")


@pytest.mark.parametrize("word", ["of the match", "lost"])
async def test_a_change_at_another_server_while_a_match_is_read_for_the_first_time_is_not_missed(
    address: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(address) as store, opened(address) as there, hub_at(store) as two, hub_at(there) as one:
        if word != "lost":
            store.on_change(two._changed_elsewhere)
        heard = heard_at(store)
        made = await one.create(wire.NewMatch("sumquest", opponent="screen"))
        held = Held(store.load)
        monkeypatch.setattr(store, "load", held)
        looks = asyncio.create_task(two.room(made.match))
        await held.asked.wait()
        await one.do(await one.room(made.match), [0, 1], wire.Move(0, "1"))
        await until(lambda: made.match in heard)
        if word == "lost":
            two._changed_elsewhere("")
        held.answers.set()
        assert (await looks).state.ply == 1


async def test_after_an_outage_only_what_somebody_looks_at_is_read(address: str) -> None:
    loaded: list[str] = []

    class Counting(PostgresStore):
        async def load(self, match: str) -> tuple[MatchHeader, list[Entry]] | None:
            loaded.append(match)
            return await super().load(match)

    store = await Counting.open(address)
    async with hub_at(store) as hub:
        names = [(await hub.create(wire.NewMatch("sumquest", opponent="screen"))).match for _ in range(30)]
        watched = await hub.room(names[7])
        Watcher(watched)
        loaded.clear()
        hub._changed_elsewhere("")
        await until(lambda: not watched.behind)
        assert loaded == [names[7]]
        await hub.room(names[3])
        await hub.room(names[3])
        assert loaded == [names[7], names[3]]
    await store.close()
