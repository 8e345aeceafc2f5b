"""The daily puzzle: three steps, the same for everybody, and a streak that stays in the browser."""

import datetime
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from numberquest.client import Client
from numberquest.explain.puzzle import daily, daily_steps
from numberquest.explain.puzzle import puzzle as puzzle_of
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
    if slug == "grid":
        row, column = move.split(",")
        board.get_by_role("button", name=f"Row {row}, column {column}: covered").click()
        return
    if slug == "showdown":
        board.get_by_role("spinbutton", name="Your prediction").fill(move.removeprefix("predict "))
        board.get_by_role("button", name="Say it").click()
        return
    board.get_by_role("group", name="Numbers").get_by_role("button", name=f"{move[:-1]}, ").click()
    sign = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}[move[-1]]
    board.get_by_role("group", name="What to do with it").get_by_role("button", name=f"{sign}: ").click()


def solves_all(person: Person, date: str, *, slips: int = 0) -> None:
    """Find the right moves of all three steps; before the first so many wrong ones are tried."""
    for step, puzzle in enumerate(daily_steps(date), start=1):
        told = person.region("Your answer")
        for wrong in [move for move in puzzle.values if move not in puzzle.answers][:slips]:
            answers(person, puzzle.game.slug, wrong)
            person.button("Try once more").click()
        slips = 0
        answers(person, puzzle.game.slug, puzzle.answer)
        expect(told.get_by_role("heading", level=2)).to_have_text("✓ Solved")
        if step < 3:
            person.button(f"On to step {step + 1} of 3").click()
            expect(told).to_contain_text("Choose your move")


@pytest.mark.everywhere
def test_everybody_has_the_puzzle_of_the_day_and_it_says_whether_an_answer_is_right(me: Person) -> None:
    date = opens_on(me, 0)
    puzzle = daily_steps(date)[0]
    assert puzzle.game.slug == "sumquest"
    assert daily(date) in daily_steps(date)
    expect(me.page.get_by_role("img", name=f"The sum is {puzzle.position.total} of 23")).to_be_visible()
    wrong = next(move for move in puzzle.values if move not in puzzle.answers)
    answers(me, "sumquest", wrong)
    told = me.region("Your answer")
    expect(told.get_by_role("heading")).to_have_text("✗ Not this one")
    expect(told).to_contain_text(f"With {wrong} ")
    # What is right is not told yet.
    assert not set(told.inner_text().split()) & set(puzzle.answers)
    # The move is seen on the board, until another is tried.
    expect(me.page.get_by_role("img", name=f"The sum is {puzzle.position.total + int(wrong)} of 23")).to_be_visible()
    me.button("Try once more").click()
    expect(me.page.get_by_role("img", name=f"The sum is {puzzle.position.total} of 23")).to_be_visible()
    answers(me, "sumquest", puzzle.answer)
    expect(told.get_by_role("heading", level=2)).to_have_text("✓ Solved")
    expect(told).to_contain_text(f"{puzzle.answer} right")
    expect(me.region("Your streak").get_by_role("heading")).to_have_text("Your streak")
    # It goes on with the next step, and what is settled can be looked at again.
    me.page.reload()
    expect(me.page.get_by_role("list", name="Steps").get_by_role("button", name="Step 2")).to_have_attribute(
        "aria-current", "step"
    )
    me.page.get_by_role("list", name="Steps").get_by_role("button", name="Step 1").click()
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
    solves_all(me, "2026-03-01")
    expect(me.region("Your streak")).to_contain_text(f"The next daily puzzle comes at {clock}, in 4 hours.")


def test_the_streak_grows_day_by_day_stays_over_a_reload_and_ends_with_a_missed_day(me: Person) -> None:
    streak = me.region("Your streak").get_by_role("heading")
    for day, words in ((0, "1 day in a row"), (1, "2 days in a row"), (2, "3 days in a row")):
        solves_all(me, opens_on(me, day))
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


