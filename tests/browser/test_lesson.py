"""Everybody learns a game in half a minute: by playing it, by the goal above the board, and before sitting down."""

import pytest
from playwright.sync_api import Locator, expect

from numberquest.client import Client
from numberquest.core.registry import GAMES
from numberquest.server import wire
from tests.browser.people import TITLES, People, Person
from tests.browser.plain_files import everywhere_with


def tries(person: Person, slug: str, move: str) -> None:
    if move.startswith("predict "):
        person.page.get_by_role("spinbutton", name="Your prediction").fill(move.removeprefix("predict "))
        person.button("Say it").click()
        return
    for choice in person.choices(slug, move):
        choice.click()


def words_of(person: Person) -> Locator:
    return person.region("Lesson").get_by_role("heading")


def told(said: wire.Said) -> str:
    return str(said.facts["words"])


@everywhere_with("slug", GAMES.own, alone="grid")
def test_a_lesson_is_played_to_its_end_on_the_real_board_and_leads_into_a_game(
    slug: str, visitor: Person, client: Client
) -> None:
    lesson = client.lesson(slug)
    visitor.page.goto("/")
    visitor.page.get_by_role("link", name=f"Learn it: {TITLES[slug]}").click()
    for number, step in enumerate(lesson.steps, 1):
        expect(visitor.page.get_by_text(f"Step {number} of {len(lesson.steps) + 1}")).to_be_visible()
        expect(words_of(visitor)).to_have_text(told(step.said))
        on = visitor.button("Go on")
        if step.answers:
            expect(on).to_have_attribute("aria-disabled", "true")
            answer = next(answer for answer in step.answers if answer.right)
            tries(visitor, slug, answer.move)
            expect(words_of(visitor)).to_have_text(f"✓ {told(answer.said)}")
            # Whoever plays with the keyboard is where it goes on.
            expect(on).to_be_focused()
        on.click()
    expect(words_of(visitor)).to_contain_text(f"Now you know {TITLES[slug]}")
    visitor.button("Play the computer, easy").click()
    visitor.waits_for_the_board()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(TITLES[slug])


def test_a_move_that_does_not_do_is_told_and_another_can_be_tried(visitor: Person, client: Client) -> None:
    visitor.page.goto("/lesson/sumquest")
    for step in client.lesson("sumquest").steps[:2]:
        tries(visitor, "sumquest", step.answers[0].move)
        visitor.button("Go on").click()
    status = visitor.region("Lesson").get_by_role("status")
    tries(visitor, "sumquest", "1")
    expect(status).to_have_text("✕ That does not do it. Try another move.")
    tries(visitor, "sumquest", "9")
    expect(status).to_have_text("✕ That loses: You passed 23 with 28. Try another move.")
    expect(visitor.button("Go on")).to_have_attribute("aria-disabled", "true")
    tries(visitor, "sumquest", "4")
    expect(words_of(visitor)).to_have_text("✓ 19 + 4 = 23: you win.")
    expect(status).to_have_text("")
    visitor.button("Back").click()
    expect(words_of(visitor)).to_contain_text("Your opponent added 9")


@pytest.mark.parametrize("wide", [375, 1280])
def test_what_is_said_of_a_wrong_move_does_not_push_the_board_away_from_the_finger(
    wide: int, visitor: Person, client: Client
) -> None:
    visitor.page.set_viewport_size({"width": wide, "height": 1200})
    for slug in GAMES.own:
        for number, step in enumerate(client.lesson(slug).steps):
            wrong = next((answer.move for answer in step.answers if not answer.right), None)
            if wrong is None:
                continue
            visitor.page.goto(f"/lesson/{slug}")
            for done in client.lesson(slug).steps[:number]:
                if done.answers:
                    tries(visitor, slug, next(answer.move for answer in done.answers if answer.right))
                visitor.button("Go on").click()
            before = visitor.region("Board").bounding_box()
            tries(visitor, slug, wrong)
            expect(visitor.region("Lesson").get_by_role("status")).to_contain_text("✕")
            after = visitor.region("Board").bounding_box()
            assert before is not None
            assert after is not None
            assert before["y"] == after["y"], (slug, number)
            break


@pytest.mark.parametrize("slug", GAMES.own)
def test_the_goal_stands_above_every_board_also_where_the_rules_are_changed(
    slug: str, visitor: Person, client: Client
) -> None:
    info = next(info for info in client.games().games if info.game == slug)
    for settings in ({}, {"target": 12} if "target" in {setting.name for setting in info.settings} else {"high": 5}):
        seat = client.create(slug, opponent="screen", settings=settings)
        visitor.sits(seat.match, seat.token)
        goal = info.goal.format(**seat.look().settings)
        expect(visitor.page.get_by_role("main")).to_contain_text(goal)


def test_an_invitation_shows_the_game_and_its_rules_before_one_sits_down(people: People, client: Client) -> None:
    one = client.create("mystic", name="Ann", settings={"target": 30})
    # Also to somebody who is known here, and has never played it.
    bo = people.new("Bo")
    bo.page.goto(f"/m/{one.match}#invite={one.invite}")
    form = bo.page.get_by_role("main")
    expect(form).to_contain_text("Ann invites you to play Mystic Numbers")
    expect(form).to_contain_text("Reach exactly 30 to win; past 30 you lose.")
    expect(form.get_by_text("On your turn you draw the top number.")).to_be_visible()
    with bo.context.expect_page() as opened:
        form.get_by_role("link", name="Learn it by playing").click()
    expect(opened.value.get_by_role("region", name="Lesson")).to_be_visible()
    opened.value.close()
    assert not one.look().players[1].joined
    bo.button("Sit down").click()
    bo.waits_for_the_board()
    # The second time there is nothing to learn.
    two = client.create("mystic", name="Ann")
    bo.page.goto(f"/m/{two.match}#invite={two.invite}")
    bo.waits_for_the_board()
