"""Small games with secrets of somebody's own: two pokers, and a choice made at once."""

from typing import Final, NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.settings import whole, yes_no


class Hands(NamedTuple):
    cards: tuple[int, int]
    """1 to 3, or 0 before the deal."""
    said: int
    """Which of `SAID`."""
    ticket: int
    """1 where Player 1 won the last draw, 2 where Player 2 did."""


SAID: Final = ("", "c", "b", "cb", "cc", "bf", "bc", "cbf", "cbc")
FIRST_OVER: Final = 4
TICKETS: Final = ("1st", "2nd")


class Kuhn(Game[Hands]):
    """Kuhn's poker. Who wins two coins has won; who wins one has three of four tickets in a last draw.

    So a chance to win of 1/2 + u/4 stands for u coins.
    """

    slug = "kuhn"
    title = "Kuhn's poker"
    summary = "One card each, and one bet."
    rules = "Each has one of three cards. Check or bet; call or fold. The pot decides who has how many of four tickets."
    actions = ("check", "bet", "fold", "call")
    longest = 6

    shown: bool = yes_no(False, "both see both cards")

    def start(self) -> Hands:
        return Hands((0, 0), 0, 0)

    def player(self, p: Hands) -> int:
        return CHANCE if 0 in p.cards or (p.said >= FIRST_OVER and not p.ticket) else len(SAID[p.said]) % 2

    def turn(self, p: Hands) -> int:
        return len(SAID[p.said]) % 2

    def moves(self, p: Hands) -> tuple[str, ...]:
        if p.ticket:
            return ()
        if 0 in p.cards:
            return tuple(card for card in "123" if int(card) not in p.cards)
        if p.said >= FIRST_OVER:
            first, stake = self._won(p)
            return (TICKETS[first],) if stake == 2 else TICKETS
        return self.actions[2:] if SAID[p.said][-1:] == "b" else self.actions[:2]

    def _won(self, p: Hands) -> tuple[int, int]:
        """Who has won, and how many coins."""
        said = SAID[p.said]
        if said[-1] == "f":
            return 1 - (len(said) - 1) % 2, 1
        return int(p.cards[1] > p.cards[0]), 2 if "b" in said else 1

    def weights(self, p: Hands) -> tuple[int, ...]:
        if p.said < FIRST_OVER:
            return (1,) * len(self.moves(p))
        first, stake = self._won(p)
        return (1,) if stake == 2 else (1, 3) if first else (3, 1)

    def play(self, p: Hands, move: str) -> Hands:
        if 0 in p.cards:
            first, second = p.cards
            return p._replace(cards=(first, int(move)) if first else (int(move), second))
        if move in TICKETS:
            return p._replace(ticket=1 + TICKETS.index(move))
        return p._replace(said=SAID.index(SAID[p.said] + move[0]))

    def outcome(self, p: Hands) -> Outcome | None:
        return Outcome(p.ticket - 1, "has the ticket that was drawn") if p.ticket else None

    def sees(self, p: Hands, who: int | None) -> Hands:
        first, second = p.cards
        return p if self.shown else p._replace(cards=(first if who == 0 else 0, second if who == 1 else 0))


class Choices(NamedTuple):
    first: int
    second: int


class Pennies(Game[Choices]):
    """Both choose at once: Player 1 wins where they are the same."""

    slug = "pennies"
    title = "Matching pennies"
    summary = "Both choose a side at once; Player 1 wins if they match."
    rules = "Both choose heads or tails at once. Player 1 wins if they are the same."
    actions = ("heads", "tails", "edge")
    longest = 2

    sides: int = whole(2, 2, 3, "how many sides a penny has")

    def start(self) -> Choices:
        return Choices(0, 0)

    def player(self, p: Choices) -> int:
        return int(p.first > 0)

    def moves(self, p: Choices) -> tuple[str, ...]:
        return () if p.second else self.actions[: self.sides]

    def play(self, p: Choices, move: str) -> Choices:
        side = 1 + self.actions.index(move)
        return p._replace(second=side) if p.first else p._replace(first=side)

    def outcome(self, p: Choices) -> Outcome | None:
        return Outcome(int(p.first != p.second), "guessed right") if p.second else None

    def sees(self, p: Choices, who: int | None) -> Choices:
        return p if who == 0 or p.second else Choices(0, 0)
