"""The example that says who wins the games of gg-bench: each is a class in the shape of Gymnasium."""

import json
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "gg_bench.py"
# One or two are taken from a heap of four; who takes the last one wins.
HEAP = """
import random
import numpy as np

class Heap:
    def __init__(self):
        self.rng = np.random.default_rng(3)
    def reset(self, seed=None, options=None):
        self.heap, self.takes, self.current_player = np.array([4]), {2, 1}, FIRST
        return self.heap, {}
    def step(self, action):
        self.heap[0] -= action + MORE
        self.current_player = 3 - self.current_player
        over = bool(self.heap[0] <= 0)
        return self.heap, REWARD, over, False, {}
    def valid_moves(self):
        return [take for take in self.takes if take <= self.heap[0]]
"""
PLAIN = {"FIRST": "2", "MORE": "0", "REWARD": "int(over)"}
WITH_LUCK = "20 | yes | Player 1 gets 25.0 % | 2 · 2 · 0 |  |"  # reckoned by hand: 1/4
GAMES = [
    ({}, "8 | no | Player 1 in 3 | 1 · 1 · 0 |  |"),
    # At the end a reward below 0 is a loss, but not where every allowed first move has it too.
    ({"REWARD": "-int(over)"}, "8 | no | Player 2 in 3 | 1 · 1 · 0 |  |"),
    ({"REWARD": "-10"}, "8 | no | a draw | 0 · 0 · 2 |  |"),
    ({"MORE": "0; self.heap[:] = 4"}, "2 | no | never decided, or a draw | 0 · 0 · 0 | can go round in circles |"),
    ({"MORE": "random.randint(0, 1)"}, WITH_LUCK),
    ({"MORE": "np.random.randint(0, 2)"}, WITH_LUCK),
    ({"MORE": "self.rng.permutation([0, 1])[0]"}, WITH_LUCK),
    # Who moves first may be drawn, and is Player 1.
    ({"FIRST": "random.choice([1, 2])"}, "17 | yes | Player 1 gets 100.0 % | 2 · 2 · 0 |  |"),
]


def test_each_row_of_the_table_says_who_wins_under_best_play(tmp_path: Path) -> None:
    data = tmp_path / "gg_bench" / "data"
    for folder in ("envs", "splits"):
        (data / folder).mkdir(parents=True)
    (data / "splits" / "valid_envs.json").write_text(json.dumps([[str(number), 0] for number in range(len(GAMES))]))
    for number, (changed, _) in enumerate(GAMES):
        text = HEAP
        for name, code in {**PLAIN, **changed}.items():
            text = text.replace(name, code)
        (data / "envs" / f"env_{number}.py").write_text(text)
    done = subprocess.run([sys.executable, EXAMPLE, tmp_path], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[2:] == [f"| {at} | {row}" for at, (_, row) in enumerate(GAMES)], done.stderr[-500:]
