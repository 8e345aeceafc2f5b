"""What is made to be printed, in a real browser: handouts and worksheets on both usual papers, without a script."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from numberquest.games import game
from numberquest.puzzle import puzzle_game, puzzles
from numberquest.solver import solve
from numberquest.terminal.handout import handout
from numberquest.terminal.worksheet import worksheet

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def sheet() -> str:
    rules = puzzle_game("grid")
    solution = solve(rules)
    return worksheet(list(islice(puzzles(rules, 7, solution), 4)), solution)


@pytest.mark.parametrize("what", ["handout", "worksheet"])
def test_paper_of_both_sizes_has_the_answers_on_a_page_of_their_own(
    what: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "paper.html"
    file.write_text(handout(game("grid", stand=True), "Player 2 wins") if what == "handout" else sheet())
    asked: list[str] = []
    context = browser.new_context(java_script_enabled=False)
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(file.as_uri())
    for size in ("A4", "Letter"):
        printed = page.pdf(format=size)
        # Two: what is for everybody, and what is not.
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2, size
    for width in (320, 900):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(WIDE), width
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('.page')).breakBefore") == "page"
    assert asked == [file.as_uri()]
    context.close()
