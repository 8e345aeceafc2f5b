"""Grid: open covered cells and stop at exactly 15."""

from __future__ import annotations

from typing import NamedTuple

from numberquest.game import CHANCE, Game, Outcome, player_name
from numberquest.settings import Whole, YesNo


class Position(NamedTuple):
    """What lies open, row by row (0: covered); both totals; who played last; the cell being opened; who stands."""

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
    summary = "Turn over the cells of a covered 3 by 3 grid: hit exactly 15."
    rules = """\
The numbers 1 to 9 lie covered on a grid of 3 by 3 cells. Both totals start at 0.
On your turn choose a covered cell by its row and column, such as 2,3. Its number is revealed and \
added to your total.
Reach exactly 15 and you win. Go past 15 and you lose at once.
If every cell is open, the total closer to 15 wins; on a tie the player who was last to play loses."""
    rulings = {
        "C1": "The cells are row,column from 1,1 (top left) to 3,3.",
        "C2": "With all nine cells open, 45 has been dealt to two players, so somebody has passed 15 before: "
        "the ending with every cell open cannot arise on the classic board. It is there for the boards where it can.",
        "stand=yes": "Instead of opening a cell a player may stand, and then opens no more cells. The other goes on "
        "alone until standing too, reaching the target, or passing it. When both stand, or every cell is open, the "
        "total closer to the target wins, and on a tie the player who was last to play loses.",
    }
    meanings = {
        "target": "the total to reach",
        "side": "how many rows and columns the grid has",
        "stand": "whether a player may stand instead of opening a cell",
    }
    ranges = {"target": Whole(2, 99), "side": Whole(2, 4), "stand": YesNo()}

    target: int
    side: int
    stand: bool

    def __init__(self, target: int = 15, side: int = 3, stand: bool = False) -> None:
        self._settle(target=target, side=side, stand=stand)
        sides = range(1, side + 1)
        cells = tuple(f"{row},{column}" for row in sides for column in sides)
        self._fix(
            actions=(*cells, "stand") if stand else cells,
            deck=tuple(range(1, side * side + 1)),
            longest=2 * side * side + (2 if stand else 0),
            _cells=cells,
            _numbers=tuple(str(number) for number in range(1, side * side + 1)),
        )

    _cells: tuple[str, ...]
    _numbers: tuple[str, ...]

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
        last = player_name(p.last)
        total = p.totals[p.last]
        if total == self.target:
            return Outcome(p.last, f"{last} reached {self.target}")
        if total > self.target:
            return Outcome(1 - p.last, f"{last} passed {self.target} with {total}")
        why = "both players stand" if all(p.stood) else "every cell is open"
        first, second = p.totals
        if first == second:
            return Outcome(1 - p.last, f"{why}, both have {first}, and {last}, last to play, loses the tie")
        winner = 0 if first > second else 1
        return Outcome(
            winner,
            f"{why}, and {player_name(winner)} with {p.totals[winner]} is closer to {self.target} "
            f"than {player_name(1 - winner)} with {p.totals[1 - winner]}",
        )

    def _next(self, p: Position) -> int:
        return p.last if p.stood[1 - p.last] else 1 - p.last

    def _over(self, p: Position) -> bool:
        return p.totals[p.last] >= self.target or 0 not in p.cells or all(p.stood)
