"""How hard a question is: how often those who do not look far miss it.

Four try it, who look 0, 1, 2 and 3 moves ahead. What they have not seen the end of is worth one half to them, what
chance may bring they weigh as it comes, and between moves that look alike to them they choose any; moves that come to
the same, such as opening one covered cell or another, count once.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.solver.budget import TooLarge
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numberquest.contract import Game
    from numberquest.solver import Solution
    from numberquest.solver.budget import Progress

AHEAD: Final = (0, 1, 2, 3)
"""How many moves ahead those look who try a question."""
MOST: Final = 50_000
"""So many positions are looked at for one question; who would have to look at more sees no further than before."""
UNSEEN: Final = 0.5


class Hardness:
    """Tries questions of one game."""

    def __init__(self, solution: Solution[Any], progress: Progress | None = None) -> None:
        self._solution = solution
        self._distances = None
        if not solution.game.chance:
            from numberquest.solver.distance import distances

            # Where that is too large they have to be looked at one by one, as where there is chance.
            with suppress(TooLarge):
                self._distances = distances(solution.game, progress=progress)

    def missed(self, position: Any, right: Collection[str]) -> float:
        """How often the four miss the right moves, on average: from 0 to 1."""
        game = self._solution.game
        after = distinct(game, position)
        shares = [_missed(dict.fromkeys(after, UNSEEN), right)]
        look = self._known if self._distances is not None else _Look(game).value
        player = game.player(position)
        for ahead in AHEAD[1:]:
            try:
                seen = {move: look(p, ahead - 1, player) for move, p in after.items()}
            except _TooMany:
                shares.append(shares[-1])
                continue
            shares.append(_missed(seen, right))
        return round(sum(shares) / len(shares), 4)

    def _known(self, p: Any, ahead: int, player: int) -> float:
        """What a position looks worth to a player: what it is, where its end comes so soon."""
        if self._distances is None or self._distances.plies(p) > ahead:
            return UNSEEN
        return float(self._solution.value_for(player, p))


def distinct(game: Game[Any], position: Any) -> dict[str, Any]:
    """The moves there with the positions they lead to; of moves that come to the same, such as any cell, the first."""
    after: dict[Any, str] = {}
    for move in game.moves(position):
        after.setdefault(game.canonical(game.play(position, move)), move)
    return {move: p for p, move in after.items()}


def _missed(seen: Mapping[str, float], right: Collection[str]) -> float:
    top = max(seen.values())
    chosen = [move for move, value in seen.items() if value >= top - ALIKE]
    return sum(move not in right for move in chosen) / len(chosen)


class _TooMany(Exception):
    """More positions than anybody can look at."""


class _Look:
    """Looks ahead move by move; positions that are the same for the outcome are looked at once."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._seen: dict[tuple[Any, int], float] = {}

    def value(self, p: Any, ahead: int, player: int) -> float:
        """What a position in canonical form looks worth to a player."""
        first = self._first(p, ahead)
        return first if player == 0 else 1 - first

    def _first(self, p: Any, ahead: int) -> float:
        """The same to Player 1, of a position in canonical form."""
        known = self._seen.get((p, ahead))
        if known is not None:
            return known
        game = self._game
        outcome = game.outcome(p)
        mover = game.player(p)
        if outcome is not None:
            value = outcome.worth(0)
        elif ahead == 0 and mover != CHANCE:
            return UNSEEN
        else:
            if len(self._seen) >= MOST:
                raise _TooMany
            canonical = game.canonical
            further = ahead if mover == CHANCE else ahead - 1
            values = [self._first(canonical(game.play(p, move)), further) for move in game.moves(p)]
            if mover == CHANCE:
                weights = game.weights(p)
                value = sum(weight * one for weight, one in zip(weights, values, strict=True)) / sum(weights)
            else:
                value = min(values) if mover else max(values)
        self._seen[p, ahead] = value
        return value
