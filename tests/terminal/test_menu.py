"""`numberquest` alone leads to a game in three keystrokes, and to its lesson, whose end everybody comes to."""

import io
import os
import random
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.registry import GAMES
from numberquest.players.levels import PLAYERS
from numberquest.server.think.messages import lesson_message
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.lesson import give_lesson
from tests.parts import having
from tests.strategies import KINDS
from tests.terminal.session import Terminal, piped, without_colours


def test_three_keystrokes_lead_to_a_game() -> None:
    terminal = Terminal(["--plain"])
    terminal.wait_for(f"Which game? (1 to {len(GAMES)}, p, q to quit): ")
    terminal.child.send("4\r\r")
    terminal.answer("Player 1 Input: ", "quit")
    # Which leads back to the menu.
    terminal.answer("Which game?", "quit")
    terminal.finish()
    assert terminal.code == 0


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["sumquest", "2", "5", "quit", "q"], "It is Computer (random)'s turn."),
        (["sumquest", "", "5"], "The current sum is 5."),
        (["p", "quit", "q"], "Puzzle of "),
        (["4", "", "9", "8", "6", "q"], "Player 1 reaches 23"),
        (["sumquest", "b", "q"], "Who is Player 2?"),
        (["sumquest", "l", "quit", "b", "q"], "The lesson ends here.\n"),
        (["sumquest", "l", "5", "quit", "b", "q"], "The lesson ends here.\n"),
    ],
    ids=[
        "a game left",
        "nobody there",
        "the puzzle",
        "a whole game",
        "back from the opponents",
        "a lesson",
        "a lesson begun",
    ],
)
def test_the_menu_leads_there_and_what_ends_or_is_left_leads_back(typed: list[str], shown: str) -> None:
    told = piped([], typed, code=0).stdout
    assert shown in told
    assert told.count("Which game?") == 1 + (typed[-1] == "q")


def test_what_is_on_offer_is_shown_and_what_is_not_is_refused() -> None:
    done = piped([])
    assert (done.returncode, done.stderr) == (0, "")
    assert all(slug in done.stdout for slug in GAMES)
    assert f"numberquest play {next(iter(GAMES))}" in done.stdout
    shown = piped([], ["99", "0", "chess", "r", "sumquest", "99", "", "quit"]).stdout
    for number, level in enumerate(PLAYERS.values(), start=2):
        assert f"  {number}  the computer, {level.name}: {level.words}" in shown
    assert shown.count(f"is not one of them. Type a number from 1 to {len(GAMES)}.") == 4
    assert shown.count(f"is not one of them. Type a number from 1 to {1 + len(PLAYERS)}.") == 1


def test_games_in_progress_are_offered_newest_first_with_round_rules_and_day(home: Path) -> None:
    state = home / ".local" / "state" / "numberquest"
    piped(["play", "grid", "--rounds", "3", "--set", "target=20", "--names", "Ann,Bo"], ["1,1"])
    for path in state.glob("grid*"):
        # Clocks may be too coarse to tell two games apart that follow so fast.
        os.utime(path, (1, 1))
    piped(["play", "sumquest"], ["5"])
    (state / "broken.nq").write_text("this is no record")
    shown = piped([], ["r", "7", "2", "9", "q"]).stdout
    assert "  r  resume    sumquest: Player 1 against Player 2, 1 move played, 20" in shown
    row = r"  r2 resume    grid: Ann against Bo, 1 move played, round 1 of 3, target=20, \d{4}-\d\d-\d\d\n"
    assert re.search(row, shown)
    assert "Which game? (1 to 5, p, r to resume, g for all games, q to quit): " in shown
    assert "Player 2 reaches 23" in shown
    # It is over now, so the other one is next.
    assert shown.count("  r  resume    grid") == 1


