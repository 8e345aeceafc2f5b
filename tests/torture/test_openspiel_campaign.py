"""OpenSpiel's tests on rule settings drawn at random, and its algorithms on larger ones."""

import contextlib
import io
import random
from typing import Any

import pytest

from numberquest.core.registry import GAMES, game
from numberquest.core.settings import BadSetting, Signs, UpTo, Whole
from tests.conftest import in_ci
from tests.envs.needs import needed
from tests.envs.spiel import pyspiel, run_their_tests, true_value
from tests.torture.campaign import length

GAMES_DRAWN = length(short=10, long=400)


def any_settings(slug: str, dice: random.Random) -> dict[str, Any]:
    """Settings over their whole ranges."""
    settings: dict[str, Any] = {}
    for name, allowed in GAMES[slug].fields.items():
        if isinstance(allowed, Whole):
            settings[name] = dice.randint(allowed.low, allowed.high)
        elif isinstance(allowed, UpTo):
            settings[name] = dice.randint(1, settings[allowed.other])
        elif isinstance(allowed, Signs):
            settings[name] = "+" + "".join(sign for sign in "-*/" if dice.random() < 0.5)
        else:
            settings[name] = dice.random() < 0.5
    return settings


@in_ci
def test_openspiels_tests_pass_with_any_rule_settings() -> None:
    sim = needed("open_spiel.python.tests.games_sim_test").GamesSimTest()
    api_test = needed("open_spiel.integration_tests.api_test")
    dice = random.Random(2026)
    for number in range(GAMES_DRAWN):
        slug = list(GAMES)[number % len(GAMES)]
        settings = any_settings(slug, dice)
        ours = pyspiel.load_game(f"numberquest_{slug}", settings)
        assert ours.rules == game(slug, **settings)
        pyspiel.random_sim_test(ours, num_sims=1, serialize=True, verbose=False)
        with contextlib.redirect_stdout(io.StringIO()):
            sim.sim_game(ours)
        attributes = {"game": ours, "game_name": str(ours)}
        run_their_tests(type("PartialTree", (api_test.EnforceAPIOnPartialTreeBase,), attributes))


def test_whatever_is_written_as_a_parameter_is_a_game_or_an_error_in_words() -> None:
    dice = random.Random(7)
    values: list[Any] = [-1, 0, 1, 2, 9, 10**6, True, False, "", "+", "'", "yes", "+-*/", "-+", "''+''", 1.5, "\x00"]
    made = refused = 0
    for _ in range(length(short=300, long=20_000)):
        slug = dice.choice(list(GAMES))
        settings = {name: dice.choice(values) for name in GAMES[slug].fields if dice.random() < 0.5}
        try:
            ours = pyspiel.load_game(f"numberquest_{slug}", settings)
        except (BadSetting, pyspiel.SpielError) as error:
            assert any(words in str(error) for words in ("must be", "Wrong type for parameter"))
            refused += 1
        else:
            assert pyspiel.load_game(str(ours)).rules == ours.rules
            made += 1
    assert made > 20
    assert refused > 20


LARGER = [
    "numberquest_fifty(target=15,high=5,copies=1)",
    "numberquest_grid(target=6,side=2,stand=True)",
    "numberquest_sumquest(target=99)",
    "numberquest_mystic(target=10,high=4,copies=2)",
    "numberquest_showdown(high=2)",
    "numberquest_fifty(target=20,high=4,copies=2)",
    "numberquest_mystic(target=12,high=5,copies=1)",
]


@in_ci
@pytest.mark.parametrize("text", LARGER[: length(short=2, long=len(LARGER))])
def test_value_iteration_agrees_on_larger_settings(text: str) -> None:
    needed("cvxpy")
    value_iteration = needed("open_spiel.python.algorithms.value_iteration").value_iteration
    get_all_states = needed("open_spiel.python.algorithms.get_all_states").get_all_states
    ours = pyspiel.load_game(text)
    values = value_iteration(ours, depth_limit=-1, threshold=1e-11, cyclic_game=True)
    for key, state in get_all_states(ours, to_string=str).items():
        assert values[key] == pytest.approx(true_value(state), abs=1e-9), key
