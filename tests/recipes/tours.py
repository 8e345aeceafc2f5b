"""Two games that are said to be the same, gone through side by side."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.laws import some_settings
from numberquest.core.recipe import load
from numberquest.core.registry import kind_in

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COLUMNS = {f"{column}{row}": f"{row},{at}" for at, column in enumerate("abc", 1) for row in (1, 2, 3)}
PAIRS = {
    "fifty": "fifty",
    "mystic": "mystic",
    "sumquest": "sumquest",
    "grid": "grid",
    "nim": str(ROOT / "examples" / "nim.py"),
    "pig": str(ROOT / "examples" / "pig.py"),
    "row": str(ROOT / "tests" / "own" / "row.py"),
}
"""The recipes here, and the rules by hand that each is to agree with."""


def pair(name: str, random: Random | None = None, **named: int) -> tuple[Game[Any], Game[Any]]:
    """A game by its rules and by its recipe, with the usual settings or any."""
    by_hand: Any = kind_in(PAIRS[name]) if "/" in PAIRS[name] else nq.GAMES[PAIRS[name]]
    settings = {**({} if random is None else some_settings(by_hand, random)), **named}
    return by_hand(**settings), load((HERE / f"{name}.toml").read_text())(**settings)


def tour(by_hand: Game[Any], made: Game[Any], most: int, random: Random, words: Mapping[str, str] = COLUMNS) -> bool:
    """Go to positions that the same moves lead to, as many as are asked for; whether these were all."""
    start = (by_hand.start(), made.start())
    known, waiting = {start}, [start]
    for _ in range(most):
        if not waiting:
            return True
        # Any of them next, so that a tour that is cut short has been everywhere a little.
        at = random.randrange(len(waiting))
        waiting[at], waiting[-1] = waiting[-1], waiting[at]
        p, q = waiting.pop()
        moves, same = by_hand.moves(p), made.moves(q)
        assert tuple(words.get(move, move) for move in moves) == same, (p, q)
        ends = [outcome and (outcome.winner,) for outcome in (by_hand.outcome(p), made.outcome(q))]
        assert ends[0] == ends[1], (p, q, ends)
        assert by_hand.turn(p) == made.turn(q), (p, q)
        if not moves:
            continue
        assert by_hand.player(p) == made.player(q), (p, q)
        if by_hand.player(p) == CHANCE:
            assert by_hand.odds(p) == made.odds(q), (p, q)
            assert not by_hand.deck or by_hand.slot(p) == made.slot(q), (p, q)
        for move, other in zip(moves, same, strict=True):
            after = (by_hand.play(p, move), made.play(q, other))
            if after not in known:
                known.add(after)
                waiting.append(after)
    return not waiting
