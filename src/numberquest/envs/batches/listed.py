"""Any game without hidden numbers that is small enough to list all its positions: `sumquest`, or a sixth game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from numberquest.envs.action_ids import action_ids
from numberquest.envs.batches.tables import Legal, Tables, reward_for
from numberquest.envs.observation import Observer
from numberquest.solver.budget import TooLarge

if TYPE_CHECKING:
    from numberquest.contract import Game

MOST_POSITIONS: Final = 1_000_000


class State(NamedTuple):
    """Where each game stands: the place of its position in the list."""

    place: Any


class ListedTables(Tables["Game[Any]", State]):
    """Every position has a number, and for every action a next one."""

    start = State(0)

    def __init__(self, game: Game[Any], xp: Any) -> None:
        super().__init__(game, xp)
        listing = _listing(game)
        self._positions = listing.positions
        kinds = sorted(set(listing.allowed))
        self._after = self.table(np.array(listing.after).reshape(-1))
        self._rewards = self.table(np.array(listing.rewards).reshape(-1), np.int8)
        self._cases = self.table([kinds.index(moves) for moves in listing.allowed])
        self._players = self.table([game.turn(position) for position in self._positions])
        seen = [self.observer.see(position, player) for position in self._positions for player in (0, 1)]
        self._seen = self.table(seen, np.float32)
        self.legal = Legal(game, kinds, xp)

    @classmethod
    def bytes_for(cls, game: Game[Any]) -> int:
        # By position: where each action leads and what it wins, what is allowed, whose turn it is, what each sees.
        each = len(game.actions) * (4 + 1) + 4 + 4 + 2 * Observer(game).size * 4
        return len(_listing(game).positions) * each

    def fresh(self, size: int) -> State:
        return State(self.full(size, 0))

    def move(self, state: State, actions: Any, bits: Any) -> tuple[State, Any]:
        spot = state.place * self.actions + actions
        return State(self.take(self._after, spot)), self.take(self._rewards, spot)

    def restart(self, state: State, ended: Any) -> State:
        return State(*self.anew(ended, state, self.start))

    def cases(self, state: State) -> Any:
        return self.take(self._cases, state.place)

    def players(self, state: State) -> Any:
        return self.take(self._players, state.place)

    def observe(self, state: State, players: Any) -> Any:
        return self.take(self._seen, 2 * state.place + players)

    def position(self, state: State, i: int) -> Any:
        return self._positions[int(state.place[i])]


class _Listing(NamedTuple):
    positions: list[Any]
    after: list[list[int]]
    """For each position and action, the place in the list where it leads."""
    rewards: list[list[int]]
    allowed: list[tuple[str, ...]]


@lru_cache(maxsize=1)
def _listing(game: Game[Any]) -> _Listing:
    """All positions that can be reached. Kept until the tables are made, for their size shows only when it is done."""
    if game.deck:
        raise ValueError(f"{game.slug} hides numbers, and has no tables of its own")
    listing = _Listing([game.start()], [], [], [])
    places = {listing.positions[0]: 0}
    ids = action_ids(game)
    # The list grows while it is read.
    for position in listing.positions:
        moves = game.moves(position)
        after, rewards = [0] * len(ids), [0] * len(ids)
        for move in moves:
            following = game.play(position, move)
            if following not in places:
                if len(places) >= MOST_POSITIONS:
                    raise TooLarge(f"{game!r} has more than {MOST_POSITIONS:,} positions, too many to list")
                places[following] = len(places)
                listing.positions.append(following)
            after[ids[move]] = places[following]
            rewards[ids[move]] = reward_for(game, following, game.player(position))
        listing.after.append(after)
        listing.rewards.append(rewards)
        listing.allowed.append(moves)
    return listing
