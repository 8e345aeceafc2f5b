"""What the tests of the server share: one that runs, stores and hubs without one, and tests that are coroutines."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from numberquest.client import Client
from numberquest.core.registry import GAMES
from numberquest.server.hub import Hub
from numberquest.server.match.state import game_of
from numberquest.server.store.base import SqlStore
from tests.server.attacked import Friends, friends
from tests.server.keeping import hub_at, opened
from tests.server.postgres_server import new_database
from tests.server.running import Running
from tests.strategies import KINDS


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine in a loop of its own. A fixture that must be opened and closed in that loop is an async context
    manager; the test is given what it opens."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None

    async def run() -> None:
        async with AsyncExitStack() as stack:
            given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(value)
            await test(**given)

    asyncio.run(run())
    return True


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One running server for the tests of a worker that only talk to it."""
    with Running(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def match(server: Running) -> Friends:
    """Two friends who have just sat down there."""
    return friends(server)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Running]:
    """A server for one test alone."""
    with Running(tmp_path) as running:
        yield running


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    """A program that talks to that server."""
    with server.client() as one:
        yield one


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Running]]:
    """Two servers on one PostgreSQL database."""
    address = new_database()
    one, two = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    with Running(one, db=address) as first, Running(two, db=address) as second:
        yield first, second


@pytest.fixture(scope="module")
def examples() -> Iterator[None]:
    """The games of the examples are brought along."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GAMES, "_brought", {kind.slug: kind for kind in KINDS if kind.slug not in GAMES.own})
        yield
    # The rules of a match are kept once they were looked up; these are not there any more.
    game_of.cache_clear()


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Of a database that is not there yet."""
    return str(tmp_path / "games.db")


@pytest.fixture
def store(address: str) -> AbstractAsyncContextManager[SqlStore]:
    return opened(address)


@pytest.fixture
def hubs(address: str) -> AbstractAsyncContextManager[tuple[Hub, Hub]]:
    """Two at one store, as two processes have it: neither hears of what the other does."""

    @asynccontextmanager
    async def opened_hubs() -> AsyncIterator[tuple[Hub, Hub]]:
        async with opened(address) as store, hub_at(store) as one, hub_at(store) as two:
            yield one, two

    return opened_hubs()


@pytest.fixture
def hub(store: AbstractAsyncContextManager[SqlStore]) -> AbstractAsyncContextManager[Hub]:
    @asynccontextmanager
    async def opened_hub() -> AsyncIterator[Hub]:
        async with store as at, hub_at(at) as found:
            yield found

    return opened_hub()
