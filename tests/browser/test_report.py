"""A report in a real browser: it asks for nothing, nothing goes wrong in it, and it fits on a phone and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import numberquest as nq
from numberquest.evaluate.report.evaluation import evaluation_report
from numberquest.evaluate.report.league import league_report
from tests.conftest import in_ci
from tests.evaluate.test_report import HOSTILE, evaluated, in_league

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

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


@in_ci
@pytest.mark.parametrize("what", ["evaluate", "league"])
@pytest.mark.parametrize("name", ["me", HOSTILE])
def test_a_report_opens_without_a_network_light_dark_small_and_on_paper(
    what: str, name: str, browser: Browser, tmp_path: Path
) -> None:
    game = nq.game("sumquest")
    file = tmp_path / "report.html"
    if what == "evaluate":
        file.write_text(evaluation_report(game, evaluated(game, name)))
    else:
        file.write_text(league_report(game, in_league(game, [name, "random", "hard"])))
    asked: list[str] = []
    trouble: list[str] = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme, offline=True)
        context.on("request", lambda request: asked.append(request.url))
        context.on("console", lambda said: trouble.append(said.text))
        context.on("weberror", lambda error: trouble.append(str(error.error)))
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.evaluate(FAINT) == []
        for width in (320, 375, 1000):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(WIDE), width
        page.emulate_media(media="print")
        # On paper it is dark on white, whatever the screen is.
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate(FAINT) == []
        context.close()
    assert set(asked) == {file.as_uri()}
    assert trouble == []
