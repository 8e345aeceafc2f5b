"""Both choose at once; whose turn it is follows from what is hidden."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    picks: tuple[int, int]


class Pennies(nq.Game[Position]):
    slug = "pennies"
    title = "Matching pennies"
    summary = "Both say 1, 2 or 3 at once; the same is for Player 1, and a 3 counts for nobody else."
    rules = "Both say a number at the same time. If they are the same, Player 1 wins, otherwise Player 2."
    actions = ("1", "2", "3")
    longest = 2

    def start(self):
        return Position((0, 0))

    def player(self, p):
        return 0 if not p.picks[0] else 1

    def moves(self, p):
        return () if all(p.picks) else self.actions

    def play(self, p, move):
        return Position((p.picks[0], int(move)) if p.picks[0] else (int(move), 0))

    def outcome(self, p):
        return nq.Outcome(int(p.picks[0] != p.picks[1]), "said it") if all(p.picks) else None

    def sees(self, p, who):
        if all(p.picks):
            return p
        one, two = p.picks
        return Position((one if who == 0 else 0, two if who == 1 else 0))
