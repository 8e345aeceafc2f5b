"""What the browser remembers: the newest matches first, no seat forgotten for others, and the puzzles of each day."""

import pytest

from tests.page.node import Node

MANY = """
const keep = await page('parts/keep.js');
for (const [id] of keep.matches()) keep.remove(id);
"""


def test_the_latest_match_comes_first_and_what_was_noted_adds_up(node: Node) -> None:
    snippet = """
        keep.note('a', { title: 'A' });
        clock.run(5);
        keep.note('b', { title: 'B' });
        clock.run(5);
        keep.note('a', { over: true });
        return keep.matches();
    """
    assert node(MANY + snippet) == [
        ["a", {"title": "A", "over": True, "at": 10}],
        ["b", {"title": "B", "at": 5}],
    ]


def test_of_too_many_matches_the_oldest_go_but_no_seat_in_one_that_goes_on(node: Node) -> None:
    snippet = """
        const note = (id, more) => (clock.run(1), keep.note(id, more));
        note('open', { token: 't' });
        note('over', { token: 't', over: true });
        note('watched', {});
        keep.joinKey('watched', () => 'key');
        for (let n = 0; n < 298; n++) note(`m${n}`, { over: true });
        const before = keep.matches().map(([id]) => id);
        note('new', {});
        const after = keep.matches().map(([id]) => id);
        note('newer', {});
        const later = keep.matches().map(([id]) => id);
        const ends = [before, after, later].map((ids) => [ids.length, ...ids.slice(-3)]);
        return [...ends, keep.joinKey('watched', () => 'another')];
    """
    before, after, later, key = node(MANY + snippet)
    assert before == [301, "watched", "over", "open"]
    assert after == [301, "m0", "watched", "open"]
    assert later == [301, "m1", "m0", "open"]
    # What it was joined with went with it.
    assert key == "another"


def test_without_a_storage_the_page_remembers_it_itself(node: Node) -> None:
    snippet = """
        const real = localStorage;
        const refuse = () => { throw new Error('full'); };
        globalThis.localStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
        keep.set('word', [1]);
        keep.note('here', {});
        const found = [keep.get('word', []), keep.matches().length, (keep.remove('here'), keep.matches().length)];
        globalThis.localStorage = real;
        return [...found, keep.get('nothing', 'otherwise'), keep.get('word', [])];
    """
    assert node(MANY + snippet) == [[1], 1, 0, "otherwise", [1]]


def test_what_cannot_be_read_counts_as_not_there(node: Node) -> None:
    assert node(MANY + "localStorage.setItem('nq.bad', '{'); return keep.get('bad', 'otherwise');") == "otherwise"


def test_a_match_is_joined_with_one_key(node: Node) -> None:
    snippet = "return [keep.joinKey('j', () => 'one'), keep.joinKey('j', () => 'two'), keep.joinKey('k', () => 'two')];"
    assert node(MANY + snippet) == ["one", "one", "two"]


STREAK = """
const { day, DAYS, streak } = await page('parts/streak.js');
const days = hows.map((how, ago) => [day(ago), { how }]).filter(([, { how }]) => how);
(await page('parts/keep.js')).set(DAYS, Object.fromEntries(days));
return streak();
"""


@pytest.mark.parametrize(
    ("hows", "days"),
    [
        ([], 0),
        (["first"], 1),
        (["later", "first"], 2),
        # Today may still be open, or begun.
        ([None, "first", "later"], 2),
        (["trying", "first", "later"], 2),
        # Whoever had the answer shown today has broken it today, not only tomorrow.
        (["shown", "first", "later"], 0),
        (["first", "shown", "first"], 1),
        (["first", None, "first"], 1),
        ([None, None, "first"], 0),
        ([None, "trying", "first"], 0),
    ],
)
def test_a_streak_is_of_days_that_were_solved(node: Node, hows: list[str | None], days: int) -> None:
    assert node(STREAK, hows=hows) == days


def test_a_day_is_what_its_worst_step_is_and_its_signs_say_each(node: Node) -> None:
    snippet = """
        const { note, on, signs, STEPS } = await page('parts/streak.js');
        return days.map((hows, at) => {
          hows.forEach((how, step) => note(`2020-01-0${at + 1}`, step + 1, { move: '1', how }));
          return [on(`2020-01-0${at + 1}`).how, signs(`2020-01-0${at + 1}`), STEPS];
        });
    """
    days = [["first"] * 3, ["first", "later", "first"], ["first", "shown", "later"], ["first", "first"]]
    found = node(snippet, days=days)
    assert found == [["first", "🟢🟢🟢", 3], ["later", "🟢🟡🟢", 3], ["shown", "🟢🔴🟡", 3], ["trying", "🟢🟢⚪", 3]]


def test_only_so_many_days_are_remembered_the_latest(node: Node) -> None:
    snippet = """
        const { note, DAYS, began } = await page('parts/streak.js');
        const keep = await page('parts/keep.js');
        const date = (n) => new Date(864e5 * n).toISOString().slice(0, 10);
        keep.set(DAYS, Object.fromEntries([...Array(1000).keys()].map((n) => [date(n), { how: 'first' }])));
        note(date(1000), 1, { move: '1', how: 'first' });
        return [Object.keys(keep.get(DAYS, {})).length, began()];
    """
    assert node(snippet) == [1000, "1970-01-02"]
