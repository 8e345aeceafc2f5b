"""Intervals that hold the truth as often as they say, clustered by deal."""

from random import Random

import pytest

from numberquest.study.intervals import average, share, t95, with_room


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


@pytest.mark.parametrize(("deals", "steps"), [(2, 12.706), (3, 4.303), (6, 2.571)])
def test_the_ends_of_a_share_are_as_far_as_students_t_of_one_less_than_the_deals(deals: int, steps: float) -> None:
    found = share({deal: (float(deal % 2 + 1), 2) for deal in range(deals)})
    assert found is not None
    games = found.mean * (1 - found.mean) / found.error**2
    for end in (found.low, found.high):
        assert (found.mean - end) ** 2 == pytest.approx(steps**2 * end * (1 - end) / games, rel=5e-3)


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


@pytest.mark.parametrize(
    ("deals", "seen", "end"), [(20, 0, 0.1684), (100, 0, 0.0362), (100, 2, 0.0704), (1000, 5, 0.01163)]
)
def test_room_for_what_is_rare_is_that_of_clopper_and_pearson_where_all_slips_cost_alike(
    deals: int, seen: int, end: float
) -> None:
    found = with_room({deal: (float(deal >= seen), 1) for deal in range(deals)}, 1 - seen / deals, 0.0)
    assert found is not None
    assert 1 - found.low == pytest.approx(end, rel=0.01)
    assert found.mean <= found.high <= 1


def test_room_is_as_wide_as_students_interval_where_much_was_seen() -> None:
    dice = Random(5)
    sums = {deal: (0.5 + dice.uniform(-0.3, 0.3) + dice.uniform(-0.1, 0.1), 2) for deal in range(2000)}
    usual, found = average(sums), with_room(sums, 0.2, 0.2)
    assert usual is not None
    assert found is not None
    assert found.high - found.low == pytest.approx(usual.high - usual.low, rel=0.03)


def test_what_can_be_no_different_needs_no_room() -> None:
    found = with_room(dict.fromkeys(range(30), (0.8, 2)), 0.0, 0.0)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.4, 0.4))
