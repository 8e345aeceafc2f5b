"""A position in a report: a small picture with the chosen move and the best marked, and what to type to see more."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from shlex import quote
from textwrap import wrap
from typing import Any, Final

from numberquest.core.contract import CHANCE, Field, Game
from numberquest.core.view import looks, shown, view_of
from numberquest.report.charts import rect, text

WIDTH: Final = 300
TILE, GAP = 30, 6
CHARACTERS: Final = 42
CHOSEN, BEST = "chosen", "best"
SIGNS: Final = {CHOSEN: "✕", BEST: "✓"}
"""So that nobody needs the colours."""


def position_command(game: Game[Any], history: Sequence[str], named: str | None = None) -> str:
    """What shows a position and the values of all moves; `named` is how the game was asked for, such as a file."""
    changes = "".join(f" --set {quote(change)}" for change in game.changes.split())
    after = f' --after "{" ".join(history)}"' if history else ""
    return f"numberquest solve {quote(named or game.slug)}{changes}{after}"


def board(game: Game[Any], p: Any, move: str, best: Sequence[str], names: tuple[str, str]) -> str:
    """The picture as SVG: numbers as tiles, and everything else in words."""
    facts, parts, y = shown(game, p), [], 0
    for field, look in zip(view_of(game), looks(game), strict=True):
        value = facts[field.name]
        if field.kind in ("pool", "pile", "cells"):
            for line in wrap(field.label, CHARACTERS):
                y += 16
                parts.append(text(0, y, line, "faint"))
            if not value:
                y += 18
                parts.append(text(0, y, "none"))
            y += 8
            # The tiles in a row are those of the board, or as many as fit.
            across = look["wide"] if field.kind == "cells" else (WIDTH + GAP) // (TILE + GAP)
            marks = _marked(game, p, field, move, best)
            parts += _tiles(list(value), across, y, marks)
            y += -(-len(value) // across) * (TILE + GAP) if value else 0
        else:
            for line in (piece for said in field.said(game, p, names).split("\n") for piece in wrap(said, CHARACTERS)):
                y += 18
                parts.append(text(0, y, line))
            y += 4
    title = escape(f"The position: {'; '.join(field.said(game, p, names) for field in view_of(game))}")
    body = "\n".join(parts)
    return (
        f'<svg viewBox="-4 -2 {WIDTH + 8} {y + 10}" width="{WIDTH + 8}" height="{y + 10}" style="height:auto" '
        f'role="img" aria-label="{title}"><title>{title}</title>\n{body}\n</svg>'
    )


def _tiles(values: list[int | None], across: int, top: int, marks: dict[int, set[str]]) -> list[str]:
    # A wide board is drawn smaller.
    scale = min(1.0, (WIDTH + GAP) / (across * (TILE + GAP)))
    parts = [f'<g transform="translate(0 {top}) scale({scale:.3g})">']
    for at, value in enumerate(values):
        x, y = at % across * (TILE + GAP), at // across * (TILE + GAP)
        kind = "tile" if value is not None else "covered"
        parts.append(rect(x, y, TILE, TILE, f'rx="5" class="{kind}"'))
        if value is not None:
            parts.append(text(x + TILE / 2, y + TILE / 2 + 5, str(value), "", "middle", ' style="font-size:14px"'))
        for mark in sorted(marks.get(at, ())):
            inset = 1 if mark == BEST else -1
            parts.append(rect(x + inset, y + inset, TILE - 2 * inset, TILE - 2 * inset, f'rx="5" class="{mark}"'))
            corner = x + 2 if mark == CHOSEN else x + TILE - 10
            parts.append(text(corner, y + 10, SIGNS[mark], mark, more=' style="font-size:10px"'))
    return [*parts, "</g>"]


def _marked(game: Game[Any], p: Any, field: Field, move: str, best: Sequence[str]) -> dict[int, set[str]]:
    """Which tiles the moves take or uncover: those that are different afterwards."""
    marks: dict[int, set[str]] = {}
    for mark, moves in ((CHOSEN, [move]), (BEST, best)):
        for one in moves:
            for at in _touched(game, p, field, one):
                marks.setdefault(at, set()).add(mark)
    return marks


def _touched(game: Game[Any], p: Any, field: Field, move: str) -> list[int]:
    if move not in game.moves(p):
        return []
    before, after = list(field.shown(game, p)), game.play(p, move)
    if field.kind == "cells":
        if game.outcome(after) is None and game.player(after) == CHANCE:
            # Whatever it shows, it shows it there.
            after = game.play(after, game.moves(after)[0])
        return [at for at, (one, two) in enumerate(zip(before, field.shown(game, after), strict=False)) if one != two]
    gone = Counter(before) - Counter(field.shown(game, after))
    return [before.index(value) for value in gone]
