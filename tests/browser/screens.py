"""Every screen of the page, and how to come there: for the tests of how it looks, and for the pictures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from numberquest.client import Client, Seat

    Screen = Callable[[Page, Client], None]

OPENINGS: Final = {
    "showdown": ("predict 45", "7", "2", "4"),
    "fifty": ("6+", "5+", "4*"),
    "grid": ("2,2", "1,3"),
    "sumquest": ("5", "9", "3"),
    "mystic": ("add", "add", "add"),
}
PUZZLE: Final = "/puzzle#id=fifty-1-2"
RECORD: Final = """\
[Game "mystic"]
[Player1 "Ann"]
[Player2 "Bo"]
[Deal "3,7,1,5,2,8,9,4,6,2,5,7,1,6,8,9,4,3"]

1. (3) add
2. (7) add
3. (1) add
4. (5) pass
5. (2) add
6. (8) add
7. (9) pass
"""


def friends(client: Client, slug: str, *moves: str, rounds: int = 1) -> dict[int, Seat]:
    """Ann and Bo have played these moves."""
    one = client.create(slug, name="Ann", rounds=rounds)
    seats = {1: one, 2: client.join(one.match, one.invite or "", "Bo")}
    for move in moves:
        turn = one.look().turn or 1
        seats[turn].look()
        seats[turn].play(move)
    return seats


def sits(page: Page, seat: Seat) -> None:
    """At the board, with the live connection standing."""
    page.goto(f"/m/{seat.match}#seat={seat.token}")
    expect(page.get_by_role("list", name="Players").get_by_text(re.compile("^you"))).to_be_visible()
    expect(page.get_by_role("region", name="Board", exact=True)).not_to_have_attribute("aria-busy", "true")


def front(page: Page, _: Client) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def house_rules(page: Page, client: Client) -> None:
    front(page, client)
    page.get_by_role("button", name="House rules: Fifty").click()
    expect(page.get_by_role("dialog")).to_contain_text("With best play Player 1 always wins")


def rules(page: Page, client: Client) -> None:
    front(page, client)
    page.get_by_role("button", name="Rules: Grid", exact=True).click()
    page.get_by_role("dialog").get_by_text("What the rules leave open").click()
    expect(page.get_by_role("dialog").get_by_role("definition").first).to_be_visible()


def playing(slug: str) -> Screen:
    """Somewhere in the middle of a game."""

    def screen(page: Page, client: Client) -> None:
        seats = friends(client, slug, *OPENINGS[slug])
        sits(page, seats[seats[1].look().turn or 1])
        if slug == "fifty":
            page.get_by_role("button", name="7, 2 left").click()
            expect(page.get_by_role("button", name=re.compile("^add: "))).to_be_visible()

    return screen


def panels(page: Page, client: Client) -> None:
    """With everything beside the board open."""
    sits(page, friends(client, "mystic", *OPENINGS["mystic"])[1])
    for panel in page.get_by_role("complementary").locator("details:not([open]) > summary").all()[::-1]:
        panel.click()
    expect(page.get_by_role("switch", name="Sound")).to_be_visible()


def waiting(page: Page, client: Client) -> None:
    front(page, client)
    page.get_by_role("button", name="Play a friend: Grid").click()
    expect(page.get_by_role("region", name="Invitation")).to_be_visible()


def code(page: Page, client: Client) -> None:
    """The invitation as a QR code."""
    waiting(page, client)
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("img", name="QR code of the invitation")).to_be_visible()


def withdrawn(page: Page, client: Client) -> None:
    one = client.create("mystic", name="Ann")
    one.act("withdraw")
    page.goto(f"/m/{one.match}#invite={one.invite}")
    expect(page.get_by_role("heading", name="Ann has withdrawn this invitation.")).to_be_visible()


def away(page: Page, client: Client) -> None:
    """The friend has gone, and one sends a sign all the same."""
    seats = friends(client, "fifty", *OPENINGS["fifty"])
    sits(page, seats[1])
    expect(page.get_by_role("list", name="Players").get_by_text("is away")).to_be_visible()
    page.get_by_role("button", name="Bravo").click()
    expect(page.get_by_role("img", name="Ann: Bravo!")).to_be_visible()


def unmarked(slug: str) -> Screen:
    """A board that does not say what a move comes to."""

    def screen(page: Page, client: Client) -> None:
        one = client.create(slug, name="Ann", marks=False)
        client.join(one.match, one.invite or "", "Bo")
        sits(page, one)

    return screen


def invited(page: Page, client: Client) -> None:
    one = client.create("mystic", name="Ann")
    page.goto(f"/m/{one.match}#invite={one.invite}")
    expect(page.get_by_role("textbox", name="Your name")).to_be_visible()


def watching(page: Page, client: Client) -> None:
    page.goto(f"/m/{friends(client, 'sumquest', '5')[1].match}")
    expect(page.get_by_text("You are watching.")).to_be_visible()


def computer(page: Page, client: Client) -> None:
    """With a hint, and what the coach says."""
    sits(page, client.create("sumquest", opponent="easy", name="Ann"))
    page.get_by_role("switch", name="Coach").check()
    page.get_by_role("button", name=re.compile("^1: ")).click()
    expect(page.get_by_text("Coach:")).to_be_visible()
    expect(page).to_have_title(re.compile("^Your turn"))
    for name in ("Hint", "More of the hint"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".note p")).to_have_count(2)


def asked(page: Page, client: Client) -> None:
    """The other one wants to take a move back."""
    seats = friends(client, "fifty", "6+", "5+")
    seats[2].look()
    seats[2].act("take-back")
    sits(page, seats[1])
    expect(page.get_by_role("region", name="A question")).to_be_visible()


def resigning(page: Page, client: Client) -> None:
    playing("grid")(page, client)
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def over(last: str) -> Screen:
    """The end, for whoever made the last move."""

    def screen(page: Page, client: Client) -> None:
        sits(page, friends(client, "sumquest", "9", "8", last, rounds=3)[1])
        expect(page.get_by_role("region", name="The end")).to_be_visible()

    return screen


def over_grid(page: Page, client: Client) -> None:
    """The end of a game with hidden numbers, and the deal checked."""
    seats = friends(client, "grid", "2,2", "1,3")
    seats[1].look()
    seats[1].act("resign")
    sits(page, seats[2])
    page.get_by_role("button", name="Check the deal").click()
    expect(page.get_by_role("complementary").get_by_role("status")).to_contain_text("✓")


def review(page: Page, client: Client) -> None:
    upload(page, client)
    page.get_by_role("textbox", name="Or paste it here").fill(RECORD)
    page.get_by_role("button", name="Review it").click()
    expect(page.get_by_text("Step 12 of 14")).to_be_visible()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Step 8 of 14")).to_be_visible()


def review_fifty(page: Page, client: Client) -> None:
    """A game without hidden numbers."""
    seats = friends(client, "fifty", "9+", "9+", "4*", "8+", "7+", "6*")
    page.goto(f"/review#match={seats[1].match}&at=3")
    expect(page.get_by_text("Step 3 of 6")).to_be_visible()


def upload(page: Page, _: Client) -> None:
    page.goto("/review")
    expect(page.get_by_role("button", name="Review it")).to_be_visible()


def my_games(page: Page, client: Client) -> None:
    """Two that are over."""
    for slug in ("fifty", "sumquest"):
        sits(page, client.create(slug, opponent="easy", name="Ann"))
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.get_by_role("region", name="The end")).to_be_visible()
    page.goto("/review")
    expect(page.get_by_role("region", name="Results")).to_be_visible()


def what_if(page: Page, client: Client) -> None:
    review(page, client)
    page.get_by_role("region", name="This step").get_by_role("button", name="add", exact=True).click()
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()


def daily(page: Page, _: Client) -> None:
    page.goto("/puzzle")
    expect(page.get_by_role("list", name="Steps")).to_be_visible()


def bad_record(page: Page, client: Client) -> None:
    upload(page, client)
    page.get_by_role("textbox", name="Or paste it here").fill(RECORD.replace("(5)", "(6)"))
    page.get_by_role("button", name="Review it").click()
    expect(page.get_by_role("alert")).to_be_visible()


def puzzle(page: Page, _: Client) -> None:
    page.goto(PUZZLE)
    expect(page.get_by_role("region", name="The puzzle")).to_be_visible()


def guessed(right: bool) -> Screen:
    """After an answer."""

    def screen(page: Page, client: Client) -> None:
        puzzle(page, client)
        posed = client.puzzle(PUZZLE.partition("=")[2])
        answers = client.guess(posed.id, posed.moves[0].move).answers
        move = next(option.move for option in posed.moves if (option.move in answers) == right)
        signs = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
        page.get_by_role("group", name="Numbers").get_by_role("button", name=f"{move[:-1]}, ").click()
        page.get_by_role("button", name=f"{signs[move[-1]]}: ").click()
        words = "Solved" if right else "Not this one"
        expect(page.get_by_role("heading", name=words)).to_be_visible()

    return screen


def atlas(game: str, settings: str = "", *, why: bool = False) -> Screen:
    """The map of all rules; with `why`, how the chosen ones are played best."""

    def screen(page: Page, _: Client) -> None:
        page.goto(f"/atlas#{urlencode({'game': game, 'settings': settings})}")
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        if why:
            page.get_by_role("button", name="Why?").click()
            expect(page.get_by_role("heading", name="If both play as well as they can")).to_be_visible()

    return screen


def laboratory(page: Page, _: Client) -> None:
    """A rule set, measured."""
    page.goto("/laboratory#game=sumquest&settings=target%3D12&players=medium,easy")
    expect(page.get_by_text("Worked out exactly")).to_be_visible()


def lesson(page: Page, _: Client) -> None:
    """With a move tried that does not do."""
    page.goto("/lesson/sumquest")
    for number in ("5", "1"):
        page.get_by_role("button", name=re.compile(f"^{number}: ")).click()
        page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name=re.compile("^9: ")).click()
    expect(page.get_by_text("Try another move.")).to_be_visible()


def workshop(page: Page, _: Client) -> None:
    page.goto("/workshop")
    expect(page.get_by_role("region", name="What is true of it")).to_contain_text(
        "With best play Player 1 always wins."
    )


def compared(page: Page, client: Client) -> None:
    workshop(page, client)
    page.get_by_label("the sum to reach").fill("28")
    page.get_by_label("the sum to reach").press("Tab")
    page.get_by_role("button", name="Compare with before").click()
    page.get_by_role("heading", name="Who wins?").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, document.querySelector('.bench').getBoundingClientRect().bottom - 10)")


def lost(page: Page, _: Client) -> None:
    page.goto("/m/nothing-is-here")
    expect(page.get_by_role("link", name="To the games")).to_be_visible()


def reconnecting(page: Page, client: Client) -> None:
    playing("mystic")(page, client)
    page.context.set_offline(True)
    expect(page.get_by_text("Reconnecting…")).to_be_visible()


SCREENS: Final[dict[str, Screen]] = {
    "front": front,
    "house-rules": house_rules,
    "rules": rules,
    **{f"playing-{slug}": playing(slug) for slug in OPENINGS},
    "panels": panels,
    "waiting": waiting,
    "code": code,
    "withdrawn": withdrawn,
    "away": away,
    **{f"unmarked-{slug}": unmarked(slug) for slug in ("mystic", "fifty")},
    "invited": invited,
    "watching": watching,
    "computer": computer,
    "asked": asked,
    "resigning": resigning,
    "won": over("6"),
    "lost": over("7"),
    "over-grid": over_grid,
    "review": review,
    "review-fifty": review_fifty,
    "what-if": what_if,
    "upload": upload,
    "my-games": my_games,
    "bad-record": bad_record,
    "daily": daily,
    "puzzle": puzzle,
    "puzzle-wrong": guessed(right=False),
    "puzzle-right": guessed(right=True),
    "lesson": lesson,
    "atlas-fifty": atlas("fifty", "copies=1 ops=+-"),
    "atlas-grid": atlas("grid", "target=18 stand=yes", why=True),
    "atlas-sumquest": atlas("sumquest", why=True),
    "laboratory": laboratory,
    "workshop": workshop,
    "compared": compared,
    "no-match": lost,
    "reconnecting": reconnecting,
}
TROUBLE: Final = {"bad-record": "status of 4", "no-match": "status of 4", "reconnecting": "WebSocket connection"}
"""What the console says on the screens that are about trouble."""
