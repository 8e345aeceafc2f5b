"""What the browser remembers: the newest first, and never a seat forgotten for others."""

from __future__ import annotations

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
