"""A person sits an exam: question after question at the prompt, and after each answer what was right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numberquest.contract import player_name
from numberquest.evaluate.exam.sitting import NOT_ASKED, Answer
from numberquest.match import led_to
from numberquest.mistake import Gone
from numberquest.rulebook import how_changed, titled
from numberquest.sentences import percent
from numberquest.terminal.dialogue import Dialogue, Refused, is_one_of
from numberquest.terminal.general_dialogue import dialogue_for
from numberquest.terminal.puzzle_story import story
from numberquest.wording import either

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numberquest.contract import Game
    from numberquest.evaluate.exam.question import Question
    from numberquest.terminal.console import Console

T = TypeVar("T")

HELP = """\
help           this list
moves          what you can play now
show           the question again
rules          the rules of the game
undo           choose again, if you have only chosen half
skip           leave this one out; it counts for nothing
quit           stop here, and see the score so far"""
LEFT_OUT = "left out"


class Quit(Exception):
    """Somebody wants to stop."""


class ChooseAgain(Exception):
    """Somebody has chosen half a move, and wants to choose another."""


class Skip(Exception):
    """Somebody wants the next question."""


def asked(questions: Sequence[Question], console: Console) -> Iterator[Answer]:
    """The answers of whoever sits there; those to questions after they have stopped are missing."""
    many = "1 question" if len(questions) == 1 else f"{len(questions)} questions"
    console.say(f"Number Quest Exam: {many}. What would you play? (help shows what you can type)", "heading")
    game: Game[Any] | None = None
    there = True
    for number, question in enumerate(questions, start=1):
        answer = Answer(question, None, None, error=NOT_ASKED)
        if there:
            console.say()
            if question.game != game:
                _introduce(question.game, console)
                game = question.game
            try:
                move = _KeyboardQuestion(question, f"Question {number} of {len(questions)}", console).chosen()
                answer = Answer(question, move, question.loss(move))
                _tell(answer, console)
            except Skip:
                answer = Answer(question, None, None, error=LEFT_OUT)
                console.say("Left out.", "hint")
            except Quit:
                there = False
            except Gone as gone:
                if gone.__cause__ is not None:
                    raise
                there = False
        yield answer
    console.say()


def _introduce(game: Game[Any], console: Console) -> None:
    """Which game, and which of its rules are not the classic ones."""
    console.say(titled(game), "heading")
    console.say(game.told(game.how_to_win or game.summary))
    if not game.is_classic:
        console.say(f"{how_changed(game)} (rules shows all)", "hint")
    console.say()


def _tell(answer: Answer, console: Console) -> None:
    question, move = answer.question, answer.move or ""
    right, chance = question.right, bool(question.game.chance)
    if not answer.loss:
        others = f" {len(right) - 1} more were as good." if len(right) > 1 else ""
        console.say(f"Right: {_worth(question.values[move], chance=chance)}.{others}", "win")
    else:
        console.say(
            f"{move} {_worth(question.values[move], chance=chance)}; better was {either(right)}, "
            f"which {_worth(question.value, chance=chance)}.",
            "refusal",
        )


def _worth(value: float, *, chance: bool) -> str:
    if chance:
        return f"wins {percent(value)}"
    return "wins" if value == 1 else "loses" if value == 0 else "draws"


class _KeyboardQuestion:
    """One question in front of somebody."""

    def __init__(self, question: Question, number: str, console: Console) -> None:
        self._question = question
        self._number = number
        self._console = console
        names = (player_name(0), player_name(1))
        match = led_to(question.game, question.history)
        self._dialogue: Dialogue[Any, Any] = dialogue_for(question.game)(match, names, (True, True), console)

    def chosen(self) -> str:
        """Show the question and take one answer."""
        self._show()
        while True:
            try:
                return self._dialogue.choose(self._ask)
            except ChooseAgain:
                self._console.say("Choose again.")

    def _show(self) -> None:
        say = self._console.say
        say(f"{self._number}, grade {self._question.grade} ({self._question.id})", "heading")
        for line in story(self._question):
            say(line)
        self._dialogue.again()
        self._dialogue.turn()
        self._dialogue.picture()

    def _ask(self, prompt: str, parse: Callable[[str], T]) -> T:
        while True:
            text = self._console.read(prompt)
            if not is_one_of(text, self._question.moves) and self._command(text.lower().removeprefix("/")):
                continue
            try:
                return parse(text)
            except Refused as refusal:
                self._console.refuse(str(refusal))

    def _command(self, word: str) -> bool:
        """Do what was asked besides a move; False where the text is for the game."""
        say = self._console.say
        if word in ("help", "?"):
            say(f"Type {self._dialogue.answers}. Or one of these words:\n{HELP}")
        elif word == "moves":
            say(f"You can play {self._dialogue.moves()}")
        elif word == "show":
            self._show()
        elif word == "rules":
            from numberquest.rulebook import rulebook

            say(rulebook(self._question.game, self._console.width))
        elif word == "undo":
            raise ChooseAgain
        elif word == "skip":
            raise Skip
        elif word in ("quit", "q", "exit"):
            raise Quit
        else:
            return False
        return True
