"""One server and one browser for each worker; a fresh person for each test, and no trouble goes unnoticed."""

import asyncio
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from numberquest.client import Client
from tests.browser.people import People, Person, started
from tests.browser.plain_files import PYODIDE, InBrowser, PlainFiles, plain_files, written_site
from tests.conftest import required
from tests.server.running import Running

PATIENCE = 45_000
"""So many milliseconds anything may take: these machines are shared."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def browser_and_loop(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    program = shutil.which("chromium")
    if program is None:
        required("Chromium")
        return
    expect.set_options(timeout=PATIENCE)
    playwright = sync_playwright().start()
    loop = asyncio.get_running_loop()
    browser = started(playwright, program, tmp_path_factory.mktemp("home"))
    asyncio._set_running_loop(None)
    yield browser, loop
    asyncio._set_running_loop(loop)
    browser.close()
    playwright.stop()


@pytest.fixture
def browser(browser_and_loop: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser, with its event loop marked as running only while a test uses it: others have loops of their own."""
    one, loop = browser_and_loop
    asyncio._set_running_loop(loop)
    yield one
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the page as plain files, which needs what `make site` fetches."""
    if not (PYODIDE / "pyodide.mjs").is_file():
        required("Pyodide (make site fetches it)")
    return written_site(tmp_path_factory.mktemp("play"))


@pytest.fixture(scope="session")
def site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainFiles]:
    """The page without a server."""
    with plain_files(tmp_path_factory.mktemp("site"), built) as files:
        yield files


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Running | PlainFiles:
    """Where the page of a test is: at the server, or, of tests that are marked `everywhere`, in plain files as well."""
    found: Running | PlainFiles = request.getfixturevalue(getattr(request, "param", "server"))
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What needs no friend is the same without a server."""
    if metafunc.definition.get_closest_marker("everywhere"):
        metafunc.parametrize("place", ["server", "site"], indirect=True)


@pytest.fixture
def people(browser: Browser, place: Running | PlainFiles) -> Iterator[People]:
    """Whoever is to play in this test; afterwards nothing may have gone wrong in any of their browsers."""
    everybody = People(browser, place.url, PATIENCE, plain=isinstance(place, PlainFiles))
    yield everybody
    everybody.leave()


@pytest.fixture
def me(people: People) -> Person:
    return people.new()


@pytest.fixture(scope="session")
def visitors() -> dict[str, Person]:
    """Who goes from screen to screen in this worker."""
    return {}


@pytest.fixture
def visitor(browser: Browser, place: Running | PlainFiles, visitors: dict[str, Person]) -> Iterator[Person]:
    """Somebody who only looks at a screen: always the same, with nothing remembered. A new browser takes a second."""
    if place.url not in visitors:
        everybody = People(browser, place.url, PATIENCE, plain=isinstance(place, PlainFiles))
        visitors[place.url] = everybody.new(color_scheme="light")
    one = visitors[place.url]
    one.forgets_everything()
    yield one
    one.check()


@pytest.fixture
def client(place: Running | PlainFiles, request: pytest.FixtureRequest) -> Iterator[Client]:
    """A program that looks at the same matches: without a server those of the browser of `me` or of the visitor."""
    if isinstance(place, PlainFiles):
        who = "me" if "me" in request.fixturenames else "visitor"
        yield InBrowser(request.getfixturevalue(who), place.python)
        return
    with place.client() as one:
        yield one


FIRST = (
    "test_accessibility.py",
    "test_computer.py",
    "test_games.py",
    "test_keyboard.py",
    "test_own_games.py",
    "test_puzzle.py",
    "test_review.py",
)
"""Of each of these, `make test` runs the first test; a browser takes long, and `.ci/run` runs all of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out, loudly, what only the long run goes through."""
    if os.environ.get("NUMBERQUEST_REQUIRE_ALL"):
        return
    left_out = pytest.mark.skip(
        reason="SKIPPED: .ci/run goes through all tests in the browser, make test through a few"
    )
    seen: Counter[str] = Counter()
    for item in items:
        if item.path.parent.name != "browser" or any(item.iter_markers("skipif")):
            continue
        seen[item.path.name] += 1
        if item.path.name not in FIRST or seen[item.path.name] > 1:
            item.add_marker(left_out)
