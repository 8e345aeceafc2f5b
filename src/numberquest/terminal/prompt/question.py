"""A question for a move at the prompt: in a match, in a lesson, in a puzzle and in an exam."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar

from numberquest.core.contract import in_words, player_name
from numberquest.core.errors import UsageError
from numberquest.core.match import Match
from numberquest.core.names import near
from numberquest.core.rulebook import story
from numberquest.core.sentences import sentence
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.dialogue import Dialogue, Refused, dialogue_for, is_one_of

T = TypeVar("T")


class Leave(Exception):
    """A wish to stop."""


class TurnAgain(Exception):
    """A question that is stale: half a move is taken back, or the position has changed."""


class Skip(Exception):
    """A wish for the next question."""


NO_HINT: Final = (
    "There are no hints here, where one answer counts. Type moves for those you have, or skip to leave it out."
)

Word = Callable[[str], object] | type[Exception]
"""Action of a word on the rest of the line, or the exception that it raises."""


class MovePrompt:
    """Asks for a move. What is typed is the move, or a word for something else."""

    help: ClassVar[str] = ""
    """Text that `help` shows."""

    def __init__(
        self, console: Console, match: Match[Any], names: tuple[str, str], people: tuple[bool, bool] = (True, True)
    ) -> None:
        self._console, self._match = console, match
        self._dialogue: Dialogue[Any, Any] = dialogue_for(match.game)(match, names, people, console)
        self._hints_said: dict[Any, int] = {}
        """How many steps of its hint were said, by position."""

    def words(self) -> dict[str, Word]:
        """Return the words that can be typed besides a move."""
        from numberquest.core.rulebook import rulebook

        say = self._console.say
        return {
            **dict.fromkeys(("help", "?"), self._help),
            "moves": lambda _: say(f"You can play {self._dialogue.moves()}"),
            "show": self._show,
            "rules": lambda _: say(rulebook(self._match.game, self._console.width)),
            **dict.fromkeys(("quit", "q", "exit"), Leave),
        }

    def ask(self, prompt: str, parse: Callable[[str], T]) -> T:
        while True:
            text = self._console.read(prompt)
            if self._command(text):
                continue
            try:
                return parse(text)
            except Refused as refusal:
                better = near(text, self.words())
                self._console.refuse(f"{sentence(refusal)}{better}")

    def _command(self, text: str) -> bool:
        """Do what was asked besides a move; False where the text is for the game."""
        if is_one_of(text, self._match.moves):
            return False
        # A slash makes a command of a word that is also a move of the game.
        word, _, rest = text.removeprefix("/").partition(" ")
        command = self.words().get(word.lower())
        if command is None or (rest and word.lower() != "save"):
            return False
        if isinstance(command, type):
            raise command
        command(rest.strip())
        return True

    def _help(self, _: str) -> None:
        self._console.say(f"Type {self._dialogue.answers}. Or one of these words:\n{self.help}")

    def _show(self, _: str) -> None:
        self._dialogue.standing()

    def _hint(self, _: str) -> bool:
        """Say the next step of the hint for this position; False where none was new."""
        from numberquest.explain.hints import STEPS, nudge, proof, tip

        solution = self._solved("There are no hints here")
        if solution is None:
            return False
        game, position = self._match.game, self._match.known(self._match.player)
        given = self._hints_said.get(position, 0)
        step = min(given, STEPS - 1)
        if step == 0:
            text = f"{in_words(game, nudge(solution, position))} Type hint again for the move."
        elif step == 1:
            text = f"{in_words(game, tip(solution, position))} Type hint again for the proof."
        else:
            text = "\n  ".join(in_words(game, line) for line in proof(solution, position))
        self._console.say(f"Hint {step + 1} of {STEPS}: {text}", "hint")
        self._hints_said[position] = step + 1
        return given < STEPS

    def _solved(self, trouble: str) -> Any:
        """Return the solution, computed at the first request; say so and return None where there is none."""
        from numberquest.terminal.commands.progress import PATIENCE
        from numberquest.terminal.commands.solve import solved

        try:
            return solved(self._match.game, PATIENCE)
        except UsageError as why:
            self._console.refuse(f"{trouble}: {why}.")
            return None


class OneQuestion(MovePrompt, ABC):
    """One position, and one move that is asked for."""

    def __init__(self, match: Match[Any], console: Console) -> None:
        super().__init__(console, match, (player_name(0), player_name(1)))

    def words(self) -> dict[str, Word]:
        return {**super().words(), "undo": TurnAgain, "skip": Skip, "hint": lambda _: self._console.say(NO_HINT)}

    @abstractmethod
    def show(self) -> None:
        """Show the question, with its position."""

    def answer(self) -> str:
        while True:
            try:
                return self._dialogue.choose(self.ask)
            except TurnAgain:
                self._console.say("Choose again.")

    def _show(self, _: str) -> None:
        self.show()

    def _show_position(self) -> None:
        for line in story(self._match.game, self._match.history, self._match.player):
            self._console.say(line)
        self._dialogue.again()
        self._dialogue.turn()
        self._dialogue.picture()


def help_of(thing: str, skipping: str, quitting: str) -> str:
    return f"""\
help           this list
moves          what you can play now
show           the {thing} again
rules          the rules of the game
undo           choose again, if you have only chosen half
skip           leave this one out; {skipping}
quit           stop here{quitting}"""
