"""Small games of somebody's own, one for each thing that a game can be; none declares a view."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.settings import whole
from tests.own.last import Last


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    player: int


class Nim(Game[Heaps]):
    """Nothing is random. Its longest length has not been said."""

    slug = "own_nim"
    title = "Nim"
    summary = "Take any number from one heap; who takes the last one wins."
    rules = "In turns take any number from one heap. Who takes the last one wins."

    heaps: int = whole(2, 1, 3, "how many heaps there are")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return tuple(f"{heap}:{take}" for heap in range(1, self.heaps + 1) for take in range(1, heap + 2))

    def start(self) -> Heaps:
        return Heaps(tuple(range(2, self.heaps + 2)), 0)

    def player(self, p: Heaps) -> int:
        return p.player

    def moves(self, p: Heaps) -> tuple[str, ...]:
        return tuple(move for move in self.actions if int(move[2:]) <= p.heaps[int(move[0]) - 1])

    def play(self, p: Heaps, move: str) -> Heaps:
        heaps = list(p.heaps)
        heaps[int(move[0]) - 1] -= int(move[2:])
        return Heaps(tuple(heaps), 1 - p.player)

    def outcome(self, p: Heaps) -> Outcome | None:
        return None if any(p.heaps) else Outcome(1 - p.player, "took the last one")


class Track(NamedTuple):
    turn: int
    places: tuple[int, int]
    pot: int
    waits: bool


class Race(Game[Track]):
    """Dice with uneven faces, from the very start on, which says who begins; and no longest length."""

    slug = "own_race"
    title = "A race"
    summary = "Roll and go on, or hold; who gets to the goal wins."
    rules = "Roll as often as you like and move by what you held. A 0 loses what you rolled in this turn."

    goal: int = whole(5, 2, 30, "how far it is")

    actions = ("hold", "roll")

    def start(self) -> Track:
        return Track(-1, (0, 0), 0, True)

    def player(self, p: Track) -> int:
        return CHANCE if p.waits else p.turn

    def turn(self, p: Track) -> int:
        return max(p.turn, 0)

    def moves(self, p: Track) -> tuple[str, ...]:
        if p.turn < 0:
            return ("tails", "heads")
        if p.waits:
            return ("3", "0", "1")
        return () if max(p.places) >= self.goal else self.actions

    def weights(self, p: Track) -> tuple[int, ...]:
        return (1, 2) if p.turn < 0 else (1, 2, 3)

    def play(self, p: Track, move: str) -> Track:
        if p.turn < 0:
            return p._replace(turn=int(move == "tails"), waits=False)
        if p.waits:
            if move == "0":
                return Track(1 - p.turn, p.places, 0, False)
            return p._replace(pot=min(p.pot + int(move), self.goal), waits=False)
        if move == "roll":
            return p._replace(waits=True)
        places = list(p.places)
        places[p.turn] += p.pot
        return Track(1 - p.turn, (places[0], places[1]), 0, False)

    def outcome(self, p: Track) -> Outcome | None:
        if max(p.places) < self.goal:
            return None
        return Outcome(int(p.places[1] >= self.goal), "got there")


@dataclass(frozen=True)
class Picks:
    picks: tuple[int, int]
    done: int


class Meet(Game[Picks]):
    """Can be drawn. Its positions are of a frozen dataclass."""

    slug = "own_meet"
    title = "Meet"
    summary = "Both say a number; the higher one wins, unless it is too high."
    rules = "Both say a number. The same one is a draw. Otherwise the higher wins, but by 2 it loses."

    actions = ("1", "2", "3")
    longest = 2

    def start(self) -> Picks:
        return Picks((0, 0), 0)

    def player(self, p: Picks) -> int:
        return p.done % 2

    def moves(self, p: Picks) -> tuple[str, ...]:
        return () if p.done == 2 else self.actions

    def play(self, p: Picks, move: str) -> Picks:
        picks = (p.picks[0], int(move)) if p.done else (int(move), 0)
        return replace(p, picks=picks, done=p.done + 1)

    def outcome(self, p: Picks) -> Outcome | None:
        if p.done < 2:
            return None
        ahead = p.picks[0] - p.picks[1]
        if ahead == 0:
            return Outcome(None, "both said the same")
        return Outcome(int(ahead in (2, -1)), "said the better number")


class ShortRace(Race):
    """The same, truncated so early that it often is, also while something is to be revealed."""

    slug = "own_short_race"

    @property
    def bound(self) -> int:
        return 12


class Hands(NamedTuple):
    totals: tuple[int, int]
    left: tuple[int, ...]
    card: int


class Cards(Game[Hands]):
    """A pile that is dealt before the game, and a draw at the end of it."""

    slug = "own_cards"
    title = "Cards"
    summary = "Keep the card or give it away; the higher total wins."
    rules = "In turns turn over a card. Keep it, or give it to the other. The higher total wins."

    actions = ("keep", "give")
    deck = (1, 2, 2, 3)
    longest = 8

    def start(self) -> Hands:
        return Hands((0, 0), (1, 2, 1), 0)

    def turn(self, p: Hands) -> int:
        return (sum(p.left) + (1 if p.card else 0)) % 2

    def player(self, p: Hands) -> int:
        return self.turn(p) if p.card else CHANCE

    def moves(self, p: Hands) -> tuple[str, ...]:
        return self.actions if p.card else tuple(str(at) for at, count in enumerate(p.left, 1) if count)

    def weights(self, p: Hands) -> tuple[int, ...]:
        return tuple(count for count in p.left if count)

    def slot(self, p: Hands) -> int:
        return len(self.deck) - sum(p.left)

    def play(self, p: Hands, move: str) -> Hands:
        if not p.card:
            number = int(move)
            left = tuple(count - (at == number) for at, count in enumerate(p.left, 1))
            return Hands(p.totals, left, number)
        totals = list(p.totals)
        totals[self.turn(p) if move == "keep" else 1 - self.turn(p)] += p.card
        return Hands((totals[0], totals[1]), p.left, 0)

    def outcome(self, p: Hands) -> Outcome | None:
        if any(p.left) or p.card:
            return None
        first, second = p.totals
        return Outcome(None if first == second else int(second > first), "has the higher total")


class Tossed(NamedTuple):
    coin: int
    said: int


class Toss(Game[Tossed]):
    """Chance may end it before anybody has moved, and Player 1 may never be asked."""

    slug = "own_toss"
    title = "Toss"
    summary = "Three coins in one: the edge is a draw, heads wins, tails is for Player 2 to say."
    rules = "A coin is tossed. On its edge it is a draw, heads wins for Player 1; on tails Player 2 says who wins."

    actions = ("me", "you")
    longest = 2

    def start(self) -> Tossed:
        return Tossed(0, 0)

    def turn(self, p: Tossed) -> int:
        return 1

    def player(self, p: Tossed) -> int:
        return 1 if p.coin else CHANCE

    def moves(self, p: Tossed) -> tuple[str, ...]:
        if not p.coin:
            return ("edge", "heads", "tails")
        return self.actions if p.coin == 3 and not p.said else ()

    def weights(self, p: Tossed) -> tuple[int, ...]:
        return (1, 1, 2)

    def play(self, p: Tossed, move: str) -> Tossed:
        if not p.coin:
            return Tossed(1 + ("edge", "heads", "tails").index(move), 0)
        return Tossed(p.coin, 1 if move == "me" else 2)

    def outcome(self, p: Tossed) -> Outcome | None:
        if p.coin == 1:
            return Outcome(None, "the coin stands on its edge")
        if p.coin == 2:
            return Outcome(0, "had heads")
        return Outcome(2 - p.said, "was named") if p.said else None


class Lamp(NamedTuple):
    switched: int


class Forever(Game[Lamp]):
    """Never ends: it is truncated after so many moves as it says itself."""

    slug = "own_forever"
    title = "For ever"
    summary = "Switch a lamp on and off."
    rules = "In turns leave the lamp as it is or switch it. Nobody ever wins."

    actions = ("leave", "switch")

    @property
    def bound(self) -> int:
        return 7

    def start(self) -> Lamp:
        return Lamp(0)

    def player(self, p: Lamp) -> int:
        return p.switched % 2

    def moves(self, p: Lamp) -> tuple[str, ...]:
        return self.actions

    def play(self, p: Lamp, move: str) -> Lamp:
        return Lamp((p.switched + (1 if move == "leave" else 3)) % 4)

    def outcome(self, p: Lamp) -> Outcome | None:
        return None


class Said(NamedTuple):
    first: int
    winner: int


class Many(Game[Said]):
    """More actions than a byte has values."""

    slug = "own_many"
    title = "Many"
    summary = "Both say a number up to 300."
    rules = "Both say a number up to 300, not the same. The higher one wins if it is even, the lower one otherwise."

    actions = tuple(str(number) for number in range(1, 301))
    longest = 2

    def start(self) -> Said:
        return Said(0, 0)

    def player(self, p: Said) -> int:
        return int(p.first > 0)

    def moves(self, p: Said) -> tuple[str, ...]:
        return () if p.winner else tuple(move for move in self.actions if int(move) != p.first)

    def play(self, p: Said, move: str) -> Said:
        said = int(move)
        if not p.first:
            return Said(said, 0)
        return Said(p.first, 1 + int((p.first > said) != (max(p.first, said) % 2 == 0)))

    def outcome(self, p: Said) -> Outcome | None:
        return Outcome(p.winner - 1, "said the right number") if p.winner else None


OWN: list[Game[Any]] = [Last(heap=10), Nim(), Race(), ShortRace(), Meet(), Cards(), Toss(), Forever(), Many()]
"""One of each."""
