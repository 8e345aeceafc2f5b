"""A game with secrets at one screen: the board is covered between two turns, and seals are checked at the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE
from tests.browser.people import People
from tests.own.secret.games import PATHS
from tests.server.running import Running


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("secret"), games=(Path(PATHS["goof"]),)) as running:
        yield running


@pytest.fixture
def people(browser: Browser, secret: Running) -> Iterator[People]:
    everybody = People(browser, secret.url, PATIENCE)
    yield everybody
    everybody.leave()


def test_at_one_screen_nobody_sees_the_board_of_the_other(people: People, secret: Running) -> None:
    with secret.client() as client:
        seat = client.create("goof", settings={"cards": 2}, opponent="screen", name="Ann", other_name="Bob")
        both = people.new("Ann")
        page, board = both.page, both.region("Board")
        page.goto(f"/m/{seat.match}#seat={seat.token}")
        for mover, move in (("Ann", "2"), ("Bob", "1"), ("Ann", "1"), ("Bob", "2")):
            show = page.get_by_role("button", name=f"I am {mover}: show me the board")
            expect(show).to_be_visible()
            expect(board).to_have_count(0)
            show.press("Enter")
            both.waits_for_the_board()
            board.get_by_role("group", name="Moves").get_by_role("button", name=move).click()
        expect(page.get_by_role("heading", name="Ann wins!")).to_be_visible()
        page.get_by_role("button", name="Check the seals").click()
        expect(page.get_by_text("so does every choice that was sealed")).to_be_visible()
