"""A name of a game that carries its whole recipe, so that it can be sent to anybody."""

import base64
import re
import zlib
from contextlib import suppress
from typing import Final

from numberquest.core.loading import RECIPE, BadGame
from numberquest.core.recipe.keys import LONGEST_TEXT

LONGEST_NAME: Final = 4000
"""How many characters such a name may have."""


def link(text: str) -> str:
    """The name of the game that carries the whole recipe: `recipe:` and letters that can stand in any address."""
    packed = zlib.compress(text.encode(), 9, wbits=-15)
    return RECIPE + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def text_of(name: str) -> str:
    """The recipe in such a name; `BadGame` where there is none, or far too much."""
    packed = name.removeprefix(RECIPE)
    if len(name) > LONGEST_NAME:
        raise BadGame(f"a recipe in a link has at most {LONGEST_NAME} characters, and this has {len(name)}")
    if not re.fullmatch("[A-Za-z0-9_-]+", packed):
        raise BadGame("a recipe in a link is made of letters, digits, - and _, and this is not: is the link whole?")
    unpacker, data, text = zlib.decompressobj(wbits=-15), b"", None
    with suppress(zlib.error, ValueError):
        data = unpacker.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), 4 * LONGEST_TEXT + 1)
        text = data.decode() if unpacker.eof else None
    if len(data) > 4 * LONGEST_TEXT:
        raise BadGame("a link holds a recipe of a few lines, and this holds far more")
    if text is None:
        raise BadGame("this link holds no recipe, or only a part of one: is it whole?")
    return text
