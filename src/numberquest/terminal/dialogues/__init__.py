"""One file per game, named after it; the class in it is called `Talk`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numberquest.terminal.dialogue import Dialogue


def talk_for(slug: str) -> type[Dialogue[Any, Any]]:
    """The dialogue of a game. Only that one is imported, so that a game starts at once."""
    talk: type[Dialogue[Any, Any]] = import_module(f"{__name__}.{slug}").Talk
    return talk
