"""Colours for figures, from dark to light, so that the order can be seen without seeing colours at all."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    Colour = tuple[int, int, int]

STOPS: Final[tuple[Colour, ...]] = (
    (44, 16, 84),
    (57, 48, 129),
    (51, 84, 148),
    (42, 115, 152),
    (36, 145, 148),
    (58, 174, 128),
    (122, 200, 94),
    (192, 221, 66),
    (252, 238, 84),
)
"""From the lowest figure to the highest, evenly: each is lighter than the one before, for every kind of eye."""
MOST_LINES: Final = 5


def mixed(share: float) -> Colour:
    """The colour of a share from 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(STOPS) - 1)
    at = min(int(place), len(STOPS) - 2)
    part = place - at
    red, green, blue = (round(low + (high - low) * part) for low, high in zip(STOPS[at], STOPS[at + 1], strict=True))
    return red, green, blue


def as_hex(colour: Colour) -> str:
    """As it is written in a picture."""
    return "#" + "".join(f"{part:02x}" for part in colour)


def lightness(colour: Colour) -> float:
    """How much light a colour gives, from 0 to 1, as screens and eyes weigh it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (one / 255 for one in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(colour: Colour) -> str:
    """Black or white, whichever can be read on it."""
    light = lightness(colour)
    return "#000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#fff"


def step_of(length: float) -> float:
    """How far the lines of a scale of this length are apart: 1, 2 or 5 of some power of ten."""
    step = 10.0 ** floor(log10(max(length, 1e-9) / MOST_LINES))
    return next(times * step for times in (1, 2, 5, 10) if length <= MOST_LINES * times * step * 1.0001)


def ends(figures: Sequence[float], share: bool) -> tuple[float, float]:
    """From where to where a scale goes: for a share from 0 to 1, for others as far as there are figures."""
    if share or not figures:
        return 0.0, 1.0
    low, high = min(figures), max(figures)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
