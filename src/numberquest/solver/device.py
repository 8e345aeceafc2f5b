"""Solving on another device than the processor: who can, and what the start of many settings is worth.

`solve(game, device="cuda")` solves one game whole. `starts(games)` goes through any number of settings, many at a time,
and keeps only what their starts are worth. What a game brings for a device lies in its folder, under the device's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from numberquest.core.contract import Game
from numberquest.core.progress import Progress
from numberquest.core.registry import part
from numberquest.solver.budget import NoDevice
from numberquest.solver.solution import Solution

if TYPE_CHECKING:
    from numberquest.solver.gpu import Card

G = TypeVar("G")
Key = TypeVar("Key", bound=tuple[int, ...])

CPU: Final = "cpu"
DEVICES: Final = (CPU, "cuda")
"""Where a game can be solved."""
PART: Final = "gpu"
"""What solves a game on a card lies beside its rules under this name."""


class Start(NamedTuple):
    """What the start of a game is worth under best play."""

    game: Game[Any]
    value: float
    """The chance that the player who begins wins: 0 or 1 where nothing is left to chance."""
    best: tuple[str, ...]
    """The moves that nothing is better than, in the order of the game's actions; none where chance begins."""
    positions: int
    """How many positions were solved for it."""


def starts(games: Iterable[Game[Any]], device: str = "cuda") -> Iterator[Start]:
    """The value and the best first moves of many settings, each as soon as it is known: not in the order of the games.

    `NoDevice`, before anything is solved, where the device or a game's part for it is missing. `TooLarge` when it comes
    to a setting that does not fit on the card; the largest come last.
    """
    by_kind: dict[type[Game[Any]], list[Game[Any]]] = {}
    for game in games:
        by_kind.setdefault(type(game), []).append(game)
    parts = {kind: _part(of[0], device) for kind, of in by_kind.items()}
    card = _card()
    return (start for kind, of in by_kind.items() for start in parts[kind].starts(of, card))


def solution(game: Game[Any], device: str, progress: Progress) -> Solution[Any]:
    """Every position of a game, solved on the device and kept there; `NoDevice` or `TooLarge` where that cannot be."""
    found: Solution[Any] = _part(game, device).solution(game, _card(), progress)
    return found


def check_device(device: str) -> None:
    """`NoDevice` where there is none of this name."""
    if device not in DEVICES:
        raise NoDevice(f"there is no device {device!r}: it is {' or '.join(DEVICES)}")


def _part(game: Game[Any], device: str) -> ModuleType:
    check_device(device)
    found = part(type(game), PART) if device != CPU else None
    if found is None:
        raise NoDevice(f"{game.slug} has no solver for {device}: solve it on the processor, without a device")
    return found


def _card() -> Card:
    from numberquest.solver.gpu import card

    return card()


def in_batches(games: Iterable[G], alike: Callable[[G], Key], at_most: Callable[[G], int]) -> Iterator[list[G]]:
    """Games whose `alike` is the same together, no more than `at_most` says of one of them."""
    for _, group in groupby(sorted(games, key=alike), key=alike):
        of_these = list(group)
        size = at_most(of_these[0])
        for first in range(0, len(of_these), size):
            yield of_these[first : first + size]
