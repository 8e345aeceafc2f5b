"""The exact value of a policy with known odds, without one game played: against each level, and at worst.

The same recurrence as that of the levels. Against a best response the opponent knows the policy and answers as well
as one can: what the policy falls short of best play then is how far it can be exploited.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.loading import what_happened
from numberquest.core.progress import Progress
from numberquest.core.seen_history import knowing
from numberquest.players.levels import PLAYERS, Level, perfect_moves
from numberquest.solver import TooLarge, budget, solve
from numberquest.solver.graph import OVER, Graph, graph_of, itself
from numberquest.solver.listed import RoundedExpectation
from numberquest.solver.ordered import OrderedGraph
from numberquest.study.secret_values import LevelPolicy, at_worst, between, level_policy

Policy = Callable[[Game[Any], Any], Mapping[str, float]]

MOST_MOVES: Final = 2_000_000
"""With more moves than this in all positions together it would take too long: each is followed."""
OFF: Final = 1e-6
"""Distance from 1 that rounding may give the sum of the odds of a position."""


class Exact(NamedTuple):
    """A policy's share of the points, in seat 0 and in seat 1."""

    against: dict[str, tuple[float, float]]
    at_worst: tuple[float, float]
    best: tuple[float, float]
    """Share of best play against best play."""
    positions: int

    @property
    def exploitable(self) -> float:
        """Return the loss against a best response, compared with best play; on average over both seats."""
        return (self.best[0] - self.at_worst[0] + self.best[1] - self.at_worst[1]) / 2

    def data(self) -> dict[str, object]:
        """Return the figures for JSON."""
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
    """Return the value of a policy; None where it tells no odds. `TooLarge` where there are too many positions."""
    odds: Policy | None = getattr(policy, "odds", None)
    if not callable(odds):
        return None
    solution = solve(game)
    if game.has_secrets:
        return _in_secret(game, policy, odds, progress)
    if isinstance(policy, Level) and solution.positions > budget.MOST_FOLLOWED:
        raise TooLarge(f"{budget.rules_of(game)} has {solution.positions:,} positions")
    value = float(solution.value_for(0, game.start()))
    against: dict[str, list[float]] = {name: [] for name in PLAYERS}
    at_worst, positions = [], 0
    for seat in (0, 1):
        graph = _kept_to(game, policy, odds, seat, progress)
        positions = max(positions, len(graph))
        # A best response is best play where chance moves as the policy does.
        firsts = [*_against_levels(graph, 1 - seat), float(RoundedExpectation(graph).first(0))]
        shares = [1 - first if seat else first for first in firsts]
        for name, share in zip(PLAYERS, shares, strict=False):
            against[name].append(share)
        at_worst.append(shares[-1])
    return Exact(
        {name: (one, two) for name, (one, two) in against.items()},
        (at_worst[0], at_worst[1]),
        (value, 1 - value),
        positions,
    )


def _in_secret(game: Game[Any], policy: object, odds: Policy, progress: Progress) -> Exact:
    """Return the value in a game with secrets, where a policy is asked by infostate."""
    asked: dict[Any, dict[str, float]] = {}

    def told(known: Any) -> Mapping[str, Any]:
        if known not in asked:
            allowed = tuple(solve(game).moves(known))
            asked[known] = checked_odds(odds, knowing(game, known[-1], known[0], allowed), known, allowed)
        return asked[known]

    levels = [level_policy(game, name) for name in PLAYERS]
    own = LevelPolicy(game, policy) if isinstance(policy, Level) else told
    as_first = between(game, [own], levels, progress)[0]
    as_second = [row[0] for row in between(game, levels, [own], progress)]
    (first, second), positions = at_worst(game, own, progress)
    value = float(solve(game).value_for(0, game.start()))
    shares = {
        name: (mine.chance.share, 1 - theirs.chance.share)
        for name, mine, theirs in zip(PLAYERS, as_first, as_second, strict=True)
    }
    return Exact(shares, (float(first), float(second)), (value, 1 - value), positions)


