"""A game with a die that can be drawn, in one file: throw it, or take three for sure. For tests of what is drawn."""

from typing import NamedTuple

import numberquest as nq
from numberquest.core.view import Number, Scores


class Position(NamedTuple):
    """Both scores, whose turn it is, how many turns are left, and whether the die is rolling."""

    scores: tuple[int, int]
    turn: int
    left: int
    rolling: bool


class Dice(nq.Game[Position]):
    """Dice race."""

    slug = "dice_race"
    title = "Dice race"
    summary = "Throw the die or take three for sure: the higher score wins."
    rules = "In turns throw the die, or take 3 for sure. After the last turn the higher score wins."
    endings = {"more": "{winner} has more", "same": "both have {score}"}
    view = (Scores("scores", "Score", most="most"), Number("left", "Turns left", most="turns"))
    actions = ("roll", "take 3")

    turns: int = nq.whole(4, 2, 20, "how many turns there are")

    @property
    def most(self) -> int:
        """The largest score there can be."""
        return 3 * self.turns

    @property
    def longest(self) -> int:
        return 2 * self.turns

    def start(self) -> Position:
        return Position((0, 0), 0, self.turns, False)

    def player(self, p: Position) -> int:
        return nq.CHANCE if p.rolling else p.turn

    def turn(self, p: Position) -> int:
        return p.turn

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * 6

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.rolling:
            return ("1", "2", "3", "4", "5", "6")
        return self.actions if p.left else ()

    def play(self, p: Position, move: str) -> Position:
        if move == "roll":
            return p._replace(rolling=True)
        won = 3 if move == "take 3" else int(move)
        one, two = p.scores
        scores = (one, two + won) if p.turn else (one + won, two)
        return Position(scores, 1 - p.turn, p.left - 1, False)

    def outcome(self, p: Position) -> nq.Outcome | None:
        if p.left or p.rolling:
            return None
        one, two = p.scores
        return nq.Outcome(None, "same", {"score": one}) if one == two else nq.Outcome(0 if one > two else 1, "more")
