"""Without a network: an honest page, what was open stays readable, and the page can be installed."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from numberquest.client import Client
from numberquest.server.site.files import HOST
from tests.browser.classroom import ClassRoom
from tests.browser.conftest import PATIENCE
from tests.browser.people import TITLES, People, Person
from tests.browser.plain_files import PlainFiles
from tests.browser.screens import friends
from tests.server.running import Running, wait_until

HONEST = "There is no connection to the server. What was open here can still be read; games go on when it is back."
READY = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"

KEPT = (
    "async () => { const cache = await caches.open('numberquest'); const all = await cache.keys();"
    "return Promise.all(all.map(async (one) => one.url + await (await cache.match(one)).text())); }"
)
"""All that the browser keeps for reading it without a network."""


def at_home(people: People) -> Person:
    """Somebody whose browser has kept the page."""
    person = people.new(service_workers="allow")
    person.forgive("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "WebSocket connection", "Failed to load resource")
    person.page.goto("/")
    expect(person.button(re.compile("^▶ Play"))).to_be_visible()
    person.page.wait_for_function(READY)
    return person


def offline(person: Person) -> None:
    person.context.set_offline(True)


def everything_is_kept(person: Person, *ends: str) -> None:
    """Wait until the browser has kept what ends like this."""
    person.page.wait_for_function(
        "async (ends) => { const all = (await (await caches.open('numberquest')).keys()).map(({ url }) => url);"
        "return ends.every((end) => all.some((url) => url.endsWith(end))); }",
        arg=list(ends),
    )


def honest(page: Page) -> None:
    expect(page.get_by_text(HONEST)).to_be_visible()
    expect(page.locator("body")).not_to_contain_text(re.compile("fetch|Error|undefined|http"))


def test_the_front_page_is_there_without_a_network_and_says_so(people: People) -> None:
    ann = at_home(people)
    ann.page.reload()
    expect(ann.button(re.compile("^▶ Play"))).to_be_visible()
    offline(ann)
    ann.page.reload()
    expect(ann.button(re.compile("^▶ Play"))).to_be_visible()
    honest(ann.page)
    ann.button(re.compile("^▶ Play")).click()
    expect(ann.page.get_by_text("The server cannot be reached. Are you still connected?")).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.page.get_by_text(HONEST)).to_be_hidden()


@pytest.mark.parametrize("begun", ["here", "elsewhere"])
def test_a_game_can_be_read_without_a_network_as_it_last_stood_and_goes_on_with_it(
    people: People, client: Client, begun: str
) -> None:
    ann = at_home(people)
    if begun == "here":
        ann.page.reload()
        ann.starts("Two at this screen", "sumquest")
        ann.plays("sumquest", "5")
        ann.plays("sumquest", "9")
        expect(ann.history).to_have_count(2)
    else:
        seats = friends(client, "sumquest", "5", "9")
        ann.sits(seats[1].match, seats[1].token)
        ann.page.reload()
        ann.waits_for_the_board()
    offline(ann)
    ann.page.reload()
    expect(ann.history).to_have_count(2)
    expect(ann.region("Board")).to_contain_text("14")
    expect(ann.page.get_by_text("Reconnecting…")).to_be_visible()
    ann.context.set_offline(False)
    ann.waits_for_the_board()
    ann.plays("sumquest", "1")


def test_what_was_open_in_one_single_visit_can_be_read_without_a_network(people: People) -> None:
    ann = at_home(people)
    ann.button(re.compile("^▶ Play")).click()
    ann.waits_for_the_board()
    ann.resigns()
    ann.page.get_by_role("link", name="Review the game").click()
    expect(ann.region("Board")).to_be_visible()
    everything_is_kept(ann, "api/games", "/review")
    offline(ann)
    ann.page.reload()
    expect(ann.region("Board")).to_be_visible()
    honest(ann.page)
    ann.page.goto("/")
    expect(ann.button(re.compile("^▶ Play"))).to_be_visible()
    honest(ann.page)


def test_what_was_never_open_is_told_honestly(people: People) -> None:
    ann = at_home(people)
    offline(ann)
    for path in ("/lesson/mystic", "/puzzle", "/m/never-seen-before"):
        ann.page.goto(path)
        expect(ann.page.get_by_role("heading", name="That did not work")).to_be_visible()
        honest(ann.page)
        expect(ann.button("Try again")).to_be_visible()


def test_nothing_that_needs_a_seat_is_kept(people: People, client: Client) -> None:
    seats = friends(client, "sumquest", "5", "9")
    ann = at_home(people)
    ann.sits(seats[1].match, seats[1].token)
    ann.plays("sumquest", "1")
    kept = ann.page.evaluate(KEPT)
    assert kept
    assert not any(seats[1].token in one for one in kept)


def test_of_a_class_a_browser_keeps_no_name_and_no_game(people: People, client: Client, place: Running) -> None:
    names = ("Quisquilla", "Xenophon")
    with closing(ClassRoom(client, place.url, "sumquest", names, way="rounds")) as room:
        room.teaches("begin")
        (seats,) = room.tables()
        ann = at_home(people)
        room.looks_on(ann.page)
        ann.page.get_by_role("button", name=re.compile("^Watch table 1: ")).click()
        expect(ann.region("Board")).to_be_visible()
        for number, move in ((1, "9"), (2, "1")):
            seats[number].look()
            seats[number].play(move)
        expect(ann.region("Board")).to_contain_text("10")
        # A first visit sees it past the worker, which is told of it later.
        ann.page.goto(f"/m/{seats[1].match}")
        expect(ann.region("Board")).to_contain_text("10")
        seats[1].look()
        seats[1].act("resign")
        ann.page.get_by_role("link", name="Review the game").click()
        expect(ann.region("Board")).to_be_visible()
        ann.page.goto("/")
        everything_is_kept(ann, "api/games")
        kept = [*ann.page.evaluate(KEPT), ann.page.evaluate("JSON.stringify(localStorage)")]
        assert len(kept) > 3
        assert not [one for one in kept if any(word in one for word in (*names, f"matches/{seats[1].match}"))]


def test_the_page_can_be_installed(people: People) -> None:
    ann = at_home(people)
    errors = ann.context.new_cdp_session(ann.page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A private window, which every test has, can never install anything.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == []


def test_where_the_server_sends_python_along_a_game_is_begun_and_goes_on_without_a_network(
    browser: Browser, site: PlainFiles, tmp_path: Path
) -> None:
    many = len(json.loads(site.files[HOST])["files"])
    with Running(tmp_path, "--site", str(site.folder)) as server:
        people = People(browser, server.url, PATIENCE)
        ann = at_home(people)
        ann.page.reload()
        kept = "caches.open('numberquest-python').then((one) => one.keys()).then((all) => all.length)"
        wait_until(lambda: bool(ann.page.evaluate(kept) == many))
        offline(ann)
        ann.page.goto("/")
        ann.button(f"Play the computer, easy: {TITLES['sumquest']}").click()
        ann.waits_for_the_board()
        ann.plays("sumquest", "5")
        expect(ann.history).to_have_count(2)
        expect(ann.page.get_by_text("Against the computer, at one screen")).to_be_visible()
        match = ann.page.url
        ann.page.goto("/lesson/fifty")
        expect(ann.page.get_by_role("heading", level=1)).to_have_text("Learn Fifty")
        ann.context.set_offline(False)
        # It is in this browser, and stays there.
        ann.page.goto(match)
        expect(ann.history).to_have_count(2)
        ann.waits_for_the_board()
        people.leave()
