"""Takes luck out of a game's result. docs/evaluation.md says why that leaves the mean as it is.

Where chance moves, or an opponent whose odds are known, what the branch that came is worth above the average of all
branches is luck, and is taken off the result. What the agent chose itself is never touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game
from numberquest.players.levels import PLAYERS
from numberquest.solver.solution import Value
from numberquest.solver.solution import worth as worth_of
from numberquest.study.decisions import Decision

Odds = Callable[[Game[Any], Any], Mapping[str, Fraction]]
Worth = Callable[[Any], Value]

MOST_REMEMBERED: Final = 300_000
"""What so many positions are worth is remembered, so that the memory never fills up."""
ALMOST_PERFECT: Final = 0.01
"""Who never errs may still err once in so many moves: otherwise one slip would rule the level out."""


class Luck:
    """What was luck in games of one pairing, as Player 1 sees it."""

    def __init__(self, game: Game[Any], worth: Worth, odds: tuple[Odds | None, Odds | None]) -> None:
        """`worth` is Player 1's share from a position on; `odds` are those of each player, None where not known."""
        self._game, self._worth, self._odds = game, worth, odds
        self._mean = lru_cache(MOST_REMEMBERED)(self._average)
        self._value = lru_cache(MOST_REMEMBERED)(self._looked_up)
        self._range = lru_cache(MOST_REMEMBERED)(self._extremes)

    def of(self, positions: Sequence[Any]) -> Value:
        """How much more Player 1 got from chance, and from the other's dice, than was to be expected."""
        total: Value = 0
        for p, after in pairwise(positions):
            mean = self._mean(p)
            if mean is not None:
                total += self._value(after) - mean
        return total

    def reach(self, p: Any, seat: int) -> tuple[float, float]:
        """By how much a choice there could draw the result without luck down, and up, for the player in that seat."""
        down, up = self._range(p)
        return (up, down) if seat else (down, up)

    def _extremes(self, p: Any) -> tuple[float, float]:
        game, here = self._game, self._value(p)
        changes = [float(self._value(game.play(p, move)) - here) for move in game.moves(p)]
        return max(0.0, -min(changes)), max(0.0, *changes)

    def _average(self, p: Any) -> Value | None:
        """What the branches are worth on average; None where one is chosen by somebody whose odds nobody knows."""
        game = self._game
        player = game.player(p)
        if player == CHANCE:
            branches: Mapping[str, Fraction] = dict(zip(game.moves(p), game.odds(p), strict=True))
        else:
            odds = self._odds[player]
            if odds is None:
                return None
            branches = odds(game, p)
        mean: Value = 0
        for move, likely in branches.items():
            if likely:
                mean += likely * self._value(game.play(p, move))
        return mean

    def _looked_up(self, p: Any) -> Value:
        outcome = self._game.outcome(p)
        return self._worth(p) if outcome is None else worth_of(outcome, 0)


def without_luck(result: float | Fraction, luck: Value, seat: int) -> Value:
    """An agent's result without its luck, which is told as Player 1 sees it."""
    return result + luck if seat else result - luck


def nearest_level(decisions: Iterable[Decision]) -> str:
    """The level that would most likely have chosen as well, and as badly, as this."""
    counts = Counter((one.ways, one.moves, one.is_best) for one in decisions if one.mattered)

    def likelihood(name: str) -> float:
        slips = max(PLAYERS[name].any_move / 100, ALMOST_PERFECT)
        return sum(
            count * log(slips * ways / moves + 1 - slips if best else slips / moves)
            for (ways, moves, best), count in counts.items()
        )

    # Of two that are as likely, the stronger one.
    return max(reversed(PLAYERS), key=likelihood)
