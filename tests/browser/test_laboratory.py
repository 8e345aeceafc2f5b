"""The laboratory and its map of all rules: what a teacher and a designer see there, and how fair house rules are."""

import re

import pytest
from playwright.sync_api import expect

import numberquest as nq
from numberquest.study.measures import measure
from tests.browser.people import Person

MAP = re.compile("Map of the rule sets")


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


def test_it_opens_where_choices_matter_and_compares_two_rule_sets(visitor: Person) -> None:
    page = visitor.page
    page.goto("/laboratory")
    expect(page.get_by_label("Game", exact=True)).to_have_value("mystic")
    expect(page.get_by_text("Worked out exactly")).to_be_visible()
    page.get_by_label("Game", exact=True).select_option("grid")
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("heading", name=re.compile("Grid, medium against medium"))).to_be_visible()
    page.get_by_role("button", name="Compare with other rules").click()
    page.get_by_label("A player may stand").check()
    page.get_by_role("button", name="Measure").click()
    expect(page.locator(".scales figcaption")).to_have_count(2)
    skill = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Skill", exact=True))
    assert skill.locator(".figure").all_inner_texts() == ["A: 0.0 %", "B: 24.6 %"]
    # What is good for a player has that player's colour.
    bars = (
        page.get_by_role("listitem")
        .filter(has=page.get_by_role("heading", name="Advantage of Player 1"))
        .locator(".bar")
    )
    expect(bars.first).to_have_class(re.compile(r"\btwo\b"))
    # The address alone shows both again.
    shared = page.url
    page.goto("/")
    page.goto(shared)
    expect(page.locator(".scales figcaption")).to_have_count(2)
    page.get_by_role("button", name="Stop comparing").click()
    expect(page.locator(".scales figcaption")).to_have_count(1)
    assert "beside" not in page.url


def test_what_takes_too_long_is_never_a_dead_end(visitor: Person) -> None:
    visitor.forgive("status of 4")
    page = visitor.page
    page.route("**/api/measures?**", lambda _: None)
    page.goto("/laboratory#game=fifty&settings=target%3D60+ops%3D%2B*&players=medium,medium")
    # What the atlas knows is there at once, and so is the command that takes as long as it takes.
    expect(page.locator(".found")).to_contain_text("With best play Player 1 always wins.")
    expect(page.locator(".found code")).to_have_text(
        "numberquest measure fifty --set target=60 --set 'ops=+*' --players medium,medium"
    )
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_have_text("Cancelled.")
    expect(page.locator(".found")).to_contain_text("With best play Player 1 always wins.")
    page.unroute("**/api/measures?**")
    page.route(
        "**/api/measures?**", lambda route: route.fulfill(status=422, json={"code": "too-large", "error": "Too large."})
    )
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("alert")).to_have_text(
        "To measure these rules takes more than this server gives to one question."
    )
    expect(page.locator(".found code")).to_be_visible()


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


@pytest.mark.everywhere
def test_a_designer_finds_fair_rules_on_the_map_sees_why_and_plays_them(visitor: Person) -> None:
    page = visitor.page
    page.goto("/laboratory#game=sumquest")
    page.get_by_role("link", name="The map of all rules").click()
    expect(page.get_by_role("heading", name="Atlas", level=1)).to_be_focused()
    page.get_by_label("Game", exact=True).select_option("grid")
    chosen = page.get_by_role("region", name="The chosen rules")
    expect(chosen).to_contain_text("With best play Player 1 wins 41 of 100 games.")
    # Nobody is told how to begin who does not ask for it.
    expect(chosen.get_by_text("Best is")).to_be_hidden()
    page.get_by_role("button", name="target 18, side 3, stand yes: 50 %").click()
    expect(page.get_by_role("slider", name="The total to reach")).to_have_value("16")
    expect(chosen).to_contain_text("Fair: with best play each wins 50 of 100 games.")
    assert "settings=target%3D18+stand%3Dyes" in page.url
    page.get_by_role("button", name="Why?").click()
    expect(chosen.get_by_role("heading", name="If both play as well as they can")).to_be_visible()
    expect(chosen.get_by_role("listitem").filter(has_text="Player 1 opens")).not_to_have_count(0)
    # The address alone shows it again.
    shared = page.url
    page.goto("/")
    page.goto(shared)
    expect(chosen).to_contain_text("Fair: with best play each wins 50 of 100 games.")
    page.get_by_role("button", name="Play this").click()
    visitor.waits_for_the_board()
    expect(page.get_by_text("the total to reach: 18").first).to_be_visible()


