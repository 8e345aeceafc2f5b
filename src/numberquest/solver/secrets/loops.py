"""Stages that lead to one another and back, as where a tie is played again: worked out by going round and round.

What is proved does not depend on how near that has come. Player 1 is sure of a guess that their strategy keeps in every
stage, unless Player 2 can go on for ever, which is worth one half, where the guess is more. Each further round raises
what is sure, or leaves it; so does one from nothing at all. Where both are sure of the same, it is exact.

A best strategy may let the other go on for ever, as in Morra. One that is best for a little less than the value makes
sure that play ends, and of that little less at least.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final

from numberquest.core.progress import Progress
from numberquest.solver.graph import components
from numberquest.solver.secrets.tree import Certificate, Pair, Plan, Tree, best_answer, over_one

ROUNDS: Final = 400
BOUND_ROUNDS: Final = 4000
GRID: Final = 1 << 50
"""What is no guess yet is kept as so many parts."""
NEAR: Final = Fraction(1, 10**9)
SIMPLE: Final = 10_000
HALF: Final = Fraction(1, 2)
LESS: Final = (Fraction(0), *(Fraction(1, 10**digits) for digits in (12, 9, 6, 4, 3)))
"""So much less than what is guessed is looked for, where a strategy for all of it lets the other go on for ever."""

Solve = Callable[[Tree, dict[Pair, int], int], tuple[Plan, Plan]]
"""Plans for a stage, from what pairs of sequences are worth, over a denominator."""
Plans = dict[Any, tuple[Plan, Plan]]
Guess = dict[Any, Fraction]


def in_parts(trees: Sequence[Tree]) -> Iterator[list[Tree]]:
    """Stages that lead to one another and back, together; each part comes after all that it leads to."""
    numbers = {tree.root: number for number, tree in enumerate(trees)}
    ahead = [[numbers[p] for p in tree.onward if p in numbers] for tree in trees]
    starts = list(accumulate(map(len, ahead), initial=0))
    for part in components(starts, [number for those in ahead for number in those]):
        yield [trees[number] for number in part]


def solve_loops(
    trees: Sequence[Tree], worths: Mapping[Any, Certificate], solve: Solve, progress: Progress
) -> tuple[Plans, dict[Any, Certificate]]:
    """Plans for stages that lead to one another, and what they are worth; `worths` has those that they lead to else."""
    guess = _guess(trees, worths, solve, progress, 0)
    is_exact = all(worths[p].low == worths[p].high for tree in trees for p in tree.onward if p not in guess)
    guesses = guess, guess if is_exact else _guess(trees, worths, solve, progress, 1)
    (mine, low), (yours, high) = (_kept(trees, worths, guesses[who], solve, who) for who in (0, 1))
    plans = {root: (mine[root][0], yours[root][1]) for root in guess}
    return plans, {
        root: Certificate(low[root], min(max((guess[root] + guesses[1][root]) / 2, low[root]), high[root]), high[root])
        for root in guess
    }


def _guess(
    trees: Sequence[Tree], worths: Mapping[Any, Certificate], solve: Solve, progress: Progress, who: int
) -> Guess:
    """What stages are worth, as near as so many rounds come, and a simple fraction where one is that near.

    What comes after them is worth what a player is sure of.
    """
    guess = dict.fromkeys((tree.root for tree in trees), HALF)
    for number in range(ROUNDS):
        most = Fraction(0)
        for tree in trees:
            value = _value(tree, worths, guess, solve, who)
            most = max(most, abs(value - guess[tree.root]))
            guess[tree.root] = Fraction(round(value * GRID), GRID)
        progress(number, 2 * ROUNDS)
        if most < NEAR / 1000:
            break
    simple = {root: value.limit_denominator(SIMPLE) for root, value in guess.items()}
    return {root: simple[root] if abs(simple[root] - value) < NEAR else value for root, value in guess.items()}


def _kept(
    trees: Sequence[Tree], worths: Mapping[Any, Certificate], guess: Guess, solve: Solve, who: int
) -> tuple[Plans, Guess]:
    """A strategy of one player, and what it makes sure of: what is guessed, or as near to that as is found."""
    less = [_less(guess, less if who == 0 else -less) for less in LESS]
    plans: list[Plans] = []
    for number, sure in enumerate(less):
        plans.append({tree.root: solve(tree, *_payoff(tree, worths, sure, 2 * who)) for tree in trees})
        # A strategy for less may be sure of all of it.
        if _is_kept(trees, worths, guess, plans[-1], who):
            return plans[-1], guess
        for found in plans if number else ():
            if _is_kept(trees, worths, sure, found, who):
                return found, _raised(trees, worths, sure, found, who)
    return plans[0], _raised(trees, worths, dict.fromkeys(guess, Fraction(who)), plans[0], who)


def _less(guess: Guess, less: Fraction) -> Guess:
    return {root: min(max(value - less, Fraction(0)), Fraction(1)) for root, value in guess.items()}


def _payoff(tree: Tree, worths: Mapping[Any, Certificate], guess: Guess, of: int) -> tuple[dict[Pair, int], int]:
    return tree.payoff(
        {p: Certificate(*[guess[p]] * 3) if p in guess else worths[p] for p in tree.onward},
        of,
    )


def _value(tree: Tree, worths: Mapping[Any, Certificate], guess: Guess, solve: Solve, who: int) -> Fraction:
    """What a stage is worth, if those after it are worth what is guessed."""
    payoff, denominator = _payoff(tree, worths, guess, 2 * who)
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
    for tree in trees:
        sure, value = _sure(tree, worths, guess, plans, who), guess[tree.root]
        if sure < value if who == 0 else sure > value:
            return False
    at_stake = {root for root, value in guess.items() if (value > HALF if who == 0 else value < HALF)}
    return not at_stake or not at_stake & _can_go_on(trees, plans, who)


def _can_go_on(trees: Sequence[Tree], plans: Plans, who: int) -> set[Any]:
    """Where the other can go on for ever, whatever chance does, against the strategy of a player."""
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
            return staying
        staying -= left


def _raised(trees: Sequence[Tree], worths: Mapping[Any, Certificate], sure: Guess, plans: Plans, who: int) -> Guess:
    """What the strategy of a player makes sure of for Player 1, if it makes sure of so much: round by round, more."""
    bound = dict(sure)
    for _ in range(BOUND_ROUNDS):
        most = Fraction(0)
        for tree in trees:
            parts = _sure(tree, worths, bound, plans, who) * GRID
            # Rounded to the safe side, and never worse than before.
            safe = Fraction(parts.__floor__() if who == 0 else parts.__ceil__(), GRID)
            better = max(safe, bound[tree.root]) if who == 0 else min(safe, bound[tree.root])
            most = max(most, abs(better - bound[tree.root]))
            bound[tree.root] = better
        if most < NEAR / 1000:
            break
    return bound
