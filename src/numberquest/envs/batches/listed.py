"""Any game without hidden numbers that is small enough to list all its positions: `sumquest`, or a sixth game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from numberquest.envs.batches.tables import Legal, Tables
from numberquest.solve.pools import TooLarge

if TYPE_CHECKING:
    from numberquest.game import Game

MOST_POSITIONS: Final = 1_000_000


class State(NamedTuple):
    """Where each game stands: the place of its position in the list."""

    place: Any


class ListedTables(Tables["Game[Any]", State]):
    """Every position has a number, and for every action a next one."""

    start = State(0)

    def __init__(self, game: Game[Any], xp: Any) -> None:
        super().__init__(game, xp)
        if game.deck:
            raise ValueError(f"{game.slug} hides numbers, and has no tables of its own")
        self._positions = [game.start()]
        places = {self._positions[0]: 0}
        ids = {move: number for number, move in enumerate(game.actions)}
        after, rewards, allowed = [], [], []
        # The list grows while it is read.
        for position in self._positions:
            moves = game.moves(position)
            allowed.append(moves)
            nexts, won = [0] * self.actions, [0] * self.actions
            for move in moves:
                following = game.play(position, move)
                if following not in places:
                    if len(places) >= MOST_POSITIONS:
                        raise TooLarge(f"{game!r} has more than {MOST_POSITIONS:,} positions, too many to list")
                    places[following] = len(places)
                    self._positions.append(following)
                nexts[ids[move]] = places[following]
                outcome = game.outcome(following)
                if outcome is not None:
                    won[ids[move]] = 1 if outcome.winner == game.player(position) else -1
            after.append(nexts)
            rewards.append(won)
        kinds = sorted(set(allowed))
        self._after = self.table(np.array(after).reshape(-1))
        self._rewards = self.table(np.array(rewards).reshape(-1), np.int8)
        self._cases = self.table([kinds.index(moves) for moves in allowed])
        self._players = self.table([game.turn(position) for position in self._positions])
        seen = [self.observer.see(position, player) for position in self._positions for player in (0, 1)]
        self._seen = self.table(seen, np.float32)
        self.legal = Legal(game, kinds, xp)

    @classmethod
    def bytes_for(cls, game: Game[Any]) -> int:  # noqa: ARG003 - the interface gives it
        # How many positions there are shows only when they are listed, which stops in time.
        return 0

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
