"""What happens to people by mistake: a second click, a key held down, a wrong link, a name that is none."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from numberquest.client import Client
from tests.browser.people import People, friends

TWICE = """async () => {
  const press = () => document.querySelector('.board [data-key=p]').click();
  press();
  while (document.querySelectorAll('.history li').length < 3) await new Promise((done) => setTimeout(done, 1));
  press();
}"""


def test_a_second_click_on_a_move_is_not_a_second_move(people: People, client: Client) -> None:
    """However soon the board has changed under it."""
    seat = client.create("mystic", opponent="screen")
    both = people.new()
    both.sits(seat.match, seat.token)
    both.waits_until_it_can_be_pressed()
    both.page.evaluate(TWICE)
    both.waits_until_it_can_be_pressed()
    assert [line.entry for line in seat.look().history if line.player] == ["pass"]
    # And then the next player can.
    both.plays("mystic", "pass")


def test_a_key_that_is_held_down_is_pressed_once(people: People, client: Client) -> None:
    seat = client.create("mystic", opponent="screen")
    both = people.new()
    both.sits(seat.match, seat.token)
    # Every further `down` of the same key is a repetition.
    for _ in range(4):
        both.page.keyboard.down("p")
        both.waits_until_it_can_be_pressed()
    both.page.keyboard.up("p")
    expect(both.history).to_have_count(3)
    assert [line.entry for line in seat.look().history if line.player] == ["pass"]


def test_who_was_away_when_the_rematch_began_still_sits_in_it(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    first = ann.match
    bo.resigns()
    ann.button("Rematch").click()
    expect(ann.page.get_by_role("main")).to_contain_text("Waiting for Bo")
    ann.page.get_by_role("link", name="Other games").click()
    # Whoever waits for a rematch finds the way back.
    waiting = ann.page.get_by_role("link", name="rematch with Bo?")
    expect(waiting).to_be_visible()
    bo.button("Rematch").click()
    bo.page.wait_for_url(lambda address: first not in address)
    waiting.click()
    ann.page.get_by_role("link", name="To the next game").click()
    ann.waits_for_the_board()
    assert ann.match == bo.match
    bo.plays("sumquest", "4")
    expect(ann.page).to_have_title(re.compile("^Your turn"))


@pytest.mark.parametrize("token", ["AAAA", "A" * 43])
def test_a_wrong_link_to_a_seat_takes_nobodys_seat_away(people: People, client: Client, token: str) -> None:
    ann, _ = friends(people, client, "sumquest")
    match = ann.match
    ann.page.goto("/")
    ann.page.goto(f"/m/{match}#seat={token}")
    expect(ann.page.get_by_role("status").filter(has_text="This link opens no seat here.")).to_be_visible()
    ann.waits_for_the_board()
    ann.plays("sumquest", "5")
    ann.page.reload()
    ann.waits_for_the_board()


def test_a_name_that_is_refused_can_be_given_again(people: People, client: Client) -> None:
    one = client.create("sumquest", name="Ann")
    bo = people.new()
    bo.forgive("400")
    bo.page.goto(f"/m/{one.match}#invite={one.invite}")
    name = bo.page.get_by_role("textbox", name="Your name")
    name.fill("Bo\u200b")
    bo.button("Sit down").click()
    expect(bo.page.get_by_text("A name is made of visible characters")).to_be_visible()
    name.fill("Bo \U0001f469\u200d\U0001f680")
    bo.button("Sit down").click()
    bo.waits_for_the_board()
    assert one.look().players[1].name == "Bo \U0001f469\u200d\U0001f680"
    assert bo.page.evaluate("JSON.parse(localStorage.getItem('nq.name'))") == "Bo \U0001f469\u200d\U0001f680"


def test_the_reason_why_nothing_can_be_taken_back_is_ones_own(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="easy", seat=2)
    seat.wait()
    me = people.new()
    me.sits(seat.match, seat.token)
    me.button("Take back").click(force=True)
    refusal = seat.look().take_back.refusal[1]
    assert refusal is not None
    expect(me.page.get_by_role("status").filter(has_text=seat.words([refusal]).rstrip("."))).to_be_visible()


def test_a_panel_that_was_closed_stays_closed(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    ann.page.get_by_text("History", exact=True).click()
    expect(ann.history).to_have_count(0)
    ann.waits_until_it_can_be_pressed()
    ann.choices("sumquest", "5")[0].click()
    expect(bo.history).to_have_count(1)
    expect(ann.page).to_have_title(re.compile("^Bo’s turn"))
    expect(ann.history).to_have_count(0)


def test_hints_are_written_as_on_the_board(people: People, client: Client) -> None:
    seat = client.create("fifty", opponent="easy")
    me = people.new()
    me.sits(seat.match, seat.token)
    me.button("Hint").click()
    me.button("More of the hint").click()
    told = me.page.locator(".note")
    expect(told.get_by_role("paragraph").nth(1)).to_have_text(re.compile(r"^Play [+−×÷]\u00a0\d\.$"))
    me.page.get_by_role("switch", name="Coach").focus()
    # The switch does not keep the keys from the board.
    me.page.keyboard.press("9")
    expect(me.page.get_by_role("button", pressed=True)).to_have_accessible_name(re.compile("^9, "))
    assert "nq.coach" not in json.loads(me.page.evaluate("JSON.stringify(Object.keys(localStorage))"))
