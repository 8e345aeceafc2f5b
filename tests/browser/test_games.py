"""Two people in two browsers play each other: every game from the invitation to the end."""

import re

import pytest
from playwright.sync_api import expect

from numberquest import GAMES
from numberquest.client import Client
from tests.browser.people import TITLES, People, ended, friends, quick, sentence


@pytest.mark.parametrize("slug", GAMES)
def test_two_people_play_a_whole_game_and_both_see_everything(people: People, client: Client, slug: str) -> None:
    ann, bo = people.new("Ann"), people.new()
    match = ann.starts("Play a friend", slug)
    expect(ann.page).to_have_title(f"Waiting for the other player – {TITLES[slug]}")
    expect(ann.button("Withdraw")).to_be_visible()
    invitation = ann.page.get_by_role("textbox", name="Invitation").input_value()
    bo.page.goto(invitation)
    expect(bo.page.get_by_role("heading", level=1)).to_have_text(f"Ann invites you to play {TITLES[slug]}")
    bo.page.get_by_role("textbox", name="Your name").fill("Bo")
    bo.button("Sit down").click()
    seats = {1: ann, 2: bo}
    expect(ann.region("Invitation")).to_have_count(0)
    expect(ann.button("Withdraw")).to_have_count(0)
    state = client.look(match)
    while state.turn is not None:
        mover, other = seats[state.turn], seats[3 - state.turn]
        expect(mover.page).to_have_title(f"Your turn – {TITLES[slug]}")
        expect(other.page).to_have_title(f"{state.players[state.turn - 1].name}’s turn – {TITLES[slug]}")
        expect(mover.page.get_by_role("list", name="Players")).to_contain_text("Your turn")
        mover.plays(slug, quick(state))
        state = client.look(match)
        for one in (mover, other):
            expect(one.history).to_have_text(one.lines(state))
    assert state.outcome is not None
    winner = state.outcome.winner
    assert winner is not None
    for seat, person in seats.items():
        end = person.region("The end")
        expect(end).to_contain_text(sentence(ended(state)))
        expect(end.get_by_role("heading")).to_have_text(
            "You win!" if seat == winner else f"{state.players[winner - 1].name} wins"
        )
        expect(person.page).to_have_title(f"Game over – {TITLES[slug]}")
        # Nothing secret is left in the address bar; the requests are checked when the two leave.
        assert person.page.url == f"{people.url}/m/{match}"
        assert len(person.secrets()) >= 1


def test_a_name_with_markup_is_shown_as_text(people: People, client: Client) -> None:
    name = "<img src=x onerror=alert(1)>"
    one = client.create("sumquest", name=name)
    client.join(one.match, one.invite or "", "<b>Bo</b>")
    somebody = people.new()
    somebody.page.goto(f"/m/{one.match}")
    players = somebody.page.get_by_role("list", name="Players")
    expect(players).to_contain_text(name)
    expect(players).to_contain_text("<b>Bo</b>")
    assert somebody.page.locator("main img, .who b b").count() == 0


