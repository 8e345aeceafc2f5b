"""OpenSpiel's own algorithms run on our games, and find what our solver knows."""

import math
from typing import Any

import numpy as np
import pytest

from numberquest.solver import solve
from tests.envs.needs import needed
from tests.envs.spiel import CLASSIC, SMALL, pyspiel, true_value

openspiel = needed("numberquest.envs.openspiel")
minimax = needed("open_spiel.python.algorithms.minimax")
CLOSE = 1e-9


@pytest.mark.parametrize(
    "text",
    [
        "numberquest_sumquest",
        "numberquest_showdown(high=3,picks=1)",
        "numberquest_fifty(target=12,high=4,copies=1)",
        "numberquest_grid(target=5,side=2)",
        "numberquest_grid(target=4,side=2,stand=True)",
        "numberquest_grid(target=5,side=2,stand=True)",
        "numberquest_mystic(target=6,high=3,copies=2)",
        "numberquest_mystic(target=9,high=4,copies=2)",
    ],
)
def test_value_iteration_finds_the_value_of_every_position(text: str) -> None:
    needed("cvxpy")  # its module imports this, and OpenSpiel does not bring it
    value_iteration = needed("open_spiel.python.algorithms.value_iteration").value_iteration
    get_all_states = needed("open_spiel.python.algorithms.get_all_states").get_all_states
    game = pyspiel.load_game(text)
    # `cyclic_game` only keeps it from walking again through a position that it has seen.
    values = value_iteration(game, depth_limit=-1, threshold=CLOSE / 100, cyclic_game=True)
    states = get_all_states(game, to_string=str)
    assert values.keys() == states.keys()
    for key, state in states.items():
        assert values[key] == pytest.approx(true_value(state), abs=CLOSE), key


@pytest.mark.parametrize(
    "text",
    [
        "numberquest_sumquest(target=15)",
        "numberquest_showdown(high=3)",
        "numberquest_showdown(high=4,picks=2)",
        "numberquest_fifty(target=8,high=3,copies=2)",
        "numberquest_fifty(target=11,high=4,copies=1,ops='+-')",
    ],
)
def test_alpha_beta_finds_the_value_at_the_start_and_after_each_move(text: str) -> None:
    game = pyspiel.load_game(text)
    start = game.new_initial_state()
    value, action = minimax.alpha_beta_search(game)
    assert value == true_value(start)
    assert true_value(start.child(action)) == value
    for move in start.legal_actions():
        state = start.child(move)
        if not state.is_terminal():
            assert minimax.alpha_beta_search(game, state, maximizing_player_id=0)[0] == true_value(state)


def test_the_minimax_solver_finds_the_value_of_every_move_of_classic_sumquest() -> None:
    solver = needed("open_spiel.python.algorithms.minimax_solver").MinimaxSolver("numberquest_sumquest")
    table = solver.solve()
    game = pyspiel.load_game("numberquest_sumquest")
    solution, seen = solve(game.rules), set()

    def compare(state: Any) -> None:
        if state.is_terminal() or str(state) in seen:
            return
        seen.add(str(state))
        values = table[str(state)].action_values
        for move, value in solution.moves(state.position).items():
            assert values[state.string_to_action(move)] == 2 * value - 1
        for action in state.legal_actions():
            compare(state.child(action))

    compare(game.new_initial_state())
    assert len(seen) == len(table)


@pytest.mark.parametrize(
    "text",
    [
        "numberquest_grid(target=5,side=2)",
        "numberquest_grid(target=6,side=2)",
        "numberquest_mystic(target=6,high=3,copies=1)",
        "numberquest_mystic(target=5,high=2,copies=2)",
    ],
)
def test_expectiminimax_finds_the_value_where_chance_plays(text: str) -> None:
    game = pyspiel.load_game(text)
    start = game.new_initial_state()
    # At depth 0 it stops even before a reveal, and asks for an estimate: there is none here.
    value, _ = minimax.expectiminimax(start, game.max_game_length() + 1, None, 0)
    assert value == pytest.approx(true_value(start), abs=CLOSE)


