"""Means with 95 % intervals, clustered by deal: games with the same deal are not independent of one another."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Final, NamedTuple

Z: Final = 1.959963984540054
"""So many standard errors of a normal distribution to each side hold 95 %."""
RULE_OF_THREE: Final = 3.0
"""What was not seen in n deals happens, with 95 % certainty, in no more than 3 of n."""
ROUNDING: Final = 1e-9
"""What differs by less does not differ."""
AGREE: Final = 1.5
"""A variance that was seen may differ by this factor from what was expected, by chance alone."""
FEW: Final = 10
"""What was seen less often than this may be rarer or more frequent than it seems, by a lot."""


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
    """What was seen in each deal, summed up: the total, and how many there were."""
    sums: dict[int, tuple[float, int]] = {}
    for deal, value in values:
        total, count = sums.get(deal, (0.0, 0))
        sums[deal] = total + value, count + 1
    return sums


def named(name: str, found: Sequence[float] | None, prefix: str | None = None) -> dict[str, float | None]:
    """A mean and its interval as they stand in JSON: `regret`, `regret_low`, `regret_high`."""
    prefix = f"{name}_" if prefix is None else prefix
    return dict(zip((name, f"{prefix}low", f"{prefix}high"), found or (None, None, None), strict=False))


def wilson(mean: float, games: float, steps: float = Z) -> tuple[float, float]:
    """Wilson's interval of a share of so many games, as wide as so many standard errors; sound also for 0 and 1."""
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


def average(
    sums: Mapping[int, tuple[float, int]],
    few: tuple[bool, bool] = (False, False),
    variance: float = 0.0,
    *,
    seen_enough: bool = False,
) -> Estimate | None:
    """The mean of what lies between 0 and 1 in truth, if not in every game.

    `few` says whether hardly anything was seen that draws it down, and up: then a rare thing that these deals did not
    show may still come, and the interval leaves room for it. `variance` is that of the mean, as far as it is
    expected from elsewhere: the interval is no narrower than that, unless enough was seen; then what was expected and
    what was seen are averaged, where they agree.
    """
    found = clustered(sums)
    if found is None:
        return None
    mean, error = found
    deals = sum(count > 0 for _, count in sums.values())
    if error is None:
        return Estimate(mean, min(0.0, mean), max(1.0, mean), 0.0)
    seen = error**2
    if not seen_enough:
        error = sqrt(max(seen, variance))
    elif variance / AGREE < seen < variance * AGREE:
        error = sqrt((seen + variance) / 2)
    if error < ROUNDING:
        error = 0.0
    low, high = mean - t95(deals - 1) * error, mean + t95(deals - 1) * error
    unseen = min(1.0, RULE_OF_THREE / deals)
    if few[0] or not error:
        low = min(low, mean - unseen * mean)
    if few[1] or not error:
        high = max(high, mean + unseen * (1 - mean))
    return Estimate(mean, min(max(low, 0.0), mean), max(min(high, 1.0), mean), error)
