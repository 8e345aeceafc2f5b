"""Playing the computer, and everything that helps while one does."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

import numberquest as nq
from numberquest.client import Client
from numberquest.server.refusal import SENTENCES
from tests.browser.people import TITLES, People, Person, quick
from tests.browser.plain_files import everywhere_with

SAID = """(() => {
  window.said = [];
  new MutationObserver((all) => all.filter(({ target }) => target.id === 'live')
    .forEach(({ addedNodes }) => window.said.push(...[...addedNodes].map((one) => one.textContent))))
    .observe(document, { childList: true, subtree: true });
})()"""
"""Notes what a screen reader is told: each line is there for a moment only."""
HEARD = "(words) => window.said.some((said) => said.includes(words))"


@everywhere_with("slug", nq.GAMES.own, alone="mystic")
def test_two_clicks_lead_from_the_front_page_to_the_first_move(me: Person, client: Client, slug: str) -> None:
    me.page.goto("/")
    me.button(f"Play the computer, easy: {TITLES[slug]}").click()
    me.waits_for_the_board()
    expect(me.page).to_have_title(f"Your turn – {TITLES[slug]}")
    state = client.look(me.match)
    move = next(option.move for option in state.moves if not option.move.startswith("predict"))
    before = len(state.history)
    # Fifty is played with a number and a sign: a number is chosen already, and what it leads to is in sight.
    last = me.choices(slug, move)[-1]
    if slug == "fifty":
        result = next(option.result for option in state.moves if option.move == move)
        expect(last).to_have_accessible_name(f"add: 0 + {move[:-1]} = {result}")
    last.click()
    expect(me.history.nth(before)).to_contain_text(re.compile("^You |^Player 1 "))
    expect(me.history.filter(has_text="computer").or_(me.region("The end")).first).to_be_visible()


def test_the_front_page_says_how_strong_the_computer_is(me: Person, client: Client) -> None:
    me.page.goto("/")
    me.page.get_by_role("radio", name="perfect").check(force=True)
    me.button("Play the computer, perfect: Fifty").click()
    me.waits_for_the_board()
    assert client.look(me.match).players[1].kind == "perfect"
    me.page.goto("/")
    expect(me.page.get_by_role("radio", name="perfect")).to_be_checked()


def test_a_name_from_the_front_page_is_used_and_kept(me: Person, client: Client) -> None:
    me.page.goto("/")
    me.page.get_by_role("textbox", name="Your name").fill(" Ann ")
    for how in ("Play the computer, easy", "Play a friend", "Two at this screen"):
        me.starts(how, "sumquest")
        assert client.look(me.match).players[0].name == "Ann"
    me.page.goto("/")
    expect(me.page.get_by_role("textbox", name="Your name")).to_have_value("Ann")


def test_the_title_of_a_long_dialog_stays_in_sight(me: Person) -> None:
    me.page.set_viewport_size({"width": 390, "height": 500})
    me.page.goto("/")
    me.button("House rules: Fifty").click()
    form = me.page.get_by_role("dialog")
    form.get_by_role("group").last.scroll_into_view_if_needed()
    assert form.evaluate("(box) => box.scrollTop") > 100
    expect(form.get_by_role("heading", level=2)).to_be_in_viewport()
    form.get_by_role("button", name="Close").click()
    expect(form).to_have_count(0)


def test_in_fifty_nobody_gets_the_number_that_another_has_chosen_and_no_key_plays_what_was_not_chosen(
    people: People, client: Client
) -> None:
    seat = client.create("fifty", opponent="screen")
    both = people.at(seat)
    chosen = both.page.get_by_role("button", pressed=True)
    # Before the first move one lies ready, for the mouse: it shows what the signs do.
    expect(chosen).to_have_accessible_name(re.compile("^1, "))
    both.page.keyboard.press("+")
    both.plays("fifty", "7+")
    expect(both.region("Board")).to_contain_text("Choose a number.")
    expect(chosen).to_have_count(0)
    both.waits_until_it_can_be_pressed()
    both.page.keyboard.press("+")
    both.plays("fifty", "5+")
    assert [line.entry for line in client.look(seat.match).history] == ["7+", "5+"]


@pytest.mark.parametrize(
    ("slug", "words"),
    [("sumquest", "Nothing is hidden in this game"), ("mystic", "Numbers that came up there come up here again")],
)
def test_what_is_said_about_the_deal_of_a_practice_game_is_true(
    people: People, client: Client, slug: str, words: str
) -> None:
    old = client.create(slug, opponent="screen")
    for _ in range(2):
        old.play(old.state.moves[0].move)
    old.act("resign")
    seen = [line.entry for line in old.state.history]
    new = client.create(slug, opponent="screen", record=client.record(old.match), at=0)
    for _ in range(2):
        new.play(new.state.moves[0].move)
    assert [line.entry for line in new.state.history] == seen
    me = people.at(new)
    me.page.get_by_text("How do I know it is fair?").click()
    expect(me.page.get_by_role("complementary")).to_contain_text(words)
    expect(me.page.get_by_role("complementary")).not_to_contain_text("Fingerprint")


def test_house_rules_from_the_form_are_in_force(me: Person, client: Client) -> None:
    me.page.goto("/")
    me.button("House rules: Fifty").click()
    form = me.page.get_by_role("dialog", name="Number Quest: Fifty")
    form.get_by_role("spinbutton", name=re.compile("score", re.IGNORECASE)).first.fill("30")
    form.get_by_role("checkbox", name="÷").uncheck(force=True)
    form.get_by_role("textbox", name="Your name").fill("Ann")
    form.get_by_role("radio", name="the other begins").check(force=True)
    form.get_by_role("radio", name="two at this screen").check(force=True)
    form.get_by_role("textbox", name="The other’s name").fill("Bo")
    form.get_by_role("button", name="Start").click()
    me.waits_for_the_board()
    expect(me.page.get_by_role("dialog")).to_have_count(0)
    changed = "the score to reach: 30; the operations that may be used: + − ×"
    expect(me.page.get_by_role("main")).to_contain_text(f"House rules: {changed}")
    me.button("Rules").click()
    told = me.page.get_by_role("dialog")
    expect(told).to_contain_text(f"In this game: {changed}.")
    # Who is favoured is proved of the classic game only.
    expect(told).not_to_contain_text("favoured")
    me.page.keyboard.press("Escape")
    expect(me.page.get_by_role("img", name=re.compile("On the way to 30: Bo 0, Ann 0"))).to_be_visible()
    expect(me.region("Board").get_by_role("group", name="What to do with it").get_by_role("button")).to_have_count(3)
    assert client.look(me.match).settings["target"] == 30


@pytest.mark.everywhere
def test_a_hint_goes_step_by_step_to_the_best_move(me: Person, client: Client) -> None:
    me.starts("Play the computer, easy", "sumquest")
    game = nq.game("sumquest")
    best = [move for move, value in nq.solve(game).moves(game.start()).items() if value == 1]
    note = me.page.get_by_role("main").locator(".note").filter(has_text="Hint")
    me.button("Hint").click()
    expect(note.get_by_role("paragraph")).to_have_count(1)
    me.button("More of the hint").click()
    expect(note.get_by_role("paragraph").nth(1)).to_contain_text(re.compile("|".join(best)))
    me.button("More of the hint").click()
    expect(note.get_by_role("paragraph")).to_have_count(3)
    expect(me.button("More of the hint")).to_have_attribute("aria-disabled", "true")
    assert client.look(me.match).players[0].hints == 3
    me.plays("sumquest", best[0])
    expect(note).to_have_count(0)


def test_the_coach_is_silent_until_asked_and_then_speaks_about_mistakes(me: Person) -> None:
    me.starts("Play the computer, easy", "sumquest")
    game = nq.game("sumquest")
    values = nq.solve(game).moves(game.start())
    good, bad = next(move for move in values if values[move]), next(move for move in values if not values[move])
    coach = me.page.get_by_text("Coach:")
    expect(me.page.get_by_role("switch", name="Coach")).not_to_be_checked()
    me.plays("sumquest", bad)
    expect(me.page).to_have_title(re.compile("^Your turn"))
    expect(coach).to_have_count(0)
    me.button("Take back").click()
    expect(me.history).to_have_count(0)
    me.page.get_by_role("switch", name="Coach").check()
    me.plays("sumquest", bad)
    expect(coach.locator("..")).to_contain_text(good)
    me.button("Take back").click()
    expect(me.page).to_have_title(re.compile("^Your turn"))
    expect(me.history).to_have_count(0)
    expect(coach).to_have_count(0)
    me.plays("sumquest", good)
    expect(coach.locator("..")).to_contain_text("That move gave nothing away.")
    # That is said of a move, and resigning is none.
    me.resigns()
    expect(me.region("The end")).to_be_visible()
    expect(coach).to_have_count(0)


def played_out(me: Person, client: Client, slug: str) -> None:
    """To the end, by whatever is quick."""
    over = me.region("The end")
    while True:
        expect(over.or_(me.page.get_by_role("list", name="Players").get_by_text("Your turn"))).to_be_visible()
        state = client.look(me.match)
        if state.outcome:
            return
        me.plays(slug, quick(state))


@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_the_deal_is_checked_with_one_click(me: Person, client: Client, slug: str) -> None:
    me.starts("Play the computer, easy", slug)
    played_out(me, client, slug)
    me.button("Check the deal").click()
    told = me.page.get_by_role("complementary").get_by_role("status")
    expect(told).to_have_text(re.compile("^✓ The secret fits the fingerprint from the start, and every number"))


def test_a_seed_that_was_changed_afterwards_is_noticed(me: Person) -> None:
    def forged(message: str | bytes) -> str:
        frame = json.loads(message)
        # Told as a whole, or as what has changed.
        seal = (frame.get("state") or frame["change"]).get("seal")
        if seal and seal["seed"]:
            seal["seed"] = ("1" if seal["seed"][0] != "1" else "2") + seal["seed"][1:]
        return json.dumps(frame)

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda message: page.send(forged(message)))

    me.context.route_web_socket(re.compile("/ws/"), between)
    me.starts("Play the computer, easy", "mystic")
    me.resigns()
    me.button("Check the deal").click()
    told = me.page.get_by_role("complementary").get_by_role("status")
    expect(told).to_have_text("✕ The secret does not fit the fingerprint that was shown at the start.")


def test_who_waits_for_the_computer_is_told_that_it_thinks_and_that_it_only_looks_ahead(
    people: People, client: Client
) -> None:
    # These rules are too large, and looking ahead takes a while: with several such games, the last one has to wait.
    seats = [
        client.create("fifty", settings={"target": 200, "copies": 4}, opponent="perfect", seat=2) for _ in range(12)
    ]
    # Of games at which nobody looks nothing is thought about.
    for seat in seats:
        client.look(seat.match)
    me = people.new()
    me.page.add_init_script(SAID)
    me.sits(seat.match, seat.token)
    thinks, ahead = (SENTENCES[f"computer-{code}"] for code in ("thinking", "looks-ahead"))
    # In sight, and in the live region, where a screen reader finds it.
    board = me.page.get_by_role("main")
    expect(board.get_by_text(thinks)).to_be_visible()
    me.page.wait_for_function(HEARD, arg=thinks)
    expect(board.get_by_text(ahead)).to_be_visible(timeout=90_000)
    expect(board.get_by_text(thinks)).to_have_count(0)
    # Once: before the other, where another of these games has moved already and it is known when somebody comes.
    me.page.wait_for_function(HEARD, arg=ahead)
    assert sum(ahead in said for said in me.page.evaluate("window.said")) == 1
    expect(me.page).to_have_title("Your turn – Fifty")
