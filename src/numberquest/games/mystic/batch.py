"""`mystic` in tables: the pile as one number, both totals with whose turn it is as another, and the number drawn.

A number is drawn when it is needed, each of the unseen ones alike. That is the same as a pile shuffled before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from numberquest.envs.action_ids import action_ids
from numberquest.envs.batches.numbering import Numbering
from numberquest.envs.batches.pooled import Pooled
from numberquest.envs.batches.tables import Legal, Tables, for_both, result_of, turn_for_both
from numberquest.envs.bits import below
from numberquest.games.mystic.rules import Mystic, Position
from numberquest.solver.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Callable


class State(NamedTuple):
    """The unseen numbers of each game, its totals with whose turn it is in one number, and what was drawn."""

    unseen: Any
    totals: Any
    drawn: Any


class MysticTables(Tables[Mystic, State]):
    """A move leads from totals to totals; then the next number is drawn."""

    reveals = True

    def __init__(self, game: Mystic, xp: Any) -> None:
        super().__init__(game, xp)
        self._pooled = Pooled(game.high, game.copies)
        self._drawable = game.high + 1
        self.start = State(self._pooled.full, 0, 0)
        totals = range(game.target)
        sides = Numbering((turn, one, two) for turn in (0, 1) for one in totals for two in totals)
        after = np.zeros((sides.open, self._drawable, self.actions), np.intp)
        cases = np.zeros((sides.open, self._drawable), np.intp)
        kinds: dict[tuple[str, ...], int] = {}
        ids = action_ids(game)
        for number in range(sides.open):
            turn, one, two = sides.all[number]
            # How many are unseen says whose turn it is; there are more, so that the end of the pile is out of sight.
            unseen = (1,) * (1 + (len(game.deck) + turn) % 2)
            for drawn in range(1, self._drawable):
                position = Position(unseen, (one, two), drawn)
                moves = game.moves(position)
                cases[number, drawn] = kinds.setdefault(moves, len(kinds))
                for move in moves:
                    following = game.play(position, move)
                    after[number, drawn, ids[move]] = sides[game.turn(following), *following.totals]
        self.leads = after.reshape(-1, self.actions)
        """Where each action leads, by totals and the number drawn."""
        self._after = self.table(after.reshape(-1))
        self._cases = self.table(cases.reshape(-1))
        self.legal = Legal(game, list(kinds), self.arrays)
        self.allowed = np.array([[move in moves for move in game.actions] for moves in kinds])[cases.reshape(-1)]
        """Which actions are allowed, by the same."""
        turns, first, second = np.array(sides.all).T
        self._turns = self.table(turns)
        self.totals = turns, first, second
        """Whose turn it is and both totals, by their number."""
        mine, other = for_both(first, second), for_both(second, first)
        self._totals_shown = self.shows(turn=turn_for_both(turns), mine=mine, other=other)
        self._drawn_shown = self.shows(drawn=np.arange(self._drawable))
        self._unseen_shown = self.shows(unseen=self._pooled.counts)
        # Who has won, while there are numbers left; and once more for an empty pile.
        self._size = len(sides)
        self.ends = np.array([self._won(s, left) for left in (2, 0) for s in sides.all], np.int8)
        self._results = self.table(self.ends, np.int8)
        self._sizes = self.table(self._pooled.sizes, np.int32)
        self._nth = self.table(self._pooled.nth().reshape(-1), np.uint8)
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
        return (
            Pools(game.high, game.copies).number * (len(game.deck) + 16 + 4)
            + 2 * game.target**2 * (game.high + 1) * 4 * 4
        )

    def fresh(self, size: int | tuple[int, ...]) -> State:
        return State(*(self.full(size, value) for value in self.start))

    def move(self, state: State, actions: Any, bits: Callable[[], Any]) -> tuple[State, Any]:
        totals = self.take(self._after, self.spot(state) * self.actions + actions)
        results = self.take(self._results, totals + self.where(state.unseen == 0, self._size))
        return State(state.unseen, totals, 0 * state.drawn), results

    def restart(self, state: State, ended: Any) -> State:
        # Where a game is over, or begins, nothing is drawn.
        unseen, totals = self.anew(ended, state[:2], self.start[:2])
        return State(unseen, totals, state.drawn)

    def reveal(self, state: State, bits: Callable[[], Any]) -> State:
        place = below(bits(), self.take(self._sizes, state.unseen))
        drawn = self.take(self._nth, state.unseen * len(self.game.deck) + place)
        return State(state.unseen - self.take(self._weights, drawn), state.totals, drawn)

    def cases(self, state: State) -> Any:
        return self.take(self._cases, self.spot(state))

    def spot(self, state: State) -> Any:
        """Totals and the number drawn, in one number."""
        return state.totals * self._drawable + state.drawn

    def players(self, state: State) -> Any:
        return self.take(self._turns, state.totals)

    def observe(self, state: State, players: Any) -> Any:
        totals = self.take(self._totals_shown, 2 * state.totals + players)
        drawn = self.take(self._drawn_shown, state.drawn)
        return self.seen(totals + drawn + self.take(self._unseen_shown, state.unseen))

    def position(self, state: State, i: int) -> Position:
        first, second = (int(of[int(state.totals[i])]) for of in self.totals[1:])
        return Position(self._pooled.tuple_of(int(state.unseen[i])), (first, second), int(state.drawn[i]))


TABLES = MysticTables
