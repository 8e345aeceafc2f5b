"""`puzzle --sheet FILE`: puzzles on paper, the same ones as on the screen, and their answers apart from them."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest

from numberquest.core.registry import GAMES, game
from numberquest.explain import puzzle as facts
from numberquest.explain.puzzle import puzzle_game, puzzles
from numberquest.solver import solve
from numberquest.terminal.commands.worksheet import worksheet
from tests.own.files import LAST, written
from tests.terminal.paper import Page
from tests.terminal.session import piped

ANSWERS = "Answers. "


def sheet(path: Path, *arguments: str) -> str:
    """The sheet that these arguments make."""
    done = piped(["puzzle", *arguments, "--sheet", str(path)])
    assert (done.returncode, done.stdout) == (0, "")
    return path.read_text()


@pytest.mark.parametrize("slug", ["sumquest", "grid"])
def test_every_puzzle_is_on_the_sheet_and_every_answer_after_all_of_them(slug: str) -> None:
    rules = puzzle_game(slug)
    solution = solve(rules)
    found = list(islice(puzzles(rules, 7, solution), 6))
    text = worksheet(found, solution)
    page = Page(text)
    page.check_alone()
    assert page.tags.count("article") == len(found)
    asked, _, answered = text.partition(ANSWERS)
    assert 'class="page"' in asked.splitlines()[-2] + asked.splitlines()[-1]
    assert re.search(r"\.page \{ break-before: page;", text)
    for puzzle in found:
        assert puzzle.id not in asked
        assert f"<td>{facts.named(puzzle, puzzle.answer)}</td>" in answered
        assert f"<td>{puzzle.id}</td>" in answered
    for line in rules.told(rules.rules).split("\n"):
        assert line in page.text


def test_a_board_is_drawn_with_what_lies_open() -> None:
    rules = puzzle_game("grid")
    solution = solve(rules)
    found = next(puzzles(rules, 7, solution))
    drawn = re.search(r'<table class="cells">(.*?)</table>', worksheet([found], solution))
    assert drawn is not None
    assert drawn[1].count("<tr>") == 3
    assert re.findall("<td>(.*?)</td>", drawn[1]) == [str(cell or "") for cell in found.position.cells]


def test_the_sheet_has_the_puzzles_that_the_screen_has(tmp_path: Path) -> None:
    asked = ["sumquest", "--seed", "7", "--count", "5"]
    data = json.loads(piped(["puzzle", *asked, "--json"]).stdout)
    text = sheet(tmp_path / "sheet.html", *asked)
    assert re.findall(r"<td>(sumquest-7-\d+)</td>", text) == [each["id"] for each in data]
    assert "from the seed 7" in text
    assert sheet(tmp_path / "again.html", *asked) == text


def test_a_sheet_of_somebody_s_own_game_and_of_changed_rules(tmp_path: Path) -> None:
    text = sheet(tmp_path / "own.html", written(tmp_path, LAST), "--count", "2")
    assert "Who takes the last: 2 puzzles" in text
    text = sheet(tmp_path / "changed.html", "sumquest", "--set", "target=30", "--count", "2")
    assert "exactly 30 and you win" in text


def test_a_sheet_is_written_over_no_file_unless_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    path.write_text("mine")
    asked = ["puzzle", "sumquest", "--seed", "1", "--sheet", str(path)]
    done = piped(asked)
    assert (done.returncode, path.read_text()) == (2, "mine")
    assert "exists already" in done.stderr
    assert piped([*asked, "--force"]).returncode == 0
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix not in ("", ".py")) == ["sheet.html"]


@pytest.mark.parametrize("slug", GAMES.own)
def test_moves_on_paper_are_those_of_the_game(slug: str) -> None:
    # The fields of the view are all there, whatever a game shows.
    rules = puzzle_game(slug) if slug != "fifty" else game("fifty", target=12, high=4, copies=1)
    solution = solve(rules)
    found = next(puzzles(rules, 3, solution))
    page = Page(worksheet([found], solution))
    for field in rules.view:
        assert field.kind == "cells" or field.label in page.text
