"""The daily puzzles in the browser's memory: what a day is, and how many in a row were solved."""

from __future__ import annotations

import pytest

from tests.page.node import Node

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
