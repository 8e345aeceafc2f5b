"""Mystic Numbers at the prompt."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, cast

from numberquest.core.sentences import percent
from numberquest.games.mystic.rules import Mystic, Position
from numberquest.terminal.prompt.dialogue import Ask, Dialogue, Refused, quoted

if TYPE_CHECKING:
    from numberquest.solver import Solution

BAR: Final = 40
"""How many characters a certain win is long."""


def chart(solution: Solution[Position], p: Position) -> list[str]:
    """The chance before a draw from this pile, for each total of the player whose turn it is."""
    game = cast("Mystic", solution.game)
    turn = game.turn(p)
    theirs = p.totals[1 - turn]
    unseen = tuple(sorted((*p.unseen, p.drawn))) if p.drawn else p.unseen
    # On a narrow terminal the bars are shorter.
    bar = max(8, min(BAR, get_terminal_size().columns - 17))
    rows = [f"The chance before drawing from this pile, by your own total, if your opponent has {theirs}:"]
    for total in range(game.target):
        totals = (total, theirs) if turn == 0 else (theirs, total)
        chance = float(solution.value(Position(unseen, totals, 0)))
        rows.append(f"  {total:>3}  {'#' * round(bar * chance):<{bar}} {percent(chance):>8}")
    return rows


CHOICES = {
    **dict.fromkeys(("1", "add", "a", "+"), "add"),
    **dict.fromkeys(("2", "subtract", "sub", "s", "-"), "subtract"),
    **dict.fromkeys(("3", "pass", "p", "pass to opponent"), "pass"),
}


class MysticDialogue(Dialogue[Mystic, Position]):
    """The words of the Mystic Numbers document."""

    answers = "1, 2 or 3, or the words add, subtract and pass"

    def opening(self) -> None:
        self.say("Welcome to Mystic Numbers!", "heading")
        self.say(f"{self.names[0]} and {self.names[1]}, aim to reach exactly {self.game.target}.")
        self.say()

    def turn(self) -> None:
        seat, drawn = self.match.player, self.position.drawn
        self._turn_of(seat)
        a = "an" if drawn == 8 else "a"
        self.say(self.voice(seat, f"You drew {a} {drawn}.", f"{self.name} drew {a} {drawn}."))

    def choose(self, ask: Ask) -> str:
        self.say("Choose an action:\n1. Add\n2. Subtract\n3. Pass to Opponent")
        return ask("Enter the number of your choice: ", self._action)

    def after_move(self, move: str) -> None:
        seat, number = self._mover()
        name, total = self.names[seat], self.match.positions[self._decided_at() + 1].totals[seat]
        if move == "pass":
            other = self.names[1 - seat]
            self.say(self.voice(seat, f"You passed {number} to your opponent.", f"{name} passed {number} to {other}."))
        else:
            done, join = ("added", "to") if move == "add" else ("subtracted", "from")
            to_them, about_them = f"{done} {number} {join} your total.", f"{done} {number} {join} their total."
            self.say(self.voice(seat, f"You {to_them}", f"{name} {about_them}"))
            self.say(f"New Total: {total}")
        if self.match.outcome is None or move == "pass":
            self.say("---")
            self.say()

    def ending(self) -> None:
        target = self.game.target
        resigned = self.match.resigned is not None
        if self.match.history[-1] == "pass":
            self._turn_of(1 - self._mover()[0])
        for seat, total in enumerate(self.position.totals):
            name = self.names[seat]
            if total > target:
                self.say(self.voice(seat, f"You have exceeded {target}!", f"{name} has exceeded {target}!"))
            elif total == target:
                reached = f"reached exactly {target}!"
                self.say(self.voice(seat, f"You have {reached}", f"{name} has {reached}"))
        if resigned or max(self.position.totals) < target:
            self.say(self.why())
        self.say(f"{self.names[self.winner()]} wins the game!", "win")

    def picture(self) -> None:
        left = len(self.position.unseen)
        self.say(f"Draw pile: {left} {'number' if left == 1 else 'numbers'} left")
        self.tracks(self.position.totals, self.game.target)

    def standing(self) -> None:
        self.picture()
        if self.position.drawn:
            self.say(f"The number drawn is {self.position.drawn}.")
        self.say(f"Still in the pile: {', '.join(map(str, self.position.unseen)) or 'nothing'}")

    def _turn_of(self, seat: int) -> None:
        """The start of a turn: the total, and the number that was passed, which must be added."""
        self.say(f"{self.names[seat]}'s Turn:", self.seat_style(seat))
        total, at = self.position.totals[seat], self._decided_at()
        passed = int(self.match.history[at - 1]) if at > 0 and self.match.history[at] == "pass" else 0
        self.say(f"Current Total: {total - passed}")
        if passed:
            must = f"must add the passed number: {passed}"
            self.say(self.voice(seat, f"You {must}", f"{self.names[seat]} {must}"))
            self.say(f"New Total: {total}")

    def _decided_at(self) -> int:
        """Where the last decision stands in the history: at its end, or before the next draw. -1: nowhere yet."""
        return len(self.match.history) - (2 if self.position.drawn else 1)

    def _mover(self) -> tuple[int, int]:
        """Who made the last decision, and with which number."""
        before: Position = self.match.positions[self._decided_at()]
        return self.game.player(before), before.drawn

    def _action(self, text: str) -> str:
        move = CHOICES.get(text.lower())
        if move is None:
            raise Refused(f"{quoted(text)} is not a choice. Enter 1, 2 or 3")
        if move not in self.match.moves:
            total, drawn = self.position.totals[self.match.player], self.position.drawn
            raise Refused(f"You cannot subtract {drawn} from {total}: negative totals are not allowed. Enter 1 or 3")
        return move


DIALOGUE = MysticDialogue
