"""Stages that lead to one another and back, as where a tie is played again: worked out by going round and round.

What is proved does not depend on how near that has come. Player 1 is sure of what their strategy brings before so many
rounds are over, if what comes later counts as lost; each further round raises that, or leaves it. Where it is found
that a guess is kept by both strategies, and play does end, the guess is exact.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from numberquest.core.progress import Progress
from numberquest.solver.secrets.tree import Certificate, Pair, Plan, Tree, best_answer, over_one

ROUNDS: Final = 400
BOUND_ROUNDS: Final = 4000
GRID: Final = 1 << 50
"""What is no guess yet is kept as so many parts."""
NEAR: Final = Fraction(1, 10**9)
SIMPLE: Final = 10_000

Solve = Callable[[Tree, dict[Pair, int], int], tuple[Plan, Plan]]
"""Plans for a stage, from what pairs of sequences are worth, over a denominator."""
Plans = dict[Any, tuple[Plan, Plan]]
Guess = dict[Any, Fraction]


def solve_loops(
    trees: Sequence[Tree], worths: Mapping[Any, Certificate], solve: Solve, progress: Progress
) -> tuple[Plans, dict[Any, Certificate]]:
    """Plans for stages that lead to one another, and what they are worth; `worths` has those that they lead to else."""
    guess = dict.fromkeys((tree.root for tree in trees), Fraction(1, 2))
    for number in range(ROUNDS):
        most = Fraction(0)
        for tree in trees:
            value = _value(tree, worths, guess, solve)
            most = max(most, abs(value - guess[tree.root]))
            guess[tree.root] = Fraction(round(value * GRID), GRID)
        progress(number, 2 * ROUNDS)
        if most < NEAR / 1000:
            break
    simple = {root: value.limit_denominator(SIMPLE) for root, value in guess.items()}
    guess = {root: simple[root] if abs(simple[root] - value) < NEAR else value for root, value in guess.items()}
    plans = {tree.root: solve(tree, *_payoff(tree, worths, guess, 1)) for tree in trees}
    if all(_is_kept(trees, worths, guess, plans, who) for who in (0, 1)):
        return plans, {root: Certificate(value, value, value) for root, value in guess.items()}
    low, high = (_bound(trees, worths, plans, who) for who in (0, 1))
    return plans, {
        root: Certificate(low[root], min(max(value, low[root]), high[root]), high[root])
        for root, value in guess.items()
    }


def _payoff(tree: Tree, worths: Mapping[Any, Certificate], guess: Guess, of: int) -> tuple[dict[Pair, int], int]:
    return tree.payoff(
        {p: Certificate(*[guess[p]] * 3) if p in guess else worths[p] for p in tree.onward},
        of,
    )


def _value(tree: Tree, worths: Mapping[Any, Certificate], guess: Guess, solve: Solve) -> Fraction:
    """What a stage is worth, if those after it are worth what is guessed."""
    payoff, denominator = _payoff(tree, worths, guess, 1)
    mine, _ = solve(tree, payoff, denominator)
    least, _ = best_answer(payoff, mine, tree.decisions[1], 1)
    return Fraction(least, denominator * mine.denominator)


def _sure(tree: Tree, worths: Mapping[Any, Certificate], guess: Guess, plans: Plans, who: int) -> Fraction:
    """What the strategy of a player makes sure of in a stage, for Player 1, if those after it are worth so much."""
    payoff, denominator = _payoff(tree, worths, guess, 2 * who)
    plan = plans[tree.root][who]
    best, _ = best_answer(payoff, plan, tree.decisions[1 - who], 1 - who)
    return Fraction(best, denominator * plan.denominator)


def _is_kept(trees: Sequence[Tree], worths: Mapping[Any, Certificate], guess: Guess, plans: Plans, who: int) -> bool:
    """Whether the strategy of a player makes sure of what is guessed, also where the other would rather go on for ever.

    To go on for ever is worth one half.
    """
    sure = {tree.root: _sure(tree, worths, guess, plans, who) for tree in trees}
    if any(sure[root] < value if who == 0 else sure[root] > value for root, value in guess.items()):
        return False
    half = Fraction(1, 2)
    harmless = all(value <= half if who == 0 else value >= half for value in guess.values())
    return harmless or not _can_go_on(trees, plans, who)


def _can_go_on(trees: Sequence[Tree], plans: Plans, who: int) -> bool:
    """Whether the other can go on for ever, whatever chance does, against the strategy of a player."""
    staying = {tree.root for tree in trees}
    while True:
        left = set()
        for tree in trees:
            if tree.root not in staying:
                continue
            stays = defaultdict[Pair, Fraction](Fraction)
            for p in staying & tree.onward.keys():
                for pair, odds in tree.onward[p].items():
                    stays[pair] += odds
            plan = plans[tree.root][who]
            whole, denominator = over_one(stays)
            # Who wants to stay wants as much of that as there can be.
            wanted = whole if who == 1 else {pair: -value for pair, value in whole.items()}
            most, _ = best_answer(wanted, plan, tree.decisions[1 - who], 1 - who)
            if abs(most) < denominator * plan.denominator:
                left.add(tree.root)
        if not left:
            return bool(staying)
        staying -= left


def _bound(trees: Sequence[Tree], worths: Mapping[Any, Certificate], plans: Plans, who: int) -> Guess:
    """What the strategy of a player makes sure of for Player 1, if what goes on too long is lost to that player."""
    bound: Guess = dict.fromkeys((tree.root for tree in trees), Fraction(who))
    for _ in range(BOUND_ROUNDS):
        most = Fraction(0)
        for tree in trees:
            sure = _sure(tree, worths, bound, plans, who)
            # Rounded to the safe side, and never worse than before.
            parts = sure * GRID
            safe = Fraction(parts.__floor__() if who == 0 else parts.__ceil__(), GRID)
            better = max(safe, bound[tree.root]) if who == 0 else min(safe, bound[tree.root])
            most = max(most, abs(better - bound[tree.root]))
            bound[tree.root] = better
        if most < NEAR / 1000:
            break
    return bound
