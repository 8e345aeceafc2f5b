"""Pictures of every screen of the page, in light, dark and on a phone: `make screenshots`.

They go to screenshots/, which is not kept; some of them, made smaller, go beside this file for the documents, two
of the games in examples/ for the document about games of one's own, and three of a class for the one about teaching.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.browser.classroom import ClassRoom  # noqa: E402
from tests.browser.people import started  # noqa: E402
from tests.browser.screens import SCREENS, friends, sits  # noqa: E402
from tests.server.running import Running  # noqa: E402

LOOKS = {"light": ("light", 1280, 900), "dark": ("dark", 1280, 900), "phone": ("light", 390, 844)}
CHOSEN = {"front": "page-front", "playing-mystic": "page-match", "review": "page-review"}
CHOSEN |= {"workshop": "page-workshop", "compared": "page-compared"}
OWN = {"nim": ("3:2", "1:1"), "pig": ("roll",)}
"""The examples, each after these moves."""
WIDE, TALL = 1280, 900
"""How large the pictures for the README are."""
AT_SCHOOL = "http://192.168.1.20:8000"
PUPILS = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan"),
    *("Kira", "Leo", "Mia", "Noah", "Olga", "Paul", "Rosa", "Sam", "Tara", "Uwe"),
)


def draw(browser: Browser, server: Running, to: Path, only: list[str]) -> None:
    """Every screen in every look."""
    with server.client() as client:
        for name, screen in SCREENS.items():
            if only and name not in only:
                continue
            for look, (scheme, wide, tall) in LOOKS.items():
                page = browser.new_page(
                    base_url=server.url,
                    viewport={"width": wide, "height": tall},
                    color_scheme="dark" if scheme == "dark" else "light",
                    reduced_motion="reduce",
                )
                screen(page, client)
                page.screenshot(path=to / f"{name}-{look}.png", full_page="dialog" not in page.content())
                page.context.close()
            print(name, flush=True)


def choose(browser: Browser, server: Running) -> None:
    """The pictures for the README: as few bytes as PNG needs for so few colours."""
    with server.client() as client:
        # What has to be worked out is there at once then, as in a server that has run for a while.
        client.games()
        for name, file in CHOSEN.items():
            page = browser.new_page(
                base_url=server.url, viewport={"width": WIDE, "height": TALL}, reduced_motion="reduce"
            )
            SCREENS[name](page, client)
            # All games are to be seen; of the others the upper part says enough.
            page.screenshot(path=HERE / f"{file}.png", full_page=name == "front")
            page.context.close()


def choose_own(browser: Browser, folder: Path) -> None:
    """The pictures of the examples, each a whole game in one file."""
    files = [HERE.parent / "examples" / f"{slug}.py" for slug in OWN]
    folder.mkdir()
    with Running(folder, games=files) as server, server.client() as client:
        for slug, moves in OWN.items():
            page = browser.new_page(
                base_url=server.url, viewport={"width": 1000, "height": 640}, reduced_motion="reduce"
            )
            seats = friends(client, slug, *moves)
            sits(page, seats[seats[1].look().turn or 1])
            page.screenshot(path=HERE / f"page-{slug}.png")
            page.context.close()


def choose_class(browser: Browser, server: Running) -> None:
    """The teacher's board on a projector: how to come in, all tables, and what the class says to a question."""
    with server.client() as client:
        page = browser.new_page(base_url=server.url, viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
        games = client.get("/api/games", dict[str, Any]) | {"address": AT_SCHOOL}
        page.route("**/api/games", lambda route: route.fulfill(json=games))
        room = ClassRoom(client, server.url, "sumquest", PUPILS, way="rounds")
        room.looks_on(page)
        expect(page.get_by_role("img", name="QR code")).to_be_visible()
        page.screenshot(path=HERE / "page-class-lobby.png")
        room.teaches("begin")
        for at, seats in enumerate(room.tables()):
            for move in ("6", "5", "4", "7", "1")[: 1 + at % 5]:
                seat = seats[seats[1].look().turn or 1]
                seat.look()
                seat.play(move)
        room.raises_a_hand(room.pupils[4])
        expect(page.get_by_role("listitem").filter(has_text="hand up")).to_be_visible()
        expect(page.get_by_text("Most missed so far")).to_be_visible()
        page.screenshot(path=HERE / "page-class-tables.png")
        room.teaches("lower", pupil=5)
        room.teaches("pause")
        room.teaches("ask", after=["6", "5"])
        for at, pupil in enumerate(room.pupils):
            room.answers(pupil, "1121431812"[at % 10])
        room.teaches("uncover")
        expect(page.get_by_text("What the class says")).to_be_visible()
        page.screenshot(path=HERE / "page-class-answers.png")
        room.close()
        page.context.close()


def main() -> None:
    """Start a server with an empty database, look at everything, and stop it."""
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("The pictures need Chromium: install the package chromium.")
    expect.set_options(timeout=20_000)
    to = HERE.parent / "screenshots"
    to.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Running(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = started(playwright, program, Path(folder))
        draw(browser, server, to, sys.argv[1:])
        if not sys.argv[1:]:
            choose(browser, server)
            choose_own(browser, Path(folder) / "own")
            choose_class(browser, server)
        browser.close()


if __name__ == "__main__":
    main()
