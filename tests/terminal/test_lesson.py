"""The lesson of a game: on its own board, and everybody comes to its end."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.registry import GAMES, kind_for, kind_in
from numberquest.server.think.messages import lesson_message
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.lesson import KeyboardLesson
from tests.terminal.session import Terminal, piped, without_colours

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ALL = [*GAMES, str(EXAMPLES / "nim.py"), str(EXAMPLES / "pig.py")]


def named(name: str) -> Game[Any]:
    """A game by its name, or in its file, which is not made known to other tests."""
    return (kind_in(name) if name.endswith(".py") else kind_for(name))()


class Pupil(io.BytesIO):
    """Types one answer or another, whatever is asked, and nothing that ends a lesson."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__()
        self._answers = answers
        self._given = 0
        self._dice = random.Random("pupil")

    def readline(self, _: int | None = -1, /) -> bytes:
        """The next answer."""
        assert self._given < 5000, "this lesson has no end"
        answer = self._dice.choice(self._answers)
        self._given += 1
        return f"{answer}\n".encode()


def taught(learnt: Game[Any]) -> str:
    """What is shown in a lesson to its end."""
    words = [word for action in learnt.actions for word in (action, *re.split(r"[ ,]|(?<=\d)(?=[-+*/])", action))]
    shown = io.StringIO()
    console = Console(Pupil(["", "moves", "no", "yes", *dict.fromkeys(words)]), shown)
    assert KeyboardLesson(console, learnt).give()
    return shown.getvalue()


@pytest.mark.parametrize("name", ALL)
def test_whoever_tries_long_enough_comes_to_the_end(name: str) -> None:
    steps = re.findall(r"^Step (\d) of (\d)$", taught(named(name)), re.MULTILINE)
    assert [int(step) for step, _ in steps] == list(range(1, int(steps[0][1]) + 1))
    assert 3 <= len(steps) <= 5


@pytest.mark.parametrize("slug", GAMES.own)
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


@pytest.mark.parametrize("before", [[], ["5"]])
def test_a_lesson_can_be_left(before: list[str]) -> None:
    done = piped([], ["sumquest", "l", *before, "quit", "b", "q"])
    assert "The lesson ends here.\n" in done.stdout
    assert done.stdout.count("Which game?") == 2
