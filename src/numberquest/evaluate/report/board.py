"""A position as a small picture, from what its game says is seen of it, with the chosen move and the best marked."""

from __future__ import annotations

from collections import Counter
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.view import looks, shown, view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.contract import Field, Game

WIDTH: Final = 300
TILE, GAP = 30, 6
CHARACTERS: Final = 42
"""How many fit on a line."""
CHOSEN, BEST = "chosen", "best"
SIGNS: Final = {CHOSEN: "✕", BEST: "✓"}
"""So that nobody needs the colours."""


def board(game: Game[Any], p: Any, move: str, best: Sequence[str], names: tuple[str, str]) -> str:
    """The picture as SVG: numbers as tiles, and everything else in words."""
    facts, parts, y = shown(game, p), [], 0
    for field, look in zip(view_of(game), looks(game), strict=True):
        value = facts[field.name]
        if field.kind in ("pool", "pile", "cells"):
            for line in wrap(field.label, CHARACTERS):
                y += 16
                parts.append(_text(0, y, line, "faint"))
            if not value:
                y += 18
                parts.append(_text(0, y, "none"))
            y += 8
            across = _across(look["wide"] if field.kind == "cells" else None)
            marks = _marked(game, p, field, move, best)
            parts += _tiles(list(value), across, y, marks)
            y += -(-len(value) // across) * (TILE + GAP) if value else 0
        else:
            for line in (piece for said in field.said(game, p, names).split("\n") for piece in wrap(said, CHARACTERS)):
                y += 18
                parts.append(_text(0, y, line))
            y += 4
    title = escape(f"The position: {'; '.join(field.said(game, p, names) for field in view_of(game))}")
    body = "\n".join(parts)
    return (
        f'<svg viewBox="-4 -2 {WIDTH + 8} {y + 10}" width="{WIDTH + 8}" height="{y + 10}" style="height:auto" '
        f'role="img" aria-label="{title}"><title>{title}</title>\n{body}\n</svg>'
    )


def _across(wide: int | None) -> int:
    """How many tiles stand in a row: those of the board, or as many as fit."""
    return wide if wide is not None else (WIDTH + GAP) // (TILE + GAP)


def _tiles(values: list[int | None], across: int, top: int, marks: dict[int, set[str]]) -> list[str]:
    # A wide board is drawn smaller.
    scale = min(1.0, (WIDTH + GAP) / (across * (TILE + GAP)))
    parts = [f'<g transform="translate(0 {top}) scale({scale:.3g})">']
    for at, value in enumerate(values):
        x, y = at % across * (TILE + GAP), at // across * (TILE + GAP)
        kind = "tile" if value is not None else "covered"
        parts.append(f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE}" rx="5" class="{kind}"/>')
        if value is not None:
            parts.append(
                f'<text x="{x + TILE / 2:g}" y="{y + TILE / 2 + 5:g}" text-anchor="middle" '
                f'style="font-size:14px">{value}</text>'
            )
        for mark in sorted(marks.get(at, ())):
            inset = 1 if mark == BEST else -1
            parts.append(
                f'<rect x="{x + inset}" y="{y + inset}" width="{TILE - 2 * inset}" height="{TILE - 2 * inset}" rx="5" '
                f'class="{mark}"/>'
            )
            corner = x + 2 if mark == CHOSEN else x + TILE - 10
            parts.append(f'<text x="{corner}" y="{y + 10}" class="{mark}" style="font-size:10px">{SIGNS[mark]}</text>')
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


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(text)}</text>'
