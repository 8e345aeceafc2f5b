"""`showdown` in tables: the pool as bits, who has predicted as one small number, and what they said as another."""

from collections.abc import Callable
from itertools import product
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from numberquest.envs.batches.tables import GOES_ON, WON, Legal, Sets, Tables, Truth, for_both, made, no_bits, result_of
from numberquest.games.showdown.rules import NOBODY, PREDICTIONS, Position, Showdown
from numberquest.games.showdown.solver import ShowdownDistances, alike
from numberquest.solver.distance import WON as MOST
from numberquest.solver.distance import distances

SAID: Final = PREDICTIONS.stop
"""How many things one player can have said; 0 is nothing."""
SECOND, FIRST = np.divmod(np.arange(SAID * SAID), SAID)
"""What each of the two has said, by both predictions in one number."""


class ShowdownState(NamedTuple):
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


class ShowdownTables(Tables[Showdown, ShowdownState]):
    """A move takes a number out of the pool, or adds a prediction to what was said."""

    def __init__(self, game: Showdown, xp: Any) -> None:
        super().__init__(game, xp)
        self.start = ShowdownState(2**game.high - 1, 0, 0)
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
        self._said_shown = self.shows(mine=for_both(FIRST, SECOND), other=for_both(SECOND, FIRST))

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
                # All predictions of those who have spoken.
                one, two = (PREDICTIONS if has else range(1) for has in spoken)
                for said in product(one, two):
                    won[at, _code(said)] = result_of(self.game, Position(pool, said, first), 1 - turn)
        return won

    @classmethod
    def bytes_for(cls, game: Showdown) -> int:
        # By pool: what is allowed, twice; by final sum: who has won, whatever was said.
        sums = game.picks * (game.high - game.picks) + 1
        pools: int = 2**game.high
        return pools * 4 * len(game.actions) + (1 + sums) * len(TURNS) * SAID**2

    def move(self, state: ShowdownState, actions: Any, bits: Callable[[], Any]) -> tuple[ShowdownState, Any]:
        spot = state.turn * self.actions + actions
        pool = state.pool - self.take(self._takes, actions)
        turn = self.take(self._turns, spot)
        said = state.said + self.take(self._adds, spot)
        end = self.take(self._ended, pool)
        results = self.take(self._results, (end * len(TURNS) + turn) * (SAID * SAID) + said)
        return ShowdownState(pool, turn, said), results

    def cases(self, state: ShowdownState) -> Any:
        return 2 * state.pool + self.take(self._silent, state.turn)

    def players(self, state: ShowdownState) -> Any:
        return self.take(self._players, state.turn)

    def observe(self, state: ShowdownState, players: Any) -> Any:
        turn = self.take(self._turns_shown, 2 * state.turn + players)
        said = self.take(self._said_shown, 2 * state.said + players)
        return self.seen(turn + said + self.take(self._pools_shown, state.pool))

    def position(self, state: ShowdownState, i: int) -> Position:
        said = int(state.said[i])
        return Position(self.numbers(int(state.pool[i])), (said % SAID, said // SAID), TURNS[int(state.turn[i])].first)

    def numbers(self, pool: int) -> tuple[int, ...]:
        """The numbers of a pool, from its bits."""
        return tuple(number for number in range(1, self.game.high + 1) if pool >> number - 1 & 1)


def _code(said: tuple[int, int]) -> int:
    return said[0] + SAID * said[1]


def _bits(pool: tuple[int, ...]) -> int:
    return sum(1 << number - 1 for number in pool)


SINGLE: Final = 2 * SAID
"""So many things can have been said while one player is silent: nothing, or a prediction by one of the two."""
CHUNK: Final = 1 << 14
"""How many places are looked at together."""


class ShowdownTruth(Truth[ShowdownTables]):
    """A place is a pool and what was said in it: nothing, one prediction, or a pair of some kind.

    By place there is a score for Player 1: above zero if that player wins, and the higher the sooner.
    """

    def __init__(self, tables: ShowdownTables) -> None:
        super().__init__(tables)
        found = cast("ShowdownDistances", distances(tables.game))
        kinds = np.array(found.solution.kinds())
        self._width = SINGLE + int(kinds.max()) + 1
        slots, scores = _slots(kinds), _scores(tables, found, self._width).reshape(-1)
        self._slots, self._scores = self.table(slots), self.xp.asarray(scores)
        mattered, perfect, sets = _judged(tables.game, scores, slots, self._width)
        self._mattered = self.table(mattered)
        self._perfect, self._sets = self.table(perfect), Sets(sets, self.actions, tables.arrays)

    @classmethod
    def bytes_for(cls, tables: ShowdownTables) -> int:
        # By place: a score, whether it matters, which set is perfect. There are about as many kinds as sums, thrice.
        game: Showdown = tables.game
        places: int = 2**game.high * (SINGLE + 3 * (sum(game.start().pool) + SAID))
        return places * 6

    def _place(self, state: ShowdownState) -> Any:
        return state.pool * self._width + self.take(self._slots, state.turn * SAID**2 + state.said)

    def _wins(self, state: ShowdownState, player: Any) -> Any:
        """Whether this player does."""
        return (self.take(self._scores, self._place(state)) > 0) == (player == 0)

    def values(self, state: ShowdownState) -> Any:
        return self.xp.astype(self._wins(state, self.tables.players(state)), self.tables.arrays.digits)

    def regret(self, state: ShowdownState, actions: Any) -> Any:
        xp, mover = self.xp, self.tables.players(state)
        after, results = self.tables.move(state, actions, no_bits)
        kept = xp.where(results == GOES_ON, self._wins(after, mover), results == WON)
        return xp.astype(self._wins(state, mover) & ~kept, self.tables.arrays.digits)

    def mattered(self, state: ShowdownState) -> Any:
        return self.take(self._mattered, self._place(state))

    def perfect(self, state: ShowdownState, bits: Callable[[], Any]) -> Any:
        return self._sets.any_of(self.take(self._perfect, self._place(state)), bits)


def _slots(kinds: NDArray[np.intp]) -> NDArray[np.int32]:
    """For each turn and all that can have been said, where that stands among what a pool has."""
    slots = np.zeros((len(TURNS), SAID * SAID), np.int32)
    for at, (_, spoken, who) in enumerate(TURNS):
        if who != NOBODY:
            slots[at] = SINGLE + kinds[who, FIRST, SECOND] if all(spoken) else who * SAID + FIRST + SECOND
    return slots.reshape(-1)


def _scores(tables: ShowdownTables, found: ShowdownDistances, width: int) -> NDArray[np.int8]:
    """For each pool and all that can have been said, the score of Player 1."""
    game = tables.game
    scores = np.zeros((2**game.high, width), np.int8)
    for bits in range(2**game.high):
        pool = tables.numbers(bits)
        left = found.left(pool)
        if left >= 0:
            lone, silent = found.scores(alike(game, pool))
            scores[bits, :SINGLE] = lone.reshape(-1)
            scores[bits, 0] = silent
            # Once both have predicted, there is nothing left but picks.
            scores[bits, SINGLE:] = np.where(found.solution.won(pool).both, MOST - left, left - MOST)
    return scores


def _judged(
    game: Showdown, scores: NDArray[np.int8], slots: NDArray[np.int32], width: int
) -> tuple[NDArray[np.bool_], NDArray[np.int32], list[list[int]]]:
    """Whether the choice matters in each place, which set is perfect there, and those sets: every action is tried."""
    # With NumPy, whatever the arrays are that the truth is for.
    tables = cast("ShowdownTables", made(ShowdownTables, game, np))
    mattered, perfect = np.zeros(len(scores), bool), np.zeros(len(scores), np.int32)
    sets: dict[bytes, int] = {}

    def place(state: ShowdownState) -> Any:
        return state.pool * width + slots[state.turn * SAID**2 + state.said]

    def judge(state: ShowdownState, player: int, actions: int) -> None:
        allowed = tables.legal.masks[tables.cases(state)]
        ranks = np.full((len(state.pool), tables.actions), -128, np.int16)
        for action in range(actions):
            here = np.flatnonzero(allowed[:, action])
            before = ShowdownState(*(part[here] for part in state))
            after, results = tables.move(before, np.full(len(here), action), no_bits)
            theirs = scores[place(after)].astype(np.int16) * (-1 if player else 1)
            ranks[here, action] = np.where(results != GOES_ON, results * np.int16(MOST), theirs)
        top = ranks.max(axis=1)
        bottom = np.where(ranks == -128, 128, ranks).min(axis=1)
        mattered[place(state)] = (top > 0) & (bottom < 0)
        # A row of bits is compared with others as one thing.
        rows = np.packbits(ranks == top[:, None], axis=1)
        found, which = np.unique(rows.view(f"V{rows.shape[1]}").reshape(-1), return_inverse=True)
        numbers = np.array([sets.setdefault(row.tobytes(), len(sets)) for row in found], np.int32)
        perfect[place(state)] = numbers[which]

    pools = np.arange(2**game.high)
    gone = game.high - np.array([int(pool).bit_count() for pool in pools])
    for at, turn in enumerate(TURNS):
        # One thing to have been said for each place in which it can be this turn.
        real = np.flatnonzero(((FIRST > 0) == turn.spoken[0]) & ((SECOND > 0) == turn.spoken[1]))
        said = real[np.unique(slots[at * SAID**2 + real], return_index=True)[1]]
        theirs = pools[(gone < game.picks) & (gone % 2 == turn.player)]
        pool, code = (grid.reshape(-1) for grid in np.meshgrid(theirs, said, indexing="ij"))
        for start in range(0, len(pool), CHUNK):
            part = slice(start, start + CHUNK)
            state = ShowdownState(pool[part], np.full_like(pool[part], at), code[part])
            # Who has predicted only picks numbers, which are the first of the actions.
            judge(state, turn.player, game.high if turn.spoken[turn.player] else tables.actions)
    listed = [np.flatnonzero(np.unpackbits(np.frombuffer(row, np.uint8))).tolist() for row in sets]
    return mattered, perfect, listed or [[0]]


TABLES = ShowdownTables
TRUTH = ShowdownTruth
