"""The workshop: a recipe is changed with a form, tried, measured, compared and sent; with a server and without."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from numberquest.core.recipe import load, text_of
from tests.browser.conftest import PATIENCE
from tests.browser.people import People, Person
from tests.browser.plain_files import PlainFiles
from tests.browser.test_accessibility import OUTSIDE, SMALL, axe, complaints
from tests.browser.test_site import kept
from tests.server.running import Running

STARTS = Path(__file__).parents[2] / "src/numberquest/server/starts"
RACE = (STARTS / "race_to_31.toml").read_text()


def truth(person: Person) -> Locator:
    return person.region("What is true of it")


def enters(person: Person) -> None:
    person.page.goto("/")
    person.page.get_by_role("link", name="To the workshop").click()
    expect(truth(person)).to_contain_text("With best play Player 1 always wins.")


SHEETS = ("Board", "The game’s own words", "Laws", "What is true of it")


def shows_the_last_version_that_worked(person: Person) -> None:
    for name in SHEETS:
        expect(person.region(name)).to_contain_text("of the last version that worked")
        expect(person.region(name).locator(":is(button, select, summary):not([inert] *)")).to_have_count(0)


@pytest.mark.everywhere
def test_a_rule_is_changed_in_the_form_and_both_games_stand_side_by_side(me: Person) -> None:
    enters(me)
    expect(me.region("Laws")).to_contain_text("laws hold")
    target = me.page.get_by_label("the sum to reach")
    target.fill("28")
    target.press("Tab")
    expect(me.region("Board")).to_contain_text("of 28")
    compare = me.button("Compare with before")
    compare.click()
    expect(truth(me)).to_contain_text("A, before: With best play Player 1 always wins.")
    expect(truth(me)).to_contain_text("B, now: With best play")
    # All there is, is the text: a line of it has changed, and no other.
    me.page.get_by_text("As a text").click()
    expect(me.page.get_by_label("The recipe")).to_have_value(RACE.replace("usual = 31", "usual = 28"))


def test_a_trial_is_played_to_its_end(me: Person) -> None:
    enters(me)
    board = me.region("Board")
    me.page.get_by_label("Player 2 is").select_option("random")
    for _ in range(31):
        if board.get_by_text("wins.").count():
            break
        moves = board.get_by_role("list", name="Moves so far").get_by_role("listitem")
        before = moves.count()
        board.locator(".choice:not([aria-disabled])").first.click()
        expect(moves.nth(before)).to_be_visible()
    expect(board.get_by_role("status")).to_contain_text(re.compile(r"Player [12] wins\."))


def test_what_is_wrong_in_a_recipe_is_told_at_its_line(me: Person) -> None:
    enters(me)
    me.forgive("400 (Bad Request)")
    me.page.get_by_text("As a text").click()
    me.page.get_by_label("The recipe").fill(RACE.replace('kind = "pool"', 'kind = "all"'))
    expect(me.page.locator("#editor-trouble")).to_contain_text("Line 8: numbers.kind is any, pool, pile or die")
    me.button("Go to line 8").click()
    selected = me.page.get_by_label("The recipe").evaluate(
        "one => one.value.slice(one.selectionStart, one.selectionEnd)"
    )
    assert selected == 'kind = "all"'


def test_after_an_error_what_is_shown_is_marked_as_old_until_the_rules_are_right_again(me: Person) -> None:
    enters(me)
    me.forgive("400 (Bad Request)")
    largest = me.page.get_by_label("The largest number")
    largest.fill("")
    largest.press("Tab")
    shows_the_last_version_that_worked(me)
    expect(me.button("Play it")).to_be_disabled()
    me.page.evaluate(axe())
    assert complaints(me.page) == []
    largest.fill("6")
    largest.press("Tab")
    expect(me.page.get_by_text("of the last version that worked")).to_have_count(0)
    expect(me.button("Play it")).to_be_enabled()
    expect(truth(me)).to_contain_text("Worked out from")
    me.page.get_by_text("As a text").click()
    me.page.get_by_label("The recipe").fill(RACE.replace('kind = "pool"', 'kind = "all"'))
    shows_the_last_version_that_worked(me)
    # Of another game nothing stays.
    me.button("Take it: Hot potato").click()
    expect(me.page.get_by_text("of the last version that worked")).to_have_count(0)
    expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Hot potato")


def test_what_was_made_is_there_again_and_a_link_carries_all_of_it(me: Person) -> None:
    enters(me)
    me.button("Take it: Hot potato").click()
    kept_here = me.page.get_by_label("Start from", exact=True).locator("optgroup").nth(1)
    expect(kept_here.locator("option")).to_have_text(["Race to 31"])
    expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Hot potato")
    me.page.reload()
    expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Hot potato")
    me.button("Share").click()
    address = me.page.get_by_role("textbox", name="The link").input_value()
    assert load(text_of("recipe:" + address.partition("#recipe=")[2])).title == "Hot potato"
    me.page.evaluate("localStorage.clear()")
    me.page.goto(address)
    expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Hot potato")
    with me.page.expect_download() as download:
        me.button("Save as a file").click()
    assert download.value.suggested_filename == "hot_potato.toml"
    assert download.value.path().read_text() == (STARTS / "hot_potato.toml").read_text()
    # A puzzle of it has an address that carries the game as well.
    me.button("A puzzle of it").click()
    expect(me.region("The puzzle")).to_be_visible()
    assert "#id=recipe%3A" in me.page.url
    me.page.reload()
    expect(me.region("The puzzle")).to_be_visible()
    expect(me.page.get_by_label("Another one:").locator("option:checked")).to_have_text("Hot potato")
    me.page.go_back()
    expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Hot potato")


def test_without_python_in_the_browser_the_tab_for_it_says_what_is_needed(me: Person) -> None:
    enters(me)
    me.page.get_by_text("In Python").click()
    expect(me.page.locator("#editor-trouble")).to_contain_text("numberquest serve --site FOLDER")
    # Nothing of the recipe that was open before stands beside it.
    for name in SHEETS:
        expect(me.region(name)).to_have_count(0)


def test_a_prompt_for_a_chatbot_holds_the_wish_and_two_games(me: Person) -> None:
    me.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enters(me)
    me.page.get_by_text("In Python").click()
    me.page.get_by_text("Let a chatbot write it").click()
    me.page.get_by_label("Your wish").fill("with dice and $& cards")
    me.button("Copy a prompt for a chatbot").click()
    expect(me.page.get_by_text("✓ Copied.")).to_be_visible()
    prompt = me.page.evaluate("navigator.clipboard.readText()")
    assert "The game I wish for: with dice and $& cards" in prompt
    assert prompt.count("class Position(NamedTuple)") == 2


def test_the_workshop_is_clean_for_everybody_and_fits_a_phone(me: Person) -> None:
    enters(me)
    for way in ("With a form", "As a text", "In Python"):
        me.page.get_by_text(way).click()
        me.page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
        me.page.evaluate(axe())
        assert complaints(me.page) == []
        for wide in (390, 320):
            me.page.set_viewport_size({"width": wide, "height": 800})
            assert me.page.evaluate(OUTSIDE) == {"sideways": 0, "out": []}
            assert me.page.evaluate(SMALL) == []
        me.page.set_viewport_size({"width": 1280, "height": 900})
        assert me.page.evaluate(OUTSIDE) == {"sideways": 0, "out": []}


def test_without_a_network_recipes_and_python_are_looked_at_as_before(people: People, site: PlainFiles) -> None:
    me = people.new(url=site.url, service_workers="allow")
    me.page.goto("/")
    kept(me.page)
    me.context.set_offline(True)
    enters(me)
    me.page.get_by_text("In Python").click()
    expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Who takes the last")
    expect(truth(me)).to_contain_text("With best play Player 1 always wins.")
    me.page.get_by_label("The rules, in Python").fill("class Last(")
    shows_the_last_version_that_worked(me)


def test_a_server_that_sends_python_along_allows_its_frame_and_never_runs_it(
    browser: Browser, site: PlainFiles, tmp_path: Path
) -> None:
    with Running(tmp_path, "--site", str(site.folder)) as server:
        people = People(browser, server.url, PATIENCE)
        me = people.new()
        enters(me)
        me.page.get_by_text("In Python").click()
        expect(me.region("The game’s own words").get_by_role("heading")).to_have_text("Who takes the last")
        expect(truth(me)).to_contain_text("With best play Player 1 always wins.")
        asked = {"text": (STARTS / "last.txt").read_text()}
        answer = me.page.request.post("/api/drafts/checks", data=asked)
        assert (answer.status, answer.json()["code"]) == (400, "bad-request")
        people.leave()


def test_a_friend_is_invited_to_a_game_of_one_s_own(me: Person, people: People) -> None:
    enters(me)
    me.button("Invite a friend").click()
    address = me.region("Invitation").get_by_role("textbox").input_value()
    friend = people.new("Bo")
    friend.page.goto(address)
    friend.button(re.compile("Sit down|Join|Play", re.IGNORECASE)).first.click()
    expect(friend.page.get_by_role("heading", level=1)).to_have_text("Race to 31")
