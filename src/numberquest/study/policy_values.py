"""What a game between two players of known levels comes to: what every position is worth to them, and what is measured.

Best play is worked out on the graph of positions (`solver.ordered`); a level mixes any move with a best one. A game of
very many positions brings its own recurrence (`levels.py`, `measures.py` beside its rules).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.progress import Progress
from numberquest.players.levels import PLAYERS
from numberquest.solver.numbers import NDArray, Numbers
from numberquest.solver.numbers import arrays as np
from numberquest.solver.ordered import OrderedGraph, ordered
from numberquest.solver.solution import ALIKE

EVEN: Final = 1e-9
"""Nobody leads by less than this: such differences are rounding."""
ALMOST: Final = 1e-9
ROUNDING: Final = 1e-12


class Pair(NamedTuple):
    """The levels of Player 1 and Player 2."""

    first: str
    second: str


class Chance(NamedTuple):
    """How often Player 1 wins, and how often nobody does."""

    first: float
    draw: float = 0.0

    @property
    def share(self) -> float:
        """Player 1's share of the points: a draw is half a win."""
        return self.first + self.draw / 2


class Everywhere(NamedTuple):
    """For one pair of levels, Player 1's share of the points from every position on, not from the start alone."""

    game: Game[Any]
    pair: Pair
    known: Callable[[Any], float | None]
    """The share of a position, where it is stored; None where it follows from the next ones."""

    def first(self, p: Any) -> float:
        """How much of the points Player 1 makes on average, once the game has come to this position."""
        game = self.game
        outcome = game.outcome(p)
        if outcome is not None:
            return outcome.worth(0)
        known = self.known(p)
        if known is not None:
            return known
        player = game.player(p)
        if player == CHANCE:
            odds = dict(zip(game.moves(p), game.odds(p), strict=True))
        else:
            odds = PLAYERS[self.pair[player]].odds(game, p)
        return sum(float(likely) * self.first(game.play(p, move)) for move, likely in odds.items() if likely)


def slips(pair: Pair) -> tuple[float, float]:
    """How often the move of each of the two is any move, from 0 to 1."""
    return PLAYERS[pair.first].any_move / 100, PLAYERS[pair.second].any_move / 100


def shares(pairs: Sequence[Pair]) -> Numbers:
    """For Player 1 and Player 2, and each pair: how often the move is any move, from 0 to 1."""
    return np.array([slips(pair) for pair in pairs]).T


class Flow(NamedTuple):
    """What a game between two players comes to on average. Moves are those of the players; reveals do not count."""

    first: float
    second: float
    endless: float
    by_chance: float
    """The part of the outcome's variance that reveals bring."""
    by_choice: float
    """The part that the players' own choices bring."""
    lead_changes: float
    moves: float
    spread: float
    """The standard deviation of the number of moves."""
    allowed: float
    """How many moves were allowed, over all moves."""
    decisions: float
    mattered: float
    staked: float
    """What could be given away, over all decisions that mattered."""
    blindly: float
    """What a blind choice would have given away, over all of them."""
    behind: float
    """How many moves were made while the later winner was behind."""
    deficit: float
    """By how much, over all of these."""
    unsettled: float
    """How many moves were made before the later winner took the lead for good."""


def first_shares(positions: OrderedGraph, pair: Pair) -> Numbers:
    """Player 1's share of the points from every position on. What never ends is worth one half."""
    return positions.backward(positions.likely(slips(pair)), positions.ends[:, None] - 0.5)[:, 0] + 0.5


