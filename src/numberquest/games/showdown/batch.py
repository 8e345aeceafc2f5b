"""`showdown` in tables: the pool as bits, who has predicted as one small number, and what they said as another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from numberquest.envs.batches.tables import Legal, Tables, for_both, result_of
from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAID: Final = PREDICTIONS.stop
"""How many things one player can have said; 0 is nothing."""


class State(NamedTuple):
    """A bit for each number in the pool; whose turn it is and who predicted first; both predictions in one number."""

    pool: Any
    turn: Any
    said: Any


class _Turn(NamedTuple):
    player: int
    spoken: tuple[bool, bool]
    first: int


_SPOKEN: Final = (
    ((False, False), NOBODY),
    ((True, False), 0),
    ((False, True), 1),
    ((True, True), 0),
    ((True, True), 1),
)
TURNS: Final = [_Turn(player, spoken, first) for spoken, first in _SPOKEN for player in (0, 1)]
"""Whose turn it can be, who has spoken by then and who was first, by number."""


class ShowdownTables(Tables[Showdown, State]):
    """A move takes a number out of the pool, or adds a prediction to what was said."""

    def __init__(self, game: Showdown, xp: Any) -> None:
        super().__init__(game, xp)
        self.start = State(2**game.high - 1, 0, 0)
        self._list_moves()
        self._list_ends()
        pools = [self.numbers(pool) for pool in range(2**game.high)]
        held = np.array([[number in pool for number in range(1, game.high + 1)] for pool in pools])
        self._pools_shown = self.shows(pool=held)
        # Whoever has not predicted yet has the cases with an odd number.
        cases = [game.moves(Position(pool, (said, said), 0)) for pool in pools for said in (1, 0)]
        self.legal = Legal(game, cases, self.arrays)
        self._silent = self.table([not turn.spoken[turn.player] for turn in TURNS])
        self._players = self.table([turn.player for turn in TURNS])
        # As the observer tells it, who looks comes before the other.
        turns = [1 + (turn.player != player) for turn in TURNS for player in (0, 1)]
        firsts = [0 if turn.first == NOBODY else 1 + (turn.first != player) for turn in TURNS for player in (0, 1)]
        self._turns_shown = self.shows(turn=turns, first=firsts)
        second, first = np.divmod(np.arange(SAID * SAID), SAID)
        self._said_shown = self.shows(mine=for_both(first, second), other=for_both(second, first))

    def _list_moves(self) -> None:
        """Say what each action adds to what was said, takes out of the pool, and makes of the turn."""
        game = self.game
        numbers = range(1, game.high + 1)
        turns = np.zeros((len(TURNS), self.actions), np.intp)
        adds = np.zeros((len(TURNS), self.actions), np.intp)
        takes = np.zeros(self.actions, np.intp)
        for at, turn in enumerate(TURNS):
            said = (int(turn.spoken[0]), int(turn.spoken[1]))
            for action, move in enumerate(game.actions):
                if game.binding(move) and turn.spoken[turn.player]:
                    continue
                # How many numbers are left says whose turn it is. The one that is played must be among them.
                gone = turn.player * (2 if move == "1" else 1)
                before = Position(tuple(n for n in numbers if n != gone), said, turn.first)
                after = game.play(before, move)
                spoken = (bool(after.predictions[0]), bool(after.predictions[1]))
                turns[at, action] = TURNS.index(_Turn(game.player(after), spoken, after.first))
                adds[at, action] = _code(after.predictions) - _code(said)
                takes[action] = _bits(before.pool) - _bits(after.pool)
        self._turns, self._adds = self.table(turns.reshape(-1)), self.table(adds.reshape(-1))
        self._takes = self.table(takes)

    def _list_ends(self) -> None:
        """Say who has won when all picks are made. Pools that are left with the same sum are alike."""
        game = self.game
        ends: dict[int, int] = {}
        ended = np.zeros(2**game.high, np.intp)
        won = [np.zeros((len(TURNS), SAID * SAID), np.int8)]
        for bits in range(2**game.high):
            pool = self.numbers(bits)
            if game.high - len(pool) != game.picks:
                continue
            total = game.total(Position(pool, (0, 0), NOBODY))
            if total not in ends:
                ends[total] = len(won)
                won.append(self._won(pool))
            ended[bits] = ends[total]
        self._ended = self.table(ended)
        self._results = self.table(np.stack(won).reshape(-1), np.int8)

    def _won(self, pool: tuple[int, ...]) -> Any:
        """For each turn and all that can have been said, what the one who picked last has won."""
        won = np.zeros((len(TURNS), SAID * SAID), np.int8)
        turn = self.game.player(Position(pool, (0, 0), NOBODY))
        for at, (player, spoken, first) in enumerate(TURNS):
            if player == turn:
                for said in _all_said(spoken):
                    won[at, _code(said)] = result_of(self.game, Position(pool, said, first), 1 - turn)
        return won

    @classmethod
    def bytes_for(cls, game: Showdown) -> int:
        # By pool: what is allowed, twice; by final sum: who has won, whatever was said.
        sums = game.picks * (game.high - game.picks) + 1
        pools: int = 2**game.high
        return pools * 4 * len(game.actions) + (1 + sums) * len(TURNS) * SAID**2

    def fresh(self, size: int | tuple[int, ...]) -> State:
        return State(*(self.full(size, value) for value in self.start))

    def move(self, state: State, actions: Any, bits: Callable[[], Any]) -> tuple[State, Any]:
        spot = state.turn * self.actions + actions
        pool = state.pool - self.take(self._takes, actions)
        turn = self.take(self._turns, spot)
        said = state.said + self.take(self._adds, spot)
        end = self.take(self._ended, pool)
        results = self.take(self._results, (end * len(TURNS) + turn) * (SAID * SAID) + said)
        return State(pool, turn, said), results

    def restart(self, state: State, ended: Any) -> State:
        return State(*self.anew(ended, state, self.start))

    def cases(self, state: State) -> Any:
        return 2 * state.pool + self.take(self._silent, state.turn)

    def players(self, state: State) -> Any:
        return self.take(self._players, state.turn)

    def observe(self, state: State, players: Any) -> Any:
        turn = self.take(self._turns_shown, 2 * state.turn + players)
        said = self.take(self._said_shown, 2 * state.said + players)
        return self.seen(turn + said + self.take(self._pools_shown, state.pool))

    def position(self, state: State, i: int) -> Position:
        said = int(state.said[i])
        return Position(self.numbers(int(state.pool[i])), (said % SAID, said // SAID), TURNS[int(state.turn[i])].first)

    def numbers(self, pool: int) -> tuple[int, ...]:
        """The numbers of a pool, from its bits."""
        return tuple(number for number in range(1, self.game.high + 1) if pool >> number - 1 & 1)


def _all_said(spoken: tuple[bool, bool]) -> Iterator[tuple[int, int]]:
    """All predictions of those who have spoken."""
    return ((one, two) for one in _of(spoken[0]) for two in _of(spoken[1]))


def _of(spoken: bool) -> range:
    return PREDICTIONS if spoken else range(1)


def _code(said: tuple[int, int]) -> int:
    return said[0] + SAID * said[1]


def _bits(pool: tuple[int, ...]) -> int:
    return sum(1 << number - 1 for number in pool)


TABLES = ShowdownTables
