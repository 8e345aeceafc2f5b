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


class Pots(NamedTuple):
    cards: tuple[int, int]
    public: int
    pots: tuple[int, int]
    stage: int
    """0 and 1 are rounds of betting, 2 is the end."""
    acts: int
    raises: int
    mover: int
    folded: int
    ticket: int


class Leduc(Game[Pots]):
    """Leduc's poker: two of each of three cards, two rounds, at most two raises in each. 26 tickets stand for 13 coins.

    So a chance to win of 1/2 + u/26 stands for u coins.
    """

    slug = "leduc"
    title = "Leduc's poker"
    summary = "One card each, one for both, two rounds of betting."
    rules = (
        "Call, raise or fold; a card for both; again. A pair wins, then the higher card. The pot decides the tickets."
    )
    actions = ("fold", "call", "raise")
    longest = 12

    def start(self) -> Pots:
        return Pots((0, 0), 0, (1, 1), 0, 0, 0, 0, 0, 0)

    def _over(self, p: Pots) -> bool:
        return p.folded > 0 or p.stage == 2

    def player(self, p: Pots) -> int:
        waits = 0 in p.cards or (p.stage == 1 and not p.public) or (self._over(p) and not p.ticket)
        return CHANCE if waits else p.mover

    def turn(self, p: Pots) -> int:
        return p.mover

    def _left(self, p: Pots) -> dict[str, int]:
        dealt = (*p.cards, p.public)
        return {str(card): 2 - dealt.count(card) for card in (1, 2, 3) if dealt.count(card) < 2}

    def _tickets(self, p: Pots) -> dict[str, int]:
        if p.folded:
            won = (1 if p.folded == 2 else -1) * p.pots[p.folded - 1]
        else:
            one, two = ((card == p.public, card) for card in p.cards)
            won = ((one > two) - (one < two)) * p.pots[0]
        return {ticket: many for ticket, many in zip(TICKETS, (13 + won, 13 - won), strict=True) if many}

    def moves(self, p: Pots) -> tuple[str, ...]:
        if p.ticket:
            return ()
        if self.player(p) == CHANCE:
            return tuple(self._tickets(p) if self._over(p) else self._left(p))
        bet = p.pots[0] != p.pots[1]
        return (*(("fold",) if bet else ()), "call", *(("raise",) if p.raises < 2 else ()))

    def weights(self, p: Pots) -> tuple[int, ...]:
        return tuple((self._tickets(p) if self._over(p) else self._left(p)).values())

    def play(self, p: Pots, move: str) -> Pots:
        if 0 in p.cards:
            first, second = p.cards
            return p._replace(cards=(first, int(move)) if first else (int(move), second))
        if self._over(p):
            return p._replace(ticket=1 + TICKETS.index(move))
        if self.player(p) == CHANCE:
            return p._replace(public=int(move))
        if move == "fold":
            return p._replace(folded=1 + p.mover)
        other = p.pots[1 - p.mover]
        mine = other + (2 + 2 * p.stage) * (move == "raise")
        pots = (mine, other) if p.mover == 0 else (other, mine)
        if move == "call" and p.acts:
            return p._replace(pots=pots, stage=p.stage + 1, acts=0, raises=0, mover=0)
        raises = p.raises + (move == "raise")
        return p._replace(pots=pots, acts=p.acts + 1, raises=raises, mover=1 - p.mover)

    def outcome(self, p: Pots) -> Outcome | None:
        return Outcome(p.ticket - 1, "has the ticket that was drawn") if p.ticket else None

    def sees(self, p: Pots, who: int | None) -> Pots:
        first, second = p.cards
        return p._replace(cards=(first if who == 0 else 0, second if who == 1 else 0))


class Throws(NamedTuple):
    thrown: int
    won: tuple[int, int]


class Again(Game[Throws]):
    """Rock, paper, scissors until somebody has won often enough; alike ones are thrown again."""

    slug = "again"
    title = "Rock, paper, scissors"
    summary = "Both throw at once, and again where they throw the same."
    rules = "Both throw at once. Rock beats scissors, scissors beat paper, paper beats rock; the same is thrown again."

    need: int = whole(1, 1, 3, "how many throws must be won")
    heavy: bool = yes_no(False, "the rock of Player 1 beats that of Player 2")
    wait: bool = yes_no(False, "whoever waits has the throw made again")

    @property
    def actions(self) -> tuple[str, ...]:
        return ("rock", "paper", "scissors", *(("wait",) if self.wait else ()))

    def start(self) -> Throws:
        return Throws(0, (0, 0))

    def player(self, p: Throws) -> int:
        return int(p.thrown > 0)

    def moves(self, p: Throws) -> tuple[str, ...]:
        return () if max(p.won) >= self.need else self.actions

    def play(self, p: Throws, move: str) -> Throws:
        throw = 1 + self.actions.index(move)
        if not p.thrown:
            return p._replace(thrown=throw)
        first = (p.thrown - throw) % 3 if 4 not in (p.thrown, throw) else 0
        if self.heavy and p.thrown == throw == 1:
            first = 1
        one, two = p.won
        return Throws(0, (one + (first == 1), two + (first == 2)))

    def outcome(self, p: Throws) -> Outcome | None:
        return Outcome(int(p.won[1] >= self.need), "won the last throw") if max(p.won) >= self.need else None

    def sees(self, p: Throws, who: int | None) -> Throws:
        return p if who == 0 else p._replace(thrown=0)


