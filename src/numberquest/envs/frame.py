"""A position as a picture, for videos: its words in letters of 3 by 5 dots, so that nothing has to be installed."""

from textwrap import wrap
from typing import Final

import numpy as np
from numpy.typing import NDArray

COLUMNS, ROWS, DOT = 48, 16, 4
"""How many letters a picture is wide and tall, and how large a dot is: all pictures are alike, as videos need them."""
INK, PAPER = (32, 32, 40), (250, 248, 240)
SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;-+*/()[]=!?'%<>|#_"
DOTS: Final = (
    "25755656563444365556746477464434553557557222711152556554444757755655552555265644255636565534216722225555755552"
    "55775552555522271247755572622771747713175571174717747577124475757757170000200024020200202400700027200525011244"
    "1222142224644463111307070222027120222000512451242142124222225757500007"
)
"""Of each sign five rows: a digit has the three dots of a row as its bits."""
UNKNOWN: Final = "07570"


def frame(text: str) -> NDArray[np.uint8]:
    """The text as a picture: rows of dots, each with its red, green and blue."""
    page = np.zeros((8 * ROWS, 4 * COLUMNS), bool)
    texts = text.upper().split("\n")
    lines = [part for line in texts for part in wrap(line, COLUMNS - 2, drop_whitespace=False) or [""]]
    for row, line in enumerate(lines[:ROWS]):
        for at, sign in enumerate(line, start=1):
            for down, bits in enumerate(_rows_of(sign), start=1):
                page[8 * row + down, 4 * at : 4 * at + 3] = [int(bits) & 4, int(bits) & 2, int(bits) & 1]
    colours = np.where(page[..., None], np.array(INK, np.uint8), np.array(PAPER, np.uint8))
    return colours.repeat(DOT, 0).repeat(DOT, 1)


def _rows_of(sign: str) -> str:
    place = SIGNS.find(sign)
    return "" if sign == " " else UNKNOWN if place < 0 else DOTS[5 * place : 5 * place + 5]
