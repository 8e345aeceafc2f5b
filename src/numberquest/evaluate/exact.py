"""What a policy that tells its odds is worth, exactly and without one game played: against each level, and at worst.

The same recurrence as that of the levels. Against a best response the opponent knows the policy and answers as well
as one can: what the policy falls short of best play then is how far it can be exploited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.contract import CHANCE
from numberquest.games import part
from numberquest.loading import what_happened
from numberquest.mistake import FAILURE, Mistake
from numberquest.players import PLAYERS, Level, perfect_moves
from numberquest.solver import TooLarge, solve
from numberquest.solver.budget import LOOK, check_growth, silently
from numberquest.solver.graph import OVER, Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.solver.budget import Progress

    Policy = Callable[[Game[Any], Any], Mapping[str, float]]

MOST_POSITIONS: Final = 200_000
"""With more than this it would take too long: a policy is asked in each of them."""
OFF: Final = 1e-6
"""By so much the odds of a position may miss 1, because they were rounded."""


class Exact(NamedTuple):
    """A policy's share of the points, in seat 0 and in seat 1."""

    against: dict[str, tuple[float, float]]
    """By level."""
    at_worst: tuple[float, float]
    """Against a best response."""
    best: tuple[float, float]
    """What best play gets against best play."""
    positions: int
    """How many positions were looked at."""

    @property
    def exploitable(self) -> float:
        """How much less than best play it gets, where somebody knows how it plays; on average over both seats."""
        return (self.best[0] - self.at_worst[0] + self.best[1] - self.at_worst[1]) / 2

    def data(self) -> dict[str, object]:
        """As JSON."""
        seats = (0, 1)
        return {
            "against": [
                {"opponent": name, "seat": seat + 1, "share": shares[seat]}
                for name, shares in self.against.items()
                for seat in seats
            ],
            "best_response": [{"seat": seat + 1, "share": self.at_worst[seat]} for seat in seats],
            "best_play": [{"seat": seat + 1, "share": self.best[seat]} for seat in seats],
            "exploitable": self.exploitable,
            "positions": self.positions,
        }


def exact(game: Game[Any], policy: object, progress: Progress) -> Exact | None:
    """What a policy is worth; None where it does not tell its odds. `TooLarge` where there are too many positions."""
    odds: Policy | None = getattr(policy, "odds", None)
    if not callable(odds):
        return None
    solution = solve(game)
    # A level treats positions alike that are the same to the game; of somebody's own policy nobody knows that.
    alike = isinstance(policy, Level) and part(type(game), "levels") is None
    if isinstance(policy, Level) and solution.positions > MOST_POSITIONS:
        raise TooLarge(f"{game!r} has {solution.positions:,} positions")
    value = float(solution.value_for(0, game.start()))
    against: dict[str, list[float]] = {name: [] for name in PLAYERS}
    at_worst, positions = [], 0
    for seat in (0, 1):
        done = _Answered(game, odds, seat, alike=alike, progress=progress)
        positions = max(positions, len(done.graph))
        for name, level in PLAYERS.items():
            first = done.against(level)
            against[name].append(1 - first if seat else first)
        first = done.at_worst()
        at_worst.append(1 - first if seat else first)
    return Exact(
        {name: (one, two) for name, (one, two) in against.items()},
        (at_worst[0], at_worst[1]),
        (value, 1 - value),
        positions,
    )


class _Reached(Graph[Any]):
    """What can be reached while one player keeps to a policy: where that player moves, chance does, with its odds."""

    def __init__(self, game: Game[Any], policy: Policy, seat: int, *, alike: bool) -> None:
        super().__init__(game)
        self._policy, self._seat, self._alike = policy, seat, alike

    def add(self, root: Any, progress: Progress, most: int = MOST_POSITIONS) -> int:
        """Take in all that follows the root."""
        game, numbers = self.game, self.numbers
        numbers[root] = 0
        waiting = [root]
        for p in waiting:
            moves = game.moves(p)
            mover = game.player(p) if moves else OVER
            likely: Sequence[float] = [0.0] * len(moves)
            if mover == OVER:
                outcome = game.outcome(p)
                self.ends[len(self)] = 0.5 if outcome is None else outcome.worth(0)
            elif mover == CHANCE:
                likely = [float(one) for one in game.odds(p)]
            elif mover == self._seat:
                mover = CHANCE
                odds = checked_odds(self._policy, game, p)
                moves, likely = tuple(odds), list(odds.values())
            for move in moves:
                after = game.play(p, move)
                if self._alike:
                    after = game.canonical(after)
                number = numbers.get(after)
                if number is None:
                    number = numbers[after] = len(numbers)
                    waiting.append(after)
                self.targets.append(number)
            self.odds.extend(likely)
            self.movers.append(mover)
            self.starts.append(len(self.targets))
            if not len(self) % LOOK or len(numbers) > most:
                check_growth(game, len(numbers), most)
            if not len(self) % 1000:
                progress(len(self), 2 * len(numbers))
        return 0


