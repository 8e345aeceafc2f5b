"""Tables of any game that is small enough to list all its positions, from its rules alone."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from numberquest.contract import CHANCE
from numberquest.envs.action_ids import action_ids
from numberquest.envs.batches.tables import DRAWN, GOES_ON, TRUNCATED, Legal, Tables, result_of
from numberquest.envs.bits import BITS, below_for
from numberquest.envs.observation import Observer
from numberquest.solver.budget import TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.contract import Game

MOST_POSITIONS: Final = 3_000_000


MOST_ROUNDS: Final = 8
"""So many reveals one after the other are not yet taken for something that may go on for ever."""


class State(NamedTuple):
    """Where each game stands: the place of its position in the list."""

    place: Any


class CountedState(NamedTuple):
    """The same of a game without a longest length, and how many moves and reveals there have been."""

    place: Any
    steps: Any


AnyState = State | CountedState


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
        self.start = State(0) if self.bounded else CountedState(0, 0)
        after = np.frombuffer(listing.after, np.intc)
        turns = np.array([game.turn(position) for position in self.positions], np.int32)
        self._after, self._players = self.table(after), self.table(turns)
        self._cases = self.table(np.frombuffer(listing.cases, np.intc))
        self.legal = Legal(game, list(listing.kinds), self.arrays)
        seen = np.empty((2 * len(turns), self.observer.size), np.float32)
        for place, position in enumerate(self.positions):
            seen[2 * place], seen[2 * place + 1] = self.observer.see(position, 0), self.observer.see(position, 1)
        self._seen = self.table(seen, np.float32)
        ends = np.frombuffer(listing.ends, np.int8).reshape(-1, 2)
        self.draws = bool((ends == DRAWN).any())
        self._chance = _Chance(self, listing) if listing.first else None
        self.reveals = self._chance is not None and game.player(game.start()) == CHANCE
        if self._chance is None:
            ends = ends[after.reshape(-1, self.actions), turns[:, None]]
        # With chance, what each position means to either player; without, what each action comes to.
        self._results = self.table(ends.reshape(-1), np.int8)

    @classmethod
    def bytes_for(cls, game: Game[Any]) -> int:
        listing, actions = _listing(game), len(game.actions)
        # By position: where each action leads, what is allowed, whose turn it is, what each sees, what was won.
        each = actions * 4 + 4 + 4 + 2 * Observer(game).size * 4 + (2 + 9 if listing.first else actions)
        return len(listing.positions) * each + len(listing.first) * 12

    def fresh(self, size: int | tuple[int, ...]) -> AnyState:
        return type(self.start)(*(self.full(size, 0) for _ in self.start))

    def move(self, state: AnyState, actions: Any, bits: Callable[[], Any]) -> tuple[AnyState, Any]:
        spot = state.place * self.actions + actions
        place = self.take(self._after, spot)
        after = State(place) if isinstance(state, State) else CountedState(place, state.steps + 1)
        if self._chance is None:
            results = self.take(self._results, spot)
        else:
            after = self._chance.settled(after, bits)
            results = self.take(self._results, 2 * after.place + self.players(state))
        if isinstance(after, CountedState):
            truncated = (results == GOES_ON) & (after.steps >= self._bound)
            results = results + self.xp.astype(truncated, results.dtype) * TRUNCATED
        return after, results

    def restart(self, state: AnyState, ended: Any) -> AnyState:
        return type(state)(*self.anew(ended, state, self.start))

    def reveal(self, state: AnyState, bits: Callable[[], Any]) -> AnyState:
        return state if self._chance is None else self._chance.settled(state, bits)

    def cases(self, state: AnyState) -> Any:
        return self.take(self._cases, state.place)

    def players(self, state: AnyState) -> Any:
        return self.take(self._players, state.place)

    def observe(self, state: AnyState, players: Any) -> Any:
        return self.take(self._seen, 2 * state.place + players)

    def position(self, state: AnyState, i: int) -> Any:
        return self.positions[int(state.place[i])]


class _Chance:
    """Where chance leads from a position: to each of its reveals as often as its weight says."""

    def __init__(self, tables: GeneralTables, listing: _Listing) -> None:
        self._tables = tables
        self._bound = tables.game.bound
        faces = np.frombuffer(listing.faces, np.intc)
        shares = np.frombuffer(listing.shares, np.intc)
        self._below = below_for(int(faces.max()))
        self._waits, self._faces = tables.table(faces > 0, bool), tables.table(faces)
        self._starts = tables.table((np.cumsum(faces) - faces) * (faces > 0))
        self._first, self._second = (tables.table(np.frombuffer(of, np.intc)) for of in (listing.first, listing.second))
        self._shares = tables.table(shares)
        self._uneven = bool((shares < 1 << BITS).any())
        self._rounds = _rounds(listing)

    def settled(self, state: AnyState, bits: Callable[[], Any]) -> AnyState:
        """The positions when all is revealed that chance decides before the next move."""
        settled: AnyState = self._tables.arrays.settled(state, self._waiting, self._settle, bits, self._rounds)
        return settled

    def _waiting(self, state: AnyState) -> Any:
        waiting = self._tables.take(self._waits, state.place)
        return waiting & (state.steps < self._bound) if isinstance(state, CountedState) else waiting

    def _settle(self, state: AnyState, waiting: Any, bits: Callable[[], Any]) -> AnyState:
        tables, xp = self._tables, self._tables.xp
        place = xp.where(waiting, self._revealed(state.place, bits), state.place)
        if isinstance(state, CountedState):
            return CountedState(place, state.steps + xp.astype(waiting, tables.index))
        return State(place)

    def _revealed(self, place: Any, bits: Callable[[], Any]) -> Any:
        take = self._tables.take
        column = take(self._starts, place) + self._below(bits(), take(self._faces, place))
        revealed = take(self._first, column)
        if not self._uneven:
            return revealed
        return self._tables.xp.where(bits() < take(self._shares, column), revealed, take(self._second, column))


def _rounds(listing: _Listing) -> int | None:
    """How many reveals follow one another at most; None where there may be ever more."""
    faces = np.frombuffer(listing.faces, np.intc)
    waits = faces > 0
    # Each reveal by the place that it is revealed at and a place that it leads to.
    at = np.repeat(np.arange(len(faces)), faces)
    leads = [np.frombuffer(of, np.intc) for of in (listing.first, listing.second)]
    after, rounds = waits, 0
    while after.any():
        rounds += 1
        if rounds > MOST_ROUNDS:
            return None
        following = np.zeros_like(waits)
        for to in leads:
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
    """All positions that can be reached, each with a number, its place. Arrays, because there may be millions."""

    def __init__(self, game: Game[Any]) -> None:
        self.positions: list[Any] = []
        self.after = array("i")
        """For each position and action, the place where it leads."""
        self.kinds: dict[tuple[str, ...], int] = {}
        """Every list of moves that is allowed somewhere, numbered."""
        self.cases = array("i")
        """For each position, which of those it has."""
        self.ends = array("b")
        """For each position and player, what it means to arrive there."""
        self.faces = array("i")
        """For each position, how many reveals it has, and so many columns below; 0 where a player moves."""
        self.first, self.second, self.shares = array("i"), array("i"), array("i")
        self._game = game
        self._ids = action_ids(game)
        self._places: dict[Any, int] = {}
        self._place_of(game.start())
        # The list grows while it is read.
        for place, position in enumerate(self.positions):
            self._take_in(place, position)
        self._places.clear()

    def _place_of(self, position: Any) -> int:
        place = self._places.setdefault(position, len(self.positions))
        if place == len(self.positions):
            if place >= MOST_POSITIONS:
                raise TooLarge(f"{self._game!r} has more than {MOST_POSITIONS:,} positions, too many to list")
            self.positions.append(position)
        return place

    def _take_in(self, place: int, position: Any) -> None:
        game, ids = self._game, self._ids
        moves, faces = game.moves(position), 0
        after = [0] * len(ids)
        if not moves:
            # Chance may end a game before the first move. Then one step is still to be made, and any will do.
            after, moves = [place] * len(ids), game.actions
            self.ends.extend(result_of(game, position, player) for player in (0, 1))
        else:
            self.ends.extend((GOES_ON, GOES_ON))
            following = [self._place_of(game.play(position, move)) for move in moves]
            if game.player(position) == CHANCE:
                for one, other, share in alias_columns(game.weights(position)):
                    self.first.append(following[one])
                    self.second.append(following[other])
                    self.shares.append(share)
                moves, faces = (), len(moves)
            else:
                for move, leads in zip(moves, following, strict=True):
                    after[ids[move]] = leads
        self.after.extend(after)
        self.faces.append(faces)
        self.cases.append(self.kinds.setdefault(moves, len(self.kinds)))


@lru_cache(maxsize=1)
def _listing(game: Game[Any]) -> _Listing:
    """Kept until the tables are made, for their size shows only when it is done."""
    return _Listing(game)
