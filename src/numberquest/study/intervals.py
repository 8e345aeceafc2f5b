"""Means with 95 % intervals, clustered by deal: games with the same deal are not independent of one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from math import copysign, inf, log, sqrt
from statistics import variance
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from numberquest.solver.numbers import Numbers

Z: Final = 1.959963984540054
"""Standard errors on each side of the mean of a normal distribution that hold 95 % of it."""
RULE_OF_THREE: Final = 3.0
"""Cases among n deals in which an event that none of the n deals showed may happen, with 95 % certainty."""
ROUNDING: Final = 1e-9
"""The largest difference between two numbers that count as equal."""
DIGITS: Final = 9
"""Digits behind the point in which the totals of two deals have to agree to be counted as one."""
CLOSE: Final = 1e-4
MOST_STEPS: Final = 60
FEW: Final = 10
"""Cases from which on an estimate of scatter is trusted."""


class Estimate(NamedTuple):
    """A mean, where the truth lies in 95 of 100 evaluations, and the standard error."""

    mean: float
    low: float
    high: float
    error: float


def t95(freedom: int) -> float:
    """Student's t for 95 %: more than 1.96 where there are few deals."""
    if freedom < 3:
        return {2: 4.302652729696142}.get(freedom, 12.706204736432095)
    z, n = Z, freedom
    # Cornish and Fisher's expansion, right to three digits from 3 on.
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def clustered(sums: Mapping[int, tuple[float, int]]) -> tuple[float, float | None] | None:
    """The mean of all that is summed up by deal, with its standard error; None where there is nothing."""
    number = sum(count for _, count in sums.values())
    if not number:
        return None
    mean = sum(total for total, _ in sums.values()) / number
    deals = sum(count > 0 for _, count in sums.values())
    if deals < 2:
        return mean, None
    squares = sum((total - mean * count) ** 2 for total, count in sums.values())
    error = sqrt(squares * deals / (deals - 1)) / number
    return mean, error if error > ROUNDING else 0.0


def by_deal(values: Iterable[tuple[int, float]]) -> dict[int, tuple[float, int]]:
    """Return the total of each deal's values, with their number."""
    sums: dict[int, tuple[float, int]] = {}
    for deal, value in values:
        total, count = sums.get(deal, (0.0, 0))
        sums[deal] = total + value, count + 1
    return sums


def named(
    name: str, found: Sequence[float] | None, prefix: str | None = None, *, sure: bool
) -> dict[str, float | None]:
    """A mean and its interval, if it can be told, as they stand in JSON: `regret`, `regret_low`, `regret_high`."""
    prefix = f"{name}_" if prefix is None else prefix
    mean, *ends = (found or (None,))[: 3 if sure else 1]
    return {name: mean, **dict(zip_longest((f"{prefix}low", f"{prefix}high"), ends))}


def wilson(mean: float, games: float, steps: float = Z) -> tuple[float, float]:
    """Return Wilson's interval of a share of `games`, `steps` standard errors to each side; sound also for 0 and 1."""
    square = steps**2 / games
    middle, width = mean + square / 2, steps * sqrt((mean * (1 - mean) + square / 4) / games)
    low, high = (middle - width) / (1 + square), (middle + width) / (1 + square)
    # Rounding must not put the share itself outside.
    return max(0.0, min(low, mean)), min(1.0, max(high, mean))


def share(sums: Mapping[int, tuple[float, int]]) -> Estimate | None:
    """The share of wins, with Wilson's interval for as many independent games as these are worth."""
    found = clustered(sums)
    if found is None:
        return None
    mean, error = found
    deals = sum(count > 0 for _, count in sums.values())
    # All won, or all lost: then each deal tells as much as one game.
    games = (mean * (1 - mean) / error**2 if error else 0.0) or deals
    return Estimate(mean, *wilson(mean, games, t95(deals - 1)), error or 0.0)


def average(sums: Mapping[int, tuple[float, int]], few: tuple[bool, bool] = (False, False)) -> Estimate | None:
    """The mean of what lies between 0 and 1 in truth, if not in every game.

    `few` says whether hardly anything was seen that draws it down, and up: then a rare thing that these deals did not
    show may still come, and the interval leaves room for it.
    """
    found = clustered(sums)
    if found is None:
        return None
    mean, error = found
    deals = sum(count > 0 for _, count in sums.values())
    if error is None:
        return Estimate(mean, min(0.0, mean), max(1.0, mean), 0.0)
    low, high = mean - t95(deals - 1) * error, mean + t95(deals - 1) * error
    unseen = min(1.0, RULE_OF_THREE / deals)
    if few[0] or not error:
        low = min(low, mean - unseen * mean)
    if few[1] or not error:
        high = max(high, mean + unseen * (1 - mean))
    return Estimate(mean, min(max(low, 0.0), mean), max(min(high, 1.0), mean), error)


