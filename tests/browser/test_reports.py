"""Reports and papers in a real browser: by mouse and by keys, small, dark, on paper, offline, and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import numberquest as nq
from numberquest.explain.puzzle import puzzle_game, puzzles
from numberquest.report.html import html
from numberquest.report.worksheet import worksheet
from numberquest.study.evaluation_report import evaluation_report
from numberquest.study.league_report import league_report
from numberquest.terminal.commands.design import DesignOptions, designed
from numberquest.terminal.commands.rules import handout
from numberquest.terminal.commands.sweep import SweepOptions, swept
from tests.browser.people import Person
from tests.conftest import in_ci
from tests.study.test_report import HOSTILE, evaluated, in_league

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
FAINT = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = light(getComputedStyle(document.documentElement).backgroundColor);
  return [...document.querySelectorAll('p, td, th, figcaption, a, svg text')].filter((one) => {
    const style = getComputedStyle(one);
    const text = light(one.namespaceURI.endsWith('svg') ? style.fill : style.color);
    return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05) < 4.5;
  }).map((one) => one.textContent);
}"""


@contextmanager
def opened(browser: Browser, file: Path, **wishes: Any) -> Iterator[Page]:
    """The file in a browser without a network: it asks for nothing else, and nothing goes wrong in it."""
    context = browser.new_context(offline=True, **wishes)
    asked: list[str] = []
    trouble: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda said: trouble.append(said.text))
    context.on("weberror", lambda error: trouble.append(str(error.error)))
    page = context.new_page()
    page.goto(file.as_uri())
    yield page
    assert set(asked) == {file.as_uri()}
    assert trouble == []
    context.close()


def evaluation(name: str) -> Callable[[Path], object]:
    game = nq.game("sumquest")
    return lambda file: file.write_text(html(evaluation_report(game, evaluated(game, name))))


def league(name: str) -> Callable[[Path], object]:
    game = nq.game("sumquest")
    return lambda file: file.write_text(html(league_report(game, in_league(game, [name, "random", "hard"]))))


def sweep(file: Path) -> None:
    sets = ["target=10..25", "high=all"]
    swept(SweepOptions("sumquest", sets, measure="length", report=str(file), server="http://x.test"))


def design(file: Path) -> None:
    sets = ["target=5..12", "high=3,4", "copies=1"]
    designed(DesignOptions("mystic", fair="0.05", skill="0.2", set=sets, report=str(file)))


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    sweep(file)
    return file


@in_ci
@pytest.mark.parametrize(
    "written",
    [evaluation("me"), evaluation(HOSTILE), league("me"), league(HOSTILE), sweep, design],
    ids=["evaluation", "hostile-evaluation", "league", "hostile-league", "sweep", "design"],
)
def test_a_report_opens_without_a_network_light_dark_small_and_on_paper(
    written: Callable[[Path], object], browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    written(file)
    for scheme in ("light", "dark"):
        with opened(browser, file, color_scheme=scheme) as page:
            for width in (320, 375, 1000):
                page.set_viewport_size({"width": width, "height": 700})
                assert page.evaluate(WIDE), width
            # What stands in the cells of a map is black or white, whichever can be read there.
            page.evaluate("document.querySelectorAll('.map, .picture').forEach((one) => one.remove())")
            assert page.evaluate(FAINT) == []
            page.emulate_media(media="print")
            # On paper it is dark on white, whatever the screen is.
            assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
            assert page.evaluate(FAINT) == []


def test_sliders_map_and_keys_say_the_same(report: Path, browser: Browser) -> None:
    with opened(browser, report) as page:
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


def test_one_setting_alone_is_drawn_as_a_line_that_can_be_clicked(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "line.html"
    swept(SweepOptions("sumquest", ["target=20..25"], report=str(file)))
    with opened(browser, file) as page:
        expect(page.locator(".map circle")).to_have_count(6)
        expect(page.locator("#chosen").get_by_role("heading")).to_have_text("target=23 high=9")
        page.locator(".map rect").nth(2).click()
        expect(page.locator("#chosen").get_by_role("heading")).to_have_text("target=22 high=9")
        page.get_by_role("application").press("ArrowDown")
        page.get_by_role("application").press("ArrowLeft")
        expect(page.locator("#chosen").get_by_role("heading")).to_have_text("target=21 high=9")


def test_without_scripts_the_ten_and_the_map_are_there_all_the_same(report: Path, browser: Browser) -> None:
    with opened(browser, report, java_script_enabled=False) as page:
        expect(page.get_by_role("listitem")).to_have_count(10)
        expect(page.get_by_role("img")).to_have_count(1)


def test_play_this_leads_to_the_house_rules_and_starts_nothing_by_itself(me: Person) -> None:
    me.page.goto("/#game=fifty&target=30&ops=%2B-")
    form = me.page.get_by_role("dialog", name="Number Quest: Fifty")
    expect(form.get_by_role("spinbutton", name=re.compile("score", re.IGNORECASE)).first).to_have_value("30")
    expect(form.get_by_role("checkbox", name="÷")).not_to_be_checked()
    expect(form.get_by_role("checkbox", name="−")).to_be_checked()
    form.get_by_role("button", name="Start").click()
    me.waits_for_the_board()
    changed = "the score to reach: 30; the operations that may be used: + −"
    expect(me.page.get_by_role("main")).to_contain_text(f"House rules: {changed}")


def sheet() -> str:
    rules = puzzle_game("grid")
    solution = nq.solve(rules)
    return worksheet(list(islice(puzzles(rules, 7, solution), 4)), solution)


@pytest.mark.parametrize("what", ["handout", "worksheet"])
def test_paper_of_both_sizes_has_the_answers_on_a_page_of_their_own(
    what: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "paper.html"
    file.write_text(handout(nq.game("grid", stand=True), "Player 2 wins") if what == "handout" else sheet())
    with opened(browser, file, java_script_enabled=False) as page:
        for size in ("A4", "Letter"):
            printed = page.pdf(format=size)
            # Two: what is for everybody, and what is not.
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2, size
        for width in (320, 900):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(WIDE), width
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.querySelector('.page')).breakBefore") == "page"
