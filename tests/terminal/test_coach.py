"""The coach and the hints: right, in plain words, counted, and never in the way of those who did not ask."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from numberquest.core.record import read
from tests.terminal.session import piped, sum_quest, way_on, without_colours


def test_the_coach_says_what_it_cost_what_was_best_and_why_and_is_silent_unless_asked() -> None:
    done = piped(["play", "sumquest", "--coach"], ["5", "7", "1", "quit"])
    assert re.findall("^Coach.*", done.stdout, re.MULTILINE) == [
        "Coach: 5 gave the win away. 0 + 5 = 5. The answer 7 leaves 12, from which every move loses. "
        "Best was 1 or 6: 0 + 1 = 1. Leave 1: whatever they add, you can leave 12."
    ]
    assert "Coach" not in piped(["play", "sumquest"], ["5", "8", "9", "1"]).stdout


def test_the_coach_speaks_of_people_s_moves_only() -> None:
    done = piped(["play", "sumquest", "--coach", "--p1", "random", "--seed", "4"], ["1", "2", "3", "4", "5", "quit"])
    assert "Computer (random) chooses" in done.stdout
    for line in re.findall("^Coach.*", done.stdout, re.MULTILINE):
        assert "The answer " in line or ": past 23" in line


def test_the_coach_goes_on_in_a_resumed_game() -> None:
    left = piped(["play", "sumquest"], ["1", "2", "quit"])
    resumed = piped([*way_on(left.stderr), "--coach"], ["1", "quit"])
    assert "Coach: 1 gave the win away" in resumed.stdout
    # Whoever had it has it in the next round and later, too.
    left = piped(["play", "sumquest", "--coach", "--rounds", "2"], ["9", "8", "6", "quit"])
    assert "Coach: 5 gave the win away" in piped(way_on(left.stderr), ["5", "quit"]).stdout


def test_a_hint_has_three_steps_and_starts_anew_after_a_move() -> None:
    done = piped(["play", "sumquest"], ["hint", "hint", "hint", "hint", "1", "hint", "quit"])
    assert re.findall("^Hint.*", done.stdout, re.MULTILINE) == [
        "Hint 1 of 3: There is a winning move. Type hint again for the move.",
        "Hint 2 of 3: Play 1: 0 + 1 = 1. Leave 1: whatever they add, you can leave 12. Type hint again for the proof.",
        "Hint 3 of 3: what comes of each move.",
        "Hint 3 of 3: what comes of each move.",
        "Hint 1 of 3: Every move loses; make it hard. Type hint again for the move.",
    ]
    assert "  1, 6: wins\n  2 to 5, 7 to 9: loses\n  Why 1? 0 + 1 = 1. Leave 1: " in done.stdout


def test_a_hint_is_given_at_every_question_of_a_turn() -> None:
    shown = piped(["play", "showdown"], ["hint", "yes", "hint", "45", "hint", "quit"]).stdout
    assert re.findall("^Hint (.) of 3", shown, re.MULTILINE) == ["1", "2", "1"]
    assert "predict 45" in shown
    asked = "Select a number to add to the sequence: hint\n"
    assert f"{asked}Hint 1 of 3: You are winning, and every move keeps" in shown


def test_hints_are_counted_in_the_record_and_kept_through_resume_and_undo(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    left = piped(["play", "sumquest", "--record", str(path)], ["hint", "hint", "1", "hint", "2", "hint", "quit"])
    assert read(path.read_bytes()).hints == (3, 1)
    assert '[Hints1 "3"]' in path.read_text()
    piped(way_on(left.stderr), ["hint", "hint", "hint", "hint", f"save {tmp_path}/x"])
    # The steps begin anew, and what is shown a second time does not count.
    assert read((tmp_path / "x").read_bytes()).hints == (6, 1)
    piped(["play", "sumquest"], ["hint", "1", "undo", "yes", "hint", f"save {tmp_path}/y"])
    assert read((tmp_path / "y").read_bytes()).hints == (2, 0)
    assert read('[Game "sumquest"]\n[Hints1 "many"]\n').hints == (0, 0)


@pytest.mark.parametrize("asked", [["hint", "1+", "quit"], ["1-", "1-", "quit"]])
def test_a_game_that_is_too_large_is_told_in_one_sentence(asked: list[str]) -> None:
    command = (
        "from numberquest import cli\nfrom numberquest.solver import budget\nbudget.free_memory = lambda: 10**6\n"
        "exit(cli.main(['play', 'fifty', '--coach', '--set', 'target=200', '--set', 'copies=4']))"
    )
    done = subprocess.run([sys.executable, "-c", command], input="\n".join(asked), capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    told = re.findall("^(.*): to solve .* of memory", done.stdout, re.MULTILINE)
    assert told.count("The coach cannot help here") == 1
    assert told.count("There are no hints here") == asked.count("hint")


def test_two_people_play_without_solver_puzzles_or_scores_being_imported() -> None:
    code = (
        "import re, sys, numberquest.cli as cli\n"
        "cli.main(['play', 'sumquest'])\n"
        "print(any(re.search('^numpy$|^numberquest.solver|puzzle|scores', name) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], input="9\n8\n6\n", capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_the_review_is_on_offer_after_a_game_at_a_terminal() -> None:
    terminal = sum_quest("5918", "--names", "Ann,Bo")
    terminal.answer("See how it went? (yes/no): ", "perhaps")
    terminal.wait_for("Please answer yes or no.")
    terminal.answer("See how it went? (yes/no): ", "yes")
    terminal.answer("Try again from move 1, the first mistake? (yes/no): ", "")
    shown = without_colours(terminal.finish())
    assert "The turning point was move 1: Ann played 5 and threw the win away." in shown
    assert " 100 % |" in shown
    assert terminal.code == 0


@pytest.mark.parametrize("answer", ["", "no"])
def test_enter_or_no_declines(answer: str) -> None:
    terminal = sum_quest("986")
    terminal.answer("See how it went? (yes/no): ", answer)
    assert "turning point" not in terminal.finish()
    assert terminal.code == 0


def test_from_the_offered_review_the_first_mistake_can_be_tried_again() -> None:
    terminal = sum_quest("1769", "--names", "Ann,Bo")
    terminal.answer("See how it went? (yes/no): ", "y")
    terminal.answer("Try again from move 3, the first mistake? (yes/no): ", "y")
    terminal.wait_for("The current sum is 8.")
    terminal.answer("Ann Input: ", "quit")
    assert way_on(terminal.finish())[:3] == ["play", "sumquest", "--resume"]


def test_between_rounds_the_offer_loses_no_points() -> None:
    terminal = sum_quest("986", "--rounds", "2", "--names", "Ann,Bo")
    terminal.wait_for("See how it went? (yes/no): ")
    terminal.child.sendintr()
    shown = terminal.finish()
    assert terminal.code == 130
    assert "Points: Ann 1, Bo 1." in piped(way_on(shown), ["9", "8", "6"]).stdout


@pytest.mark.parametrize(("moves", "options"), [("986", ["--plain"]), ("", ["--p1", "random", "--p2", "random"])])
def test_nothing_is_offered_in_plain_words_or_to_computers(moves: str, options: list[str]) -> None:
    assert "See how it went?" not in sum_quest(moves, *options).finish()
