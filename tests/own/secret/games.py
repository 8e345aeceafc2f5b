"""The games with secrets in this folder, for tests that go through every room with each of them."""

from collections import defaultdict
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game
from numberquest.core.registry import kind_in

PATHS: Final = {
    name: str(Path(__file__).parent / f"{name}.py") for name in ("kuhn", "bluff", "pennies", "goof", "liar")
}
VIEWERS: Final = (0, 1, None)
History = tuple[str, ...]


def secret_games() -> dict[str, Game[Any]]:
    """One of each, by its name."""
    return {name: kind_in(path)() for name, path in PATHS.items()}


def histories(game: Game[Any], most: int = 5000) -> list[History]:
    """All that can happen in a small game, over or not."""
    found = list[History]()
    waiting: list[tuple[History, Any]] = [((), game.start())]
    for history, p in waiting:
        found.append(history)
        waiting += [((*history, move), game.play(p, move)) for move in game.moves(p)]
        assert len(waiting) < most
    return found


def looks(game: Game[Any], history: History, who: int | None) -> tuple[Any, ...]:
    """Step by step what somebody sees and does; the same where two games look the same to them."""
    positions = list(accumulate(history, game.play, initial=game.start()))
    own = [move if game.player(p) == who else None for p, move in zip(positions, history, strict=False)]
    return (*(game.sees(p, who) for p in positions), *own)


def pairs(game: Game[Any], who: int | None, most: int) -> list[tuple[History, History]]:
    """Games at a decision that look the same to somebody, though something else has happened in them."""
    groups: dict[tuple[Any, ...], list[History]] = defaultdict(list)
    for history in histories(game):
        p = list(accumulate(history, game.play, initial=game.start()))[-1]
        if game.moves(p) and game.player(p) != CHANCE:
            groups[looks(game, history, who)].append(history)
    found = [(one, two) for alike in groups.values() for one, two in pairwise(alike)]
    Random(0).shuffle(found)
    # The longest say most.
    return sorted(found, key=lambda pair: -len(pair[0]))[:most]
