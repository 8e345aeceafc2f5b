"""Fifty at the prompt."""

from numberquest.core.settings import as_typed
from numberquest.games.fifty.rules import Fifty, Position, calculated, remainder
from numberquest.terminal.prompt.dialogue import Ask, Dialogue, Refused, number_in, quoted


class FiftyDialogue(Dialogue[Fifty, Position]):
    """The words of the Fifty document."""

    answers = "a number and then an operation, or both at once, such as 6*"

    def opening(self) -> None:
        """The document opens with the first turn."""

    def turn(self) -> None:
        seat = self.match.player
        self.say(f"{self.name}'s Turn", self.seat_style(seat))
        self.say()
        self.say(f"Current Score: {self.position.scores[seat]}")
        self.say(f"Available Numbers: {self._pool()}")

    def choose(self, ask: Ask) -> str:
        answer = ask("Select a number: ", self._number)
        if answer in self.match.moves:
            return answer
        ops = [move[len(answer) :] for move in self.match.moves if move[: len(answer)] == answer]
        if len(ops) == 1:
            return answer + ops[0]
        offered = ", ".join(ops)

        def operation(text: str) -> str:
            op = _with_signs(text)
            if op not in ops:
                raise Refused(f"{quoted(text)} is not an operation here. Choose one of {offered}")
            return op

        return answer + ask(f"Choose an operation ({offered}): ", operation)

    def after_move(self, move: str) -> None:
        seat = self.match.last_player or 0
        before, score = self.match.positions[-2].scores[seat], self.position.scores[seat]
        number, op, name = int(move[:-1]), move[-1], self.names[seat]
        result = calculated(before, op, number)
        said = self.voice(seat, "", f"{name} selects {number} and {op}")
        if said:
            self.say(said)
        self.say(f"Calculation: {before} {op} {number} = {result}{remainder(before, op, number)}")
        if result == score:
            self.say(self.voice(seat, f"Your score is now {score}", f"{name}'s score is now {score}"))
        else:
            lost = "The result would be negative."
            self.say(self.voice(seat, f"{lost} You lose your turn.", f"{lost} {name} loses the turn."))
            self.say(self.voice(seat, f"Your score is still {score}", f"{name}'s score is still {score}"))
        if self.match.outcome is None:
            self.say()

    def ending(self) -> None:
        target, winner = self.game.target, self.winner()
        seat = self.match.last_player or 0
        name, score = self.names[seat], self.position.scores[seat]
        if self.match.resigned is not None or score < target:
            self.say(self.why())
        elif score == target:
            reached = f"reached exactly {target} points."
            self.say(self.voice(seat, f"You have {reached} You win!", f"{name} has {reached} {name} wins!"))
        else:
            passed = f"exceeded {target} points."
            self.say(self.voice(seat, f"You have {passed} You lose!", f"{name} has {passed} {name} loses!"))
        self.say()
        self.say(f"{self.names[winner]} Wins the Game!", "win")

    def picture(self) -> None:
        self.tracks(self.position.scores, self.game.target)

    def standing(self) -> None:
        self.say(f"Available Numbers: {self._pool()}")
        self.picture()

    def moves(self) -> str:
        lines: dict[str, list[str]] = {}
        for move in self.match.moves:
            lines.setdefault(move[:-1], []).append(f"{move} {self._effect(move)}")
        return "these:\n" + "\n".join(f"  {', '.join(line)}" for line in lines.values())

    def _effect(self, move: str) -> str:
        """What a move does, in two words or three."""
        seat = self.match.player
        after = self.game.play(self.position, move)
        outcome = self.game.outcome(after)
        if outcome is not None and after.pool:
            return "wins" if outcome.winner == seat else f"loses with {after.scores[seat]}"
        if calculated(self.position.scores[seat], move[-1], int(move[:-1])) != after.scores[seat]:
            return "loses the turn"
        return f"gives {after.scores[seat]}"

    def _pool(self) -> str:
        return ", ".join(map(str, self.position.pool))

    def _number(self, text: str) -> str:
        """A number of the pool, or a whole move."""
        move = number_in("".join(_with_signs(text).split()))
        if move in self.match.moves or any(move == known[:-1] for known in self.match.moves):
            return move
        number = move[: len(move) - len(move.lstrip("0123456789"))]
        if number != move and any(number == known[:-1] for known in self.match.moves):
            raise Refused(
                f"{quoted(move[len(number) :])} is not an operation here. Choose one of {', '.join(self.game.ops)}"
            )
        what = f"{quoted(text)} is not in the pool" if text else "Type a number"
        raise Refused(f"{what}. Available Numbers: {self._pool()}")


def _with_signs(text: str) -> str:
    """The signs as they are typed; many people multiply with an x."""
    return as_typed(text).replace("x", "*").replace("X", "*")


DIALOGUE = FiftyDialogue
