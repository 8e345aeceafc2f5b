"""The command `puzzle`: a position in the words of its game, one answer, the proof, the score; and on paper."""

import json
import os
import re
from collections.abc import Callable
from contextlib import redirect_stderr
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.explain import puzzle as facts
from numberquest.explain.puzzle import GRADES, daily_steps, puzzle, puzzle_game, puzzles
from numberquest.report.worksheet import worksheet
from numberquest.solver import solve
from numberquest.terminal.prompt.scores import PuzzleScores
from tests.own.files import LAST, written
from tests.terminal.paper import Page
from tests.terminal.session import Terminal, here, piped, told, without_colours

SUM = "sumquest-7-8"
"""A puzzle that is solved at once: the sum is 13, the right answer is found by the tests themselves."""


def answer_to(name: str) -> str:
    return puzzle(name).answer


def wrong_for(name: str) -> str:
    found = puzzle(name)
    return next(move for move in found.values if move not in found.answers)


def score_file(home: Path) -> Path:
    return home / ".local" / "share" / "numberquest" / "puzzles.json"


def test_a_right_answer_is_told_with_the_proof_and_counted(home: Path) -> None:
    answer = answer_to(SUM)
    done = piped(["puzzle", SUM], [answer])
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert f"Sum Quest: Race to 23, {GRADES[puzzle(SUM).grade - 1]} ({SUM})" in done.stdout
    assert "The game so far, Player 1 first: " in done.stdout
    assert "System: The current sum is " in done.stdout
    assert f"Right! {answer} is the only winning move." in done.stdout
    assert f"   wins  {answer}\n" in done.stdout
    assert "  loses  " in done.stdout
    assert f"{answer}: 11 + {answer} = 12. Leave 12: whatever they add, you can reach 23." in done.stdout
    assert done.stdout.endswith("Daily puzzles in a row: 0 days.\n")
    assert json.loads(score_file(home).read_text()) == {"answers": {SUM: puzzle(SUM).grade}, "days": {}}


def test_a_wrong_answer_is_told_with_what_refutes_it(home: Path) -> None:
    wrong = wrong_for(SUM)
    done = piped(["puzzle", SUM], [wrong], code=0)
    assert f"Not this time. The only winning move is {answer_to(SUM)}, not {wrong}." in done.stdout
    assert re.search(
        f"{wrong}: 11 [+] {wrong} = [0-9]+. The answer [0-9] (wins: .* = 23|leaves 18, from which)", done.stdout
    )
    assert "Solved so far: 0 of 1." in done.stdout
    assert json.loads(score_file(home).read_text())["answers"] == {SUM: 0}
    again = piped(["puzzle", SUM], [answer_to(SUM)])
    for words in ("You have tried this puzzle before: only the first try counts.", "Right!", "Solved so far: 0 of 1."):
        assert words in again.stdout


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["grid"], ["no choice matters", "Numbers that nobody has seen yet: ", "or stand: "]),
        (["showdown"], ["won by saying 45", "Available Numbers: ", "Shared Sequence: "]),
        (["fifty"], ["Current Score: ", "Player 1: ", "Player 2: ", "Select a number: "]),
        (
            ["mystic", "--set", "high=4", "--set", "target=12"],
            ["The rules are changed: target=12 high=4 copies=2", "Draw pile: ", "You drew a "],
        ),
    ],
)
def test_the_position_is_shown_in_the_words_of_its_game(arguments: list[str], shown: list[str]) -> None:
    done = piped(["puzzle", *arguments, "--seed", "7"], code=0)
    assert all(words in done.stdout for words in shown)
    # Nobody answered: that is no mistake, and the puzzle can be had again.
    assert re.search(r"The same puzzle again: .*numberquest puzzle ", done.stderr)
    assert piped(done.stderr.split("numberquest ", 1)[1].split()).stdout == done.stdout


