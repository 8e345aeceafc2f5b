"""People with a browser each: how they find things, and what must never happen to them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urldefrag, urlsplit

import msgspec
from playwright.sync_api import Page, ViewportSize, expect

from numberquest.client import Client, Seat
from numberquest.core.contract import Outcome, ending
from numberquest.core.registry import GAMES
from numberquest.core.registry import game as make_game
from numberquest.server import wire

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Playwright

QUIET: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESK: Final[ViewportSize] = {"width": 1280, "height": 900}
VERBS: Final = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
TITLES: Final = {slug: kind.short_title for slug, kind in GAMES.own.items()}
LINES: Final = """async (state) => {
  const [{ boardOf }, { teller }] = [await import('/static/boards/boards.js'), await import('/static/parts/words.js')];
  const names = state.players.map(({ name }) => name);
  const { line } = teller({ settings: [], endings: {} }, await boardOf(state.game), state.settings, names);
  return state.history.map(line);
}"""


def started(playwright: Playwright, program: str, home: Path) -> Browser:
    """Chromium, with an empty home."""
    return playwright.chromium.launch(executable_path=program, args=[*QUIET], env={"HOME": str(home)})


class Person:
    """One browser with storage of its own. `page` is the tab that is looked at."""

    def __init__(self, context: BrowserContext, host: str, *, plain: bool = False) -> None:
        """`plain`: the page is plain files, in which there is one page for all matches."""
        self.plain = plain
        self.context = context
        self.host = host
        self.trouble: list[str] = []
        self.addresses: list[str] = []
        self._forgiven: list[str] = []
        context.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        context.on("weberror", lambda error: self.trouble.append(str(error.error)))
        context.on("request", lambda request: self.addresses.append(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self.addresses.append(socket.url)))
        self.page: Page = context.new_page()

    def forgive(self, *words: str) -> None:
        """Errors with these words in the console are meant by the test."""
        self._forgiven += words

    def forgets_everything(self) -> None:
        """As in a new browser."""
        self.context.set_offline(False)
        self.page.unroute_all()
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size(DESK)
        # A small thing from the same host: the page itself would remember something at once.
        self.page.goto("/static/favicon.svg")
        self.page.evaluate("localStorage.clear()")
        for kept in (self.trouble, self.addresses, self._forgiven):
            kept.clear()

    def check(self) -> None:
        """Nothing went wrong, nothing was asked of another host, and no secret was in an address."""
        trouble = [said for said in self.trouble if not any(word in said for word in self._forgiven)]
        assert not trouble, trouble
        outside = {address for address in self.addresses if urlsplit(address).netloc not in ("", self.host)}
        assert not outside, outside
        secrets = self.secrets()
        for address in [urldefrag(one)[0] for one in self.addresses] + [page.url for page in self.context.pages]:
            assert not any(secret in address for secret in secrets), address

    def secrets(self) -> set[str]:
        """Every token that this browser keeps."""
        kept: list[str] = []
        for page in [page for page in self.context.pages if page.url.startswith("http")][:1]:
            kept = page.evaluate(
                "Object.entries(localStorage).filter(([name]) => name.startsWith('nq.match.')).map(([, text]) => text)"
            )
        seen: list[dict[str, Any]] = [json.loads(text) for text in kept]
        return {one[what] for one in seen for what in ("token", "invite") if one.get(what)}

    # ---- what is on the page

    def button(self, name: str | re.Pattern[str], *, exact: bool = True) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    def region(self, name: str) -> Locator:
        """A part of the page by its name."""
        return self.page.get_by_role("region", name=name, exact=True)

    @property
    def history(self) -> Locator:
        """Every line of the history."""
        return self.page.get_by_role("list", name="History").get_by_role("listitem")

    def lines(self, state: wire.State) -> list[str]:
        """The history of a match in the page's words, which `tests/page` compares one by one."""
        told: list[str] = self.page.evaluate(LINES, msgspec.to_builtins(state))
        return told

    @property
    def match(self) -> str:
        """The match that is open."""
        address = urlsplit(self.page.url)
        return address.path.removeprefix("/m/") or address.query

    def waits_for_the_board(self) -> None:
        """Until the match is shown, and the live connection stands: before it nobody knows whose seat it is."""
        expect(self.button("Resign")).to_be_visible()
        self.waits_until_it_can_be_pressed()

    def waits_until_it_can_be_pressed(self) -> None:
        """For a moment after the board has changed it cannot: nobody has seen it yet."""
        expect(self.region("Board")).not_to_have_attribute("aria-busy", "true")

    def starts(self, how: str, slug: str) -> str:
        """From the front page into a match; its name."""
        self.page.goto("/")
        self.button(f"{how}: {TITLES[slug]}").click()
        self.waits_for_the_board()
        return self.match

    def sits(self, match: str, token: str) -> None:
        """Take a seat that a program has made."""
        self.page.goto(f"/m/{'?' if self.plain else ''}{match}#seat={token}")
        self.waits_for_the_board()

    def resigns(self) -> None:
        """Give up, and say so once more."""
        self.button("Resign").click()
        self.button("Yes, resign").click()

    def choices(self, slug: str, move: str) -> list[Locator]:
        """What to press, one after the other, for a move, as soon as it can be pressed."""
        self.waits_until_it_can_be_pressed()
        board = self.region("Board")
        if slug == "fifty":
            numbers = board.get_by_role("group", name="Numbers")
            deeds = board.get_by_role("group", name="What to do with it")
            return [
                numbers.get_by_role("button", name=f"{move[:-1]}, "),
                deeds.get_by_role("button", name=re.compile(f"^{VERBS[move[-1]]}")),
            ]
        if slug == "grid" and move != "stand":
            row, column = move.split(",")
            return [board.get_by_role("button", name=f"Row {row}, column {column}: covered")]
        if slug in ("sumquest", "showdown"):
            return [board.get_by_role("button", name=re.compile(rf"^{move}(\b|:|,)"))]
        return [board.get_by_role("button", name=re.compile(f"^{move}", re.IGNORECASE))]

    def plays(self, slug: str, move: str) -> None:
        """Make a move with the mouse, and wait until it is written down."""
        before = self.history.count()
        self.waits_until_it_can_be_pressed()
        if move.startswith("predict "):
            self.page.get_by_role("spinbutton", name="Your prediction").fill(move.removeprefix("predict "))
            self.button("Say it").click()
        else:
            for choice in self.choices(slug, move):
                choice.click()
        expect(self.history.nth(before)).to_be_visible()


