"""What a game with secrets comes to between two policies, exactly: who chooses there knows only what they have seen.

All that can happen is followed once, with the odds of chance and of both; a best answer to a policy that tells its
odds is worked out on sequences of moves, as the solver proves its certificates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.knowledge import Knowledge, learned_by_both
from numberquest.core.progress import Progress
from numberquest.players.levels import PLAYERS
from numberquest.solver import TooLarge
from numberquest.solver.budget import LOOK, rules_of
from numberquest.solver.graph import graph_of, itself
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.secrets.tree import Plan, Tree, as_plan, best_answer
from numberquest.study.policy_values import Chance

MOST: Final = 1_000_000
"""Of more than so many positions, each as often as there are ways to it, none is followed."""
Policy = Callable[[Knowledge], Mapping[str, Any]]
"""The odds of the moves of somebody who knows that."""


class Played(NamedTuple):
    """What games between two policies come to on average."""

    first: float = 0.0
    """How often Player 1 wins."""
    draw: float = 0.0
    moves: float = 0.0
    """How many moves are made, by both together."""
    squares: float = 0.0
    """The square of that."""
    allowed: float = 0.0
    """How many moves there were to choose from, over all moves."""
    decisions: float = 0.0
    """How many of the moves were a choice."""

    @property
    def chance(self) -> Chance:
        """How often Player 1 wins, and how often nobody does."""
        return Chance(self.first, self.draw)


def level_policy(game: Game[Any], name: str) -> Policy:
    """The odds of a level."""
    level = PLAYERS[name]
    return lambda known: level.odds(game, known)


def between(
    game: Game[Any], firsts: Sequence[Policy], seconds: Sequence[Policy], progress: Progress
) -> list[list[Played]]:
    """Each of these as Player 1 against each of those as Player 2. `TooLarge` where too much can happen."""
    asked: list[dict[Knowledge, dict[str, list[float]]]] = [{}, {}]
    policies = firsts, seconds
    sums = [[[0.0] * len(Played._fields) for _ in seconds] for _ in firsts]

    def odds_at(who: int, known: Knowledge) -> dict[str, list[float]]:
        found = asked[who].get(known)
        if found is None:
            told = [policy(known) for policy in policies[who]]
            found = {move: [float(one.get(move, 0)) for one in told] for one in told for move in one}
            asked[who][known] = found
        return found

    start = game.start()
    knows = tuple((who, game.sees(start, who)) for who in (0, 1))
    waiting: list[Any] = [(start, knows, [1.0] * len(firsts), [1.0] * len(seconds), (0, 0, 0))]
    check_ends(game, progress)
    looked = 0
    while waiting:
        p, knows, one, two, (made, allowed, choices) = waiting.pop()
        looked += 1
        if not looked % LOOK:
            progress(looked, 2 * (looked + len(waiting)))
        if looked > MOST:
            raise TooLarge(f"more than {MOST:,} different games of {rules_of(game)} can be played, too many to follow")
        moves, mover = game.moves(p), game.player(p)
        if not moves:
            outcome = game.outcome(p)
            winner = None if outcome is None else outcome.winner
            worth = (float(winner == 0), float(winner is None), made, made**2, allowed, choices)
            for mine, row in zip(one, sums, strict=True):
                for yours, cell in zip(two, row, strict=True):
                    likely = mine * yours
                    if likely:
                        for at, value in enumerate(worth):
                            cell[at] += likely * value
            continue
        by_chance = dict(zip(moves, game.odds(p), strict=True)) if mover == CHANCE else {}
        told = {} if mover == CHANCE else odds_at(mover, knows[mover])
        counted = (made, allowed, choices)
        if mover != CHANCE:
            counted = (made + 1, allowed + len(moves), choices + (len(moves) > 1))
        for move in moves:
            mine, yours = one, two
            if mover == CHANCE:
                mine = [share * float(by_chance[move]) for share in one]
            elif move not in told:
                continue
            elif mover == 0:
                mine = [share * odds for share, odds in zip(one, told[move], strict=True)]
            else:
                yours = [share * odds for share, odds in zip(two, told[move], strict=True)]
            if not (any(mine) and any(yours)):
                continue
            after = game.play(p, move)
            waiting.append((after, learned_by_both(game, knows, mover, move, after), mine, yours, counted))
    return [[Played(*cell) for cell in row] for row in sums]


def check_ends(game: Game[Any], progress: Progress) -> None:
    """Refuse a game that can come back to where it was: it would be followed for ever."""
    if game.longest is None:
        graph = graph_of(game, itself, progress=progress, most=MOST)
        if any(map(graph.is_loop, graph.components())):
            raise TooLarge(f"{rules_of(game)} need not end, and where something is secret such games are not followed")


def at_worst(game: Game[Any], policy: Policy, progress: Progress) -> tuple[tuple[Fraction, Fraction], int]:
    """What a policy gets in each seat against the best answer to it, exactly; and how many positions were looked at."""
    check_ends(game, progress)
    tree = Tree(game, game.start(), progress, whole=True)
    payoff, denominator = tree.payoff({}, 1)
    one, two = (_plan(tree, who, policy) for who in (0, 1))
    least, _ = best_answer(payoff, one, tree.decisions[1], 1)
    most, _ = best_answer(payoff, two, tree.decisions[0], 0)
    low, high = Fraction(least, denominator * one.denominator), Fraction(most, denominator * two.denominator)
    return (low, 1 - high), tree.nodes


def _plan(tree: Tree, who: int, policy: Policy) -> Plan:
    decisions, knows = tree.decisions[who], tree.sights[who].knowledge((who, tree.game.sees(tree.root, who)))
    known_at = {at: knows[number] for number, at in decisions.of.items()}
    shares = [Fraction(1)] + [Fraction(0)] * (decisions.sequences - 1)
    for at, (parent, first, _) in enumerate(decisions.ranges()):
        if shares[parent]:
            odds = policy(known_at[at])
            for place, move in enumerate(decisions.moves[at]):
                shares[first + place] = shares[parent] * Fraction(odds.get(move, 0))
    return as_plan(shares)


def luck_in(
    solution: SecretSolution[Any], history: Sequence[str], odds: tuple[Policy | None, Policy | None]
) -> Fraction:
    """How much luck there was in a game, in Player 1's chance: by chance, and by the mixing of whose odds are known.

    What came is compared with the average of all that could have come, as best play values it. So it is 0 on average,
    whoever plays.
    """
    game, world, luck = solution.game, solution.opening, Fraction(0)
    knows: Sequence[Knowledge] = [(who, game.sees(game.start(), who)) for who in (0, 1)]
    for entry in history:
        p = world.position
        mover, likely = game.player(p), dict[str, Any]()
        if mover == CHANCE:
            likely = dict(zip(game.moves(p), game.odds(p), strict=True))
        elif (policy := odds[mover]) is not None:
            likely = dict(policy(knows[mover]))
        after = solution.after(world, entry)
        if likely:
            mean = sum(
                Fraction(share) * solution.expected(solution.after(world, move)) for move, share in likely.items()
            )
            luck += solution.expected(after) - mean
        knows = learned_by_both(game, knows, mover, entry, after.position)
        world = after
    return luck
