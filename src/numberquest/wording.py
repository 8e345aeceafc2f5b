"""Words for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence


def sentence(words: object) -> str:
    """Words as a sentence: with a capital letter and a full stop."""
    text = str(words)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def in_short(moves: Sequence[str]) -> str:
    """The moves on one line, with runs of numbers shortened: `1 to 9, predict 1 to predict 99`."""
    # Cells have a comma of their own.
    between = " " if any("," in move for move in moves) else ", "
    return between.join(f"{run[0]} to {run[-1]}" if len(run) > 2 else between.join(run) for run in _runs(moves))


def _runs(moves: Sequence[str]) -> list[list[str]]:
    """The moves, those together of which each is one higher than the one before."""
    runs: list[list[str]] = []
    for move in moves:
        if runs and _follows(runs[-1][-1], move):
            runs[-1].append(move)
        else:
            runs.append([move])
    return runs


def _follows(move: str, following: str) -> bool:
    """Whether two moves differ only in that their last number is one higher."""
    # A cell is a place, not a number.
    one, two = re.fullmatch(r"([^,]*?)(\d+)", move), re.fullmatch(r"([^,]*?)(\d+)", following)
    return bool(one and two and one[1] == two[1] and int(one[2]) + 1 == int(two[2]))


MOST_NAMED: Final = 3
"""How many moves are named one by one."""


def either(moves: Sequence[str]) -> str:
    """Some moves as a choice: `1 or 6`, `2+, 3+, 5+ or 4 others`."""
    if len(moves) > MOST_NAMED:
        # Numbers in a row are short however many they are.
        short = in_short(moves)
        if len(short) <= 20 and any(len(run) > 2 for run in _runs(moves)):
            return short
        moves = [*moves[:MOST_NAMED], f"{len(moves) - MOST_NAMED} others"]
    *others, last = moves
    # Cells have a comma of their own.
    between = " or " if any("," in move for move in others) else ", "
    return f"{between.join(others)} or {last}" if others else last
