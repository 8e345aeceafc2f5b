"""A prompt as people know it, at a real pseudo-terminal."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pexpect
import pytest

import numberquest as nq
from numberquest.core.recipe.keys import PROMPT_WORDS
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.puzzle import KeyboardPuzzle
from numberquest.terminal.prompt.console import STYLES, folded
from numberquest.terminal.prompt.keyboard_match import KeyboardMatch
from tests.conftest import in_ci
from tests.study.running import until
from tests.terminal.session import PATIENCE, PROGRAM, Terminal, piped, sum_quest, without_colours


def spawned(program: str, *arguments: str, **env: str) -> pexpect.spawn[str]:
    """A program at a pseudo-terminal."""
    variables: Any = {**os.environ, **env}
    return pexpect.spawn(
        program, list(arguments), env=variables, encoding="utf-8", timeout=PATIENCE, dimensions=(50, 200)
    )


LEFT, RIGHT, UP, DELETE, CLEAR = "\x1b[D", "\x1b[C", "\x1b[A", "\x7f", "\x0c"


@pytest.mark.parametrize("options", [[], ["--plain"]])
def test_a_line_can_be_mended_with_the_arrow_keys(options: list[str]) -> None:
    terminal = Terminal(["play", "sumquest", *options])
    terminal.wait_for("Player 1 Input: ")
    terminal.child.send(f"57{LEFT}{DELETE}{RIGHT}\r")
    terminal.wait_for("Player 1 chooses 7.")
    terminal.answer("Player 2 Input: ", "quit")
    terminal.finish()


def test_what_was_typed_before_comes_back_with_the_up_arrow() -> None:
    terminal = sum_quest("78")
    terminal.wait_for("Player 1 Input: ")
    terminal.child.send(f"{UP}{UP}\r")
    terminal.wait_for("Player 1 chooses 7.")
    terminal.answer("Player 2 Input: ", "quit")
    terminal.finish()


def test_ctrl_l_clears_the_screen_and_keeps_the_prompt_and_the_line() -> None:
    terminal = Terminal(["play", "sumquest"])
    terminal.wait_for("Player 1 Input: ")
    terminal.child.send(f"mo{CLEAR}")
    terminal.wait_for("\x1b[2J")
    terminal.wait_for("Player 1 Input: ")
    terminal.wait_for("mo")
    terminal.child.send("ves\r")
    terminal.wait_for("You can play 1 to 9")
    terminal.answer("Player 1 Input: ", "quit")
    terminal.finish()


def wait_until_it_reads(shell: int) -> None:
    """Wait until the program that a shell has started sleeps: it has nothing to wait for but an answer."""
    child = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0]
    until(lambda: Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] == "S")


@pytest.mark.parametrize("readline", [True, False])
def test_after_ctrl_z_and_fg_the_prompt_is_there_again_with_what_was_typed(readline: bool, tmp_path: Path) -> None:
    if not readline:
        (tmp_path / "readline.py").write_text("raise ImportError\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    shell = spawned("bash", "--norc", "--noprofile", "-i", TERM="xterm", PS1="shell> ", PYTHONPATH=path)
    shell.expect_exact("shell> ")
    shell.sendline(f"{shlex.join(PROGRAM)} play sumquest")
    shell.expect_exact("Player 1 Input: ")
    if readline:
        shell.send("mov")
        shell.expect_exact("mov")
    wait_until_it_reads(int(shell.pid or 0))
    shell.sendcontrol("z")
    shell.expect_exact("Stopped")
    shell.expect_exact("shell> ")
    shell.sendline("fg")
    shell.expect_exact("Player 1 Input: ")
    if readline:
        shell.expect_exact("mov")
    shell.sendline("es" if readline else "moves")
    shell.expect_exact("You can play 1 to 9")
    shell.expect_exact("Player 1 Input: ")
    shell.sendline("quit")
    shell.expect_exact("shell> ")
    # The shell's own line is edited as before.
    shell.sendline("echo fi''ne; exit")
    shell.expect_exact("fine")
    shell.expect(pexpect.EOF)


def test_a_stopped_game_that_is_killed_keeps_the_game_and_says_so() -> None:
    terminal = sum_quest("5")
    terminal.wait_for("Player 2 Input: ")
    # As shells do it: the word to end waits until the word to go on has come.
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGCONT):
        terminal.child.kill(number)
    assert "Game saved. Go on with: " in terminal.finish()
    assert terminal.code == 128 + signal.SIGTERM


@pytest.mark.parametrize("end", ["sendintr", "sendeof"])
def test_the_terminal_is_left_as_it_was(end: str) -> None:
    shell = spawned("bash", "--norc", "-c", f"{shlex.join(PROGRAM)} play grid; stty -a")
    shell.expect_exact("Select a cell (row,column): ")
    getattr(shell, end)()
    shell.expect(pexpect.EOF)
    modes = str(shell.before)
    assert re.search(r"(?<![-\w])icanon\b", modes)
    assert re.search(r"(?<![-\w])echo\b", modes)


AT_ONCE = """
import ctypes, functools, readline, signal, sys
import numberquest.cli as cli

