"""Intervals that hold the truth as often as they say, clustered by deal."""

from random import Random

import pytest

from numberquest.study.intervals import average, share, t95


@pytest.mark.parametrize(("freedom", "known"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (30, 2.042)])
def test_students_t_is_that_of_the_tables(freedom: int, known: float) -> None:
    assert t95(freedom) == pytest.approx(known, rel=3e-3)
    assert t95(10**6) == pytest.approx(1.959964, abs=1e-4)


def test_games_of_one_deal_count_as_what_they_are() -> None:
    # Both games of a deal always end alike: that is half as many games as it seems.
    alike = share({deal: (2.0 * (deal % 2), 2) for deal in range(100)})
    apart = share({deal: (1.0 * (deal % 2), 1) for deal in range(100)})
    assert alike is not None
    assert apart is not None
    assert (alike.low, alike.high) == pytest.approx((apart.low, apart.high))


@pytest.mark.parametrize("true", [0.5, 0.9, 0.98])
def test_the_interval_of_a_share_holds_the_truth_in_95_of_100(true: float) -> None:
    dice, held = Random(4), 0
    for _ in range(400):
        sums = {}
        for deal in range(60):
            # Two games a deal, which have something in common.
            push = dice.uniform(-1, 1) * (1 - true)
            sums[deal] = float(sum(dice.random() < true + push for _ in range(2))), 2
        found = share(sums)
        assert found is not None
        held += found.low <= true <= found.high
    assert held >= 0.92 * 400


def test_all_won_is_not_certain_to_go_on() -> None:
    found = share(dict.fromkeys(range(50), (1.0, 1)))
    assert found is not None
    assert found.high == 1
    assert 0.9 < found.low < 0.95
    same = average(dict.fromkeys(range(300), (0.4, 1)))
    assert same is not None
    assert same.low == pytest.approx(0.4 - 0.01 * 0.4)
    assert same.high == pytest.approx(0.4 + 0.01 * 0.6)
    few = average({deal: (0.01 * (deal % 2), 1) for deal in range(300)}, (False, True))
    assert few is not None
    assert few.high == pytest.approx(0.005 + 0.01 * 0.995)


def test_one_deal_tells_next_to_nothing_and_none_tells_nothing() -> None:
    one = average({7: (0.3, 1)})
    assert one is not None
    assert (one.low, one.high) == (0, 1)
    assert average({}) is None
    assert share({}) is None
