"""A coin decides who begins, moves are of two words, and it can be drawn."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    begins: int
    said: int


class Toss(nq.Game[Position]):
    slug = "toss"
    title = "Toss"
    summary = "A coin says who begins; who begins says what happens."
    rules = "A coin is tossed. Whoever it names says who wins, or that nobody does; then the other agrees."
    actions = ("I win", "you win", "nobody wins", "all right")
    longest = 3

    def start(self):
        return Position(2, -1)

    def player(self, p):
        return nq.CHANCE if p.begins == 2 else p.begins if p.said < 0 else 1 - p.begins

    def turn(self, p):
        return 0 if p.begins == 2 else self.player(p)

    def moves(self, p):
        if p.begins == 2:
            return ("1", "2")
        return () if p.said > 9 else self.actions[:3] if p.said < 0 else self.actions[3:]

    def weights(self, p):
        return (1, 3)

    def play(self, p, move):
        if p.begins == 2:
            return Position(int(move) - 1, -1)
        return p._replace(said=p.said + 10 if p.said >= 0 else self.actions.index(move))

    def outcome(self, p):
        if p.said < 10:
            return None
        winner = (p.begins, 1 - p.begins, None)[p.said - 10]
        return nq.Outcome(winner, "nobody minds" if winner is None else "won")
