"""What is told, as it goes over the wire: codes and values, of which the page makes the sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from numberquest.server import wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numberquest.sentences import Said


def wired(said: Iterable[Said]) -> list[wire.Said]:
    """What is told, one after the other."""
    return [wire.Said(one.code, {name: _plain(value) for name, value in one.facts.items()}) for one in said]


def wired_one(said: Said | None) -> wire.Said | None:
    """One thing that is told, if there is something."""
    return None if said is None else wired([said])[0]


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Fraction) else value