@pytest.mark.parametrize("text", SMALL)
def test_the_moves_our_solver_calls_best_cannot_be_exploited(text: str) -> None:
    policies = needed("open_spiel.python.policy")
    exploitability = needed("open_spiel.python.algorithms.exploitability")
    game = pyspiel.load_game(text)
    solution = solve(game.rules)

    def best(state: Any) -> list[tuple[int, float]]:
        moves = solution.best(state.position)
        return [(state.string_to_action(move), 1 / len(moves)) for move in moves]

    perfect = policies.tabular_policy_from_callable(game, lambda state: dict(best(state)))
    assert exploitability.nash_conv(game, perfect) == pytest.approx(0, abs=CLOSE)
    uniform = exploitability.nash_conv(game, policies.UniformRandomPolicy(game))
    # Classic cells are all alike: on a grid where nobody may stand, no choice matters.
    assert uniform == pytest.approx(0, abs=CLOSE) if "grid" in text else uniform > 0.01


@pytest.mark.parametrize("text", CLASSIC)
def test_mcts_plays_a_whole_match(text: str) -> None:
    mcts = needed("open_spiel.python.algorithms.mcts")
    game = pyspiel.load_game(text)
    dice = np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=dice)
    bots = [mcts.MCTSBot(game, math.sqrt(2), 8, evaluator, solve=True, random_state=dice) for _ in range(2)]
    returns = needed("open_spiel.python.algorithms.evaluate_bots").evaluate_bots(
        game.new_initial_state(), bots, np.random.RandomState(4)
    )
    assert sorted(returns) == [-1, 1]


def mcts_in_cpp(game: Any, seed: int) -> Any:
    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        uct_c=math.sqrt(2),
        max_simulations=8,
        max_memory_mb=10,
        solve=True,
        seed=seed,
        verbose=False,
    )


@pytest.mark.parametrize("text", CLASSIC)
def test_mcts_in_cpp_plays_a_whole_match(text: str) -> None:
    # Its `step` cannot be called from Python: OpenSpiel 2.0 crashes there with any game that is written in Python.
    game = pyspiel.load_game(text)
    bots = [mcts_in_cpp(game, seed) for seed in (1, 2)]
    assert sorted(pyspiel.evaluate_bots(game.new_initial_state(), bots, 6)) == [-1, 1]


@pytest.mark.parametrize("text", CLASSIC)
def test_the_learning_environment_of_openspiel_plays_whole_matches(text: str) -> None:
    environment = needed("open_spiel.python.rl_environment").Environment(text)
    environment.seed(7)
    agents = needed("open_spiel.python.algorithms.random_agent")
    players = [agents.RandomAgent(seat, environment.action_spec()["num_actions"]) for seat in range(2)]
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            assert len(step.observations["info_state"][player]) == environment.observation_spec()["info_state"][0]
            step = environment.step([players[player].step(step).action])
        assert sorted(step.rewards) == [-1, 1]


def test_our_perfect_player_is_a_bot_and_wins_won_games_from_mcts() -> None:
    game = pyspiel.load_game("numberquest_sumquest")
    perfect = openspiel.ComputerBot(game, "perfect", seed=1)
    for seed in range(3):
        # Player 1 wins classic sumquest.
        bots = [perfect, mcts_in_cpp(game, seed)]
        assert pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) == [1, -1]


def test_a_bot_with_a_seed_makes_the_same_moves_again() -> None:
    game = pyspiel.load_game("numberquest_fifty(target=20,high=5)")

    def moves(seed: int) -> list[int]:
        bots = [openspiel.ComputerBot(game, "easy", seed=seed + seat) for seat in range(2)]
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        history: list[int] = state.history()
        return history

    assert moves(1) == moves(1)
    assert len({tuple(moves(10 * seed)) for seed in range(6)}) > 1
