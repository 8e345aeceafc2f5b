"""The page in a folder of a host that has other things too, behind nginx as the sample sets it up."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from numberquest.client import Client
from tests.browser.people import TITLES, People, quick
from tests.server.nginx import Nginx
from tests.server.running import Running


@pytest.fixture
def home(tmp_path: Path) -> Iterator[str]:
    """Where the page lives."""
    with (
        Running(tmp_path, "--proxy", "127.0.0.1", "--prefix", "/play") as server,
        Nginx(tmp_path / "nginx", server.port, prefixed=True) as nginx,
    ):
        yield f"{nginx.url}/play/"


def test_two_people_play_in_a_folder_of_a_host_and_nothing_is_asked_for_outside_of_it(
    people: People, home: str
) -> None:
    host = home.removesuffix("/play/")
    ann, bo = people.new("Ann", url=host), people.new(url=host)
    ann.page.goto(home.rstrip("/"))
    expect(ann.page).to_have_url(home)
    ann.button(f"Play a friend: {TITLES['fifty']}").click()
    ann.waits_for_the_board()
    match = ann.page.url.removeprefix(f"{home}m/")
    invitation = ann.page.get_by_role("textbox", name="Invitation").input_value()
    assert invitation.startswith(f"{home}m/{match}#invite=")
    bo.page.goto(invitation)
    bo.page.get_by_role("textbox", name="Your name").fill("Bo")
    bo.button("Sit down").click()
    bo.waits_for_the_board()
    seats = {1: ann, 2: bo}
    with Client(home) as client:
        while (turn := (state := client.look(match)).turn) is not None:
            seats[turn].plays("fifty", quick(state))
    bo.page.reload()
    expect(bo.region("The end")).to_be_visible()
    with bo.page.expect_download() as saved:
        bo.region("The end").get_by_role("link", name="Download the record").click()
    assert saved.value.url == f"{home}api/matches/{match}/record"
    bo.region("The end").get_by_role("link", name="Review the game").click()
    expect(bo.region("All moves")).to_be_visible()
    assert bo.page.url.startswith(f"{home}review#match={match}")
    bo.page.go_back()
    expect(bo.page).to_have_url(f"{home}m/{match}")
    for name, path in (("Puzzle", "puzzle"), ("Review", "review"), ("Games", "")):
        bo.page.get_by_role("navigation").get_by_role("link", name=name).click()
        expect(bo.page).to_have_url(home + path)
        bo.page.reload()
        expect(bo.page.get_by_role("heading", level=1)).to_be_visible()
    # Each person's browser has said nothing in its console, or this test fails when they leave.
    asked = {re.sub("^ws", "http", address) for person in seats.values() for address in person.addresses}
    outside = {address for address in asked if not address.startswith(home)}
    assert outside == {home.rstrip("/")}
    parts = {address.partition("?")[0] for address in asked}
    for part in ("static/style/page.css", "static/page.js", "static/more.js", "static/style/review.css", "api/games"):
        assert home + part in parts
    assert f"{home}ws/{match}" in asked


def test_a_mistyped_address_in_the_folder_leads_home(people: People, home: str) -> None:
    me = people.new(url=home)
    me.forgive("Failed to load resource")
    me.page.goto(f"{home}m/one/two")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address.")
    me.page.get_by_role("link", name="To the games").click()
    expect(me.page).to_have_url(home)
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Five number games for two")


def test_an_app_that_is_put_on_a_phone_opens_in_the_folder(people: People, home: str) -> None:
    me = people.new(url=home)
    me.page.goto(home)
    found = me.page.evaluate(
        """async () => {
          const address = document.querySelector('link[rel=manifest]').href;
          const manifest = await (await fetch(address)).json();
          return [manifest.start_url, ...manifest.icons.map(({ src }) => src)].map((one) => new URL(one, address).href);
        }"""
    )
    icons = ("favicon.svg", "icon-192.png", "icon-512.png", "icon-512.png")
    assert found == [home, *(f"{home}static/{icon}" for icon in icons)]
