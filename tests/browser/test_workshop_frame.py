"""Somebody else's Python in the workshop: it is played and measured, and reaches nothing of the page and its reader."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person
from tests.browser.plain_files import PlainFiles

LAST = (Path(__file__).parents[2] / "src/numberquest/server/starts/last.txt").read_text()
"""A game that keeps the laws; attacks stand in front of it."""


class Listener(ThreadingHTTPServer):
    """Another host, which hears what it is asked."""

    def __init__(self) -> None:
        heard: list[str] = []

        class Hears(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                heard.append(self.path)
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        super().__init__(("127.0.0.1", 0), Hears)
        self.heard = heard
        self.url = f"http://127.0.0.1:{self.server_port}"
        Thread(target=self.serve_forever, daemon=True).start()


@pytest.fixture
def listener() -> Iterator[Listener]:
    one = Listener()
    yield one
    one.shutdown()
    one.server_close()


@pytest.fixture
def reader(people: People, site: PlainFiles) -> Person:
    """Somebody with something to lose."""
    reader = people.new("Ann", url=site.url)
    reader.forgive("Content Security Policy", "Content-Security-Policy", "Refused to", "net::ERR", "violates")
    return reader


def link(text: str, kind: str = "python") -> str:
    """The address of the workshop with this game in it."""
    packing = zlib.compressobj(9, wbits=-15)
    code = urlsafe_b64encode(packing.compress(text.encode()) + packing.flush()).decode().rstrip("=")
    return f"/workshop/#{kind}={code}"


def opens(person: Person, text: str) -> None:
    person.page.goto(link(text))
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Make a game")


def trouble(person: Person, words: str | re.Pattern[str]) -> None:
    expect(person.page.locator("#editor-trouble")).to_contain_text(words)


def test_a_game_in_a_link_keeps_the_laws_is_measured_and_played(reader: Person) -> None:
    opens(reader, LAST)
    expect(reader.region("Laws")).to_contain_text("All 12 laws hold.")
    expect(reader.region("The game’s own words").get_by_role("heading")).to_have_text("Who takes the last")
    expect(reader.region("What is true of it")).to_contain_text("With best play Player 1 always wins.")
    reader.page.get_by_label("Player 2 is").select_option("perfect")
    board = reader.region("Board")
    board.get_by_role("button", name="1", exact=True).click()
    moves = board.get_by_role("list", name="Moves so far").get_by_role("listitem")
    expect(moves).to_have_count(2)
    expect(moves.first).to_have_text("Player 1: 1")
    # Another law, another look: what was true of the game before is told no more.
    code = reader.page.get_by_label("The rules, in Python")
    code.fill(LAST.replace("1 - p.player, ", "p.player, ").replace("return p.player", "return p.playr"))
    trouble(reader, "line 24")
    reader.page.get_by_role("button", name="Go to line 24").click()
    assert code.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)").strip() == "return p.playr"


TRIES = """
import js, os, sys, tempfile
got = []
def tries(name, what):
    try:
        got.append(f"{name}={what()}")
    except BaseException as error:
        got.append(f"{name}:no")
def asks(url):
    request = js.XMLHttpRequest.new()
    request.open("GET", url, False)
    request.send()
    return request.status
tries("document", lambda: js.document.title)
tries("window", lambda: js.window.top.location.href)
tries("parent", lambda: js.parent.document)
tries("local", lambda: js.localStorage.length)
tries("session", lambda: js.sessionStorage.length)
tries("database", lambda: js.indexedDB.open("numberquest", 1))
tries("cookie", lambda: js.document.cookie)
tries("eval", lambda: js.eval("1 + 1"))
tries("function", lambda: js.Function.new("return 1")())
tries("script", lambda: js.importScripts("ELSEWHERE/script"))
tries("elsewhere", lambda: asks("ELSEWHERE/asked"))
tries("home", lambda: asks("HOME/static/host.json"))
tries("games", lambda: len([one for one in os.listdir(tempfile.gettempdir()) if one.startswith("tmp")]))
tries("origin", lambda: js.self.origin)
for call in (
    lambda: js.fetch("ELSEWHERE/fetched"),
    lambda: js.fetch("HOME/static/host.json"),
    lambda: js.WebSocket.new("ELSEWHERE/socket".replace("http", "ws")),
    lambda: js.EventSource.new("ELSEWHERE/events"),
    lambda: js.WebTransport.new("ELSEWHERE/transport".replace("http:", "https:")),
    lambda: js.Worker.new("ELSEWHERE/worker"),
    lambda: js.caches.open("numberquest-site"),
    lambda: js.navigator.serviceWorker.register("ELSEWHERE/worker"),
    lambda: js.BroadcastChannel.new("numberquest").postMessage("stolen"),
):
    try:
        call()
    except BaseException:
        pass
