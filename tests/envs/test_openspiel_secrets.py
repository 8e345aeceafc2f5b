"""OpenSpiel's own algorithms on games with secrets find what our solver proves."""

from typing import Any

import pytest

from numberquest.core.contract import CHANCE
from numberquest.core.match import led_to
from numberquest.solver import solve
from tests.envs.needs import needed
from tests.own.secret.games import PATHS, pairs, secret_games

openspiel = needed("numberquest.envs.openspiel")
pyspiel = needed("pyspiel")
cfr = needed("open_spiel.python.algorithms.cfr")
exploitability = needed("open_spiel.python.algorithms.exploitability")
expected = needed("open_spiel.python.algorithms.expected_game_score")
policies = needed("open_spiel.python.policy")

SECRET = secret_games()
SMALL = ["kuhn", "bluff", "pennies", "goof", "liar"]


class BestPlay(policies.Policy):  # type: ignore[misc,name-defined]  # OpenSpiel has no types
    """The strategies of our solver."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, [0, 1])
        self._rules, self._solution = game.rules, solve(game.rules)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        who = state.current_player()
        known = led_to(self._rules, openspiel.entries_of(state), "1").known(who)
        solution: Any = self._solution
        odds = solution.odds(known)
        return {state.string_to_action(who, move): float(share) for move, share in odds.items()}


@pytest.mark.parametrize("name", SMALL)
def test_nobody_can_exploit_the_strategies_of_our_solver(name: str) -> None:
    game = openspiel.load(SECRET[name])
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    best = BestPlay(game)
    assert exploitability.nash_conv(game, best) == pytest.approx(0, abs=1e-9)
    value = expected.policy_value(game.new_initial_state(), [best, best])[0]
    assert (1 + value) / 2 == pytest.approx(float(solve(SECRET[name]).value_for(0, SECRET[name].start())))


@pytest.mark.parametrize("name", ["bluff", "pennies"])
def test_counterfactual_regret_comes_to_the_value_that_is_proved(name: str) -> None:
    game = openspiel.load(SECRET[name])
    solver = cfr.CFRPlusSolver(game)
    for _ in range(150):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    value = expected.policy_value(game.new_initial_state(), [average, average])[0]
    assert (1 + value) / 2 == pytest.approx(float(solve(SECRET[name]).value_for(0, SECRET[name].start())), abs=0.02)


@pytest.mark.parametrize("name", PATHS)
def test_information_states_are_the_same_for_who_knows_the_same_and_no_others(name: str) -> None:
    game, rules = openspiel.load(SECRET[name]), SECRET[name]

    def told(history: tuple[str, ...], who: int) -> tuple[Any, ...]:
        state, p = game.new_initial_state(), rules.start()
        for entry in history:
            tree = state.tree
            moves = tree.reveals if rules.player(p) == CHANCE else tree.actions
            state.apply_action(moves.index(entry))
            p = rules.play(p, entry)
        return (
            state.information_state_string(who),
            tuple(state.information_state_tensor(who)),
            state.observation_string(who),
            tuple(state.observation_tensor(who)),
        )

    for who in (0, 1):
        for one, two in pairs(rules, who, 12):
            assert told(one, who) == told(two, who)
            assert told(one, 1 - who) != told(two, 1 - who)


def test_a_game_without_secrets_stays_one_of_perfect_information() -> None:
    game = openspiel.load("sumquest")
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION


def test_the_bot_mixes_by_what_it_has_seen() -> None:
    game = openspiel.load(SECRET["bluff"])
    state = game.new_initial_state()
    state.apply_action(state.tree.reveals.index("low"))
    bot = openspiel.ComputerBot(game, "perfect", seed=1, tell=lambda _: None)
    moves = [state.action_to_string(bot.step(state)) for _ in range(200)]
    assert 40 < moves.count("raise") < 95