def test_on_a_narrow_terminal_nothing_is_broken_within_a_word() -> None:
    terminal = Terminal([], dimensions=(40, 40))
    terminal.answer("Which game?", "q")
    shown = without_colours(terminal.finish())
    assert max(map(len, shown.split("\n"))) <= 40
    assert {word for kind in GAMES.values() for word in kind.summary.split()} <= set(shown.split())


@pytest.mark.parametrize("columns", [40, 80])
def test_rules_and_help_fit_the_terminal(columns: int) -> None:
    terminal = Terminal(["play", "sumquest"], dimensions=(60, columns))
    for word in ("rules", "help", "quit"):
        terminal.answer("Player 1 Input: ", word)
    shown = without_colours(terminal.finish())
    told = shown[shown.index("Sum Quest: Race to 23\n") : shown.index("No move was made")]
    assert max(map(len, told.split("\n"))) <= columns
    assert " ".join(GAMES["sumquest"]().rulings_told()["Q3"].split()) in " ".join(told.split())


def test_seat_names_coach_rounds_and_house_rules_can_be_chosen() -> None:
    chosen = ["sumquest", "o", "seat", "names", "Ann", "coach", "rounds", "3", "house rules", "target=15", ""]
    done = piped([], [*chosen, "perfect", "1", "quit"])
    assert "chosen: you go second, Ann, with the coach, 3 rounds, target=15; o changes it\n" in done.stdout
    assert "Round 1 of 3. Computer (perfect) goes first.\n\nChanged rules: target=15\n" in done.stdout
    assert "Ann Input: 1\n" in done.stdout
    # Names follow the seats that they were given for.
    for names, seats, first in (("Ann,Bo", ["seat"], "Bo"), ("Ann", [], "Ann"), ("Ann", ["seat"], "Player 1")):
        shown = piped([], ["4", "o", "names", names, *seats, "", "", "quit"]).stdout
        assert f"{first}, it's your turn" in shown


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


def test_house_rules_are_those_of_one_game_and_the_rest_stays_chosen_and_the_coin_can_decide() -> None:
    shown = piped([], ["4", "o", "3", "5", "target=15", "", "b", "fifty", "b", "q"]).stdout
    assert "chosen: with the coach, target=15; o changes it\n" in shown
    assert "chosen: with the coach; o changes it\n" in shown
    assert "The coin is tossed: " in piped([], ["4", "o", "1", "1", "", "random", "quit"]).stderr


def test_a_rematch_changes_seats_and_keeps_everything_else(tmp_path: Path) -> None:
    chosen = ["4", "o", "names", "Ann", "5", "target=15", "", "random"]
    # Resigned twice: whoever goes first, the end comes at once.
    shown = piped([], [*chosen, "resign", "yes", "a", "resign", "yes", "a", f"save {tmp_path}/x", "quit"]).stdout
    assert "  a  rematch   sumquest with seats changed: Computer (random) against Ann\n" in shown
    assert "  a  rematch   sumquest with seats changed: Ann against Computer (random)\n" in shown
    assert shown.count("Changed rules: target=15") == 3
    assert (tmp_path / "x").read_text().count('[Player1 "Ann"]\n[Player2 "Computer (random)"]') == 1
    # People without names keep what they are called, and what has just ended can be saved from the menu.
    shown = piped([], ["4", "random", "resign", "yes", f"save {tmp_path}/y", "a", "quit", "q"]).stdout
    assert "with seats changed: Computer (random) against Player 1\n" in shown
    assert "Seats are changed: Computer (random) goes first.\n" in shown
    assert "Player 1 Input: quit" in shown
    assert f"Saved to {tmp_path}/y\n" in shown
    assert '[Result "0-1"]' in (tmp_path / "y").read_text()


def test_asking_for_older_games_once_too_often_begins_none() -> None:
    piped(["play", "mystic", "--seed", "1"], ["1", "quit"])
    done = piped([], ["g", "m", "help", "", "q"], code=0)
    shown = done.stdout + done.stderr
    assert "There are no older ones." in shown
    assert "Type its number to go on with it or to review it, d NUMBER to delete it, Enter to go back." in shown
    assert "Draw pile" not in shown


