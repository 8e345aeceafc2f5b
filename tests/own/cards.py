from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    scores: tuple[int, int]
    unseen: tuple[int, ...]
    turns: int
    drawing: bool


class Cards(nq.Game[Position]):
    slug = "cards"
    title = "Cards"
    summary = "Draw the top card or stay; after six turns the higher total wins."
    rules = "In turns draw the top card and add it, or stay. After six turns the higher total wins."
    actions = ("draw", "stay")
    deck = (1, 1, 2, 2, 3, 3)
    longest = 12
    endings = {"higher": "{winner} has {total}", "equal": "both have {total}"}
    view = (nq.Scores("scores", "Total", most=18), nq.Pile("unseen", "Left", high=3, copies=2))

    def start(self):
        return Position((0, 0), self.deck, 0, False)

    def player(self, p):
        return nq.CHANCE if p.drawing else p.turns % 2

    def turn(self, p):
        return p.turns % 2

    def moves(self, p):
        if p.drawing:
            return tuple(str(card) for card in sorted(set(p.unseen)))
        return self.actions if p.turns < 6 else ()

    def weights(self, p):
        return tuple(p.unseen.count(card) for card in sorted(set(p.unseen)))

    def slot(self, p):
        return len(self.deck) - len(p.unseen)

    def play(self, p, move):
        if move == "draw":
            return p._replace(drawing=True)
        if move == "stay":
            return p._replace(turns=p.turns + 1)
        card = int(move)
        at = p.unseen.index(card)
        first, second = p.scores
        scores = (first, second + card) if p.turns % 2 else (first + card, second)
        return Position(scores, p.unseen[:at] + p.unseen[at + 1 :], p.turns + 1, False)

    def outcome(self, p):
        if p.turns < 6 or p.drawing:
            return None
        first, second = p.scores
        if first == second:
            return nq.Outcome(None, "equal", {"total": first})
        return nq.Outcome(int(second > first), "higher", {"total": max(p.scores)})