class People:
    """Makes people, and sees to it that nothing went wrong."""

    def __init__(self, browser: Browser, url: str, patience: float, *, plain: bool = False) -> None:
        self._plain = plain
        self._browser = browser
        self._patience = patience
        self.url = url
        self._here: list[Person] = []

    def new(self, name: str = "", *, url: str | None = None, **wishes: Any) -> Person:
        """Somebody with an empty browser, who may have told it a name."""
        url = url or self.url
        # A service worker asks for the page, where a test cannot stand in its way; test_offline.py lets it.
        wishes = {"reduced_motion": "reduce", "service_workers": "block", "viewport": DESK, **wishes}
        if name:
            known = [{"name": "nq.name", "value": json.dumps(name)}]
            wishes["storage_state"] = {"cookies": [], "origins": [{"origin": url, "localStorage": known}]}
        context = self._browser.new_context(base_url=url, **wishes)
        context.set_default_timeout(self._patience)
        person = Person(context, urlsplit(url).netloc, plain=self._plain)
        self._here.append(person)
        return person

    def at(self, seat: Seat, name: str = "", **wishes: Any) -> Person:
        """Somebody new before the board, in a seat that a program has made."""
        person = self.new(name, **wishes)
        person.sits(seat.match, seat.token)
        return person

    def leave(self) -> None:
        """Everybody goes; what went wrong is told."""
        try:
            for person in self._here:
                person.check()
        finally:
            for person in self._here:
                person.context.close()


def quick(state: wire.State) -> str:
    """A move that brings the end near: a win where there is one, and as far on as goes without losing."""
    last = state.history[-1] if state.history else None
    predictions = [option.move for option in state.moves if option.move.startswith("predict ")]
    if predictions and not (last and last.player == state.turn):
        return predictions[44 if state.turn == 1 else 39]
    options = [option for option in state.moves if option.move not in predictions]
    return max(options, key=lambda one: (one.ends == "wins", one.ends != "loses", one.result or 0)).move


def ended(state: wire.State) -> str:
    """How a game ended, as the terminal says it."""
    end = state.outcome
    assert end is not None
    outcome = Outcome(None if end.winner is None else end.winner - 1, end.reason, end.facts)
    return ending(make_game(state.game, **state.settings), outcome, (state.players[0].name, state.players[1].name))


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?…" else ".")


def friends(people: People, client: Client, slug: str, **wishes: Any) -> tuple[Person, Person]:
    """Ann and Bo, each before their board."""
    one = client.create(slug, name="Ann", **wishes)
    two = client.join(one.match, one.invite or "", "Bo")
    return people.at(one), people.at(two)
