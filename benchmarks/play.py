"""Random play straight through `Game`, against OpenSpiel's own Python game through its own API."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks import open_spiel_play
from benchmarks.row import Row
from numberquest.core.contract import CHANCE, Game
from numberquest.core.registry import GAMES, game

ROUNDS = 9
SECONDS = 0.4
PEER = "python_tic_tac_toe"


def measure() -> list[Row]:
    """Moves and reveals per second of each game beside the peer's moves per second."""
    tries: dict[str, list[float]] = {PEER: [], **{slug: [] for slug in GAMES}}
    peer_game = _open_spiel_game()
    for _ in range(ROUNDS):
        tries[PEER].append(_rate(lambda dice: open_spiel_play.play(peer_game, dice)))
        for slug in GAMES:
            rules = game(slug)
            tries[slug].append(_rate(lambda dice, rules=rules: _play_ours(rules, dice)))  # type: ignore[misc]
    medians = {name: statistics.median(rates) / 1000 for name, rates in tries.items()}
    return [
        Row(f"random play: {slug}", medians[slug], medians[PEER], f"OpenSpiel {PEER}", "k/s", 4.0) for slug in GAMES
    ]


def _rate(play: Callable[[random.Random], int]) -> float:
    dice = random.Random(1)
    moves, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS:
        moves += play(dice)
    return moves / elapsed


def _play_ours(rules: Game[Any], dice: random.Random) -> int:
    count, position = 0, rules.start()
    while moves := rules.moves(position):
        if rules.player(position) == CHANCE:
            move = dice.choices(moves, rules.weights(position))[0]
        else:
            move = moves[int(dice.random() * len(moves))]
        position = rules.play(position, move)
        count += 1
    if rules.outcome(position) is None:
        raise RuntimeError("the game has no moves, and no end")
    return count


def _open_spiel_game() -> Any:
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401 - importing it registers the game

    return pyspiel.load_game(PEER)
