"""`grid` in tables: which cells are covered, which numbers are unseen, and who stands with what totals.

What a cell hides is drawn when it is opened, each of the unseen numbers alike. That is the same as a deal before.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from numberquest.envs.batches.arrays import below
from numberquest.envs.batches.tables import Legal, Tables, Truth, ascending, for_both, result_of
from numberquest.games.grid.rules import NO_CELL, Grid, Position
from numberquest.games.grid.solver import GridSolution, Openings, both_stand
from numberquest.solver import solve
from numberquest.solver.solution import ALIKE

SWEPT: Final = 1
"""The place of a row with nothing in its cells."""


class GridState(NamedTuple):
    """The board: a bit for each covered cell, and above them one for each unseen number. The sides: totals, stands and
    the turn in one number. And what lies in the cells, at the places that it has in an observation.
    """

    board: Any
    sides: Any
    cells: Any


class GridTables(Tables[Grid, GridState]):
    """A move opens a cell: a number is drawn for it, and leads from sides to sides."""

    def __init__(self, game: Grid, xp: Any) -> None:
        super().__init__(game, xp)
        self._numbers = len(game.deck)
        self._all = 2**self._numbers - 1
        self.start = GridState(_bits(self._all << self._numbers | self._all), 0, 0)
        self._list_sides()
        self._list_cells()

    def _list_sides(self) -> None:
        """Number the totals, stands and turns, and say where each number revealed leads; 0 is to stand."""
        game = self.game
        begin = game.start()
        covered, totals = begin.cells, range(_totals(game))
        stands = [(False, False), (True, False), (False, True)] if game.stand else [(False, False)]
        # The start of the game comes first, to be number 0.
        going_on = [(last, stood, one, two) for stood, last, one, two in product(stands, (1, 0), totals, totals)]
        sides = {side: number for number, side in enumerate(going_on)}
        after = np.zeros((len(going_on), self._numbers + 1), np.intp)
        for number, (last, stood, one, two) in enumerate(going_on):
            opening = Position(covered, (one, two), last, 0, stood)
            following = [game.play(opening, str(revealed)) for revealed in game.deck]
            if game.stand:
                following.insert(0, game.play(opening._replace(opening=NO_CELL), "stand"))
            met = [(p.last, p.stood, *p.totals) for p in following]
            after[number, -len(met) :] = [sides.setdefault(side, len(sides)) for side in met]
        self._after = self.table(after.reshape(-1))
        positions = [Position(covered, (one, two), last, NO_CELL, stood) for last, stood, one, two in sides]
        self.sides = positions
        """Totals, stands and turns by their number, as positions with all cells covered."""
        whose = np.array([game.turn(p) for p in positions])
        self._turns = self.table(whose)
        held, standing = np.array([p.totals for p in positions]).T, np.array([p.stood for p in positions]).T
        self._sides_shown = self.shows_sides(whose, *held, stands=for_both(standing.T, standing[::-1].T))
        # Who has won, while there are covered cells; and once more when all are open.
        self._size = len(sides)
        opened = [p._replace(cells=game.deck) for p in positions]
        self._results = self.table([result_of(game, p, p.last) for p in (*positions, *opened)], np.int8)

    def _list_cells(self) -> None:
        """Say what an action opens, and what lies there then."""
        game, numbers = self.game, self._numbers
        begin = game.start()
        lying = np.zeros((self.actions, numbers + 1, numbers), np.uint8)
        opens = np.zeros(self.actions, np.uint8)
        taken = np.zeros((self.actions, numbers + 1), np.int32)
        for action, move in enumerate(game.actions):
            opening = game.play(begin, move)
            if opening.opening == NO_CELL:
                continue
            opens[action] = 1
            for revealed in game.deck:
                taken[action, revealed] = _bits(1 << opening.opening | 1 << numbers + revealed - 1)
                lying[action, revealed] = game.play(opening, str(revealed)).cells
        shown = self.shown(cells=lying.reshape(-1, numbers))
        self._lying = self.arrays.rows(shown)
        self._opens, self._taken = self.table(opens, np.uint8), self.table(taken.reshape(-1))
        # A row of ones to keep what lies in the cells, a row of zeros to sweep it away.
        self._keep = self.arrays.rows(np.stack([~np.zeros_like(shown[0]), np.zeros_like(shown[0])]))
        there = (np.arange(2**numbers)[:, None] >> np.arange(numbers)) & 1
        self._counts = self.table(there.sum(axis=1))
        self._nth = self.table(ascending(there).reshape(-1), np.uint8)
        # Any number will do for the open cells, as long as there is one.
        cells = [tuple(0 if covered >> cell & 1 else 1 for cell in range(numbers)) for covered in range(2**numbers)]
        self.legal = Legal(game, [game.moves(begin._replace(cells=each)) for each in cells], self.arrays)

    @classmethod
    def bytes_for(cls, game: Grid) -> int:
        # By set of cells or numbers: what is allowed, what is there; by sides: where each number leads, what is shown.
        numbers, turns = len(game.deck), 6 if game.stand else 2
        sets: int = 2**numbers
        return sets * (3 * numbers + 12) + turns * _totals(game) ** 2 * ((numbers + 1) * 4 + 40)

    def fresh(self, size: int | tuple[int, ...]) -> GridState:
        cells = self.take(self._keep, self.full(size, SWEPT))
        return GridState(self.full(size, self.start.board), self.full(size, self.start.sides), cells)

    def move(self, state: GridState, actions: Any, bits: Callable[[], Any]) -> tuple[GridState, Any]:
        unseen = self.unseen(state)
        place = below(bits(), self.take(self._counts, unseen))
        number = self.take(self._nth, unseen * self._numbers + place)
        if self.game.stand:
            number = number * self.take(self._opens, actions)
        opened = actions * (self._numbers + 1) + number
        board = state.board ^ self.take(self._taken, opened)
        cells = state.cells + self.take(self._lying, opened)
        sides = self.take(self._after, state.sides * (self._numbers + 1) + number)
        return GridState(board, sides, cells), self.take(self._results, sides + self.where(board == 0, self._size))

    def unseen(self, state: GridState) -> Any:
        """A bit for each number that nobody has seen."""
        return state.board >> self._numbers & self._all

    def restart(self, state: GridState, ended: Any) -> GridState:
        cells = state.cells & self.take(self._keep, self.xp.astype(ended, self.index))
        board, sides = self.anew(ended, state[:2], self.start[:2])
        return GridState(board, sides, cells)

    def cases(self, state: GridState) -> Any:
        return state.board & self._all

    def players(self, state: GridState) -> Any:
        return self.take(self._turns, state.sides)

    def observe(self, state: GridState, players: Any) -> Any:
        return self.seen(self.take(self._sides_shown, 2 * state.sides + players) + state.cells)

    def position(self, state: GridState, i: int) -> Position:
        cells = tuple(int(number) for number in self.seen(state.cells[i : i + 1, ...])[0, self.observer.at("cells")])
        return self.sides[int(state.sides[i])]._replace(cells=cells)


def _bits(bits: int) -> int:
    """The same bits as a whole number of 32 of them, of which the highest is the sign."""
    return bits - (1 << 32) if bits >> 31 else bits


def _totals(game: Grid) -> int:
    """How many totals there are with which the game goes on: no more than the numbers come to."""
    return int(min(game.target, sum(game.deck) + 1))


OPEN, STAND, BOTH = 0, 1, 2
KINDS: Final = 2
"""To open a cell, and to stand."""


class GridTruth(Truth[GridTables]):
    """By what is unseen and the own total, with both at the board and alone: what is best, and what is lost.

    The cells are all alike, so there are two things to do at most: to open one, or to stand. What they are worth does
    not depend on the other's total, which follows from what is unseen and the own.
    """

    def __init__(self, tables: GridTables) -> None:
        super().__init__(tables)
        game = tables.game
        self._totals = game.target
        values, worth, lost = _read(game) if isinstance(solve(game), GridSolution) else _searched(game)
        # Without what is only rounding.
        lost = np.where(lost > ALIKE, lost, 0.0)
        self._values, self._lost = self.chances(values.reshape(-1)), self.chances(lost.reshape(-1))
        self._mattered = self.table((lost > 0).any(axis=-1).reshape(-1))
        self._perfect = self.table(_perfect(game, values, worth))
        sets = 2 ** len(game.deck)
        places = []
        for p in tables.sides:
            turn = game.turn(p)
            # The end of a game is never asked for.
            places.append((sets if p.stood[1 - turn] else 0) * self._totals + min(p.totals[turn], self._totals - 1))
        self._sides = self.table(np.array(places, np.int32))
        self._stands = self.table(np.array([move == "stand" for move in game.actions], np.int32))

    @classmethod
    def bytes_for(cls, tables: GridTables) -> int:
        # By what is unseen, twice, and the own total: the value, what is lost by either, what matters, what is perfect.
        return (2 << len(tables.game.deck)) * tables.game.target * (8 + KINDS * 8 + 2)

    def _place(self, state: GridState) -> Any:
        return self.take(self._sides, state.sides) + self.tables.unseen(state) * self._totals

    def values(self, state: GridState) -> Any:
        return self.take(self._values, self._place(state))

    def regret(self, state: GridState, actions: Any) -> Any:
        return self.take(self._lost, self._place(state) * KINDS + self.take(self._stands, actions))

    def mattered(self, state: GridState) -> Any:
        return self.take(self._mattered, self._place(state))

    def perfect(self, state: GridState, bits: Callable[[], Any]) -> Any:
        xp, legal = self.xp, self.tables.legal
        cases = self.tables.cases(state)
        counts = self.take(legal.counts, cases)
        which = xp.astype(self.take(self._perfect, self._place(state)), self.tables.index)
        if not self.tables.game.stand:
            chosen = self._below(bits(), counts)
        else:
            # To stand comes last among what is allowed.
            chosen = self._below(bits(), counts - xp.astype(which == OPEN, counts.dtype))
            chosen = xp.where(which == STAND, counts - 1, chosen)
        return legal.at(cases, chosen)


def _searched(game: Grid) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """What the search says of a small board, which is exact: the values, what either is worth, and what it loses."""
    numbers, target = game.deck, game.target
    solution = solve(game)
    shape = 2, 2 ** len(numbers), target
    values, lost, worth = np.zeros(shape), np.zeros((*shape, KINDS)), np.zeros((*shape, KINDS))
    for unseen in range(1, shape[1]):
        opened = tuple(number for number in numbers if not unseen >> number - 1 & 1)
        cells = (*opened, *(0,) * (len(numbers) - len(opened)))
        for mine in range(max(0, sum(opened) - target + 1), min(sum(opened), target - 1) + 1):
            for alone in range(1 + game.stand):
                # Player 1 is to move; the other has played last, or stands.
                totals = mine, sum(opened) - mine
                p = Position(cells, totals, 0 if alone else 1, NO_CELL, (False, bool(alone)))
                best = solution.value(p)
                values[alone, unseen, mine] = float(best)
                for kind, move in enumerate((game.moves(p)[0], "stand")[: 1 + game.stand]):
                    after = solution.value_for(0, game.play(p, move))
                    worth[alone, unseen, mine, kind] = float(after)
                    lost[alone, unseen, mine, kind] = float(best - after)
    return values, worth, lost


def _read(game: Grid) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The same of a large board, from the solver's table; every sum in the order in which `Solution` makes it."""
    solution = cast("GridSolution", solve(game))
    target, openings = game.target, Openings(game)
    known = np.frombuffer(solution.table.whole()).reshape(1 + game.stand, -1, target)
    sets = np.arange(len(openings.sizes))
    yours = openings.yours(sets)
    worth = np.zeros((2, len(sets), target, KINDS))
    worth[0, ..., OPEN] = openings.worth(known[0], sets, yours, alone=False)
    if game.stand:
        worth[0, ..., STAND] = 1 - np.take_along_axis(known[1], yours, axis=1)
        worth[1, ..., OPEN] = openings.worth(known[1], sets, yours, alone=True)
        worth[1, ..., STAND] = both_stand(game)[np.arange(target), yours]
    values = np.concatenate([known, np.zeros_like(known)])[:2]
    lost = values[..., None] - worth
    lost[..., STAND] *= game.stand
    return values, worth, lost


def _perfect(game: Grid, values: NDArray[Any], worth: NDArray[Any]) -> NDArray[np.uint8]:
    """Which of the two is as good as can be; among equals, a win at once comes first, and a loss at once last."""
    perfect = np.full(values.shape, OPEN, np.uint8)
    if game.stand:
        best = worth >= worth.max(axis=-1)[..., None] - ALIKE
        perfect = np.where(best.all(axis=-1), BOTH, np.where(best[..., STAND], STAND, OPEN)).astype(np.uint8)
        # Only where the other stands already does it end the game.
        equal = perfect[1] == BOTH
        perfect[1][equal & (worth[1, ..., STAND] == 1)] = STAND
        perfect[1][equal & (values[1] <= ALIKE)] = OPEN
    return perfect.reshape(-1)


TABLES = GridTables
TRUTH = GridTruth