def test_a_take_back_is_asked_for_and_agreed_or_refused(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    ann.plays("sumquest", "5")
    expect(bo.page).to_have_title(re.compile("^Your turn"))
    for answer, left in (("No", 1), ("Yes, take it back", 0)):
        ann.button("Ask to take back").click()
        expect(ann.button("Asked …")).to_be_visible()
        expect(bo.region("A question")).to_contain_text("Ann wants to take back 5. Is that all right?")
        bo.button(answer).click()
        refused = ann.page.get_by_role("status").filter(has_text="Bo would rather not take it back.")
        if answer == "No":
            expect(refused).to_be_visible()
        expect(bo.region("A question")).to_have_count(0)
        expect(ann.button("Asked …")).to_have_count(0)
        for one in (ann, bo):
            expect(one.history).to_have_count(left)
    expect(ann.page).to_have_title(re.compile("^Your turn"))
    # With a move goes what was answered, and both are told before it happens.
    ann.plays("sumquest", "6")
    bo.plays("sumquest", "7")
    expect(ann.button("Ask to take back")).to_have_accessible_description("Takes back 6; Bo’s 7 goes too.")
    ann.button("Ask to take back").click()
    expect(bo.region("A question")).to_contain_text("Ann wants to take back 6; your 7 goes too. Is that all right?")
    bo.button("Yes, take it back").click()
    for one in (ann, bo):
        expect(one.history).to_have_count(0)


@pytest.mark.parametrize(("slug", "move"), [("grid", "2,2"), ("mystic", "add")])
def test_no_move_is_taken_back_past_a_reveal_and_the_reason_is_said(
    people: People, client: Client, slug: str, move: str
) -> None:
    if slug == "grid":
        me, _ = friends(people, client, slug)
    else:
        me = people.new()
        me.starts("Play the computer, easy", slug)
    me.plays(slug, move)
    back = me.button("Ask to take back" if slug == "grid" else "Take back")
    expect(back).to_have_attribute("aria-disabled", "true")
    words = "A number has been revealed since: what has been seen cannot be taken back."
    expect(back).to_have_accessible_description(words)
    back.focus()
    me.page.keyboard.press("Enter")
    expect(me.page.get_by_role("status").filter(has_text=words)).to_be_visible()


def test_a_player_resigns_after_being_asked_once_more(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    ann.plays("sumquest", "5")
    bo.button("Resign").click()
    bo.page.get_by_role("dialog", name="Resign?").get_by_role("button", name="No, play on").click()
    expect(bo.page.get_by_role("dialog")).to_have_count(0)
    assert client.look(bo.match).outcome is None
    bo.resigns()
    expect(ann.region("The end")).to_contain_text("You win!")
    expect(ann.region("The end")).to_contain_text("Bo resigned")
    expect(bo.region("The end")).to_contain_text("Ann wins")
    for one in (ann, bo):
        expect(one.history).to_have_text(["Ann adds 5: 0 + 5 = 5.", "Bo resigned."])
        expect(one.page.locator(".told")).to_have_text("Bo resigned.")


def test_in_a_series_the_seats_change_and_the_points_are_kept(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest", rounds=3)
    first = ann.match
    expect(ann.page.get_by_role("main")).to_contain_text("Round 1 of 3: Ann 0 : 0 Bo")
    bo.resigns()
    ann.button("Next round").click()
    expect(ann.page.get_by_role("main")).to_contain_text("Waiting for Bo")
    expect(bo.region("The end")).to_contain_text("Ann wants the next round.")
    bo.button("Next round").click()
    for one in (ann, bo):
        expect(one.page.get_by_role("main")).to_contain_text("Round 2 of 3: Ann 1 : 0 Bo")
        expect(one.page.get_by_role("list", name="Players").get_by_role("listitem")).to_contain_text(["Bo", "Ann"])
    assert ann.match == bo.match != first
    bo.plays("sumquest", "4")
    expect(ann.page).to_have_title(re.compile("^Your turn"))


def test_at_one_screen_without_names_points_belong_to_people_and_who_begins_is_said(
    people: People, client: Client
) -> None:
    both = people.at(client.create("sumquest", opponent="screen", rounds=3))
    players = both.page.get_by_role("list", name="Players").get_by_role("listitem")
    for number, begins in enumerate("ABA", start=1):
        expect(players).to_contain_text([f"Player {begins} begins", "Player"])
        if begins == "A":
            both.plays("sumquest", "5")
        both.resigns()
        end = both.region("The end")
        expect(end).to_contain_text("Player A wins!")
        if number < 3:
            expect(end).to_contain_text(f"After round {number} of 3: Player A {number} : 0 Player B.")
            both.button("Next round").click()
            both.waits_for_the_board()
    expect(end).to_contain_text("Player A wins the series: Player A 3 : 0 Player B.")


@pytest.mark.parametrize(
    ("losers", "told"), [("11", "Ann wins the series: Ann 2 : 0 Bo."), ("10", "The series is level: Ann 1 : 1 Bo.")]
)
def test_after_the_last_round_it_is_said_who_won_the_series(
    people: People, client: Client, losers: str, told: str
) -> None:
    both = friends(people, client, "sumquest", rounds=2)
    ann, _ = both
    first = ann.match
    both[int(losers[0])].resigns()
    expect(ann.region("The end")).to_contain_text("After round 1 of 2: Ann 1 : 0 Bo.")
    for one in both:
        one.button("Next round").click()
    for one in both:
        one.page.wait_for_url(lambda address: first not in address)
        one.waits_for_the_board()
    both[int(losers[1])].resigns()
    for one in both:
        expect(one.region("The end")).to_contain_text(told)
