"""The lesson of a game at the prompt: the same steps as on the page, on the game's own board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numberquest.contract import ending
from numberquest.lesson import lesson, lost_by, offered, right
from numberquest.match import led_to
from numberquest.sentences import NAMES, Said, told
from numberquest.terminal.coach import Coach
from numberquest.terminal.dialogue import Dialogue, Refused, is_one_of
from numberquest.terminal.general_dialogue import dialogue_for
from numberquest.wording import either, in_short, sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.contract import Game
    from numberquest.lesson import Step
    from numberquest.match import Match
    from numberquest.terminal.console import Console

T = TypeVar("T")
SEED = "lesson"
"""What a lesson leaves to chance is the same every time."""


class LeaveLesson(Exception):
    """Somebody has seen enough."""


class Lesson:
    """Goes through the steps; each is asked until a move is made that leads on."""

    def __init__(self, console: Console, game: Game[Any]) -> None:
        self._console = console
        self._game = game
        self._seat = 0
        """Who the pupil is: in another step that may be the other player."""

    def give(self) -> bool:
        """Go through the steps; False where it was left before its end."""
        console, steps = self._console, lesson(self._game)
        console.say()
        console.say("Type moves, show or hint where you need help; quit ends the lesson.", "hint")
        try:
            for number, step in enumerate(steps, start=1):
                console.say()
                console.say(f"Step {number} of {len(steps)}", "heading")
                self._take(step)
        except LeaveLesson:
            console.say("The lesson ends here.")
            return False
        console.say()
        console.say(f"Now you know {self._game.short_title}. Play it!", "heading")
        console.say("At every question you can type help, moves, show, hint, rules, undo, redo, save or quit.")
        return True

    def _take(self, step: Step) -> None:
        """One step: what is said, the board, and a move where one is to be made."""
        console, match = self._console, led_to(self._game, step.after, SEED)
        console.say(_words(step.words))
        if step.right and match.player != self._seat:
            self._seat = match.player
            console.say(f"Here you are {NAMES[self._seat]}.")
        console.say()
        dialogue = self._dialogue(match)
        dialogue.standing()
        if not step.right:
            self._leave_if(console.read("Press Enter to go on: ").lower())
            return
        dialogue.turn()
        move = self._found(step, match, dialogue)
        made = led_to(self._game, (*step.after, move, *step.shows), SEED)
        after = self._dialogue(made)
        after.after_move(move)
        if made.outcome is not None:
            after.ending()
        console.say(sentence(_words(step.then)), "win")

    def _found(self, step: Step, match: Match[Any], dialogue: Dialogue[Any, Any]) -> str:
        """A move that leads on, however many others are tried before."""
        ask = self._asker(match, dialogue)
        can, found = offered(self._game, match.position, step), right(self._game, match.position, step)
        tried = 0
        while (move := dialogue.choose(ask)) not in found:
            tried += 1
            if move not in can:
                self._console.refuse(f"{move} is for another time: here play {in_short(can)}.")
                continue
            self._console.refuse(self._wrong(match, move))
            if tried > 1:
                # Nobody is to be stuck in a lesson.
                self._console.refuse(f"{either(found)} does it.")
        return move

    def _wrong(self, match: Match[Any], move: str) -> str:
        """What is said of a move that does not lead on."""
        outcome = lost_by(self._game, match.position, move)
        if outcome is None:
            return told(Said("lesson-not-yet"))
        why = ending(self._game, outcome, NAMES)
        return told(Said("lesson-loses", {"outcome": {}}), ending=lambda _: why)

    def _leave_if(self, text: str) -> None:
        if text.removeprefix("/") in ("quit", "q", "exit"):
            raise LeaveLesson

    def _asker(self, match: Match[Any], dialogue: Dialogue[Any, Any]) -> Any:
        """Asks for a move; the words that help are understood as in a game."""
        coach = Coach(self._console, match)

        def ask(prompt: str, parse: Callable[[str], T]) -> T:
            while True:
                text = self._console.read(prompt)
                if not is_one_of(text, match.moves):
                    self._leave_if(text.lower())
                    word = text.lower().removeprefix("/")
                    if word == "moves":
                        self._console.say(f"You can play {dialogue.moves()}")
                        continue
                    if word in ("hint", "show"):
                        if word == "hint":
                            coach.hint()
                        else:
                            dialogue.standing()
                        continue
                try:
                    return parse(text)
                except Refused as refusal:
                    self._console.refuse(str(refusal))

        return ask

    def _dialogue(self, match: Match[Any]) -> Dialogue[Any, Any]:
        people = (self._seat == 0, self._seat == 1)
        return dialogue_for(self._game)(match, NAMES, people, self._console)


def _words(words: str | Said) -> str:
    return words if isinstance(words, str) else told(words)
