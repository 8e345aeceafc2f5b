"""What is said to people, by code: one table for all, and how its gaps are filled.

Rooms hand each other a code and values (`Said`); whoever shows them makes the words, from this table and from those
of the games. The page gets the same table, and fills the gaps by the same kinds (`server/static/words.js`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.settings import as_text, quoted
from numberquest.wording import either, in_short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAMES: Final = ("Player 1", "Player 2")
"""What people call players who gave no name: players are 0 and 1 only in Python."""


class Said(NamedTuple):
    """Something to be told: the code of a sentence, and what belongs into its gaps. Players are 1 and 2 in it."""

    code: str
    facts: Mapping[str, Any] = {}


SENTENCES: Final[Mapping[str, str]] = {
    # How a game can end besides its own rules.
    "resigned": "{loser} resigned",
    "endless": "nobody has won after {bound} moves",
    # Why a move cannot be taken back.
    "resigned-is-final": "A player has resigned: that is final.",
    "no-move-yet": "No move has been made yet.",
    "revealed-since": "A number has been revealed since: what has been seen cannot be taken back.",
    "binding": "{move:quoted} is final: it can never be taken back.",
    # Why a move cannot be made.
    "not-allowed": "{move:quoted} is not allowed here. Allowed: {allowed:short}.",
    "not-allowed-over": "{move:quoted} is not allowed here. The game is over.",
}
"""Every sentence by its code. A gap is `{name}` or `{name:kind}`; `_KINDS` has the kinds."""


def percent(chance: float) -> str:
    """A chance as people read it: `41.23 %`."""
    return f"{100 * float(chance):.2f} %"


def per_cent(chance: float) -> str:
    """A chance in whole per cent; 0 and 100 only where it is certain."""
    if 0 < chance < 0.01:
        return "under 1 %"
    if 0.99 < chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


_KINDS: Final[Mapping[str, Callable[[Any, tuple[str, str]], str]]] = {
    "": lambda value, names: as_text(value),
    "quoted": lambda value, names: quoted(value),
    "percent": lambda value, names: percent(value),
    "whole": lambda value, names: per_cent(value),
    "points": lambda value, names: f"{round(100 * float(value), 1)}",
    "name": lambda value, names: names[value - 1],
    "move": lambda value, names: value,
    "either": lambda value, names: either(value),
    "short": lambda value, names: in_short(value),
}
"""How a value is written: as it is; a chance in per cent, whole or to a tenth; a player's name; a move or several."""


def fill(template: str, facts: Mapping[str, Any], names: tuple[str, str] = NAMES) -> str:
    """The template with its gaps filled."""

    def value(gap: re.Match[str]) -> str:
        return _KINDS[gap[2] or ""](facts[gap[1]], names)

    return re.sub(r"\{(\w+)(?::(\w+))?\}", value, template)


def told(said: Said, names: tuple[str, str] = NAMES) -> str:
    """The sentence."""
    return fill(SENTENCES[said.code], said.facts, names)