def chances(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> list[Chance]:
    """For each pair, how often Player 1 wins and how often nobody."""
    positions = ordered(game, progress)
    start = positions.number(game.start())
    over, ends = positions.is_over, positions.ends
    won = np.column_stack([over & (ends == 1), over & (ends == 0)]).astype(float)
    found = []
    for at, pair in enumerate(pairs):
        progress(len(pairs) + at, 2 * len(pairs))
        first, second = positions.backward(positions.likely(slips(pair)), won)[start].tolist()
        drawn = 1 - first - second
        found.append(Chance(first, drawn if drawn >= ROUNDING else 0.0))
    progress(2 * len(pairs), 2 * len(pairs))
    return found


def listed_shares(game: Game[Any], pair: Pair, progress: Progress) -> Everywhere:
    """The shares of every position that can be reached."""
    positions = ordered(game, progress)
    found: list[float] = first_shares(positions, pair).tolist()

    def known(p: Any) -> float | None:
        try:
            return found[positions.number(p)]
        except KeyError:
            return None

    return Everywhere(game, pair, known)


class GeneralWalk:
    """A game as one pair plays it, from its positions one by one."""

    def __init__(self, positions: OrderedGraph, pair: Pair) -> None:
        self.pair, self.positions = pair, len(positions)
        self._positions = positions
        self._likely = positions.likely(slips(pair))
        ends, over = positions.ends, positions.is_over
        won = np.column_stack([over & (ends == 1), over & (ends == 0), over & (ends == 0.5), np.zeros(len(over))])
        self._won = won.astype(float)
        each = np.zeros((len(over), 4))
        each[:, 3] = positions.by_player
        self._known = positions.backward(self._likely, self._won, each)
        # What never ends is nobody's win, as a draw is.
        self._shares = (1 + self._known[:, 0] - self._known[:, 1]) / 2

    @cached_property
    def flow(self) -> Flow:
        """What a game comes to."""
        positions, likely = self._positions, self._likely
        first, second, drawn, ahead = self._known.T
        made = positions.by_player.astype(float)
        start = positions.number(positions.game.start())
        entering = np.zeros(len(positions))
        entering[start] = 1.0
        often = positions.forward(likely, entering)
        swings = often * positions.scatter(likely, self._shares, self._shares)
        lead = np.where(self._shares > 0.5 + EVEN, 0, np.where(self._shares < 0.5 - EVEN, 1, -1))
        endless = 1 - first[start] - second[start] - drawn[start]
        moved = often * made
        staked, blindly = _stakes(positions)
        matters = staked > ALIKE
        leads = lead[:, None] == [0, 1]
        settled = positions.backward(likely, self._won[:, :2], where=leads).sum(axis=1)
        off = np.abs(1 - 2 * self._shares)
        later = np.where(lead == 0, second, np.where(lead == 1, first, 0.0))
        return Flow(
            first=float(first[start]),
            second=float(second[start]),
            endless=float(endless) if endless > ALMOST else 0.0,
            by_chance=float(swings[positions.movers == CHANCE].sum()),
            by_choice=float(swings[positions.by_player].sum()),
            lead_changes=_lead_changes(positions, likely, often, lead),
            moves=float(moved.sum()),
            spread=float((often * positions.scatter(likely, ahead, ahead - made)).sum()) ** 0.5,
            allowed=float((moved * positions.counts).sum()),
            decisions=float(moved[positions.counts > 1].sum()),
            mattered=float(moved[matters].sum()),
            staked=float((moved * staked)[matters].sum()),
            blindly=float((moved * blindly)[matters].sum()),
            behind=float((moved * later).sum()),
            deficit=float((moved * later * off).sum()),
            unsettled=float((moved * (1 - settled)).sum()),
        )

    def share(self, p: Any) -> float:
        """Player 1's share of the points from any position on that can be reached."""
        return float(self._shares[self._positions.number(p)])

    def best(self, p: Any) -> float:
        """The same under best play."""
        return float(self._positions.values[self._positions.number(p)])


def _stakes(positions: OrderedGraph) -> tuple[Numbers, Numbers]:
    """What the worst move gives away at every position, and what any move does on average, against best play."""
    staked, blindly = np.zeros(len(positions)), np.zeros(len(positions))
    if not len(positions.targets):
        return staked, blindly
    worth = np.where(positions.movers[positions.source] == 1, -1.0, 1.0) * positions.values[positions.targets]
    here = np.flatnonzero(positions.counts)
    begin = positions.starts[here]
    top = np.maximum.reduceat(worth, begin)
    staked[here] = top - np.minimum.reduceat(worth, begin)
    blindly[here] = top - np.add.reduceat(worth, begin) / positions.counts[here]
    return staked * positions.by_player, blindly * positions.by_player


def _lead_changes(positions: OrderedGraph, likely: Numbers, often: Numbers, lead: NDArray[np.int64]) -> float:
    """How often the lead goes over to the other; while nobody leads, who led last is remembered."""
    flow = often[positions.source] * likely
    before, after = lead[positions.source], lead[positions.targets]
    changes = float(flow[(before >= 0) & (after == 1 - before)].sum())
    even = (before < 0) & (after < 0)
    for led in (0, 1):
        into = (before == led) & (after < 0)
        entering = np.bincount(positions.targets[into], flow[into], len(positions)).astype(float)
        if not entering.any():
            continue
        among = positions.forward(np.where(even, likely, 0.0), entering)
        changes += float((among[positions.source] * likely)[(before < 0) & (after == 1 - led)].sum())
    return changes
