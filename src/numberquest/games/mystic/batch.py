"""`mystic` in tables: the pile as one number, both totals with whose turn it is as another, and the number drawn.

A number is drawn when it is needed, each of the unseen ones alike. That is the same as a pile shuffled before.
"""

import operator
from collections.abc import Callable
from functools import reduce
from itertools import product
from typing import Any, NamedTuple, cast

import numpy as np

from numberquest.envs.batches.arrays import below
from numberquest.envs.batches.tables import LOST, WON, Legal, Pooled, Tables, Truth, ascending, result_of
from numberquest.envs.observation import action_ids
from numberquest.games.mystic.rules import Mystic, Position
from numberquest.games.mystic.solver import table_bytes
from numberquest.solver import solve
from numberquest.solver.pool_recurrence import PoolChances, Pools


class MysticState(NamedTuple):
    """The unseen numbers of each game, its totals with whose turn it is in one number, and what was drawn."""

    unseen: Any
    totals: Any
    drawn: Any


class MysticTables(Tables[Mystic, MysticState]):
    """A move leads from totals to totals; then the next number is drawn."""

    reveals = True

    def __init__(self, game: Mystic, xp: Any) -> None:
        super().__init__(game, xp)
        self._pooled = Pooled(game.high, game.copies)
        self._drawable = game.high + 1
        self.start = MysticState(self._pooled.full, 0, 0)
        going_on = list(product((0, 1), range(game.target), range(game.target)))
        # A number for each turn with its totals: first those from which the game goes on, then as they are met.
        sides = {side: number for number, side in enumerate(going_on)}
        after = np.zeros((len(going_on), self._drawable, self.actions), np.intp)
        cases = np.zeros((len(going_on), self._drawable), np.intp)
        kinds: dict[tuple[str, ...], int] = {}
        ids = action_ids(game)
        for number, (turn, one, two) in enumerate(going_on):
            # How many are unseen says whose turn it is; there are more, so that the end of the pile is out of sight.
            unseen = (1,) * (1 + (len(game.deck) + turn) % 2)
            for drawn in range(1, self._drawable):
                position = Position(unseen, (one, two), drawn)
                moves = game.moves(position)
                cases[number, drawn] = kinds.setdefault(moves, len(kinds))
                for move in moves:
                    following = game.play(position, move)
                    side = (game.turn(following), *following.totals)
                    after[number, drawn, ids[move]] = sides.setdefault(side, len(sides))
        self.leads = after.reshape(-1, self.actions)
        """Where each action leads, by totals and the number drawn."""
        self._after = self.table(after.reshape(-1))
        self._cases = self.table(cases.reshape(-1))
        self.legal = Legal(game, list(kinds), self.arrays)
        self.allowed = np.array([[move in moves for move in game.actions] for moves in kinds])[cases.reshape(-1)]
        """Which actions are allowed, by the same."""
        turns, first, second = np.array(list(sides)).T
        self._turns = self.table(turns)
        self.totals = turns, first, second
        """Whose turn it is and both totals, by their number."""
        self._totals_shown = self.shows_sides(turns, first, second)
        self._drawn_shown = self.shows(drawn=np.arange(self._drawable))
        self._unseen_shown = self.shows(unseen=self._pooled.counts)
        # Who has won, while there are numbers left; and once more for an empty pile.
        self._size = len(sides)
        self.ends = np.array([self._won(s, left) for left in (2, 0) for s in sides], np.int8)
        self._results = self.table(self.ends, np.int8)
        self._sizes = self.table(self._pooled.sizes, np.int32)
        self._nth = self.table(ascending(self._pooled.counts).reshape(-1), np.uint8)
        self._weights = self.table(self._pooled.weights)

    def _won(self, sides: tuple[int, int, int], left: int) -> int:
        """What the one who has just moved, and whose turn it therefore is not, has won."""
        turn, *totals = sides
        if left:
            left -= (len(self.game.deck) + turn) % 2
        position = Position((1,) * left, (totals[0], totals[1]), 0)
        return result_of(self.game, position, 1 - turn) if self.game.turn(position) == turn else 0

    @classmethod
    def bytes_for(cls, game: Mystic) -> int:
        # By pile: its numbers, one after the other, and how many of each; by totals and draw: where a move leads.
        piles = Pools(game.high, game.copies).number
        return piles * (len(game.deck) + 16 + 4) + 2 * game.target**2 * (game.high + 1) * 4 * 4

    def move(self, state: MysticState, actions: Any, bits: Callable[[], Any]) -> tuple[MysticState, Any]:
        totals = self.take(self._after, self.spot(state) * self.actions + actions)
        results = self.take(self._results, totals + self.where(state.unseen == 0, self._size))
        return MysticState(state.unseen, totals, 0 * state.drawn), results

    def restart(self, state: MysticState, ended: Any) -> MysticState:
        # Where a game is over, or begins, nothing is drawn.
        unseen, totals = self.anew(ended, state[:2], self.start[:2])
        return MysticState(unseen, totals, state.drawn)

    def reveal(self, state: MysticState, bits: Callable[[], Any]) -> MysticState:
        place = below(bits(), self.take(self._sizes, state.unseen))
        drawn = self.take(self._nth, state.unseen * len(self.game.deck) + place)
        return MysticState(state.unseen - self.take(self._weights, drawn), state.totals, drawn)

    def cases(self, state: MysticState) -> Any:
        return self.take(self._cases, self.spot(state))

    def spot(self, state: MysticState) -> Any:
        """Totals and the number drawn, in one number."""
        return state.totals * self._drawable + state.drawn

    def players(self, state: MysticState) -> Any:
        return self.take(self._turns, state.totals)

    def observe(self, state: MysticState, players: Any) -> Any:
        totals = self.take(self._totals_shown, 2 * state.totals + players)
        drawn = self.take(self._drawn_shown, state.drawn)
        return self.seen(totals + drawn + self.take(self._unseen_shown, state.unseen))

    def position(self, state: MysticState, i: int) -> Position:
        first, second = (int(of[int(state.totals[i])]) for of in self.totals[1:])
        return Position(self._pooled.tuple_of(int(state.unseen[i])), (first, second), int(state.drawn[i]))