def with_room(sums: Mapping[int, tuple[float, int]], lower: float, higher: float) -> Estimate | None:
    """Return the mean of games that nearly all end alike, with Gaffke's interval, which leaves room for rare games.

    Beside the deals that were seen stands one more for each end. One game of that deal ends `lower` below the mean, or
    `higher` above it; or the deal is like the worst that was seen.
    """
    clusters = clustered(sums)
    if clusters is None:
        return None
    mean, error = clusters
    if error is None:
        return Estimate(mean, min(0.0, mean), max(1.0, mean), 0.0)
    deals = [(total, count) for total, count in sums.values() if count]
    games = sum(count for _, count in deals) / len(deals)
    averages = [total / count for total, count in deals]
    least = min(mean * games - lower, min(averages) * games)
    low, high = _ends(deals, least, max(mean * games + higher, max(averages) * games))
    return Estimate(mean, min(max(low, 0.0), mean), max(min(high, 1.0), mean), error)


def of_ratio(strata: Sequence[Sequence[tuple[float, float]]], most: float) -> tuple[float, float]:
    """Return Gaffke's interval for the ratio of two sums, which every question adds one term each to.

    No term of the upper sum is below 0, and one that was not seen may be as large as `most`. Where every stratum has at
    least `FEW` questions, the interval is not widened by differences between strata.
    """
    parts = [part for stratum in strata for part in stratum]
    upper, lower = (sum(terms) for terms in zip(*parts, strict=True))
    ratio = upper / lower
    low, high = _ends(parts, 0.0, max(most, ratio * lower / len(parts), *(term for term, _ in parts)))
    off = [[term - ratio * weight for term, weight in stratum] for stratum in strata]
    whole = sum(one**2 for stratum in off for one in stratum)
    if whole and min(map(len, off)) >= FEW:
        within = sum(len(stratum) * variance(stratum) for stratum in off)
        narrower = min(1.0, sqrt(within / whole))
        low, high = ratio - (ratio - low) * narrower, ratio + (high - ratio) * narrower
    return low, high


def _ends(parts: Sequence[tuple[float, float]], least: float, most: float) -> tuple[float, float]:
    """Return both ends for the ratio of the sums of `parts`, with one more part that has `least` or `most`.

    With the weights of all parts drawn at random, the ratio lies beyond an end in 2.5 of 100 draws.
    """
    same = Counter((round(total, DIGITS), round(games, DIGITS)) for total, games in parts)
    average = sum(games for _, games in parts) / len(parts)
    seen = [(total, games, times) for (total, games), times in same.items()]
    below = [(-total, games, times) for total, games, times in seen]
    return -_end([*below, (-least, average, 1)]), _end([*seen, (most, average, 1)])


def _end(deals: Sequence[tuple[float, float, int]]) -> float:
    """Return the number that the weighted mean exceeds in 2.5 of 100 draws of the weights.

    Each of `deals` is a total, a number of games, and the number of deals that are equal.
    """
    import numpy as np

    totals, games, times = np.array(deals).T
    low, top = float(times @ totals / (times @ games)), float((totals / games).max())
    ends, off = (low, top), [-Z, inf]
    found = low + Z * sqrt(float(times @ (totals - low * games) ** 2)) / float(times @ games)
    for _ in range(MOST_STEPS if top - low > ROUNDING else 0):
        found = found if ends[0] < found < ends[1] else sum(ends) / 2
        above = _normal(totals - found * games, times) - Z
        if abs(above) < CLOSE:
            break
        # By the secant, where the end that stays counts half: so both come nearer.
        ends, off = ((found, ends[1]), [above, off[1] / 2]) if above < 0 else ((ends[0], found), [off[0] / 2, above])
        found = 2 * found - low if off[1] == inf else ends[0] - off[0] * (ends[1] - ends[0]) / (off[1] - off[0])
    return found


def _normal(off: Numbers, times: Numbers) -> float:
    """The chance that this mean, with random weights, is below 0, as a quantile of the normal distribution.

    By the saddlepoint of Lugannani and Rice in the form of Barndorff-Nielsen: right to three digits from two deals on.
    """
    import numpy as np

    point, ends = 0.0, (1 / float(off.min()), 1 / float(off.max()))
    for _ in range(MOST_STEPS):
        pulled = off / (1 - off * point)
        slope, before = float(times @ pulled), point
        ends = (ends[0], point) if slope > 0 else (point, ends[1])
        point -= slope / float(times @ pulled**2)
        point = point if ends[0] < point < ends[1] else sum(ends) / 2
        if abs(point - before) <= ROUNDING * abs(point):
            break
    width = sqrt(max(2 * float(times @ np.log1p(-off * point)), 0.0))
    bend = abs(point) * sqrt(float(times @ (off / (1 - off * point)) ** 2))
    return 0.0 if width < CLOSE else copysign(width + log(bend / width) / width, point)
