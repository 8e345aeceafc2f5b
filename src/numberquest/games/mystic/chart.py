"""What `solve` shows of Mystic Numbers besides: how the chance grows with the total."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, cast

from numberquest.games.mystic.rules import Mystic, Position
from numberquest.sentences import percent

if TYPE_CHECKING:
    from numberquest.solver import Solution

BAR: Final = 40
"""How many characters a certain win is long."""


def lines(solution: Solution[Position], p: Position) -> list[str]:
    """The chance before a draw from this pile, for each total of the player whose turn it is."""
    game = cast("Mystic", solution.game)
    turn = game.turn(p)
    theirs = p.totals[1 - turn]
    unseen = tuple(sorted((*p.unseen, p.drawn))) if p.drawn else p.unseen
    # On a narrow terminal the bars are shorter.
    bar = max(8, min(BAR, get_terminal_size().columns - 17))
    rows = [f"The chance before drawing from this pile, by your own total, if your opponent has {theirs}:"]
    for total in range(game.target):
        totals = (total, theirs) if turn == 0 else (theirs, total)
        chance = float(solution.value(Position(unseen, totals, 0)))
        rows.append(f"  {total:>3}  {'#' * round(bar * chance):<{bar}} {percent(chance):>8}")
    return rows
