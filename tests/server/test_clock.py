"""A clock that jumps deletes nothing: a match is removed because it is old only while the clock can be believed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from numberquest.server import wire
from numberquest.server.clock import SaneClock, steady_time
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.think.pool import Thinking
from tests.server.keeping import NOW, a_match, an_entry, opened

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3600.0
DAY = 24 * HOUR


class Clocks:
    """A clock that somebody may set, and what passes in truth."""

    def __init__(self, now: float = NOW) -> None:
        self.now, self.passed = now, 5.0

    def clock(self) -> float:
        return self.now

    def steady(self) -> float:
        return self.passed

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.passed += seconds


def sane(clocks: Clocks, newest: float | None) -> SaneClock:
    return SaneClock(clocks.clock, clocks.steady, newest)


def test_a_clock_that_goes_on_steadily_is_believed() -> None:
    clocks = Clocks()
    found = sane(clocks, NOW - 60)
    for _ in range(24 * 40):
        clocks.wait(HOUR)
        # As a computer does that asks others for the time.
        clocks.now += 0.5
        assert found.look()


@pytest.mark.parametrize("jump", [31 * DAY, -31 * DAY, 2 * HOUR, -2 * HOUR, 400 * DAY])
def test_a_clock_that_jumps_is_believed_again_after_a_day_without_another(jump: float) -> None:
    clocks = Clocks()
    found = sane(clocks, NOW)
    clocks.wait(HOUR)
    assert found.look()
    clocks.now += jump
    assert not found.look()
    for _ in range(23):
        clocks.wait(HOUR)
        assert not found.look()
    clocks.now -= jump
    assert not found.look()
    clocks.wait(DAY - 1)
    assert not found.look()
    clocks.wait(1)
    assert found.look()


def test_a_clock_that_is_set_by_little_again_and_again_is_doubted_in_the_end() -> None:
    clocks = Clocks()
    found = sane(clocks, NOW)
    looks = []
    for _ in range(12):
        clocks.wait(HOUR)
        clocks.now += HOUR / 2
        looks.append(found.look())
    assert looks[0]
    assert not all(looks)


@pytest.mark.parametrize("off", [31 * DAY, -31 * DAY])
def test_a_clock_that_does_not_fit_the_newest_match_at_the_start_is_not_believed_for_a_day(off: float) -> None:
    clocks = Clocks()
    found = sane(clocks, NOW - off)
    clocks.wait(DAY - 1)
    assert not found.look()
    clocks.wait(1)
    assert found.look()


def test_with_nothing_in_the_store_there_is_nothing_to_doubt() -> None:
    assert sane(Clocks(), None).look()


def test_steady_time_passes() -> None:
    before = steady_time()
    while steady_time() <= before:
        pass


class Told(Log):
    """Remembers the events."""

    def __init__(self) -> None:
        super().__init__(None)
        self.events: list[str] = []

    def event(self, name: str, /, **facts: str | float | None) -> None:
        self.events.append(name)


@pytest.mark.parametrize("when", ["while it runs", "before it starts"])
def test_a_server_whose_clock_jumps_31_days_removes_nothing_and_says_so(when: str, tmp_path: Path) -> None:
    clocks = Clocks()

    async def main() -> None:
        async with opened(str(tmp_path / "games.db")) as store:
            for number in range(5):
                await store.create(a_match(f"m{number}", NOW - number))
                await store.append(f"m{number}", an_entry(0), over=False)
            if when == "before it starts":
                clocks.now += 31 * DAY
            log, gate = Told(), Gate(Limits())
            hub = Hub(store, Thinking(), gate, log, clock=clocks.clock, steady=clocks.steady)
            if when == "while it runs":
                await hub.sweep()
                clocks.now += 31 * DAY
            await hub.sweep()
            # A match that has its time from the same clock proves nothing.
            await hub.create(wire.NewMatch("sumquest", opponent="screen"))
            for _ in range(22):
                clocks.wait(HOUR)
                await hub.sweep()
            assert log.events.count("clock") == 23
            assert "removed" not in log.events
            assert (await store.totals()).unfinished == 6
            # A day later there is no doubt left, and what is old goes.
            clocks.wait(2 * HOUR)
            await hub.sweep()
            assert log.events.count("removed") == 5
            await hub.close()

    asyncio.run(main())