def test_any_cell_answers_a_puzzle_whose_answer_is_to_open_one() -> None:
    found = next(each for each in puzzles(puzzle_game("grid"), 7) if len(each.answers) > 1)
    done = piped(["puzzle", found.id], [found.answers[-1]])
    assert "Right! Opening a cell is the best move." in done.stdout
    assert re.search(r"wins \d+ % of the games, and the next best, stand, \d+ %\.", done.stdout)


def test_the_words_at_the_prompt() -> None:
    shown = piped(["puzzle", SUM], ["help", "moves", "rules", "", "99", "show", answer_to(SUM)]).stdout
    assert "leave this one out" in shown
    assert "You can play " in shown
    assert nq.game("sumquest").rulings_told()["Q2"].split(",")[0] in " ".join(shown.split())
    assert "System: '99' cannot be chosen." in shown
    assert shown.count("The game so far") == 2
    assert "Right!" in shown
    answer = answer_to("fifty-7-2")
    shown = piped(["puzzle", "fifty-7-2"], [answer[:-1], "undo", answer]).stdout
    assert "Choose again.\nSelect a number: " in shown, "half a move can be chosen again"
    assert "Right!" in shown


def test_several_in_a_row_of_which_those_skipped_do_not_count_and_quit_stops(home: Path) -> None:
    asked = ["puzzle", "sumquest", "--seed", "7", "--count"]
    done = piped([*asked, "3"], ["skip", "quit"], code=0)
    assert done.stdout.count("The game so far") == 2
    assert done.stderr.count("The same puzzle again") == 2
    assert not score_file(home).exists()
    done = piped([*asked, "2"], [each.answer for each in islice(puzzles(nq.game("sumquest"), 7), 2)])
    assert done.stdout.count("Right!") == 2
    assert "Solved so far: 2 of 2" in done.stdout


@pytest.mark.parametrize(
    ("options", "answer", "words"), [([], answer_to, "Right!"), (["--plain"], wrong_for, "Not this time.")]
)
def test_at_a_terminal(options: list[str], answer: Callable[[str], str], words: str) -> None:
    terminal = Terminal(["puzzle", SUM, *options])
    terminal.answer(" Input: ", answer(SUM))
    shown = terminal.finish()
    assert terminal.code == 0
    assert ("\x1b[" in shown) == (not options)
    assert words in without_colours(shown)


@pytest.mark.parametrize(("key", "code"), [("c", 130), ("d", 0)])
def test_whoever_leaves_is_told_how_to_have_it_again(key: str, code: int) -> None:
    terminal = Terminal(["puzzle", SUM])
    terminal.wait_for(" Input: ")
    terminal.child.sendcontrol(key)
    assert f"numberquest puzzle {SUM}" in terminal.finish()
    assert terminal.code == code


FIELDS = {"id", "date", "game", "settings", "history", "player", "position"}
FIELDS |= {"values", "answer", "answers", "grade", "difficulty", "missed"}


def data(*arguments: str) -> Any:
    with redirect_stderr(StringIO()) as messages:
        found = json.loads(here("puzzle", *arguments, "--json"))
    assert told(messages.getvalue()) == ""
    return found


def test_as_data() -> None:
    found = data("fifty", "--seed", "7")
    assert set(found) == FIELDS
    assert found["settings"] == nq.game("fifty").settings
    assert [move for move, value in found["values"].items() if value == 1] == [found["answer"]] == found["answers"]
    assert found["difficulty"] == GRADES[found["grade"] - 1]
    assert found["date"] is None
    assert data(found["id"]) == found
    # Without a game one is picked, and the seed decides which.
    assert data("--seed", "4") == data("--seed", "4")
    assert [data("--seed", seed)["game"] for seed in ("2", "4", "8")] == ["grid", "fifty", "showdown"]


