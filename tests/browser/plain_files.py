"""The page as plain files, from a host that knows nothing but files; and a program beside it in the same browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from numberquest.client import Client, _problem
from numberquest.server.site.files import site_files
from tests.conftest import required

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.people import Person

ROOT: Final = Path(__file__).parent.parent.parent
PYODIDE: Final = ROOT / "build" / "pyodide"
ASK: Final = """async ([from, method, address, body, token]) => {
  if (!window.python) {
    window.python = new Worker('/static/site/worker.js', { type: 'module' });
    window.python.postMessage({ from: from.map((one) => new URL(one, location.origin).href) });
  }
  const id = Math.random();
  return new Promise((done, failed) => {
    window.python.addEventListener('message', ({ data }) => {
      if (data.id === id) done([data.status, data.text]);
      if (data.failed) failed(new Error(data.failed));
    });
    window.python.postMessage({ id, method, address, body, token });
  });
}"""


class Files(SimpleHTTPRequestHandler):
    """Sends files, and says nothing about it."""

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class PlainFiles:
    """Such a host. `url` is where the page is."""

    def __init__(self, folder: Path, prefix: str = "") -> None:
        self.folder = folder / prefix
        self.files = site_files(PYODIDE)
        for name, content in self.files.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def python(self) -> list[str]:
        """Where Pyodide and its packages are."""
        wheels = sorted(name for name in self.files if name.endswith(".whl"))
        (runtime,) = (name.removesuffix("pyodide.mjs") for name in self.files if name.endswith("/pyodide.mjs"))
        return [f"/{runtime}", *(f"/{name}" for name in wheels)]

    def close(self) -> None:
        """Nothing is sent any more."""
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def plain_files(folder: Path, prefix: str = "") -> Iterator[PlainFiles]:
    """A host for the time of the tests, with the page in that folder of it; needs what `make site` fetches."""
    if not (PYODIDE / "pyodide.mjs").is_file():
        required("Pyodide (make site fetches it)")
    one = PlainFiles(folder, prefix)
    yield one
    one.close()


class InBrowser(Client):
    """A program that looks at the matches of somebody's browser: in a tab beside theirs, by the same Python."""

    def __init__(self, person: Person, python: list[str]) -> None:
        super().__init__(person.page.url if person.page.url.startswith("http") else "http://localhost")
        self._person, self._python = person, python
        self._tab: Page | None = None

    def _asked(self, method: str, path: str, body: bytes | None, token: str | None) -> bytes:
        if self._tab is None:
            self._tab = self._person.context.new_page()
            self._tab.goto("/static/favicon.svg")
        asked: list[Any] = [self._python, method, path.lstrip("/"), (body or b"").decode(), token or ""]
        status, text = self._tab.evaluate(ASK, asked)
        if status >= 400:
            raise _problem(status, text.encode())
        said: bytes = text.encode()
        return said