"""
EXPECTED = (
    "document:no window:no parent:no local:no session:no database:no cookie:no eval:no function:no script:no "
    "elsewhere:no home:no games=1 origin=null"
)


def test_a_game_reads_neither_page_nor_storage_nor_other_games_and_asks_no_host(
    reader: Person, site: PlainFiles, listener: Listener
) -> None:
    # Another game was open before, and its text must not be there any more.
    opens(reader, LAST)
    expect(reader.region("Laws")).to_contain_text("laws hold")
    attack = TRIES.replace("ELSEWHERE", listener.url).replace("HOME", site.url)
    summary = 'summary = "Take one to three; who takes the last one wins."'
    opens(reader, attack + LAST.replace(summary, 'summary = " ".join(got)'))
    expect(reader.region("The game’s own words")).to_contain_text(EXPECTED)
    expect(reader.region("Laws")).to_contain_text("laws hold")
    assert listener.heard == []
    # What was tried is known to the browser, which let none of it out.
    reader.addresses[:] = [one for one in reader.addresses if not one.startswith(listener.url)]


SAYS = """
TITLE = "\\u202eNumber Quest: <b>log in</b> again<img src=x onerror=document.title=1>\\u202c" + "\\u0301" * 50
SUMMARY = "<script>alert(1)</script> {winner} " + "long " * 500
"""


ELSEWHERE = """() => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll('.foreign, textarea, script').forEach((one) => one.remove());
  return copy.textContent;
}"""
"""All that the page says, but for what it says that the game says."""


def test_a_link_says_nothing_in_the_page_s_own_voice(reader: Person) -> None:
    text = LAST.replace('"Who takes the last"', "TITLE").replace(
        '"Take one to three; who takes the last one wins."', "SUMMARY.replace('{winner}', '')"
    )
    opens(reader, SAYS + text)
    own = reader.region("The game’s own words")
    expect(own).to_contain_text("What stands here is said by the game itself, not by Number Quest.")
    expect(own.get_by_role("heading")).to_contain_text("<b>log in</b> again<img src=x")
    shown = own.get_by_role("heading").inner_text()
    assert not re.search("[\u202a-\u202e\u2066-\u2069]|\u0301{4}", shown)
    assert len(shown) <= 60
    assert reader.page.title() == "Make a game – Number Quest"
    assert reader.page.locator("main img").count() == 0
    elsewhere = reader.page.evaluate(ELSEWHERE)
    assert "log in" not in elsewhere
    assert "alert(1)" not in elsewhere
    # Nor where the page says what is wrong.
    opens(reader, "raise ValueError('log in\\u202e again')\n")
    trouble(
        reader, "Python says of this file: game.py: it does not load: line 1, in <module>: ValueError: log in  again"
    )
    assert "log in" not in reader.page.evaluate(ELSEWHERE)


@pytest.mark.parametrize(
    ("attack", "words"),
    [
        pytest.param(
            "import js\nfor _ in range(9): js.postMessage('{}')\n", "was ended", id="more answers than questions"
        ),
        pytest.param("import js\njs.postMessage('x' * 3_000_000)\n", "was ended", id="an answer that is too long"),
        pytest.param(
            "from numberquest.server.site import guest\n"
            "import pyodide_js, js\n"
            'js.postMessage(\'{"answer": "made", "json": {"info": 7, "laws": [{"name": "toString"}]}}\')\n',
            "was ended",
            id="an answer of another shape",
        ),
        pytest.param(
            "held = []\nwhile True: held.append(bytes(50_000_000))\n",
            re.compile("MemoryError|too large|ended"),
            id="memory",
        ),
    ],
)
def test_a_game_that_floods_lies_or_swells_is_ended_and_the_page_goes_on(
    reader: Person, attack: str, words: str | re.Pattern[str]
) -> None:
    opens(reader, attack + LAST)
    trouble(reader, words)
    # Every frame takes seconds: once is enough to see that the next one is a good one.
    if "bytes" in attack:
        reader.page.get_by_label("Start from", exact=True).select_option("Throw or take")
        expect(reader.region("Laws")).to_contain_text("laws hold")


def test_a_loop_that_never_ends_is_ended_and_said(reader: Person) -> None:
    reader.page.clock.install()
    opens(reader, "while True: pass\n" + LAST)
    expect(reader.page.get_by_text("Looking at it …")).to_be_visible()
    reader.page.clock.fast_forward(11_000)
    trouble(reader, "It did not answer within 10 seconds, and was ended: is there a loop that never ends?")
    assert reader.page.locator("iframe").count() == 0


NO_GAME = "This link carries no game, or only a part of one. Ask for it again."


def test_a_link_that_carries_no_game_says_so(me: Person) -> None:
    # At a server: nothing of it takes Python, which plain files load with every page.
    for code in ("A" * 1_500_000, "!!!", "7Vo", ""):
        me.page.goto("/workshop")
        me.page.evaluate("(code) => { location.hash = `python=${code}`; }", code)
        expect(me.page.locator("#status")).to_have_text(NO_GAME)


def test_a_small_link_with_a_huge_game_in_it_says_so(me: Person) -> None:
    me.page.goto(link("#" * 50_000_000).replace("/#", "#"))
    expect(me.page.locator("#status")).to_have_text(NO_GAME)
