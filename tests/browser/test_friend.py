"""Two friends, a browser each: who is away, signs, invitations taken back, codes, calls, and boards without marks."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Locator, expect

from numberquest.client import Client
from tests.browser.people import TITLES, People, Person, friends
from tests.conftest import in_ci
from tests.server.test_qr import drawn, made

HIDE = """(hidden) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
CALLS = """(() => {
  window.asked = 0;
  window.calls = [];
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { window.asked++; return (this.permission = window.answer ?? 'granted'); }
    constructor(title, { body, tag }) { window.calls.push({ title, body, tag }); }
    close() {}
  };
})()"""


def card(person: Person, name: str) -> Locator:
    """Somebody's card above the board."""
    return person.page.get_by_role("list", name="Players").get_by_role("listitem").filter(has_text=name)


# ---- presence


def test_who_waits_long_enough_can_end_the_game_without_a_result_and_both_are_told(
    people: People, client: Client
) -> None:
    ann, bo = friends(people, client, "sumquest")
    ann.plays("sumquest", "5")
    expect(bo.history).to_have_count(1)
    for person in (ann, bo):
        # The page's clock goes on; the server's does not.
        person.page.clock.install()
        person.page.reload()
        expect(person.history).to_have_count(1)
        # Said by the server, as what it has told of the time.
        expect(person.button("Resign")).to_be_visible()
        expect(person.page.get_by_text("without a result")).to_have_count(0)
        person.page.clock.fast_forward("08:00")
    expect(ann.page.locator(".note")).to_contain_text(re.compile("If Bo does not move by .*, you can end this game"))
    expect(bo.page.locator(".note")).to_contain_text(re.compile("If you do not move by .*, Ann can end this game"))
    expect(ann.button("End without result")).to_have_count(0)
    ann.page.clock.fast_forward("08:00")
    ann.button("End without result").click()
    ann.button("Yes, end it").click()
    # The server has the last word.
    expect(ann.page.locator("#status")).to_contain_text(re.compile("Bo still has time: in 15 min"))


