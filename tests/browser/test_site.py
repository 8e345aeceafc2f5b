"""The page without a server: in a folder of any host, without a network after the first visit, and exact."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import numberquest as nq
from numberquest.core.record import Record
from numberquest.server import wire
from numberquest.server.think import tasks
from numberquest.server.think.worker import answered
from tests.browser.people import TITLES, People, Person
from tests.browser.plain_files import ASK, PlainFiles, plain_files
from tests.browser.test_accessibility import axe, complaints

FOLDER = "games/quest"


@pytest.fixture(scope="module")
def folder(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainFiles]:
    """The page in a folder of a host that has other things too."""
    with plain_files(tmp_path_factory.mktemp("other"), built, FOLDER) as files:
        yield files


def begins(person: Person, home: str, slug: str) -> None:
    person.page.goto(home)
    person.button(f"Play the computer, easy: {TITLES[slug]}").click()
    person.waits_for_the_board()


def kept(page: Page) -> None:
    """Until the browser has all files."""
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("!!navigator.serviceWorker.controller")


def test_after_the_first_visit_everything_works_without_a_network_and_no_other_host_is_asked(
    people: People, folder: PlainFiles
) -> None:
    me = people.new(url=folder.url, service_workers="allow")
    home = f"{folder.url}/{FOLDER}/"
    begins(me, home, "sumquest")
    me.plays("sumquest", "5")
    expect(me.history).to_have_count(2)
    match = me.page.url
    kept(me.page)
    me.context.set_offline(True)
    # The tab is closed, and the game goes on in another one.
    me.page.close()
    me.page = me.context.new_page()
    me.page.goto(match)
    expect(me.history).to_have_count(2)
    me.waits_for_the_board()
    for path in ("review", "puzzle", "laboratory", "atlas", "lesson/fifty", "m/there-is-none-of-it", ""):
        me.page.goto(home + path)
        expect(me.page.get_by_role("heading", level=1)).to_be_visible()
    assert all(one.startswith((home, "blob:", "data:")) for one in me.addresses)


def test_a_link_to_each_page_shows_what_it_is_and_no_friend_is_promised(site: PlainFiles) -> None:
    pages = {name: content.decode() for name, content in site.files.items() if name.endswith("index.html")}
    titles = {
        "index.html": "Number Quest",
        "puzzle/index.html": "Today’s puzzle",
        "lesson/fifty/index.html": "Learn Fifty",
    }
    for name, title in titles.items():
        assert f'<meta property="og:title" content="{title}">' in pages[name]
    assert [name for name, text in pages.items() if "friend" in text] == []


def test_screens_that_only_plain_files_have_are_clean(people: People, folder: PlainFiles) -> None:
    me = people.new(url=folder.url)
    home = f"{folder.url}/{FOLDER}/"
    me.page.goto(home)
    expect(me.page.get_by_role("button", name="Play a friend")).to_have_count(0)
    me.page.evaluate(axe())
    assert complaints(me.page) == []
    begins(me, home, "grid")
    me.page.evaluate(axe())
    assert complaints(me.page) == []
    # Nobody is told of a server, or sent to where nothing is.
    for path in (home, me.page.url, f"{home}review", f"{home}m/?none"):
        me.page.goto(path)
        expect(me.page.get_by_role("heading", level=1)).to_be_visible()
        assert not re.search(
            "server|friend|other device|another device|to watch", me.page.locator("main").text_content() or ""
        )


def test_every_value_of_a_review_is_the_same_in_a_page_as_on_a_computer(people: People, site: PlainFiles) -> None:
    me = people.new(url=site.url)
    me.page.goto("/static/favicon.svg")
    for slug in nq.GAMES.own:
        match = nq.Match(nq.game(slug), seed=7)
        while match.moves:
            match.play(match.moves[-1])
        record = Record(match).text()
        asked = [site.python, "POST", "api/reviews", json.dumps({"record": record}), ""]
        status, text = me.page.evaluate(ASK, asked)
        assert status == 200, text
        here = answered(wire.encode(tasks.AskReview(record)))
        assert isinstance(here, tasks.Made)
        assert json.loads(text) == json.loads(bytes(here.json)), slug


def test_every_page_of_plain_files_says_what_it_may_do_and_names_no_host(site: PlainFiles) -> None:
    for name, content in site.files.items():
        if name.endswith(".html"):
            assert b"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" in content
            assert b"//" not in content
