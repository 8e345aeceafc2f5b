"""Sum Quest at the prompt."""

from __future__ import annotations

from numberquest.games.sumquest.rules import Position, SumQuest
from numberquest.terminal.dialogue import Ask, Dialogue, Refused, number_in, quoted


class SumQuestDialogue(Dialogue[SumQuest, Position]):
    """The words of the Sum Quest document."""

    answers = "a number, such as 7"

    def opening(self) -> None:
        """The document opens with the first turn."""

    def turn(self) -> None:
        seat = self.match.player
        start = f"System: The current sum is {self.position.total}. "
        mine = f"{self.name}, it's your turn. {self._last_number()}{self._allowed()}"
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
        self.console.track(f"{total} of {target}", total, target)

    def standing(self) -> None:
        self.picture()
        barred = self.position.barred
        self.say(f"The last number was {barred}." if barred else "No number has been used yet.")

    def _last_number(self) -> str:
        barred = self.position.barred
        return f"Your opponent's last number was {barred}. " if barred else ""

    def _allowed(self) -> str:
        barred = self.position.barred
        return f"Choose a number between 1 and {self.game.high}" + (f", excluding {barred}." if barred else ".")

    def _number(self, text: str) -> str:
        move = number_in(text)
        if move not in self.match.moves:
            raise Refused(f"System: {quoted(text)} cannot be chosen. {self._allowed()}")
        return move


DIALOGUE = SumQuestDialogue
