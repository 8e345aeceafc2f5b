"""`numberquest` alone leads to a game in three keystrokes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from numberquest.core.registry import GAMES
from numberquest.players.levels import PLAYERS
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
    assert "It is Computer (random)'s turn." in done.stdout


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
    assert "  r  resume    sumquest: Player 1 against Player 2, 1 move played, 20" in done.stdout
    assert "  r2 resume    grid: Player 1 against Player 2, 1 move played, 20" in done.stdout
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
    ruling = " ".join(GAMES["sumquest"]().rulings_told()["Q3"].split())
    assert ruling in " ".join(told.split())


def test_the_puzzle_of_the_day_is_on_offer() -> None:
    done = piped([], ["p", "quit", "q"])
    assert "Puzzle of " in done.stdout
    assert done.stdout.count("Which game?") == 2
    assert done.returncode == 0


OPTIONS = "Change which? (1 to 5, Enter when done): "


def test_seat_names_coach_rounds_and_house_rules_can_be_chosen() -> None:
    chosen = ["sumquest", "o", "seat", "names", "Ann", "coach", "rounds", "3", "house rules", "target=15", ""]
    done = piped([], [*chosen, "perfect", "1", "quit"])
    assert "chosen: you go second, Ann, with the coach, 3 rounds, target=15; o changes it\n" in done.stdout
    assert "Round 1 of 3. Computer (perfect) goes first.\n\nChanged rules: target=15\n" in done.stdout
    assert "Ann Input: 1\n" in done.stdout


def test_options_are_chosen_by_number_and_what_is_wrong_is_refused() -> None:
    names = ["2", "Ann,ann", "Ann,Bo,Cy", "the computer", "Ann,Bo"]
    rounds = ["4", "0", "100", "many", "2"]
    rules = ["5", "target=zz", "colour=red", "target", "high=5"]
    done = piped([], ["4", "o", "9", *names, *rounds, *rules, "", "", "quit"])
    assert "'9' is not one of them. Type a number from 1 to 5." in done.stdout
    assert done.stdout.count("Type one name, or two different ones with a comma between them: Ann,Bo.") == 2
    assert done.stdout.count("A name cannot have the word 'computer' in it") == 1
    assert done.stdout.count("Type a whole number from 1 to 99.") == 3
    assert done.stdout.count("Type the changes, such as ") == 4
    assert "Round 1 of 2. Ann goes first." in done.stdout
    assert "Choose a number between 1 and 5." in done.stdout


@pytest.mark.parametrize(
    ("names", "seat", "asked"),
    [
        ("Ann,Bo", 1, "Bo, it's your turn"),
        ("Ann", 0, "Ann, it's your turn"),
        ("Ann", 1, "Player 1, it's your turn"),
    ],
)
def test_names_follow_the_seats_they_were_given_for(names: str, seat: int, asked: str) -> None:
    done = piped([], ["4", "o", "names", names, *["seat"] * seat, "", "", "quit"])
    assert asked in done.stdout


def test_the_coin_can_decide() -> None:
    done = piped([], ["4", "o", "1", "1", "", "random", "quit"])
    assert "The coin is tossed: " in done.stderr


def test_house_rules_are_those_of_one_game_and_the_rest_stays_chosen() -> None:
    done = piped([], ["4", "o", "3", "5", "target=15", "", "b", "fifty", "b", "q"])
    assert "chosen: with the coach, target=15; o changes it\n" in done.stdout
    assert "chosen: with the coach; o changes it\n" in done.stdout


def test_a_rematch_changes_seats_and_keeps_everything_else(tmp_path: Path) -> None:
    chosen = ["4", "o", "names", "Ann", "5", "target=15", "", "random"]
    # Resigned twice: whoever goes first, the end comes at once.
    done = piped([], [*chosen, "resign", "yes", "a", "resign", "yes", "a", f"save {tmp_path}/x", "quit"])
    assert "  a  rematch   sumquest with seats changed: Computer (random) against Ann\n" in done.stdout
    assert "  a  rematch   sumquest with seats changed: Ann against Computer (random)\n" in done.stdout
    assert done.stdout.count("Changed rules: target=15") == 3
    assert (tmp_path / "x").read_text().count('[Player1 "Ann"]\n[Player2 "Computer (random)"]') == 1


def test_people_without_names_are_called_after_their_new_seats() -> None:
    done = piped([], ["4", "random", "resign", "yes", "q"])
    assert "with seats changed: Computer (random) against Player 2\n" in done.stdout


def test_the_game_that_has_just_ended_can_be_saved_from_the_menu(tmp_path: Path) -> None:
    done = piped([], ["4", "", "9", "8", "6", f"save {tmp_path}/x", "q"])
    assert f"Saved to {tmp_path}/x\n" in done.stdout
    assert '[Result "1-0"]' in (tmp_path / "x").read_text()


def test_all_games_can_be_seen_gone_on_with_and_deleted() -> None:
    piped(["play", "sumquest"], ["9", "8", "6"])
    piped(["play", "grid"], ["1,1"])
    done = piped([], ["g", "7", "2", "d 2", "d", "1", "quit"])
    assert "  g  games     All your games, in progress and finished.\n" in done.stdout
    assert "There is no game 7 in the list" in done.stdout
    assert "The turning point was" in done.stdout
    assert "Deleted: sumquest-" in done.stderr
    assert "Which game? Say its number in the list" in done.stdout
    assert done.stdout.endswith("Select a cell (row,column): quit\n")
    assert "No games are kept here yet" not in done.stdout


def test_a_game_to_resume_is_told_with_its_round_its_rules_and_its_day() -> None:
    piped(["play", "sumquest", "--rounds", "3", "--set", "target=30", "--names", "Ann,Bo"], ["5", "quit"])
    shown = piped([], ["q"]).stdout
    row = r"  r  resume    sumquest: Ann against Bo, 1 move played, round 1 of 3, target=30, \d{4}-\d\d-\d\d\n"
    assert re.search(row, shown)
    assert "Which game? (1 to 5, p, r to resume, g for all games, q to quit): " in shown
