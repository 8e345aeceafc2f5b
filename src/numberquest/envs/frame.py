"""A position as a picture, for videos: its board, drawn from the view of the game with NumPy alone."""

from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import Field, Game
from numberquest.core.rulebook import titled
from numberquest.core.view import Pool, field_said, fields_shown, filled
from numberquest.envs.episode import standing

Colour = tuple[int, int, int]

WIDE, TALL, DOT = 384, 256, 2
"""How many dots a picture is wide and tall, and how large a dot is: all pictures are alike, as videos need them."""
EDGE, GAP = 12, 6
LETTER, LINE = 8, 16
"""How much room a letter and a line of text take at the usual size, which is twice the smallest."""
LARGEST_TILE: Final = 56
MOST_ACROSS: Final = 20
"""Up to so many numbers of a pool stand in one row, each above its copies."""
MARK, MOST_SAID = 12, 3
INK, PAPER, DIM, COVER = (38, 43, 64), (247, 241, 227), (217, 207, 184), (107, 118, 144)
TILE, LAMP, PLAYERS = (255, 253, 247), (255, 212, 92), ((152, 41, 12), (23, 74, 152))
SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;-+*/()[]=!?'%<>|#_"
DOTS: Final = (
    "25755656563444365556746477464434553557557222711152556554444757755655552555265644255636565534216722225555755552"
    "55775555555522271247755572622771747713175571174717747577124475757757170000200024020200202400700027200525011244"
    "1222142224644463111307070222027120222000512451242142124222225757500007"
)
"""Of each sign five rows: a digit has the three dots of a row as its bits."""
UNKNOWN: Final = "07570"


