"""Who is next is fair: to addresses, then to their matches, and to small games beside large ones, as is learnt."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.server.think.fair_queue import LARGE, LOOKED_AT, MUCH, NEW, RECENT, SMALL, CostModel, FairQueue, Job

NAMES = st.sampled_from("abcd")
JOBS = st.builds(
    Job[int], st.integers(), NAMES, st.sampled_from(["", "m", "n"]), st.booleans(), st.sampled_from([SMALL, LARGE])
)
TIMES = st.floats(0.001, 20)


def used_up(line: FairQueue[int], seconds: dict[str, float]) -> float:
    """Have each of them use so many seconds, one after the other; the time it is then."""
    now = 0.0
    for address, used in seconds.items():
        line.put(Job(0, address), now)
        job = line.take(now, SMALL)
        assert job is not None
        now += used
        line.done(job, now)
    return now


@given(st.dictionaries(NAMES, TIMES), st.lists(JOBS), st.data())
def test_nothing_is_lost_and_nothing_comes_twice(
    used: dict[str, float], jobs: list[Job[int]], data: st.DataObject
) -> None:
    line: FairQueue[int] = FairQueue()
    now = used_up(line, used)
    for job in jobs:
        line.put(job, now)
    gone = data.draw(st.sets(st.sampled_from(jobs))) if jobs else set()
    for job in gone:
        line.remove(job)
        line.remove(job)
    assert line.waiting(SMALL) + line.waiting(LARGE) == len(jobs) - len(gone)
    taken = []
    while (one := line.take(now, *data.draw(st.permutations([SMALL, LARGE])))) is not None:
        taken.append(one)
        now += data.draw(TIMES)
        line.done(one, now)
    assert Counter(map(id, taken)) == Counter(id(job) for job in jobs if job not in gone)
    assert line.waiting(SMALL) == line.waiting(LARGE) == 0


def test_nothing_new_is_tried_for_who_has_used_much_while_others_ask_for_what_is_small() -> None:
    """Otherwise each small game waits until a thousandth try of somebody's unknown rules is over."""

    def new(line: FairQueue[int], now: float, address: str = "hog", spares: bool = True) -> bool:
        job = Job(0, address, size=NEW)
        line.put(job, now)
        taken = line.take(now, SMALL, NEW, spares=spares)
        if taken is None:
            line.remove(job)
        else:
            line.done(taken, now)
        return taken is job

    line: FairQueue[int] = FairQueue()
    now = used_up(line, {"hog": MUCH + 1})
    # Alone it keeps nobody waiting, not by what it asks for itself either.
    assert new(line, now)
    line.put(Job(0, "friend"), now)
    small = line.take(now, SMALL, NEW, spares=True)
    assert small is not None
    line.done(small, now)
    assert not new(line, now)
    # Another worker tries it meanwhile; and so does this one when nobody else has asked for a while.
    assert new(line, now, spares=False)
    assert not new(line, now + 0.9 * RECENT)
    assert new(line, now + 1.1 * RECENT)
    # What was small may have waited long: its network can only ask for the next one when it is answered.
    line.put(Job(0, "friend"), now)
    small = line.take(now, SMALL, NEW, spares=True)
    assert small is not None
    line.done(small, now + 2 * RECENT)
    assert not new(line, now + 2 * RECENT)
    # Who has used little is never spared.
    little: FairQueue[int] = FairQueue()
    now = used_up(little, {"friend": 0.1, "other": 0.1})
    assert new(little, now, "other")


@given(st.dictionaries(NAMES, TIMES), st.lists(JOBS, min_size=1), st.data())
def test_next_is_always_one_of_those_who_have_used_least(
    used: dict[str, float], jobs: list[Job[int]], data: st.DataObject
) -> None:
    line: FairQueue[int] = FairQueue()
    now = used_up(line, used)
    waiting = list(jobs)
    for job in jobs:
        line.put(job, now)
    in_hand: list[Job[int]] = []
    while waiting:
        size = data.draw(st.sampled_from([SMALL, LARGE]))
        have = {address: line.used(address, now) for address in "abcd"}
        one = line.take(now, size)
        same = [job for job in waiting if job.size == size]
        if one is None:
            assert not same
            continue
        assert one.size == size, "a worker for small ones is never given a large one"
        assert have[one.address] == min(have[job.address] for job in same)
        # Of one address the urgent ones go first.
        assert one.urgent or not any(job.urgent for job in same if job.address == one.address)
        waiting.remove(one)
        in_hand.append(one)
        now += data.draw(TIMES)
        if data.draw(st.booleans()):
            line.done(in_hand.pop(0), now)


@given(st.lists(TIMES, min_size=4, max_size=4), st.integers(1, 9), st.data())
def test_nobody_waits_behind_more_than_one_job_of_each_who_has_used_more(
    used: list[float], each: int, data: st.DataObject
) -> None:
    line: FairQueue[int] = FairQueue()
    now = used_up(line, dict(zip("abcd", used, strict=True)))
    for address in "abcd":
        for at in range(each):
            line.put(Job(at, address, str(at)), now)
    least = min("abcd", key=lambda one: line.used(one, now))
    before: Counter[str] = Counter()
    while (one := line.take(now, SMALL)) is not None and one.address != least:
        before[one.address] += 1
        now += data.draw(TIMES)
        line.done(one, now)
    assert max(before.values(), default=0) <= 1


