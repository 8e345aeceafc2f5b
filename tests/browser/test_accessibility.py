"""On every screen axe finds nothing; from a phone to a desk nothing sticks out, and nothing moves that should not."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from numberquest.client import Client
from tests.browser.people import People, Person
from tests.browser.screens import SCREENS, TROUBLE, friends, review, sits
from tests.conftest import a_few, required

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
EVERY_RULE = """async () => {
  const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
  return (await axe.run({ rules, resultTypes: ['violations'] })).violations;
}"""
"""Also those that are tried out, and those of the strictest grade."""


@cache
def axe() -> str:
    if not AXE.exists():
        required("axe-core (npm ci)")
    return AXE.read_text()


def complaints(page: Page) -> list[str]:
    """What axe finds with all its rules, one line for each place."""
    # The squares of the paper are nearly as light as the paper; axe gives up wherever there is a pattern.
    page.evaluate("document.body.style.backgroundImage = 'none'")
    found: list[dict[str, Any]] = page.evaluate(EVERY_RULE)
    return [f"{one['id']}: {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]]


def test_axe_would_find_something(visitor: Person) -> None:
    visitor.page.goto("/")
    visitor.page.evaluate(axe())
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    visitor.page.evaluate("document.querySelector('h1').style.color = 'rgb(160, 160, 160)'")
    visitor.page.evaluate("document.querySelector('.go').setAttribute('aria-label', 'Something else')")
    found = complaints(visitor.page)
    assert {one.partition(":")[0] for one in found} >= {"color-contrast", "label-content-name-mismatch"}


SMALL = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((one) => {
  // What is hidden is pressed by its label.
  const target = one.matches('.pills input, .unseen') ? one.labels[0] : one;
  // Links within a sentence may be as small as its words; what is inert is only looked at.
  if (target.matches('p a:not(.button, .go), .skip') || target.closest('[inert]')) return false;
  if (!target.checkVisibility({ visibilityProperty: true })) return false;
  const { width, height } = target.getBoundingClientRect();
  return width < 24 || height < 24;
}).map((one) => one.outerHTML.slice(0, 150))"""
OUTSIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll('body *')].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    // These scroll by themselves, or are only read aloud.
    return (left < -1 || right > wide + 1) && one.checkVisibility() && !one.closest('.scroller, pre, .unseen');
  });
  return { sideways: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - wide,
    out: out.map((one) => one.outerHTML.slice(0, 150)) };
}"""


@pytest.mark.parametrize("name", a_few(SCREENS, 6))
def test_a_screen_fits_a_phone_and_a_desk_and_axe_finds_nothing(visitor: Person, client: Client, name: str) -> None:
    page = visitor.page
    visitor.forgive(*[TROUBLE[name]] if name in TROUBLE else [])
    page.set_viewport_size({"width": 390, "height": 800})
    SCREENS[name](page, client)
    for wide in (390, 320):
        page.set_viewport_size({"width": wide, "height": 800})
        assert page.evaluate(OUTSIDE) == {"sideways": 0, "out": []}
        assert page.evaluate(SMALL) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.evaluate(OUTSIDE) == {"sideways": 0, "out": []}
    page.evaluate(axe())
    assert complaints(page) == []
    page.emulate_media(color_scheme="dark")
    assert complaints(page) == []


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_people_who_do_not_want_it(people: People, client: Client, motion: str) -> None:
    me = people.new(reduced_motion=motion)
    sits(me.page, friends(client, "grid")[1])
    me.page.evaluate("document.addEventListener('transitionrun', () => (document.body.dataset.moved = 'yes'))")
    me.choices("grid", "2,2")[0].click()
    expect(me.region("Board").get_by_role("button", name="Row 2, column 2: ")).to_have_class("card open last")
    if motion == "no-preference":
        expect(me.page.locator("body")).to_have_attribute("data-moved", "yes")
    else:
        assert me.page.evaluate("document.getAnimations().length") == 0
        assert me.page.evaluate("document.body.dataset.moved") is None


def test_the_colours_can_be_chosen_and_stay(people: People) -> None:
    me = people.new(color_scheme="light")
    me.page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = me.page.evaluate(ground)
    for colours in ("light", "dark"):
        me.button(f"Change to {colours}", exact=False).click()
    expect(me.button("Colours: dark", exact=False)).to_be_visible()
    dark = me.page.evaluate(ground)
    assert dark != light
    me.page.reload()
    assert me.page.evaluate(ground) == dark
    me.button("Change to as your system", exact=False).click()
    assert me.page.evaluate(ground) == light


def test_a_visit_takes_less_than_a_hundred_kilobytes(me: Person, client: Client) -> None:
    match = me.starts("Two at this screen", "mystic")
    seen = len(client.look(match).history)
    assert seen > 0
    me.resigns()
    me.page.get_by_role("link", name="Review the game").click()
    expect(me.page.get_by_role("slider")).to_be_visible()
    taken = me.page.evaluate(
        "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".map((one) => [new URL(one.name).host, one.encodedBodySize])"
    )
    assert {host for host, _ in taken} == {me.host}
    assert 20_000 < sum(size for _, size in taken) < 100_000


LOOKS = """(one) => ['background-color', 'outline-style'].map((name) => getComputedStyle(one).getPropertyValue(name))"""


def test_in_forced_colours_a_switch_shows_how_it_stands_and_the_trail_stays(people: People, client: Client) -> None:
    me = people.new(forced_colors="active")
    sits(me.page, client.create("sumquest", opponent="easy", name="Ann"))
    coach = me.page.get_by_role("switch", name="Coach")
    off = coach.evaluate(LOOKS)
    coach.check()
    assert coach.evaluate(LOOKS) != off
    me.page.get_by_role("button", name="5: ").click()
    stones = me.page.get_by_role("img", name="The sum is ").locator("span")
    expect(stones.first).to_have_class(re.compile("done"))
    done, ahead = (stones.nth(at).evaluate(LOOKS) for at in (0, 20))
    assert done != ahead


def test_in_forced_colours_the_bars_of_a_review_are_seen(people: People, client: Client) -> None:
    me = people.new(forced_colors="active")
    review(me.page, client)
    bar = me.page.locator(".worths .gauge").first
    assert bar.evaluate(LOOKS) != bar.locator("i").evaluate(LOOKS)
