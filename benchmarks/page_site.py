"""The page without a server: how much is sent, and how soon the first move is answered, beside bare Pyodide.

By hand, after `make site`: `python -m benchmarks.page_site`. A visit begins at an address typed into an empty browser
and ends when the computer has answered the first move; bare Pyodide, in turns with it in the same browser, ends when
`1 + 1` is two.
"""

import argparse
import gzip
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree, which
from threading import Thread

from playwright.sync_api import Browser, Response, expect, sync_playwright
from tests.browser.people import TITLES, Person, started

SITE = Path(__file__).parent.parent / "build" / "play"
GAME = "sumquest"
PATIENCE = 120_000
BARE = """<!doctype html><title>bare</title><script type="module">
import { loadPyodide } from '../%s/pyodide.mjs';
const python = await loadPyodide();
document.title = String(python.runPython('1 + 1'));
</script>"""


class Files(SimpleHTTPRequestHandler):
    """Sends files, and says nothing about it."""

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def until_answered(me: Person) -> float:
    """From the address to the computer's answer to the first move."""
    begin = time.perf_counter()
    me.page.goto(me.host)
    me.button(f"Play the computer, easy: {TITLES[GAME]}").click()
    me.plays(GAME, "5")
    expect(me.history).to_have_count(2)
    return time.perf_counter() - begin


def until_pyodide(me: Person) -> float:
    """From the address to the first sum by bare Pyodide."""
    begin = time.perf_counter()
    me.page.goto(f"{me.host}bare/")
    expect(me.page).to_have_title("2")
    return time.perf_counter() - begin


def visits(browser: Browser, home: str, way: Callable[[Person], float]) -> tuple[float, float]:
    """A first visit in an empty browser, and a second one, when all files are kept."""
    context = browser.new_context(service_workers="allow")
    me = Person(context, home, plain=True)
    first = way(me)
    me.page.goto(home)
    me.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    me.page.close()
    me.page = context.new_page()
    second = way(me)
    context.close()
    return first, second


def at_once(browser: Browser, home: str) -> list[tuple[str, int, int]]:
    """What a first visit to the front page asks for before Python: address, bytes, and bytes compressed."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sent: list[Response] = []
    page.on("response", lambda one: sent.append(one))  # noqa: PLW0108 (it wants a function of Python)
    page.goto(home)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("load")
    bodies = [(one.url.removeprefix(home), one.body()) for one in sent if not behind(one.url)]
    context.close()
    return [(name or "(the page)", len(body), len(gzip.compress(body, 9))) for name, body in bodies]


def behind(address: str) -> bool:
    """Whether it is loaded behind the front page: Python, and what it reads."""
    return "/static/python/" in address or "/static/known/" in address or "/static/site/" in address


def main() -> None:
    """Print the sizes and the times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_site", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="visits of each kind, in turns (5)")
    options = parser.parse_args()
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "play")
        copytree(SITE, folder)
        (pyodide,) = folder.rglob("pyodide.mjs")
        (folder / "bare").mkdir()
        (folder / "bare" / "index.html").write_text(BARE % pyodide.parent.relative_to(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder)))
        Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/"
        with sync_playwright() as playwright:
            browser = started(playwright, str(which("chromium")), Path(temporary))
            tell_sizes(at_once(browser, home), folder)
            tell_times(browser, home, options.rounds)
            browser.close()
        server.shutdown()


def tell_sizes(requests: list[tuple[str, int, int]], folder: Path) -> None:
    """What is sent at once, and what all files are together."""
    for name, plain, small in requests:
        print(f"{name:<40}{plain:>10,}{small:>10,}")
    print(f"{f'at once, in {len(requests)} requests':<40}{sum(one[1] for one in requests):>10,}", end="")
    print(f"{sum(one[2] for one in requests):>10,}   bytes; compressed")
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.parent.name != "bare"]
    small = sum(len(gzip.compress(content, 6)) for content in files)
    print(f"{f'all {len(files)} files':<40}{sum(map(len, files)):>10,}{small:>10,}   bytes; compressed")


def tell_times(browser: Browser, home: str, rounds: int) -> None:
    """The medians of visits in turns, and each."""
    ours, bare = [], []
    for _ in range(rounds):
        ours.append(visits(browser, home, until_answered))
        bare.append(visits(browser, home, until_pyodide))
    for what, place in (("first visit", 0), ("second visit", 1)):
        mine, reference = [one[place] for one in ours], [one[place] for one in bare]
        ratio = statistics.median(mine) / statistics.median(reference)
        print(f"{what}: {statistics.median(mine):.2f} s ({', '.join(f'{one:.2f}' for one in sorted(mine))})", end="")
        print(f", bare Pyodide {statistics.median(reference):.2f} s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