class Morra(Again):
    """Two fingers: who alone says how many both show gets as many points. Best play may go on for ever."""

    slug = "morra"
    title = "Morra"
    summary = "Both show one finger or two, and say how many both show."
    rules = (
        "Both show one finger or two, and say how many both show. Who alone is right gets as many points: {need} win."
    )
    actions = ("1 says 2", "1 says 3", "2 says 3", "2 says 4")

    need: int = whole(4, 1, 12, "how many points win")

    def play(self, p: Throws, move: str) -> Throws:
        if not p.thrown:
            return p._replace(thrown=1 + self.actions.index(move))
        (one, first), (two, second) = (map(int, said.split(" says ")) for said in (self.actions[p.thrown - 1], move))
        shown = one + two
        points = shown if (first == shown) != (second == shown) else 0
        mine, yours = p.won
        return Throws(0, (mine + points * (first == shown), yours + points * (second == shown)))


class Coins(NamedTuple):
    held: int
    guess: int


class Hand(Game[Coins]):
    """Player 1 holds a coin or none, which looks alike to Player 2, who guesses: that it is blank says nothing."""

    slug = "hand"
    title = "A coin in the hand"
    summary = "One hides a coin or none, the other guesses."
    rules = "Player 1 hides a coin in the hand, or none. Player 2 wins by guessing it."
    actions = ("0", "1")
    longest = 2

    def start(self) -> Coins:
        return Coins(-1, -1)

    def player(self, p: Coins) -> int:
        return int(p.held >= 0)

    def moves(self, p: Coins) -> tuple[str, ...]:
        return () if p.guess >= 0 else self.actions

    def play(self, p: Coins, move: str) -> Coins:
        return p._replace(held=int(move)) if p.held < 0 else p._replace(guess=int(move))

    def outcome(self, p: Coins) -> Outcome | None:
        return Outcome(int(p.held == p.guess), "was right") if p.guess >= 0 else None

    def sees(self, p: Coins, who: int | None) -> Coins:
        return p if who == 0 or p.guess >= 0 or p.held < 0 else p._replace(held=0)


class Told(Hand):
    """Player 1 may say beforehand that there is no coin: then all is open in a position that elsewhere is not."""

    slug = "told"
    title = "A coin or a word"
    longest = 3

    def start(self) -> Coins:
        return Coins(-2, -1)

    def play(self, p: Coins, move: str) -> Coins:
        return p._replace(held=-int(move)) if p.held < -1 else super().play(p, move)


class Covered(Hand):
    """The hand is covered from the start on: so the first position, too, is not as Player 2 sees it."""

    slug = "covered"
    title = "A coin in a covered hand"

    def sees(self, p: Coins, who: int | None) -> Coins:
        return p if who == 0 or p.guess >= 0 else p._replace(held=0)


class Sale(NamedTuple):
    money: tuple[int, int]
    won: tuple[int, int]
    left: int
    bid: int
    waiting: bool


class Bids(Game[Sale]):
    """Both bid for a prize at once, three times, and the higher bid is paid. A bid of nothing looks like none."""

    slug = "bids"
    title = "Sealed bids"
    summary = "Both bid for three prizes, at once; the higher bid is paid, and wins."
    rules = "Both have two coins, and bid for a prize at once, three times. The higher bid is paid. More prizes win."
    actions = ("0", "1", "2")
    longest = 6

    def start(self) -> Sale:
        return Sale((2, 2), (0, 0), 3, 0, waiting=False)

    def player(self, p: Sale) -> int:
        return int(p.waiting)

    def moves(self, p: Sale) -> tuple[str, ...]:
        return self.actions[: p.money[p.waiting] + 1] if p.left else ()

    def play(self, p: Sale, move: str) -> Sale:
        bid = int(move)
        if not p.waiting:
            return p._replace(bid=bid, waiting=True)
        one, two = p.money
        first, second = p.bid > bid, p.bid < bid
        money = (one - p.bid * first, two - bid * second)
        return Sale(money, (p.won[0] + first, p.won[1] + second), p.left - 1, 0, waiting=False)

    def outcome(self, p: Sale) -> Outcome | None:
        one, two = p.won
        return None if p.left else Outcome(None if one == two else int(two > one), "has bought more")

    def sees(self, p: Sale, who: int | None) -> Sale:
        return p if who == 0 else p._replace(bid=0)
