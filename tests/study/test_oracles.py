"""Figures of ours are those of scipy and statsmodels, which know nothing of our formulas."""

from itertools import combinations
from math import atan, exp, log1p, pi, sin
from random import Random

import pytest

from numberquest.study.game import Row
from numberquest.study.intervals import Z, average, clustered, share, t95, wilson, with_room
from numberquest.study.league import POINTS, fitted
from tests.conftest import in_ci

TAIL = 0.025
Sums = dict[int, tuple[float, int]]


def values_by_deal(dice: Random, deals: int) -> tuple[list[float], list[int]]:
    """Values between 0 and 1 with the deal of each: one to four in a deal, which pushes all of them alike."""
    values, of = [], []
    for deal in range(deals):
        push = dice.uniform(0.2, 0.8)
        for _ in range(dice.randint(1, 4)):
            values.append(min(1.0, max(0.0, push + dice.uniform(-0.3, 0.3))))
            of.append(deal)
    return values, of


def summed(values: list[float], of: list[int]) -> Sums:
    sums: Sums = {}
    for value, deal in zip(values, of, strict=True):
        total, count = sums.get(deal, (0.0, 0))
        sums[deal] = total + value, count + 1
    return sums


def games_played(dice: Random, names: str, deals: int) -> list[Row]:
    """Games of uneven numbers, some drawn and some missing, in which a deal moves all that is played with it."""
    rows = []
    for deal in range(deals):
        push = dice.gauss(0, 1)
        for a, b in combinations(names, 2):
            for seat in (0, 1):
                edge = (ord(b) - ord(a)) / 3 + (0.3 + push) * (1 - 2 * seat)
                won = 0.5 if dice.random() < 0.1 else float(dice.random() < 1 / (1 + exp(-edge)))
                rows += [Row(a, b, deal, seat, won, ())] * dice.choice([0, 1, 1, 2])
    return rows


def test_the_quantiles_of_t_are_those_of_scipy() -> None:
    from scipy.special import ndtri, stdtrit

    assert pytest.approx(ndtri(1 - TAIL), abs=1e-12) == Z
    for freedom in range(1, 500):
        assert t95(freedom) == pytest.approx(stdtrit(freedom, 1 - TAIL), rel=3e-3 if freedom < 10 else 1e-5), freedom


@in_ci
def test_means_and_shares_of_clustered_games_are_those_of_statsmodels() -> None:
    import numpy as np
    from scipy.special import ndtr
    from statsmodels.regression.linear_model import OLS
    from statsmodels.stats.proportion import proportion_confint

    for deals in (2, 3, 12, 200):
        values, of = values_by_deal(Random(deals), deals)
        theirs = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": of}, use_t=True)
        ours, whole = clustered(summed(values, of)), average(summed(values, of))
        assert ours == pytest.approx((theirs.params[0], theirs.bse[0]))
        low, high = theirs.conf_int()[0]
        assert whole is not None
        assert whole[1:3] == pytest.approx((max(0.0, low), min(1.0, high)), abs=3e-3 * theirs.bse[0] * t95(deals - 1))
    for won, games in ((0, 7), (1, 3), (30, 60), (59, 60), (60, 60)):
        assert wilson(won / games, games) == pytest.approx(proportion_confint(won, games, method="wilson"))
    # A share: Wilson's interval of as many games as have its standard error, with Student's t in place of the normal.
    for deals in (3, 6, 40):
        values, of = values_by_deal(Random(deals), deals)
        wins = [float(value > 0.5) for value in values]
        theirs = OLS(wins, np.ones(len(wins))).fit(cov_type="cluster", cov_kwds={"groups": of}, use_t=True)
        mean, error, found = theirs.params[0], theirs.bse[0], share(summed(wins, of))
        assert found is not None
        steps, games = (theirs.conf_int()[0][1] - mean) / error, mean * (1 - mean) / error**2
        ends = proportion_confint(mean * games, games, alpha=2 * ndtr(-steps), method="wilson")
        assert found[1:3] == pytest.approx(ends, rel=1e-3 if deals < 10 else 1e-5)


@in_ci
def test_the_strengths_and_intervals_of_a_league_are_those_of_statsmodels_logistic_regression() -> None:
    import numpy as np
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    for names, deals in (("ab", 4), ("abc", 3), ("abcde", 40)):
        rows = games_played(Random(deals), names, deals)
        design = np.zeros((len(rows), len(names) + 1))
        for at, row in enumerate(rows):
            first, second = row.players
            design[at, [names.index(first), names.index(second), -1]] = 1, -1, 1
        won = np.array([(row.result or 0.0) if row.seat == 0 else 1 - (row.result or 0.0) for row in rows])
        # What all strengths have in common cannot be told: that of the last is minus all others: 0 on average.
        free = np.delete(np.eye(len(names) + 1), len(names) - 1, axis=1)
        free[len(names) - 1, :-1] = -1
        theirs = GLM(won, design @ free, family=Binomial()).fit(
            tol=1e-13,
            tol_criterion="params",
            cov_type="cluster",
            cov_kwds={"groups": np.array([row.deal for row in rows]), "use_correction": False},
        )
        fit = fitted(tuple(names), rows)
        assert fit.strengths is not None
        assert fit.seat is not None
        ours = [*fit.strengths, fit.seat]
        assert [one.rating for one in ours] == pytest.approx(POINTS * free @ theirs.params, abs=1e-6)
        wide = [(one.high - one.low) / 2 / t95(deals - 1) for one in ours]
        spread = np.diag(free @ theirs.cov_params() @ free.T) * deals / (deals - 1)
        assert wide == pytest.approx(POINTS * spread**0.5, rel=1e-6)


def below(off: list[float]) -> float:
    """How likely a sum of these, each times a random number of the exponential distribution, is below 0.

    From the characteristic function, as Gil-Pelaez and Imhof turn it round.
    """
    from scipy.integrate import quad

    def turned(u: float) -> float:
        angle, size = sum(atan(one * u) for one in off), sum(log1p((one * u) ** 2) for one in off) / 2
        return sin(angle) / u * exp(-size)

    scale = max(map(abs, off))
    area: float = quad(lambda u: turned(u / scale) / scale, 0, float("inf"), limit=500, epsabs=1e-10)[0]
    return 0.5 - area / pi


@pytest.mark.parametrize("deals", [3, 10, 60])
def test_room_for_what_is_rare_leaves_2_and_a_half_of_100_beyond_each_end_as_scipy_integrates(deals: int) -> None:
    values, of = values_by_deal(Random(deals), deals)
    sums = summed(values, of)
    found = with_room(sums, 0.3, 0.1)
    assert found is not None
    games = len(values) / deals
    shares = [total / count for total, count in sums.values()]
    for end, worst, sign in (
        (found.low, min(found.mean - 0.3 / games, *shares), 1),
        (found.high, max(found.mean + 0.1 / games, *shares), -1),
    ):
        weighed = [*sums.values(), (worst * games, games)]
        assert below([sign * (total - end * count) for total, count in weighed]) == pytest.approx(TAIL, abs=1e-3)


@pytest.mark.parametrize(("deals", "slips"), [(20, 0), (100, 2), (1000, 5)])
def test_room_is_that_of_clopper_and_pearson_where_all_slips_cost_alike(deals: int, slips: int) -> None:
    from scipy.special import betaincinv

    found = with_room({deal: (float(deal >= slips), 1) for deal in range(deals)}, 1 - slips / deals, 0.0)
    assert found is not None
    assert 1 - found.low == pytest.approx(betaincinv(slips + 1, deals - slips, 1 - TAIL), rel=0.01)
    assert found.mean <= found.high <= 1
