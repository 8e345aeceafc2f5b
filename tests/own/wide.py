"""A game with a hundred moves at once."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    said: int
    player: int


class Guess(nq.Game[Position]):
    slug = "high_word"
    title = "High word"
    summary = "Say a number; the other says a higher one."
    rules = "Say a number. The other says a higher one. Who cannot any more has lost."
    actions = tuple(f"say {number}" for number in range(1, 101))
    longest = 100

    def start(self):
        return Position(0, 0)

    def player(self, p):
        return p.player

    def moves(self, p):
        return self.actions[p.said :]

    def play(self, p, move):
        return Position(int(move[4:]), 1 - p.player)

    def outcome(self, p):
        return None if p.said < 100 else nq.Outcome(1 - p.player, "said the highest")
