"""Tables of any game that is small enough to list all its positions, from its rules alone.

And what is true of it: the solver is asked once about each position.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from numberquest.core.contract import CHANCE, Game
from numberquest.envs.batches.arrays import BITS, below_for
from numberquest.envs.batches.tables import DRAWN, GOES_ON, TRUNCATED, Legal, Sets, Tables, Truth, result_of
from numberquest.envs.observation import Observer, action_ids
from numberquest.players.levels import perfect_moves
from numberquest.solver import budget, solve
from numberquest.solver.budget import TooLarge, rules_of
from numberquest.solver.graph import OVER, graph_of, itself
from numberquest.solver.solution import ALIKE

MOST_POSITIONS: Final = 3_000_000
MOST_ROUNDS: Final = 8
"""Reveals in a row; more of them are taken for an endless chain."""


class ListedState(NamedTuple):
    """The position of each game, as its place in the list."""

    place: Any


class CountedState(NamedTuple):
    """The position of each game without a longest length, and its number of moves and reveals."""

    place: Any
    steps: Any


AnyState = ListedState | CountedState


class GeneralTables(Tables["Game[Any]", AnyState]):
    """Every position has a number, and for every action a next one; from where chance decides, several.

    What is hidden is drawn when it is revealed, by the weights that the game says. That is the same as a deal before.
    """

    def __init__(self, game: Game[Any], xp: Any) -> None:
        super().__init__(game, xp)
        listing = _listing(game)
        self.positions = listing.positions
        """Every position that can be reached, by its place."""
        self.bounded = game.longest is not None
        self._bound = game.bound
        self.start = ListedState(0) if self.bounded else CountedState(0, 0)
        turns = np.array([game.turn(position) for position in self.positions], np.int32)
        self._after, self._players = self.table(listing.after.reshape(-1)), self.table(turns)
        self._cases = self.table(listing.cases)
        self.legal = Legal(game, list(listing.kinds), self.arrays)
        seen = np.empty((2 * len(turns), self.observer.size), np.float32)
        for place, position in enumerate(self.positions):
            seen[2 * place], seen[2 * place + 1] = self.observer.see(position, 0), self.observer.see(position, 1)
        self._seen = self.table(seen, np.float32)
        ends = listing.ends
        self.draws = bool((ends == DRAWN).any())
        self.reveals = game.player(game.start()) == CHANCE
        self._by_chance = len(listing.first) > 0
        if self._by_chance:
            self._list_reveals(listing)
        else:
            ends = ends[listing.after, turns[:, None]]
        # With chance, what each position means to either player; without, what each action comes to.
        self._results = self.table(ends.reshape(-1), np.int8)

    def _list_reveals(self, listing: _Listing) -> None:
        """Say where chance leads from a position: to each of its reveals as often as its weight says."""
        faces = listing.faces
        self._below = below_for(int(faces.max()))
        self._waits, self._faces = self.table(faces > 0, bool), self.table(faces)
        self._starts = self.table((np.cumsum(faces) - faces) * (faces > 0))
        self._first, self._second = self.table(listing.first), self.table(listing.second)
        self._shares = self.table(listing.shares)
        self._uneven = bool((listing.shares < 1 << BITS).any())
        self._rounds = _rounds(listing)

    @classmethod
    def bytes_for(cls, game: Game[Any]) -> int:
        listing, actions = _listing(game), len(game.actions)
        # By position: where each action leads, what is allowed, whose turn it is, what each sees, what was won.
        each = actions * 4 + 4 + 4 + 2 * Observer(game).size * 4 + (2 + 9 if len(listing.first) else actions)
        return len(listing.positions) * each + len(listing.first) * 12

    def move(self, state: AnyState, actions: Any, bits: Callable[[], Any]) -> tuple[AnyState, Any]:
        spot = state.place * self.actions + actions
        place = self.take(self._after, spot)
        after = ListedState(place) if isinstance(state, ListedState) else CountedState(place, state.steps + 1)
        if self._by_chance:
            after = self.reveal(after, bits)
            results = self.take(self._results, 2 * after.place + self.players(state))
        else:
            results = self.take(self._results, spot)
        if isinstance(after, CountedState):
            truncated = (results == GOES_ON) & (after.steps >= self._bound)
            results = results + self.xp.astype(truncated, results.dtype) * TRUNCATED
        return after, results

    def reveal(self, state: AnyState, bits: Callable[[], Any]) -> AnyState:
        revealed: AnyState = self.arrays.settled(state, self._waiting, self._settle, bits, self._rounds)
        return revealed

    def _waiting(self, state: AnyState) -> Any:
        waiting = self.take(self._waits, state.place)
        return waiting & (state.steps < self._bound) if isinstance(state, CountedState) else waiting

    def _settle(self, state: AnyState, waiting: Any, bits: Callable[[], Any]) -> AnyState:
        column = self.take(self._starts, state.place) + self._below(bits(), self.take(self._faces, state.place))
        revealed = self.take(self._first, column)
        if self._uneven:
            second = self.take(self._second, column)
            revealed = self.xp.where(bits() < self.take(self._shares, column), revealed, second)
        place = self.xp.where(waiting, revealed, state.place)
        if isinstance(state, CountedState):
            return CountedState(place, state.steps + self.xp.astype(waiting, self.index))
        return ListedState(place)

    def cases(self, state: AnyState) -> Any:
        return self.take(self._cases, state.place)

    def players(self, state: AnyState) -> Any:
        return self.take(self._players, state.place)

    def observe(self, state: AnyState, players: Any) -> Any:
        return self.take(self._seen, 2 * state.place + players)

    def position(self, state: AnyState, i: int) -> Any:
        return self.positions[int(state.place[i])]


def _rounds(listing: _Listing) -> int | None:
    """How many reveals follow one another at most; None where there may be ever more."""
    waits = listing.faces > 0
    # Each reveal by the place that it is revealed at and a place that it leads to.
    at = np.repeat(np.arange(len(waits)), listing.faces)
    after, rounds = waits, 0
    while after.any():
        rounds += 1
        if rounds > MOST_ROUNDS:
            return None
        following = np.zeros_like(waits)
        for to in (listing.first, listing.second):
            following[at[after[to]]] = True
        after = following
    return rounds


@lru_cache(maxsize=4096)
def alias_columns(weights: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """For each weight a column: two places among the weights, and in how many of 2**24 cases it is the first.

    All columns are alike, and together they give every place its weight (Walker's alias method).
    """
    count, total = len(weights), sum(weights)
    # Times the count, so that all stays whole: an equal share is the total.
    left = [weight * count for weight in weights]
    small = [place for place in range(count) if left[place] < total]
    large = [place for place in range(count) if left[place] >= total]
    columns = []
    while small:
        one, other = small.pop(), large[-1]
        columns.append((one, other, (left[one] << BITS) // total))
        left[other] -= total - left[one]
        if left[other] < total:
            small.append(large.pop())
    return columns + [(place, place, 1 << BITS) for place in large]


class _Listing:
    """The contents of the tables of a game: all positions of the graph, each at its place."""

    def __init__(self, game: Game[Any]) -> None:
        graph, ids = graph_of(game, itself, most=MOST_POSITIONS), action_ids(game)
        self.positions = list(graph.numbers)
        self.after = np.zeros((len(graph), len(ids)), np.intc)
        """For each position and action, the place where it leads."""
        self.kinds: dict[tuple[str, ...], int] = {}
        """Every list of moves that is allowed somewhere, numbered."""
        self.cases = np.zeros(len(graph), np.intc)
        """Case of each position."""
        self.ends = np.full((len(graph), 2), GOES_ON, np.int8)
        """For each position and player, what it means to arrive there."""
        self.faces = np.zeros(len(graph), np.intc)
        """Number of reveals of each position, and of columns below; 0 where a player moves."""
        columns = array("i")
        for place, position in enumerate(self.positions):
            moves, mover = game.moves(position), graph.movers[place]
            following = graph.targets[graph.starts[place] : graph.starts[place + 1]]
            if mover == OVER:
                # Chance may end a game before the first move. Then one step is still to be made, and any will do.
                self.after[place], moves = place, game.actions
                self.ends[place] = [result_of(game, position, player) for player in (0, 1)]
            elif mover == CHANCE:
                for one, other, share in alias_columns(game.weights(position)):
                    columns.extend((following[one], following[other], share))
                self.faces[place], moves = len(moves), ()
            else:
                self.after[place, [ids[move] for move in moves]] = following
            self.cases[place] = self.kinds.setdefault(moves, len(self.kinds))
        self.first, self.second, self.shares = np.frombuffer(columns, np.intc).reshape(-1, 3).T


@lru_cache(maxsize=1)
def _listing(game: Game[Any]) -> _Listing:
    """Kept until the tables are made, for their size shows only when it is done."""
    return _Listing(game)


class ListedTruth(Truth[GeneralTables]):
    """By position: its value, what each action loses, and which are perfect."""

    def __init__(self, tables: GeneralTables) -> None:
        super().__init__(tables)
        game, ids = tables.game, action_ids(tables.game)
        solution = solve(game)
        values, lost, which = array("d"), array("d"), array("i")
        sets: dict[tuple[int, ...], int] = {tuple(range(self.actions)): 0}
        for position in tables.positions:
            moves = () if game.player(position) == CHANCE else game.moves(position)
            best = solution.value(position)
            values.append(float(best))
            # Where chance has ended a game before the first move, any action will do.
            row, perfect = [0.0] * self.actions, 0
            if moves:
                player = game.turn(position)
                for move in moves:
                    regret = float(best - solution.value_for(player, game.play(position, move)))
                    row[ids[move]] = regret if regret > ALIKE else 0.0
                chosen = tuple(sorted(ids[move] for move in perfect_moves(game, position)))
                perfect = sets.setdefault(chosen, len(sets))
            lost.extend(row)
            which.append(perfect)
        regrets = np.frombuffer(lost).reshape(-1, self.actions)
        self._values, self._regrets = self.chances(np.frombuffer(values)), self.chances(regrets.reshape(-1))
        self._mattered = self.table(np.asarray((regrets > 0).any(axis=1)))
        self._perfect, self._sets = (
            self.table(np.frombuffer(which, np.intc)),
            Sets(list(sets), self.actions, tables.arrays),
        )

    @classmethod
    def bytes_for(cls, tables: GeneralTables) -> int:
        number, most = len(tables.positions), budget.MOST_FOLLOWED
        if number > most:
            raise TooLarge(
                f"{rules_of(tables.game)} has {number:,} positions, "
                f"and no more than {most:,} are asked about one by one"
            )
        # By position: a value, a regret for each action, a set.
        return number * (8 + 8 * tables.actions + 5)

    def values(self, state: Any) -> Any:
        return self.take(self._values, state.place)

    def regret(self, state: Any, actions: Any) -> Any:
        return self.take(self._regrets, state.place * self.actions + actions)

    def mattered(self, state: Any) -> Any:
        return self.take(self._mattered, state.place)

    def perfect(self, state: Any, bits: Callable[[], Any]) -> Any:
        return self._sets.any_of(self.take(self._perfect, state.place), bits)
