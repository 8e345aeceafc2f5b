"""Sum Quest: a shared sum to 23, never the number your opponent has just used."""

from functools import cached_property
from typing import NamedTuple

from numberquest.core.contract import Game, Outcome
from numberquest.core.settings import whole
from numberquest.core.view import Number


class Position(NamedTuple):
    """The shared sum, the number that is barred now (0: none), and who moves."""

    total: int
    barred: int
    player: int


class SumQuest(Game[Position]):
    """Sum Quest: Race to 23."""

    slug = "sumquest"
    title = "Sum Quest: Race to 23"
    titled = "Sum Quest: Race to {target}"
    summary = "Add to a shared sum, never the number just used: hit exactly 23."
    how_to_win = "Bring the sum to exactly {target} to win; past {target} you lose."
    rules = """\
The sum starts at 0 and belongs to both players.
On your turn choose a number from 1 to {high} and add it to the sum. Every number can be used again and \
again, except the one your opponent has just chosen.
Bring the sum to exactly {target} and you win.
Take it past {target} and you lose at once. You also lose if no number that you may choose stays within \
{target}."""
    rulings = {
        "Q1": "Only the opponent's immediately previous number is barred. At the first move nothing is.",
        "Q2": "A number that takes the sum past {target} is accepted, and loses at once.",
        "Q3": "A player left with no number that stays within {target} has lost before choosing: "
        "for example, the sum is {almost} and the last number was 1.",
    }
    common = ("G1", "G2", "G3")
    endings = {
        "reached": "{winner} reached {target}",
        "passed": "{loser} passed {target} with {total}",
        "stuck": "{loser} had no number that stays within {target}: the sum was {total} and {barred} was barred",
    }
    order = 4
    landmark = "total"
    answering = "add"
    exam_settings = ({}, {"high": 6}, {"target": 50}, {"target": 100, "high": 7})
    view = (
        Number("total", "Sum", most="highest", target="target", part="sum"),
        Number("barred", "Barred now", most="high", none="no number"),
    )

    target: int = whole(23, 2, 999, "the sum to reach")
    high: int = whole(9, 2, 9, "the largest number that may be chosen")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return tuple(str(number) for number in range(1, self.high + 1))

    @cached_property
    def longest(self) -> int:
        # No number follows itself, so two moves add at least 3.
        return 1 + (2 * self.target - 1) // 3

    @property
    def almost(self) -> int:
        """One short of the target."""
        return self.target - 1

    @property
    def highest(self) -> int:
        """The largest sum there can be."""
        return self.target + self.high

    @cached_property
    def _unbarred(self) -> list[tuple[str, ...]]:
        return [tuple(move for move in self.actions if int(move) != barred) for barred in range(self.high + 1)]

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
        if p.total == self.target:
            return Outcome(1 - p.player, "reached")
        if p.total > self.target:
            return Outcome(p.player, "passed", {"total": p.total})
        return Outcome(1 - p.player, "stuck", {"total": p.total, "barred": p.barred})

    def _over(self, p: Position) -> bool:
        smallest = 2 if p.barred == 1 else 1
        return p.total + smallest > self.target
