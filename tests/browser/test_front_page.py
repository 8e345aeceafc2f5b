"""The front page does not spoil, and there is one obvious way to begin."""

import re

import pytest
from playwright.sync_api import expect

from numberquest.client import Client
from tests.browser.people import TITLES, Person

PHONE = {"width": 375, "height": 667}


def test_who_wins_is_shown_only_to_who_wants_to_know_it_and_that_is_remembered(visitor: Person) -> None:
    page = visitor.page
    page.goto("/")
    expect(visitor.button(re.compile("^▶ Play"))).to_be_visible()
    for spoiler in ("wins", "best play", "45", "starting with"):
        expect(page.locator(".cardlist")).not_to_contain_text(spoiler)
    page.get_by_role("switch", name="Show what is proved").check()
    expect(page.locator(".cardlist")).to_contain_text("Player 1 wins by saying 45")
    page.reload()
    expect(page.locator(".cardlist")).to_contain_text("Player 1 wins by saying 45")
    page.get_by_role("switch", name="Show what is proved").uncheck()
    expect(page.locator(".cardlist")).not_to_contain_text("wins")


def test_the_rules_do_not_spoil_either(visitor: Person) -> None:
    visitor.page.goto("/")
    visitor.button(f"Rules: {TITLES['showdown']}").click()
    told = visitor.page.get_by_role("dialog")
    expect(told.get_by_text("saying 45")).to_be_hidden()
    told.get_by_text("Who is favoured?").click()
    expect(told.get_by_text("saying 45")).to_be_visible()


def test_a_newcomer_sees_how_long_each_game_takes_and_how_much_luck_is_in_it(visitor: Person, client: Client) -> None:
    visitor.page.goto("/")
    for info in client.games().games:
        card = visitor.page.get_by_role("article").filter(
            has=visitor.page.get_by_role("heading", name=info.short_title)
        )
        low, high = info.turns
        expect(card).to_contain_text(f"{low} to {high} turns" if low < high else f"{low} turns")
        expect(card).to_contain_text("luck")


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 720}], ids=["phone", "desk"])
def test_play_and_the_daily_puzzle_are_in_sight_at_once(visitor: Person, size: dict[str, int]) -> None:
    visitor.page.set_viewport_size({"width": size["width"], "height": size["height"]})
    visitor.page.goto("/")
    for one in (
        visitor.button(re.compile("^▶ Play")),
        visitor.page.get_by_role("link", name=re.compile("^Today’s puzzle")),
    ):
        expect(one).to_be_in_viewport(ratio=1)


def test_two_clicks_make_the_first_move_and_the_game_played_last_is_offered_again(visitor: Person) -> None:
    page = visitor.page
    page.goto("/")
    visitor.button(re.compile("^▶ Play")).click()
    visitor.waits_for_the_board()
    visitor.region("Board").get_by_role("button", name=re.compile(r"^5\b")).click()
    expect(visitor.history.first).to_be_visible()
    visitor.starts("Two at this screen", "mystic")
    page.goto("/")
    expect(visitor.button(re.compile(f"^▶ Play {TITLES['mystic']}"))).to_be_visible()