class Canvas:
    """A page of coloured dots; what does not fit on it is left out."""

    def __init__(self) -> None:
        self.dots = np.full((TALL, WIDE, 3), PAPER, np.uint8)
        self.room = 0
        """How tall whatever takes what the others leave may be."""

    def box(self, x: int, y: int, wide: int, tall: int, colour: Colour, edge: Colour | None = None) -> None:
        """A filled rectangle, with a line around it where `edge` is given."""
        if edge is not None:
            self.dots[y : y + tall, x : x + wide] = edge
            x, y, wide, tall = x + 1, y + 1, wide - 2, tall - 2
        self.dots[y : y + max(tall, 0), x : x + max(wide, 0)] = colour

    def text(self, x: int, y: int, text: str, colour: Colour = INK, size: int = 2) -> None:
        """One line of letters, each four times `size` wide."""
        for at, sign in enumerate(text.upper()):
            place = SIGNS.find(sign)
            rows = "" if sign == " " else UNKNOWN if place < 0 else DOTS[5 * place : 5 * place + 5]
            for down, bits in enumerate(rows):
                for across in range(3):
                    if int(bits) & 4 >> across:
                        self.box(x + (4 * at + across) * size, y + down * size, size, size, colour)

    def mark(self, x: int, y: int, size: int, player: int) -> None:
        """The sign of a player: a disc of the first, a diamond of the second, so that nobody needs the colours."""
        down, across = np.abs(np.mgrid[:size, :size] - (size - 1) / 2)
        inside = down + across <= size / 2 if player else down**2 + across**2 <= (size / 2) ** 2
        room = self.dots[y : y + size, x : x + size]
        room[inside[: room.shape[0], : room.shape[1]]] = PLAYERS[player]

    def tile(self, x: int, y: int, size: int, text: str, there: bool = True) -> None:
        """A number on a tile, as large as it fits; faint where it has been taken."""
        colour, edge = (TILE, INK) if there else (PAPER, DIM)
        self.box(x, y, size, size, colour, edge)
        letter = min((size - 4) // max(4 * len(text) - 1, 1), (size - 4) // 5)
        if letter > 0:
            left, top = x + (size - (4 * len(text) - 1) * letter) // 2, y + (size - 5 * letter) // 2
            self.text(left, top, text, INK if there else DIM, letter)


class Drawing(NamedTuple):
    """A field that is to be drawn: how much room it takes, and what draws it there."""

    draw: Callable[[Canvas, int], None]
    """On a canvas, from this row of dots on."""
    tall: int = 0
    """0 where it takes what the others leave."""


def frame(game: Game[Any], position: Any, who: int | None = None, learner: str = "") -> NDArray[np.uint8]:
    """The position as rows of dots, each with its red, green and blue; of a game with secrets what `who` sees of it."""
    canvas, outcome = Canvas(), game.outcome(position)
    seen = position if outcome else game.sees(position, who)
    fields = [_drawing(game, field, seen) for field in fields_shown(game) if _on_the_board(field, seen)]
    drawings = [_words(titled(game)), *fields]
    below = _wrapped(standing(game, position), MARK + GAP)[:MOST_SAID] + ([learner] if learner else [])
    y, bottom = EDGE, TALL - EDGE - LINE * len(below)
    left = bottom - GAP - y - sum(drawing.tall + GAP for drawing in drawings)
    canvas.room = max(left, 0) // max(sum(not drawing.tall for drawing in drawings), 1)
    for drawing in drawings:
        drawing.draw(canvas, y)
        y += (drawing.tall or canvas.room) + GAP
    canvas.box(0, bottom - GAP, WIDE, TALL - bottom + GAP, TILE)
    player = outcome.winner if outcome else game.turn(position)
    if player is not None:
        canvas.mark(EDGE, bottom - 1, MARK, player)
    _lines(below, canvas, bottom, EDGE + MARK + GAP)
    return canvas.dots.repeat(DOT, 0).repeat(DOT, 1)


def _on_the_board(field: Field, seen: Any) -> bool:
    """Whose turn it is stands below the board, and what is so of nobody is left out."""
    return field.kind != "turn" and (field.kind != "flags" or any(getattr(seen, field.name) or ()))


def _drawing(game: Game[Any], field: Field, seen: Any) -> Drawing:
    """How a field is drawn; in words where it is of another kind, or hidden."""
    look, value = field.looks(game), getattr(seen, field.name)
    p = filled(game, seen) if game.has_secrets else seen
    if isinstance(field, Pool):
        return Drawing(partial(_pool, game, field, p))
    if field.kind == "cells":
        return Drawing(partial(_cells, field.label, field.shown(game, p), look["wide"], look["marks"]))
    if field.kind == "scores" and None not in value:
        # What is called something at 0 is not on its way to the target.
        target = 0 if getattr(field, "none", "") else look["target"]
        return Drawing(partial(_scores, field.label, value, field.shown(game, p), target), 3 * LINE)
    if field.kind == "number" and value is not None and look["target"]:
        return Drawing(partial(_sum, field.label, value, look["target"]), 2 * LINE)
    return _words(field_said(game, field, seen))


def _words(text: str) -> Drawing:
    return Drawing(partial(_lines, _wrapped(text)), LINE * len(_wrapped(text)))


def _wrapped(text: str, left: int = 0) -> list[str]:
    most = (WIDE - 2 * EDGE - left) // LETTER
    return [part for line in text.split("\n") for part in wrap(line, most, drop_whitespace=False) or [""]]


def _lines(lines: list[str], canvas: Canvas, y: int, x: int = EDGE) -> None:
    for row, line in enumerate(lines):
        canvas.text(x, y + row * LINE, line)


def _track(canvas: Canvas, y: int, value: int, target: int, colour: Colour) -> None:
    """A bar on its way to the target, and both as numbers."""
    said = f"{value} of {target}"
    left, wide = EDGE + MARK + GAP, WIDE - 2 * EDGE - MARK - 2 * GAP - LETTER * max(len(said), 10)
    canvas.box(left, y, wide, 10, DIM, INK)
    canvas.box(left + 1, y + 1, round((wide - 2) * min(max(value / target, 0), 1)), 8, colour)
    canvas.text(left + wide + GAP, y, said)


def _scores(label: str, values: Any, shown: Any, target: int, canvas: Canvas, y: int) -> None:
    canvas.text(EDGE, y, label)
    for player, (value, one) in enumerate(zip(values, shown, strict=True)):
        row = y + LINE * (player + 1)
        canvas.mark(EDGE, row - 1, MARK, player)
        if target:
            _track(canvas, row, value, target, PLAYERS[player])
        else:
            canvas.text(EDGE + MARK + GAP, row, "-" if one is None else str(one))


def _sum(label: str, value: int, target: int, canvas: Canvas, y: int) -> None:
    canvas.text(EDGE, y, label)
    _track(canvas, y + LINE, value, target, COVER)


def _grid(y: int, room: int, count: int, wide: int) -> list[tuple[int, int, int]]:
    """Where so many tiles lie, and how large each is: with 0 for `wide` as many in a row as makes them largest."""
    if not wide:
        fits = [size for size in range(LARGEST_TILE, 0, -1) if (WIDE - 2 * EDGE) // size * (room // size) >= count]
        wide = (WIDE - 2 * EDGE) // (fits or [1])[0]
    size = max(min((WIDE - 2 * EDGE) // wide, room // max(-(-count // wide), 1), LARGEST_TILE), 3)
    return [(EDGE + at % wide * size, y + at // wide * size, size - 1) for at in range(count)]


def _pool(game: Game[Any], field: Pool, p: Any, canvas: Canvas, y: int) -> None:
    (part,) = field.parts(game)
    counts = field.reader(game)(p, 0)
    canvas.text(EDGE, y, f"{field.label}: {sum(counts)}" if field.kind == "pile" else field.label)
    tiles = [(number, counts[number - 1] > copy) for copy in range(part.high) for number in range(1, part.size + 1)]
    wide = part.size if part.size <= MOST_ACROSS else 0
    places = _grid(y + LINE, canvas.room - LINE, len(tiles), wide)
    for (number, there), place in zip(tiles, places, strict=True):
        canvas.tile(*place, str(number), there)


def _cells(label: str, shown: Any, wide: int, marks: str, canvas: Canvas, y: int) -> None:
    canvas.text(EDGE, y, label)
    for one, (x, top, size) in zip(shown, _grid(y + LINE, canvas.room - LINE, len(shown), wide), strict=True):
        if one is None:
            canvas.box(x, top, size, size, TILE if marks else COVER, INK)
        elif marks == "lamps":
            canvas.box(x, top, size, size, LAMP, INK)
        elif marks == "players":
            canvas.box(x, top, size, size, TILE, INK)
            canvas.mark(x + 3, top + 3, size - 6, one - 1)
        else:
            canvas.tile(x, top, size, str(+one))
