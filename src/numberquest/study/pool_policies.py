"""How often levels win, and what their games are like, in games over pools: columns of the pass over pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from numberquest.core.progress import Progress, part_of, silently
from numberquest.players.levels import PLAYERS
from numberquest.solver.budget import check_memory, free_memory
from numberquest.solver.pool_recurrence import (
    Choice,
    Columns,
    PoolRules,
    best_play,
    between_players,
    figures_for_a_column,
)
from numberquest.study.policy_values import EVEN, Everywhere, Flow, GeneralWalk, Pair, shares, slips

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
Flags: TypeAlias = "NDArray[np.bool_]"

ROOM: Final = 0.4
"""The share of the free memory that two layers may take."""
CHUNK: Final = 256
"""So many pools are written down at a time, so that no large copy is made."""
FULL: Final = 65535
"""A chance of 1 in a small table: two bytes hold five digits of it."""
MEASURED: Final = (
    (
        *("wins", "wins_squared", "by_chance", "by_choice", "moves", "moves_squared"),
        *("allowed", "decisions", "mattered", "staked", "blindly"),
    ),
    ("wins", "unsettled", "ahead_first", "ahead_second", "behind", "deficit", "led_first", "led_second", "led_none"),
)
"""The columns of a measured game; some at a time, for the sake of memory.

`ahead_…`: how often that player wins, having been ahead from here on; `led_…`: how often the lead still changes, if
that player was the last to lead.
"""
ENDS: Final = (("wins", "wins_squared", "ahead_first", "led_second"), ("ahead_second", "led_first"))
"""The columns that hold 1 where Player 1 has won, and where Player 2 has; the others hold 0."""
WITH_CHANCE: Final = ("wins_squared", "by_chance", "by_choice", "staked")
"""What follows from other columns where nothing is drawn."""


def chances(rules: PoolRules[Any], pairs: Sequence[Pair], progress: Progress) -> list[float]:
    """For each pair, the chance that Player 1 wins."""
    rules.check_size()
    best = best_play(rules, silently)
    known: dict[Pair, float] = {}
    if not rules.drawn:
        # Without chance, who never makes a mistake never loses a game that is won from the start.
        winner = 0 if best[-1, 0, 0] > 0 else 1
        known = {pair: 1.0 - winner for pair in pairs if not PLAYERS[pair[winner]].any_move}
    waiting = [pair for pair in pairs if pair not in known]
    together = max(1, int(ROOM * free_memory() / (8 * figures_for_a_column(rules))))
    number = -(-len(waiting) // together)
    for at in range(number):
        part = waiting[at * len(waiting) // number : (at + 1) * len(waiting) // number]
        found = between_players(rules, best, Columns(shares(part)), part_of(progress, at, number))
        known |= zip(part, found.tolist(), strict=True)
    return [known[pair] for pair in pairs]


def everywhere(rules: PoolRules[Any], pair: Pair, progress: Progress) -> Everywhere:
    """For one pair, Player 1's chance from every position on.

    Of all pools, the chance of whoever's turn it is stands in a table by that player's score and the other's, in two
    bytes each. Five digits do: what is taken out with such chances leaves the mean as it is, whatever they are.
    """
    import numpy as np

    rules.check_size()
    check_memory(2 * rules.positions, rules.game)
    table = np.zeros((rules.pools.number, rules.target, rules.target), dtype=np.uint16)
    flat = table.reshape(-1)

    def keep(size: int, layer: NDArray[np.intp], known: Numbers) -> None:
        is_first = (rules.pools.size - size) % 2 == 0
        for start in range(0, len(layer), CHUNK):
            part = slice(start, start + CHUNK)
            chances = known[part, ..., 0] if is_first else 1 - known[part, ..., 0]
            table[layer[part]] = np.rint(chances * FULL)

    def known(p: Any) -> float | None:
        """Player 1's chance, of every position but those after a draw."""
        if rules.is_drawn(p):
            return None
        chance = int(flat[rules.index(p)]) / FULL
        return 1 - chance if rules.game.turn(p) else chance

    between_players(rules, best_play(rules, silently), Columns(shares([pair])), progress, keep)
    return Everywhere(rules.game, pair, known)


