"""Grid: open covered cells and stop at exactly 15."""

from functools import cached_property
from typing import NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.settings import whole, yes_no
from numberquest.core.view import Cells, Flags, Scores


class Position(NamedTuple):
    """The open numbers, row by row (0: covered); both totals; who played last; the cell being opened; who stands."""

    cells: tuple[int, ...]
    totals: tuple[int, int]
    last: int
    opening: int
    stood: tuple[bool, bool]


NO_CELL = -1


class Grid(Game[Position]):
    """Number Quest: Grid."""

    slug = "grid"
    title = "Number Quest: Grid"
    short_title = "Grid"
    summary = "Turn over the cells of a covered 3 by 3 grid: hit exactly 15."
    how_to_win = "Reach exactly {target} to win; past {target} you lose."
    rules = """\
The numbers 1 to {number_of_cells} lie covered on a grid of {side} by {side} cells. Both totals start at 0.
On your turn choose a covered cell by its row and column, such as 2,{side}. Its number is revealed and \
added to your total.
{stand?Instead of opening a cell you may stand: then you open no more cells, and your opponent goes on alone.}
Reach exactly {target} and you win. Go past {target} and you lose at once.
If {stand?both players stand, or }every cell is open, the total closer to {target} wins; on a tie the player who was \
last to play loses."""
    rulings = {
        "C1": "The cells are row,column from 1,1 (top left) to {side},{side}.",
        "C2": "{too_much?With all {number_of_cells} cells open, {dealt} has been dealt to two players, so "
        "somebody has passed {target} before: the ending with every cell open cannot arise on this board. "
        "It is there for the boards where it can.}",
        "stand=yes": "{stand?Instead of opening a cell a player may stand, and then opens no more cells. The other "
        "goes on alone until standing too, reaching the target, or passing it. When both stand, or every cell is open, "
        "the total closer to the target wins, and on a tie the player who was last to play loses.}",
    }
    common = ("G1", "G2", "G3", "G4")
    endings = {
        "reached": "{winner} reached {target}",
        "passed": "{loser} passed {target} with {score}",
        "stand tie": "both players stand, both have {score}, and {loser}, last to play, loses the tie",
        "stand": "both players stand, and {winner} with {score} is closer to {target} than {loser} with {other}",
        "open tie": "every cell is open, both have {score}, and {loser}, last to play, loses the tie",
        "open": "every cell is open, and {winner} with {score} is closer to {target} than {loser} with {other}",
    }
    order = 3
    puzzle_settings = {"stand": True}
    puzzle_note = "In the classic grid no choice matters, so in this puzzle a player may stand."
    exam_settings = (
        {"stand": True},
        {"stand": True, "target": 21},
        {"stand": True, "side": 4, "target": 31},
        {"stand": True, "side": 4, "target": 50},
    )
    interchangeable = "opening a cell"
    view = (
        Scores("totals", "Total", most="highest", target="target", reach="dealt"),
        Flags("stood", "Who stands", part="stands"),
        Cells("cells", "The open numbers", wide="side", most="number_of_cells"),
    )

    target: int = whole(15, 2, 99, "the total to reach")
    side: int = whole(3, 2, 4, "how many rows and columns the grid has")
    stand: bool = yes_no(False, "a player may stand instead of opening a cell")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return (*self._cells, "stand") if self.stand else self._cells

    @cached_property
    def deck(self) -> tuple[int, ...]:
        return tuple(range(1, self.number_of_cells + 1))

    @cached_property
    def longest(self) -> int:
        return 2 * self.number_of_cells + (2 if self.stand else 0)

    @property
    def number_of_cells(self) -> int:
        """How many there are; as many numbers lie under them."""
        return self.side * self.side

    @property
    def dealt(self) -> int:
        """The sum of all numbers."""
        return sum(self.deck)

    @property
    def too_much(self) -> bool:
        """Whether a player has passed the target before every cell is open."""
        return self.dealt > 2 * self.target

    @property
    def highest(self) -> int:
        """The largest total there can be."""
        return self.target + self.number_of_cells

    @cached_property
    def _cells(self) -> tuple[str, ...]:
        sides = range(1, self.side + 1)
        return tuple(f"{row},{column}" for row in sides for column in sides)

    @cached_property
    def _numbers(self) -> tuple[str, ...]:
        return tuple(map(str, self.deck))

    def start(self) -> Position:
        # As if Player 2 had just played: then Player 1 is next.
        return Position((0,) * len(self.deck), (0, 0), 1, NO_CELL, (False, False))

    def player(self, p: Position) -> int:
        return CHANCE if p.opening != NO_CELL else self._next(p)

    def turn(self, p: Position) -> int:
        return self._next(p)

    def canonical(self, p: Position) -> Position:
        # The cells are all alike: only which numbers lie open matters.
        cells = (*sorted(filter(None, p.cells)), *(0,) * p.cells.count(0))
        return p._replace(cells=cells, opening=p.opening if p.opening == NO_CELL else cells.index(0))

    alike = canonical

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.opening != NO_CELL:
            return tuple([text for text, number in zip(self._numbers, self.deck, strict=True) if number not in p.cells])
        if self._over(p):
            return ()
        covered = tuple([name for name, number in zip(self._cells, p.cells, strict=True) if not number])
        return (*covered, "stand") if self.stand else covered

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * p.cells.count(0)

    def slot(self, p: Position) -> int:
        return p.opening

    def play(self, p: Position, move: str) -> Position:
        cells, (first, second), last, opening, stood = p
        if opening != NO_CELL:
            number = int(move)
            cells = (*cells[:opening], number, *cells[opening + 1 :])
            player = self._next(p)
            totals = (first, second + number) if player else (first + number, second)
            return Position(cells, totals, player, NO_CELL, stood)
        if move == "stand":
            player = self._next(p)
            return Position(cells, p.totals, player, NO_CELL, (True, stood[1]) if player == 0 else (stood[0], True))
        return Position(cells, p.totals, last, self._cells.index(move), stood)

    def outcome(self, p: Position) -> Outcome | None:
        if p.opening != NO_CELL or not self._over(p):
            return None
        total = p.totals[p.last]
        if total == self.target:
            return Outcome(p.last, "reached")
        if total > self.target:
            return Outcome(1 - p.last, "passed", {"score": total})
        why = "stand" if all(p.stood) else "open"
        first, second = p.totals
        if first == second:
            return Outcome(1 - p.last, f"{why} tie", {"score": first})
        winner = 0 if first > second else 1
        return Outcome(winner, why, {"score": p.totals[winner], "other": p.totals[1 - winner]})

    def _next(self, p: Position) -> int:
        return p.last if p.stood[1 - p.last] else 1 - p.last

    def _over(self, p: Position) -> bool:
        return p.totals[p.last] >= self.target or 0 not in p.cells or all(p.stood)
