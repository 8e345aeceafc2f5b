"""Pig to 100, solved from its rules alone: the value that Neller and Presser published, within a minute."""

import time

import pytest

from numberquest.solver import solve
from tests.own.pig import Pig
from tests.torture.campaign import length

ALLOWED = 60
"""How many seconds on one core it may take."""


@pytest.mark.timeout(600)
def test_pig_comes_to_the_value_that_was_published() -> None:
    target = length(30, 100)
    game = Pig(target=target)
    started = time.process_time()
    solution = solve(game)
    took = time.process_time() - started
    start = game.start()
    assert solution.error <= 1e-9
    assert solution.best(start) == ["roll"]
    if target == 100:
        # Todd Neller and Clifton Presser, Optimal Play of the Dice Game Pig, 2004.
        assert float(solution.value(start)) == pytest.approx(0.530592, abs=1e-6)
        assert solution.best(start._replace(brought=20)) == ["roll"]
        assert solution.best(start._replace(brought=21)) == ["hold"]
        assert took < ALLOWED
    print(f"{solution.positions} positions in {took:.1f} s, error {solution.error:.1g}")
