"""Everything works without a mouse, and it is always to be seen where one is."""

import re

import pytest
from playwright.sync_api import Locator, expect

from numberquest import GAMES
from numberquest.client import Client
from tests.browser.people import TITLES, People, Person, quick
from tests.conftest import a_few

FOCUS = """(wanted) => {
  const here = document.activeElement;
  // A round button hides its circle: the words beside it are framed instead. A heading cannot be pressed.
  const marked = here.matches('.pills input') ? here.nextElementSibling : here;
  const { outlineStyle, outlineWidth } = getComputedStyle(marked);
  const framed = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  const seen = framed || here.tabIndex < 0 || here === document.body;
  const behind = !!(here.compareDocumentPosition(wanted ?? here) & Node.DOCUMENT_POSITION_PRECEDING);
  return { seen, behind, there: here === wanted, lost: here === document.body, what: here.outerHTML.slice(0, 200) };
}"""
MOST = 120
"""No way on a page is longer than so many presses of the Tab key."""


def walks_to(person: Person, target: Locator) -> None:
    """Press Tab, or Shift and Tab, until the focus is there; on the way it is always visible."""
    expect(target).to_be_visible()
    wanted = target.element_handle()
    for _ in range(MOST):
        found = person.page.evaluate(FOCUS, wanted)
        assert found["seen"], f"the focus cannot be seen on {found['what']}"
        if found["there"]:
            return
        person.page.keyboard.press("Shift+Tab" if found["behind"] else "Tab")
    pytest.fail(f"Tab never comes to {target}")


def presses(person: Person, target: Locator) -> None:
    walks_to(person, target)
    person.page.keyboard.press("Enter")


def still_there(person: Person) -> None:
    found = person.page.evaluate(FOCUS, None)
    assert not found["lost"], "the focus is lost"
    assert found["seen"], f"the focus cannot be seen on {found['what']}"


@pytest.mark.parametrize("slug", a_few(GAMES, 2))
def test_a_whole_game_is_played_with_the_keyboard_alone(people: People, client: Client, slug: str) -> None:
    both = people.new()
    both.page.goto("/")
    presses(both, both.button(f"Two at this screen: {TITLES[slug]}"))
    both.waits_for_the_board()
    state = client.look(both.match)
    while state.turn is not None:
        move = quick(state)
        both.waits_until_it_can_be_pressed()
        if move.startswith("predict "):
            walks_to(both, both.page.get_by_role("spinbutton", name="Your prediction"))
            both.page.keyboard.type(move.removeprefix("predict "))
            both.page.keyboard.press("Enter")
        else:
            for choice in both.choices(slug, move):
                presses(both, choice)
        expect(both.history.nth(len(state.history))).to_be_visible()
        state = client.look(both.match)
        expect(both.history).to_have_text(both.lines(state))
        still_there(both)
    expect(both.region("The end")).to_be_visible()
    both.waits_until_it_can_be_pressed()
    before = both.match
    presses(both, both.button("Rematch"))
    both.page.wait_for_url(lambda address: before not in address)
    expect(both.page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.parametrize(
    ("slug", "keys", "entries"),
    [
        ("sumquest", "9 8 6", ["9", "8", "6"]),
        ("fifty", "6 + 5 + 7 *", ["6+", "5+", "7*"]),
        ("mystic", "a p", ["add", "pass"]),
        ("showdown", "9 3", ["9", "3"]),
    ],
)
def test_keys_press_what_they_are_written_for(
    people: People, client: Client, slug: str, keys: str, entries: list[str]
) -> None:
    seat = client.create(slug, opponent="screen")
    both = people.at(seat)
    expect(both.page).to_have_title(f"Player 1’s turn – {TITLES[slug]}")
    made = 0
    for key in keys.split():
        both.waits_until_it_can_be_pressed()
        both.page.keyboard.press(key)
        if slug == "fifty" and key.isdigit():
            expect(both.page.get_by_role("button", pressed=True)).to_have_accessible_name(re.compile(f"^{key}, "))
            continue
        made += 1
        seat.wait(lambda state, made=made: sum(line.player > 0 for line in state.history) == made)  # type: ignore[misc]
        expect(both.history).to_have_count(len(seat.state.history))
        still_there(both)
    assert [line.entry for line in seat.state.history if line.player] == entries


def test_arrow_keys_go_from_card_to_card(people: People, client: Client) -> None:
    seat = client.create("grid", opponent="screen")
    both = people.at(seat)
    walks_to(both, both.choices("grid", "1,1")[0])
    for key in ("ArrowRight", "ArrowDown"):
        both.page.keyboard.press(key)
    expect(both.choices("grid", "2,2")[0]).to_be_focused()
    both.page.keyboard.press("Enter")
    expect(both.history).to_have_count(2)
    expect(both.region("Board").get_by_role("button", name="Row 2, column 2: ")).to_be_focused()


def test_the_keys_can_be_switched_off(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen")
    both = people.at(seat)
    both.page.get_by_text("Keys", exact=True).click()
    both.page.get_by_role("switch", name="Use these keys").uncheck()
    both.page.keyboard.press("Tab")
    both.page.keyboard.press("5")
    both.plays("sumquest", "7")
    assert [line.entry for line in seat.look().history] == ["7"]


def test_a_dialog_closes_with_escape_and_gives_the_focus_back(me: Person) -> None:
    me.page.goto("/")
    for name in ("House rules: Grid", "Rules: Grid"):
        presses(me, me.button(name))
        expect(me.page.get_by_role("dialog")).to_be_visible()
        me.page.keyboard.press("Escape")
        expect(me.page.get_by_role("dialog")).to_have_count(0)
        expect(me.button(name)).to_be_focused()


def test_the_first_key_skips_to_the_game(me: Person) -> None:
    me.page.goto("/")
    expect(me.page.get_by_role("heading", level=1)).to_be_visible()
    me.page.keyboard.press("Tab")
    skip = me.page.get_by_role("link", name="Skip to the game")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    me.page.keyboard.press("Enter")
    expect(me.page.get_by_role("main")).to_be_focused()