class _Answered:
    """A policy in one seat, and what the other can make of it."""

    def __init__(self, game: Game[Any], policy: Policy, seat: int, *, alike: bool, progress: Progress) -> None:
        self.graph = _Reached(game, policy, seat, alike=alike)
        start = game.start()
        self.graph.add(game.canonical(start) if alike else start, progress, MOST_POSITIONS)
        self._components = list(self.graph.components())
        self._other = 1 - seat
        self._positions = list(self.graph.numbers)
        self._best: dict[int, list[int]] = {}

    def at_worst(self) -> float:
        """Player 1's share, where the other answers as well as one can."""
        return _settled(self.graph, self._components)

    def against(self, level: Level) -> float:
        """Player 1's share, where the other is a level: then chance moves everywhere."""
        all_moves, slips = self.graph, level.any_move / 100
        graph = Graph(all_moves.game)
        graph.ends = all_moves.ends
        for number, mover in enumerate(all_moves.movers):
            start, stop = all_moves.starts[number], all_moves.starts[number + 1]
            likely = list(all_moves.odds[start:stop])
            if mover == self._other:
                mover = CHANCE
                likely = [slips / (stop - start)] * (stop - start)
                best = self._best_of(number) if slips < 1 else []
                for at in best:
                    likely[at] += (1 - slips) / len(best)
            made = [(target, odds) for target, odds in zip(all_moves.targets[start:stop], likely, strict=True) if odds]
            graph.movers.append(mover)
            graph.targets.extend(target for target, _ in made)
            graph.odds.extend(odds for _, odds in made)
            graph.starts.append(len(graph.targets))
        return _settled(graph, self._components)

    def _best_of(self, number: int) -> list[int]:
        """Which of the moves a level that does not slip chooses from."""
        if number not in self._best:
            p = self._positions[number]
            best = set(perfect_moves(self.graph.game, p))
            self._best[number] = [at for at, move in enumerate(self.graph.game.moves(p)) if move in best]
        return self._best[number]


def _settled(graph: Graph[Any], components: list[list[int]]) -> float:
    """Player 1's share at the start: each position from those that it leads to, and those in a loop together."""
    import numpy as np

    from numberquest.solver.loop import Arrays, Loop

    values = np.full(len(graph), 0.5)
    arrays: Arrays | None = None
    for component in components:
        for number in component:
            values[number] = _followed(graph, number, values)
        if graph.is_loop(component):
            arrays = arrays or Arrays.of(graph)
            Loop(arrays, component, values, silently).settle()
    return float(values[0])


def _followed(graph: Graph[Any], number: int, values: Any) -> float:
    start, stop = graph.starts[number], graph.starts[number + 1]
    if start == stop:
        return graph.ends[number]
    following = values[graph.targets[start:stop]].tolist()
    if graph.movers[number] == CHANCE:
        return float(sum(likely * value for likely, value in zip(graph.odds[start:stop], following, strict=True)))
    return float(min(following) if graph.movers[number] else max(following))


def checked_odds(policy: Policy, game: Game[Any], p: Any) -> dict[str, float]:
    """The moves that a policy makes at all, with how likely each is; `Mistake` where these are no odds."""
    try:
        said = {str(move): float(likely) for move, likely in dict(policy(game, p)).items()}
    except (TooLarge, Mistake):
        raise
    except Exception as error:
        raise Mistake(f"the agent's odds have failed: {what_happened(error)}", FAILURE) from error
    allowed = game.moves(p)
    for move, likely in said.items():
        if likely and move not in allowed:
            raise Mistake(f"the agent's odds name {move!r}, which is no allowed move there", FAILURE)
        if not 0 <= likely <= 1 + OFF:
            raise Mistake(f"the agent's odds say {likely} of {move!r}, which is no probability", FAILURE)
    total = sum(said.values())
    if abs(total - 1) > OFF:
        raise Mistake(f"the agent's odds add up to {total:.6f}, not to 1", FAILURE)
    return {move: said[move] / total for move in allowed if said.get(move)}
