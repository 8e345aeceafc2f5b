"""Two cards and a bluff. The second card follows from the first, and no view is declared."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    card: int
    said: str
    answer: str


class Bluff(nq.Game[Position]):
    slug = "bluff"
    title = "Bluff"
    summary = "Player 1 has a high or a low card, and raises or folds; Player 2 calls or folds."
    rules = "Player 1 looks at a card, and raises or folds. Player 2 then calls or folds. High wins when it is called."
    actions = ("raise", "give up", "call", "fold")
    longest = 3
    view = (nq.Number("card", "Card", most=2, none="unseen"),)

    def start(self):
        return Position(0, "", "")

    def turn(self, p):
        return int(p.said == "raise")

    def player(self, p):
        return nq.CHANCE if not p.card else self.turn(p)

    def weights(self, p):
        return (1, 1)

    def moves(self, p):
        if not p.card:
            return ("1", "2")
        if p.answer or p.said == "give up":
            return ()
        return self.actions[2:] if p.said else self.actions[:2]

    def play(self, p, move):
        if not p.card:
            return p._replace(card=int(move))
        return p._replace(answer=move) if p.said else p._replace(said=move)

    def outcome(self, p):
        if p.said == "give up":
            return nq.Outcome(1, "is given the game")
        if not p.answer:
            return None
        return nq.Outcome(0, "was not called") if p.answer == "fold" else nq.Outcome(int(p.card == 1), "has been shown")

    def sees(self, p, who):
        return p if who == 0 or p.answer == "call" else p._replace(card=0)
