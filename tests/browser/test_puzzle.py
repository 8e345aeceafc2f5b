"""The daily puzzle: the same for everybody, and a streak that stays in the browser."""

from __future__ import annotations

import datetime

import pytest
from playwright.sync_api import expect

from numberquest.puzzle import daily
from tests.browser.people import People, Person

FIRST = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
"""Two days of Sum Quest, then Fifty, then Grid."""


def opens_on(person: Person, day: int) -> str:
    """Open the puzzle on that day; its date."""
    now = FIRST + datetime.timedelta(days=day)
    person.context.clock.set_fixed_time(now)
    person.page.goto("/puzzle")
    expect(person.page.get_by_role("heading", level=1)).to_contain_text(f"{now.day} March")
    return now.date().isoformat()


def answers(person: Person, slug: str, move: str) -> None:
    """Press a move on the board of the puzzle."""
    if slug == "sumquest":
        person.region("The puzzle").get_by_role("group", name="Numbers to add").get_by_role(
            "button", name=f"{move}: "
        ).click()
        return
    board = person.region("The puzzle")
    board.get_by_role("group", name="Numbers").get_by_role("button", name=f"{move[:-1]}, ").click()
    sign = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}[move[-1]]
    board.get_by_role("group", name="What to do with it").get_by_role("button", name=f"{sign}: ").click()


def test_everybody_has_the_puzzle_of_the_day_and_it_says_whether_an_answer_is_right(people: People) -> None:
    me = people.new()
    puzzle = daily(opens_on(me, 0))
    assert puzzle.game.slug == "sumquest"
    expect(me.page.get_by_role("img", name=f"The sum is {puzzle.position.total} of 23")).to_be_visible()
    wrong = next(move for move in puzzle.values if move not in puzzle.answers)
    answers(me, "sumquest", wrong)
    told = me.region("Your answer")
    expect(told.get_by_role("heading")).to_have_text("✗ Not this one")
    expect(told).to_contain_text(f"With {wrong} ")
    # What is right is not told yet.
    assert not set(told.inner_text().split()) & set(puzzle.answers)
    me.button("Try once more").click()
    answers(me, "sumquest", puzzle.answer)
    expect(told.get_by_role("heading", level=2)).to_have_text("✓ Solved")
    expect(told).to_contain_text(f"{puzzle.answer} right")
    expect(me.region("Your streak").get_by_role("heading")).to_have_text("Your streak")
    me.page.reload()
    expect(told.get_by_role("heading", level=2)).to_have_text("✓ Solved today")


@pytest.mark.parametrize(("zone", "clock"), [("Pacific/Auckland", "13:00"), ("America/Los_Angeles", "16:00")])
def test_the_day_is_the_same_all_over_the_world_and_the_next_one_is_told_in_local_time(
    people: People, zone: str, clock: str
) -> None:
    me = people.new(timezone_id=zone)
    # In one of these places it is the second of March by now, in the other it is still the first.
    me.context.clock.set_fixed_time(datetime.datetime(2026, 3, 1, 20, 30, tzinfo=datetime.UTC))
    me.page.goto("/puzzle")
    expect(me.page.get_by_role("heading", level=1)).to_contain_text("Sunday 1 March")
    puzzle = daily("2026-03-01")
    answers(me, puzzle.game.slug, puzzle.answer)
    expect(me.region("Your streak")).to_contain_text(f"The next daily puzzle comes at {clock}, in 4 hours.")


def test_the_streak_grows_day_by_day_stays_over_a_reload_and_ends_with_a_missed_day(people: People) -> None:
    me = people.new()
    streak = me.region("Your streak").get_by_role("heading")
    for day, words in ((0, "1 day in a row"), (1, "2 days in a row"), (2, "3 days in a row")):
        puzzle = daily(opens_on(me, day))
        answers(me, puzzle.game.slug, puzzle.answer)
        expect(streak).to_have_text(words)
        me.page.reload()
        expect(streak).to_have_text(words)
    me.page.goto("/")
    expect(me.page.get_by_role("main")).to_contain_text("★ 3 days in a row")
    # The day after is still open, the one after that comes too late.
    opens_on(me, 3)
    expect(streak).to_have_text("3 days in a row")
    opens_on(me, 4)
    expect(streak).to_have_text("Your streak")


def test_the_answer_can_be_shown_and_played_on_from(people: People) -> None:
    me = people.new()
    puzzle = daily(opens_on(me, 1))
    answers(me, "sumquest", next(move for move in puzzle.values if move not in puzzle.answers))
    me.button("Show the answer").click()
    expect(me.region("Your answer")).to_contain_text(f"{puzzle.answer} right")
    me.button("Play on from here against the perfect computer").click()
    me.waits_for_the_board()
    expect(me.page.get_by_role("img", name=f"The sum is {puzzle.position.total} of 23")).to_be_visible()


def test_another_puzzle_has_a_link_of_its_own(people: People) -> None:
    me, friend = people.new(), people.new()
    opens_on(me, 0)
    me.page.get_by_role("combobox", name="Another one:").select_option("Fifty")
    me.button("New puzzle").click()
    expect(me.page.get_by_role("heading", level=1)).to_contain_text("fifty-")
    me.button("Copy a link to this puzzle").click()
    friend.page.goto(me.page.get_by_role("textbox", name="The link").input_value())
    expect(friend.region("The puzzle")).to_have_text(me.region("The puzzle").inner_text(), use_inner_text=True)


def test_whoever_solves_it_is_spoken_to_and_a_move_without_a_chance_loses(people: People) -> None:
    me = people.new()
    me.page.goto("/puzzle#id=showdown-1-4")
    expect(me.region("The puzzle")).to_contain_text("You say 25")
    expect(me.page.get_by_role("main")).to_contain_text("how many numbers are played: 5")
    me.page.goto("/puzzle#id=mystic-5-1")
    me.page.reload()
    me.region("The puzzle").get_by_role("button", name="add ").click()
    expect(me.region("Your answer")).to_contain_text("With add you lose; with another move you can still win.")