@given(st.integers(2, 6), st.integers(1, 4))
def test_those_who_have_used_alike_take_turns(matches: int, each: int) -> None:
    line: FairQueue[int] = FairQueue()
    for match in range(matches):
        for at in range(each):
            line.put(Job(at, "a", str(match)), 0.0)
    taken = [line.take(0.0, SMALL) for _ in range(matches * each)]
    order = [(job.what, job.match) for job in taken if job is not None]
    assert order == [(at, str(match)) for at in range(each) for match in range(matches)]


def test_a_match_that_has_used_much_waits_behind_another_of_the_same_address() -> None:
    line: FairQueue[int] = FairQueue()
    for match, seconds in (("long", 9.0), ("short", 1.0)):
        job = Job(0, "a", match)
        line.put(job, 0.0)
        assert line.take(0.0, SMALL) is job
        line.done(job, seconds)
    line.put(Job(1, "a", "long"), 0.0)
    line.put(Job(2, "a", "short"), 0.0)
    order = [line.take(10.0, SMALL), line.take(10.0, SMALL)]
    assert [job.match for job in order if job is not None] == ["short", "long"]


def test_what_was_used_long_ago_counts_no_more_than_a_little_just_now() -> None:
    line: FairQueue[int] = FairQueue()
    now = used_up(line, {"long ago": 20.0})
    now = now + 300
    line.put(Job(0, "now"), now)
    job = line.take(now, SMALL)
    assert job is not None
    line.done(job, now + 1.0)
    assert line.used("long ago", now + 1) < line.used("now", now + 1)


def test_what_is_in_hand_counts_while_it_goes_on() -> None:
    line: FairQueue[int] = FairQueue()
    now = used_up(line, {"other": 1.0})
    line.put(Job(0, "long", size=LARGE), now)
    line.take(now, LARGE)
    line.put(Job(1, "long"), now)
    line.put(Job(2, "other"), now)
    first = line.take(now + 5.0, SMALL)
    assert first is not None
    assert first.address == "other"


def test_what_is_not_known_is_tried_as_small_and_what_took_too_long_is_large() -> None:
    sizes = CostModel()
    assert sizes.size("fifty") == NEW
    sizes.answered("fifty", NEW, solved=True)
    assert sizes.size("fifty") == SMALL
    sizes.too_long("fifty")
    assert sizes.size("fifty") == LARGE
    assert sizes.size("mystic") == NEW


def test_what_was_worked_out_is_tried_again_and_after_each_failure_later() -> None:
    sizes = CostModel()
    for needed in (1, 2, 4, 8):
        sizes.too_long("fifty")
        for _ in range(needed):
            sizes.answered("fifty", LARGE, solved=False)
            assert sizes.size("fifty") == LARGE
            sizes.answered("fifty", LARGE, solved=True)
        assert sizes.size("fifty") == NEW
    sizes.answered("fifty", SMALL, solved=True)
    sizes.too_long("fifty")
    sizes.answered("fifty", LARGE, solved=True)
    assert sizes.size("fifty") == NEW, "once it was small, nothing is held against it"


def test_of_rules_without_a_name_nothing_is_learnt() -> None:
    sizes = CostModel()
    sizes.too_long("")
    sizes.answered("", NEW, solved=True)
    assert sizes.size("") == NEW


def test_whoever_was_never_seen_before_ranks_at_the_average_and_not_first() -> None:
    line: FairQueue[int] = FairQueue()
    now = used_up(line, {"little": 1.0, "much": 9.0})
    for address in ("much", "never seen", "little"):
        line.put(Job(0, address), now)
    order = [line.take(now, SMALL) for _ in range(3)]
    assert [job.address for job in order if job is not None] == ["little", "never seen", "much"]


def test_all_addresses_of_a_site_are_served_as_one() -> None:
    """However many there are, each of them new, another waits for no more than what is in hand."""
    line: FairQueue[int] = FairQueue()
    for at in range(500):
        line.put(Job(at, f"2001:db8:1:{at:x}::/64"), 0.0)
        one = line.take(0.0, SMALL)
        assert one is not None
        line.done(one, 1.0)
    for at in range(500, 2000):
        line.put(Job(at, f"2001:db8:1:{at:x}::/64"), 2.0)
    line.put(Job(0, "192.0.2.1"), 2.0)
    next_ones = [line.take(2.0, SMALL), line.take(2.0, SMALL)]
    assert "192.0.2.1" in [job.address for job in next_ones if job is not None]


def test_however_many_wait_only_so_many_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    line: FairQueue[int] = FairQueue()
    for at in range(20 * LOOKED_AT):
        line.put(Job(at, "one", str(at)), 0.0)
    looked = 0
    rank = line._rank

    def counted(name: tuple[str, ...], now: float) -> tuple[float, int]:
        nonlocal looked
        looked += 1
        return rank(name, now)

    monkeypatch.setattr(line, "_rank", counted)
    assert line.take(0.0, SMALL) is not None
    assert looked <= LOOKED_AT + 2
