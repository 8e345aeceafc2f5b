"""A whole game in one file."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    tossed: int
    guess: int


class Coin(nq.Game[Position]):
    slug = "coin"
    title = "Coin"
    summary = "A number is drawn, and Player 1 says whether the next one is higher."
    rules = "A number is drawn. Say higher or lower; then one more is drawn."
    actions = ("higher", "lower")
    longest = 3

    def start(self):
        return Position(0, 0)

    def player(self, p):
        return 0 if 0 < p.tossed < 10 and not p.guess else nq.CHANCE

    def turn(self, p):
        return 0

    def moves(self, p):
        if p.tossed >= 10:
            return ()
        return self.actions if p.tossed and not p.guess else ("1", "2", "3", "4")

    def weights(self, p):
        return (1, 1, 1, 1)

    def play(self, p, move):
        if move in self.actions:
            return p._replace(guess=1 + self.actions.index(move))
        if not p.tossed:
            return p._replace(tossed=int(move))
        return Position(10 + p.tossed * 10 + int(move), p.guess)

    def outcome(self, p):
        if p.tossed < 10:
            return None
        first, second = divmod(p.tossed - 10, 10)
        if first == second:
            return nq.Outcome(None, "both were the same")
        return nq.Outcome(int((second > first) != (p.guess == 1)), "was right")