def test_a_friend_who_has_gone_is_away_and_back_again(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    address = bo.page.url
    expect(card(ann, "Bo")).not_to_contain_text("away")
    before = ann.region("Board").bounding_box()
    bo.page.goto("/")
    expect(card(ann, "Bo")).to_contain_text("is away")
    assert ann.region("Board").bounding_box() == before
    expect(ann.page.locator("#live")).to_contain_text("Bo is away.")
    expect(card(ann, "Ann")).not_to_contain_text("away")
    bo.page.goto(address)
    expect(card(ann, "Bo")).not_to_contain_text("away")
    expect(ann.page.locator("#live")).to_contain_text("Bo is back.")
    expect(ann.button("Remind Bo")).to_have_count(0)
    ann.plays("sumquest", "5")
    expect(bo.history).to_have_count(1)
    # Somebody who stays away can be reminded, and the game put away without a result.
    bo.page.goto("/")
    ann.button("Remind Bo").click()
    expect(ann.page.locator("#status")).to_contain_text(re.compile("reminder is copied|It is your turn in Sum Quest"))
    ann.button("Put away").click()
    ann.button("Yes, put it away").click()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("number games")
    expect(ann.page.get_by_role("heading", name="Your open games")).to_have_count(0)


@in_ci
def test_who_plays_without_a_page_is_there_when_they_move(people: People, client: Client) -> None:
    one = client.create("sumquest", name="Ann")
    two = client.join(one.match, one.invite or "", "Bo")
    ann = people.at(one)
    ann.plays("sumquest", "5")
    expect(card(ann, "Bo")).to_contain_text("is away")
    two.look()
    two.play("7")
    expect(card(ann, "Bo")).not_to_contain_text("away")


@in_ci
def test_whoever_has_lost_the_line_claims_nothing_of_the_other(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    ann.forgive("WebSocket", "Failed to load resource", "net::ERR")
    bo.page.goto("/")
    expect(card(ann, "Bo")).to_contain_text("is away")
    ann.context.set_offline(True)
    expect(ann.page.get_by_text("Reconnecting…")).to_be_visible()
    expect(card(ann, "Bo")).not_to_contain_text("away")
    ann.context.set_offline(False)
    expect(card(ann, "Bo")).to_contain_text("is away")


# ---- signs


def test_a_sign_is_seen_and_said_at_the_other_side_for_a_while_and_moves_nothing(
    people: People, client: Client
) -> None:
    ann, bo = friends(people, client, "fifty")
    for one in (ann, bo):
        # It is gone after a while, so no time passes until everybody has looked.
        one.page.clock.install()
        one.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    before = bo.region("Board").bounding_box()
    ann.page.get_by_role("group", name="A sign for Bo").get_by_role("button", name="Bravo").click()
    sign = bo.page.get_by_role("img", name="Ann: Bravo!")
    expect(sign).to_be_visible()
    expect(bo.page.locator("#live")).to_contain_text("Ann: Bravo!")
    assert bo.region("Board").bounding_box() == before
    # Whoever sends it sees it too, and waits a moment before the next.
    expect(ann.page.get_by_role("img", name="Ann: Bravo!")).to_be_visible()
    expect(ann.button("Wow")).to_have_attribute("aria-disabled", "true")
    ann.page.clock.run_for(2_000)
    expect(ann.button("Wow")).not_to_have_attribute("aria-disabled", "true")
    expect(sign).to_be_visible()
    bo.page.clock.run_for(6_000)
    expect(sign).to_have_count(0)


def test_whoever_watches_sees_signs_and_has_none(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "fifty")
    watcher = people.new()
    watcher.page.goto(f"/m/{ann.match}")
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    bo.button("Nice").press("Enter")
    expect(watcher.page.get_by_role("img", name="Bo: Nice!")).to_be_visible()
    expect(watcher.button("Nice")).to_have_count(0)


# ---- invitations


def test_an_invitation_that_was_withdrawn_says_so(people: People) -> None:
    ann, bo, late = people.new("Ann"), people.new(), people.new()
    ann.page.goto("/")
    ann.button(f"Play a friend: {TITLES['fifty']}").click()
    link = ann.page.get_by_role("textbox", name="Invitation").input_value()
    bo.page.goto(link)
    # Who opens it has not begun: the invitation says what does.
    expect(bo.button("Sit down")).to_be_visible()
    expect(ann.region("Invitation")).to_contain_text("Sit down")
    ann.button("Withdraw").click()
    ann.button("No, keep it").click()
    expect(ann.region("Invitation")).to_be_visible()
    ann.button("Withdraw").click()
    ann.button("Yes, withdraw it").click()
    expect(ann.page.get_by_role("heading", name="You have withdrawn this invitation.")).to_be_visible()
    # Who was just about to sit down, and who comes later.
    bo.forgive("409")
    bo.button("Sit down").click()
    late.page.goto(link)
    for one in (bo, late):
        expect(one.page.get_by_role("heading", name="Ann has withdrawn this invitation.")).to_be_visible()
    # It is none of one's open games any more.
    ann.page.get_by_role("link", name="To the games").click()
    expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
    expect(ann.page.get_by_text("your friend is not here yet")).to_have_count(0)


# ---- codes


def test_the_invitation_is_there_as_a_code_that_a_phone_reads(people: People) -> None:
    ann = people.new("Ann")
    ann.page.goto("/")
    ann.button(f"Play a friend: {TITLES['fifty']}").click()
    link = ann.page.get_by_role("textbox", name="Invitation").input_value()
    ann.button("QR code").click()
    code = ann.page.get_by_role("img", name="QR code of the invitation")
    expect(code).to_be_visible()
    side = int((code.get_attribute("viewBox") or "").split()[2])
    assert drawn(side, code.locator("path").get_attribute("d") or "") == made(link)
    ann.button("QR code").click()
    expect(code).to_have_count(0)


# ---- one's turn


def calling(people: People, client: Client) -> tuple[Person, Person]:
    ann, bo = friends(people, client, "sumquest")
    bo.context.add_init_script(CALLS)
    bo.page.reload()
    bo.waits_for_the_board()
    return ann, bo


def test_a_call_comes_only_where_it_was_wished_for_and_nobody_looks(people: People, client: Client) -> None:
    ann, bo = calling(people, client)
    bo.page.evaluate(HIDE, True)
    ann.plays("sumquest", "5")
    expect(bo.page).to_have_title(re.compile("^● Your turn"))
    assert bo.page.evaluate("[asked, calls.length]") == [0, 0], "never asked by itself"
    bo.page.evaluate(HIDE, False)
    expect(bo.page).to_have_title(re.compile("^Your turn"))
    bo.page.get_by_role("switch", name="Call me when it is my turn").check()
    bo.page.wait_for_function("() => asked === 1")
    bo.plays("sumquest", "7")
    ann.plays("sumquest", "2")
    expect(bo.history).to_have_count(3)
    assert bo.page.evaluate("calls.length") == 0, "whoever looks needs no call"
    bo.page.evaluate(HIDE, True)
    bo.plays("sumquest", "1")
    ann.plays("sumquest", "3")
    bo.page.wait_for_function("() => calls.length === 1")
    [call] = bo.page.evaluate("calls")
    assert call["title"].startswith("● Your turn")
    assert call["body"].startswith("Ann adds 3")
    # It is remembered, and not asked again.
    assert bo.page.evaluate("localStorage.getItem('nq.call')") == "true"


def test_where_the_browser_refuses_the_switch_goes_back(people: People, client: Client) -> None:
    _, bo = calling(people, client)
    bo.page.evaluate("window.answer = 'denied'")
    switch = bo.page.get_by_role("switch", name="Call me when it is my turn")
    switch.click()
    expect(bo.page.get_by_role("status").filter(has_text="does not let this page")).to_be_visible()
    expect(switch).not_to_be_checked()


# ---- without marks

SAID = re.compile(r"wins|loses|total \d|then has")


def said(person: Person) -> str:
    """All that stands on the board and all its buttons are called."""
    board = person.region("Board")
    names = board.get_by_role("button").evaluate_all("all => all.map(one => `${one.ariaLabel ?? ''} ${one.title}`)")
    return board.inner_text() + " ".join(names)


def test_without_marks_neither_a_player_nor_a_watcher_is_told_what_a_move_comes_to(
    people: People, client: Client
) -> None:
    """With each board under Node: `tests/page/test_words.py`."""
    told = {}
    for marks in (True, False):
        one = client.create("mystic", name="Ann", marks=marks)
        client.join(one.match, one.invite or "", "Bo")
        mover, watcher = people.new(), people.new()
        mover.sits(one.match, one.token)
        told[marks] = said(mover)
        watcher.page.goto(f"/m/{one.match}")
        expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
        expect(watcher.page.get_by_text("Without marks and sums")).to_have_count(0 if marks else 1)
        assert not SAID.search(said(watcher))
        mover.plays("mystic", "pass")
    assert SAID.search(told[True]), told
    assert not SAID.search(told[False]), told


def test_whoever_starts_a_game_chooses_for_this_one(people: People) -> None:
    ann = people.new("Ann")
    ann.page.goto("/")
    ann.button(f"House rules: {TITLES['sumquest']}").click()
    box = ann.page.get_by_role("dialog").get_by_role("checkbox", name="Marks and sums on the board")
    expect(box).to_be_checked()
    box.uncheck()
    ann.button("Start").click()
    expect(ann.page.get_by_text("Without marks and sums")).to_be_visible()
    expect(ann.button("Hint")).to_have_count(0)
    expect(ann.page.get_by_role("switch", name="Coach")).to_have_count(0)
    expect(ann.page.locator(".badge")).to_have_count(0)
    ann.page.goto("/")
    ann.button(f"House rules: {TITLES['sumquest']}").click()
    expect(box).to_be_checked()


def test_whoever_is_invited_reads_that_there_are_none(people: People, client: Client) -> None:
    one = client.create("fifty", name="Ann", marks=False)
    bo = people.new()
    bo.page.goto(f"/m/{one.match}#invite={one.invite}")
    expect(bo.page.get_by_text("Without marks and sums")).to_be_visible()


# ---- house rules


def test_who_is_invited_to_house_rules_reads_those_and_so_does_who_opens_the_rules(
    people: People, client: Client
) -> None:
    one = client.create("sumquest", name="Ann", settings={"target": 99})
    bo = people.new()
    bo.page.goto(f"/m/{one.match}#invite={one.invite}")
    invited = bo.page.get_by_role("main")
    expect(invited).to_contain_text("Bring the sum to exactly 99")
    expect(invited).not_to_contain_text("23 to win")
    expect(invited.locator("details")).to_contain_text("99")
    expect(invited.locator("details")).not_to_contain_text("23")
    expect(invited.locator(".picture")).to_contain_text("99")
    bo.button("Sit down").click()
    bo.waits_for_the_board()
    bo.button("Rules").click()
    rules = bo.page.get_by_role("dialog")
    expect(rules.get_by_role("heading")).to_have_text("Sum Quest: Race to 99")
    expect(rules).to_contain_text("exactly 99")
    expect(rules).not_to_contain_text("exactly 23")
