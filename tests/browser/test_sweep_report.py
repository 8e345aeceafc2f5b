"""A report of the laboratory in a real browser: by mouse and by keys, small, dark, on paper, and offline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from numberquest.terminal.design import DesignOptions, designed
from numberquest.terminal.sweep import SweepOptions, swept
from tests.browser.test_report import FAINT, WIDE
from tests.conftest import in_ci

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.people import People


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    swept(SweepOptions("sumquest", ["target=10..25", "high=all"], "length", report=str(file), server="http://x.test"))
    return file


def test_sliders_map_and_keys_say_the_same(report: Path, browser: Browser) -> None:
    context = browser.new_context(offline=True)
    trouble: list[str] = []
    context.on("console", lambda said: trouble.append(said.text))
    context.on("weberror", lambda error: trouble.append(str(error.error)))
    page = context.new_page()
    page.goto(report.as_uri())
    chosen = page.locator("#chosen")
    # The classic rules at first.
    expect(chosen.get_by_role("heading")).to_have_text("target=23 high=9")
    expect(chosen).to_contain_text("first1 6")
    page.get_by_role("slider", name=re.compile("target")).press("ArrowLeft")
    expect(chosen.get_by_role("heading")).to_have_text("target=22 high=9")
    expect(chosen).to_contain_text("value0 %")
    page.get_by_role("application").press("ArrowUp")
    page.get_by_role("application").press("ArrowRight")
    expect(chosen.get_by_role("heading")).to_have_text("target=23 high=8")
    expect(chosen.locator("code")).to_have_text("numberquest play sumquest --set high=8")
    expect(chosen.get_by_role("link", name="Play this")).to_have_attribute(
        "href", "http://x.test/#game=sumquest&high=8"
    )
    page.locator(".map rect").first.click()
    expect(chosen.get_by_role("heading")).to_have_text("target=10 high=2")
    expect(page.locator(".map svg text", has_text=re.compile("^P2$")).first).to_be_visible()
    page.get_by_label("Coloured by").select_option("length")
    expect(page.locator(".legend")).to_contain_text("how many moves a game takes")
    page.get_by_label("Across").select_option("high")
    expect(page.get_by_label("Down")).to_have_value("target")
    expect(page.get_by_role("button", name="Copy")).to_have_count(11)
    assert trouble == []
    context.close()


def test_one_setting_alone_is_drawn_as_a_line_that_can_be_clicked(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "line.html"
    swept(SweepOptions("sumquest", ["target=20..25"], report=str(file)))
    context = browser.new_context(offline=True)
    trouble: list[str] = []
    context.on("weberror", lambda error: trouble.append(str(error.error)))
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator(".map circle")).to_have_count(6)
    expect(page.locator("#chosen").get_by_role("heading")).to_have_text("target=23 high=9")
    page.locator(".map rect").nth(2).click()
    expect(page.locator("#chosen").get_by_role("heading")).to_have_text("target=22 high=9")
    page.get_by_role("application").press("ArrowDown")
    page.get_by_role("application").press("ArrowLeft")
    expect(page.locator("#chosen").get_by_role("heading")).to_have_text("target=21 high=9")
    assert trouble == []
    context.close()


@in_ci
@pytest.mark.parametrize("what", ["sweep", "design"])
def test_a_report_opens_without_a_network_light_dark_small_and_on_paper(
    what: str, report: Path, browser: Browser, tmp_path: Path
) -> None:
    file = report
    if what == "design":
        file = tmp_path / "design.html"
        sets = ["target=5..12", "high=3,4", "copies=1"]
        designed(DesignOptions("mystic", fair="0.05", skill="0.2", set=sets, report=str(file)))
    asked: list[str] = []
    trouble: list[str] = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme, offline=True)
        context.on("request", lambda request: asked.append(request.url))
        context.on("console", lambda said: trouble.append(said.text))
        context.on("weberror", lambda error: trouble.append(str(error.error)))
        page = context.new_page()
        page.goto(file.as_uri())
        for width in (320, 375, 1000):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(WIDE), width
        # What stands in the cells of the map is black or white, whichever can be read there.
        page.evaluate("document.querySelectorAll('.map, .picture').forEach((one) => one.remove())")
        assert page.evaluate(FAINT) == []
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate(FAINT) == []
        context.close()
    assert set(asked) == {file.as_uri()}
    assert trouble == []


def test_without_scripts_the_ten_and_the_map_are_there_all_the_same(report: Path, browser: Browser) -> None:
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    expect(page.get_by_role("listitem")).to_have_count(10)
    expect(page.get_by_role("img")).to_have_count(1)
    context.close()


def test_play_this_leads_to_the_house_rules_and_starts_nothing_by_itself(people: People) -> None:
    me = people.new()
    me.page.goto("/#game=fifty&target=30&ops=%2B-")
    form = me.page.get_by_role("dialog", name="Number Quest: Fifty")
    expect(form.get_by_role("spinbutton", name=re.compile("score", re.IGNORECASE)).first).to_have_value("30")
    expect(form.get_by_role("checkbox", name="÷")).not_to_be_checked()
    expect(form.get_by_role("checkbox", name="−")).to_be_checked()
    form.get_by_role("button", name="Start").click()
    me.waits_for_the_board()
    changed = "the score to reach: 30; the operations that may be used: + −"
    expect(me.page.get_by_role("main")).to_contain_text(f"House rules: {changed}")