# Called in C when the prompt stands there and nothing waits for a key yet: Python hears of nothing then.
readline.set_pre_input_hook(functools.partial(ctypes.CDLL(None)["raise"], signal.SIGINT))
sys.exit(cli.main(["play", "sumquest"]))
"""


def test_ctrl_c_is_heard_even_in_the_moment_between_the_prompt_and_the_waiting() -> None:
    child = spawned(sys.executable, "-c", AT_ONCE)
    child.expect_exact("Player 1 Input: ")
    child.expect_exact("No move was made, so there is nothing to keep.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


SLOW = """
import os, sys, time
import numberquest.cli as cli
from numberquest.players import levels as players

class Slow(players.Level):
    def prepare(self, game, tell, progress=None):
        done = 0
        while done < 20 or not os.path.exists(sys.argv[1]):
            time.sleep(0.05)
            done += 1
            progress(min(done, 99), 100)
        tell("These rules are too large.")

players.PLAYERS["hard"] = Slow("hard", 100)
sys.exit(cli.main(["play", "sumquest", "--p2", "hard", "--seed", "1"]))
"""


@in_ci
def test_while_it_solves_nothing_is_garbled_and_what_is_typed_waits_for_the_question(tmp_path: Path) -> None:
    child = spawned(sys.executable, "-c", SLOW, str(tmp_path / "typed"))
    child.expect_exact("The computer is thinking about the rules: ")
    child.send("mov")
    (tmp_path / "typed").touch()
    child.expect_exact("These rules are too large.\r\n")
    meanwhile = str(child.before)
    # The line was written over, and is gone before the sentence; nothing that was typed stood in it.
    assert "mov" not in meanwhile
    assert re.search(r"\r +\r$", meanwhile)
    child.expect_exact("Player 1 Input: ")
    child.expect_exact("mov")
    child.sendline("es")
    child.expect_exact("You can play 1 to 9")
    child.expect_exact("Player 1 Input: ")
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_a_move_that_was_taken_back_can_be_made_again_unless_something_else_was_played(tmp_path: Path) -> None:
    shown = piped(
        ["play", "sumquest"], ["5", "7", "undo", "yes", "redo", "redo", f"save {tmp_path}/x", "2", "9"]
    ).stdout
    assert "Played again: 7.\n" in shown
    assert "No move has been taken back." in shown
    assert "1. 5\n2. 7\n" in (tmp_path / "x").read_text()
    assert "Player 2 reaches 23" in shown
    shown = piped(["play", "sumquest"], ["5", "undo", "yes", "6", "redo", "quit"]).stdout
    assert "No move has been taken back." in shown


def test_against_the_computer_its_answer_is_made_again_as_well() -> None:
    played = ["play", "fifty", "--p2", "random", "--seed", "9"]
    whole = piped(played, ["1+", "2+", "quit"])
    again = piped(played, ["1+", "undo", "redo", "2+", "quit"])
    answer = re.search(r"Computer \(random\) selects (\d) and (\S)", without_colours(whole.stdout))
    assert answer is not None
    # It is not asked anew: what it answered is among what was played again.
    assert f"Played again: 1+, {answer[1]}{answer[2]}.\n" in again.stdout
    assert whole.stdout.split("Calculation: 1 + 2 = 3")[1] == again.stdout.split("Calculation: 1 + 2 = 3")[1]


def test_what_goes_on_of_a_row_stands_under_its_last_column() -> None:
    row = "hint           help with your move, in three steps"
    assert folded(row, 40) == "hint           help with your move, in\n               three steps"
    assert folded("  a won 3 of 5 games as Player 1", 20) == "  a won 3 of 5 games\n    as Player 1"
    assert folded("short\nand long enough to be broken", 20) == "short\nand long enough to\nbe broken"
    assert folded(row, None) == row


@pytest.mark.parametrize(("game", "before"), [("fifty", []), ("showdown", ["no"])])
def test_an_empty_line_where_a_number_is_wanted_is_asked_for_one(game: str, before: list[str]) -> None:
    shown = piped(["play", game], [*before, "", "quit"]).stdout
    assert "Type a number. Available Numbers: 1" in shown
    assert "An empty line" not in shown


@pytest.mark.parametrize(
    ("game", "typed", "shown"),
    [
        ("fifty", ["9+", "10"], "'10' is not in the pool."),
        ("fifty", ["9+", "10+"], "'10+' is not in the pool."),
        ("fifty", ["9%"], "'%' is not an operation here."),
        ("fifty", ["7+", "1+", "2/"], "Calculation: 7 / 2 = 3, remainder dropped\n"),
        ("fifty", ["8+", "1+", "2/"], "Calculation: 8 / 2 = 4\n"),
        ("grid", ["31", "3,1"], "The cell 3,1 is open already."),
        ("grid", ["44"], "'44' is not a cell."),
    ],
)
def test_what_is_typed_is_understood_as_it_is_meant(game: str, typed: list[str], shown: str) -> None:
    assert shown in piped(["play", game, "--plain"], typed, code=0).stdout


@pytest.mark.parametrize("arguments", [["play", "sumquest"], ["play", "mystic", "--set", "copies=1"], []])
def test_after_a_hundred_answers_in_a_row_that_cannot_be_taken_nobody_is_asked_any_more(arguments: list[str]) -> None:
    done = piped(arguments, ["help" if at == 50 else "yy" for at in range(1000)], code=1)
    assert done.stdout.count("'yy' ") == 150
    sentence = "numberquest: 100 answers in a row could not be taken, so nobody is asked any more\n"
    assert done.stderr.endswith(sentence)


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_bars_are_drawn_with_signs_where_no_colours_are_wanted_and_names_of_any_script_keep_them_alike(
    columns: int,
) -> None:
    arguments = ["play", "fifty", "--names", "李小龍,Bo", "--after", "5+ 5+"]
    terminal = Terminal(arguments, {"NO_COLOR": "1"}, dimensions=(50, columns))
    terminal.answer("Select a number: ", "quit")
    shown = terminal.finish()
    bars = re.findall(r"^(\[#+-+\]) (李小龍|Bo): 5 of 50$", shown, re.MULTILINE)
    assert [name for _, name in bars] == ["李小龍", "Bo"]
    assert len({bar for bar, _ in bars}) == 1
    assert "\x1b" not in shown
    assert "[#" not in piped(arguments, ["quit"]).stdout


def test_a_long_question_is_broken_between_words() -> None:
    terminal = Terminal([], dimensions=(60, 40))
    terminal.answer("q to quit): ", "4")
    terminal.answer("b to go back): ", "quit")
    terminal.answer("q to quit): ", "quit")
    shown = without_colours(terminal.finish())
    assert "Your choice (1 to 6, Enter for 1, o, l,\nb to go back): quit\n" in shown


def test_nothing_is_dimmed_and_nothing_is_yellow() -> None:
    assert not {code for style in STYLES.values() for code in style.split(";")} & {"2", "33", "93"}


@pytest.mark.parametrize("who", ["Hard", "HARD", "hard"])
def test_a_level_is_understood_in_large_and_small_letters(who: str) -> None:
    assert nq.player(who).name == "hard"
    assert "It is Computer (hard)'s turn" in piped(["play", "sumquest", "--p2", who], ["1", "quit"], code=0).stdout


@pytest.mark.parametrize("typed", ["target=30, high=6", "target=30,high=6", "target = 30 high= 6", "target=30; high=6"])
def test_several_rules_can_be_changed_at_once(typed: str) -> None:
    assert game_with("fifty", [typed]) == nq.game("fifty", target=30, high=6)
    assert (
        "Changed rules: target=30 high=6\n"
        in piped([], ["fifty", "o", "5", typed, "", "1", "quit", "q"], code=0).stdout
    )


def test_a_mistyped_word_is_known_again() -> None:
    shown = piped(["play", "sumquest"], ["5", "udno", "hlep", "quit"], code=0).stdout
    assert "Did you mean undo?\n" in shown
    assert "Did you mean help?\n" in shown
    assert "Did you mean mystic?\n" in piped([], ["mistic", "q"], code=0).stdout


MENU = "Type rules in a game, or in the menu with the number of a game, such as rules 2.\n"
ASKED = {
    "the menu": ([], [], MENU),
    "the opponents": ([], ["sumquest"], "Sum Quest: Race to 23\n"),
    "what is chosen": ([], ["sumquest", "o"], MENU),
    "the names": ([], ["sumquest", "o", "names"], MENU),
    "the rounds": ([], ["sumquest", "o", "rounds"], MENU),
    "the house rules": ([], ["sumquest", "o", "house rules"], "target"),
    "a lesson": ([], ["sumquest", "l", "5"], "Sum Quest: Race to 23\n"),
    "between two steps": ([], ["grid", "l"], "Number Quest: Grid\n"),
    "the games": ([], ["4", "", "9", "8", "6", "g"], MENU),
    "a puzzle": (["puzzle", "sumquest", "--seed", "1"], [], "Sum Quest: Race to 23\n"),
    "a game": (["play", "sumquest"], [], "Sum Quest: Race to 23\n"),
}
"""Where something is asked, how one comes there, and what `rules` says there."""


@pytest.mark.parametrize("where", ASKED)
def test_help_hint_and_rules_are_understood_wherever_something_is_asked(where: str) -> None:
    arguments, typed, rules = ASKED[where]
    said = [piped(arguments, [*typed, word], code=0).stdout for word in ("", "help", "hint", "rules")]
    assert all("is not" not in one.removeprefix(said[0]) for one in said[1:])
    assert len(set(said)) == 4
    assert rules in said[3]


def test_a_prediction_can_be_typed_as_a_hint_names_it() -> None:
    shown = piped(["play", "showdown"], ["predict 100", "Predict 45", "7", "quit"], code=0).stdout
    assert "'100' cannot be predicted." in shown
    assert "Prediction recorded: 45" in shown
    assert "You added 7" in shown or "Player 1 added 7" in shown


def test_no_move_of_a_recipe_may_be_called_like_a_word_of_the_prompts() -> None:
    words = {"?"}
    for kind in (KeyboardMatch, KeyboardPuzzle):
        prompt = kind.__new__(kind)
        vars(prompt).update(_console=SimpleNamespace(say=None), _match=None)
        words |= {*prompt.words()}
    assert words == {"?", *PROMPT_WORDS.split("|")}
