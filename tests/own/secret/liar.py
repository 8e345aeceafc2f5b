"""Liar's dice with one die each: dice that only their owner sees, and bids that everybody hears."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    dice: tuple[int, int]
    bid: int
    turn: int
    called: bool


class Liar(nq.Game[Position]):
    slug = "liar"
    title = "Liar's dice"
    summary = "Each has a die that nobody else sees; bid higher, or call the other a liar."
    rules = "Bid how often a face lies on the table, always higher than before, or say liar: then the dice decide."

    faces: int = nq.whole(2, 2, 6, "how many faces a die has")

    @property
    def actions(self):
        return (*(f"{count}x{face}" for count in (1, 2) for face in range(1, self.faces + 1)), "liar")

    @property
    def longest(self):
        return 3 + 2 * self.faces

    def start(self):
        return Position((0, 0), 0, 0, False)

    def turn(self, p):
        return p.turn

    def player(self, p):
        return nq.CHANCE if not all(p.dice) else p.turn

    def weights(self, p):
        return (1,) * self.faces

    def moves(self, p):
        if not all(p.dice):
            return tuple(str(face) for face in range(1, self.faces + 1))
        if p.called:
            return ()
        return self.actions[p.bid : -1] + (("liar",) if p.bid else ())

    def play(self, p, move):
        if not all(p.dice):
            return p._replace(dice=(p.dice[0], int(move)) if p.dice[0] else (int(move), 0))
        if move == "liar":
            return p._replace(called=True, turn=1 - p.turn)
        return p._replace(bid=1 + self.actions.index(move), turn=1 - p.turn)

    def outcome(self, p):
        if not p.called:
            return None
        count, face = map(int, self.actions[p.bid - 1].split("x"))
        # Whose turn it would be made the bid; the highest face counts as any.
        there = sum(die in (face, self.faces) for die in p.dice)
        return nq.Outcome(p.turn if there >= count else 1 - p.turn, "knew better")

    def sees(self, p, who):
        if p.called:
            return p
        return p._replace(dice=tuple(die if seat == who else 0 for seat, die in enumerate(p.dice)))
