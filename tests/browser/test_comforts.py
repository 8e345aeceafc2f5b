"""Small things that people stumbled over, or did by mistake: a second click, a key held down, a wrong link."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from numberquest.client import Client
from tests.browser.cable import Cable
from tests.browser.people import People, Person, friends
from tests.server.running import Running


def test_at_one_screen_a_take_back_is_one_move_and_can_be_made_again(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen")
    both = people.at(seat)
    for move in ("5", "7", "3"):
        both.plays("sumquest", move)
    for left in (2, 1):
        both.button("Take back").click()
        expect(both.history).to_have_count(left)
    for move, count in (("7", 2), ("3", 3)):
        both.waits_until_it_can_be_pressed()
        both.button(f"Redo {move}").click()
        expect(both.history).to_have_count(count)
    assert [line.entry for line in client.look(seat.match).history] == ["5", "7", "3"]
    # Who plays something else has chosen another way.
    both.button("Take back").click()
    expect(both.history).to_have_count(2)
    both.plays("sumquest", "4")
    expect(both.button("Redo", exact=False)).to_have_count(0)


def test_a_move_against_the_computer_is_taken_back_at_once_and_can_be_made_again(me: Person) -> None:
    me.starts("Play the computer, easy", "sumquest")
    me.plays("sumquest", "5")
    expect(me.page).to_have_title(re.compile("^Your turn"))
    me.button("Take back").click()
    expect(me.history).to_have_count(0)
    me.waits_until_it_can_be_pressed()
    me.button("Redo 5").click()
    expect(me.history.first).to_contain_text("5")
    expect(me.button("Redo", exact=False)).to_have_count(0)
    expect(me.page).to_have_title(re.compile("^Your turn"))
    me.button("Take back").click()
    expect(me.history).to_have_count(0)
    me.plays("sumquest", "7")
    expect(me.history.first).to_contain_text("7")


def test_a_prediction_stands_above_the_numbers_that_it_must_precede(me: Person, client: Client) -> None:
    me.page.set_viewport_size({"width": 375, "height": 800})
    seat = client.create("showdown", opponent="easy")
    me.sits(seat.match, seat.token)
    prediction = me.page.get_by_role("spinbutton", name="Your prediction").bounding_box()
    first = me.choices("showdown", "1")[0].bounding_box()
    assert prediction is not None
    assert first is not None
    assert prediction["y"] + prediction["height"] <= first["y"]


def test_the_end_leaves_most_of_the_page_to_the_board(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen", settings={"target": 9})
    both = people.at(seat)
    both.plays("sumquest", "9")
    both.page.set_viewport_size({"width": 375, "height": 667})
    end = both.region("The end").bounding_box()
    assert end is not None
    assert end["height"] <= 0.4 * 667


def test_a_game_is_called_by_the_rules_it_is_played_with(me: Person, client: Client) -> None:
    for target in (23, 999):
        seat = client.create("sumquest", opponent="easy", settings={"target": target})
        me.sits(seat.match, seat.token)
        expect(me.page.get_by_role("heading", level=1)).to_have_text(f"Sum Quest: Race to {target}")


def place(page: Page) -> tuple[float, float]:
    """Where the board lies."""
    box = page.get_by_role("region", name="Board", exact=True).bounding_box()
    assert box is not None
    return box["y"], page.evaluate("scrollY")


def test_no_notice_pushes_the_board(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    for one in (ann, bo):
        one.page.set_viewport_size({"width": 375, "height": 700})
    ann.plays("sumquest", "5")
    expect(bo.page).to_have_title(re.compile("^Your turn"))
    before = place(bo.page)
    ann.button("Ask to take back").click()
    question = bo.region("A question")
    expect(question.get_by_role("button", name="Yes, take it back")).to_be_in_viewport(ratio=1)
    assert place(bo.page) == before
    bo.button("No").click()
    expect(question).to_have_count(0)
    before = place(bo.page)
    ann.resigns()
    expect(bo.button("Rematch")).to_be_in_viewport(ratio=1)
    assert place(bo.page) == before


def test_the_board_stays_where_it_is_when_a_friend_comes(people: People, client: Client) -> None:
    one = client.create("sumquest", name="Ann")
    ann = people.new()
    ann.page.goto(f"/m/{one.match}#seat={one.token}")
    ann.waits_for_the_board()
    before = place(ann.page)
    client.join(one.match, one.invite or "", "Bo")
    expect(ann.page).to_have_title(re.compile("^Your turn"))
    assert place(ann.page) == before


def test_a_passed_number_goes_to_somebody_with_a_name(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "mystic")
    expect(ann.region("Board").get_by_role("button", name=re.compile("^pass "))).to_have_accessible_name(
        re.compile(r"^pass \d to Bo, who then has \d+")
    )
    ann.plays("mystic", "pass")
    for one in (ann, bo):
        expect(one.history.nth(1)).to_have_text(re.compile(r"^Ann passes \d to Bo, who then has \d+\.$"))


def test_a_move_that_waits_for_the_network_is_marked(people: People, server: Running, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen", name="Ann")
    with Cable(server.port) as cable:
        me = people.new(url=cable.url)
        me.forgive("WebSocket", "Failed to load", "ERR_")
        me.sits(seat.match, seat.token)
        chosen = me.choices("sumquest", "5")[0]
        cable.deaf = True
        chosen.click()
        expect(chosen).to_have_attribute("aria-busy", "true")
        expect(chosen).to_have_class(re.compile(r"\bsent\b"))
        expect(me.page.get_by_role("list", name="Players")).to_contain_text("waiting for the network …")
        cable.mend()
        expect(me.history).to_have_count(1, timeout=60_000)
        expect(me.page.locator(".sent")).to_have_count(0)
        expect(me.page.get_by_role("list", name="Players")).not_to_contain_text("waiting for the network")


def test_a_name_that_is_cut_is_said_to_be(me: Person, client: Client) -> None:
    words = "A name has at most 30 signs, so the rest is left out."
    me.page.goto("/")
    name = me.page.get_by_role("textbox", name="Your name")
    name.fill("A" * 30)
    expect(me.page.get_by_text(words)).to_have_count(0)
    name.fill("A" * 31)
    expect(me.page.get_by_text(words)).to_be_visible()
    expect(name).to_have_value("A" * 30)
    me.starts("Two at this screen", "sumquest")
    assert client.look(me.match).players[0].name == "A" * 30


def test_that_the_computer_only_looks_ahead_is_told_before_the_first_move(people: People, client: Client) -> None:
    seat = client.create("fifty", settings={"target": 200, "copies": 4}, opponent="perfect")
    me = people.at(seat)
    ahead = "These rules are too large to work out completely"
    expect(me.page.get_by_role("main")).to_contain_text(ahead, timeout=60_000)
    expect(me.history).to_have_count(0)


TWICE = """async () => {
  const press = () => document.querySelector('.board [data-key=p]').click();
  press();
  while (document.querySelectorAll('.history li').length < 3) await new Promise((done) => setTimeout(done, 1));
  press();
}"""


def test_a_second_click_on_a_move_is_not_a_second_move(people: People, client: Client) -> None:
    """However soon the board has changed under it."""
    seat = client.create("mystic", opponent="screen")
    both = people.at(seat)
    both.waits_until_it_can_be_pressed()
    both.page.evaluate(TWICE)
    both.waits_until_it_can_be_pressed()
    assert [line.entry for line in seat.look().history if line.player] == ["pass"]
    # And then the next player can.
    both.plays("mystic", "pass")


def test_a_key_that_is_held_down_is_pressed_once(people: People, client: Client) -> None:
    seat = client.create("mystic", opponent="screen")
    both = people.at(seat)
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
    me = people.at(seat)
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
    me = people.at(seat)
    me.button("Hint").click()
    me.button("More of the hint").click()
    told = me.page.locator(".note")
    expect(told.get_by_role("paragraph").nth(1)).to_have_text(re.compile(r"^Play [+−×÷]\u00a0(\d): 0 \+ \1 = \1\. "))
    # What it names is marked.
    expect(me.region("Board").locator(".tile.hinted")).to_have_count(1)
    me.page.get_by_role("switch", name="Coach").focus()
    # The switch does not keep the keys from the board.
    me.page.keyboard.press("9")
    expect(me.page.get_by_role("button", pressed=True)).to_have_accessible_name(re.compile("^9, "))
    assert "nq.coach" not in json.loads(me.page.evaluate("JSON.stringify(Object.keys(localStorage))"))
