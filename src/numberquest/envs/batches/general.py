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
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game

MOST_POSITIONS: Final = 2_000_000


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
        self._positions = listing.positions
        self.bounded = game.longest is not None
        self.start = State(0) if self.bounded else CountedState(0, 0)
        self._after = self.table(np.frombuffer(listing.after, np.intc))
        self._players = self.table([game.turn(position) for position in self._positions])
        seen = [self.observer.see(position, player) for position in self._positions for player in (0, 1)]
        self._seen = self.table(seen, np.float32)
        kinds = {moves: case for case, moves in enumerate(sorted(set(listing.allowed)))}
        self._cases = self.table([kinds[moves] for moves in listing.allowed])
        self.legal = Legal(game, list(kinds), xp)
        results = np.frombuffer(listing.results, np.int8)
        self.draws = bool((results == DRAWN).any())
        self._results = self.table(results, np.int8)
        self._chance = _Chance(self, listing) if listing.reveals else None
        self.reveals = 0 in listing.reveals

    @classmethod
    def bytes_for(cls, game: Game[Any]) -> int:
        listing = _listing(game)
        # By position: where each action leads, what is allowed, whose turn it is, what each sees.
        each = len(game.actions) * 4 + 4 + 4 + 2 * Observer(game).size * 4
        reveals = sum(len(places) for places, _ in listing.reveals.values())
        chance = (len(listing.positions) + reveals) * 20 if listing.reveals else 0
        return len(listing.positions) * each + len(listing.results) + chance

    def fresh(self, size: int) -> AnyState:
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
            truncated = (results == GOES_ON) & (after.steps >= self.game.bound)
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
        return self._positions[int(state.place[i])]


class _Chance:
    """Where chance leads, from every position: each of its reveals as often as its weight says.

    A position has as many columns as it has reveals; each is as likely as the others, and stands for two reveals, of
    which the first comes in so many of 2**24 cases (the alias method). Where a player moves, one column stays there.
    """

    def __init__(self, tables: GeneralTables, listing: _Listing) -> None:
        self._tables = tables
        faces = np.ones(len(listing.positions), np.int32)
        columns: list[tuple[int, int, int]] = []
        starts = []
        for place in range(len(listing.positions)):
            starts.append(len(columns))
            places, weights = listing.reveals.get(place, ((place,), (1,)))
            faces[place] = len(places)
            columns += ((places[one], places[two], share) for one, two, share in alias_columns(weights))
        first, second, shares = np.array(columns, np.int32).T
        self._below = below_for(int(faces.max()))
        self._faces, self._starts = tables.table(faces), tables.table(starts)
        self._first, self._second, self._shares = tables.table(first), tables.table(second), tables.table(shares)
        self._uneven = bool((shares < 1 << BITS).any())
        chance = np.zeros(len(faces), bool)
        chance[list(listing.reveals)] = True
        self._waits = tables.table(chance, bool)

    def settled(self, state: AnyState, bits: Callable[[], Any]) -> AnyState:
        """The positions when all is revealed that chance decides before the next move."""
        tables, xp = self._tables, self._tables.xp
        while True:
            waiting = tables.take(self._waits, state.place)
            if isinstance(state, CountedState):
                waiting = waiting & (state.steps < tables.game.bound)
            if not bool(xp.any(waiting)):
                return state
            place = xp.where(waiting, self._revealed(state.place, bits), state.place)
            state = state._replace(place=place)
            if isinstance(state, CountedState):
                state = state._replace(steps=state.steps + xp.astype(waiting, tables.index))

    def _revealed(self, place: Any, bits: Callable[[], Any]) -> Any:
        take = self._tables.take
        column = take(self._starts, place) + self._below(bits(), take(self._faces, place))
        revealed = take(self._first, column)
        if not self._uneven:
            return revealed
        return self._tables.xp.where(bits() < take(self._shares, column), revealed, take(self._second, column))


def alias_columns(weights: Sequence[int]) -> list[tuple[int, int, int]]:
    """For each weight a column: two places among the weights, and in how many of 2**24 cases it is the first.

    All columns are alike, and together they give every place its weight.
    """
    count, total = len(weights), sum(weights)
    # What each has more or less than an equal share, times the count, so that all stays whole.
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


class _Listing(NamedTuple):
    positions: list[Any]
    after: array[int]
    """For each position and action, the place in the list where it leads."""
    results: array[int]
    """Without chance, what comes of it for each position and action; with chance, of each position for both players."""
    allowed: list[tuple[str, ...]]
    reveals: dict[int, tuple[tuple[int, ...], tuple[int, ...]]]
    """For each place where chance decides, where that leads, and the weights."""


@lru_cache(maxsize=1)
def _listing(game: Game[Any]) -> _Listing:
    """All positions that can be reached. Kept until the tables are made, for their size shows only when it is done."""
    listing = _Listing([game.start()], array("i"), array("b"), [], {})
    places = {listing.positions[0]: 0}
    ids = action_ids(game)

    def place_of(position: Any) -> int:
        place = places.setdefault(position, len(places))
        if place == len(listing.positions):
            if place >= MOST_POSITIONS:
                raise TooLarge(f"{game!r} has more than {MOST_POSITIONS:,} positions, too many to list")
            listing.positions.append(position)
        return place

    # The list grows while it is read.
    for place, position in enumerate(listing.positions):
        moves, after = game.moves(position), [0] * len(ids)
        following = {move: game.play(position, move) for move in moves}
        if not moves:
            # Chance may end a game before the first move. Then one step is still to be made, and any will do.
            after, moves = [place] * len(ids), game.actions
            following = dict.fromkeys(moves, position)
        elif game.player(position) == CHANCE:
            listing.reveals[place] = tuple(map(place_of, following.values())), game.weights(position)
            moves, following = (), {}
        results = [GOES_ON] * len(ids)
        for move, leads in following.items():
            after[ids[move]] = place_of(leads)
            results[ids[move]] = result_of(game, leads, game.turn(position))
        listing.after.extend(after)
        listing.allowed.append(moves)
        if game.chance:
            results = [result_of(game, position, player) for player in (0, 1)]
        listing.results.extend(results)
    return listing