def test_all_games_can_be_seen_gone_on_with_and_deleted() -> None:
    piped(["play", "sumquest"], ["9", "8", "6"])
    piped(["play", "grid"], ["1,1"])
    done = piped([], ["g", "7", "2", "d 2", "yes", "d", "1", "quit"])
    assert "  g  games     All your games, in progress and finished.\n" in done.stdout
    assert "There is no game 7 in the list" in done.stdout
    assert "The turning point was" in done.stdout
    assert "Deleted: sumquest-" in done.stderr
    assert "Which game? Say its number in the list" in done.stdout
    assert "Select a cell (row,column): quit\n" in done.stdout
    assert "No games are kept here yet" not in done.stdout


class Pupil(io.BytesIO):
    """Types one answer or another, whatever is asked, and nothing that ends a lesson."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__()
        dice = random.Random("pupil")
        self._answers = iter([dice.choice(answers) for _ in range(5000)])

    def readline(self, _: int | None = -1, /) -> bytes:
        """The next answer, until it is clear that this lesson has no end."""
        return f"{next(self._answers)}\n".encode()


def taught(learnt: Game[Any]) -> str:
    """What is shown in a lesson to its end."""
    words = [word for action in learnt.actions for word in (action, *re.split(r"[ ,]|(?<=\d)(?=[-+*/])", action))]
    shown = io.StringIO()
    console = Console(Pupil(["", "moves", "no", "yes", *dict.fromkeys(words)]), shown)
    with patch("numberquest.terminal.prompt.console.MOST_REFUSED", 5000):
        give_lesson(console, learnt)
    assert f"Now you know {learnt.short_title}. Play it!" in shown.getvalue()
    return shown.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_tries_long_enough_comes_to_the_end(kind: type[Game[Any]]) -> None:
    steps = re.findall(r"^Step (\d) of (\d)$", taught(kind()), re.MULTILINE)
    assert [int(step) for step, _ in steps] == list(range(1, int(steps[0][1]) + 1))
    assert 3 <= len(steps) <= 5


@pytest.mark.parametrize("slug", having("lesson.py"))
def test_the_steps_are_those_of_the_page_in_their_words(slug: str) -> None:
    shown = taught(nq.game(slug))
    said = []
    for step in lesson_message(slug).steps:
        said.append(step.said.facts["words"])
        said += [answer.said.facts["words"] for answer in step.answers if answer.right][:1]
    places = [shown.index(words) for words in said]
    assert places == sorted(places)


def test_a_lesson_is_offered_in_the_menu_helps_and_keeps_nothing(home: Path) -> None:
    terminal = Terminal([])
    terminal.answer("Which game?", "sumquest")
    terminal.answer("Your choice", "l")
    terminal.wait_for("Step 1 of 5")
    terminal.wait_for("Begin: add 5.")
    for typed in ("4", "show", "moves", "hint", "5", "6", "4"):
        terminal.answer("Player 1 Input: ", typed)
    terminal.wait_for("19 + 4 = 23: you win.")
    terminal.wait_for("Here you are Player 2.")
    for typed in ("9", "8", "2"):
        terminal.answer("Player 2 Input: ", typed)
    terminal.answer("Player 1 Input: ", "1")
    terminal.wait_for("Now you know Sum Quest")
    terminal.answer("Your choice", "b")
    terminal.answer("Which game?", "q")
    shown = without_colours(terminal.finish())
    assert "4 is for another time: here play 5.\n" in shown
    assert "Hint 1 of 3: There is a winning move." in shown
    assert "That loses: Player 2 passed 23 with 29. Try another move.\n" in shown
    assert "That loses: Player 2 passed 23 with 28. Try another move.\n1 or 2 does it.\n" in shown
    assert not (home / ".local" / "state").exists()
