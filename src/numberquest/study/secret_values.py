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
from numberquest.players.levels import PLAYERS, Level
from numberquest.solver import TooLarge, solve
from numberquest.solver.budget import LOOK, rules_of
from numberquest.solver.graph import graph_of, itself
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.secrets.tree import Decisions, Plan, Tree, as_plan, best_answer
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


class LevelPolicy:
    """The odds of a level. What was before the last position that everybody knew makes no difference to them."""

    def __init__(self, game: Game[Any], level: Level) -> None:
        self.game, self.level = game, level

    def __call__(self, known: Knowledge) -> Mapping[str, Any]:
        """The odds of the moves of somebody who knows that."""
        return self.level.odds(self.game, known)


def level_policy(game: Game[Any], name: str) -> Policy:
    """The odds of a level."""
    return LevelPolicy(game, PLAYERS[name])


def between(
    game: Game[Any], firsts: Sequence[Policy], seconds: Sequence[Policy], progress: Progress
) -> list[list[Played]]:
    """Each of these as Player 1 against each of those as Player 2. `TooLarge` where too much can happen.

    Between levels what follows a position that everybody knows is followed once, however it was reached.
    """
    check_ends(game, progress)
    start, roots = game.start(), list[Any]()
    if all(isinstance(policy, LevelPolicy) for policy in (*firsts, *seconds)):
        solution = solve(game, progress=progress)
        # Each after all those that it leads to.
        roots = list(solution.worths) if isinstance(solution, SecretSolution) else []
    walk = _Walk(game, (firsts, seconds), set(roots) - {start}, progress)
    parts = {start: walk.from_position(start, tuple((who, game.sees(start, who)) for who in (0, 1)))}
    while unmet := [root for root in walk.met if root not in parts]:
        parts |= {root: walk.from_position(root, walk.met[root]) for root in unmet}
    worth: dict[Any, Table] = {}
    for root in [root for root in roots if root in parts and root != start] + [start]:
        ends, onward = parts[root]
        for later, ways in onward.items():
            for row, way_row, later_row in zip(ends, ways, worth[later], strict=True):
                for cell, way, rest in zip(row, way_row, later_row, strict=True):
                    _add(cell, way, rest)
        worth[root] = ends
    return [[Played(*cell) for cell in row] for row in worth[start]]


Table = list[list[list[float]]]
"""Figures of each as Player 1 against each as Player 2."""


def _add(cell: list[float], way: Sequence[float], rest: Sequence[float]) -> None:
    """To the sums of `Played`: as much as is played after ways that are so likely, with so much before it."""
    likely, made, squares, allowed, choices = way
    first, draw, later, later_squares, later_allowed, later_choices = rest
    after = (
        likely * first,
        likely * draw,
        made + likely * later,
        squares + 2 * made * later + likely * later_squares,
        allowed + likely * later_allowed,
        choices + likely * later_choices,
    )
    for at, value in enumerate(after):
        cell[at] += value


