"""Mystic Numbers: draw, then add, subtract or pass it on; reach exactly 21."""

from functools import cached_property
from typing import NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.settings import whole
from numberquest.core.view import Number, Pile, Scores

ACTIONS = ("add", "subtract", "pass")
WITHOUT_SUBTRACT = ("add", "pass")


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
    how_to_win = "Reach exactly {target} to win; past {target} you lose."
    rules = """\
The numbers 1 to {high}, each {copies:times}, are shuffled into a draw pile. Both totals start at 0.
On your turn you draw the top number. Then add it to your total, subtract it from your total, or \
pass it: your opponent must add it at the start of the next turn, before drawing.
Reach exactly {target} and you win. Go past {target} and you lose at once. A total never goes below 0.
When the pile is used up and nobody has {target}, the higher total wins."""
    rulings = {
        "M1": "Adding past {target} is accepted, and loses. Subtracting below 0 is refused: "
        "pass is always there instead.",
        "M2": "A passed number is added at the start of the opponent's next turn, before the draw. "
        "It can win (exactly {target}) or lose (past {target}) the game there and then, and then nothing is drawn.",
        "M3": "A number passed from the last draw is still added; then the game ends.",
        "M4": "When the pile is used up and nobody has {target}, the higher total wins. "
        "On equal totals the player who drew the last number loses ({pile} draws: Player {last}).",
    }
    common = ("G1", "G2", "G3", "G4")
    endings = {
        "reached": "{winner} reached {target}",
        "reached by a pass": "{winner} reached {target} with the number passed to them",
        "passed": "{loser} went past {target} to {total}",
        "passed by a pass": "{loser} went past {target} to {total} with the number passed to them",
        "tie": "the pile is used up, both have {total}, and {loser}, who drew last, loses the tie",
        "closer": "the pile is used up, and {winner} with {total} is closer to {target} than {loser} with {other}",
    }
    order = 5
    exam_settings = ({}, {"copies": 1}, {"target": 15, "high": 6}, {"target": 30})
    view = (
        Scores("totals", "Total", most="highest", target="target", reach="dealt"),
        Number("drawn", "Drawn", most="high", none="nothing"),
        Pile("unseen", "Still in the pile", copies="copies"),
    )

    target: int = whole(21, 2, 60, "the total to reach")
    high: int = whole(9, 2, 9, "the largest number in the pile")
    copies: int = whole(2, 1, 4, "how often each number is in the pile")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return ACTIONS

    @cached_property
    def deck(self) -> tuple[int, ...]:
        return tuple(number for number in range(1, self.high + 1) for _ in range(self.copies))

    @property
    def pile(self) -> int:
        """How many numbers the pile has at the start."""
        return len(self.deck)

    @property
    def last(self) -> int:
        """Return the player who draws the last number: 1 or 2."""
        return 2 - self.pile % 2

    @cached_property
    def longest(self) -> int:
        return 2 * len(self.deck)

    @property
    def dealt(self) -> int:
        """Return the sum of all numbers."""
        return sum(self.deck)

    @property
    def highest(self) -> int:
        """The largest total there can be."""
        return self.target + self.high

    @cached_property
    def _draws_from(self) -> dict[tuple[int, ...], tuple[tuple[str, ...], tuple[int, ...]]]:
        return {}

    def start(self) -> Position:
        return Position(self.deck, (0, 0), 0)

    def player(self, p: Position) -> int:
        return self._drawer(p) if p.drawn else CHANCE

    def turn(self, p: Position) -> int:
        return self._drawer(p) if p.drawn else 1 - self._drawer(p)

    def moves(self, p: Position) -> tuple[str, ...]:
        unseen, totals, drawn = p
        if drawn:
            return ACTIONS if totals[self._drawer(p)] >= drawn else WITHOUT_SUBTRACT
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

    def comes_to(self, p: Position, move: str) -> str:
        mover = self.player(p)
        total = p.totals[1 - mover if move == "pass" else mover]
        after = total - p.drawn if move == "subtract" else total + p.drawn
        other = "the other has " if move == "pass" else ""
        return f"{other}{total} {'-' if move == 'subtract' else '+'} {p.drawn} = {after}"

    def outcome(self, p: Position) -> Outcome | None:
        if p.drawn:
            return None
        drawer = self._drawer(p)
        for player, total in enumerate(p.totals):
            # Only a number that was passed to them can change the total of the one who did not draw.
            how = "" if player == drawer else " by a pass"
            if total == self.target:
                return Outcome(player, f"reached{how}")
            if total > self.target:
                return Outcome(1 - player, f"passed{how}", {"total": total})
        if p.unseen:
            return None
        first, second = p.totals
        if first == second:
            return Outcome(1 - drawer, "tie", {"total": first})
        winner = 0 if first > second else 1
        return Outcome(winner, "closer", {"total": p.totals[winner], "other": p.totals[1 - winner]})

    def _drawer(self, p: Position) -> int:
        """Return the player who drew last: the players draw in turns, Player 1 first."""
        return (self.high * self.copies - len(p.unseen) - 1) % 2

    def _draws(self, unseen: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the numbers that can be drawn, and how many there are of each."""
        draws = self._draws_from.get(unseen)
        if draws is None:
            numbers = sorted(set(unseen))
            draws = tuple(map(str, numbers)), tuple(map(unseen.count, numbers))
            self._draws_from[unseen] = draws
        return draws
