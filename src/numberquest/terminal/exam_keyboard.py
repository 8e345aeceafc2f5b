"""A person sits an exam: question after question at the prompt, and after each answer what was right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.evaluate.exam.sitting import NOT_ASKED, Answer
from numberquest.match import led_to
from numberquest.mistake import Gone
from numberquest.rulebook import how_changed, titled
from numberquest.sentences import percent
from numberquest.terminal.one_question import OneQuestion, Quit, Skip
from numberquest.terminal.puzzle_story import story
from numberquest.wording import either

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numberquest.contract import Game
    from numberquest.evaluate.exam.question import Question
    from numberquest.terminal.console import Console

HELP = """\
help           this list
moves          what you can play now
show           the question again
rules          the rules of the game
undo           choose again, if you have only chosen half
skip           leave this one out; it counts for nothing
quit           stop here, and see the score so far"""
LEFT_OUT = "left out"


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


class _KeyboardQuestion(OneQuestion):
    """One question in front of somebody."""

    help = HELP

    def __init__(self, question: Question, number: str, console: Console) -> None:
        super().__init__(led_to(question.game, question.history), question.moves, console)
        self._question, self._number = question, number

    def chosen(self) -> str:
        """Show the question and take one answer."""
        self._show()
        return self._chosen()

    def _show(self) -> None:
        say = self._console.say
        say(f"{self._number}, grade {self._question.grade} ({self._question.id})", "heading")
        for line in story(self._question):
            say(line)
        self._dialogue.again()
        self._dialogue.turn()
        self._dialogue.picture()
