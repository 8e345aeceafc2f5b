"""`grid` in tables: which cells are covered, which numbers are unseen, and who stands with what totals.

What a cell hides is drawn when it is opened, each of the unseen numbers alike. That is the same as a deal before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from numberquest.envs.batches.numbering import Numbering
from numberquest.envs.batches.tables import Legal, Tables, for_both, result_of, turn_for_both
from numberquest.envs.bits import below
from numberquest.games.grid.rules import NO_CELL, Grid, Position

if TYPE_CHECKING:
    from collections.abc import Callable


SWEPT: Final = 1
"""The place of a row with nothing in its cells."""


class State(NamedTuple):
    """The board: a bit for each covered cell, and above them one for each unseen number. The sides: totals, stands and
    the turn in one number. And what lies in the cells, at the places that it has in an observation.
    """

    board: Any
    sides: Any
    cells: Any


class GridTables(Tables[Grid, State]):
    """A move opens a cell: a number is drawn for it, and leads from sides to sides."""

    def __init__(self, game: Grid, xp: Any) -> None:
        super().__init__(game, xp)
        self._numbers = len(game.deck)
        self._all = 2**self._numbers - 1
        self.start = State(_bits(self._all << self._numbers | self._all), 0, 0)
        self._list_sides()
        self._list_cells()

    def _list_sides(self) -> None:
        """Number the totals, stands and turns, and say where each number revealed leads; 0 is to stand."""
        game = self.game
        begin = game.start()
        covered, totals = begin.cells, range(_totals(game))
        stands = [(False, False), (True, False), (False, True)] if game.stand else [(False, False)]
        # The start of the game comes first, to be number 0.
        turns = [(last, stood) for stood in stands for last in (1, 0)]
        sides = Numbering((last, stood, one, two) for last, stood in turns for one in totals for two in totals)
        after = np.zeros((sides.open, self._numbers + 1), np.intp)
        for number in range(sides.open):
            last, stood, one, two = sides.all[number]
            opening = Position(covered, (one, two), last, 0, stood)
            following = [game.play(opening, str(revealed)) for revealed in game.deck]
            if game.stand:
                following.insert(0, game.play(opening._replace(opening=NO_CELL), "stand"))
            after[number, -len(following) :] = [sides[p.last, p.stood, *p.totals] for p in following]
        self._after = self.table(after.reshape(-1))
        positions = [Position(covered, (one, two), last, NO_CELL, stood) for last, stood, one, two in sides.all]
        self.sides = positions
        """Totals, stands and turns by their number, as positions with all cells covered."""
        whose = np.array([game.turn(p) for p in positions])
        self._turns = self.table(whose)
        held, stood = np.array([p.totals for p in positions]).T, np.array([p.stood for p in positions]).T
        self._sides_shown = self.shows(
            turn=turn_for_both(whose),
            mine=for_both(*held),
            other=for_both(*held[::-1]),
            stands=for_both(stood.T, stood[::-1].T),
        )
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
        sets = np.arange(2**numbers)
        there = (sets[:, None] >> np.arange(numbers)) & 1
        self._counts = self.table(there.sum(axis=1), np.int32)
        nth = np.zeros((len(sets), numbers), np.uint8)
        at, number = np.nonzero(there)
        nth[at, (np.cumsum(there, axis=1) - 1)[at, number]] = number + 1
        self._nth = self.table(nth.reshape(-1), np.uint8)
        # Any number will do for the open cells, as long as there is one.
        cells = [tuple(0 if covered >> cell & 1 else 1 for cell in range(numbers)) for covered in range(2**numbers)]
        self.legal = Legal(game, [game.moves(begin._replace(cells=each)) for each in cells], self.arrays)

    @classmethod
    def bytes_for(cls, game: Grid) -> int:
        # By set of cells or numbers: what is allowed, what is there; by sides: where each number leads, what is shown.
        numbers, turns = len(game.deck), 6 if game.stand else 2
        sets: int = 2**numbers
        return sets * (3 * numbers + 12) + turns * _totals(game) ** 2 * ((numbers + 1) * 4 + 40)

    def fresh(self, size: int | tuple[int, ...]) -> State:
        cells = self.take(self._keep, self.full(size, SWEPT))
        return State(self.full(size, self.start.board), self.full(size, self.start.sides), cells)

    def move(self, state: State, actions: Any, bits: Callable[[], Any]) -> tuple[State, Any]:
        unseen = self.unseen(state)
        place = below(bits(), self.take(self._counts, unseen))
        number = self.take(self._nth, unseen * self._numbers + place)
        if self.game.stand:
            number = number * self.take(self._opens, actions)
        opened = actions * (self._numbers + 1) + number
        board = state.board ^ self.take(self._taken, opened)
        cells = state.cells + self.take(self._lying, opened)
        sides = self.take(self._after, state.sides * (self._numbers + 1) + number)
        return State(board, sides, cells), self.take(self._results, sides + self.where(board == 0, self._size))

    def unseen(self, state: State) -> Any:
        """A bit for each number that nobody has seen."""
        return state.board >> self._numbers & self._all

    def restart(self, state: State, ended: Any) -> State:
        cells = state.cells & self.take(self._keep, self.xp.astype(ended, self.index))
        board, sides = self.anew(ended, state[:2], self.start[:2])
        return State(board, sides, cells)

    def cases(self, state: State) -> Any:
        return state.board & self._all

    def players(self, state: State) -> Any:
        return self.take(self._turns, state.sides)

    def observe(self, state: State, players: Any) -> Any:
        return self.seen(self.take(self._sides_shown, 2 * state.sides + players) + state.cells)

    def position(self, state: State, i: int) -> Position:
        cells = tuple(int(number) for number in self.seen(state.cells[i : i + 1, ...])[0, self.observer.at("cells")])
        return self.sides[int(state.sides[i])]._replace(cells=cells)


def _bits(bits: int) -> int:
    """The same bits as a whole number of 32 of them, of which the highest is the sign."""
    return bits - (1 << 32) if bits >> 31 else bits


def _totals(game: Grid) -> int:
    """How many totals there are with which the game goes on: no more than the numbers come to."""
    return int(min(game.target, sum(game.deck) + 1))


TABLES = GridTables