def _kept_to(game: Game[Any], policy: object, odds: Policy, seat: int, progress: Progress) -> Graph[Any]:
    """Return the graph in which the moves of one player are chance, with the odds of a policy."""
    asked: dict[Any, dict[str, float]] = {}

    def odds_at(p: Any) -> dict[str, float]:
        if p not in asked:
            asked[p] = checked_odds(odds, game, p)
        return asked[p]

    def followed(p: Any) -> tuple[str, ...]:
        return tuple(odds_at(p)) if game.player(p) == seat and game.moves(p) else game.moves(p)

    # A level plays the same in positions that are alike; of somebody's own policy nobody knows that.
    same = game.alike if isinstance(policy, Level) else itself
    try:
        whole = graph_of(game, same=same, progress=progress, most=budget.MOST_FOLLOWED)
    except TooLarge:
        # Of what a policy never comes to there may be very much.
        whole = Graph(game, same, followed)
        whole.add(whole.same(game.start()), progress, budget.MOST_FOLLOWED)
    positions = list(whole.numbers)
    kept = Graph(game, whole.same)
    kept.numbers[positions[0]] = 0
    waiting = [0]
    for number in waiting:
        p, mover = positions[number], whole.movers[number]
        span = slice(whole.starts[number], whole.starts[number + 1])
        targets, likely = whole.targets[span], whole.odds[span]
        if mover == OVER:
            kept.ends[len(kept)] = whole.ends[number]
        elif mover == seat:
            mover, said = CHANCE, odds_at(p)
            leads = dict(zip(whole.moves(p), targets, strict=True))
            targets, likely = array("i", [leads[move] for move in said]), array("d", said.values())
        for there in targets:
            after = positions[there]
            if after not in kept.numbers:
                kept.numbers[after] = len(kept.numbers)
                waiting.append(there)
            kept.targets.append(kept.numbers[after])
        kept.odds.extend(likely)
        kept.movers.append(mover)
        kept.starts.append(len(kept.targets))
        if len(kept.targets) > MOST_MOVES:
            raise TooLarge(f"{budget.rules_of(game)} has more than {MOST_MOVES:,} moves in all positions together")
        if not len(kept) % 1000:
            progress(len(kept), 2 * len(kept.numbers))
    return kept


def _against_levels(graph: Graph[Any], other: int) -> list[float]:
    """Player 1's share at the start, where the other is of each level."""
    import numpy as np

    game, positions = graph.game, OrderedGraph(graph)
    listed = list(graph.numbers)
    best = np.zeros(len(positions.targets), dtype=bool)
    for place in np.flatnonzero(positions.movers == other).tolist():
        p = listed[positions.order[place]]
        chosen = perfect_moves(game, p)
        best[positions.starts[place] : positions.starts[place + 1]] = [move in chosen for move in game.moves(p)]
    start = positions.number(game.start())
    ends = positions.ends[:, None] - 0.5
    slips = [level.any_move / 100 for level in PLAYERS.values()]
    found = [positions.backward(positions.likely((slip, slip), best), ends)[start, 0] + 0.5 for slip in slips]
    return [float(first) for first in found]


def checked_odds(policy: Policy, game: Game[Any], p: Any, allowed: Sequence[str] | None = None) -> dict[str, float]:
    """The moves that a policy makes at all, with how likely each is; `UsageError` where these are no odds.

    In a game with secrets it is asked about what a player knows, and `allowed` are the moves there.
    """
    try:
        said = {str(move): float(likely) for move, likely in dict(policy(game, p)).items()}
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"the agent's odds have failed: {what_happened(error)}", FAILURE) from error
    allowed = game.moves(p) if allowed is None else allowed
    for move, likely in said.items():
        if likely and move not in allowed:
            raise UsageError(f"the agent's odds name {move!r}, which is no allowed move there", FAILURE)
        if not 0 <= likely <= 1 + OFF:
            raise UsageError(f"the agent's odds say {likely} of {move!r}, which is no probability", FAILURE)
    total = sum(said.values())
    if abs(total - 1) > OFF:
        raise UsageError(f"the agent's odds add up to {total:.6f}, not to 1", FAILURE)
    return {move: said[move] / total for move in allowed if said.get(move)}
