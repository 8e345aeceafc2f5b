"""A game in the shape of Gymnasium: take one to three from a heap of ten; who takes the last one wins.

`numberquest play gym:examples/take_away.py --p2 perfect` plays it, and Gymnasium itself is not needed for that.
"""

from typing import Any


class Moves:
    """As much of Gymnasium's `Discrete` as is needed; `gymnasium.spaces.Discrete(3, start=1)` does as well."""

    n = 3
    start = 1


class TakeAway:
    """An environment in which one object plays both sides."""

    action_space = Moves()

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[list[int], dict[str, Any]]:
        self.heap, self.current_player = 10, 1
        return [self.heap], {}

    def step(self, action: int) -> tuple[list[int], float, bool, bool, dict[str, Any]]:
        self.heap -= action
        if self.heap == 0:
            return [self.heap], 1, True, False, {}  # a reward of 1: whoever moved has won
        self.current_player = -self.current_player
        return [self.heap], 0, False, False, {}

    def valid_moves(self) -> list[int]:
        return [take for take in (1, 2, 3) if take <= self.heap]

    def render(self) -> str:
        return f"{'| ' * self.heap}({self.heap} left)"
