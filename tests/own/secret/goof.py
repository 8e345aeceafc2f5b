"""A small goofspiel: prizes in order, both bid a card at once, the higher card takes the prize."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    scores: tuple[int, int]
    first: tuple[int, ...]
    second: tuple[int, ...]
    bid: int
    turn: int


class Goof(nq.Game[Position]):
    slug = "goof"
    title = "Goofspiel"
    summary = "Prizes from {cards} down; both bid a card at once, and the higher takes the prize."
    rules = (
        "For each prize both play a card at the same time. The higher card takes the prize; of equal ones none does."
    )

    cards: int = nq.whole(3, 2, 5, "how many cards each has")

    @property
    def actions(self):
        return tuple(str(card) for card in range(1, self.cards + 1))

    @property
    def longest(self):
        return 2 * self.cards

    def start(self):
        hand = tuple(range(1, self.cards + 1))
        return Position((0, 0), hand, hand, 0, 0)

    def player(self, p):
        return p.turn

    def moves(self, p):
        return tuple(map(str, p.second if p.turn else p.first))

    def play(self, p, move):
        card = int(move)
        if not p.turn:
            return p._replace(bid=card, turn=1)
        prize, (mine, yours) = len(p.first), p.scores
        scores = (mine + prize * (p.bid > card), yours + prize * (card > p.bid))
        first, second = tuple(c for c in p.first if c != p.bid), tuple(c for c in p.second if c != card)
        return Position(scores, first, second, 0, 0)

    def outcome(self, p):
        if p.first:
            return None
        mine, yours = p.scores
        return nq.Outcome(None if mine == yours else int(yours > mine), "has the most")

    view = (
        nq.Scores("scores", "Prizes", most=15),
        nq.Pool("first", "Cards of Player 1", high="cards"),
        nq.Pool("second", "Cards of Player 2", high="cards"),
        nq.Number("bid", "Bid", most="cards", none="hidden"),
    )

    def sees(self, p, who):
        return p if who == 0 else p._replace(bid=0)
