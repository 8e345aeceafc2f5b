"""The atlas: what every rule set of a game is worth, worked out once and kept beside the game's rules.

>>> from numberquest.lab.atlas import atlas
>>> found = atlas("sumquest").row(target=23)
>>> found.value, found.first
(1, ('1', '6'))
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from numberquest.games import kind_for
from numberquest.lab.atlas.packed import Atlas, BadAtlas, path_of, read

if TYPE_CHECKING:
    from numberquest.contract import Game

__all__ = ["Atlas", "BadAtlas", "atlas", "atlas_of", "has_atlas"]


def atlas(name: str) -> Atlas | None:
    """The atlas of the game of that name; None where it has none."""
    return atlas_of(kind_for(name))


@cache
def atlas_of(kind: type[Game[Any]]) -> Atlas | None:
    """The atlas of a game, which is read once; `BadAtlas` where its file is not as it was made."""
    path = path_of(kind)
    return None if path is None else read(kind, path)


def has_atlas(kind: type[Game[Any]]) -> bool:
    """Whether a game has one, which takes no reading."""
    return path_of(kind) is not None
