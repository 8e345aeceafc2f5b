"""How often today's puzzle is solved here: what counts, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.client import Client
from numberquest.explain.puzzle import puzzle
from numberquest.server import solved
from numberquest.server.solved import SolvedToday
from numberquest.server.store.base import SqlStore

if TYPE_CHECKING:
    import pytest

DAY = 24 * 3600.0


async def tallies(counted: SolvedToday) -> list[tuple[int, int]]:
    return [(step.tries, step.right) for step in (await counted.tallies()).steps]


async def test_only_the_first_answer_of_an_address_to_a_step_of_today_counts(store: SqlStore) -> None:
    now = [0.0]

    counted = SolvedToday(store, lambda: now[0])
    counted.posed("1970-01-01", 1, "easy")
    counted.posed("1970-01-01", 2, "hard")
    counted.posed("1970-01-02", 3, "of tomorrow")
    for address, name, right in (
        ("ann", "easy", False),
        ("ann", "easy", True),
        ("bo", "easy", True),
        ("bo", "hard", True),
        ("bo", "of tomorrow", True),
        ("bo", "any other", True),
    ):
        await counted.answered(name, address, right)
    assert await tallies(counted) == [(2, 1), (1, 1), (0, 0)]
    now[0] += DAY
    assert await tallies(counted) == [(0, 0)] * 3
    await counted.answered("easy", "ann", True)
    assert await tallies(counted) == [(0, 0)] * 3


async def test_no_more_answers_are_counted_than_fit(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "MOST", 5)

    counted = SolvedToday(store, lambda: 0.0)
    counted.posed("1970-01-01", 1, "easy")
    for who in range(9):
        await counted.answered("easy", f"2001:db8::{who}", True)
    assert await tallies(counted) == [(5, 5), (0, 0), (0, 0)]


def test_a_day_has_three_steps_and_the_server_counts_one_answer_of_an_address(client: Client) -> None:
    today = client.solved_today().date
    steps = [client.daily_puzzle(today, step=step) for step in (1, 2, 3)]
    assert [one.grade for one in steps] == sorted(one.grade for one in steps)
    assert client.daily_puzzle(today).id in {one.id for one in steps}
    before = client.solved_today().steps[1]
    found = puzzle(steps[1].id)
    wrong = next(move for move in found.values if move not in found.answers)
    # Whoever only tries is not counted, nor whoever tries again.
    client.guess(found.id, found.answer)
    for move in (wrong, found.answer):
        client.guess(found.id, move, first=True)
    after = client.solved_today().steps[1]
    assert (after.tries, after.right) == (before.tries + 1, before.right)