def test_as_a_list_of_data_that_is_the_same_in_python_and_not_longer_than_it_can_be() -> None:
    found = data("sumquest", "--seed", "7", "--count", "5")
    assert [each["id"] for each in found] == [each.id for each in islice(puzzles(nq.game("sumquest"), "7"), 5)]
    assert len(data("sumquest", "--count", "1")) == 1
    done = piped(["puzzle", "sumquest", "--set", "target=5", "--seed", "7", "--count", "1000", "--json"])
    assert done.stderr == f"No more puzzles than these {len(json.loads(done.stdout))} could be found.\n"


def test_the_daily_puzzle_of_another_day_does_not_count_for_the_streak(home: Path) -> None:
    found = data("--date", "2027-01-01")
    assert (found["id"], found["date"]) == ("sumquest-2027-01-01-1", "2027-01-01")
    assert found == data("--daily", "--date", "20270101") == data("sumquest", "--date", "2027-01-01")
    answers = [step.answer for step in daily_steps("2027-01-01", nq.game("sumquest"))]
    done = piped(["puzzle", "sumquest", "--date", "2027-01-01"], answers)
    assert done.stdout.count("Right!") == 3
    assert json.loads(score_file(home).read_text())["days"] == {}


def test_today_s_puzzle_begins_a_streak_and_counts_once(home: Path) -> None:
    today = datetime.now(UTC).date()
    file = score_file(home)
    file.parent.mkdir(parents=True)
    before = {(today - timedelta(days=days)).isoformat(): True for days in (1, 2)}
    file.write_text(json.dumps({"answers": {}, "days": before}))
    found = data("sumquest", "--daily")
    assert found["date"] == today.isoformat()
    steps = [step.answer for step in daily_steps(today.isoformat(), nq.game("sumquest"))]
    assert len(steps) == 3
    # A day counts when all of its three steps are found, at once or one after the other.
    done = piped(["puzzle", "sumquest", "--daily"], [steps[0], "skip", "quit"])
    assert re.findall(r", step (\d) of 3: ", done.stdout) == ["1", "2", "3"]
    assert "You have tried" not in done.stdout
    assert "Daily puzzles in a row: 2 days." in done.stdout
    assert json.loads(file.read_text())["days"] == before
    done = piped(["puzzle", "sumquest", "--daily"], ["skip", *steps[1:]])
    assert done.stdout.count("You have tried today's puzzle before: only the first try counts.") == 1
    assert "Daily puzzles in a row: 3 days." in done.stdout
    line = f"To share: Number Quest {today} 🟢🟢🟢 ★ 3 days in a row\n"
    assert done.stdout.count(line) == 1
    # Another puzzle of the same day cannot undo it.
    other = daily_steps(today.isoformat(), nq.game("sumquest", target=30))
    wrong = [next(move for move in step.values if move not in step.answers) for step in other]
    done = piped(["puzzle", "sumquest", "--daily", "--set", "target=30"], wrong)
    assert "Daily puzzles in a row: 3 days." in done.stdout
    assert json.loads(file.read_text())["days"] == {**before, today.isoformat(): True}


def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday_and_the_score_is_told_by_grade() -> None:
    scores = PuzzleScores({}, {"2026-11-13": True, "2026-11-15": True, "2026-11-16": True})
    assert [scores.streak(f"2026-11-{day}") for day in (16, 17, 18)] == [2, 2, 0]
    assert scores.with_answer("fifty-7-3", 4, False, "2026-11-17").streak("2026-11-17") == 0
    assert scores.with_answer("fifty-7-3", 4, True, "2026-11-17").streak("2026-11-17") == 3
    said = "Solved so far: 3 of 4 (1 very easy, 2 hard). Daily puzzles in a row: 1 day."
    scores = PuzzleScores({"a": 1, "b": 4, "c": 4, "d": 0}, {"2026-11-16": True})
    assert scores.in_words("2026-11-16") == said
    assert scores.to_share("2026-11-16", ["a", "d", "b"]) == "Number Quest 2026-11-16 🟢🔴🟢"


