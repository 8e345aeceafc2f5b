"""Two cards and a bluff for a stake: what is won counts as the chance to win the game."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    card: int
    said: str
    answer: str
    paid: int


class Bluff(nq.Game[Position]):
    slug = "bluff"
    title = "Bluff"
    summary = "Player 1 has a high or a low card, and raises or gives up; Player 2 calls or folds."
    rules = "Player 1 looks at a card, and raises or gives up. Player 2 calls or folds. A call is for the whole game."
    actions = ("raise", "give up", "call", "fold")
    longest = 4
    view = (nq.Number("card", "Card", most=2, none="unseen"),)

    def start(self):
        return Position(0, "", "", 0)

    def turn(self, p):
        return int(p.said == "raise")

    def player(self, p):
        return nq.CHANCE if not p.card or self._is_settled(p) else self.turn(p)

    def _is_settled(self, p):
        return bool(p.answer) or p.said == "give up"

    def _leads(self, p):
        """Who is ahead: 0 or 1."""
        return int(p.said == "give up" or (p.answer == "call" and p.card == 1))

    def weights(self, p):
        if not p.card:
            return (1, 1)
        return (1,) if p.answer == "call" else (1, 3) if self._leads(p) else (3, 1)

    def moves(self, p):
        if not p.card:
            return ("low", "high")
        if p.paid:
            return ()
        if self._is_settled(p):
            return (str(self._leads(p) + 1),) if p.answer == "call" else ("1", "2")
        return self.actions[2:] if p.said else self.actions[:2]

    def play(self, p, move):
        if not p.card:
            return p._replace(card=1 + (move == "high"))
        if self._is_settled(p):
            return p._replace(paid=int(move))
        return p._replace(answer=move) if p.said else p._replace(said=move)

    def outcome(self, p):
        return nq.Outcome(p.paid - 1, "has won the stake") if p.paid else None

    def sees(self, p, who):
        return p if who == 0 or p.answer == "call" else p._replace(card=0)
