"""The games of a browser: listed, counted, removed, and taken to another browser in a file."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from numberquest.client import Client
from tests.browser.people import People, Person


def resigns(person: Person, client: Client, slug: str, opponent: str) -> str:
    """A game that ends at once; its name."""
    seat = client.create(slug, opponent=opponent, name="Ann")
    person.sits(seat.match, seat.token)
    person.resigns()
    expect(person.region("The end")).to_be_visible()
    return seat.match


def test_finished_and_open_games_are_listed_with_their_results(me: Person, client: Client) -> None:
    lost = resigns(me, client, "fifty", "easy")
    shared = me.starts("Two at this screen", "sumquest")
    for move in ("9", "8", "6"):
        me.plays("sumquest", move)
    won = client.create("sumquest", opponent="random", seat=1, name="Ann", settings={"target": 9})
    me.sits(won.match, won.token)
    me.plays("sumquest", "9")
    open_ = client.create("grid", opponent="hard", name="Ann")
    me.sits(open_.match, open_.token)
    me.page.goto("/")
    last = me.page.get_by_role("heading", name="Your last games").locator("..")
    expect(last.get_by_role("link")).to_have_count(4)
    expect(me.page.get_by_role("link", name="Grid with Computer (hard)")).to_have_attribute("href", f"m/{open_.match}")
    last.get_by_role("link", name="All my games").click()
    mine = me.region("My games")
    rows = mine.get_by_role("list").get_by_role("listitem")
    expect(rows).to_have_count(4)
    for row, words, match in (
        (rows.nth(0), "… goes on", f"m/{open_.match}"),
        (rows.nth(1), "✓ won", f"review#match={won.match}"),
        (rows.nth(2), "Player 1 won", f"review#match={shared}"),
        (rows.nth(3), "✗ lost", f"review#match={lost}"),
    ):
        expect(row).to_contain_text(words)
        expect(row.get_by_role("link")).to_have_attribute("href", match)
    # Results by game and level, of those in which one of the two sat here; the key moments are looked up by and by.
    table = mine.get_by_role("table")
    expect(table.get_by_role("row")).to_have_text(
        [
            "GameAgainstPlayedWonKey moments found",
            "Fiftycomputer, easy10–",
            "Sum Quest: Race to 9computer, random111 of 1",
        ]
    )
    # A phone shows all of it.
    me.page.set_viewport_size({"width": 375, "height": 700})
    assert mine.get_by_role("region", name="Results").evaluate("it => it.scrollWidth <= it.clientWidth")


@pytest.mark.everywhere
def test_a_game_can_be_removed_and_one_that_goes_on_only_after_a_question(me: Person, client: Client) -> None:
    resigns(me, client, "fifty", "easy")
    open_ = client.create("grid", opponent="hard", name="Ann")
    me.sits(open_.match, open_.token)
    me.page.goto("/review")
    rows = me.region("My games").get_by_role("list").get_by_role("listitem")
    me.button("Remove: Fifty", exact=False).click()
    expect(rows).to_have_count(1)
    me.button("Remove: Grid", exact=False).click()
    me.button("No").click()
    expect(rows).to_have_count(1)
    me.button("Remove: Grid", exact=False).click()
    me.button("Yes, remove").click()
    expect(me.region("My games")).to_contain_text("Games that you play in this browser are listed here")
    me.page.goto("/")
    expect(me.page.get_by_role("heading", name="Your open games")).to_have_count(0)


def test_the_games_go_to_another_browser_in_one_file(people: People, client: Client, tmp_path: Path) -> None:
    me, there = people.new("Ann"), people.new()
    resigns(me, client, "fifty", "easy")
    open_ = client.create("mystic", opponent="hard", name="Ann")
    me.sits(open_.match, open_.token)
    me.page.goto("/review")
    with me.page.expect_download() as download:
        me.button("Save as a file").click()
    file = tmp_path / "number-quest-games.json"
    download.value.save_as(file)
    assert download.value.suggested_filename == file.name
    there.page.goto("/review")
    there.page.get_by_label("Read a file").set_input_files(file)
    rows = there.region("My games").get_by_role("list").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(there.page.get_by_text("2 games were read from number-quest-games.json.")).to_be_visible()
    # The open game goes on there.
    rows.get_by_role("link", name="Mystic Numbers").click()
    there.waits_for_the_board()
    expect(there.page.get_by_role("list", name="Players").get_by_text(re.compile("^you"))).to_be_visible()


def test_a_file_that_is_something_else_changes_nothing(me: Person, client: Client) -> None:
    resigns(me, client, "fifty", "easy")
    me.page.goto("/review")
    rows = me.region("My games").get_by_role("list").get_by_role("listitem")
    hostile = {
        "kind": "number-quest-games",
        "matches": {
            "../../evil": {"title": "x", "over": True},
            "aaaaaaaaaaaaaaaa": {"title": {"a": 1}, "token": "no token", "seat": 7, "winner": "me", "key": [3, 2]},
            "bbbbbbbbbbbbbbbb": {"title": "<img src=x onerror=alert(1)>", "against": "with x", "over": True},
        },
        "days": {"today": 1, "2026-03-01": {"how": "nonsense"}},
    }
    for content, words in (
        (b"\x00\xff", "bad.json is not a file of games that was saved here. Nothing is changed."),
        (b"[]", "bad.json is not a file of games that was saved here. Nothing is changed."),
        (json.dumps(hostile).encode(), "1 game was read from bad.json."),
    ):
        me.page.get_by_label("Read a file").set_input_files(
            {"name": "bad.json", "mimeType": "application/json", "buffer": content}
        )
        expect(me.page.get_by_text(words)).to_be_visible()
    # What is only text stays text.
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="<img src=x")).to_have_count(1)
    assert me.page.evaluate("localStorage.getItem('nq.puzzle.days')") == "{}"


def test_a_game_that_the_server_no_longer_has_is_said_to_be_gone_and_leads_nowhere(me: Person, client: Client) -> None:
    me.forgive("404")
    seat = client.create("sumquest", opponent="easy", name="Ann")
    me.sits(seat.match, seat.token)
    # Two that are not there: one that was still open, and one that was lost.
    me.page.evaluate(
        """(known) => {
          const seen = JSON.parse(localStorage.getItem(`nq.match.${known}`));
          const ended = { ...seen, over: true, winner: 2, ended: Date.now() };
          localStorage.setItem('nq.match.open-and-gone-now', JSON.stringify(seen));
          localStorage.setItem('nq.match.over-and-gone-now', JSON.stringify(ended));
        }""",
        seat.match,
    )
    me.page.goto("/m/open-and-gone-now")
    expect(me.page.get_by_role("heading", name="This game is no longer kept.")).to_be_visible()
    me.page.goto("/review#match=over-and-gone-now")
    expect(me.page.get_by_text("This cannot be reviewed.")).to_be_visible()
    expect(me.page.get_by_role("link", name="Back to the game")).to_have_count(0)
    me.page.goto("/review")
    gone = me.region("My games").get_by_role("listitem").filter(has_text="no longer kept")
    expect(gone).to_have_count(2)
    expect(gone.get_by_role("link")).to_have_count(0)
    expect(gone.filter(has_text="✗ lost")).to_have_count(1)
