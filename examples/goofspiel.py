"""Goofspiel: a prize is turned over, and both bid a card for it at the same time."""

from functools import cached_property
from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    hand_1: tuple[int, ...]
    hand_2: tuple[int, ...]
    prizes: tuple[int, ...]
    prize: int
    bid: int | None
    lead: int


class Goofspiel(nq.Game[Position]):
    slug = "goofspiel"
    title = "Goofspiel"
    summary = "A prize is turned over, and both bid a card for it at the same time: the higher card wins it."
    rules = """\
Both players hold the cards 1 to {cards}. The prizes 1 to {cards} lie in a shuffled pile.
One prize is turned over at a time. Both choose a card for it at the same time, and show them together.
The higher card wins the prize; where they are alike nobody does. Cards that were played are gone.
Who has won more when all prizes are gone wins; with as much each it is a draw."""
    endings = {"more": "{winner} has won {lead} more", "alike": "both have won the same"}
    view = (
        nq.Number("lead", "Player 1 is ahead by", most=21, least=-21),
        nq.Number("prize", "The prize", most="cards"),
        nq.Pile("prizes", "Prizes in the pile", high="cards"),
        nq.Pool("hand_1", "Cards of Player 1", high="cards"),
        nq.Pool("hand_2", "Cards of Player 2", high="cards"),
        nq.Number("bid", "Bid of Player 1", most="cards", none="none"),
    )

    cards: int = nq.whole(4, 2, 6, "how many cards each player has")

    @cached_property
    def deck(self) -> tuple[int, ...]:
        return tuple(range(1, self.cards + 1))

    actions = property(lambda self: tuple(map(str, self.deck)))
    longest = property(lambda self: 3 * self.cards)

    def start(self) -> Position:
        return Position(self.deck, self.deck, self.deck, 0, 0, 0)

    def turn(self, p: Position) -> int:
        return int(p.bid != 0)

    def player(self, p: Position) -> int:
        return self.turn(p) if p.prize or not p.prizes else nq.CHANCE

    def moves(self, p: Position) -> tuple[str, ...]:
        return tuple(map(str, (p.hand_2 if p.bid else p.hand_1) if p.prize else p.prizes))

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * len(p.prizes)

    def slot(self, p: Position) -> int:
        return self.cards - len(p.prizes)

    def play(self, p: Position, move: str) -> Position:
        card = int(move)
        if not p.prize:
            return p._replace(prizes=tuple(prize for prize in p.prizes if prize != card), prize=card)
        if not p.bid:
            return p._replace(hand_1=tuple(one for one in p.hand_1 if one != card), bid=card)
        lead = p.lead + p.prize * ((p.bid > card) - (p.bid < card))
        return p._replace(hand_2=tuple(one for one in p.hand_2 if one != card), prize=0, bid=0, lead=lead)

    def outcome(self, p: Position) -> nq.Outcome | None:
        if p.prize or p.prizes:
            return None
        return nq.Outcome(int(p.lead < 0), "more", {"lead": abs(p.lead)}) if p.lead else nq.Outcome(None, "alike")

    def sees(self, p: Position, who: int | None) -> Position:
        return p if who == 0 or not p.bid else p._replace(hand_1=tuple(sorted((*p.hand_1, p.bid))), bid=None)