class PoolWalk:
    """A game over pools as one pair plays it."""

    def __init__(self, rules: PoolRules[Any], pair: Pair, progress: Progress) -> None:
        rules.check_size()
        self.pair, self._rules, self._progress = pair, rules, progress
        self.positions = rules.positions
        self._best = best_play(rules, silently)
        self._wins: dict[int, Numbers] = {}

    @cached_property
    def flow(self) -> Flow:
        """What a game comes to."""
        start: dict[str, float] = {}
        for at, columns in enumerate(MEASURED):
            names = [name for name in columns if self._rules.drawn or name not in WITH_CHANCE]
            start |= self._pass(names, part_of(self._progress, at, len(MEASURED)))
        if not self._rules.drawn:
            # Choices bring all of what scatters; and what can be lost is the game.
            start |= {"by_chance": 0.0, "by_choice": start["wins"] * (1 - start["wins"]), "staked": start["mattered"]}
        same = ("by_chance", "by_choice", "moves", "allowed", "decisions", "mattered", "staked", "blindly")
        return Flow(
            first=start["wins"],
            second=1 - start["wins"],
            endless=0.0,
            lead_changes=start["led_none"],
            spread=max(start["moves_squared"] - start["moves"] ** 2, 0.0) ** 0.5,
            **{name: start[name] for name in (*same, "behind", "deficit", "unsettled")},
        )

    def share(self, p: Any) -> float:
        """Player 1's share of the points with the full pool, whatever the scores, and after the first turn."""
        if not self._wins:
            # Nobody has asked for more yet.
            self._pass(["wins"], self._progress)
        pool, scores = divmod(self._rules.index(p), self._rules.target**2)
        return float(self._wins[pool].flat[scores])

    def best(self, p: Any) -> float:
        """The same under best play."""
        found = float(self._best.flat[self._rules.index(p)])
        value = found if self._rules.drawn else float(found > 0)
        return 1 - value if self._rules.game.turn(p) else value

    def _pass(self, names: Sequence[str], progress: Progress) -> dict[str, float]:

        def keep(size: int, layer: NDArray[np.intp], known: Numbers) -> None:
            if size >= self._rules.pools.size - 1:
                self._wins |= {int(pool): known[at, ..., 0].copy() for at, pool in enumerate(layer)}

        found = between_players(self._rules, self._best, MeasuredColumns(names, slips(self.pair)), progress, keep)
        return dict(zip(names, found.tolist(), strict=True))


Walked = GeneralWalk | PoolWalk


class MeasuredColumns(Columns):
    """What games between two players are like: each column holds what is still to come on average."""

    needs_settling = True

    def __init__(self, names: Sequence[str], slips: Sequence[float]) -> None:
        import numpy as np

        super().__init__(np.array(slips)[:, None].repeat(len(names), axis=1))
        self._names = names
        self.ends = np.array([[1.0 if name in held else 0.0 for name in names] for held in ENDS])

    def settle(self, mean: Numbers, choice: Callable[[], Choice] | None) -> None:
        """Add what happens at these positions; where the lead is, the means say."""
        import numpy as np

        at = {name: mean[..., number] for number, name in enumerate(self._names)}
        wins = at["wins"]
        leads, trails = wins > 0.5 + EVEN, wins < 0.5 - EVEN
        if "wins_squared" in at:
            square = wins * wins
            at["by_chance" if choice is None else "by_choice"] += np.maximum(at["wins_squared"] - square, 0)
            at["wins_squared"][...] = square
        if "ahead_first" in at:
            at["ahead_first"] *= leads
            at["ahead_second"] *= trails
            led_first, led_second = at["led_first"].copy(), at["led_second"].copy()
            at["led_first"][...] = np.where(trails, 1 + led_second, led_first)
            at["led_second"][...] = np.where(leads, 1 + led_first, led_second)
            at["led_none"][...] = np.where(leads, led_first, np.where(trails, led_second, at["led_none"]))
        if choice is not None:
            self._add_move(at, wins, leads | trails, choice)

    def _add_move(
        self, at: dict[str, Numbers], wins: Numbers, somebody_leads: Flags, choice: Callable[[], Choice]
    ) -> None:
        import numpy as np

        if "moves" in at:
            at["moves_squared"] += 2 * at["moves"] + 1
            at["moves"] += 1
            moves, staked, blindly = choice()
            at["allowed"] += moves
            at["decisions"] += moves > 1
            at["mattered"] += staked > 0
            if "staked" in at:
                at["staked"] += staked
            at["blindly"] += blindly
        if "ahead_first" in at:
            at["unsettled"] += 1 - at["ahead_first"] - at["ahead_second"]
            # The one who is behind wins after all.
            behind = np.where(somebody_leads, np.minimum(wins, 1 - wins), 0.0)
            at["behind"] += behind
            at["deficit"] += behind * np.abs(1 - 2 * wins)
