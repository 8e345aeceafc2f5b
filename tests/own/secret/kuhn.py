"""Poker with three cards: what is hidden comes by chance, from a deck."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    cards: tuple[int, int]
    dealt: int
    bets: tuple[int, int]
    said: int
    over: bool


class Kuhn(nq.Game[Position]):
    slug = "threecards"
    title = "Poker with three cards"
    summary = "Each has one of three cards; check, bet, call or fold."
    rules = "Each puts in one and gets a card. Check or bet one; whoever is bet against calls or folds."
    actions = ("check", "bet", "call", "fold")
    deck = (1, 2, 3)
    longest = 5
    endings = {"higher": "{winner} has the higher card", "fold": "{loser} has folded"}
    view = (nq.Scores("cards", "Card", most=3, none="unseen"), nq.Scores("bets", "Stake", most=2))

    def start(self):
        return Position((0, 0), 0, (1, 1), 0, False)

    def turn(self, p):
        return 0 if p.dealt < 2 else p.said % 2

    def player(self, p):
        return nq.CHANCE if p.dealt < 2 else p.said % 2

    def slot(self, p):
        return p.dealt

    def weights(self, p):
        return (1,) * len(self.moves(p))

    def moves(self, p):
        if p.dealt < 2:
            return tuple(str(card) for card in self.deck if card not in p.cards[: p.dealt])
        if p.over:
            return ()
        return ("check", "bet") if p.bets == (1, 1) else ("call", "fold")

    def play(self, p, move):
        if p.dealt < 2:
            return p._replace(cards=(int(move), 0) if not p.dealt else (p.cards[0], int(move)), dealt=p.dealt + 1)
        me = p.said % 2
        if move in ("bet", "call"):
            bets = (2, p.bets[1]) if me == 0 else (p.bets[0], 2)
            return p._replace(bets=bets, said=p.said + 1, over=move == "call")
        over = move == "fold" or p.said == 1
        return p._replace(said=p.said + 1, over=over)

    def outcome(self, p):
        if not p.over:
            return None
        if p.bets[0] != p.bets[1]:
            return nq.Outcome(int(p.bets[1] > p.bets[0]), "fold")
        return nq.Outcome(int(p.cards[1] > p.cards[0]), "higher")

    def sees(self, p, who):
        if p.over and p.bets[0] == p.bets[1]:
            return p
        return p._replace(cards=tuple(card if seat == who else 0 for seat, card in enumerate(p.cards)))
