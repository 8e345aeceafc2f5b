"""Small things that people stumbled over, one by one."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from numberquest.client import Client
from tests.browser.cable import Cable
from tests.browser.people import People, friends
from tests.server.running import Running


def test_at_one_screen_a_take_back_is_one_move_and_can_be_made_again(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen")
    both = people.new()
    both.sits(seat.match, seat.token)
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


def test_a_move_against_the_computer_is_taken_back_at_once_and_can_be_made_again(people: People) -> None:
    me = people.new()
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


def test_a_prediction_stands_above_the_numbers_that_it_must_precede(people: People, client: Client) -> None:
    me = people.new()
    me.page.set_viewport_size({"width": 375, "height": 800})
    seat = client.create("showdown", opponent="easy")
    me.sits(seat.match, seat.token)
    prediction = me.page.get_by_role("spinbutton", name="Your prediction").bounding_box()
    first = me.choices("showdown", "1")[0].bounding_box()
    assert prediction is not None
    assert first is not None
    assert prediction["y"] + prediction["height"] <= first["y"]


def test_the_end_leaves_most_of_the_page_to_the_board(people: People, client: Client) -> None:
    both = people.new()
    seat = client.create("sumquest", opponent="screen", settings={"target": 9})
    both.sits(seat.match, seat.token)
    both.plays("sumquest", "9")
    both.page.set_viewport_size({"width": 375, "height": 667})
    end = both.region("The end").bounding_box()
    assert end is not None
    assert end["height"] <= 0.4 * 667


def test_a_game_is_called_by_the_rules_it_is_played_with(people: People, client: Client) -> None:
    me = people.new()
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


def test_a_name_that_is_cut_is_said_to_be(people: People, client: Client) -> None:
    me = people.new()
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
    me = people.new()
    me.sits(seat.match, seat.token)
    ahead = "These rules are too large to work out completely"
    expect(me.page.get_by_role("main")).to_contain_text(ahead, timeout=60_000)
    expect(me.history).to_have_count(0)
