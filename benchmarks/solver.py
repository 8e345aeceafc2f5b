"""How long solving takes, cold and from disk, beside OpenSpiel's own solver."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from pathlib import Path
from typing import Any

from benchmarks.row import Row
from numberquest.core.match import Match
from numberquest.core.registry import GAMES, game
from numberquest.solver import solve

COLD = """
import json, resource, time
started = time.perf_counter()
import numberquest as nq
took = {}
for slug in nq.GAMES:
    rules = nq.game(slug)
    begun = time.perf_counter()
    solution = nq.solve(rules)
    took[slug] = [time.perf_counter() - begun, solution.positions]
print(json.dumps([time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, took]))
"""
ROUNDS = 5
PEER = "tic_tac_toe"


def measure() -> list[Row]:
    """All classic games in a fresh process with nothing kept; then answers from what was kept."""
    totals, memories = [], []
    rates: dict[str, list[float]] = {slug: [] for slug in GAMES}
    peers = []
    for _ in range(ROUNDS):
        peers.append(_peer_rate())
        with tempfile.TemporaryDirectory() as home:
            total, memory, took = _cold(home)
        totals.append(total)
        memories.append(memory)
        for slug, (seconds, positions) in took.items():
            rates[slug].append(positions / seconds / 1000)
    peer = statistics.median(peers)
    of = "OpenSpiel MinimaxSolver"
    rows = [
        Row("solve all classic games, nothing kept", statistics.median(totals), 1.5, "allowed", "s", 1),
        Row("memory for all of them", statistics.median(memories), 700, "allowed", "MB", 1),
        *(Row(f"positions solved: {slug}", statistics.median(rates[slug]), peer, of, "k/s", 0) for slug in GAMES),
    ]
    with tempfile.TemporaryDirectory() as home:
        rows += _from_disk(home)
    return rows


def _cold(home: str) -> tuple[float, float, dict[str, tuple[float, int]]]:
    environment = {**os.environ, "XDG_CACHE_HOME": home}
    done = subprocess.run([sys.executable, "-c", COLD], capture_output=True, check=True, env=environment)
    total, memory, took = json.loads(done.stdout)
    return total, memory, took


def _from_disk(home: str) -> list[Row]:
    """The whole command, and single answers."""
    environment = {**os.environ, "XDG_CACHE_HOME": home}
    command = [str(Path(sys.executable).with_name("numberquest")), "solve", "fifty", "--json"]
    times = []
    for attempt in range(12):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
        if attempt:
            times.append(time.perf_counter() - start)
    os.environ["XDG_CACHE_HOME"] = home
    rules = game("fifty")
    match: Match[Any] = Match(rules)
    match.play("5+")
    position, solution = match.position, solve(rules)
    value = timeit.timeit(lambda: solution.value(position), number=5000) / 5000
    moves = timeit.timeit(lambda: solution.moves(position), number=500) / 500
    return [
        Row("solve fifty --json, kept", statistics.median(times), 0.35, "allowed", "s", 1),
        Row("Solution.value, fifty", 1e6 * value, 20, "allowed", "µs", 1),
        Row("Solution.moves, fifty", 1e6 * moves, 200, "allowed", "µs", 1),
    ]


def _peer_rate() -> float:
    """Thousand positions a second of the peer's solver on the peer's game."""
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    start = time.perf_counter()
    positions = len(MinimaxSolver(PEER).solve())
    return positions / (time.perf_counter() - start) / 1000