def test_the_map_is_gone_through_with_the_keyboard_and_read_as_a_table(visitor: Person) -> None:
    page = visitor.page
    page.goto("/atlas#game=sumquest")
    chosen = page.get_by_role("region", name="The chosen rules")
    expect(chosen.get_by_role("heading", name="target 23, high 9")).to_be_visible()
    page.get_by_role("application", name=MAP).focus()
    page.keyboard.press("ArrowLeft")
    expect(chosen.get_by_role("heading", name="target 22, high 9")).to_be_visible()
    expect(chosen).to_contain_text("With best play Player 2 always wins.")
    page.get_by_text("How to begin").click()
    expect(chosen).to_contain_text("Every first move loses against best play.")
    page.get_by_role("application", name=MAP).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowRight")
    expect(chosen.get_by_role("heading", name="target 32, high 8")).to_be_visible()
    page.get_by_text("This map as a table").click()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="22", exact=True))
    assert row.get_by_role("cell").all_inner_texts() == ["Player 1 wins"] * 7 + ["Player 2 wins"]
    page.get_by_label("Coloured by").select_option("length")
    expect(row.get_by_role("cell").last).to_have_text(re.compile(r"^\d\.\d+$"))
    assert "by=length" in page.url


def test_a_click_on_the_map_chooses_and_rules_that_cannot_be_are_passed_over(visitor: Person) -> None:
    page = visitor.page
    page.goto("/atlas#game=showdown&settings=high%3D5+picks%3D4")
    chosen = page.get_by_role("region", name="The chosen rules")
    expect(chosen.get_by_role("heading", name="high 5, picks 4")).to_be_visible()
    expect(chosen).to_contain_text("With best play Player 2 always wins.")
    page.get_by_role("slider", name="The largest number").fill("1")
    # What another setting bounds goes along with it.
    expect(chosen.get_by_role("heading", name="high 3, picks 3")).to_be_visible()
    page.get_by_role("application", name=MAP).focus()
    page.keyboard.press("ArrowRight")
    expect(chosen.get_by_role("heading", name="high 3, picks 3")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(chosen.get_by_role("heading", name="high 4, picks 4")).to_be_visible()
    # The first cell: the words take so much room at the left and above.
    page.locator(".map svg").click(position={"x": 60, "y": 26})
    expect(chosen.get_by_role("heading", name="high 2, picks 1")).to_be_visible()


def test_house_rules_say_at_once_how_fair_they_are_and_not_how_to_win(visitor: Person) -> None:
    page = visitor.page
    page.goto("/")
    page.get_by_role("button", name="House rules: Grid").click()
    dialog = page.get_by_role("dialog")
    fair = dialog.locator(".fair")
    expect(fair).to_contain_text("With best play Player 1 wins 41 of 100 games.")
    dialog.get_by_label("A player may stand").check()
    expect(fair).to_contain_text("Nearly fair: with best play Player 1 wins 49.6 of 100 games.")
    expect(fair).to_contain_text("A game takes about 5 moves.")
    dialog.get_by_label("The total to reach").fill("18")
    expect(fair).to_contain_text("Fair: with best play each wins 50 of 100 games.")
    # Of what cannot be, nothing new is said.
    dialog.get_by_label("The total to reach").fill("1800")
    expect(fair).to_contain_text("Fair: with best play each wins 50 of 100 games.")
    dialog.get_by_label("The total to reach").fill("27")
    dialog.get_by_label("A player may stand").uncheck()
    expect(fair).to_contain_text("Fair: with best play each wins 50 of 100 games.")
    # Who wins is told to those who ask, and so is where more stands.
    fair.get_by_text("Who wins with best play?").click()
    fair.get_by_role("link", name="All rules on a map").click()
    expect(page.get_by_role("heading", name="target 27, side 3, stand no")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_nobody_who_only_plays_fetches_the_map_or_the_laboratory(visitor: Person) -> None:
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.goto("/")
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    later = ("atlas", "fairness", "laboratory", "more.js", "measures")
    assert not [url for url in asked if any(word in url for word in later)]
    visitor.page.goto("/atlas#game=grid")
    expect(visitor.page.get_by_role("heading", name="target 15, side 3, stand no")).to_be_visible()
    assert [url for url in asked if url.endswith("/api/atlas?game=grid")]
