"""Grid at the prompt."""

import re

from numberquest.core.sentences import in_short
from numberquest.games.grid.rules import Grid, Position
from numberquest.terminal.prompt.dialogue import Ask, Dialogue, Refused, quoted

_CELL = r"\(?\s*([0-9]+?)\s*[,; ]?\s*([0-9]+)\s*\)?"
"""Row and column, however they are kept apart; no board has ten rows, so two digits are a cell too."""


class GridDialogue(Dialogue[Grid, Position]):
    """The words of the Grid document."""

    answers = "a cell as row,column, such as 2,3"

    def opening(self) -> None:
        self.say("Welcome to Number Quest!", "heading")
        self.say()

    def turn(self) -> None:
        seat = self.match.player
        name = self.name
        self.say(self.voice(seat, f"{name}, it's your turn.", f"It is {name}'s turn."), self.seat_style(seat))
        self.say(f"Current Score: {self.position.totals[seat]}")

    def choose(self, ask: Ask) -> str:
        prompt = "Select a cell (row,column), or stand: " if self.game.stand else "Select a cell (row,column): "
        return ask(prompt, self._cell)

    def after_move(self, move: str) -> None:
        seat = self.position.last
        name, total = self.names[seat], self.position.totals[seat]
        if move == "stand":
            self.say()
            self.say(self.voice(seat, f"You stand at {total}.", f"{name} stands at {total}."))
            self.say()
            return
        number = self.match.history[-1]
        said = self.voice(seat, "", f"{name} selects the cell {move}")
        if said:
            self.say(said)
        self.say()
        self.say(self.voice(seat, f"You revealed number: {number}", f"{name} revealed number: {number}"))
        self.say(self.voice(seat, f"Your new total score: {total}", f"{name}'s new total score: {total}"))
        self.say()

    def ending(self) -> None:
        target, seat = self.game.target, self.position.last
        name, total = self.names[seat], self.position.totals[seat]
        if self.match.resigned is not None or total < target:
            self.say(self.why())
        elif total == target:
            reached = f"reached exactly {target}."
            self.say(self.voice(seat, f"Congratulations! You {reached}", f"{name} {reached}"))
        else:
            self.say(self.voice(seat, f"Oh no! You exceeded {target}.", f"{name} exceeded {target}."))
        self.say(f"{self.names[self.winner()]} wins the game!", "win")

    def picture(self) -> None:
        side, cells = self.game.side, self.position.cells
        width = len(str(side * side))
        for row in range(side):
            shown = (cells[side * row + column] or "" for column in range(side))
            self.say("".join(f"[{number!s:>{width}}]" for number in shown))
        target, rows = self.game.target, zip(self.names, self.position.totals, self.position.stood, strict=True)
        words = [(f"{name}: {total} of {target}{', stands' if stood else ''}", total) for name, total, stood in rows]
        self.console.tracks(words, target)

    def _cell(self, text: str) -> str:
        found = re.fullmatch(_CELL, text)
        move = f"{found[1]},{found[2]}" if found else text.lower()
        if move in self.match.moves:
            return move
        if move in self.game.actions:
            raise Refused(f"The cell {move} is open already. Covered cells: {self._covered()}")
        stand = ", or stand" if self.game.stand else ""
        raise Refused(f"{quoted(text)} is not a cell. Select one of {self._covered()}{stand}")

    def _covered(self) -> str:
        return in_short([move for move in self.match.moves if move != "stand"])


DIALOGUE = GridDialogue
