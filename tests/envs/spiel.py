"""What the tests of OpenSpiel share: the settings they try, and OpenSpiel's own test classes run on our games."""

import contextlib
import io
import unittest
from collections.abc import Iterator
from typing import Any

from numberquest.solver import solve
from tests.envs.needs import needed

pyspiel = needed("pyspiel")
needed("numberquest.envs.openspiel")

CLASSIC = [f"numberquest_{slug}" for slug in ("showdown", "fifty", "grid", "sumquest", "mystic")]
OTHERS = [
    "numberquest_showdown(high=4)",
    "numberquest_showdown(high=13,picks=5)",
    "numberquest_fifty(target=30,high=5,copies=3,ops=+*)",
    "numberquest_fifty(target=9,ops='+-')",
    "numberquest_grid(stand=True)",
    "numberquest_grid(target=40,side=4,stand=True)",
    "numberquest_grid(target=5,side=2)",
    "numberquest_sumquest(target=100,high=3)",
    "numberquest_mystic(target=8,high=3,copies=4)",
]
SMALL = [
    "numberquest_showdown(high=2,picks=1)",
    "numberquest_fifty(target=12,high=4,copies=1)",
    "numberquest_grid(target=5,side=2)",
    "numberquest_sumquest(target=9,high=4)",
    "numberquest_mystic(target=6,high=3,copies=1)",
]
"""Every game, so small that each of its histories can be looked at."""


def run_their_tests(cases: type[unittest.TestCase]) -> int:
    """Run a test class of OpenSpiel; how many tests there were. Fails with what it says."""
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(cases)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        result = unittest.TextTestRunner(said).run(suite)
    assert result.wasSuccessful(), said.getvalue()
    assert not result.skipped
    return result.testsRun


def histories(state: Any) -> Iterator[Any]:
    """This state and every one that can follow, each history by itself."""
    yield state
    for action in state.legal_actions():
        yield from histories(state.child(action))


def true_value(state: Any) -> float:
    """What OpenSpiel should find the state to be worth to the first player: our solver's value as a utility."""
    rules = state.get_game().rules
    return float(2 * solve(rules).value_for(0, state.position) - 1)
