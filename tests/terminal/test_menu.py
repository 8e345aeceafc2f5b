"""`numberquest` alone leads to a game in three keystrokes."""

from __future__ import annotations

from pathlib import Path

from numberquest.games import GAMES
from tests.terminal.session import Terminal, piped


def test_three_keystrokes_lead_to_a_game() -> None:
    terminal = Terminal(["--plain"])
    terminal.wait_for("Which game? (1 to 5, q to quit): ")
    terminal.child.send("4\r\r")
    terminal.wait_for("Player 1 Input: ")
    terminal.child.sendline("quit")
    terminal.finish()
    assert terminal.code == 0


def test_with_no_keyboard_it_shows_the_games_and_how_to_start_one() -> None:
    done = piped([])
    assert (done.returncode, done.stderr) == (0, "")
    assert all(slug in done.stdout for slug in GAMES)
    assert "numberquest play sumquest" in done.stdout


def test_the_computer_can_be_the_opponent() -> None:
    done = piped([], ["sumquest", "2", "5", "quit"])
    assert "It is Player 2's turn." in done.stdout


def test_after_a_game_the_menu_comes_back() -> None:
    done = piped([], ["4", "", "9", "8", "6", "q"])
    assert done.stdout.count("Which game?") == 2
    assert done.returncode == 0


def test_what_is_not_on_offer_is_refused() -> None:
    done = piped([], ["6", "0", "chess", "r", "4", "9", "", "quit"])
    assert done.stdout.count("is not one of them. Type a number from 1 to 5.") == 4
    assert done.stdout.count("is not one of them. Type a number from 1 to 2.") == 1


def test_the_newest_game_in_progress_is_offered(home: Path) -> None:
    piped(["play", "sumquest"], ["5"])
    state = home / ".local" / "state" / "numberquest"
    (state / "broken.nq").write_text("this is no record")
    done = piped([], ["r", "7", "2", "9", "q"])
    assert "r  resume    your game of sumquest: Player 1 against Player 2, 1 played" in done.stdout
    assert "Player 2 reaches 23" in done.stdout
    # It is over now, so it is no longer on offer.
    assert done.stdout.count("r  resume") == 1