class MysticTruth(Truth[MysticTables]):
    """What each of the few actions is worth; the rest follows from that."""

    def __init__(self, tables: MysticTables) -> None:
        super().__init__(tables)
        solution, target = cast("PoolChances[Any]", solve(tables.game)), tables.game.target
        self._chances = self.chances(np.frombuffer(solution.table.whole()))
        self._alike = tables.arrays.alike
        self._pile = target * target
        # By totals and turn: the totals as the one sees them who draws next.
        turns, first, second = tables.totals
        sides = np.where(turns, second, first) * target + np.where(turns, first, second)
        ends = tables.ends[tables.leads]
        # By totals and the number drawn, for each action: -1 where it is not allowed, what it is worth where it ends
        # the game, and otherwise 2; and then where it leads.
        worth = np.where(tables.allowed, np.select([ends == WON, ends == LOST], [1, 0], 2), -1).astype(np.int8)
        leads = np.where(worth == 2, sides[tables.leads], 0).astype(np.int32)
        self._leads = [self.table(np.ascontiguousarray(column)) for column in leads.T]
        self._ends = [self.xp.asarray(np.ascontiguousarray(column)) for column in worth.T]

    @classmethod
    def bytes_for(cls, tables: MysticTables) -> int:
        return table_bytes(tables.game)

    def _worths(self, state: MysticState) -> tuple[list[Any], list[Any], Any]:
        """What each action is worth, or -1 where it is not allowed; which ends it leads to; and the best worth."""
        xp = self.xp
        spot, pile = self.tables.spot(state), state.unseen * self._pile
        worths, ends = [], []
        for leads, of_action in zip(self._leads, self._ends, strict=True):
            chance, end = self.take(self._chances, pile + self.take(leads, spot)), self.take(of_action, spot)
            worths.append(xp.where(end == 2, 1 - chance, xp.astype(end, chance.dtype)))
            ends.append(end)
        return worths, ends, reduce(xp.maximum, worths)

    def values(self, state: MysticState) -> Any:
        return self._worths(state)[2]

    def regret(self, state: MysticState, actions: Any) -> Any:
        return self.judged(state, actions)[0]

    def mattered(self, state: MysticState) -> Any:
        worths, _, best = self._worths(state)
        return self._differ(worths, best)

    def judged(self, state: MysticState, actions: Any) -> tuple[Any, Any, Any]:
        worths, _, best = self._worths(state)
        taken = worths[0]
        for action, worth in enumerate(worths[1:], start=1):
            taken = self.xp.where(actions == action, worth, taken)
        lost = best - taken
        regret = self.xp.where(lost > self._alike, lost, self.xp.zeros_like(lost))
        return regret, best, self._differ(worths, best)

    def _differ(self, worths: list[Any], best: Any) -> Any:
        """Whether some action that is allowed is worse than the best."""
        return reduce(operator.or_, ((worth >= 0) & (best - worth > self._alike) for worth in worths))

    def perfect(self, state: MysticState, bits: Callable[[], Any]) -> Any:
        xp = self.xp
        worths, ends, best = self._worths(state)
        good = [worth >= best - self._alike for worth in worths]
        # A lost game is not ended by one's own move while another goes on; and a win at once comes first.
        lost, last = best <= self._alike, state.unseen == 0
        rather = []
        for each, end, worth in zip(good, ends, worths, strict=True):
            over = last | (end != 2)
            rather.append(each & xp.where(lost, ~over, over & (worth == 1)))
        there = reduce(operator.or_, rather)
        return self.any_of([xp.where(there, one, other) for one, other in zip(rather, good, strict=True)], bits)


TABLES = MysticTables
TRUTH = MysticTruth
