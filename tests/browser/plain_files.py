"""The page as plain files, from a host that knows nothing but files; and a program beside it in the same browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import pytest

from numberquest.client import Client, _problem
from numberquest.server.site.files import site_files

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.people import Person

ROOT: Final = Path(__file__).parent.parent.parent
PYODIDE: Final = ROOT / "build" / "pyodide"
BUILT: Final = ROOT / "build" / "play"
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


def everywhere_with(name: str, values: Iterable[str], alone: str) -> pytest.MarkDecorator:
    """Run a test with each value at the server, and with one of them in plain files, where the same code answers."""
    cases = [*((value, "server") for value in values), (alone, "site")]
    return pytest.mark.parametrize((name, "place"), cases, indirect=["place"])


class Files(SimpleHTTPRequestHandler):
    """Sends files, and says nothing about it."""

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def written_site(folder: Path) -> Path:
    """Return the folder with the page as plain files: that of `make site`, or `folder` where that is out of date."""
    sources = (file for file in (ROOT / "src" / "numberquest").rglob("*") if file.is_file() and file.suffix != ".pyc")
    try:
        if max(file.stat().st_mtime for file in sources) < (BUILT / "sw.js").stat().st_mtime:
            return BUILT
    except FileNotFoundError:
        pass
    for name, content in site_files(PYODIDE).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder


class PlainFiles:
    """A host of plain files. `url` is its address, and `folder` holds the page."""

    def __init__(self, folder: Path, written: Path, prefix: str = "") -> None:
        """Serve `folder`, in which `prefix` leads to the page that is written in another folder."""
        self.folder = written
        home = folder / "host" / prefix
        home.parent.mkdir(parents=True, exist_ok=True)
        home.symlink_to(written, target_is_directory=True)
        self.files = {
            file.relative_to(written).as_posix(): file.read_bytes() for file in written.rglob("*") if file.is_file()
        }
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder / "host")))
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
def plain_files(folder: Path, written: Path, prefix: str = "") -> Iterator[PlainFiles]:
    """Serve the page that is written in a folder, for the time of the tests."""
    one = PlainFiles(folder, written, prefix)
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