def test_nobody_has_left_out_what_was_before_their_first_puzzle_and_what_is_begun_goes_on(me: Person) -> None:
    puzzle = daily_steps(opens_on(me, 0))[0]
    days = me.region("Your streak").get_by_role("listitem")
    expect(days.filter(has_text="before your first one")).to_have_count(6)
    answers(me, puzzle.game.slug, next(move for move in puzzle.values if move not in puzzle.answers))
    expect(me.button("Try once more")).to_be_visible()
    me.page.goto("/")
    expect(me.page.get_by_role("link", name="Today’s puzzle")).to_contain_text("Go on: step 1")
    opens_on(me, 2)
    expect(days.filter(has_text="left out")).to_have_count(1)
    expect(days.filter(has_text="before your first one")).to_have_count(4)


def test_on_a_phone_no_word_on_a_button_of_a_puzzle_is_torn_apart(me: Person, client: Client) -> None:
    me.page.set_viewport_size({"width": 375, "height": 700})
    me.page.goto(f"/puzzle#id={quote(client.new_puzzle('mystic', '1').id)}")
    told = me.region("The puzzle").get_by_role("button").filter(has_text="Opponent,").locator("span")
    rows = """(span) => { const range = new Range(), text = span.firstChild, at = text.data.indexOf('Opponent,');
      range.setStart(text, at); range.setEnd(text, at + 9); return range.getClientRects().length; }"""
    expect(told).to_be_visible()
    assert told.evaluate(rows) == 1


def test_the_answer_can_be_shown_and_played_on_from(me: Person) -> None:
    puzzle = daily_steps(opens_on(me, 1))[0]
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
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Puzzle")
    expect(me.page.get_by_role("main")).not_to_contain_text("fifty-")
    me.button("Copy a link to this puzzle").click()
    friend.page.goto(me.page.get_by_role("textbox", name="The link").input_value())
    expect(friend.region("The puzzle")).to_have_text(me.region("The puzzle").inner_text(), use_inner_text=True)


def test_whoever_solves_it_is_spoken_to_and_a_move_without_a_chance_loses(me: Person) -> None:
    me.page.goto("/puzzle#id=showdown-1-4")
    expect(me.region("The puzzle")).to_contain_text("You say 25")
    # Whose scores and moves on the board are one's own.
    asked = me.region("The puzzle").get_by_role("heading")
    expect(asked).to_contain_text(re.compile("^You are (●Player 1|◆Player 2)\\."))
    expect(me.page.get_by_role("main")).to_contain_text("how many numbers are played: 5")
    me.page.goto("/puzzle#id=mystic-5-1")
    me.page.reload()
    me.region("The puzzle").get_by_role("button", name="add ").click()
    expect(me.region("Your answer")).to_contain_text("With add you lose; with another move you can still win.")


def test_the_end_is_celebrated_and_the_result_can_be_handed_on_without_giving_anything_away(people: People) -> None:
    me = people.new(reduced_motion="no-preference")
    date = opens_on(me, 0)
    solves_all(me, date, slips=1)
    told = me.region("Your answer")
    expect(told).to_contain_text("All three found!")
    expect(told.locator(".confetti i").first).to_be_attached()
    result = told.get_by_role("textbox", name="Your result").input_value()
    assert result.split("\n")[0] == f"Number Quest {date}"
    assert result.split("\n")[1] == "🟡🟢🟢"
    assert result.split("\n")[2].endswith("/puzzle")
    me.button("Copy your result").click()
    expect(told.get_by_role("status")).to_have_text("✓ Your result is copied.")
    me.page.goto("/")
    expect(me.page.get_by_role("link", name="Look again")).to_be_visible()


def test_how_often_people_here_solve_a_step_is_told_after_it(people: People, client: Client) -> None:
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    first = client.daily_puzzle(date, step=1)
    answer = puzzle_of(first.id).answer
    client.guess(first.id, answer, first=True)
    me = people.new()
    me.page.add_init_script(
        f"localStorage.setItem('nq.puzzle.days', JSON.stringify({{'{date}': {{how: 'trying', steps: ["
        f"{{move: '{answer}', how: 'first'}}, null, null]}}}}))"
    )
    me.page.goto("/puzzle")
    me.page.get_by_role("list", name="Steps").get_by_role("button", name="Step 1").click()
    # All of these tests have one address, so there is one answer.
    expect(me.region("Your answer")).to_contain_text("Nobody else here has tried it yet today.")


def test_the_rules_are_at_hand(me: Person) -> None:
    opens_on(me, 3)
    me.button("Rules").click()
    expect(me.page.get_by_role("dialog")).to_contain_text("In this game:")
