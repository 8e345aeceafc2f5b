"""Sum Quest: a shared sum to 23, never the number your opponent has just used."""

from __future__ import annotations

from typing import NamedTuple

from numberquest.game import Game, Outcome, player_name
from numberquest.settings import Whole


class Position(NamedTuple):
    """The shared sum, the number that is barred now (0: none), and who moves."""

    total: int
    barred: int
    player: int


class SumQuest(Game[Position]):
    """Sum Quest: Race to 23."""

    slug = "sumquest"
    title = "Sum Quest: Race to 23"
    summary = "Add to a shared sum, never the number just used: hit exactly 23."
    rules = """\
The sum starts at 0 and belongs to both players.
On your turn choose a number from 1 to 9 and add it to the sum. Every number can be used again and \
again, except the one your opponent has just chosen.
Bring the sum to exactly 23 and you win.
Take it past 23 and you lose at once. You also lose if no number that you may choose stays within \
23."""
    rulings = {
        "Q1": "Only the opponent's immediately previous number is barred. At the first move nothing is.",
        "Q2": "A number that takes the sum past 23 is accepted, and loses at once.",
        "Q3": "A player left with no number that stays within 23 has lost before choosing: "
        "for example, the sum is 22 and the last number was 1.",
    }
    meanings = {
        "target": "the sum to reach",
        "high": "the largest number that may be chosen",
    }
    ranges = {"target": Whole(2, 999), "high": Whole(2, 9)}

    target: int
    high: int

    def __init__(self, target: int = 23, high: int = 9) -> None:
        self._settle(target=target, high=high)
        actions = tuple(str(number) for number in range(1, high + 1))
        self._fix(
            actions=actions,
            deck=(),
            # No number follows itself, so two moves add at least 3.
            longest=1 + (2 * target - 1) // 3,
            _unbarred=[tuple(move for move in actions if int(move) != barred) for barred in range(high + 1)],
        )

    _unbarred: list[tuple[str, ...]]

    def start(self) -> Position:
        return Position(0, 0, 0)

    def player(self, p: Position) -> int:
        return p.player

    def moves(self, p: Position) -> tuple[str, ...]:
        return () if self._over(p) else self._unbarred[p.barred]

    def play(self, p: Position, move: str) -> Position:
        number = int(move)
        return Position(p.total + number, number, 1 - p.player)

    def outcome(self, p: Position) -> Outcome | None:
        if not self._over(p):
            return None
        mover, other = player_name(p.player), player_name(1 - p.player)
        if p.total == self.target:
            return Outcome(1 - p.player, f"{other} reached {self.target}")
        if p.total > self.target:
            return Outcome(p.player, f"{other} passed {self.target} with {p.total}")
        return Outcome(
            1 - p.player,
            f"{mover} had no number that stays within {self.target}: the sum was {p.total} and {p.barred} was barred",
        )

    def _over(self, p: Position) -> bool:
        smallest = 2 if p.barred == 1 else 1
        return p.total + smallest > self.target
