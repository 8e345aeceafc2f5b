"""Random legal play of our games in OpenSpiel, beside its own tic-tac-toe in Python and in C++."""

import random
import statistics
import time
from typing import Any

from benchmarks.row import Row
from numberquest.core.registry import GAMES

ROUNDS = 7
SECONDS = 0.4
PEER = "python_tic_tac_toe"
PEER_IN_CPP = "tic_tac_toe"


def measure() -> list[Row]:
    """Steps (moves and reveals) per second of each game beside theirs; the C++ game is only there to be seen."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401 - importing it registers the game

    import numberquest.envs.openspiel  # noqa: F401 - and ours

    names = {slug: f"numberquest_{slug}" for slug in GAMES}
    loaded = {name: pyspiel.load_game(name) for name in (PEER, PEER_IN_CPP, *names.values())}
    tries: dict[str, list[float]] = {name: [] for name in loaded}
    for _ in range(ROUNDS):
        for name, game in loaded.items():
            tries[name].append(_rate(game))
    medians = {name: statistics.median(rates) / 1000 for name, rates in tries.items()}
    return [
        Row(f"OpenSpiel: {slug}", medians[name], medians[peer], f"OpenSpiel {peer}", "k/s", goal)
        for peer, goal in ((PEER, 1.0), (PEER_IN_CPP, None))
        for slug, name in names.items()
    ]


def _rate(game: Any) -> float:
    dice = random.Random(1)
    steps, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < SECONDS:
        steps += _play(game, dice)
    return steps / elapsed


def _play(game: Any, dice: random.Random) -> int:
    count, state = 0, game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            action = dice.choices(outcomes, odds)[0]
        else:
            actions = state.legal_actions()
            action = actions[int(dice.random() * len(actions))]
        state.apply_action(action)
        count += 1
    state.returns()
    return count


if __name__ == "__main__":
    for row in measure():
        print(row.line())
