"""Intervals that hold the truth as often as they say, clustered by deal."""

from random import Random

import pytest

from numberquest.study.intervals import average, share, with_room


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
    few = with_room({7: (0.3, 1)}, 0.1, 0.1)
    assert few is not None
    assert (few.low, few.high) == (0, 1)
    assert with_room({}, 0.1, 0.1) is None


def test_what_can_be_no_different_needs_no_room() -> None:
    found = with_room(dict.fromkeys(range(30), (0.8, 2)), 0.0, 0.0)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.4, 0.4))
