"""One random game through OpenSpiel's API, of whoever's."""

import random
from typing import Any


def play(game: Any, dice: random.Random) -> int:
    """Play it to its end, and return how many steps that were."""
    count, state = 0, game.new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(dice.random() * len(actions))])
        count += 1
    state.returns()
    return count
