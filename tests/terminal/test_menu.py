"""`numberquest` alone leads to a game in three keystrokes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from numberquest.games import GAMES
from numberquest.players import PLAYERS
from tests.terminal.session import Terminal, piped, without_colours


def test_three_keystrokes_lead_to_a_game() -> None:
    terminal = Terminal(["--plain"])
    terminal.wait_for(f"Which game? (1 to {len(GAMES)}, p, q to quit): ")
    terminal.child.send("4\r\r")
    terminal.wait_for("Player 1 Input: ")
    terminal.child.sendline("quit")
    terminal.finish()
    assert terminal.code == 0


def test_with_no_keyboard_it_shows_the_games_and_how_to_start_one() -> None:
    done = piped([])
    assert (done.returncode, done.stderr) == (0, "")
    assert all(slug in done.stdout for slug in GAMES)
    assert f"numberquest play {next(iter(GAMES))}" in done.stdout


def test_the_computer_can_be_the_opponent() -> None:
    done = piped([], ["sumquest", "2", "5", "quit"])
    assert "It is Player 2's turn." in done.stdout


def test_every_level_is_on_offer_with_how_it_plays() -> None:
    shown = piped([], ["sumquest", "q", "q"]).stdout
    for number, level in enumerate(PLAYERS.values(), start=2):
        assert f"  {number}  the computer, {level.name}: {level.words}" in shown


def test_after_a_game_the_menu_comes_back() -> None:
    done = piped([], ["4", "", "9", "8", "6", "q"])
    assert done.stdout.count("Which game?") == 2
    assert done.returncode == 0


def test_what_is_not_on_offer_is_refused() -> None:
    done = piped([], ["99", "0", "chess", "r", "sumquest", "99", "", "quit"])
    assert done.stdout.count(f"is not one of them. Type a number from 1 to {len(GAMES)}.") == 4
    assert done.stdout.count(f"is not one of them. Type a number from 1 to {1 + len(PLAYERS)}.") == 1


def test_from_the_opponents_one_can_go_back() -> None:
    done = piped([], ["sumquest", "b", "q"])
    assert done.stdout.count("Which game?") == 2


def test_games_in_progress_are_offered_newest_first(home: Path) -> None:
    state = home / ".local" / "state" / "numberquest"
    for game, answers in (("grid", ["1,1"]), ("sumquest", ["5"])):
        piped(["play", game], answers)
        for path in state.glob("grid*"):
            # Clocks may be too coarse to tell two games apart that follow so fast.
            os.utime(path, (1, 1))
    (state / "broken.nq").write_text("this is no record")
    done = piped([], ["r", "7", "2", "9", "q"])
    assert "  r  resume    sumquest: Player 1 against Player 2, 1 move played\n" in done.stdout
    assert "  r2 resume    grid: Player 1 against Player 2, 1 move played\n" in done.stdout
    assert "Player 2 reaches 23" in done.stdout
    # It is over now, so the other one is next.
    assert done.stdout.count("  r  resume    grid") == 1


def test_on_a_narrow_terminal_nothing_is_broken_within_a_word() -> None:
    terminal = Terminal([], dimensions=(40, 40))
    terminal.wait_for("Which game?")
    terminal.child.sendline("q")
    shown = without_colours(terminal.finish())
    assert max(map(len, shown.split("\n"))) <= 40
    words = {word for kind in GAMES.values() for word in kind.summary.split()}
    assert words <= set(shown.split())


@pytest.mark.parametrize("columns", [40, 80])
def test_rules_and_help_fit_the_terminal(columns: int) -> None:
    terminal = Terminal(["play", "sumquest"], dimensions=(60, columns))
    terminal.answer("Player 1 Input: ", "rules")
    terminal.answer("Player 1 Input: ", "help")
    terminal.answer("Player 1 Input: ", "quit")
    shown = without_colours(terminal.finish())
    told = shown[shown.index("Sum Quest: Race to 23\n") : shown.index("No move was made")]
    assert max(map(len, told.split("\n"))) <= columns
    ruling = " ".join(GAMES["sumquest"].rulings["Q3"].split())
    assert ruling in " ".join(told.split())


def test_the_puzzle_of_the_day_is_on_offer() -> None:
    done = piped([], ["p", "quit", "q"])
    assert "Puzzle of " in done.stdout
    assert done.stdout.count("Which game?") == 2
    assert done.returncode == 0
