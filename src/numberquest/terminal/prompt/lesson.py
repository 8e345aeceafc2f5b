"""The lesson of a game at the prompt: the same steps as on the page, on the game's own board."""

from typing import Any

from numberquest.core.contract import Game, in_words, outcome_fact
from numberquest.core.match import led_to
from numberquest.core.rulebook import rulebook
from numberquest.core.sentences import NAMES, Said, either, in_short, sentence, told
from numberquest.explain.lesson import Step, lesson, lost_by, offered, right
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.dialogue import Dialogue, dialogue_for
from numberquest.terminal.prompt.question import Leave, MovePrompt, Word

SEED = "lesson"
"""What a lesson leaves to chance is the same every time."""


def give_lesson(console: Console, game: Game[Any]) -> None:
    """Go through the steps, each of which is asked until a move is made that leads on."""
    steps = lesson(game)
    console.say()
    console.say("Type moves, show or hint where you need help; quit ends the lesson.", "hint")
    seat = 0
    try:
        for number, step in enumerate(steps, start=1):
            console.say()
            console.say(f"Step {number} of {len(steps)}", "heading")
            seat = _take(console, game, step, seat)
    except Leave:
        console.say("The lesson ends here.")
        return
    console.say()
    console.say(f"Now you know {game.short_title}. Play it!", "heading")
    console.say("At every question you can type help, moves, show, hint, rules, undo, redo, save or quit.")


def _take(console: Console, game: Game[Any], step: Step, seat: int) -> int:
    """One step: what is said, the board, and a move where one is to be made; returns which player the pupil is."""
    match = led_to(game, step.after, SEED)
    console.say(_words(step.words))
    if step.right and match.player != seat:
        seat = match.player
        console.say(f"Here you are {NAMES[seat]}.")
    console.say()
    people = seat == 0, seat == 1
    before: Dialogue[Any, Any] = dialogue_for(game)(match, NAMES, people, console)
    before.standing()
    if not step.right:
        told = "Press Enter for the next step, or type rules for all rules; quit ends the lesson."
        answer = console.question("Press Enter to go on: ", told, lambda _: rulebook(game, console.width))
        if answer.lower().removeprefix("/") in ("quit", "q", "exit"):
            raise Leave
        return seat
    move = _StepPrompt(console, match, NAMES, people).find(step)
    made = led_to(game, (*step.after, move, *step.shows), SEED)
    after = type(before)(made, NAMES, people, console)
    after.after_move(move)
    if made.outcome is not None:
        after.ending()
    console.say(sentence(_words(step.then)), "win")
    return seat


class _StepPrompt(MovePrompt):
    """Asks for a move of a step."""

    help = "moves, show, hint and rules help you; quit ends the lesson"

    def words(self) -> dict[str, Word]:
        return {**super().words(), "hint": self._hint}

    def find(self, step: Step) -> str:
        """A move that leads on, however many others are tried before."""
        game, position = self._match.game, self._match.position
        self._dialogue.turn()
        possible, leading_on = offered(game, position, step), right(game, position, step)
        tried = 0
        while (move := self._dialogue.choose(self.ask)) not in leading_on:
            tried += 1
            if move not in possible:
                self._console.refuse(f"{move} is for another time: here play {in_short(possible)}.")
                continue
            self._console.refuse(self._wrong(move))
            if tried > 1:
                # Nobody is to be stuck in a lesson.
                self._console.refuse(f"{either(leading_on)} does it.")
        return move

    def _wrong(self, move: str) -> str:
        outcome = lost_by(self._match.game, self._match.position, move)
        if outcome is None:
            return told(Said("lesson-not-yet"))
        return in_words(self._match.game, Said("lesson-loses", {"outcome": outcome_fact(outcome)}))


def _words(words: str | Said) -> str:
    return words if isinstance(words, str) else told(words)
