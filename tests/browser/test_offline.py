"""Without a network: an honest page, what was open stays readable, and the page can be installed."""

import re

import pytest
from playwright.sync_api import Page, expect

from numberquest.client import Client
from tests.browser.people import People, Person
from tests.browser.screens import friends

HONEST = "There is no connection to the server. What was open here can still be read; games go on when it is back."
READY = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"


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
    kept = ann.page.evaluate(
        "async () => { const cache = await caches.open('numberquest'); const all = await cache.keys();"
        "return Promise.all(all.map(async (one) => one.url + await (await cache.match(one)).text())); }"
    )
    assert kept
    assert not any(seats[1].token in one for one in kept)


def test_the_page_can_be_installed(people: People) -> None:
    ann = at_home(people)
    errors = ann.context.new_cdp_session(ann.page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A private window, which every test has, can never install anything.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == []
