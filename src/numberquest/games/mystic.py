"""Mystic Numbers: draw, then add, subtract or pass it on; reach exactly 21."""

from __future__ import annotations

from typing import NamedTuple

from numberquest.game import CHANCE, Game, Outcome, player_name
from numberquest.settings import Whole


class Position(NamedTuple):
    """The numbers still unseen, in ascending order; both totals; the number drawn (0: none yet)."""

    unseen: tuple[int, ...]
    totals: tuple[int, int]
    drawn: int


class Mystic(Game[Position]):
    """Mystic Numbers."""

    slug = "mystic"
    title = "Mystic Numbers"
    summary = "Draw a number; add it, subtract it or pass it on: hit exactly 21."
    rules = """\
The numbers 1 to 9, each twice, are shuffled into a draw pile. Both totals start at 0.
On your turn you draw the top number. Then add it to your total, subtract it from your total, or \
pass it: your opponent must add it at the start of the next turn, before drawing.
Reach exactly 21 and you win. Go past 21 and you lose at once. A total never goes below 0.
When the pile is used up and nobody has 21, the higher total wins."""
    rulings = {
        "M1": "Adding past 21 is accepted, and loses. Subtracting below 0 is refused: pass is always there instead.",
        "M2": "A passed number is added at the start of the opponent's next turn, before the draw. "
        "It can win (exactly 21) or lose (past 21) the game there and then, and then nothing is drawn.",
        "M3": "A number passed from the last draw is still added; then the game ends.",
        "M4": "When the pile is used up and nobody has 21, the higher total wins. "
        "On equal totals the player who drew the last number loses (18 draws: Player 2).",
    }
    meanings = {
        "target": "the total to reach",
        "high": "the largest number in the pile",
        "copies": "how often each number is in the pile",
    }
    ranges = {"target": Whole(2, 60), "high": Whole(2, 9), "copies": Whole(1, 4)}

    target: int
    high: int
    copies: int

    def __init__(self, target: int = 21, high: int = 9, copies: int = 2) -> None:
        self._settle(target=target, high=high, copies=copies)
        self._fix(
            actions=("add", "subtract", "pass"),
            deck=tuple(number for number in range(1, high + 1) for _ in range(copies)),
            longest=2 * high * copies,
            _without_subtract=("add", "pass"),
            _draws_from={},
        )

    _without_subtract: tuple[str, ...]
    _draws_from: dict[tuple[int, ...], tuple[tuple[str, ...], tuple[int, ...]]]

    def start(self) -> Position:
        return Position(self.deck, (0, 0), 0)

    def player(self, p: Position) -> int:
        return self._drawer(p) if p.drawn else CHANCE

    def turn(self, p: Position) -> int:
        return self._drawer(p) if p.drawn else 1 - self._drawer(p)

    def moves(self, p: Position) -> tuple[str, ...]:
        unseen, totals, drawn = p
        if drawn:
            return self.actions if totals[self._drawer(p)] >= drawn else self._without_subtract
        if totals[0] >= self.target or totals[1] >= self.target:
            return ()
        return self._draws(unseen)[0]

    def weights(self, p: Position) -> tuple[int, ...]:
        return self._draws(p.unseen)[1]

    def slot(self, p: Position) -> int:
        return len(self.deck) - len(p.unseen)

    def play(self, p: Position, move: str) -> Position:
        unseen, (first, second), drawn = p
        if not drawn:
            number = int(move)
            at = unseen.index(number)
            return Position(unseen[:at] + unseen[at + 1 :], p.totals, number)
        # A passed number is the opponent's from now on: nobody decides anything before it is added (M2).
        gainer = self._drawer(p) if move != "pass" else 1 - self._drawer(p)
        gain = drawn if move != "subtract" else -drawn
        return Position(unseen, (first + gain, second) if gainer == 0 else (first, second + gain), 0)

    def outcome(self, p: Position) -> Outcome | None:
        if p.drawn:
            return None
        drawer = self._drawer(p)
        for player, total in enumerate(p.totals):
            # Only a number that was passed to them can change the total of the one who did not draw.
            forced = "" if player == drawer else " with the number passed to them"
            if total == self.target:
                return Outcome(player, f"{player_name(player)} reached {self.target}{forced}")
            if total > self.target:
                return Outcome(1 - player, f"{player_name(player)} went past {self.target} to {total}{forced}")
        if p.unseen:
            return None
        first, second = p.totals
        if first == second:
            return Outcome(
                1 - drawer,
                f"the pile is used up, both have {first}, and {player_name(drawer)}, who drew last, loses the tie",
            )
        winner = 0 if first > second else 1
        return Outcome(
            winner,
            f"the pile is used up, and {player_name(winner)} with {p.totals[winner]} is closer to {self.target} "
            f"than {player_name(1 - winner)} with {p.totals[1 - winner]}",
        )

    def _drawer(self, p: Position) -> int:
        """Who drew last: the two draw in turns, Player 1 first."""
        return (len(self.deck) - len(p.unseen) - 1) % 2

    def _draws(self, unseen: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """What can be drawn, and how many there are of each."""
        draws = self._draws_from.get(unseen)
        if draws is None:
            numbers = sorted(set(unseen))
            draws = tuple(map(str, numbers)), tuple(map(unseen.count, numbers))
            self._draws_from[unseen] = draws
        return draws
