"""Solves `mystic`: the winning chance before each draw, for every pile, own total and opponent's total."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberquest.games.mystic.rules import Mystic, Position
from numberquest.solver.budget import Size, check_memory
from numberquest.solver.pools import Pools
from numberquest.solver.solution import Solution
from numberquest.solver.table import kept_or_made

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from numberquest.solver.budget import Progress
    from numberquest.solver.table import Table

    Chances = NDArray[np.float64]


def solution(game: Mystic, progress: Progress, warn: Callable[[str], None]) -> MysticSolution:
    """Solved, or read from disk."""
    return MysticSolution(game, kept_or_made(game, "d", lambda: solve(game, progress).reshape(-1).data, warn))


class MysticSolution(Solution[Position]):
    """Reads the chances before a draw; after it, the best of the moves follows from them."""

    def __init__(self, game: Mystic, table: Table) -> None:
        super().__init__(game)
        self._pools = Pools(game.high, game.copies)
        self._weights = self._pools.weights()
        self._table = table
        self._target = game.target
        self.positions = how_large(game).positions

    def known(self, p: Position) -> float | None:
        """The chance before a draw."""
        if p.drawn:
            return None
        weights, turn = self._weights, self.game.turn(p)
        pile = sum([weights[number] for number in p.unseen])
        mine, yours = p.totals[turn], p.totals[1 - turn]
        chance: float = self._table[(pile * self._target + mine) * self._target + yours]
        return chance

    def chances(self) -> memoryview:
        """The whole table: pile by own total by the opponent's, before a draw."""
        return self._table.whole()


def how_large(game: Mystic) -> Size:
    """Known beforehand."""
    return Size(Pools(game.high, game.copies).number * game.target**2, 2 * table_bytes(game))


def table_bytes(game: Mystic) -> int:
    """How large the finished table is."""
    return Pools(game.high, game.copies).number * game.target**2 * 8


def solve(game: Mystic, progress: Progress) -> Chances:
    """The table: pile by own total by the opponent's total."""
    check_memory(how_large(game).memory, game)
    import numpy as np

    pools = Pools(game.high, game.copies)
    weights = pools.weights()
    target = game.target
    effects = {number: effects_of(game, number) for number in range(1, game.high + 1)}
    table = np.empty((pools.number, target, target))
    table[0] = at_the_end(game)
    place = np.zeros(pools.number, dtype=np.intp)
    # What each pile is worth to the one who has just played, as own total by opponent's total.
    below = np.ascontiguousarray(1 - table[:1].transpose(0, 2, 1))
    for size, layer, holders in pools.layers():
        chances = np.zeros((len(layer), target, target))
        for number, having, count in holders:
            best = _best(below[place[layer[having] - weights[number]]], effects[number])
            best *= (count / size)[:, None, None]
            chances[having] += best
        table[layer] = chances
        place[layer] = np.arange(len(layer))
        below = np.ascontiguousarray(1 - chances.transpose(0, 2, 1))
        progress(size, pools.size)
    return table


class Run(NamedTuple):
    """Totals from `start` to `stop` that lead to totals `shift` higher; or to a certain end, if `end` is set."""

    start: int
    stop: int
    shift: int
    end: int | None


class Effect(NamedTuple):
    """What an action does: to the own total, or to the opponent's."""

    on_own: bool
    runs: list[Run]


def effects_of(game: Mystic, number: int) -> list[Effect]:
    """What each action does with a drawn number, as the game itself plays it; the one always allowed comes first."""
    # Any pile does, as long as it is Player 1's turn and one more number is left to draw.
    unseen = game.deck[1:]
    effects = []
    for action in game.actions:
        own = {total: _after(game, Position(unseen, (total, 0), number), action) for total in range(game.target)}
        others = {total: _after(game, Position(unseen, (0, total), number), action) for total in range(game.target)}
        on_own = any(after is not None and after[0][0] != total for total, after in own.items())
        seat, table = (0, own) if on_own else (1, others)
        effects.append(Effect(on_own, _runs([_led_to(table[total], seat) for total in range(game.target)])))
    return sorted(effects, key=lambda effect: effect.on_own)


def _after(game: Mystic, p: Position, action: str) -> tuple[tuple[int, int], int | None] | None:
    """The totals after an action and the winner if that ends the game; None where it is not allowed."""
    if action not in game.moves(p):
        return None
    after = game.play(p, action)
    outcome = game.outcome(after)
    return after.totals, None if outcome is None else outcome.winner


def _led_to(after: tuple[tuple[int, int], int | None] | None, seat: int) -> tuple[int | None, int | None] | None:
    if after is None:
        return None
    totals, winner = after
    return (totals[seat], None) if winner is None else (None, 1 - winner)


def _runs(led_to: Sequence[tuple[int | None, int | None] | None]) -> list[Run]:
    """Neighbouring totals with the same effect together, so that whole slices are handled at once."""
    runs: list[Run] = []
    for total, after in enumerate(led_to):
        if after is None:
            continue
        to, end = after
        shift = 0 if to is None else to - total
        if runs and runs[-1].stop == total and (runs[-1].shift, runs[-1].end) == (shift, end):
            runs[-1] = runs[-1]._replace(stop=total + 1)
        else:
            runs.append(Run(total, total + 1, shift, end))
    return runs


def _best(worth: Chances, effects: list[Effect]) -> Chances:
    """The chance with the best action, for each pile and both totals."""
    import numpy as np

    best = np.zeros_like(worth)
    for effect in effects:
        for start, stop, shift, end in effect.runs:
            here = best[:, start:stop] if effect.on_own else best[:, :, start:stop]
            if end is not None:
                np.maximum(here, end, out=here)
                continue
            there = slice(start + shift, stop + shift)
            np.maximum(here, worth[:, there] if effect.on_own else worth[:, :, there], out=here)
    return best


def at_the_end(game: Mystic) -> Chances:
    """The used-up pile: who wins is asked of the game, for the player who would be next."""
    import numpy as np

    rows = np.zeros((game.target, game.target))
    turn = game.turn(Position((), (0, 0), 0))
    for mine in range(game.target):
        for yours in range(game.target):
            outcome = game.outcome(Position((), (yours, mine) if turn else (mine, yours), 0))
            rows[mine, yours] = outcome is not None and outcome.winner == turn
    return rows
