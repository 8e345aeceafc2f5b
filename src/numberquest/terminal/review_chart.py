"""Player 1's winning chance as a line in the terminal. Only ever shown beside the words."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from numberquest.contract import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.verdicts import Review

ROWS = 9
"""An odd number, so that 50 % has a row of its own."""
MARKS = {0: "o", 1: "x", CHANCE: "."}
STYLES = {0: "player1", 1: "player2", CHANCE: None}
MARGIN = 8
"""What stands to the left of the line: the per cents."""


def chart(review: Review, names: tuple[str, str], width: int, paint: Callable[[str, str | None], str]) -> list[str]:
    """The lines of the picture, for a terminal that is so wide."""
    steps = list(review.steps)
    # More steps than fit are thinned out; the last one always stays.
    every = max(1, -(-len(steps) // max(1, width - MARGIN - 2)))
    steps = steps[::-every][::-1]
    apart = max(1, min(4, (width - MARGIN - 2) // max(1, len(steps))))
    cells: list[dict[int, str]] = [{} for _ in range(ROWS)]
    height = _row(float(review.start))
    cells[height][0] = paint("-", "hint")
    for at, step in enumerate(steps, start=1):
        column, row = at * apart, _row(float(step.after))
        for between in range(min(row, height) + 1, max(row, height)):
            cells[between][column] = paint("|", "hint")
        for gap in range(column - apart + 1, column):
            cells[height][gap] = paint("-", "hint")
        cells[row][column] = paint(MARKS[step.player], STYLES[step.player])
        height = row
    labels = {0: "100 %", ROWS // 2: "50 %", ROWS - 1: "0 %"}
    heading = f"{names[0]}'s chance to win, from the start to the end"
    lines = [paint(line, "heading") for line in wrap(heading, width)]
    for row, line in enumerate(cells):
        drawn = "".join(line.get(column, " ") for column in range(max(line, default=-1) + 1))
        lines.append(f"{labels.get(row, ''):>{MARGIN - 2}} {paint('|', 'hint')}{drawn}")
    key = {0: names[0], 1: names[1]} | ({CHANCE: "a number comes up"} if review.game.chance else {})
    fits = MARGIN + sum(len(what) + 4 for what in key.values()) - 2 <= width
    told = [f"{paint(MARKS[who], STYLES[who])} {what}" for who, what in key.items()]
    return [*lines, *(f"{'':>{MARGIN}}{line}" for line in ([", ".join(told)] if fits else told))]


def _row(chance: float) -> int:
    """The row of a chance; only what is certain stands on the first or the last."""
    row = round((1 - chance) * (ROWS - 1))
    return row if chance in (0, 1) else min(max(row, 1), ROWS - 2)
