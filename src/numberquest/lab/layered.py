"""What the recurrences over pools of numbers share, for the games that have such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.solver.budget import TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game
    from numberquest.lab.mixed import Pair
    from numberquest.solver.budget import Progress
    from numberquest.solver.pools import Pools

MOST_POSITIONS = 60_000_000
"""With more than this it would take many minutes. The classic games have fewer."""


def check_size(game: Game[Any], target: int, pools: Pools) -> None:
    """`TooLarge` where it would take too long."""
    positions = pools.number * target**2
    if positions > MOST_POSITIONS:
        raise TooLarge(f"{game!r} has {positions:,} positions, and more than {MOST_POSITIONS:,} would take too long")


def in_parts(
    pairs: Sequence[Pair],
    together: int,
    progress: Progress,
    solve: Callable[[Sequence[Pair], Progress], list[float]],
) -> list[float]:
    """A few pairs at a time, for the sake of memory, with the progress of the whole."""
    parts = [pairs[at : at + together] for at in range(0, len(pairs), together)]
    answers: list[float] = []
    for at, part in enumerate(parts):
        answers += solve(part, lambda done, total, at=at: progress(at * total + done, len(parts) * total))  # type: ignore[misc]
    return answers
