"""Recipes and rules by hand over hundreds of rule sets: the same moves, and the same values."""

from random import Random

import pytest

import numberquest as nq
from numberquest.solver import TooLarge, how_large, in_passing
from tests.recipes.tours import PAIRS, pair, tour
from tests.torture.campaign import length, only_long

LARGEST = 50_000
"""Rule sets of more positions would take hours together."""


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "row"])
def test_recipes_agree_with_rules_by_hand_whatever_the_settings(name: str) -> None:
    random = Random(f"torture {name}")
    for _ in range(length(3, 60)):
        by_hand, made = pair(name, random)
        tour(by_hand, made, length(150, 2000), random)


@only_long
@pytest.mark.parametrize("name", [name for name in PAIRS if name != "row"])
def test_recipes_are_worth_what_rules_by_hand_are_worth(name: str) -> None:
    random, compared = Random(f"values {name}"), 0
    for _ in range(30):
        # Nearly all targets of Pig are too large.
        by_hand, made = pair(name, random, **({"target": random.randint(2, 25)} if name == "pig" else {}))
        if any(size.positions > LARGEST for size in map(how_large, (by_hand, made)) if size):
            continue
        try:
            with in_passing(by_hand, LARGEST), in_passing(made, LARGEST):
                told, again = nq.solve(by_hand), nq.solve(made)
        except TooLarge:
            continue
        p, q = by_hand.start(), made.start()
        while moves := by_hand.moves(p):
            assert told.value(p) == pytest.approx(again.value(q), abs=1e-9)
            at = random.randrange(len(moves))
            p, q = by_hand.play(p, moves[at]), made.play(q, made.moves(q)[at])
        compared += 1
    assert compared
