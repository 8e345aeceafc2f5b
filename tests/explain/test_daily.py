"""The daily puzzle: its games, its steps from really easy to hard, and a result to share."""

from datetime import date, timedelta

import pytest

from numberquest.core.registry import GAMES
from numberquest.explain.puzzle import daily, daily_game, daily_games, daily_steps
from numberquest.terminal.prompt.scores import PuzzleScores

WEEK = [date(2027, 3, 1) + timedelta(days=ahead) for ahead in range(7)]


def test_on_three_days_of_every_week_the_steps_are_of_three_games() -> None:
    for weeks in range(10):
        days = [(day + timedelta(weeks=weeks)).isoformat() for day in WEEK]
        games = [daily_games(day) for day in days]
        assert sorted(map(len, games)) == [1, 1, 1, 1, 3, 3, 3]
        assert all(
            each[0] == daily_game(day) and len(set(each)) == len(each) for day, each in zip(days, games, strict=True)
        )


def test_the_three_games_of_these_days_never_change() -> None:
    pinned = {
        "2026-11-24": ["fifty", "grid", "showdown"],
    }
    assert {day: sorted(step.game.slug for step in daily_steps(day)) for day in pinned} == {
        day: sorted(games) for day, games in pinned.items()
    }


@pytest.mark.parametrize("day", [WEEK[1].isoformat(), WEEK[3].isoformat(), WEEK[5].isoformat()])
def test_a_day_of_three_games_begins_really_easy_and_has_the_day_s_own_puzzle(day: str) -> None:
    steps = daily_steps(day)
    assert [step.game.slug for step in steps] != 3 * [steps[0].game.slug]
    assert len({step.game.slug for step in steps}) == 3 <= len(GAMES.own)
    assert steps[0].grade == 1
    assert [step.grade for step in steps] == sorted(step.grade for step in steps)
    assert daily(day) in steps


def test_a_result_can_be_shared_and_gives_nothing_away() -> None:
    scores = PuzzleScores({"a": 1, "b": 0, "c": 4}, {"2027-03-01": True, "2027-03-02": True})
    assert scores.to_share("2027-03-02", ("a", "b", "c")) == "Number Quest 2027-03-02 🟢🔴🟢 ★ 2 days in a row"
