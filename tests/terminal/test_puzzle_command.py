"""The command `puzzle`: a position in the words of its game, one answer, the proof, the score."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import redirect_stderr
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.explain.puzzle import GRADES, daily_steps, puzzle, puzzle_game, puzzles
from numberquest.terminal.prompt.scores import PuzzleScores
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
    assert "every answer of your opponent loses." in done.stdout
    assert done.stdout.endswith("Daily puzzles in a row: 0 days.\n")
    assert json.loads(score_file(home).read_text()) == {"answers": {SUM: puzzle(SUM).grade}, "days": {}}


def test_a_wrong_answer_is_told_with_what_refutes_it(home: Path) -> None:
    wrong = wrong_for(SUM)
    done = piped(["puzzle", SUM], [wrong])
    assert done.returncode == 0
    assert f"Not this time. The only winning move is {answer_to(SUM)}, not {wrong}." in done.stdout
    assert f"After {wrong} your opponent wins with " in done.stdout
    assert "Solved so far: 0 of 1." in done.stdout
    assert json.loads(score_file(home).read_text())["answers"] == {SUM: 0}
    # Only the first answer to a puzzle counts.
    again = piped(["puzzle", SUM], [answer_to(SUM)])
    assert "Right!" in again.stdout
    assert "Solved so far: 0 of 1." in again.stdout


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["puzzle", "grid", "--seed", "7"], ["no choice matters", "Numbers that nobody has seen yet: ", "or stand: "]),
        (["puzzle", "showdown", "--seed", "7"], ["won by saying 45", "Available Numbers: ", "Shared Sequence: "]),
        (["puzzle", "fifty", "--seed", "7"], ["Current Score: ", "Player 1: ", "Player 2: ", "Select a number: "]),
        (
            ["puzzle", "mystic", "--set", "high=4", "--set", "target=12", "--seed", "7"],
            ["The rules are changed: target=12 high=4 copies=2", "Draw pile: ", "You drew a "],
        ),
    ],
)
def test_the_position_is_shown_in_the_words_of_its_game(arguments: list[str], shown: list[str]) -> None:
    done = piped(arguments)
    assert done.returncode == 0
    assert all(words in done.stdout for words in shown)
    # Nobody answered: that is no mistake, and the puzzle can be had again.
    assert re.search(r"The same puzzle again: .*numberquest puzzle ", done.stderr)
    again = piped(done.stderr.split("numberquest ", 1)[1].split())
    assert again.stdout == done.stdout


def test_any_cell_answers_a_puzzle_whose_answer_is_to_open_one() -> None:
    found = next(each for each in puzzles(puzzle_game("grid"), 7) if len(each.answers) > 1)
    done = piped(["puzzle", found.id], [found.answers[-1]])
    assert "Right! Opening a cell is the best move." in done.stdout
    assert re.search(r"wins \d+ % of the games, and the next best, stand, \d+ %\.", done.stdout)


def test_the_words_at_the_prompt() -> None:
    lines = ["help", "moves", "rules", "", "99", "show", answer_to(SUM)]
    done = piped(["puzzle", SUM], lines)
    assert "leave this one out" in done.stdout
    assert "You can play " in done.stdout
    assert nq.game("sumquest").rulings_told()["Q2"].split(",")[0] in " ".join(done.stdout.split())
    assert "System: '99' cannot be chosen." in done.stdout
    assert done.stdout.count("The game so far") == 2
    assert "Right!" in done.stdout


def test_half_a_move_can_be_chosen_again() -> None:
    answer = answer_to("fifty-7-2")
    done = piped(["puzzle", "fifty-7-2"], [answer[:-1], "undo", answer])
    assert "Choose again.\nSelect a number: " in done.stdout
    assert "Right!" in done.stdout


def test_skipped_puzzles_do_not_count_and_quit_stops(home: Path) -> None:
    done = piped(["puzzle", "sumquest", "--seed", "7", "--count", "3"], ["skip", "quit"])
    assert done.returncode == 0
    assert done.stdout.count("The game so far") == 2
    assert done.stderr.count("The same puzzle again") == 2
    assert not score_file(home).exists()


def test_several_in_a_row() -> None:
    first, second = (each for _, each in zip(range(2), puzzles(nq.game("sumquest"), 7), strict=False))
    done = piped(["puzzle", "sumquest", "--seed", "7", "--count", "2"], [first.answer, second.answer])
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


FIELDS = {
    "id", "date", "game", "settings", "history", "player", "position",
    "values", "answer", "answers", "grade", "difficulty", "missed",
}  # fmt: skip


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


def test_as_a_list_of_data_that_is_the_same_in_python() -> None:
    found = data("sumquest", "--seed", "7", "--count", "5")
    mine = [each for _, each in zip(range(5), puzzles(nq.game("sumquest"), "7"), strict=False)]
    assert [each["id"] for each in found] == [each.id for each in mine]
    assert len(data("sumquest", "--count", "1")) == 1


def test_more_than_there_are_is_told() -> None:
    done = piped(["puzzle", "sumquest", "--set", "target=5", "--seed", "7", "--count", "1000", "--json"])
    found = json.loads(done.stdout)
    assert done.stderr == f"No more puzzles than these {len(found)} could be found.\n"


def test_the_daily_puzzle_of_another_day() -> None:
    found = data("--date", "2027-01-01")
    assert (found["id"], found["date"]) == ("sumquest-2027-01-01-1", "2027-01-01")
    assert data("--daily", "--date", "20270101") == found
    assert data("sumquest", "--date", "2027-01-01") == found


def test_without_a_game_one_is_picked_and_the_seed_decides_which() -> None:
    assert data("--seed", "4") == data("--seed", "4")
    assert [data("--seed", seed)["game"] for seed in ("2", "4", "8")] == ["grid", "fifty", "showdown"]


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
    assert "Daily puzzles in a row: 2 days." in done.stdout
    assert json.loads(file.read_text())["days"] == before
    done = piped(["puzzle", "sumquest", "--daily"], ["skip", *steps[1:]])
    assert done.stdout.count("You have tried today's puzzle before") == 1
    assert "Daily puzzles in a row: 3 days." in done.stdout
    # Another puzzle of the same day cannot undo it.
    other = daily_steps(today.isoformat(), nq.game("sumquest", target=30))
    wrong = [next(move for move in step.values if move not in step.answers) for step in other]
    done = piped(["puzzle", "sumquest", "--daily", "--set", "target=30"], wrong)
    assert "Daily puzzles in a row: 3 days." in done.stdout
    assert json.loads(file.read_text())["days"] == {**before, today.isoformat(): True}


def test_another_day_s_puzzle_does_not_count_for_the_streak(home: Path) -> None:
    answers = [step.answer for step in daily_steps("2027-01-01", nq.game("sumquest"))]
    done = piped(["puzzle", "sumquest", "--date", "2027-01-01"], answers)
    assert done.stdout.count("Right!") == 3
    assert json.loads(score_file(home).read_text())["days"] == {}


def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday() -> None:
    days = {"2026-11-13": True, "2026-11-15": True, "2026-11-16": True}
    scores = PuzzleScores({}, days)
    assert scores.streak("2026-11-16") == 2
    assert scores.streak("2026-11-17") == 2
    assert scores.streak("2026-11-18") == 0
    assert scores.with_answer("fifty-7-3", 4, False, "2026-11-17").streak("2026-11-17") == 0
    assert scores.with_answer("fifty-7-3", 4, True, "2026-11-17").streak("2026-11-17") == 3


def test_the_score_is_told_by_grade() -> None:
    scores = PuzzleScores({"a": 1, "b": 4, "c": 4, "d": 0}, {"2026-11-16": True})
    said = "Solved so far: 3 of 4 (1 very easy, 2 hard). Daily puzzles in a row: 1 day."
    assert scores.in_words("2026-11-16") == said


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"answers": {}}',
        b'{"answers": {"a": 9}, "days": {}}',
        b'{"answers": {"a": true}, "days": {}}',
        b'{"answers": {}, "days": {"monday": true}}',
        b"[" * 100_000,
        b'{"answers": [], "days": {}}',
    ],
)
def test_a_damaged_score_is_put_aside_and_told_once(content: bytes, home: Path) -> None:
    file = score_file(home)
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    done = piped(["puzzle", SUM], [answer_to(SUM)])
    assert done.returncode == 0
    aside = Path(f"{file}.damaged")
    assert done.stderr == f"{file} was damaged: it is now {aside}, and the score starts anew.\n"
    assert aside.read_bytes() == content
    assert "Solved so far: 1 of 1" in done.stdout


def test_a_folder_that_cannot_be_written_to_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = piped(["puzzle", SUM], [answer_to(SUM)], {"XDG_DATA_HOME": str(tmp_path / "file")})
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "Right!" in done.stdout


def test_a_score_that_cannot_be_read_is_never_written_over(home: Path) -> None:
    file = score_file(home)
    file.mkdir(parents=True)
    done = piped(["puzzle", SUM], [answer_to(SUM)])
    assert (done.returncode, told(done.stderr)) == (
        0,
        f"{file} cannot be read (Is a directory), so this puzzle is not counted.\n",
    )
    assert file.is_dir()


def test_the_data_folder_is_the_user_s_choice_and_nothing_unfinished_is_left(tmp_path: Path) -> None:
    piped(["puzzle", SUM], [answer_to(SUM)], {"XDG_DATA_HOME": str(tmp_path / "data")})
    assert os.listdir(tmp_path / "data" / "numberquest") == ["puzzles.json"]
