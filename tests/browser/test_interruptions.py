"""Whatever happens to a browser, the network or the server: the game is as it was, and goes on."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from numberquest.client import Client, Seat
from tests.browser.cable import Cable
from tests.browser.people import People, Person, friends
from tests.server.running import Running

BROKEN = ("WebSocket connection", "Failed to load resource", "net::ERR")
"""What the console says while the server cannot be reached."""


def reconnecting(person: Person) -> None:
    expect(person.page.get_by_role("status").filter(has_text="Reconnecting…")).to_be_visible()


def connected(person: Person) -> None:
    expect(person.page.get_by_text("Reconnecting…")).to_have_count(0)


def begun(people: People, client: Client, url: str | None = None) -> tuple[Person, Seat]:
    """Somebody at a game of two at one screen, after the first move; the line to the server may break."""
    one = client.create("sumquest", opponent="screen")
    me = people.new(url=url)
    me.forgive(*BROKEN)
    me.sits(one.match, one.token)
    me.plays("sumquest", "5")
    return me, one


@pytest.fixture
def cable(server: Running) -> Iterator[Cable]:
    with Cable(server.port) as one:
        yield one


def test_a_reload_in_the_middle_loses_nothing_for_either_player(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    ann.plays("sumquest", "5")
    expect(bo.page).to_have_title(re.compile("^Your turn"))
    for one in (ann, bo):
        one.page.reload()
        expect(one.history).to_have_count(1)
    bo.plays("sumquest", "9")
    ann.plays("sumquest", "4")
    expect(bo.history).to_have_count(3)


def test_back_and_forward_lead_out_of_the_game_and_into_it_again(me: Person) -> None:
    match = me.starts("Two at this screen", "sumquest")
    me.plays("sumquest", "5")
    me.page.go_back()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Five number games for two")
    expect(me.page.get_by_role("link", name=re.compile("^Sum Quest"))).to_be_visible()
    me.page.go_forward()
    me.waits_for_the_board()
    assert me.match == match
    me.plays("sumquest", "9")
    expect(me.history).to_have_count(2)
    me.page.go_back()
    me.page.get_by_role("link", name=re.compile("^Sum Quest")).click()
    expect(me.history).to_have_count(2)


def test_two_tabs_of_one_seat_show_the_same_and_both_can_move(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    first, second = ann.page, ann.context.new_page()
    second.goto(f"/m/{ann.match}")
    ann.plays("sumquest", "5")
    ann.page = second
    expect(ann.history).to_have_count(1)
    bo.plays("sumquest", "9")
    expect(second).to_have_title(re.compile("^Your turn"))
    ann.plays("sumquest", "4")
    ann.page = first
    expect(ann.history).to_have_count(3)
    expect(bo.history).to_have_count(3)


def test_whoever_opens_a_used_invitation_watches_and_is_told_so(people: People, client: Client) -> None:
    one = client.create("sumquest", name="Ann")
    link = f"/m/{one.match}#invite={one.invite}"
    bo, eve = people.new("Bo"), people.new("Eve")
    eve.forgive("Failed to load resource")
    bo.page.goto(link)
    bo.button("Sit down").click()
    expect(bo.page).to_have_title(re.compile("^Ann’s turn"))
    eve.page.goto(link)
    expect(
        eve.page.get_by_role("status").filter(has_text="Somebody has taken that seat already. You can watch.")
    ).to_be_visible()
    expect(eve.page.get_by_role("main")).to_contain_text("You are watching. Only the two players can move.")
    assert [player.name for player in client.look(one.match).players] == ["Ann", "Bo"]
    # The one who was invited may open it again: it is the same seat.
    bo.page.goto("/puzzle")
    bo.page.goto(link)
    expect(bo.page).to_have_title(re.compile("^Ann’s turn"))
    expect(bo.page.get_by_role("list", name="Players")).to_contain_text("you")


def test_spectators_see_every_move_and_can_make_none(people: People, client: Client) -> None:
    ann, _ = friends(people, client, "sumquest")
    ann.page.get_by_text("Links", exact=True).click()
    eve = people.new()
    eve.page.goto(ann.page.get_by_role("textbox", name="Link to watch").input_value())
    expect(eve.page.get_by_role("main")).to_contain_text("You are watching.")
    expect(eve.page).to_have_title(re.compile("^Ann’s turn"))
    ann.plays("sumquest", "5")
    expect(eve.history).to_have_text(["Ann adds 5: 0 + 5 = 5."])
    expect(eve.page).to_have_title(re.compile("^Bo’s turn"))
    board = eve.region("Board").get_by_role("button")
    expect(board.and_(eve.page.locator(":not([aria-disabled=true])"))).to_have_count(0)
    expect(eve.button("Resign")).to_have_count(0)


def test_the_own_seat_goes_to_another_device_by_its_link(people: People, client: Client) -> None:
    ann, _ = friends(people, client, "sumquest")
    ann.page.get_by_text("Links", exact=True).click()
    phone = people.new()
    phone.page.goto(ann.page.get_by_role("textbox", name="Link to your seat").input_value())
    phone.waits_for_the_board()
    phone.plays("sumquest", "5")
    expect(ann.history).to_have_count(1)


def test_after_a_cut_the_true_state_is_shown_and_the_game_goes_on(people: People, client: Client, cable: Cable) -> None:
    one = client.create("sumquest", name="Ann")
    two = client.join(one.match, one.invite or "", "Bo")
    ann = people.new(url=cable.url)
    ann.forgive(*BROKEN)
    ann.sits(one.match, one.token)
    expect(ann.page).to_have_title(re.compile("^Your turn"))
    ann.plays("sumquest", "5")
    cable.cut()
    reconnecting(ann)
    two.look()
    two.play("9")
    cable.mend()
    connected(ann)
    expect(ann.history).to_have_text(["Ann adds 5: 0 + 5 = 5.", "Bo adds 9: 5 + 9 = 14."])
    ann.plays("sumquest", "4")
    assert client.look(one.match).history[-1].entry == "4"


def test_a_move_made_while_the_line_is_cut_arrives_once(people: People, client: Client, cable: Cable) -> None:
    me, one = begun(people, client, cable.url)
    cable.cut()
    reconnecting(me)
    me.choices("sumquest", "9")[0].click()
    later = me.page.get_by_role("status").filter(has_text="What you chose will be sent when the connection is back.")
    expect(later).to_be_visible()
    assert len(client.look(one.match).history) == 1
    cable.mend()
    connected(me)
    expect(me.history).to_have_count(2)
    assert [line.entry for line in client.look(one.match).history] == ["5", "9"]


def test_a_move_whose_answer_got_lost_happens_once(people: People, client: Client, cable: Cable) -> None:
    me, one = begun(people, client, cable.url)
    cable.deaf = True
    me.choices("sumquest", "9")[0].click()
    one.wait(lambda state: len(state.history) == 2)
    expect(me.history).to_have_count(1)
    cable.cut()
    reconnecting(me)
    cable.mend()
    connected(me)
    expect(me.history).to_have_count(2)
    me.plays("sumquest", "4")
    assert [line.entry for line in client.look(one.match).history] == ["5", "9", "4"]


def test_no_match_notices_that_the_server_was_killed_and_started_anew(people: People, tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.client() as client:
        one = client.create("sumquest", name="Ann")
        two = client.join(one.match, one.invite or "", "Bo")
        ann, bo = people.new(url=server.url), people.new(url=server.url)
        for person, seat in ((ann, one), (bo, two)):
            person.forgive(*BROKEN)
            person.sits(seat.match, seat.token)
        ann.plays("sumquest", "5")
        expect(bo.page).to_have_title(re.compile("^Your turn"))
        server.kill()
        for person in (ann, bo):
            reconnecting(person)
        bo.choices("sumquest", "9")[0].click()
        server.again()
        for person in (ann, bo):
            connected(person)
            expect(person.history).to_have_text(["Ann adds 5: 0 + 5 = 5.", "Bo adds 9: 5 + 9 = 14."])
        ann.plays("sumquest", "4")
        expect(bo.page).to_have_title(re.compile("^Your turn"))
        assert [line.entry for line in client.look(one.match).history] == ["5", "9", "4"]


def test_a_match_that_is_no_longer_kept_is_told_and_leaves_the_front_page(people: People, tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.client() as client:
        me, _ = begun(people, client, server.url)
        server.kill()
        reconnecting(me)
        for file in tmp_path.glob("games.db*"):
            file.unlink()
        server.again()
        heading = me.page.get_by_role("heading", level=1)
        expect(heading).to_have_text("This game is no longer kept.")
        connected(me)
        me.page.reload()
        expect(heading).to_have_text("This game is no longer kept.")
        me.page.get_by_role("link", name="To the games").click()
        expect(heading).to_have_text("Five number games for two")
        expect(me.page.get_by_role("heading", name="Your open games")).to_have_count(0)