DAMAGED = [b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000, b'{"answers": {}}', b'{"answers": [], "days": {}}']
DAMAGED += [b'{"answers": {"a": 9}, "days": {}}', b'{"answers": {"a": true}, "days": {}}']
DAMAGED += [b'{"answers": {}, "days": {"monday": true}}']


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_score_is_put_aside_and_told_once(content: bytes, home: Path) -> None:
    file = score_file(home)
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    done = piped(["puzzle", SUM], [answer_to(SUM)], code=0)
    aside = Path(f"{file}.damaged")
    assert done.stderr == f"{file} was damaged: it is now {aside}, and the score starts anew.\n"
    assert aside.read_bytes() == content
    assert "Solved so far: 1 of 1" in done.stdout


def test_the_folder_is_the_user_s_choice_and_one_that_cannot_be_written_to_is_told_once(tmp_path: Path) -> None:
    piped(["puzzle", SUM], [answer_to(SUM)], {"XDG_DATA_HOME": str(tmp_path / "data")})
    assert os.listdir(tmp_path / "data" / "numberquest") == ["puzzles.json"], "nothing unfinished is left"
    (tmp_path / "file").write_text("")
    done = piped(["puzzle", SUM], [answer_to(SUM)], {"XDG_DATA_HOME": str(tmp_path / "file")}, code=0)
    assert done.stderr.count("\n") == 1
    assert "Right!" in done.stdout


def test_a_score_that_cannot_be_read_is_never_written_over(home: Path) -> None:
    file = score_file(home)
    file.mkdir(parents=True)
    said = told(piped(["puzzle", SUM], [answer_to(SUM)], code=0).stderr)
    assert said == f"{file} cannot be read (Is a directory), so this puzzle is not counted.\n"
    assert file.is_dir()


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
    # From easy to hard, with a number line to count on.
    found.sort(key=lambda each: each.grade)
    assert re.findall(r"<h3>[0-9]+\. (.*?)</h3>", text) == [GRADES[each.grade - 1].capitalize() for each in found]
    assert text.count('aria-label="A number line from 0 to ') == len(found)
    assert ">22<" not in text, "no number is written on top of the last one"
    assert page.tags.count("article") == len(found)
    asked, _, answered = text.partition("Answers. ")
    assert 'class="page"' in asked.splitlines()[-2] + asked.splitlines()[-1]
    assert re.search(r"\.page \{ break-before: page;", text)
    for each in found:
        assert each.id not in asked
        assert f"<td>{facts.named(each, each.answer)}</td>" in answered
        assert f"<td>{each.id}</td>" in answered
    for line in rules.told(rules.rules).split("\n"):
        assert line in page.text
    # A board is drawn with what lies open.
    for each, board in zip(found, re.findall('<table class="cells">(.*?)</table>', text), strict=slug == "grid"):
        assert board.count("<tr>") == 3
        assert re.findall("<td>(.*?)</td>", board) == [str(cell or "") for cell in each.position.cells]


def test_the_sheet_has_the_puzzles_that_the_screen_has(tmp_path: Path) -> None:
    asked = ["sumquest", "--seed", "7", "--count", "5"]
    text = sheet(tmp_path / "sheet.html", *asked)
    assert re.findall(r"<td>(sumquest-7-\d+)</td>", text) == [
        each["id"] for each in sorted(data(*asked), key=lambda each: each["grade"])
    ]
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


@pytest.mark.parametrize("slug", nq.GAMES.own)
def test_moves_on_paper_are_those_of_the_game(slug: str) -> None:
    # The fields of the view are all there, whatever a game shows.
    rules = puzzle_game(slug) if slug != "fifty" else nq.game("fifty", target=12, high=4, copies=1)
    solution = solve(rules)
    found = next(puzzles(rules, 3, solution))
    page = Page(worksheet([found], solution))
    for field in rules.view:
        assert field.kind == "cells" or field.label in page.text
