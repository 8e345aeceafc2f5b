"""Sum Quest at the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from numberquest.games.sumquest.rules import Position, SumQuest
from numberquest.terminal.prompt.dialogue import Ask, Dialogue, Refused, number_in, quoted

if TYPE_CHECKING:
    from numberquest.solver import Solution


def chart(solution: Solution[Position], p: Position) -> list[str]:
    """For each sum and each last number, whether the player to move wins."""
    game = cast("SumQuest", solution.game)
    numbers = range(1, game.high + 1)
    first = max(0, min(game.target - 30, p.total))
    shown = f" (from {first} on)" if first else ""
    rows = [
        f"Who wins when it is your turn, by the sum and by the number that was used last{shown}:",
        "(W: you win, -: you lose)",
        f"  sum    last {' '.join(map(str, numbers))}",
    ]
    for total in range(max(first, 1), game.target):
        # A number larger than the sum cannot have been used.
        possible = [last for last in numbers if last <= total]
        row = ["W" if solution.value(Position(total, last, p.player)) else "-" for last in possible]
        rows.append(f"  {total:>3}         {' '.join(row)}")
    return rows


class SumQuestDialogue(Dialogue[SumQuest, Position]):
    """The words of the Sum Quest document."""

    answers = "a number, such as 7"

    def opening(self) -> None:
        """The document opens with the first turn."""

    def turn(self) -> None:
        seat = self.match.player
        start = f"System: The current sum is {self.position.total}. "
        barred = self.position.barred
        last = f"Your opponent's last number was {barred}. " if barred else ""
        mine = f"{self.name}, it's your turn. {last}{self._allowed()}"
        self.say(start + self.voice(seat, mine, f"It is {self.name}'s turn."), self.seat_style(seat))

    def choose(self, ask: Ask) -> str:
        return ask(f"{self.name} Input: ", self._number)

    def after_move(self, move: str) -> None:
        mover = self.names[1 - self.position.player]
        self.say(f"System: {mover} chooses {move}. The cumulative sum is now {self.position.total}.")
        if self.match.outcome is None:
            self.say()

    def ending(self) -> None:
        winner = self.winner()
        loser, target = self.names[1 - winner], self.game.target
        if self.match.resigned is not None:
            self.say(f"System: {self.why()}")
        elif self.position.total > target:
            self.say(f"System: {loser} exceeds {target} and loses.")
        elif self.position.total < target:
            no_moves = f"{loser} has no valid moves that won't exceed {target}"
            self.say(f"System: {no_moves}: the last number was {self.position.barred}.")
        else:
            self.say(f"System: {self.names[winner]} reaches {target} and wins the game!", "win")
            return
        self.say(f"System: {self.names[winner]} wins the game!", "win")

    def picture(self) -> None:
        total, target = self.position.total, self.game.target
        self.console.tracks([(f"{total} of {target}", total)], target)

    def standing(self) -> None:
        self.picture()
        barred = self.position.barred
        self.say(f"The last number was {barred}." if barred else "No number has been used yet.")

    def _allowed(self) -> str:
        barred = self.position.barred
        return f"Choose a number between 1 and {self.game.high}" + (f", excluding {barred}." if barred else ".")

    def _number(self, text: str) -> str:
        move = number_in(text)
        if move not in self.match.moves:
            raise Refused(f"System: {quoted(text)} cannot be chosen. {self._allowed()}")
        return move


DIALOGUE = SumQuestDialogue
