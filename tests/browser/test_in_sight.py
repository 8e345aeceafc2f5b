"""What one must press is in sight on every screen that people have, and boards grow where there is room."""

import re

import pytest
from playwright.sync_api import Page, expect

from numberquest.client import Client
from tests.browser.people import Person
from tests.browser.screens import OPENINGS, PUZZLE, computer, puzzle, review_fifty, sits
from tests.conftest import a_few

SIZES = {"phone": (390, 664), "landscape": (780, 360), "laptop": (1366, 650), "tablet": (820, 1180)}
PRESSED = ".board button, .board input, .deeds button, .teacher button"
HIDDEN = """(pressed) => [...document.querySelectorAll(pressed)].filter((one) => {
  const { top, bottom, left, right } = one.getBoundingClientRect();
  // In sight: within the window, and nothing lies over its middle.
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top < -1 || bottom > innerHeight + 1 || !there || !(one.contains(there) || there.contains(one));
}).map((one) => one.getAttribute('aria-label') ?? one.textContent)"""
LINE = """() => ['.brand', '.title h1', '.title .goal']
  .map((one) => document.querySelector(one).getBoundingClientRect())
  .map(({ top, bottom }) => (top + bottom) / 2)"""
RAGGED = """() => [...document.querySelectorAll('.choices')].filter((one) => {
  const { left, right } = one.getBoundingClientRect();
  const low = (child) => Math.round(child.getBoundingClientRect().bottom);
  const rows = Object.values(Object.groupBy([...one.children], low));
  return rows.some((row) => Math.abs(row[0].getBoundingClientRect().left - left) > 1
    || Math.abs(row.at(-1).getBoundingClientRect().right - right) > 1);
}).length"""


CLASHES = """() => [...document.querySelectorAll('.top a, .top button')].flatMap((one) => {
  const box = one.getBoundingClientRect();
  return [...document.querySelectorAll('.title > *, .puzzle > header > *')].filter((other) => {
    const { top, bottom, left, right } = other.getBoundingClientRect();
    return box.width > 1 && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  }).map((other) => `${one.textContent} lies on ${other.textContent}`);
})"""
WIDER = "document.documentElement.scrollWidth - innerWidth"


def hidden(page: Page, size: str) -> list[str]:
    """What can be pressed, and is not seen in a window of this size."""
    wide, tall = SIZES[size]
    page.set_viewport_size({"width": wide, "height": tall})
    page.evaluate("scrollTo(0, 0)")
    found: list[str] = page.evaluate(HIDDEN, PRESSED)
    return found


@pytest.mark.parametrize("slug", a_few(OPENINGS, 2))
def test_moves_and_actions_are_in_sight_below_one_line(visitor: Person, client: Client, slug: str) -> None:
    page = visitor.page
    sits(page, client.create(slug, opponent="easy", name="Ann"))
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    assert [(size, one) for size in SIZES for one in hidden(page, size)] == []
    page.evaluate("scrollTo(0, 9999)")
    actions, aside = (page.locator(one).bounding_box() for one in (".actions", ".aside"))
    assert actions
    assert aside
    assert actions["y"] + actions["height"] <= aside["y"] or aside["y"] + aside["height"] <= actions["y"]
    for wide, tall in SIZES.values():
        page.set_viewport_size({"width": wide, "height": tall})
        brand, title, goal = page.evaluate(LINE)
        assert max(brand, title, goal) - min(brand, title, goal) < 5


def test_what_a_hint_names_is_in_sight_beside_the_hint_on_a_phone(visitor: Person, client: Client) -> None:
    page = visitor.page
    wide, tall = SIZES["phone"]
    page.set_viewport_size({"width": wide, "height": tall})
    computer(page, client)
    page.evaluate("scrollTo(0, 0)")
    box = page.get_by_role("button", name="More of the hint").bounding_box()
    assert box
    # As a finger does, which does not scroll.
    page.mouse.click(box["x"] + 9, box["y"] + 9)
    expect(page.locator(".note p")).to_have_count(3)
    expect(page.get_by_role("button", name=re.compile(", the hint$"))).to_be_in_viewport(ratio=1)
    assert page.evaluate(HIDDEN, ".board button, .actions button") == []


@pytest.mark.parametrize("slug", a_few(OPENINGS, 2))
def test_every_step_of_a_lesson_is_in_sight(visitor: Person, slug: str) -> None:
    page = visitor.page
    page.goto(f"/lesson/{slug}")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    assert [(size, one) for size in SIZES for one in hidden(page, size)] == []
    for wide in (390, 780, 820, 1024, 1366, 1920):
        page.set_viewport_size({"width": wide, "height": 800})
        assert page.evaluate(CLASHES) == []


def test_reviews_and_puzzles_fit_on_a_phone_that_lies_on_its_side(visitor: Person, client: Client) -> None:
    page = visitor.page
    wide, tall = SIZES["landscape"]
    page.set_viewport_size({"width": wide, "height": tall})
    for screen in (review_fifty, puzzle):
        screen(page, client)
        assert page.evaluate(WIDER) == 0
    review_fifty(page, client)
    headline = page.locator(".headline").bounding_box()
    assert headline
    assert headline["width"] > wide / 2


def test_a_puzzle_is_in_sight_and_a_board_grows_on_a_projector(visitor: Person) -> None:
    page = visitor.page
    page.goto(PUZZLE)
    tile = page.get_by_role("button", name="8, 1 left")
    expect(tile).to_be_visible()
    assert [(size, one) for size in SIZES for one in hidden(page, size)] == []
    wide = []
    for size in ((1280, 900), (1920, 1080)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        box = tile.bounding_box()
        assert box
        wide.append(box["width"])
    assert wide[1] > 1.3 * wide[0]


def test_the_buttons_of_a_card_fill_their_rows(visitor: Person) -> None:
    page = visitor.page
    page.goto("/")
    expect(page.get_by_role("button", name="Play a friend: Grid")).to_be_visible()
    for width in (390, 820, 1180, 1366):
        page.set_viewport_size({"width": width, "height": 1180})
        assert page.evaluate(RAGGED) == 0
