"""One position is shown at the prompt, and somebody is asked for one move: in a puzzle, and in an exam."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from numberquest.contract import player_name
from numberquest.terminal.dialogue import Refused, is_one_of
from numberquest.terminal.general_dialogue import dialogue_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numberquest.match import Match
    from numberquest.terminal.console import Console
    from numberquest.terminal.dialogue import Dialogue

T = TypeVar("T")


class Quit(Exception):
    """Somebody wants to stop."""


class ChooseAgain(Exception):
    """Somebody has chosen half a move, and wants to choose another."""


class Skip(Exception):
    """Somebody wants the next one."""


class OneQuestion(ABC):
    """What can be typed where a move is asked for: the move, or a word for something else."""

    help: ClassVar[str]
    """What `help` lists."""

    def __init__(self, match: Match[Any], moves: Iterable[str], console: Console) -> None:
        self._match, self._moves, self._console = match, moves, console
        names = (player_name(0), player_name(1))
        self._dialogue: Dialogue[Any, Any] = dialogue_for(match.game)(match, names, (True, True), console)

    @abstractmethod
    def _show(self) -> None:
        """Show the question, with its position."""

    def _chosen(self) -> str:
        while True:
            try:
                return self._dialogue.choose(self._ask)
            except ChooseAgain:
                self._console.say("Choose again.")

    def _ask(self, prompt: str, parse: Callable[[str], T]) -> T:
        while True:
            text = self._console.read(prompt)
            if not is_one_of(text, self._moves) and self._command(text.lower().removeprefix("/")):
                continue
            try:
                return parse(text)
            except Refused as refusal:
                self._console.refuse(str(refusal))

    def _command(self, word: str) -> bool:
        """Do what was asked besides a move; False where the text is for the game."""
        say = self._console.say
        if word in ("help", "?"):
            say(f"Type {self._dialogue.answers}. Or one of these words:\n{self.help}")
        elif word == "moves":
            say(f"You can play {self._dialogue.moves()}")
        elif word == "show":
            self._show()
        elif word == "rules":
            from numberquest.rulebook import rulebook

            say(rulebook(self._match.game, self._console.width))
        elif word == "undo":
            raise ChooseAgain
        elif word == "skip":
            raise Skip
        elif word in ("quit", "q", "exit"):
            raise Quit
        else:
            return False
        return True