class _Walk:
    """All that can happen from a position on, up to those in `roots`, between some policies of each seat."""

    def __init__(
        self, game: Game[Any], policies: tuple[Sequence[Policy], Sequence[Policy]], roots: set[Any], progress: Progress
    ) -> None:
        self.game, self.policies, self.roots, self.progress = game, policies, roots, progress
        self.met: dict[Any, tuple[Knowledge, ...]] = {}
        """The roots that were come to, and what both may know there."""
        self._asked: list[dict[Knowledge, dict[str, list[float]]]] = [{}, {}]
        self._looked = 0

    def _odds(self, who: int, known: Knowledge) -> dict[str, list[float]]:
        found = self._asked[who].get(known)
        if found is None:
            told = [policy(known) for policy in self.policies[who]]
            found = {move: [float(one.get(move, 0)) for one in told] for one in told for move in one}
            self._asked[who][known] = found
        return found

    def _table(self, figures: int) -> Table:
        return [[[0.0] * figures for _ in self.policies[1]] for _ in self.policies[0]]

    def from_position(self, root: Any, knows: tuple[Knowledge, ...]) -> tuple[Table, dict[Any, Table]]:
        """The sums of `Played` where it ends; and of each later root how likely it is, with what was before it."""
        game, progress = self.game, self.progress
        sums, onward = self._table(len(Played._fields)), dict[Any, Table]()
        one, two = ([1.0] * len(policies) for policies in self.policies)
        waiting: list[Any] = [(root, knows, one, two, (0, 0, 0))]
        while waiting:
            p, knows, one, two, (made, allowed, choices) = waiting.pop()
            self._looked += 1
            if not self._looked % LOOK:
                progress(self._looked, 2 * (self._looked + len(waiting)))
            if self._looked > MOST:
                raise TooLarge(
                    f"more than {MOST:,} different games of {rules_of(game)} can be played, too many to follow"
                )
            moves, mover = game.moves(p), game.player(p)
            if not moves:
                outcome = game.outcome(p)
                winner = None if outcome is None else outcome.winner
                worth = (float(winner == 0), float(winner is None), made, made**2, allowed, choices)
                _weigh(sums, one, two, worth)
                continue
            if p in self.roots and p is not root:
                self.met.setdefault(p, knows)
                _weigh(onward.setdefault(p, self._table(5)), one, two, (1, made, made**2, allowed, choices))
                continue
            by_chance = dict(zip(moves, game.odds(p), strict=True)) if mover == CHANCE else {}
            told = {} if mover == CHANCE else self._odds(mover, knows[mover])
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
        return sums, onward


def _weigh(table: Table, one: Sequence[float], two: Sequence[float], worth: Sequence[float]) -> None:
    """Add what a way is worth, as often as it is gone."""
    for mine, row in zip(one, table, strict=True):
        for yours, cell in zip(two, row, strict=True):
            likely = mine * yours
            if likely:
                for at, value in enumerate(worth):
                    cell[at] += likely * value


def check_ends(game: Game[Any], progress: Progress) -> None:
    """Refuse a game that can come back to where it was: it would be followed for ever."""
    if game.longest is None:
        graph = graph_of(game, itself, progress=progress, most=MOST)
        if any(map(graph.is_loop, graph.components())):
            raise TooLarge(f"{rules_of(game)} need not end, and where something is secret such games are not followed")


def at_worst(game: Game[Any], policy: Policy, progress: Progress) -> tuple[tuple[Fraction, Fraction], int]:
    """What a policy gets in each seat against the best answer to it, exactly; and how many positions were looked at."""
    check_ends(game, progress)
    start = game.start()
    trees = {}
    if isinstance(policy, LevelPolicy):
        solution = solve(game, progress=progress)
        if isinstance(solution, SecretSolution):
            # Each after all those that it leads to; one that is not solved in stages has none.
            trees = {root: solution.stages[root].tree for root in solution.worths if root in solution.stages}
    trees = trees or {start: Tree(game, start, progress, whole=True)}
    ends: list[dict[Any, tuple[Fraction]]] = [{}, {}]
    for who, sure in enumerate(ends):
        known: dict[Any, Knowledge] = {start: (who, game.sees(start, who))}
        knows = {}
        for root, tree in reversed(trees.items()):
            knows[root] = tree.sights[who].knowledge(known[root])
            for number, later in tree.begins[who].items():
                known.setdefault(later, knows[root][number])
        for root, tree in trees.items():
            payoff, denominator = tree.payoff(sure, 0)
            plan = _plan(tree.decisions[who], knows[root], policy)
            best, _ = best_answer(payoff, plan, tree.decisions[1 - who], 1 - who)
            sure[root] = (Fraction(best, denominator * plan.denominator),)
    low, high = (sure[start][0] for sure in ends)
    return (low, 1 - high), sum(tree.nodes for tree in trees.values())


def _plan(decisions: Decisions, knows: Sequence[Knowledge], policy: Policy) -> Plan:
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
