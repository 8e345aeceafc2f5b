"""Rates: so many a second, with some saved up, each name for itself; and shares of what there is in all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.server.limits import REMEMBERED, Gate, Limits, Rate, Shares, Thought, place_of, rate_name
from numberquest.server.store.base import Share


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


@pytest.mark.parametrize("wider", [0, 1, 2])
def test_a_wider_network_has_twice_as_much_saved_and_is_refilled_twice_as_fast(wider: int) -> None:
    clock = Clock()
    rate = Rate(1.0, 3.0, clock)
    homes = [f"2001:db8:0:{home * (0, 1, 256)[wider]:x}::/64" for home in range(16)]
    for seconds, amount in ((0, 3), (2, 2), (100, 3)):
        clock.now += seconds
        assert sum(rate.allows(home) for home in homes for _ in range(4)) == 2**wider * amount


def test_one_who_asks_too_much_does_not_hold_up_another() -> None:
    rate = Rate(1.0, 3.0, Clock())
    assert [rate.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rate.allows("b")


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
    assert gate.open.total == 3


# ---- thinking


def test_what_is_thought_about_costs_what_it_takes() -> None:
    """A hundred cheap things are thought about where a single dear one uses everything up."""
    thought = Thought(1.0, Clock())
    for _ in range(100):
        assert thought.begins("class")
        thought.used("class", 0.01)
        thought.ends("class")
    assert thought.begins("greedy")
    thought.used("greedy", 70.0)
    thought.ends("greedy")
    assert not thought.begins("greedy")
    assert thought.begins("class")


def test_an_address_has_so_much_thought_about_at_once_and_no_more() -> None:
    """Nothing is known of what these will take: there is room for a class twice over, and not for any number."""
    thought = Thought(1.0, Clock())
    assert [thought.begins("a") for _ in range(61)] == [True] * 60 + [False]
    thought.ends("a")
    assert thought.begins("a")
    assert thought.begins("b")


def test_who_has_used_too_much_waits_no_longer_than_two_minutes() -> None:
    clock = Clock()
    thought = Thought(1.0, clock)
    assert thought.begins("a")
    thought.used("a", 10_000.0)
    thought.ends("a")
    clock.now = 59.0
    assert not thought.begins("a")
    clock.now = 121.0
    assert thought.begins("a")


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 20)), max_size=60))
def test_never_more_thought_than_the_rate_what_was_saved_and_the_last_one(steps: list[tuple[float, float]]) -> None:
    clock = Clock()
    thought = Thought(1.0, clock)
    used = 0.0
    for pause, seconds in steps:
        clock.now += pause
        if thought.begins("a"):
            assert used <= 60 + clock.now + 1e-6
            thought.used("a", seconds)
            thought.ends("a")
            used += seconds


# ---- matches


def test_spectators_the_invited_and_the_players_are_counted_apart() -> None:
    names = [
        rate_name("m", "here"),
        rate_name("m", "there"),
        rate_name("m", "here", invited=True),
        rate_name("m", "here", [0]),
        rate_name("m", "here", [1]),
        rate_name("n", "here"),
    ]
    assert len(set(names)) == len(names)
    # A player stays one where they come from another address, on the way home.
    assert rate_name("m", "here", [0]) == rate_name("m", "there", [0])


def test_one_owner_cannot_fill_the_server_and_a_school_can_play() -> None:
    limits = Limits()
    shares = Shares(limits)
    free = limits.matches
    while shares.room_for("one", free):
        shares.opened("one", 400)
        free -= 1
    assert 1_000 < limits.matches - free <= limits.matches // 4


@given(st.integers(1, 400), st.integers(1, 60))
def test_whoever_has_none_gets_one_while_there_is_any_room(matches: int, owners: int) -> None:
    """However many others have taken all they may."""
    shares = Shares(Limits(matches=matches))
    free = matches
    for owner in map(str, range(owners)):
        had = 0
        while free and shares.room_for(owner, free):
            shares.opened(owner, 1)
            free, had = free - 1, had + 1
        assert had or not free
        assert had <= max(1, matches // 4)
    assert not free or shares.room_for("new", free)


def test_a_match_that_is_over_makes_room_and_what_is_stored_of_it_counts_on() -> None:
    shares = Shares(Limits(stored=1000))
    shares.opened("a", 400)
    assert not shares.room_for("a", 7)
    shares.closed("a")
    assert shares.room_for("a", 7)
    shares.wrote("a", 600)
    assert not shares.room_for("a", 1_000_000)
    assert shares.room_for("b", 1_000_000)
    # As the store counts it, once the oldest have been removed.
    shares.begin({"a": Share(0, 100)})
    assert shares.room_for("a", 7)


def test_nobody_known_has_no_share() -> None:
    shares = Shares(Limits(stored=0))
    shares.opened("", 400)
    shares.wrote("", 400)
    shares.closed("")
    assert shares.room_for("", 1)


def test_in_one_match_a_quarter_of_the_rate_is_allowed_and_twice_that_at_once() -> None:
    now = [0.0]
    gate = Gate(Limits(rate=40), lambda: now[0])
    assert sum(gate.in_match.allows("m") for _ in range(100)) == 20
    now[0] += 1
    assert sum(gate.in_match.allows("m") for _ in range(100)) == 10
    assert sum(gate.asked.allows("a") for _ in range(1000)) == 160
    now[0] += 1
    assert sum(gate.asked.allows("a") for _ in range(1000)) == 40
