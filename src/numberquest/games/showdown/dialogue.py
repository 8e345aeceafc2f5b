"""Showdown at the prompt."""

from numberquest.games.showdown.rules import PREDICTIONS, Position, Showdown
from numberquest.terminal.prompt.dialogue import Ask, Dialogue, Refused, number_in, quoted, yes_no

LINE = "--------------------------------"
DECLINED, WANTED = "", "yes"


class ShowdownDialogue(Dialogue[Showdown, Position]):
    """The words of the Showdown document."""

    answers = "yes or no, then numbers"
    _announced = 0
    """How many numbers were left when a turn was last announced."""

    def opening(self) -> None:
        self.say("--- Number Quest Game Start ---", "heading")
        if self.game.secret:
            self.say("Both write a prediction down in secret, before the first number; they are uncovered at the end.")
        if self.game.picks < self.game.high:
            self.say(f"The sequence ends after {self.game.picks} numbers.")
        self._table()

    def turn(self) -> None:
        # A prediction and the pick that follows it are one turn.
        seat = self.match.player
        writing = self.game.secret and 0 in self.position.predictions
        if self._announced == len(self.position.pool) and not writing:
            return
        self._announced = 0 if writing else len(self.position.pool)
        self.say(f"{self.name}'s Turn:", self.seat_style(seat))
        if self.position.predictions[seat] and not self.game.secret:
            already = "already declared a prediction."
            self.say(self.voice(seat, f"You have {already}", f"{self.name} has {already}"))

    def choose(self, ask: Ask) -> str:
        if self.game.secret:
            if self.position.predictions[self.match.player]:
                return ask("Select a number to add to the sequence: ", self._number)
            return ask("Write down your prediction for the final sum: ", self._prediction)
        silent = not self.position.predictions[self.match.player]
        prediction = ask("Do you want to declare a prediction? (yes/no): ", self._wish) if silent else DECLINED
        if prediction == WANTED:
            prediction = ask("Enter your prediction for the final sum: ", self._prediction)
        if prediction != DECLINED:
            return prediction
        return ask("Select a number to add to the sequence: ", self._number)

    def after_move(self, move: str) -> None:
        seat = self.match.last_player or 0
        name = self.names[seat]
        if self.game.binding(move):
            guess = self.position.predictions[seat]
            if self.game.secret:
                self.say(self.voice(seat, "Your prediction is written down.", f"{name} has written one down."))
                return
            self.say(self.voice(seat, f"Prediction recorded: {guess}", f"{name} declares a prediction: {guess}"))
            return
        self.say(self.voice(seat, f"You added {move} to the sequence.", f"{name} added {move} to the sequence."))
        self.say()
        if self.match.outcome is None:
            self._table()

    def ending(self) -> None:
        winner = self.names[self.winner()]
        self.say("Game Over!", "heading")
        self.say(f"Final Sequence: {self._sequence()}")
        self.say(f"Final Sum: {self.game.total(self.position)}")
        for seat in (0, 1):
            self.say(f"{self.names[seat]}'s Prediction: {self.position.predictions[seat] or 'none'}")
        self.say()
        # Otherwise the two predictions speak for themselves, as they do in the document.
        total, (one, two) = self.game.total(self.position), self.position.predictions
        if self.match.resigned is not None or not (one and two) or abs(one - total) == abs(two - total):
            self.say(self.why())
        self.say(f"Winner: {winner}", "win")
        praise = f"Congratulations {winner}, you won the game!"
        self.say(self.voice(self.winner(), praise, f"{winner} won the game."), "win")

    def again(self) -> None:
        self.say()
        self._announced = 0
        self._table()

    def standing(self) -> None:
        self.say(f"Available Numbers: {self._pool()}")
        self.say(f"Shared Sequence: {self._sequence()}")
        self.picture()

    def picture(self) -> None:
        predictions = self.game.sees(self.position, None).predictions
        said = [f"{self.names[seat]} predicts {guess}." for seat, guess in enumerate(predictions) if guess]
        self.say(" ".join([f"The sum so far is {self.game.total(self.position)}.", *said]), "hint")

    def moves(self) -> str:
        numbers = ", ".join(map(str, self.position.pool))
        if self.position.predictions[self.match.player]:
            return f"the numbers {numbers}."
        if self.game.secret:
            return f"a prediction from {PREDICTIONS[0]} to {PREDICTIONS[-1]}, which only you see."
        return f"a prediction from {PREDICTIONS[0]} to {PREDICTIONS[-1]} first, if you like; then one of {numbers}."

    def _table(self) -> None:
        self.say(f"Available Numbers: {self._pool()}")
        self.say(f"Shared Sequence: {self._sequence()}")
        self.say(LINE)
        self.say()

    def _pool(self) -> str:
        return " ".join(map(str, self.position.pool))

    def _sequence(self) -> str:
        return " ".join(move for move in self.match.history if not self.game.binding(move))

    def _wish(self, text: str) -> str:
        if text.lower().startswith("predict "):
            # As hints, records and the page write it.
            return self._prediction(text[len("predict ") :].strip())
        return WANTED if yes_no(text) else DECLINED

    def _prediction(self, text: str) -> str:
        if text.lower() in ("no", "n") and not self.game.secret:
            return DECLINED
        move = f"predict {number_in(text)}"
        if move not in self.match.moves:
            low, high = PREDICTIONS[0], PREDICTIONS[-1]
            raise Refused(
                f"{quoted(text)} cannot be predicted. Enter a whole number from {low} to {high}"
                f"{'' if self.game.secret else ', or no to go without'}"
            )
        return move

    def _number(self, text: str) -> str:
        move = number_in(text)
        if move not in self.match.moves or self.game.binding(move):
            what = f"{quoted(text)} is not available" if text else "Type a number"
            raise Refused(f"{what}. Available Numbers: {self._pool()}")
        return move


DIALOGUE = ShowdownDialogue
