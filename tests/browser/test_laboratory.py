"""The laboratory: a teacher picks a game and its rules, and sees what they do."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import numberquest as nq
from numberquest.lab.measures import measure
from tests.browser.people import Person


def figure(visitor: Person, label: str) -> str:
    """What stands beside a measure."""
    row = visitor.page.get_by_role("listitem").filter(has=visitor.page.get_by_role("heading", name=label, exact=True))
    return row.locator(".figure").inner_text()


def test_a_teacher_changes_a_rule_and_sees_what_it_does(visitor: Person) -> None:
    page = visitor.page
    page.goto("/")
    page.get_by_role("link", name="Laboratory").click()
    expect(page.get_by_role("heading", name="Laboratory", level=1)).to_be_focused()
    page.get_by_label("Game", exact=True).select_option("sumquest")
    page.get_by_label("The sum to reach").fill("12")
    page.get_by_label("Player 1 plays").select_option("hard")
    page.get_by_label("Player 2 plays").select_option("easy")
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("heading", name=re.compile("Race to 12, hard against easy"))).to_be_visible()
    expect(page.locator(".result")).to_contain_text("The sum to reach: 12")
    known = measure(nq.game("sumquest", target=12), ("hard", "easy"))
    assert known.value is not None
    assert known.length is not None
    assert known.gain is not None
    assert figure(visitor, "Player 1’s share") == f"{100 * known.value:.1f} %"
    assert figure(visitor, "Moves in a game") == f"{known.length:.1f}"
    assert figure(visitor, "perfect over random") == f"{100 * known.gain:.1f} %"
    # What cannot be told says why.
    row = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Fairest head start"))
    expect(row).to_contain_text("Cannot be told: there are no points in this game")
    # The address says what was measured, and shows it again.
    shared = page.url
    assert "target%3D12" in shared
    page.goto("/")
    page.goto(shared)
    expect(page.get_by_role("heading", name=re.compile("hard against easy"))).to_be_visible()
    expect(page.get_by_label("The sum to reach")).to_have_value("12")
    # And what was measured can be played.
    page.get_by_role("button", name="Play this").click()
    visitor.waits_for_the_board()
    expect(page.get_by_role("heading", name="Race to 12")).to_be_visible()


def test_it_works_with_the_keyboard_alone_and_refuses_in_a_sentence(visitor: Person) -> None:
    visitor.forgive("status of 4")
    page = visitor.page
    page.goto("/laboratory#game=showdown&settings=picks%3D3+high%3D3")
    expect(page.get_by_text("Worked out exactly")).to_be_visible()
    page.get_by_label("Game", exact=True).focus()
    page.keyboard.type("Sum")
    page.keyboard.press("Tab")
    expect(page.get_by_label("The sum to reach")).to_be_focused()
    page.keyboard.type("15")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("medium against medium"))).to_be_visible()
    assert "game=sumquest" in page.url
    page.goto("/laboratory#game=sumquest&settings=target%3D2000")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Target must be a whole number from 2 to 999")


def test_nobody_who_only_plays_fetches_it(visitor: Person) -> None:
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.goto("/")
    expect(visitor.page.get_by_role("link", name="Laboratory")).to_be_visible()
    assert not [url for url in asked if "laboratory" in url or "more.js" in url or "measures" in url]
