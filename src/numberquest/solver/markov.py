"""What a game comes to on average once all choices are made: a chain in which only chance is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from numberquest.solver.budget import TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.intp]"

LARGEST_DENSE: Final = 1500
"""Up to so many places the equations are solved as they stand; beyond, by repetition."""
BLOCK: Final = 48
"""So many equations are solved at a time."""
STILL_INSIDE: Final = 1e-14
"""Repeated until play goes on with no larger chance than this: then nothing is further from the truth."""
MOST_STEPS: Final = 200_000
LOOK: Final = 256


def averages(
    source: Indices,
    target: Indices,
    odds: Numbers,
    beyond: Numbers,
    leaves: NDArray[np.bool_],
    still: Callable[[], None],
) -> tuple[Numbers, float]:
    """For each place of a chain what it comes to on average, and how many steps that takes at most, on average.

    One steps from `source` to `target` with these odds, and leaves from where `leaves` says, which brings `beyond`:
    one row for each place. Who can never leave gets nothing. `still` is called now and then where it takes long.
    """
    import numpy as np

    size = len(beyond)
    out = _can_leave(source, target, leaves)
    within = out[source]
    if not within.all():
        source, target, odds = source[within], target[within], odds[within]
    if size > LARGEST_DENSE:
        return _repeated(source, target, odds, beyond, still)
    matrix = np.eye(size) - np.bincount(source * size + target, odds, size * size).reshape(size, size)
    solved = _in_blocks(matrix, np.column_stack([beyond, np.ones(size)]))
    return solved[:, :-1], float(solved[:, -1].max())


def _in_blocks(matrix: Numbers, right: Numbers) -> Numbers:
    """The solution of the equations, some at a time: each block is written in terms of those behind it, then back.

    Most places lead to ones before them, so little is left to write. And NumPy solves small systems at once, but larger
    ones with all cores together, which takes a hundred times as long where these are busy.
    """
    import numpy as np

    size = len(matrix)
    starts = range(0, size, BLOCK)
    behind: list[tuple[Indices, Numbers]] = []
    for start in starts:
        stop = start + BLOCK
        rows, known = matrix[start:stop], right[start:stop]
        for (columns, factors), before in zip(behind, starts, strict=False):
            part = rows[:, before : before + BLOCK]
            if part.any():
                rows[:, columns] -= part @ factors
                known -= part @ right[before : before + BLOCK]
        columns = stop + np.flatnonzero(rows[:, stop:].any(axis=0))
        solved = np.linalg.solve(rows[:, start:stop], np.concatenate([known, rows[:, columns]], axis=1))
        right[start:stop] = solved[:, : right.shape[1]]
        behind.append((columns, solved[:, right.shape[1] :]))
    for start, (columns, factors) in reversed(list(zip(starts, behind, strict=True))):
        right[start : start + BLOCK] -= factors @ right[columns]
    return right


def _can_leave(source: Indices, target: Indices, leaves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    out = leaves.copy()
    while not out.all():
        further = source[out[target]]
        if out[further].all():
            break
        out[further] = True
    return out


def _repeated(
    source: Indices, target: Indices, odds: Numbers, beyond: Numbers, still: Callable[[], None]
) -> tuple[Numbers, float]:
    """Step by step: what can still change is never more than the chance that play has not left yet."""
    import numpy as np

    size, columns = beyond.shape
    sums = [np.zeros(size) for _ in range(columns)]
    inside, half = np.ones(size), 0
    for step in range(1, MOST_STEPS):
        sums = [beyond[:, at] + np.bincount(source, odds * known[target], size) for at, known in enumerate(sums)]
        inside = np.bincount(source, odds * inside[target], size).astype(float)
        most = float(inside.max())
        if not half and most <= 0.5:
            half = step
        if most < STILL_INSIDE:
            return np.column_stack(sums), 2.0 * half
        if not step % LOOK:
            still()
    raise TooLarge(f"it goes round in circles for so long that {MOST_STEPS:,} steps do not tell how it ends")


def visits(
    source: Indices,
    target: Indices,
    odds: Numbers,
    entering: Numbers,
    leaves: NDArray[np.bool_],
    still: Callable[[], None],
) -> Numbers:
    """How often one comes to each place of a chain on average, entering at each place so often.

    Places that can never be left count as none: one would be there without end.
    """
    import numpy as np

    size = len(entering)
    out = _can_leave(source, target, leaves)
    within = out[source] & out[target]
    source, target, odds = source[within], target[within], odds[within]
    entering = np.where(out, entering, 0.0)
    if size <= LARGEST_DENSE:
        matrix = np.eye(size) - np.bincount(target * size + source, odds, size * size).reshape(size, size)
        return _in_blocks(matrix, entering[:, None].copy())[:, 0]
    total, here = entering.copy(), entering
    for step in range(1, MOST_STEPS):
        here = np.bincount(target, odds * here[source], size).astype(float)
        total += here
        if here.sum() < STILL_INSIDE:
            return total
        if not step % LOOK:
            still()
    raise TooLarge(f"it goes round in circles for so long that {MOST_STEPS:,} steps do not tell how it ends")
