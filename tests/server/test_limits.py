"""Rates: so many a second, with some saved up, each name for itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.server.limits import REMEMBERED, Gate, Limits, Rate, place_of


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@given(steps=st.lists(st.floats(0, 3), max_size=60))
def test_never_more_than_the_rate_and_what_was_saved(steps: list[float]) -> None:
    clock = Clock()
    rate = Rate(2.0, 5.0, clock)
    allowed = 0
    for step in steps:
        clock.now += step
        allowed += rate.allows("a")
        assert allowed <= 5 + 2 * clock.now + 1e-9


def test_one_who_asks_too_much_does_not_hold_up_another() -> None:
    rate = Rate(1.0, 3.0, Clock())
    assert [rate.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rate.allows("b")


def test_after_a_while_one_may_ask_again() -> None:
    clock = Clock()
    rate = Rate(1.0, 1.0, clock)
    assert rate.allows("a")
    assert not rate.allows("a")
    clock.now = 1.5
    assert rate.allows("a")


def test_only_so_many_names_are_remembered() -> None:
    rate = Rate(1.0, 1.0, Clock())
    for name in range(REMEMBERED + 10):
        rate.allows(str(name))
    assert len(rate._left) == REMEMBERED


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("local", "local"),
    ],
)
def test_a_home_with_many_addresses_is_one_place(address: str, place: str) -> None:
    assert place_of(address) == place


def test_open_connections_are_counted_for_each_address() -> None:
    gate = Gate(Limits(connections=2))
    assert [gate.enter("a"), gate.enter("a"), gate.enter("a"), gate.enter("b")] == [True, True, False, True]
    gate.leave("a")
    assert gate.enter("a")
    assert gate.open_connections == 3
